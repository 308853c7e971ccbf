"""The running text of a PDF from what stands on its pages."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence

from indexer.citation import Section
from indexer.sources.document import unwrapped

_FORMS = re.compile("[\ufb00-\ufb06\ufb13-\ufb17\ufb50-\ufdff\ufe70-\ufefc]+")
"""Ligatures of Latin and Armenian, and the shapes of Arabic letters."""
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff]")
_SENSELESS = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ue000-\uf8ff\ufffd\U000f0000-\U0010ffff]|/g?\\d+(?=/)")
"""What comes of letters in a font that does not say which they are."""

_EDGE = 3
"""Lines at the top and the bottom of a page among which are headers and footers."""
_REPEATED = 3
"""Pages on which a line stands at the edge, and one out of so many pages, at which it is a header or footer:
those of left and of right pages differ."""
_PAGE = re.compile(
    r"\W*(?:(?:page|seite|página|pagina|p|s|стр)\W*)?#(?:\s*(?:/|of|von|de|di|из)\s*#)?\W*", re.I
)
_DIGITS = re.compile(r"\d+")

_HYPHEN = re.compile(r"\b(\w+)([-\u2010\u00ad])[ \t]*\n[ \t]*(\w+)")
_AND = frozenset("and or to und oder bis sowie y e o u et ou ed od en of och eller i lub и или".split())
"""Words behind "pre- and"."""

_NUMBER = r"^[ \t]*(?:\d{1,2}\.?[ \t]+|[IVX]{1,4}\.[ \t]+)?"
_BEGIN = re.compile(
    _NUMBER + r"(?:a ?b ?s ?t ?r ?a ?c ?t|summary|résumé|resumen|resumo|riassunto|zusammenfassung|"
    r"аннотация|реферат|摘要|摘 要|抄録|要旨|초록|الملخص|özet|streszczenie)[ \t]*(?:[:：.—–-]+[ \t]*|\n)",
    re.IGNORECASE | re.MULTILINE,
)
_END = re.compile(
    _NUMBER + r"(?:key ?words?|index terms|palabras[ -]clave|palavras[ -]chave|descriptores|mots[ -]cl[ée]s|"
    r"schl(?:ü|ue)sselw(?:ö|oe)rter|schlagw(?:ö|oe)rter|parole chiave|ключевые слова|关键词|關鍵詞|"
    r"キーワード|키워드|الكلمات المفتاحية|anahtar kelimeler|słowa kluczowe|introduction|introducción|"
    r"introdução|introduzione|einleitung|einführung|введение|引言|前言|緒言|はじめに|서론|مقدمة|giriş|wstęp)\b",
    re.IGNORECASE | re.MULTILINE,
)
_ABSTRACT_WITHIN = 12_000
_LONGEST_ABSTRACT = 6_000
_SHORTEST_ABSTRACT = 40
"""Characters: where an abstract begins at the latest, and how long it is."""


def cleaned(text: str) -> str:
    """Text as it is meant: no ligatures, shapes of letters, halves of characters and control characters."""
    text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    text = _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    return _FORMS.sub(lambda found: unicodedata.normalize("NFKC", found[0]), text)


def has_sense(text: str) -> bool:
    """Whether a page has text, and most of it is characters that mean something."""
    size = len("".join(text.split()))
    return size > 0 and 2 * sum(len(part) for part in _SENSELESS.findall(text)) < size


def read_sections(pages: Sequence[str]) -> tuple[tuple[Section, ...], tuple[Section, ...]]:
    """The abstract, where it is clear which it is, and the rest as one text."""
    text = _unhyphenated("\n".join(_without_edges(pages)))
    begin = _BEGIN.search(text, 0, _ABSTRACT_WITHIN)
    end = _END.search(text, begin.end(), begin.end() + _LONGEST_ABSTRACT) if begin else None
    if begin and end and end.start() - begin.end() >= _SHORTEST_ABSTRACT:
        abstract = unwrapped(text[begin.end() : end.start()])
        rest = f"{text[: begin.start()]}\n{text[end.start() :]}"
        return (Section(abstract),), _one(rest)
    return (), _one(text)


def _one(text: str) -> tuple[Section, ...]:
    text = unwrapped(text)
    return (Section(text),) if text else ()


def _without_edges(pages: Sequence[str]) -> Iterator[str]:
    """The pages without running headers and footers and page numbers."""
    lines = [[line for line in page.split("\n") if line.strip()] for page in pages]
    seen = Counter(key for page in lines for key in {_key(page[at]) for at in _edge(page)})
    least = max(_REPEATED, len(pages) / _REPEATED)
    for page in lines:
        dropped = {
            at for at in _edge(page) if seen[_key(page[at])] >= least or _PAGE.fullmatch(_key(page[at]))
        }
        yield "\n".join(line for at, line in enumerate(page) if at not in dropped)


def _edge(page: Sequence[str]) -> set[int]:
    """Numbers of the lines at the top and the bottom."""
    return {*range(min(_EDGE, len(page))), *range(max(0, len(page) - _EDGE), len(page))}


def _key(line: str) -> str:
    """A line without what differs from page to page."""
    return _DIGITS.sub("#", " ".join(line.split()).casefold())


def _unhyphenated(text: str) -> str:
    """Words that a line end divides in one; with the hyphen if they have it within a line too, or need it."""
    words = set(re.findall(r"\w+(?:[-\u2010]\w+)*", text))

    def join(found: re.Match[str]) -> str:
        first, hyphen, second = found.groups()
        if hyphen == "\u00ad":
            return first + second
        if second in _AND:
            return f"{first}{hyphen} {second}"
        keep = not (first[-1].isalpha() and second[0].islower())
        whole = f"{first}{hyphen}{second}"
        return whole if keep or (whole in words and first + second not in words) else first + second

    return _HYPHEN.sub(join, text).replace("\u00ad", "")
