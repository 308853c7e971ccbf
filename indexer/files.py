"""Files written whole or not at all, and their checksums."""

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import msgspec


@contextmanager
def writing_atomic(path: Path) -> Iterator[IO[bytes]]:
    """A file to write to beside path, which is put in its place at the end, unless something is raised."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def write_atomic(path: Path, data: bytes) -> None:
    """Write a whole file: it is there, flushed to the disk, or what was there before."""
    with writing_atomic(path) as file:
        file.write(data)


def write_json(path: Path, document: object) -> None:
    """Write a document as indented UTF-8 JSON, atomically."""
    write_atomic(path, json_bytes(document))


def json_bytes(document: object) -> bytes:
    """What `write_json` writes."""
    return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"


def sync_folder(path: Path) -> None:
    """Flush a folder's entries to the disk, so that a rename in it survives a power cut."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sha256(path: Path) -> str:
    """Hexadecimal SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
