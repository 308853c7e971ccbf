"""Sentences of our own in English and five other languages, one for each pair of a subject and a finding."""

from pathlib import Path

SUBJECTS = {
    "eng_Latn": ("the heart", "the liver", "the kidney", "the lung", "the skin", "the blood"),
    "spa_Latn": ("el corazón", "el hígado", "el riñón", "el pulmón", "la piel", "la sangre"),
    "rus_Cyrl": ("сердце", "печень", "почка", "лёгкое", "кожа", "кровь"),
    "hin_Deva": ("हृदय", "यकृत", "गुर्दा", "फेफड़ा", "त्वचा", "रक्त"),
    "zho_Hans": ("心脏", "肝脏", "肾脏", "肺", "皮肤", "血液"),
    "sat_Olck": ("ᱦᱤᱨᱫᱟᱹ", "ᱤᱢ", "ᱵᱩᱠ", "ᱯᱷᱮᱯᱷᱲᱟ", "ᱦᱟᱨᱛᱟ", "ᱢᱟᱭᱟᱢ"),
}
FINDINGS = {
    "eng_Latn": ("is healthy", "is inflamed", "fails", "has a tumour", "heals", "was examined"),
    "spa_Latn": ("está sano", "está inflamado", "falla", "tiene un tumor", "se cura", "fue examinado"),
    "rus_Cyrl": ("здорово", "воспалено", "отказывает", "с опухолью", "заживает", "обследовано"),
    "hin_Deva": ("स्वस्थ है", "सूजा हुआ है", "विफल है", "में ट्यूमर है", "ठीक हो रहा है", "की जाँच हुई"),
    "zho_Hans": ("健康", "发炎", "衰竭", "有肿瘤", "愈合", "已检查"),
    "sat_Olck": ("ᱵᱮᱥ ᱜᱮᱭᱟ", "ᱢᱚ ᱟᱠᱟᱱᱟ", "ᱵᱟᱝ ᱠᱟᱹᱢᱤᱭᱟ", "ᱨᱮ ᱜᱷᱟᱣ", "ᱵᱮᱥᱚᱜ ᱠᱟᱱᱟ", "ᱧᱮᱞ ᱮᱱᱟ"),
}
LANGUAGES = tuple(language for language in SUBJECTS if language != "eng_Latn")


def sentences(language: str) -> list[str]:
    """36 sentences; those of one number say the same in every language."""
    return [f"{subject} {finding}" for subject in SUBJECTS[language] for finding in FINDINGS[language]]


def write_pairs(path: Path) -> Path:
    """A TSV file of language, English and text, as training reads it."""
    rows = [
        f"{language}\t{english}\t{text}"
        for language in LANGUAGES
        for english, text in zip(sentences("eng_Latn"), sentences(language), strict=True)
    ]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path
