import pytest

from models.language import SUPPORTED, Guess, _whole_identifier, identify

SENTENCES = {
    "en": "The patients were treated with aspirin for two years.",
    "fr": "Les patients ont été traités par aspirine pendant deux ans.",
    "de": "Die Patienten wurden zwei Jahre lang mit Aspirin behandelt.",
    "es": "Los pacientes fueron tratados con aspirina durante dos años.",
    "pt": "Os pacientes foram tratados com aspirina durante dois anos, segundo o estudo.",
    "pl": "Pacjenci byli leczeni aspiryną przez dwa lata.",
    "ru": "Пациентов лечили аспирином в течение двух лет.",
    "uk": "Пацієнтів лікували аспірином протягом двох років.",
    "ar": "عولج المرضى بالأسبرين لمدة عامين.",
    "fa": "بیماران به مدت دو سال با آسپرین درمان شدند.",
    "he": "החולים טופלו באספירין במשך שנתיים.",
    "el": "Οι ασθενείς έλαβαν ασπιρίνη για δύο χρόνια.",
    "hi": "मरीजों का दो साल तक एस्पिरिन से इलाज किया गया।",
    "bn": "রোগীদের দুই বছর ধরে অ্যাসপিরিন দিয়ে চিকিৎসা করা হয়েছিল।",
    "zh": "患者接受了两年的阿司匹林治疗。",
    "ja": "患者は二年間アスピリンで治療された。",
    "ko": "환자들은 2년 동안 아스피린으로 치료받았다.",
    "th": "ผู้ป่วยได้รับการรักษาด้วยแอสไพรินเป็นเวลาสองปี",
    "ka": "პაციენტებს ორი წლის განმავლობაში ასპირინით მკურნალობდნენ.",
    "ta": "நோயாளிகளுக்கு இரண்டு ஆண்டுகள் ஆஸ்பிரின் சிகிச்சை அளிக்கப்பட்டது.",
}


@pytest.mark.parametrize("language", SENTENCES)
def test_a_sentence_is_recognised(language):
    guess = identify(SENTENCES[language])
    assert guess.language == language
    assert guess.confidence >= 0.5


@pytest.mark.parametrize("text", ["", "  ", "123", "😀 !", "\ud800"])
def test_text_without_letters_has_no_language(text):
    assert identify(text) == Guess(None, 0.0)


@pytest.mark.parametrize("text", ["diabetes", "IL-6", "TNF-α", "insulin"])
def test_a_word_of_many_languages_is_of_none(text):
    guess = identify(text)
    assert guess.language is None
    assert guess.confidence < 0.5


def test_only_the_languages_asked_for_are_answered():
    assert identify("infarctus du myocarde", ["en", "fr"]).language == "fr"
    assert identify(SENTENCES["th"], ["en", "fr"]) == Guess(None, 0.0)
    assert identify(SENTENCES["ru"], ["en", "fr"]) == Guess(None, 0.0)
    assert identify(SENTENCES["ru"], ["ru", "uk"]).language == "ru"


def test_tags_with_regions_count_and_those_that_nobody_knows_do_not():
    assert identify(SENTENCES["pt"], ["pt-BR", "en", "mul", "und"]).language == "pt"
    assert identify(SENTENCES["pt"], ["mul"]) == Guess(None, 0.0)
    assert identify(SENTENCES["pt"], []) == Guess(None, 0.0)


def test_latin_abbreviations_do_not_hide_the_script():
    assert identify("心筋梗塞とIL-6の関係").language == "ja"
    assert identify("심근경색에서 TNF-alpha의 역할에 대한 연구").language == "ko"


def test_what_is_supported_can_be_identified():
    assert set(_whole_identifier().labels) >= SUPPORTED
