"""Text to sentences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.sentences import sentence_spans

TEXTS = {
    "en": (
        "Infections with S. aureus are common, e.g. in wounds.",
        "Smith et al. found this (Fig. 2).",
        "It was 1.5 vs. 0.7 mg (p < 0.05, n = 20).",
        "Dr. Lee agreed.",
        "Is it safe?",
        "Yes!",
    ),
    "es": ("La Dra. García trató a 20 pacientes.", "¿Es seguro?", "Mejoró, p. ej. en la Fig. 2."),
    "ja": ("患者は20人であった。", "p<0.05で有意差があった。", "有効か？", "有効。"),
    "zh": ("本研究纳入100例患者。", "结果显示p<0.05。", "治疗有效！"),
    "hi": ("मधुमेह एक आम रोग है।", "रोगियों की संख्या 20 थी।"),
    "ar": ("داء السكري مرض شائع.", "هل العلاج فعال؟", "نعم، العلاج فعال."),
    "am": ("የስኳር በሽታ የተለመደ ነው።", "ሕክምናው ውጤታማ ነው።"),
    "my": ("ဆီးချိုရောဂါသည် အဖြစ်များသည်။", "ကုသမှု အောင်မြင်သည်။"),
    "km": ("ជំងឺទឹកនោមផ្អែមកើតមានញឹកញាប់។", "អ្នកជំងឺមាន២០នាក់។"),
    "el": ("Είναι αποτελεσματική η θεραπεία;", "Ναι, είναι."),
    "th": ("โรคเบาหวานเป็นโรคที่พบบ่อย ผู้ป่วยมี 20 คน",),
}


@pytest.mark.parametrize(("language", "sentences"), TEXTS.items(), ids=TEXTS)
def test_a_text_falls_into_its_sentences(language, sentences):
    text = ("" if language in ("ja", "zh") else " ").join(sentences)
    assert [text[start:end] for start, end in sentence_spans(text, language)] == list(sentences)


@pytest.mark.parametrize("language", [None, "", "und", "tlh", "pt-BR"])
def test_a_language_without_rules_has_those_of_english(language):
    text = "One vs. two. Three 🙂."
    assert [text[start:end] for start, end in sentence_spans(text, language)] == ["One vs. two.", "Three 🙂."]


def test_a_line_break_ends_a_sentence():
    text = "A title\n\nRESULTS: It rose\r\n It fell "
    assert [text[start:end] for start, end in sentence_spans(text)] == [
        "A title",
        "RESULTS: It rose",
        "It fell",
    ]


@given(
    st.lists(st.sampled_from([*'ab A1.?!。।།\n\r\t \u00a0("”」😀é', "e.g. ", "et al. ", "Dr. "])).map("".join)
    | st.text(),
    st.sampled_from(["en", "ja", "el", "ar", "xx"]),
)
def test_sentences_follow_each_other_and_lose_only_white_space(text, language):
    spans = sentence_spans(text, language)
    place = 0
    for start, end in spans:
        assert start < end
        assert not text[place:start].strip()
        assert text[start:end] == text[start:end].strip()
        place = end
    assert not text[place:].strip()
