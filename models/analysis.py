"""Text to index terms: one function for documents and queries, so that both are cut alike.

What becomes of a text, in this order:

1. Normalised: NFKC ("CO₂" is CO2, "m²" is m2, "ﬁ" is fi), letter case folded, invisible characters and
   trade marks dropped, hyphens, apostrophes and digits of every script made one kind, traditional Chinese
   characters made simplified.
2. Cut into words. Scripts written without spaces (Han, Kana, Thai, Lao, Khmer, Burmese, Tibetan) and Hangul
   give overlapping pairs of characters, or the character itself where it stands alone.
3. A word with hyphens gives its parts and, after them, the whole without hyphens; letters then digits, or
   digits then letters, likewise give two halves and the whole. So IL-6 and IL6 both give (il, 6, il6) and
   IL 6 gives (il, 6): each finds the others, and the two written as one score best.
4. A Greek letter that stands alone (not in Greek text) or beside Latin letters or digits is spelled out
   ("TNF-α" as TNF-alpha); words of Greek letters stay.
5. Words are stemmed by language, then accents are folded (Latin, Greek, Cyrillic, Arabic, Hebrew; the marks
   of other scripts are vowels and stay).

Numbers keep their decimals ("1.73"), with a point for a comma and no commas between thousands.

On SciFact, BM25 over these terms has nDCG@10 .701, over plain English stems .685.
"""

import functools
import re
import threading
import unicodedata
from itertools import chain, pairwise
from typing import Any

from models.letters import (
    FOLDED_LETTERS,
    FOLDED_MARKS,
    GREEK,
    GREEK_NAMES,
    HANGUL,
    INVISIBLE,
    LATIN,
    SERBIAN_LATIN,
    SPACELESS,
    TRADE_MARKS,
    TSHEG,
    levelled_signs,
    word_characters,
)

ANALYSIS_VERSION = 4
"""Raised with every change of the terms: an index of another version must be made again."""

CACHED_WORDS = 1 << 18
"""Words whose terms are remembered: natural text repeats itself, and stemming is the slowest step."""

UNSTEMMED = ""
"""In place of a stemmer's language: words keep their endings."""

STEMMERS = {
    "ar": "arabic",
    "ca": "catalan",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "eo": "esperanto",
    "es": "spanish",
    "et": "estonian",
    "eu": "basque",
    "fa": "persian",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "ne": "nepali",
    "nl": "dutch",
    "no": "norwegian",
    "nb": "norwegian",
    "nn": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "st": "sesotho",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
    "yi": "yiddish",
}
"""Snowball's algorithm for each language that has one."""
NOT_LATIN = frozenset({"ar", "el", "fa", "hi", "hy", "ne", "ru", "ta", "yi"})
"""Of these; Latin words in such text are mostly English."""
ELISIONS = frozenset({"c", "d", "j", "l", "m", "n", "qu", "s", "t", "un", "dell", "all", "nell", "sull"})
"""What stands before an apostrophe in French, Italian and Catalan and means nothing alone."""

NUMBER = r"[0-9]+(?:[.,][0-9]+)+"
THOUSANDS = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+")
ASCII_WORD = re.compile(rf"{NUMBER}|[a-z0-9]+(?:[-'][a-z0-9]+)*")
HALVES = re.compile(r"([^\W\d_]+)([0-9]+)|([0-9]+)([^\W\d_]+)")
GREEK_SYMBOLS = re.compile(f"[{GREEK}]|(?=.*[{GREEK}])(?=.*[a-z0-9])[{GREEK}a-z0-9]+")
SYMBOL_PARTS = re.compile(f"[{GREEK}]|[a-z]+|[0-9]+")
LATIN_START = re.compile(f"[{LATIN}]")
DIGIT = re.compile("[0-9]")

_stemming = threading.Lock()


def analyse(text: str, language: str | None = None, *, wholes: bool = True) -> list[str]:
    """Index terms of a text in text order, repeats kept; no term is empty or holds white space.

    language: BCP 47 tag of the text if known. Without one, and for a language that has no stemmer,
    words of Latin letters are stemmed as English.
    wholes: whether a compound also gives itself as a whole; without, IL-6, IL6 and IL 6 give the same terms.
    """
    return _terms(text, stemmer_language(language), wholes)


def analyse_both(text: str, language: str | None, *, wholes: bool = True) -> list[str]:
    """Terms of a text as English, then those that its own language's stemmer makes of it besides.

    The latter carry the language's tag ("es:grip" for "gripe"), or they would meet English words by accident.
    Serbian in Cyrillic also gives the terms of the same text in Latin letters.
    """
    terms = analyse(text, "en", wholes=wholes)
    if language is None or language == "en":
        return terms
    if language == "sr" and (latin := text.lower().translate(SERBIAN_LATIN)) != text.lower():
        terms += analyse(latin, "en", wholes=wholes)
    known = set(terms)
    own = analyse(text, language, wholes=wholes)
    return terms + [f"{language}:{term}" for term in own if term not in known]


def words(text: str) -> list[str]:
    """The words of a text in text order as `analyse` cuts them without wholes, but not stemmed.

    Each gives one term, and the two lists go together.
    """
    return _terms(text, UNSTEMMED, wholes=False)


