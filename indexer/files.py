"""Files written whole or not at all, and their checksums."""

import hashlib
import os
from pathlib import Path

import msgspec


def write_atomic(path: Path, data: bytes) -> None:
    """Write to a temporary file beside path, flush it to the disk, then put it in place."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with temporary.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
    sync_folder(path.parent)


def write_json(path: Path, document: object) -> None:
    """Write a document as indented UTF-8 JSON, atomically."""
    write_atomic(path, msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n")


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
