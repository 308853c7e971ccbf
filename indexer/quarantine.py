"""Records that could not be read, kept with the library until they can be: quarantine.jsonl.

A JSON object a line; what `raw` says may be mended by hand before it is read again.
"""

import datetime
import os
from collections.abc import Iterable
from pathlib import Path

import msgspec

from indexer.files import write_atomic
from indexer.sources.archive import Text
from indexer.sources.errors import SetAside

NAME = "quarantine.jsonl"


class Entry(msgspec.Struct, frozen=True):
    """One record. position: in its file, from 1. id: as far as known, else "". when: UTC, ISO 8601."""

    file: str
    position: int
    id: str
    source: str
    reason: str
    raw: str
    when: str

    @property
    def text(self) -> Text:
        """Itself as a file to be read."""
        return Text(self.file, self.raw)


class Quarantine:
    """The records set aside in a library; to be used by its one writer."""

    def __init__(self, library: Path) -> None:
        self.path = library / NAME
        self.entries = read_entries(library)
        self.faults = line_faults(library)
        self._unreadable = [line for line in lines(library) if not is_record(line)]
        self._tail = self.path.read_bytes().rpartition(b"\n")[2] if self.path.is_file() else b""
        self._held = {(entry.file, entry.raw) for entry in self.entries}

    def add(self, record: SetAside) -> None:
        """Keep a record unless it is kept already; it is on the disk when this returns."""
        entry = Entry(
            file=str(record.file),
            position=record.position,
            id=record.id,
            source=record.source,
            reason=record.reason,
            raw=record.raw,
            when=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        )
        if (entry.file, entry.raw) in self._held:
            return
        self.entries.append(entry)
        self._held.add((entry.file, entry.raw))
        if self._tail and not is_record(self._tail):
            os.truncate(self.path, self.path.stat().st_size - len(self._tail))
            self._tail = b""
        with self.path.open("ab") as file:
            file.write(b"\n" * bool(self._tail) + msgspec.json.encode(entry) + b"\n")
            file.flush()
            os.fsync(file.fileno())
        self._tail = b""

    def keep_only(self, entries: Iterable[Entry]) -> None:
        """Forget all others. A line that cannot be read stays: it may be one that is being mended by hand."""
        self.entries = list(entries)
        kept = [*self._unreadable, *map(msgspec.json.encode, self.entries)]
        if kept:
            write_atomic(self.path, b"".join(line + b"\n" for line in kept))
        else:
            self.path.unlink(missing_ok=True)


def read_entries(library: Path) -> list[Entry]:
    """What a library has set aside; lines that cannot be read are left out."""
    return [msgspec.json.decode(line, type=Entry) for line in lines(library) if is_record(line)]


def line_faults(library: Path) -> list[str]:
    """What is wrong with the lines of quarantine.jsonl."""
    return [
        f"{NAME}: line {number} is not a record: mend or delete it"
        for number, line in enumerate(lines(library), 1)
        if not is_record(line)
    ]


def lines(library: Path) -> list[bytes]:
    """The lines of quarantine.jsonl, without one that a killed process did not finish."""
    path = library / NAME
    *whole, tail = path.read_bytes().split(b"\n") if path.is_file() else [b""]
    return whole + [tail] * is_record(tail)


def is_record(line: bytes) -> bool:
    """Whether a line can be read."""
    try:
        msgspec.json.decode(line, type=Entry)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False
    return True
