"""Pairs of texts to learn from, and the files that hold them: JSONL, TSV and TMX, also packed."""

import gzip
import logging
import lzma
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import IO, BinaryIO, TypeVar, cast

import msgspec
from lxml import etree

from models.errors import BioglotError, UsageError
from models.training.tags import is_english
from models.training.tmx import translation_units

LONGEST_LINE = 1 << 24
"""Bytes; a file with a longer line is none of pairs."""

LOOKED_AHEAD = 100
"""Rows from which the number of columns of a file without header is told."""

QUERY_NAMES = ("query", "anchor", "text")
PASSAGE_NAMES = ("passage", "positive", "english")
"""What sources call the two texts; anchor, positive and negative are sentence-transformers' names."""

Value = TypeVar("Value")

logger = logging.getLogger(__name__)


class PairFileError(BioglotError):
    """A file has no pairs, or cannot be read to its end."""

    http_status = 422


@dataclass(frozen=True, slots=True)
class Pair:
    """A text and another that should be near it; in parallel text the passage is the English twin.

    language: of the query, as the source writes it, "" if unknown. negatives: texts that should be far.
    """

    language: str
    query: str
    passage: str
    negatives: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class _Unusable:
    """Something that makes no pair; fatal: nothing can be read behind it."""

    line: int
    reason: str
    fatal: bool = False


_Row = Pair | _Unusable


def read_pairs(path: Path, language: str = "", limit: int | None = None) -> Iterator[Pair]:
    """The pairs of a file in its order, at most `limit`; its name tells the form.

    language: of pairs whose language the file does not name. What makes no pair is left out, and counted in
    one warning. Raises UsageError for a file of another form, PairFileError if nothing in it is a pair, and
    after the last whole row if the file ends early.
    """
    read = _reader(path)
    if not path.is_file():
        raise UsageError(f"{path}: no such file, expected pairs in one of {', '.join(READERS)}")
    return _usable(path, read(path), language, limit)


def _reader(path: Path) -> Callable[[Path], Iterator[_Row]]:
    suffixes = [suffix.lower() for suffix in path.suffixes if suffix.lower() not in PACKINGS]
    read = READERS.get(suffixes[-1] if suffixes else "")
    if read is None:
        raise UsageError(
            f"{path}: the name does not tell what form it has, expected one of {', '.join(READERS)}, "
            f"or with {' or '.join(PACKINGS)} behind it"
        )
    return read


def _usable(path: Path, rows: Iterator[_Row], language: str, limit: int | None) -> Iterator[Pair]:
    """The pairs among the rows; tells of the others at the end."""
    made = left_out = 0
    first: _Unusable | None = None
    while made != limit and (row := next(rows, None)) is not None:
        if isinstance(row, Pair):
            made += 1
            yield row if row.language else replace(row, language=language)
        elif row.fatal:
            raise PairFileError(
                f"{path}, line {row.line:,}: {row.reason}; the {made:,} pairs before it were read. "
                "Get the file again, or repair it."
            )
        else:
            left_out += 1
            first = first or row
    if first is not None:
        reason = f"the first is line {first.line:,}: {first.reason}"
        if not made:
            raise PairFileError(f"{path}: none of its {left_out:,} rows is a pair; {reason}")
        logger.warning("%s: %s rows left out, %s pairs read; %s", path, f"{left_out:,}", f"{made:,}", reason)
    elif not made and limit != 0:
        raise PairFileError(f"{path}: the file is empty, expected pairs")


def _pair(line: int, language: str, query: str, passage: str, negatives: Sequence[str] = ()) -> _Row:
    """A pair of stripped texts, unless one of the two is empty."""
    query, passage = query.strip(), passage.strip()
    if not query or not passage:
        return _Unusable(line, "an empty text")
    return Pair(language.strip(), query, passage, tuple(filter(None, map(str.strip, negatives))))


def _open(path: Path) -> BinaryIO:
    open_ = PACKINGS.get(path.suffix.lower())
    return cast("BinaryIO", open_(path, "rb") if open_ else path.open("rb"))


def _lines(path: Path) -> Iterator[_Line | _Unusable]:
    """The lines that are not blank, without their ends and without byte order mark."""
    number = 0
    try:
        with _open(path) as stream:
            while raw := stream.readline(LONGEST_LINE):
                number += 1
                if len(raw) == LONGEST_LINE:
                    yield _Unusable(number, f"longer than {LONGEST_LINE:,} bytes", fatal=True)
                    return
                try:
                    text = raw.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
                except UnicodeDecodeError as error:
                    yield _Unusable(number, f"not UTF-8: {error.reason} at byte {error.start + 1}")
                    continue
                if text.strip():
                    yield _Line(number, text)
    except DAMAGES as error:
        yield _Unusable(number + 1, f"the file is damaged ({error})", fatal=True)


@dataclass(frozen=True, slots=True)
class _Columns:
    """Where in a row of `width` columns what stands; `names` describes the row."""

    width: int
    query: int
    passage: int
    language: int | None = None
    negatives: tuple[int, ...] = ()
    names: str = ""


