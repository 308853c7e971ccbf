"""JSON files of records: one a line, a list of them, or the answer of an interface with a list in it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import TypeVar

import msgspec

from indexer.citation import Citation
from indexer.sources.archive import File
from indexer.sources.errors import RecordFault, Remark, SetAside, SourceError, SourceItem
from indexer.sources.text import Encoding, find_encoding, read_lines
from indexer.sources.unpack import Faulty

Value = TypeVar("Value")

FAULTS = (msgspec.DecodeError, RecursionError)
"""What decoding raises: the latter for a document nested as deep as no record is."""

WHOLE = 1 << 29
"""Characters of a document that is not one record a line, and so is held in memory."""


@dataclass(frozen=True, slots=True)
class JsonForm:
    """A format: the source's name, where in a document its list of records is, and what makes a citation.

    read: of a record's JSON; raises RecordFault, or msgspec's errors, for one that makes no sense.
    """

    source: str
    path: tuple[str, ...]
    read: Callable[[bytes | str], Citation]


def read_json(file: File, encoding: Encoding | None, form: JsonForm) -> Iterator[SourceItem]:
    """Every record of a file in its order, after a remark on the encoding; one that is none is set aside.

    Raises SourceError at a fault in the file, after all that stands before.
    """
    position, last_id = 0, ""
    try:
        encoding = encoding or find_encoding(file)
        if encoding.told:
            yield Remark(file, encoding.told)
        for text in _documents(read_lines(file, encoding)):
            for raw in _records(text, form.path):
                position += 1
                record = _read(raw, file, position, form)
                last_id = record.id or last_id
                yield record
    except Faulty as fault:
        raise SourceError(file, str(fault), fault.offset, fault.packed_offset, last_id) from None
    except OSError as error:
        raise SourceError(file, f"cannot be read: {error.strerror or error}", last_id=last_id) from None


def decoded(raw: bytes | str, kind: type[Value]) -> Value:
    """The JSON as a struct; members that are null count as left out. Raises msgspec.DecodeError."""
    try:
        return msgspec.json.decode(raw, type=kind)
    except msgspec.ValidationError:
        return msgspec.convert(without_nulls(msgspec.json.decode(raw)), kind, strict=False)


def without_nulls(value: object) -> object:
    """A document without what is null in it, at any depth."""
    match value:
        case dict():
            return {name: without_nulls(item) for name, item in value.items() if item is not None}
        case list():
            return [without_nulls(item) for item in value if item is not None]
    return value


def _documents(lines: Iterator[str]) -> Iterator[str]:
    """The lines, if the first with anything in it is JSON by itself, or the second where it is broken.

    Else the whole.
    """
    first = next((line for line in lines if line.strip()), "")
    second = next((line for line in lines if line.strip()), "")
    broken = first.lstrip().startswith("{") and second.lstrip().startswith("{")
    if _is_json(first) or (broken and _is_json(second)):
        yield first
        yield from (line for line in chain([second], lines) if line.strip())
        return
    parts, size = [first], len(first)
    for line in chain([second], lines):
        parts.append(line)
        size += len(line)
        if size > WHOLE:
            raise Faulty(
                f"a document of more than {WHOLE:,} characters, expected one record a line", size, None
            )
    if size:
        yield "\n".join(parts)


def _is_json(text: str) -> bool:
    try:
        msgspec.json.decode(text, type=msgspec.Raw)
    except FAULTS:
        return False
    return True


def _records(text: str, path: tuple[str, ...]) -> Iterator[bytes | str]:
    """The records of a document: those of the list at the path, of a list, or the document itself.

    A name of the path that is not there is passed over.
    """
    found: bytes | str = text
    for name in path:
        try:
            members = msgspec.json.decode(found, type=dict[str, msgspec.Raw] | list[msgspec.Raw])
        except FAULTS:
            break
        if isinstance(members, list):  # Of one answer of BVS, who lists its servers' answers.
            members = _only(members) if found is not text else {}
        if name in members:
            found = bytes(members[name])
    try:
        items = msgspec.json.decode(found, type=list[msgspec.Raw])
    except FAULTS:
        yield text
    else:
        yield from map(bytes, items)


def _only(items: list[msgspec.Raw]) -> dict[str, msgspec.Raw]:
    try:
        return msgspec.json.decode(items[0], type=dict[str, msgspec.Raw]) if items else {}
    except FAULTS:
        return {}


def _read(raw: bytes | str, file: File, position: int, form: JsonForm) -> Citation | SetAside:
    try:
        return form.read(raw)
    except (*FAULTS, RecordFault, UnicodeEncodeError) as error:
        text = raw if isinstance(raw, str) else raw.decode("utf-8", "replace")
        return SetAside(file, position, "", str(error), text, form.source)
