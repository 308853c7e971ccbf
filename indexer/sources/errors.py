"""What a source reports when its input is not what it should be."""

from dataclasses import dataclass

from indexer.citation import Citation, Deletion
from indexer.sources.archive import File
from models.errors import BioglotError


class SourceError(BioglotError):
    """A file cannot be read, or not to its end; every record before the fault was delivered.

    offset: byte of the unpacked text near which reading stopped, None if nothing was read.
    packed_offset: how far into the compressed file that is, None for a plain file.
    last_id: the last record delivered, "" if none.
    """

    http_status = 422

    def __init__(
        self,
        file: File,
        reason: str,
        offset: int | None = None,
        packed_offset: int | None = None,
        last_id: str = "",
    ) -> None:
        self.file = file
        self.reason = reason
        self.offset = offset
        self.packed_offset = packed_offset
        self.last_id = last_id
        super().__init__(self._message())

    def _message(self) -> str:
        if self.offset is None:
            return f"{self.file}: {self.reason}"
        where = f"near byte {self.offset:,}"
        if self.packed_offset is not None:
            where += f" of the unpacked text (byte {self.packed_offset:,} of the compressed file)"
        last = f"the last record read is {self.last_id}" if self.last_id else "no record was read"
        return f"{self.file}: broken {where}: {self.reason}; {last}. Get the file again, or repair it."


class RecordFault(Exception):
    """A record without which the rest of the file makes sense; the message says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Remark:
    """What the user should know of a file that is read all the same, such as a guess at its encoding."""

    file: File
    text: str

    def __str__(self) -> str:
        return f"{self.file}: {self.text}"


@dataclass(frozen=True, slots=True)
class SetAside:
    """One record that makes no sense, kept out so that the rest of its file can be read.

    position: ordinal of the record in its file, from 1. id: as far as known, else "". raw: its own text.
    source: the name of its format.
    """

    file: File
    position: int
    id: str
    reason: str
    raw: str
    source: str

    def __str__(self) -> str:
        name = f" ({self.id})" if self.id else ""
        return f"{self.file}: record {self.position}{name} was set aside: {self.reason}"


SourceRecord = Citation | Deletion | SetAside
SourceItem = SourceRecord | Remark
