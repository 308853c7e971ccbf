"""What stands at each position of the dense index: the sealed base is kept while most of it still holds."""

from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from indexer.dense import FRESH_SHARE, STALE_SHARE, write_filled, write_part
from indexer.library import Library
from models.encoder import Vectors

SAMPLE = 1024
"""Passages against which it is judged how high unrelated text scores for a query."""

BATCH = 4_096
"""Vectors read from Lance at a time."""


@dataclass(frozen=True, slots=True)
class PassageTable:
    """Every passage, in order of citation and number.

    keys: (n,) uint64, one for each key, text and fingerprint; owners: (n,) int64, numbers of citations;
    spans: (n, 2) int32, characters; rows: (n,) uint64, Lance row ids.
    """

    keys: NDArray[np.uint64]
    owners: NDArray[np.int64]
    spans: NDArray[np.int32]
    rows: NDArray[np.uint64]


def read_passages(library: Library, ids: NDArray[np.bytes_]) -> PassageTable:
    """What the dense index needs of passages.lance, vectors not included; ids are the sorted citations'."""
    table = library.passages().to_table(
        columns=["key", "citation_id", "number", "start", "end", "text", "fingerprint"], with_row_id=True
    )
    table = table.sort_by([("citation_id", "ascending"), ("number", "ascending")])
    names = (table[name].to_pylist() for name in ("key", "text", "fingerprint"))
    keys = [digest(f"{key} {text} {fingerprint}") for key, text, fingerprint in zip(*names, strict=True)]
    owners = np.array([item.encode() for item in table["citation_id"].to_pylist()], dtype=np.bytes_)
    return PassageTable(
        np.array(keys, np.uint64),
        np.searchsorted(ids, owners) if len(owners) else np.empty(0, np.int64),
        np.stack([table[name].to_numpy() for name in ("start", "end")], axis=1).astype(np.int32),
        table["_rowid"].to_numpy(),
    )


def digest(text: str) -> int:
    """64 bits that stand for a passage in a sealed base."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")


def write_positions(library: Library, folder: Path, passages: PassageTable, base: Path | None) -> Path:
    """Write the fresh part and the owner and span at each position into folder.

    base is the sealed base of the set before, if there is one. Returns the base that goes with the folder.
    """
    held = np.empty(0, np.int64) if base is None else match(read_keys(base), passages.keys)
    fresh = np.setdiff1d(np.arange(len(passages.keys)), held)
    if base is None or worn(held, len(fresh)):
        base = write_base(library, folder, passages)
        held, fresh = np.arange(len(passages.keys)), np.empty(0, np.int64)
    write_part(folder / "fresh.faiss", read_vectors(library, passages.rows[fresh]))
    at = np.concatenate([held, fresh])
    alive = at >= 0
    owners = np.full(len(at), -1, np.int32)
    owners[alive] = passages.owners[at[alive]]
    spans = np.zeros((len(at), 2), np.int32)
    spans[alive] = passages.spans[at[alive]]
    # The smallest digests are a random choice that stays the same while the library grows.
    sample = passages.rows[np.argsort(passages.keys)[:SAMPLE]]
    np.save(folder / "sample.npy", read_vectors(library, sample))
    np.save(folder / "owners.npy", owners)
    np.save(folder / "spans.npy", spans)
    return base


def match(wanted: NDArray[np.uint64], keys: NDArray[np.uint64]) -> NDArray[np.int64]:
    """For each wanted key its index in keys, -1 where it is not there."""
    if not len(keys):
        return np.full(len(wanted), -1, np.int64)
    order = np.argsort(keys)
    places = order[np.minimum(np.searchsorted(keys, wanted, sorter=order), len(keys) - 1)]
    return np.where(keys[places] == wanted, places, -1)


def worn(held: NDArray[np.int64], fresh: int) -> bool:
    """Whether a base of which `held` says what is left should be built anew."""
    stale = int((held < 0).sum())
    return stale > STALE_SHARE * len(held) or fresh > FRESH_SHARE * len(held)


def write_base(library: Library, folder: Path, passages: PassageTable) -> Path:
    """A new sealed base of all passages, named after the set that it is made for."""
    base = library.path / "dense" / f"{folder.name}.faiss"
    base.parent.mkdir(exist_ok=True)
    write_filled(
        base,
        len(passages.rows),
        library.encoder.dimensions,
        lambda vectors: fill_vectors(library, passages.rows, vectors),
    )
    np.save(keys_file(base), passages.keys)
    return base


def keys_file(base: Path) -> Path:
    """Where the keys of a base's passages lie, in order of position."""
    return base.with_suffix(".keys.npy")


def read_keys(base: Path) -> NDArray[np.uint64]:
    """(n,) uint64 keys of a base's passages."""
    keys: NDArray[np.uint64] = np.load(keys_file(base), allow_pickle=False)
    return keys


def read_vectors(library: Library, rows: NDArray[np.uint64]) -> Vectors:
    """(n, dimensions) float32 vectors at these Lance row ids, in their order."""
    vectors = np.empty((len(rows), library.encoder.dimensions), np.float32)
    if len(rows):
        fill_vectors(library, rows, vectors)
    return vectors


def fill_vectors(library: Library, rows: NDArray[np.uint64], vectors: Vectors) -> None:
    """Put the vectors at these Lance row ids into an array of (n, dimensions), in their order."""
    order = np.argsort(rows)
    scanner = library.passages().scanner(
        columns=["vector"], with_row_id=True, batch_size=BATCH, batch_readahead=2
    )
    for batch in scanner.to_batches():
        ids = batch["_rowid"].to_numpy()
        places = np.minimum(np.searchsorted(rows, ids, sorter=order), len(rows) - 1)
        found = rows[order[places]] == ids
        vectors[order[places[found]]] = batch_vectors(batch)[found]


def batch_vectors(batch: pa.RecordBatch) -> Vectors:
    """(n, dimensions) float32 vectors of a batch of rows."""
    flat = batch["vector"].flatten().to_numpy(zero_copy_only=False)
    vectors: Vectors = flat.astype(np.float32).reshape(batch.num_rows, -1)
    return vectors
