"""Encoders that bioglot was given by training: what they differ in from their base comes with bioglot.

The base is had like any preset; both are merged once, in the cache.
"""

import hashlib
from pathlib import Path

from models.delta import DESCRIPTION, apply_delta
from models.made_folder import made_folder

WEIGHTS = Path(__file__).parent / "weights"


def shipped_folder(name: str) -> Path:
    """Where the delta of that encoder is, with its model card and what was measured of it."""
    return WEIGHTS / name


def merged_folder(name: str, base: Path) -> Path:
    """A sentence-transformers folder of the encoder, made at the first call. Raises ModelError."""
    delta = shipped_folder(name)
    digest = hashlib.sha256(
        (delta / DESCRIPTION).read_bytes()
    ).hexdigest()  # it has those of base and weights
    return made_folder(
        f"{name}-{digest[:12]}", lambda: digest, lambda folder: apply_delta(base, delta, folder)
    )
