"""The words of a text that meet a question's terms."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.analysis import analyse_both
from models.marks import matched_words

CASES = [
    ("IL-6", "en", "Of [IL-6], [IL6] and [IL 6], not of 6 men."),
    ("TNF alpha", "en", "[TNF-α], [TNFα], [TNF‑alpha]; linked by α-linkage"),
    ("PPAR", "en", "[PPAR]γ and [PPAR]-agonists"),
    ("exercise training", "en", "[Exercise]-based, [trained] [EXERCISES]"),
    ("1.73 m2", "en", "60 mL/min/[1.73 m²], 1.7 m, 73"),
    ("CO2", "en", "[CO₂] and [CO], 2 of them"),
    ("type 2 diabetes", "en", "[type-2 diabetes] in 2 of 12 [diabetics]"),
    ("vitamin D", "en", "[vitamin D]3 in group D"),
    ("COVID-19", "en", "post-[COVID-19] wards, [COVID‑19]"),
    ("study of 2020", "en", "a [study] in [2020]"),
    ("soft hyphen", "en", "[so\u00adft] [hyphens]"),
    ("insuffisance cardiaque", "fr", "L’[insuffisance cardiaque] aiguë"),
    ("vacunas gripe", "es", "la [vacuna] de la [gripe]; grip"),
    ("вакцинация детей", "ru", "[Вакцинация] у [детей]"),
    ("心筋梗塞後", "ja", "急性[心筋梗塞]の[心筋]"),
    ("癌", "zh", "[癌]、肺癌"),
    ("위암 조기", "ko", "[위암]의 [조기]진단"),
    ("कुपोषण", "hi", "में [कुपोषण] की"),
    ("γριπη", "el", "η [γρίπη] και"),
]


@pytest.mark.parametrize(("question", "language", "marked"), CASES, ids=[case[0] for case in CASES])
def test_words_that_match_are_marked(question, language, marked):
    text = marked.replace("[", "").replace("]", "")
    shown = text
    for start, end in reversed(matched_words(text, analyse_both(question, language), language)):
        shown = f"{shown[:start]}[{shown[start:end]}]{shown[end:]}"
    assert shown.replace("] [", " ") == marked.replace("] [", " ")


def test_a_word_of_another_language_is_not_met_by_chance():
    assert analyse_both("gripe", "es") == ["gripe", "es:grip"]
    assert matched_words("hand grip", ["gripe", "es:grip"], "en") == []


def test_without_terms_nothing_is_marked():
    assert matched_words("flu", []) == []


@given(st.text() | st.text(alphabet="ab-'’.1α²é 心かカ위ก́\u200d"), st.sampled_from(["en", "es", "ja", "ko"]))
def test_marks_stand_in_order_and_only_where_a_term_is_met(text, language):
    terms = analyse_both(text, language)[::2]
    place = 0
    for start, end in matched_words(text, terms, language):
        assert place <= start < end <= len(text)
        assert set(analyse_both(text[start:end], language)) & set(terms)
        place = end
