"""Did you mean: words that the library does not have, against those that it has."""

import re

from rapidfuzz.distance import OSA

from app.understanding import Kind, Understood
from indexer.vocabulary import Vocabulary
from models.analysis import words

LEAST_LETTERS = 4
"""Shorter words are too often abbreviations."""
LONG = 8
"""Words from this length on may differ by two letters, shorter ones by one."""
LEAST_CITATIONS = 2
"""Fewer have a word that is itself a slip."""

WORD = re.compile(r"[^\W\d_]+")


def suggestion(asked: Understood, vocabulary: Vocabulary) -> str | None:
    """The query with its unknown words replaced by near ones; None if there is nothing to replace.

    Left alone are identifiers, Boolean queries, and queries of which most words stay unknown: they are in
    another language, or about something else.
    """
    if asked.kind in (Kind.BOOLEAN, Kind.IDENTIFIER):
        return None
    better = WORD.sub(lambda match: nearest_word(match[0], vocabulary) or match[0], asked.text)
    found = words(better)
    known = sum(vocabulary.count(word) > 0 for word in found)
    return better if better != asked.text and 2 * known > len(found) else None


def nearest_word(word: str, vocabulary: Vocabulary) -> str | None:
    """The known word at the least distance, of these the most frequent; None for a word that is known.

    Distance: insertions, deletions, changes and swaps of neighbours. The first letter must be right.
    """
    plain = "".join(words(word))
    if len(plain) < LEAST_LETTERS or not plain.isascii() or vocabulary.count(plain):
        return None
    most = 2 if len(plain) >= LONG else 1
    found = []
    for place in vocabulary.places(plain[0]):
        other, count = vocabulary.words[place], int(vocabulary.counts[place])
        if abs(len(other) - len(plain)) <= most and count >= LEAST_CITATIONS:
            distance = OSA.distance(plain, other, score_cutoff=most)
            if distance <= most:
                found.append((distance, -count, other))
    return min(found)[2] if found else None
