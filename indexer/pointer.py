"""library.json, which names the published set, and reembedding.json, which names what is to follow it."""

import hashlib
from pathlib import Path

import msgspec

from indexer.errors import LibraryError

POINTER = "library.json"

PASSAGES = "passages.lance"
"""The table of passages of a library that never changed its encoder."""


REEMBEDDING = "reembedding.json"
"""There while a library is embedded again for another encoder."""


class PublishedSet(msgspec.Struct, frozen=True):
    """The content of library.json; file names are relative to the library's folder.

    manifest_sha256 seals the manifest, which in turn has the SHA-256 of every file of the set. table: that of
    the passages; a library that was embedded again has another one. seal: that of the rest, see `sealed`.
    """

    format: int
    number: int
    tag: str
    created: str
    citations: int
    passages: int
    model: str
    fingerprint: str
    dimensions: int
    passages_version: int
    analysis_version: int
    folder: str
    base: str
    manifest: str
    manifest_sha256: str
    table: str = PASSAGES
    seal: str = ""


class Reembedding(msgspec.Struct, frozen=True):
    """The content of reembedding.json: the table of passages that is being made, and its encoder."""

    table: str
    model: str


def sealed(pointer: PublishedSet) -> PublishedSet:
    """The pointer with the SHA-256 of all that it says."""
    rest = msgspec.json.encode(msgspec.structs.replace(pointer, seal=""))
    return msgspec.structs.replace(pointer, seal=hashlib.sha256(rest).hexdigest())


def read_pointer(path: Path) -> PublishedSet | None:
    """The published set that library.json names; None before the first publication."""
    file = path / POINTER
    if not file.exists():
        return None
    try:
        return msgspec.json.decode(file.read_bytes(), type=PublishedSet)
    except msgspec.DecodeError as error:
        raise LibraryError(f"{file} is damaged ({error}): run `bioglot rebuild --library {path}`") from None


def unfinished(path: Path, table: str) -> Reembedding | None:
    """The re-embedding that was begun and not published; table: that of the published set."""
    file = path / REEMBEDDING
    if not file.exists():
        return None
    try:
        begun = msgspec.json.decode(file.read_bytes(), type=Reembedding)
    except msgspec.DecodeError as error:
        raise LibraryError(f"{file} is damaged ({error}): delete it") from None
    return None if begun.table == table else begun
