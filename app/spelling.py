"""Did you mean: words that the library does not have, against those that it has."""

import re

from rapidfuzz import process
from rapidfuzz.distance import OSA

from app.understanding import Kind, Understood
from indexer.vocabulary import Vocabulary
from models.analysis import words

LEAST_LETTERS = 4
"""Shorter words are too often abbreviations."""
LONG = 8
"""Words from this length on may differ by two letters, shorter ones by one."""
MOST_UNKNOWN = 2
"""Words of a query that are slips; more are another language."""
ENGLISH = (None, "en", "la")
"""What a query in English may be taken for: medical words are Latin enough."""
CLEAR = 3
"""Words from which a guess of the language can be relied on."""
LEAST_CITATIONS = 2
"""Fewer have a word that is itself a slip."""

WORD = re.compile(r"[^\W\d_]+")


def suggestion(asked: Understood, vocabulary: Vocabulary) -> str | None:
    """The query with its unknown words replaced by near ones; None if there is nothing to replace.

    Left alone are identifiers, Boolean queries, queries in another language, and those with several unknown
    words or of which most stay unknown: they are about something else.
    """
    unknown = [word for word in words(asked.text) if not vocabulary.count(word)]
    if asked.kind in (Kind.BOOLEAN, Kind.IDENTIFIER):
        return None
    if asked.language not in ENGLISH and len(asked.text.split()) >= CLEAR:
        return None
    if not 0 < len(unknown) <= MOST_UNKNOWN:
        return None
    better = WORD.sub(lambda match: nearest_word(match[0], vocabulary) or match[0], asked.text)
    found = words(better)
    known = sum(vocabulary.count(word) > 0 for word in found)
    return better if better != asked.text and 2 * known > len(found) else None


def nearest_word(word: str, vocabulary: Vocabulary) -> str | None:
    """The known word at the least distance, of these the most frequent; None for a word that is known.

    Distance: insertions, deletions, changes and swaps of neighbours. The first letter must be right.
    """
    plain = word.lower()
    if len(plain) < LEAST_LETTERS or not plain.isascii() or vocabulary.count(plain):
        return None
    near = process.extract(
        plain,
        vocabulary.starting_with(plain[0]),
        scorer=OSA.distance,
        processor=None,
        score_cutoff=2 if len(plain) >= LONG else 1,
        limit=None,
    )
    found = [(distance, -vocabulary.count(other), other) for other, distance, _ in near]
    return min((item for item in found if -item[1] >= LEAST_CITATIONS), default=(0, 0, None))[2]
