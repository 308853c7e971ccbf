"""Which words of a text meet the index terms of a question: analysis that keeps its place."""

import functools
import re
import unicodedata
from collections.abc import Callable, Collection
from itertools import pairwise

from models.analysis import analyse_both
from models.letters import (
    APOSTROPHES,
    GREEK,
    HANGUL,
    HYPHENS,
    INVISIBLE,
    LATIN,
    SPACELESS,
    TSHEG,
    word_characters,
)

JOINTS = f"{HYPHENS}{APOSTROPHES}'-"
PIECES = re.compile(rf"\d+|[\u0370-\u03ff]+|[^\d\u0370-\u03ff{JOINTS}]+")
"""What a compound falls into: at hyphens, apostrophes, digits and Greek letters."""
SLIGHT = re.compile(rf"[{LATIN}{GREEK}]|\d{{1,2}}", re.IGNORECASE)
"""A letter or a small number: by itself it says nothing."""
SIDE_BY_SIDE = re.compile(rf"[\s{JOINTS}]?")
"""Between two words that belong together."""

Ranges = list[tuple[int, int]]
Meeting = Callable[[str], frozenset[str]]


def matched_words(text: str, terms: Collection[str], language: str | None = None) -> Ranges:
    """Character ranges [start, end), in text order, of the words that give any of the terms.

    The words are read by models.analysis.analyse_both; language: BCP 47 tag of the text if known. Of a
    compound the parts that match are meant; letters and small numbers count beside another match only.
    """
    wanted = frozenset(terms)

    @functools.cache
    def meeting(word: str) -> frozenset[str]:
        return wanted.intersection(analyse_both(word, language))

    found: Ranges = []
    for word in _words().finditer(text) if wanted else ():
        if word.lastgroup:
            found += [span for span in _pairs(text, *word.span()) if meeting(text[slice(*span)])]
        else:
            found += _met_parts(word, meeting)
    return _without_slight(text, _merged(text, found))


@functools.cache
def _words() -> re.Pattern[str]:
    """Words as models.analysis cuts them, in text that is not normalised yet."""
    word = f"[{word_characters()}{INVISIBLE.pattern[1:-1]}]+"
    return re.compile(rf"(?P<paired>[{SPACELESS}]+|[{HANGUL}]+)|\d+(?:[.,]\d+)+|{word}(?:[{JOINTS}]{word})*")


def _met_parts(word: re.Match[str], meeting: Meeting) -> Ranges:
    """The pieces of the word that match, or the whole of it if all do or only the whole does."""
    met = meeting(word.group())
    if not met:
        return []
    pieces = list(PIECES.finditer(word.group()))
    parts = [piece.span() for piece in pieces if met & meeting(piece.group())]
    if len(parts) in (0, len(pieces)):
        return [word.span()]
    return [(word.start() + start, word.start() + end) for start, end in parts]


def _pairs(text: str, start: int, end: int) -> Ranges:
    """Where the overlapping pairs of characters stand, each with its marks; of one character itself."""
    letters: Ranges = []
    for place in range(start, end):
        if letters and unicodedata.category(text[place]).startswith("M"):
            letters[-1] = (letters[-1][0], place + 1)
        elif text[place] not in TSHEG:
            letters.append((place, place + 1))
    pairs = [(first[0], second[1]) for first, second in pairwise(letters)]
    return letters if len(letters) == 1 else pairs


def _merged(text: str, ranges: Ranges) -> Ranges:
    """Ranges as one that overlap, touch, or are parted by a hyphen or an apostrophe."""
    merged: Ranges = []
    for start, end in ranges:
        if merged and text[merged[-1][1] : start].strip(JOINTS) == "":
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _without_slight(text: str, ranges: Ranges) -> Ranges:
    """Without letters and small numbers that stand beside no other match."""
    joined = [
        SIDE_BY_SIDE.fullmatch(text[before[1] : after[0]]) is not None for before, after in pairwise(ranges)
    ]
    return [
        span
        for span, left, right in zip(ranges, [False, *joined], [*joined, False], strict=False)
        if left or right or not SLIGHT.fullmatch(text[slice(*span)])
    ]
