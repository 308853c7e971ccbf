"""Folders that do not outlive their use, even if the process that made them is killed."""

import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout


@contextmanager
def temporary_folder(parent: Path) -> Iterator[Path]:
    """A new folder under parent, removed at the end; those of killed processes are removed at the start."""
    parent.mkdir(parents=True, exist_ok=True)
    for left in parent.glob("*.lock"):
        _remove_unless_locked(left)
    folder = parent / uuid.uuid4().hex
    # Who can take the lock knows that its holder is gone, so it is held for as long as the folder is there.
    with FileLock(folder.with_suffix(".lock")) as lock:
        try:
            folder.mkdir()
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            Path(lock.lock_file).unlink(missing_ok=True)


def _remove_unless_locked(path: Path) -> None:
    try:
        with FileLock(path, timeout=0):
            shutil.rmtree(path.with_suffix(""), ignore_errors=True)
            path.unlink(missing_ok=True)
    except Timeout:
        return
