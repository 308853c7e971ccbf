import pytest

from models.stopwords import content_words


@pytest.mark.parametrize(
    ("text", "language", "want"),
    [
        ("vacuna contra la gripe en embarazadas", "es", "vacuna gripe embarazadas"),
        ("moustiquaires contre le paludisme", "fr", "moustiquaires paludisme"),
        ("What is the effect of aspirin?", "en", "effect aspirin?"),
        ("What is the effect of aspirin?", None, "effect aspirin?"),
        ("test of vitamin A", None, "test vitamin"),
        ("the who", "en", "the who"),
        ("chanjo ya homa kwa wajawazito", "sw", "chanjo homa wajawazito"),
        ("心筋梗塞後のリハビリ", "ja", "心筋梗塞後のリハビリ"),
        ("no list", "xx", "no list"),
    ],
)
def test_function_words_go_and_the_rest_stays(text, language, want):
    assert content_words(text, language) == want
