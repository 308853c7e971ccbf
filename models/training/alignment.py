"""Which words of one language stand for which of another, from sentences that say the same.

IBM Model 1 (Brown et al., 1993, The Mathematics of Statistical Machine Translation), which needs nothing but
the pairs and finds the same optimum from any start.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

ROUNDS = 5
"""Of expectation and maximisation; more change little (Och and Ney, 2003)."""
NULL = -1
"""The word that stands in every sentence, for words that have no counterpart."""


@dataclass(frozen=True, slots=True)
class Translations:
    """Row by row: word, its counterpart and how likely it is; likelihoods of one word sum to 1.

    words: ascending, NULL first. All three arrays (n,).
    """

    words: NDArray[np.int64]
    counterparts: NDArray[np.int64]
    likelihoods: NDArray[np.float64]


def align_words(
    sentences: Sequence[NDArray[np.int64]], counterparts: Sequence[NDArray[np.int64]]
) -> Translations:
    """How likely each counterpart is, given a word. Sentences are arrays of word numbers, 0 or more."""
    pairs = [
        (np.append(sentence, NULL), other)
        for sentence, other in zip(sentences, counterparts, strict=True)
        if len(sentence) and len(other)
    ]
    if not pairs:
        return Translations(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.float64))
    base = 1 + max(int(other.max()) for _, other in pairs)
    links = np.concatenate([((words + 1) * base + other[:, None]).ravel() for words, other in pairs])
    widths = np.concatenate([np.full(len(other), len(words)) for words, other in pairs])
    starts = np.cumsum(widths) - widths
    kinds, link = np.unique(links, return_inverse=True)
    words, number = np.unique(kinds // base, return_inverse=True)
    likelihoods = np.ones(len(kinds))
    for _ in range(ROUNDS):
        chances = likelihoods[link]
        chances /= np.repeat(np.add.reduceat(chances, starts), widths)
        expected = np.bincount(link, chances, len(kinds))
        likelihoods = expected / np.bincount(number, expected, len(words))[number]
    return Translations(kinds // base - 1, kinds % base, likelihoods)
