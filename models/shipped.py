"""Encoders that bioglot was given by training: what they differ in from their base comes with bioglot.

The base is had like any preset; both are merged once, in the cache.
"""

import hashlib
from pathlib import Path

from models.delta import DESCRIPTION, apply_delta
from models.errors import ModelError
from models.made_folder import made_folder

WEIGHTS = Path(__file__).parent / "weights"


def shipped_folder(name: str) -> Path:
    """Where the delta of that encoder is, with its model card and what was measured of it."""
    return WEIGHTS / name


def merged_folder(name: str, base: Path) -> Path:
    """A sentence-transformers folder of the encoder, made at the first call. Raises ModelError."""
    delta = shipped_folder(name)
    try:
        description = (delta / DESCRIPTION).read_bytes()
    except OSError as error:
        raise ModelError(
            f"{delta / DESCRIPTION} cannot be read ({error.strerror}): install it again"
        ) from error
    digest = hashlib.sha256(description).hexdigest()  # it holds those of the base and of the weights
    return made_folder(
        f"{name}-{digest[:12]}", lambda: digest, lambda folder: apply_delta(base, delta, folder)
    )
