"""The bytes of a file, plain or packed by gzip, xz or zstd; told by its content, not by its name."""

import gzip
import lzma
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Protocol, Self

import pyarrow as pa

from indexer.sources.archive import BOMB, File, is_bomb

CHUNK = 1 << 16
"""Bytes handed on at a time."""


class Faulty(Exception):
    """Reading stopped; `offset` is the byte of the unpacked text near which it did."""

    def __init__(self, reason: str, offset: int, packed_offset: int | None) -> None:
        super().__init__(reason)
        self.offset = offset
        self.packed_offset = packed_offset


class _Stream(Protocol):
    def read1(self, size: int, /) -> bytes: ...


def _zstd(raw: IO[bytes]) -> _Stream:
    return pa.CompressedInputStream(pa.PythonFile(raw, mode="r"), "zstd")  # type: ignore[no-any-return]


_PACKINGS: dict[str, tuple[bytes, Callable[[IO[bytes]], _Stream]]] = {
    "gzip": (b"\x1f\x8b", lambda raw: gzip.GzipFile(fileobj=raw)),
    "xz": (b"\xfd7zXZ\x00", lambda raw: lzma.LZMAFile(raw)),
    "zstd": (b"\x28\xb5\x2f\xfd", _zstd),
}
ENDINGS = ("", ".gz", ".xz", ".zst")
"""What these packings add to a name."""


class Unpacked:
    """The bytes of a file, chunk by chunk.

    offset: bytes delivered so far. A damaged or truncated file gives all that can be unpacked before it
    raises Faulty. Raises OSError if it cannot be read.
    """

    def __init__(self, file: File) -> None:
        self._raw = file.open("rb")
        start = self._raw.read(8)
        self._raw.seek(0)
        self._packing = next((name for name, (magic, _) in _PACKINGS.items() if start.startswith(magic)), "")
        self._stream: _Stream = _PACKINGS[self._packing][1](self._raw) if self._packing else self._raw  # type: ignore[assignment]
        self.offset = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._raw.close()

    def __iter__(self) -> Iterator[bytes]:
        while chunk := self._next():
            self.offset += len(chunk)
            if self._packing and is_bomb(self.offset, self._raw.tell()):
                raise Faulty(BOMB, self.offset, self.packed_offset)
            yield chunk

    def _next(self) -> bytes:
        try:
            # Not read, which would lose what it has already unpacked when it comes upon the fault.
            return self._stream.read1(CHUNK)
        except (EOFError, gzip.BadGzipFile, zipfile.BadZipFile, zlib.error, lzma.LZMAError) as error:
            reason = f"broken {self._packing or 'zip'}: {error}"
        except OSError as error:
            if self._packing != "zstd" or error.errno is not None:
                raise
            reason = f"broken zstd: {error}"
        raise Faulty(reason, self.offset, self.packed_offset)

    @property
    def packed_offset(self) -> int | None:
        """Bytes read of the compressed file, None for a plain one."""
        return self._raw.tell() if self._packing else None


@contextmanager
def seekable(file: File) -> Iterator[IO[bytes]]:
    """The bytes of a file, to be read in any order; unpacked to a nameless file first where that is needed.

    Raises Faulty if it is damaged as far as its packing goes, OSError if it cannot be read.
    """
    with Unpacked(file) as chunks:
        if isinstance(file, Path) and chunks.packed_offset is None:
            with file.open("rb") as opened:
                yield opened
            return
        with tempfile.TemporaryFile() as whole:
            for chunk in chunks:
                whole.write(chunk)
            whole.seek(0)
            yield whole
