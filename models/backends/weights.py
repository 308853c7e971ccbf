"""The identity of a model's weights."""

import hashlib
from pathlib import Path

from models.made_folder import origin_digest

SHA256_DIGITS = 64


def weights_digest(folder: Path) -> str:
    """SHA-256 over the weights of the transformer and of the modules after it.

    A converted default model answers with the digest of what it was made from.
    """
    if origin := origin_digest(folder):
        return origin
    digest = hashlib.sha256()
    for path in weight_files(folder):
        digest.update(f"{path.relative_to(folder).as_posix()} {file_digest(path)}\n".encode())
    return digest.hexdigest()


def weight_files(folder: Path) -> list[Path]:
    """Weight files of the folder and of its module folders ("1_Pooling" …), sorted; safetensors if any."""
    for pattern in ("*.safetensors", "pytorch_model*.bin"):
        if files := sorted([*folder.glob(pattern), *folder.glob(f"[0-9]_*/{pattern}")]):
            return files
    return []


def file_digest(path: Path) -> str:
    """SHA-256 of a file. The hub's cache names large files by it, which saves reading gigabytes."""
    target = path.resolve()
    if target.parent.name == "blobs" and len(target.name) == SHA256_DIGITS:
        return target.name
    with target.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
