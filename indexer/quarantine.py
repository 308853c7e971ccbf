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
        self._torn = self.path.is_file() and not self.path.read_bytes().endswith(b"\n")
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
        with self.path.open("ab") as file:
            file.write(b"\n" * self._torn + msgspec.json.encode(entry) + b"\n")
            file.flush()
            os.fsync(file.fileno())
        self._torn = False

    def keep_only(self, entries: Iterable[Entry]) -> None:
        """Forget all others."""
        self.entries = list(entries)
        if self.entries:
            write_atomic(self.path, b"".join(msgspec.json.encode(entry) + b"\n" for entry in self.entries))
        else:
            self.path.unlink(missing_ok=True)


def read_entries(library: Path) -> list[Entry]:
    """What a library has set aside; a line that a killed process did not finish is left out."""
    path = library / NAME
    if not path.is_file():
        return []
    found = []
    for line in path.read_bytes().splitlines():
        try:
            found.append(msgspec.json.decode(line, type=Entry))
        except (msgspec.DecodeError, UnicodeDecodeError):
            continue
    return found
