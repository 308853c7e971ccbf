import pytest

from models.training.tags import is_english, language_key
from tests.language_codes import FLORES, OTHERS


def test_flores_codes_are_their_own_keys():
    assert [code for code in FLORES if language_key(code) != code] == []
    assert len(FLORES) == 205


def test_codes_of_one_variety_have_one_key():
    expected = {code: key for line in OTHERS for key, codes in [line.split("=")] for code in codes.split(",")}
    assert {code: language_key(code) for code in expected} == expected
    assert len(expected) == 467


@pytest.mark.parametrize(
    ("code", "key"),
    [
        ("pt-PT-u-nu-latn", "por_Latn"),
        ("ZH-hant-HK", "zho_Hant"),
        ("zh-yue", "yue_Hant"),
        ("sr-Latn-RS", "srp_Latn"),
        ("ru-Latn", "rus_Latn"),
        ("ber-Tfng", "tzm_Tfng"),
        ("jpn_Hira", "jpn_Jpan"),
        ("iw", "heb_Hebr"),
    ],
)
def test_tags_of_every_form(code, key):
    assert language_key(code) == key


@pytest.mark.parametrize("code", ["", "und", "English", "x-private", "e", "a b", "en-"])
def test_what_is_no_tag_stays(code):
    assert language_key(code) == code


def test_english_by_its_primary_subtag():
    assert [code for code in ("en", "EN-gb", "eng_Latn", "enm", "ang", "", "de-en") if is_english(code)] == [
        "en",
        "EN-gb",
        "eng_Latn",
    ]