PARALLEL = _Columns(3, query=2, passage=1, language=0, names="language, English, text")
PLAIN = _Columns(2, query=0, passage=1, names="query, passage")


def _read_tsv(path: Path) -> Iterator[_Row]:
    """Rows of tab-separated columns; a quote is a quote."""
    lines = _lines(path)
    head = list(islice(lines, LOOKED_AHEAD))
    first = next((line for line in head if isinstance(line, _Line)), None)
    columns = _header(first.text) if first else None
    if columns is not None:
        head.remove(cast("_Line", first))
    else:
        columns = _columns([line for line in head if isinstance(line, _Line)])
    for line in chain(head, lines):
        yield line if isinstance(line, _Unusable) else _tsv_row(line, columns)


def _header(text: str) -> _Columns | None:
    """The columns that a header names; None if the line names no two texts and so is none."""
    names = [name.strip().lower() for name in text.split("\t")]
    places = {name: index for index, name in enumerate(names)}
    query, passage = _first(places, QUERY_NAMES), _first(places, PASSAGE_NAMES)
    if query is None or passage is None:
        return None
    negatives = tuple(index for index, name in enumerate(names) if name.startswith("negative"))
    return _Columns(len(names), query, passage, places.get("language"), negatives, ", ".join(names))


def _first(named: Mapping[str, Value], names: Sequence[str]) -> Value | None:
    return next((named[name] for name in names if name in named), None)


def _columns(lines: Sequence[_Line]) -> _Columns:
    """What most of the lines have, the first of equals."""
    widths = Counter(line.text.count("\t") + 1 for line in lines)
    return max((PARALLEL, PLAIN), key=lambda columns: widths[columns.width])


def _tsv_row(line: _Line, columns: _Columns) -> _Row:
    cells = line.text.split("\t")
    if len(cells) != columns.width:
        return _Unusable(line.number, f"{len(cells)} columns, expected {columns.width}: {columns.names}")
    language = "" if columns.language is None else cells[columns.language]
    negatives = [cells[index] for index in columns.negatives]
    return _pair(line.number, language, cells[columns.query], cells[columns.passage], negatives)


def _read_jsonl(path: Path) -> Iterator[_Row]:
    """Lines of one JSON object each."""
    for line in _lines(path):
        if isinstance(line, _Unusable):
            yield line
            continue
        try:
            row = msgspec.json.decode(line.text, type=dict[str, object])
        except (msgspec.DecodeError, RecursionError) as error:
            yield _Unusable(line.number, f"not a JSON object ({error})")
            continue
        yield from _json_rows(line.number, row)


def _json_rows(line: int, row: dict[str, object]) -> Iterator[_Row]:
    translations = row.get("translation")
    if isinstance(translations, dict):
        texts = [(language, text) for language, text in translations.items() if isinstance(text, str)]
        yield from _twins(line, texts)
        return
    strings = {name: value for name, value in row.items() if isinstance(value, str)}
    query, passage = _first(strings, QUERY_NAMES), _first(strings, PASSAGE_NAMES)
    if query is None or passage is None:
        expected = '{"query", "passage"}, {"anchor", "positive"} or {"translation": {"en", ...}}'
        yield _Unusable(line, f"texts {', '.join(strings) or 'missing'}, expected {expected}")
        return
    negatives = [
        text
        for name, value in row.items()
        if name.startswith("negative")
        for text in (value if isinstance(value, list) else [value])
        if isinstance(text, str)
    ]
    yield _pair(line, strings.get("language", ""), query, passage, negatives)


def _read_tmx(path: Path) -> Iterator[_Row]:
    """Translation units; one pair for every text that is not English."""
    line = 1
    try:
        with _open(path) as stream:
            for unit in translation_units(stream):
                line = unit.line
                if unit.problem:
                    yield _Unusable(line, unit.problem)
                else:
                    yield from _twins(line, unit.texts)
    except etree.XMLSyntaxError as error:
        yield _Unusable(error.position[0] or 1, f"the XML is broken ({error.msg})", fatal=True)
    except DAMAGES as error:
        yield _Unusable(line, f"the file is damaged behind this ({error})", fatal=True)


def _twins(line: int, texts: Sequence[tuple[str, str]]) -> Iterator[_Row]:
    """Each text in another language with the first English one."""
    english = next((text for language, text in texts if is_english(language)), None)
    others = [(language, text) for language, text in texts if not is_english(language)]
    if english is None or not others:
        found = ", ".join(language for language, _ in texts) or "no language"
        yield _Unusable(line, f"{found}, expected English and another language")
        return
    for language, text in others:
        yield _pair(line, language, text, english)


PACKINGS: dict[str, Callable[[Path, str], IO[bytes]]] = {
    ".xz": cast("Callable[[Path, str], IO[bytes]]", lzma.open),
    ".gz": cast("Callable[[Path, str], IO[bytes]]", gzip.open),
}
DAMAGES = (EOFError, OSError, lzma.LZMAError, zlib.error)

READERS: dict[str, Callable[[Path], Iterator[_Row]]] = {
    ".jsonl": _read_jsonl,
    ".json": _read_jsonl,
    ".tsv": _read_tsv,
    ".tmx": _read_tmx,
}
