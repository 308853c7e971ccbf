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
    """Turns a full or unwritable disk and damaged files into a LibraryError that names the library."""
    from pyarrow import ArrowInvalid

    try:
        yield
    except (OSError, RuntimeError, ArrowInvalid) as error:
        text = str(error)
        if reason := next((said for said in sorted(UNWRITABLE) if said in text), None):
            file = f" ({error.filename})" if isinstance(error, OSError) and error.filename else ""
            raise LibraryError(
                f"cannot write to library {library}: {reason}{file}. What was committed before is kept: "
                "make room, mend the disk or its permissions, and the same command carries on"
            ) from error
        if isinstance(error, ArrowInvalid) or "LanceError" in text:
            raise LibraryError(
                f"library {library} cannot be read ({first_line(error)}): `bioglot verify` names the file. "
                "`bioglot rebuild` makes anew what follows from the records; for the rest, restore a copy"
            ) from error
        raise


def first_line(error: BaseException) -> str:
    """The first line of an error's text, without the place in the source that Lance appends."""
    lines = str(error).strip().splitlines()
    return SOURCE_PLACE.sub("", lines[0]) if lines else type(error).__name__
