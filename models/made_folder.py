"""Model folders that are made once, from something smaller, and kept in the cache."""

import json
import logging
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from models.cache import cache_folder
from models.errors import ModelError

MANIFEST = "bioglot.json"
LOCK_SECONDS = 300.0
WORK_PREFIX = ".converting-"

logger = logging.getLogger(__name__)


def made_folder(name: str, origin: Callable[[], str], make: Callable[[Path], None]) -> Path:
    """The folder of that name in the cache, made at the first call.

    make writes every file into a folder that does not exist yet. origin: SHA-256 of what the folder is made
    from, its identity. Safe to call in several processes at once; a folder with missing or cut files is made
    again. Raises ModelError if it cannot be written.
    """
    folder = cache_folder() / name
    if is_whole(folder):
        return folder
    from filelock import FileLock, Timeout

    cache = folder.parent
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with FileLock(cache / "convert.lock", timeout=LOCK_SECONDS):
            if not is_whole(folder):
                _make(folder, origin, make)
    except Timeout as error:
        raise ModelError(
            f"another process has been making a model in {cache} for {LOCK_SECONDS:.0f} seconds: "
            "wait for it or end it, then try again"
        ) from error
    except OSError as error:
        raise ModelError(
            f"the model {name} cannot be written to {cache} ({error.strerror or error}): "
            "free 500 MB there or set BIOGLOT_CACHE to another folder"
        ) from error
    return folder


def is_whole(folder: Path) -> bool:
    """Whether every file that was written is there with its size."""
    try:
        files = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["files"]
        return all((folder / name).stat().st_size == size for name, size in files.items())
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False


def origin_digest(folder: Path) -> str | None:
    """SHA-256 of what the folder was made from; None if it is not such a folder.

    Not that of the weights written there, whose header may differ with the version of safetensors.
    """
    try:
        origin = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["origin_sha256"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return str(origin)


def _make(folder: Path, origin: Callable[[], str], make: Callable[[Path], None]) -> None:
    """Write beside the folder, then rename: a reader sees all of it or nothing."""
    logger.info("making a model once, in %s", folder)
    for left_over in folder.parent.glob(WORK_PREFIX + "*"):  # of a process that was killed
        shutil.rmtree(left_over, ignore_errors=True)
    work = Path(tempfile.mkdtemp(prefix=WORK_PREFIX, dir=folder.parent))
    try:
        made = work / "model"
        make(made)
        _write_manifest(made, origin())
        if folder.exists():
            folder.rename(work / "broken")
        made.rename(folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _write_manifest(folder: Path, origin: str) -> None:
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    files = {path.relative_to(folder).as_posix(): path.stat().st_size for path in paths}
    text = json.dumps({"origin_sha256": origin, "files": files}, ensure_ascii=False, indent=2)
    (folder / MANIFEST).write_text(text, encoding="utf-8")
    for path in [*paths, folder / MANIFEST]:
        with path.open("rb") as file:
            os.fsync(file.fileno())
