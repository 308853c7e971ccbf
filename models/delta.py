"""A trained model as what it differs in from the model that training began with: small enough to ship.

Matrices are kept as 8-bit differences with a scale for each row, everything else as 32-bit differences. Of
the word vectors, most of the model, new ones are kept in 8 bits and differences in 4, where they are more
than a little. Files of a delta: delta.safetensors and delta.json.
"""

import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from models.errors import ModelError

TENSORS, DESCRIPTION = "delta.safetensors", "delta.json"
MODEL, TOKENIZER = "model.safetensors", "tokenizer.json"
MADE_ANEW = ("bioglot.json", "README.md", MODEL, TOKENIZER)
WORDS = "word_embeddings.weight"
LEVELS, FEW_LEVELS = 127, 7
"""Largest number in 8 and in 4 bits."""
LITTLE = 0.03
"""A word vector that moved by no more than this share of its length counts as unchanged."""

Rows = NDArray[np.float32]
Tensors = dict[str, NDArray[Any]]


class Description(msgspec.Struct, frozen=True):
    """What delta.json says. pieces: new ones of the tokenizer, with their scores."""

    base_sha256: str
    sha256: str
    pieces: list[tuple[str, float]]


def write_delta(base: Path, trained: Path, target: Path) -> None:
    """Write what a trained folder differs in from its base; both are sentence-transformers folders.

    Raises ModelError if they are not of one architecture.
    """
    from safetensors.numpy import load_file, save_file

    old, new = load_file(base / MODEL), load_file(trained / MODEL)
    if old.keys() != new.keys():
        odd = sorted(old.keys() ^ new.keys())
        raise ModelError(f"{trained} was not trained from {base}: only one of them has {odd[0]}")
    target.mkdir(parents=True, exist_ok=True)
    kept = dict(_differences(old, new))
    save_file(kept, target / TENSORS)
    description = Description(
        base_sha256=tensors_digest(base),
        sha256=_digest(target / TENSORS),
        pieces=_new_pieces(base, trained),
    )
    (target / DESCRIPTION).write_bytes(msgspec.json.encode(description))


def apply_delta(base: Path, delta: Path, target: Path) -> None:
    """Write the trained model into a new folder.

    Raises ModelError if the base is another one or the delta is damaged.
    """
    from safetensors.numpy import load_file, save_file

    try:
        description = msgspec.json.decode((delta / DESCRIPTION).read_bytes(), type=Description)
    except msgspec.MsgspecError as error:
        raise ModelError(f"{delta / DESCRIPTION} is damaged: {error}") from error
    if description.sha256 != _digest(delta / TENSORS):
        raise ModelError(f"{delta / TENSORS} is damaged: it is not the file that {DESCRIPTION} tells of")
    if description.base_sha256 != tensors_digest(base):
        raise ModelError(f"{delta} was made for another model than {base}: its model card names the one")
    weights = load_file(base / MODEL)
    kept = load_file(delta / TENSORS)
    for name in weights:
        weights[name] = _restored(name, weights[name], kept)
    shutil.copytree(base, target, ignore=shutil.ignore_patterns(*MADE_ANEW))
    save_file(weights, target / MODEL, metadata={"format": "pt"})
    _write_tokenizer(base, description.pieces, target)
    _widen(target, next(len(weights[name]) for name in weights if name.endswith(WORDS)))


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def tensors_digest(folder: Path) -> str:
    """SHA-256 over the names and values of a model's tensors, whatever the file's header says."""
    from safetensors.numpy import load_file

    digest = hashlib.sha256()
    tensors = load_file(folder / MODEL)
    for name in sorted(tensors):
        digest.update(name.encode())
        digest.update(np.ascontiguousarray(tensors[name]).tobytes())
    return digest.hexdigest()


