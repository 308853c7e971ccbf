"""Files as people bring them: by themselves, or in a zip archive."""

import io
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal

MOST_TIMES = 250
"""So many times its size a file may unpack to; records pack to a tenth, seldom to a fiftieth."""
FREE = 1 << 28
"""Bytes up to which it may be more than that."""
BOMB = f"expected at most {MOST_TIMES} times its packed size: unpack it yourself if that is meant"
_MAGIC = b"PK\x03\x04"


def is_bomb(unpacked: int, packed: int) -> bool:
    """Whether so many bytes out of so many are more than records can be."""
    return unpacked > FREE and unpacked > MOST_TIMES * packed


@dataclass(frozen=True, slots=True)
class Member:
    """One file in a zip archive; it is read where it lies and never written under its name.

    number: its place in the archive, since two may have one name.
    """

    archive: Path
    member: str
    number: int

    @property
    def name(self) -> str:
        """The last part of its name, as a path has it."""
        return self.member.rpartition("/")[2]

    def open(self, mode: Literal["rb"]) -> IO[bytes]:
        """Raises OSError if it is encrypted, packed in a way unknown here, or a bomb."""
        try:
            with zipfile.ZipFile(self.archive) as archive:
                entry = archive.infolist()[self.number]
                if is_bomb(entry.file_size, entry.compress_size):
                    raise OSError(f"it would unpack to {entry.file_size:,} bytes; {BOMB}")
                return archive.open(entry)
        except (zipfile.BadZipFile, IndexError, RuntimeError, NotImplementedError) as error:
            raise OSError(f"broken or locked zip: {error}") from None

    def __str__(self) -> str:
        return f"{self.archive}/{self.member}"


@dataclass(frozen=True, slots=True)
class Text:
    """A text as a file to be read. name: what it is called in messages."""

    name: str
    text: str

    def open(self, mode: Literal["rb"]) -> IO[bytes]:
        return io.BytesIO(self.text.encode())

    def __str__(self) -> str:
        return self.name


File = Path | Member | Text
"""What can be opened and read."""


def is_archive(file: File) -> bool:
    """Whether a file is a zip archive. Raises OSError if it cannot be read."""
    with file.open("rb") as opened:
        return opened.read(len(_MAGIC)) == _MAGIC


def members(path: Path) -> list[Member]:
    """The files in a zip archive in its order, hidden ones left out. Raises OSError if it is broken."""
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
    except zipfile.BadZipFile as error:
        raise OSError(f"broken zip: {error}") from None
    found = (Member(path, entry.filename, number) for number, entry in enumerate(entries))
    return [
        member
        for member in found
        if member.name and not member.name.startswith(".") and not member.member.startswith("__MACOSX/")
    ]
