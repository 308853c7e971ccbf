"""Suggestions come from the words of the library, and only for words that it does not have."""

import numpy as np
import pytest

from app.spelling import nearest_word, suggestion
from app.understanding import Kind, Understood
from indexer.vocabulary import Vocabulary

WORDS = {
    "infarct": 5,
    "infarction": 40,
    "infarctions": 9,
    "influenza": 30,
    "myocardial": 50,
    "of": 90,
    "risk": 9,
    "riske": 1,
}
KNOWN = Vocabulary(tuple(sorted(WORDS)), np.array([WORDS[word] for word in sorted(WORDS)], np.int32))


@pytest.mark.parametrize(
    ("word", "want"),
    [
        ("myocardal", "myocardial"),
        ("Infarcton", "infarction"),
        ("infarctoin", "infarction"),
        ("influenca", "influenza"),
        ("infarction", None),
        ("rik", None),
        ("rizk", "risk"),
        ("rixks", None),
        ("nyocardial", None),
        ("インフルエンザ", None),
    ],
)
def test_the_nearest_word(word, want):
    assert nearest_word(word, KNOWN) == want


def test_only_unknown_words_are_replaced():
    asked = Understood(Kind.QUESTION, "Risk of influenca, myocardal Infarction?", "en")
    assert suggestion(asked, KNOWN) == "Risk of influenza, myocardial Infarction?"


def test_a_query_of_which_most_is_unknown_is_left_alone():
    asked = Understood(Kind.OTHER_LANGUAGE, "influenca bei Herzkranken und Kindern", "de")
    assert suggestion(asked, KNOWN) is None


@pytest.mark.parametrize("kind", [Kind.BOOLEAN, Kind.IDENTIFIER])
def test_other_kinds_of_query_are_left_alone(kind):
    assert suggestion(Understood(kind, "influenca", None), KNOWN) is None
