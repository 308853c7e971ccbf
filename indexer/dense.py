"""Exact dense search: a sealed, memory-mapped base, a small fresh part, and positions that are gone.

Positions count through the base and on through the fresh part. The base file never changes; passages that
were deleted or replaced since are masked, and a publication that finds more than `STALE_SHARE` of the base
gone, or more than `FRESH_SHARE` of it fresh, builds a new base.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from models.encoder import Vectors

if TYPE_CHECKING:
    import faiss

    PartSearch = Callable[
        [faiss.Index, faiss.SearchParameters], tuple[NDArray[np.int64], NDArray[np.float32]]
    ]

FRESH_SHARE = 0.1
STALE_SHARE = 0.2


@dataclass(frozen=True, slots=True)
class Scored:
    """Positions (n,) int64 and their scores (n,) float32, best first; equal scores by position."""

    positions: NDArray[np.int64]
    scores: NDArray[np.float32]


class DenseIndex:
    """Searches the parts of one published set; vectors are unit rows, the score is their dot product."""

    def __init__(self, base: Path, fresh: Path, alive: NDArray[np.bool_]) -> None:
        """alive: (n,) bool, False at positions of passages that are gone."""
        self.parts = [read_part(path) for path in (base, fresh)]
        self.alive = alive

    @property
    def size(self) -> int:
        return sum(int(part.ntotal) for part in self.parts)

    def above(self, query: Vectors, cut_off: float, mask: NDArray[np.bool_] | None = None) -> Scored:
        """Every living position whose cosine to the (dimensions,) query is at least cut_off."""
        return self.gather(lambda part, params: range_scores(part, query, cut_off, params), mask)

    def nearest(self, query: Vectors, count: int, mask: NDArray[np.bool_] | None = None) -> Scored:
        """The `count` best living positions for the (dimensions,) query."""
        found = self.gather(lambda part, params: top_scores(part, query, count, params), mask)
        return Scored(found.positions[:count], found.scores[:count])

    def gather(self, search: "PartSearch", mask: NDArray[np.bool_] | None) -> Scored:
        """Search every part under the mask and put the results into one order."""
        import faiss

        keep = self.alive if mask is None else self.alive & mask
        positions, scores, offset = [], [], 0
        for part in self.parts:
            size = int(part.ntotal)
            bits = np.packbits(keep[offset : offset + size], bitorder="little")
            if bits.any():
                selector = faiss.IDSelectorBitmap(bits)  # type: ignore[call-arg, arg-type]
                found, values = search(part, faiss.SearchParameters(sel=selector))  # type: ignore[call-arg]
                positions.append(found + offset)
                scores.append(values)
            offset += size
        if not positions:
            return Scored(np.empty(0, np.int64), np.empty(0, np.float32))
        return in_order(np.concatenate(positions), np.concatenate(scores))

    def vectors(self, positions: NDArray[np.int64]) -> Vectors:
        """(n, dimensions) stored vectors at these positions."""
        split = int(self.parts[0].ntotal)
        vectors = np.empty((len(positions), int(self.parts[0].d)), np.float32)
        fresh = positions >= split
        for part, chosen, first in zip(self.parts, (~fresh, fresh), (0, split), strict=True):
            if chosen.any():
                vectors[chosen] = part.reconstruct_batch(positions[chosen] - first)
        return vectors


def in_order(positions: NDArray[np.int64], scores: NDArray[np.float32]) -> Scored:
    """Best first, ties by position."""
    order = np.lexsort((positions, -scores))
    return Scored(positions[order], scores[order])


def range_scores(
    part: "faiss.Index", query: Vectors, cut_off: float, params: "faiss.SearchParameters"
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Positions and cosines of one part at or above cut_off."""
    # FAISS keeps what is strictly above its radius.
    radius = float(np.nextafter(np.float32(cut_off), np.float32(-2)))
    _, scores, positions = part.range_search(query[None], radius, params=params)
    return positions, scores


def top_scores(
    part: "faiss.Index", query: Vectors, count: int, params: "faiss.SearchParameters"
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Positions and cosines of the best of one part; FAISS's -1 for "no hit" is dropped."""
    scores, positions = part.search(query[None], min(count, int(part.ntotal)), params=params)
    found = positions[0] >= 0
    return positions[0][found], scores[0][found]


def write_filled(path: Path, count: int, dimensions: int, fill: "Callable[[Vectors], None]") -> None:
    """As `write_part`, for vectors that `fill` puts where FAISS keeps them: they are in memory once."""
    import faiss

    index = faiss.IndexFlatIP(dimensions)
    index.codes.resize(count * dimensions * np.dtype(np.float32).itemsize)
    index.ntotal = count
    if count:
        fill(faiss.rev_swig_ptr(index.get_xb(), count * dimensions).reshape(count, dimensions))
    faiss.write_index(index, str(path))


def write_part(path: Path, vectors: Vectors) -> None:
    """Write (n, dimensions) vectors as one flat part; the caller seals and syncs it."""
    import faiss

    index = faiss.IndexFlatIP(vectors.shape[1])
    index.add(np.ascontiguousarray(vectors, np.float32))
    faiss.write_index(index, str(path))


def read_part(path: Path) -> "faiss.Index":
    """Map a part into memory; it must not be added to (FAISS would abort the process)."""
    import faiss

    return faiss.read_index(str(path), faiss.IO_FLAG_MMAP_IFC)