def quantised(rows: Rows, levels: int = LEVELS) -> tuple[NDArray[np.int8], Rows]:
    """Numbers from -levels to levels and each row's scale, (n, 1), whose products are nearest to the rows."""
    scales = np.abs(rows).max(axis=1, keepdims=True).astype(np.float32) / levels
    numbers = np.divide(rows, scales, out=np.zeros_like(rows), where=scales > 0)
    return np.rint(numbers).astype(np.int8), scales


def _differences(old: Mapping[str, Rows], new: Mapping[str, Rows]) -> Iterator[tuple[str, NDArray[Any]]]:
    for name in old:
        if name.endswith(WORDS):
            yield from _changed_rows(name, old[name], new[name])
        elif not np.array_equal(old[name], new[name]):
            difference = (new[name] - old[name]).astype(np.float32)
            if difference.ndim == 2:
                numbers, scales = quantised(difference)
                yield from ((f"{name}.numbers", numbers), (f"{name}.scales", scales))
            else:
                yield name, difference


def _changed_rows(name: str, old: Rows, new: Rows) -> Iterator[tuple[str, NDArray[Any]]]:
    """Differences of old rows in 4 bits, in the order of their numbers, and whole new rows in 8."""
    difference = (new[: len(old)] - old).astype(np.float32)
    moved = np.linalg.norm(difference, axis=1) > LITTLE * np.linalg.norm(old, axis=1)
    numbers, scales = quantised(difference[moved], FEW_LEVELS)
    yield f"{name}.rows", np.flatnonzero(moved).astype(np.int32)
    yield f"{name}.pairs", paired(numbers)
    yield f"{name}.scales", scales
    numbers, scales = quantised(new[len(old) :].astype(np.float32))
    yield f"{name}.new.numbers", numbers
    yield f"{name}.new.scales", scales


def paired(numbers: NDArray[np.int8]) -> NDArray[np.uint8]:
    """(n, width) numbers from -8 to 7 as (n, width / 2) bytes, two in each; width is even."""
    halves = (numbers + 8).astype(np.uint8)
    both: NDArray[np.uint8] = halves[:, ::2] | (halves[:, 1::2] << np.uint8(4))
    return both


def apart(pairs: NDArray[np.uint8]) -> NDArray[np.int8]:
    """The numbers that were paired."""
    halves = np.stack([pairs & 15, pairs >> 4], axis=-1).astype(np.int8) - np.int8(8)
    return halves.reshape(len(pairs), -1)


def _restored(name: str, weight: Rows, kept: Tensors) -> Rows:
    if f"{name}.rows" in kept:
        weight[kept[f"{name}.rows"]] += apart(kept[f"{name}.pairs"]) * kept[f"{name}.scales"]
        return np.concatenate([weight, kept[f"{name}.new.numbers"] * kept[f"{name}.new.scales"]])
    if f"{name}.numbers" in kept:
        changed: Rows = weight + kept[f"{name}.numbers"] * kept[f"{name}.scales"]
        return changed
    return weight + kept.get(name, np.float32(0))


def _vocabulary(folder: Path) -> Any:  # noqa: ANN401
    content = json.loads((folder / TOKENIZER).read_text(encoding="utf-8"))
    return content, content["model"]["vocab"]


def _new_pieces(base: Path, trained: Path) -> list[tuple[str, float]]:
    """Pieces and scores that training added behind the base's; only Unigram tokenizers are ever added to."""
    (_, old), (_, new) = _vocabulary(base), _vocabulary(trained)
    return [(piece, score) for piece, score in new[len(old) :]] if isinstance(new, list) else []


def _write_tokenizer(base: Path, pieces: list[tuple[str, float]], target: Path) -> None:
    content, vocabulary = _vocabulary(base)
    if pieces:
        vocabulary.extend(pieces)
    (target / TOKENIZER).write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")


def _widen(folder: Path, rows: int) -> None:
    path = folder / "config.json"
    content = json.loads(path.read_text(encoding="utf-8")) | {"vocab_size": rows}
    path.write_text(json.dumps(content, ensure_ascii=False, indent=2), encoding="utf-8")
