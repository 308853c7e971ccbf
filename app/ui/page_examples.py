"""Questions to begin with, in many languages."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Example:
    """A question, and the name of its language in that language."""

    language: str
    text: str


EXAMPLES = (
    Example("Español", "vacuna contra la gripe en embarazadas"),
    Example("日本語", "心筋梗塞後のリハビリ"),
    Example("العربية", "تأثير الصيام على مرضى السكري"),
    Example("हिन्दी", "बच्चों में कुपोषण"),
    Example("Kiswahili", "matibabu ya malaria kwa watoto"),
    Example("Français", "dépression chez les personnes âgées"),
    Example("中文", "新冠肺炎疫苗的副作用"),
    Example("Русский", "устойчивость бактерий к антибиотикам"),
    Example("Português", "saúde mental dos profissionais de saúde"),
    Example("বাংলা", "উচ্চ রক্তচাপের চিকিৎসা"),
    Example("한국어", "수면 부족과 비만"),
    Example("Deutsch", "Herzinfarkt Rehabilitation"),
)
