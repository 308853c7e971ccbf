"""A trained model as what it differs in from the model that training began with: small enough to ship.

Matrices are kept as 8-bit differences with a scale for each row, word vectors only where they changed or are
new, everything else as 32-bit differences. Files of a delta: delta.safetensors and delta.json.
"""

import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.errors import ModelError

TENSORS, DESCRIPTION = "delta.safetensors", "delta.json"
MODEL, TOKENIZER = "model.safetensors", "tokenizer.json"
MADE_ANEW = ("bioglot.json", "README.md", MODEL, TOKENIZER)
WORDS = "word_embeddings.weight"
LEVELS = 127
Rows = NDArray[np.float32]
Tensors = dict[str, NDArray[Any]]


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
    description = {
        "base_sha256": tensors_digest(base),
        "pieces": _new_pieces(base, trained),
    }
    text = json.dumps(description, ensure_ascii=False)
    (target / DESCRIPTION).write_text(text, encoding="utf-8")


def apply_delta(base: Path, delta: Path, target: Path) -> None:
    """Write the trained model into a new folder. Raises ModelError if the base is another one."""
    from safetensors.numpy import load_file, save_file

    description = json.loads((delta / DESCRIPTION).read_text(encoding="utf-8"))
    if description["base_sha256"] != tensors_digest(base):
        raise ModelError(f"{delta} was made for another model than {base}: fetch the one that it names")
    weights = load_file(base / MODEL)
    kept = load_file(delta / TENSORS)
    for name in weights:
        weights[name] = _restored(name, weights[name], kept)
    shutil.copytree(base, target, ignore=shutil.ignore_patterns(*MADE_ANEW))
    save_file(weights, target / MODEL, metadata={"format": "pt"})
    _write_tokenizer(base, description["pieces"], target)
    _widen(target, next(len(weights[name]) for name in weights if name.endswith(WORDS)))


def tensors_digest(folder: Path) -> str:
    """SHA-256 over the names and values of a model's tensors, whatever the file's header says."""
    from safetensors.numpy import load_file

    digest = hashlib.sha256()
    tensors = load_file(folder / MODEL)
    for name in sorted(tensors):
        digest.update(name.encode())
        digest.update(np.ascontiguousarray(tensors[name]).tobytes())
    return digest.hexdigest()


def quantised(rows: Rows) -> tuple[NDArray[np.int8], Rows]:
    """Numbers from -127 to 127 and each row's scale, (n, 1), whose products are nearest to the rows."""
    scales = np.abs(rows).max(axis=1, keepdims=True).astype(np.float32) / LEVELS
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
    """Differences of old rows and whole new ones, in the order of their numbers."""
    wide = np.concatenate([old, np.zeros((len(new) - len(old), old.shape[1]), old.dtype)])
    changed = np.flatnonzero((wide != new).any(axis=1))
    numbers, scales = quantised((new - wide)[changed].astype(np.float32))
    yield f"{name}.rows", changed.astype(np.int32)
    yield f"{name}.numbers", numbers
    yield f"{name}.scales", scales
    yield f"{name}.size", np.array([len(new)], np.int64)


def _restored(name: str, weight: Rows, kept: Tensors) -> Rows:
    if f"{name}.rows" in kept:
        grown = np.zeros((int(kept[f"{name}.size"][0]), weight.shape[1]), np.float32)
        grown[: len(weight)] = weight
        grown[kept[f"{name}.rows"]] += kept[f"{name}.numbers"] * kept[f"{name}.scales"]
        return grown
    if f"{name}.numbers" in kept:
        moved: Rows = weight + kept[f"{name}.numbers"] * kept[f"{name}.scales"]
        return moved
    return weight + kept.get(name, np.float32(0))


def _vocabulary(folder: Path) -> Any:  # noqa: ANN401
    content = json.loads((folder / TOKENIZER).read_text(encoding="utf-8"))
    return content, content["model"]["vocab"]


def _new_pieces(base: Path, trained: Path) -> list[list[object]]:
    """Pieces and scores that training added behind the base's; only Unigram tokenizers are ever added to."""
    (_, old), (_, new) = _vocabulary(base), _vocabulary(trained)
    return list(new[len(old) :]) if isinstance(new, list) else []


def _write_tokenizer(base: Path, pieces: list[list[object]], target: Path) -> None:
    content, vocabulary = _vocabulary(base)
    if pieces:
        vocabulary.extend(pieces)
    (target / TOKENIZER).write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")


def _widen(folder: Path, rows: int) -> None:
    path = folder / "config.json"
    content = json.loads(path.read_text(encoding="utf-8")) | {"vocab_size": rows}
    path.write_text(json.dumps(content, ensure_ascii=False, indent=2), encoding="utf-8")