def _terms(text: str, stemmer: str, wholes: bool) -> list[str]:
    if text.isascii():
        found = ASCII_WORD.findall(text.lower())
        return list(chain.from_iterable([_word_terms(word, stemmer, wholes) for word in found]))
    terms: list[str] = []
    for run in _word_pattern().finditer(normalise(text)):
        terms += _pairs(run.group()) if run.lastgroup else _word_terms(run.group(), stemmer, wholes)
    return terms


def normalise(text: str) -> str:
    """The text after step 1."""
    seen = TRADE_MARKS.sub(" ", INVISIBLE.sub("", text))
    folded = unicodedata.normalize("NFKC", seen).casefold()
    return unicodedata.normalize("NFKC", folded).translate(levelled_signs())


def stemmer_language(language: str | None) -> str:
    """The language whose stemmer serves a text of this language."""
    primary = (language or "en").replace("_", "-").partition("-")[0].lower()
    return primary if primary in STEMMERS else "en"


@functools.cache
def _word_pattern() -> re.Pattern[str]:
    word = f"[{word_characters()}]+"
    return re.compile(rf"(?P<paired>[{SPACELESS}]+|[{HANGUL}]+)|{NUMBER}|{word}(?:[-']{word})*")


def _pairs(run: str) -> list[str]:
    """Overlapping pairs of characters, each with the marks that belong to it; of one character itself."""
    letters: list[str] = []
    for character in run:
        if letters and unicodedata.category(character).startswith("M"):
            letters[-1] += character
        elif character not in TSHEG:
            letters.append(character)
    return letters if len(letters) == 1 else [first + second for first, second in pairwise(letters)]


@functools.lru_cache(CACHED_WORDS)
def _word_terms(word: str, stemmer: str, wholes: bool) -> tuple[str, ...]:
    """Terms of a normalised word, number or compound."""
    if "," in word or "." in word:
        return (word.replace(",", "") if THOUSANDS.fullmatch(word) else word.replace(",", "."),)
    if "-" not in word:
        return tuple(filter(None, _part_terms(word, stemmer, wholes)))
    parts = word.split("-")
    terms = [term for part in parts for term in _part_terms(part, stemmer, wholes)]
    if wholes and not all(map(str.isdecimal, parts)):  # 10-20 is a range, not 1020
        terms.append(_stem("".join(_spelled(part.replace("'", "")) for part in parts), stemmer))
    return tuple(filter(None, terms))


def _part_terms(part: str, stemmer: str, wholes: bool) -> list[str]:
    """Terms of a word without hyphens, which falls in two at an apostrophe, less "'s" and elisions."""
    if "'" not in part:
        return _simple_terms(part, stemmer, wholes)
    pieces = part.split("'")
    if not LATIN_START.match(part):  # in Ukrainian and Hebrew the apostrophe is part of the word
        return _simple_terms("".join(pieces), stemmer, wholes)
    if pieces[-1] == "s":
        pieces.pop()
    if len(pieces) > 1 and pieces[0] in ELISIONS:
        pieces.pop(0)
    return [term for piece in pieces for term in _simple_terms(piece, stemmer, wholes)]


def _simple_terms(word: str, stemmer: str, wholes: bool) -> list[str]:
    if stemmer == "el" and len(word) == 1:  # an article, not a symbol
        return [word]
    if GREEK_SYMBOLS.fullmatch(word):
        parts = [_stem(GREEK_NAMES.get(part, part), stemmer) for part in SYMBOL_PARTS.findall(word)]
    elif halves := HALVES.fullmatch(word):
        parts = [_stem(half, stemmer) for half in halves.groups() if half]
    else:
        return [_stem(word, stemmer)]
    return parts if len(parts) == 1 or not wholes else [*parts, _stem(_spelled(word), stemmer)]


def _spelled(word: str) -> str:
    """The word with its Greek letters spelled out, if they are symbols there."""
    if not GREEK_SYMBOLS.fullmatch(word):
        return word
    return "".join(GREEK_NAMES.get(character, character) for character in word)


def _stem(word: str, stemmer: str) -> str:
    """The word's stem without accents; a word with digits is an identifier and keeps its form."""
    if stemmer == UNSTEMMED:
        return fold_marks(word)
    if stemmer == "en" or (stemmer in NOT_LATIN and word.isascii()):
        plain = fold_marks(word)
        return _snowball("en", plain) if plain.isascii() and not DIGIT.search(plain) else plain
    return fold_marks(word if DIGIT.search(word) else _snowball(stemmer, word))


def fold_marks(word: str) -> str:
    """The word without accents and vowel points, its special letters in their plain form."""
    if word.isascii():
        return word
    bare = FOLDED_MARKS.sub("", unicodedata.normalize("NFD", word.translate(FOLDED_LETTERS)))
    return unicodedata.normalize("NFC", bare)


def _snowball(language: str, word: str) -> str:
    with _stemming:  # PyStemmer's objects keep state
        return str(_snowball_stemmer(STEMMERS[language]).stemWord(word)) or word


@functools.cache
def _snowball_stemmer(algorithm: str) -> Any:  # noqa: ANN401
    import Stemmer

    return Stemmer.Stemmer(algorithm, 0)  # without its cache: terms are remembered here
