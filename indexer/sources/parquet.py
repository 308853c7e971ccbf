"""Parquet: citations with the fields of `indexer.citation.Citation`, or any table with headings.

The format: parquet.apache.org, as pandas, polars, Spark and Hugging Face's datasets write it. Columns beyond
those that are understood, such as vectors, are not read.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from itertools import chain
from typing import IO, get_args, get_type_hints

import msgspec
import pyarrow as pa

from indexer.citation import Citation
from indexer.sources.archive import BOMB, File, is_bomb
from indexer.sources.columns import HEADINGS, find_columns, without_title
from indexer.sources.errors import RecordFault, SetAside, SourceError, SourceItem
from indexer.sources.json_file import FAULTS, without_nulls
from indexer.sources.jsonl import read_record
from indexer.sources.names import read_name_as_said
from indexer.sources.table import csv_line, read_row
from indexer.sources.text import Encoding
from indexer.sources.unpack import Faulty, seekable

MAGIC = (b"PAR1", b"PARE")
"""How a file begins; the latter if it is encrypted."""
ROWS = 128
"""Rows held at a time."""
_DAMAGED = (pa.ArrowException, ValueError, OverflowError)
_BROKEN = (*_DAMAGED, OSError, MemoryError, KeyError, TypeError, IndexError, RuntimeError)
"""What pyarrow raises for a value, and for a file, that is not what it should be."""
_RUNNING = ("title", "vernacular_title", "abstract", "note")
"""Fields of which a list is one text in parts."""

Row = Mapping[str, object]


class _Unreadable(str):
    """What is left of a text that is not UTF-8."""


def read_parquet(
    file: File, _: Encoding | None = None, chosen: Mapping[str, str] | None = None
) -> Iterator[SourceItem]:
    """Every row as a citation; one that makes no sense is set aside.

    chosen: headings of columns by field, for those that are not told by them. Raises SourceError if no
    column is that of a title, or at a fault in the file, after all that stands before.
    """
    position, last_id = 0, ""
    try:
        with seekable(file) as opened:
            for at, record in _records(file, opened, chosen or {}):
                position, last_id = at, record.id or last_id
                yield record
    except Faulty as fault:
        raise SourceError(file, str(fault), fault.offset, fault.packed_offset) from None
    except _BROKEN as error:
        where = f"broken Parquet after row {position:,}" if position else "cannot be read as Parquet"
        raise SourceError(file, f"{where}: {_said(error)}", last_id=last_id) from None


def _records(
    file: File, opened: IO[bytes], chosen: Mapping[str, str]
) -> Iterator[tuple[int, Citation | SetAside]]:
    """The records with their positions; a row that says nothing at all is passed over."""
    from pyarrow.parquet import ParquetFile

    # With a buffer, pages are read as they are needed, not a whole column of a row group.
    parquet = ParquetFile(opened, buffer_size=1 << 16, page_checksum_verification=True)
    schema = parquet.schema_arrow
    own = not chosen and _is_own(schema)
    names = schema.names if own else schema.empty_table().flatten().column_names
    columns = {} if own else find_columns(names, chosen)
    if not own and "title" not in columns:
        raise SourceError(file, without_title(names))
    wanted = [name for name in names if name in _KINDS] if own else [names[at] for at in columns.values()]
    _refuse_bomb(parquet.metadata, opened.seek(0, 2))
    # Group by group, so that no batch spans a sound one and a damaged one.
    groups = ([number] for number in range(parquet.num_row_groups))
    batches = (batch for group in groups for batch in parquet.iter_batches(ROWS, group, wanted, False))
    for position, row in enumerate(chain.from_iterable(_rows(batch, not own) for batch in batches), 1):
        if any(value not in (None, "", []) for value in row.values()):
            fields = row if own else {field: row[names[at]] for field, at in columns.items()}
            yield position, (_own if own else _flat)(fields, file, position)


def _refuse_bomb(metadata: "pa.parquet.FileMetaData", packed: int) -> None:
    """Raises OSError for more bytes than records can be, going by row groups.

    What pyarrow says of a damaged column ends the whole process.
    """
    size = sum(metadata.row_group(number).total_byte_size for number in range(metadata.num_row_groups))
    if is_bomb(size, packed):
        raise OSError(f"it would unpack to {size:,} bytes; {BOMB}")


def _rows(batch: pa.RecordBatch, flat: bool) -> Iterator[Row]:
    """The rows of a batch by name of column; if flat, members of structs are columns: "journal.name"."""
    table = pa.Table.from_batches([batch])
    table = table.flatten() if flat else table
    columns = [_values(column) for column in table.columns]
    for values in zip(*columns, strict=True):
        # Of columns with one name the first counts, as in other tables.
        yield dict(reversed(list(zip(table.column_names, values, strict=True))))


def _values(column: pa.ChunkedArray) -> Sequence[object]:
    if pa.types.is_timestamp(column.type):
        column = column.cast(pa.timestamp("s"), safe=False)
    if pa.types.is_timestamp(column.type) or pa.types.is_date(column.type):
        column = column.cast(pa.string())  # Python has no year beyond 9999.
    try:
        return column.to_pylist()  # type: ignore[no-any-return]
    except _DAMAGED:
        return [_value(scalar) for scalar in column]


def _value(scalar: pa.Scalar) -> object:
    try:
        return scalar.as_py()
    except _DAMAGED as error:
        if isinstance(scalar, pa.StringScalar | pa.LargeStringScalar):
            return _Unreadable(scalar.as_buffer().to_pybytes().decode("utf-8", "replace"))
        return _Unreadable(f"({_said(error)})")


def _own(row: Row, file: File, position: int) -> Citation | SetAside:
    """The citation of a row with its fields; what is set aside is a line of source "jsonl"."""
    content = without_nulls(_plain({"source": "parquet", **row}))
    raw = msgspec.json.encode(content, enc_hook=str).decode()
    try:
        if reason := _unreadable(row):
            raise RecordFault(reason)
        return read_record(raw)
    except (*FAULTS, RecordFault) as error:
        return SetAside(file, position, "", str(error), raw, "jsonl")


def _plain(value: object) -> object:
    """What JSON can hold of a value."""
    match value:
        case dict():
            return {str(name): _plain(item) for name, item in value.items()}
        case list():
            return [_plain(item) for item in value]
        case bytes():
            return value.decode("utf-8", "replace")
        case float() if math.isnan(value):
            return None
        case float() if value.is_integer():
            return int(value)  # What pandas makes of a column of numbers that has gaps.
    return value


def _flat(row: Row, file: File, position: int) -> Citation | SetAside:
    """The citation of a row of texts by field; what is set aside is a table of source "table"."""
    texts = [_cell(field, value) for field, value in row.items()]
    headings = [HEADINGS[field][0] for field in row]
    if reason := _unreadable(row):
        return SetAside(file, position, "", reason, "".join(map(csv_line, (headings, texts))), "table")
    record = read_row(headings, texts, {field: at for at, field in enumerate(row)}, file, position)
    return replace(record, source="parquet") if isinstance(record, Citation) else record


def _cell(field: str, value: object) -> str:
    """A value as one text, the parts of a list apart by semicolons as far as they are not one text."""
    match value := _plain(value):
        case None:
            return ""
        case list():
            mark = " " if field in _RUNNING else "; "
            texts = [_cell(field, _named(item)) for item in value]
            if field in ("authors", "full_names"):
                texts = [_last_name_first(text) for text in texts]
            return mark.join(filter(None, texts))
        case dict():
            return _cell(field, _named(value))
    return str(value).removesuffix(" 00:00:00").strip()


def _named(item: object) -> object:
    """Of a structure what it is called: {"name": ...}, {"family": ..., "given": ...}."""
    if not isinstance(item, dict):
        return item
    if name := item.get("name") or item.get("full_name"):
        return name
    last = item.get("family") or item.get("last_name") or item.get("last")
    first = item.get("given") or item.get("first_name") or item.get("fore_name") or item.get("first")
    return ", ".join(str(part) for part in (last, first) if part)


def _last_name_first(text: str) -> str:
    person = read_name_as_said(text)
    parts = (person.last_name, person.fore_name, person.suffix)
    return ", ".join(filter(None, parts)) or text


def _unreadable(row: Row) -> str:
    """What is wrong with the values of a row, "" if nothing is."""
    names = [name for name, value in row.items() if isinstance(value, _Unreadable)]
    return f"{', '.join(names)}: no text in UTF-8" if names else ""


def _said(error: BaseException) -> str:
    return next(iter(str(error).splitlines()), "") or type(error).__name__


@dataclass(frozen=True, slots=True)
class _Kind:
    """What a field of a citation is: a text or not, or a structure with such members."""

    text: bool
    members: frozenset[str]


def _kind(hint: object) -> _Kind:
    inner = (part for part in (hint, *get_args(hint)) if isinstance(part, type) and is_dataclass(part))
    return _Kind(hint is str, frozenset(field.name for part in inner for field in fields(part)))


_KINDS = {name: _kind(hint) for name, hint in get_type_hints(Citation).items()}


def _is_own(schema: pa.Schema) -> bool:
    """Whether columns are a citation's fields: none that contradicts, and a structure or no others."""
    known = [column for column in schema if column.name in _KINDS]
    structures = any(_members(column.type) for column in known)
    return all(map(_agrees, known)) and (structures or len(known) == len(schema) > 0)


def _agrees(column: pa.Field) -> bool:
    kind, type = _KINDS[column.name], _inner(column.type)
    text = _is_text(column.type)
    if pa.types.is_null(type) or (column.name == "abstract" and text):
        return True
    if kind.members:
        return bool(members := _members(type)) and members <= kind.members
    return text == kind.text


def _is_text(type: pa.DataType) -> bool:
    if pa.types.is_dictionary(type):
        type = type.value_type
    return type in (pa.string(), pa.large_string(), pa.string_view())


def _members(type: pa.DataType) -> frozenset[str]:
    """Names of the members of a structure, or of the structures in a list."""
    inner = _inner(type)
    return frozenset(field.name for field in inner) if pa.types.is_struct(inner) else frozenset()


def _inner(type: pa.DataType) -> pa.DataType:
    """What is in the lists."""
    while pa.types.is_list(type) or pa.types.is_large_list(type):
        type = type.value_type
    return type
