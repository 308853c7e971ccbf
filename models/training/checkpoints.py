"""Checkpoints that are whole or not there: a folder counts only once its list of files has been written."""

import contextlib
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from models.errors import ModelError

FILES = "whole.json"
PREFIX = "checkpoint-"


def mark_whole(folder: Path) -> None:
    """Write every file of a checkpoint to the disk, then the list that says so."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    for path in paths:
        with path.open("rb") as file:
            os.fsync(file.fileno())
    sizes = {path.relative_to(folder).as_posix(): path.stat().st_size for path in paths}
    write_whole(folder / FILES, json.dumps(sizes, ensure_ascii=False))


def write_whole(path: Path, text: str) -> None:
    """Write a file that is there whole or not at all, whatever happens meanwhile."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    with draft.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def is_whole(folder: Path) -> bool:
    """Whether every file of the list is there with its size."""
    try:
        sizes = json.loads((folder / FILES).read_text(encoding="utf-8"))
        return all((folder / name).stat().st_size == size for name, size in sizes.items())
    except (OSError, ValueError, AttributeError):
        return False


def newest_whole(folder: Path) -> Path | None:
    """The checkpoint of the highest step that is whole; None if there is none."""
    return next((found for found in _newest_first(folder) if is_whole(found)), None)


def keep_newest(folder: Path, count: int) -> None:
    """Remove all checkpoints but the newest whole ones; those that are not whole go too."""
    whole = [found for found in _newest_first(folder) if is_whole(found)]
    for found in _newest_first(folder):
        if found not in whole[:count]:
            shutil.rmtree(found, ignore_errors=True)


def check_same_run(folder: Path, configuration: str) -> None:
    """Keep the configuration with the run; raise ModelError if the folder holds another run's."""
    path = folder / "configuration.json"
    if path.is_file() and path.read_text(encoding="utf-8") != configuration:
        raise ModelError(
            f"{folder} holds a run with another configuration: give `folder` another name, "
            "or remove it to begin anew"
        )
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(path, configuration)


@contextlib.contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Hold the folder for one run. Raises ModelError if another process trains in it."""
    from filelock import FileLock, Timeout

    folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / "run.lock")
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        raise ModelError(f"{folder} is trained in by another process: wait for it, or end it") from error
    try:
        yield
    finally:
        lock.release()


@contextlib.contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """Let the processes of a run prepare one after another: the first makes, the others find it made."""
    from filelock import FileLock

    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(folder / "preparing.lock"):
        yield


def _newest_first(folder: Path) -> list[Path]:
    numbered = [path for path in folder.glob(f"{PREFIX}*") if path.name.removeprefix(PREFIX).isdigit()]
    return sorted(numbered, key=lambda path: -int(path.name.removeprefix(PREFIX)))
