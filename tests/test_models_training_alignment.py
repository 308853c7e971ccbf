"""Words and their counterparts, from sentences that say the same."""

import numpy as np

from models.training.alignment import NULL, align_words

WORDS = {"casa": 0, "verde": 1, "la": 2, "libro": 3}
ENGLISH = {"house": 0, "green": 1, "the": 2, "book": 3}
PAIRS = (
    ("la casa", "the house"),
    ("la casa verde", "the green house"),
    ("la libro", "the book"),
    ("la libro verde", "the green book"),
)


def numbers(sentence: str, table: dict[str, int]) -> np.ndarray:
    return np.array([table[word] for word in sentence.split()], np.int64)


def test_each_word_finds_its_counterpart() -> None:
    found = align_words(
        [numbers(one, WORDS) for one, _ in PAIRS], [numbers(other, ENGLISH) for _, other in PAIRS]
    )
    for word, number in WORDS.items():
        own = found.words == number
        best = found.counterparts[own][found.likelihoods[own].argmax()]
        assert best == number, word
    for word in (NULL, *WORDS.values()):
        assert np.isclose(found.likelihoods[found.words == word].sum(), 1)


def test_sentences_without_words_are_left_out() -> None:
    empty = np.empty(0, np.int64)
    found = align_words([empty, np.array([5])], [np.array([1]), np.array([9])])
    assert found.words.tolist() == [NULL, 5] and found.counterparts.tolist() == [9, 9]
    assert align_words([empty], [empty]).words.tolist() == []
