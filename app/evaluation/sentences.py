"""Sentences in many languages with their English twins, read from tab-separated lines."""

import gzip
import lzma
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from models.errors import UsageError

ENGLISH = "eng_Latn"


@dataclass(frozen=True, slots=True)
class Sentences:
    """english: distinct sentences. twins: language to pairs of a text and the row of its twin in english."""

    name: str
    english: list[str]
    twins: dict[str, list[tuple[str, int]]]


def read_sentences(path: Path) -> Sentences:
    """Read lines of language, English, text; or of id, language, topic, text, with English as a language.

    Plain, .gz or .xz. Raises UsageError naming the line, or for a text without an English twin.
    """
    rows = list(_rows(path))
    if not rows:
        raise UsageError(f"{path}: no line in this file")
    triples = list(_from_ids(path, rows)) if len(rows[0]) == 4 else rows
    english = {text: row for row, text in enumerate(dict.fromkeys(source for _, source, _ in triples))}
    twins: dict[str, list[tuple[str, int]]] = {}
    for language, source, text in sorted(triples, key=lambda triple: triple[0]):
        twins.setdefault(language, []).append((text, english[source]))
    return Sentences(path.name.partition(".")[0], list(english), twins)


def _open_text(path: Path) -> TextIO:
    match path.suffix:
        case ".xz":
            return lzma.open(path, "rt", encoding="utf-8")
        case ".gz":
            return gzip.open(path, "rt", encoding="utf-8")
    return path.open(encoding="utf-8")


def _rows(path: Path) -> Iterator[list[str]]:
    """The fields of every line: three or four, as many as in the first."""
    width = None
    try:
        with _open_text(path) as file:
            for number, line in enumerate(file, 1):
                fields = line.rstrip("\r\n").split("\t")
                width = width or len(fields)
                if len(fields) != width or width not in (3, 4) or not all(map(str.strip, fields)):
                    raise UsageError(
                        f"{path}, line {number}: expected language, English and text, or id, language, topic "
                        f"and text, separated by tabs, none empty; there are {len(fields)} fields"
                    )
                yield fields
    except (UnicodeDecodeError, lzma.LZMAError, gzip.BadGzipFile, EOFError) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from None


def _from_ids(path: Path, rows: Iterable[list[str]]) -> Iterator[list[str]]:
    """Language, English and text from rows in which an id ties a text to its twin."""
    english = {id: text for id, language, _, text in rows if language == ENGLISH}
    for id, language, _, text in rows:
        if id not in english:
            raise UsageError(f"{path}: sentence {id!r} of {language} has no twin in {ENGLISH}")
        if language != ENGLISH:
            yield [language, english[id], text]
