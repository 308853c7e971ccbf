"""Every change that a job makes to a library, counted; at a chosen one the process kills itself.

Python tells an audit hook of each file that it opens to write, renames or deletes, before it does so. What
Lance and FAISS write, and what is flushed to the disk, is wrapped: a point before and a point after.
"""

import contextlib
import functools
import os
import signal
import sys
from pathlib import Path

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
EVENTS = ("os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.truncate", "shutil.rmtree")


class Points:
    """The points of one job on one library, in order."""

    def __init__(self, library: Path) -> None:
        self.library = str(library)
        self.seen: list[str] = []
        self.kill_at: int | None = None
        self.counting = False

    def install(self, kill_at: int | None) -> None:
        """Count from now on; a process that installed one ends with it."""
        self.kill_at, self.counting = kill_at, True
        sys.addaudithook(self._audit)
        for owner, name in native_writers():
            setattr(owner, name, self._wrapped(getattr(owner, name)))

    def stop(self) -> None:
        self.counting = False

    def _reach(self, point: str) -> None:
        if not self.counting:
            return
        if len(self.seen) == self.kill_at:
            os.kill(os.getpid(), signal.SIGKILL)
        self.seen.append(point)

    def _audit(self, event: str, arguments: tuple[object, ...]) -> None:
        if not self.counting or (event not in EVENTS and event != "open"):
            return
        path = arguments[0]
        if not isinstance(path, (str, Path)) or not str(path).startswith(self.library):
            return
        if event != "open":
            self._reach(f"before {event} {self._short(path)}")
        elif int(str(arguments[2])) & WRITES:
            self._reach(f"before open {self._short(path)}")

    def _short(self, path: object) -> str:
        return str(path).removeprefix(self.library).lstrip("/") or "the library"

    def _wrapped(self, function):
        @functools.wraps(function)
        def call(*arguments, **options):
            name = getattr(function, "__qualname__", function.__name__)
            if function.__name__ == "fsync":
                name += f" {self._short(opened(arguments[0]))}"
            self._reach(f"before {name}")
            result = function(*arguments, **options)
            self._reach(f"after {name}")
            return result

        return call


def opened(descriptor: int) -> str:
    """The path of an open file where the system tells it."""
    with contextlib.suppress(OSError):
        return str(Path(f"/proc/self/fd/{descriptor}").readlink())
    return ""


def native_writers() -> list[tuple[object, str]]:
    """What writes outside Python, and its owner."""
    import faiss
    import lance
    from lance.dataset import DatasetOptimizer, LanceDataset, MergeInsertBuilder, Tags

    names = {
        LanceDataset: (
            "add_columns",
            "cleanup_old_versions",
            "create_scalar_index",
            "delete",
            "drop_columns",
            "update",
        ),
        DatasetOptimizer: ("compact_files", "optimize_indices"),
        MergeInsertBuilder: ("execute",),
        Tags: ("create", "delete"),
        lance: ("write_dataset",),
        faiss: ("write_index",),
        os: ("fsync",),
    }
    return [(owner, name) for owner, listed in names.items() for name in listed]
