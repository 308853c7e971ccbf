"""What the disk, Lance and FAISS say when a library cannot be written or read, in words that help."""

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from indexer.errors import LibraryError

SOURCE_PLACE = re.compile(r",? /\S+\.rs:\d+:\d+.*")
UNWRITABLE = {
    os.strerror(number)
    for number in (
        errno.ENOSPC,
        errno.EDQUOT,
        errno.EFBIG,
        errno.EIO,
        errno.EROFS,
        errno.EACCES,
        errno.EPERM,
    )
}
"""What the system says when a file cannot be written; Lance and FAISS pass it on in their messages."""


@contextmanager
def disk_faults(library: Path) -> Iterator[None]:
    """Turns a disk that cannot be written to, and damaged files, into a LibraryError; for those who write."""
    from pyarrow import ArrowInvalid

    try:
        yield
    except (OSError, RuntimeError, ArrowInvalid) as error:
        if reason := next((said for said in sorted(UNWRITABLE) if said in str(error)), None):
            file = f" ({error.filename})" if isinstance(error, OSError) and error.filename else ""
            raise LibraryError(
                f"cannot write to library {library}: {reason}{file}. What was committed before is kept: "
                "make room, mend the disk or its permissions, and the same command carries on"
            ) from error
        tell_damage(library, error)
        raise


@contextmanager
def damage(library: Path) -> Iterator[None]:
    """Turns what is said of lost and damaged files into a LibraryError; for those who read."""
    from pyarrow import ArrowInvalid

    try:
        yield
    except (OSError, RuntimeError, ArrowInvalid) as error:
        tell_damage(library, error)
        raise


def tell_damage(library: Path, error: Exception) -> None:
    """Raise LibraryError if the error is about a file of the library."""
    from pyarrow import ArrowInvalid

    lost = isinstance(error, FileNotFoundError) and str(library) in str(error.filename)
    if (
        lost
        or isinstance(error, ArrowInvalid)
        or any(mark in str(error) for mark in ("LanceError", ".lance/"))
    ):
        raise LibraryError(
            f"library {library} cannot be read ({first_line(error)}): `bioglot verify` names the file. "
            "`bioglot rebuild` makes anew what follows from the records; for the rest, restore a copy"
        ) from error


def first_line(error: BaseException) -> str:
    """The first line of an error's text, without the place in the source that Lance appends."""
    lines = str(error).strip().splitlines()
    return SOURCE_PLACE.sub("", lines[0]) if lines else type(error).__name__
