"""Files of records that are lines with a tag each, read record by record."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from indexer.citation import Citation
from indexer.sources.archive import File
from indexer.sources.errors import RecordFault, Remark, SetAside, SourceError, SourceItem
from indexer.sources.text import Encoding, find_encoding, read_lines
from indexer.sources.unpack import Faulty


@dataclass(frozen=True, slots=True)
class Form:
    """A format: the name of the source, how a record's first line begins, and what makes a citation of one.

    read: of a record's lines; raises RecordFault for one that makes no sense.
    """

    source: str
    begins: re.Pattern[str]
    read: Callable[[Sequence[str]], Citation]


class Fields(dict[str, list[str]]):
    """The values of a record by tag, in their order; every: all (tag, value), in the order of the record."""

    def __init__(self, every: Iterable[tuple[str, str]]) -> None:
        super().__init__()
        self.every = list(every)
        for tag, value in self.every:
            self.setdefault(tag, []).append(value)

    def one(self, *tags: str) -> str:
        """The first value of the first of the tags that has one, "" if none has."""
        return next((value for tag in tags for value in self.get(tag, ()) if value), "")


def unfolded(lines: Sequence[str], pattern: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """Every (tag, value); pattern: of a line that begins a field, with groups for both; others carry on."""
    tag, parts = "", list[str]()
    for line in lines:
        begun = pattern.fullmatch(line)
        if begun:
            if tag:
                yield tag, " ".join(parts)
            tag, parts = begun[1], [begun[2].strip()]
        elif line.strip():
            parts.append(line.strip())
    if tag:
        yield tag, " ".join(parts)


def read_tagged(file: File, encoding: Encoding | None, form: Form) -> Iterator[SourceItem]:
    """Every record of a file in its order: citations and records set aside, after a remark on the encoding.

    encoding: found if there is none. What stands before the first record is no record. Raises SourceError at
    a fault in the file, after all that stands before; the record that it cuts is set aside.
    """
    position, last_id, lines = 0, "", list[str]()
    try:
        encoding = encoding or find_encoding(file)
        if encoding.told:
            yield Remark(file, encoding.told)
        for line in read_lines(file, encoding):
            if form.begins.match(line):
                if lines:
                    position += 1
                    record = _read_record(file, position, lines, form)
                    last_id = record.id or last_id
                    yield record
                lines = [line]
            elif lines:
                lines.append(line)
        if lines:
            yield _read_record(file, position + 1, lines, form)
    except Faulty as fault:
        if lines:
            yield SetAside(file, position + 1, "", "the file breaks off in it", "\n".join(lines), form.source)
        raise SourceError(file, str(fault), fault.offset, fault.packed_offset, last_id) from None
    except OSError as error:
        raise SourceError(file, f"cannot be read: {error.strerror or error}", last_id=last_id) from None


def _read_record(file: File, position: int, lines: list[str], form: Form) -> Citation | SetAside:
    try:
        return form.read(lines)
    except RecordFault as fault:
        return SetAside(file, position, "", str(fault), "\n".join(lines), form.source)
