"""Filter columns: exact filters as masks over citations, from memory-mapped arrays.

Citations are numbered by their place in the sorted array of ids. A field with many values is kept inverted:
for each value the numbers of the citations that have it.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from indexer.files import write_json
from indexer.tables import MULTIVALUED
from models.analysis import fold_marks, normalise

COLUMNS = ("id", "year", "published", "entered", "has_abstract", "duplicate_keys", *MULTIVALUED)
"""Columns of citations.lance that are read for it."""
UNKNOWN = 0
"""Stands for a year or date that is not known."""
LAST = "\U0010ffff"
"""Comes behind every word."""


@dataclass(frozen=True)
class InvertedField:
    """values[i] is had by citations numbers[offsets[i]:offsets[i + 1]]. Values are compared as `folded`."""

    values: tuple[str, ...]
    offsets: NDArray[np.int64]
    numbers: NDArray[np.int32]

    def mask(self, wanted: Iterable[str], size: int) -> NDArray[np.bool_]:
        """(size,) bool: citations that have any of the wanted values."""
        return self._mask({folded(value) for value in wanted}, size)

    def mask_prefix(self, prefix: str, size: int) -> NDArray[np.bool_]:
        """(size,) bool: citations that have a value which begins with the prefix."""
        start = folded(prefix)
        first = bisect_left(self._keys, start)
        return self._mask(self._keys[first : bisect_left(self._keys, f"{start}{LAST}", lo=first)], size)

    def _mask(self, keys: Iterable[str], size: int) -> NDArray[np.bool_]:
        mask = np.zeros(size, np.bool_)
        for key in keys:
            for index in self._places.get(key, ()):
                mask[self.numbers[self.offsets[index] : self.offsets[index + 1]]] = True
        return mask

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        places: dict[str, list[int]] = {}
        for index, value in enumerate(self.values):
            places.setdefault(folded(value), []).append(index)
        return places

    @cached_property
    def _keys(self) -> list[str]:
        return sorted(self._places)

    def counts(self) -> dict[str, int]:
        """How many citations have each value, most frequent first."""
        sizes = np.diff(self.offsets).tolist()
        return dict(sorted(zip(self.values, sizes, strict=True), key=lambda pair: (-pair[1], pair[0])))


class Fields(Mapping[str, InvertedField]):
    """The fields of MULTIVALUED by name, each read when first asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._held: dict[str, InvertedField] = {}

    def __getitem__(self, name: str) -> InvertedField:
        if name not in self._held:
            self._held[name] = read_field(self._folder, name)
        return self._held[name]

    def __iter__(self) -> Iterator[str]:
        return iter(MULTIVALUED)

    def __len__(self) -> int:
        return len(MULTIVALUED)


@dataclass(frozen=True, slots=True)
class Columns:
    """ids: (n,) bytes, sorted; has_abstract: (n,) bool.

    years: (n,) int16; published, entered: (n,) int32, yyyymmdd; 0 stands for what is not known.
    authors, journals: (n,) int32, places of first author and journal in the alphabet, those without last.
    rows: (n,) uint64, the Lance row ids in ascending order; row_numbers: the number of each of them.
    """

    ids: NDArray[np.bytes_]
    rows: NDArray[np.uint64]
    row_numbers: NDArray[np.int64]
    years: NDArray[np.int16]
    published: NDArray[np.int32]
    entered: NDArray[np.int32]
    authors: NDArray[np.int32]
    journals: NDArray[np.int32]
    has_abstract: NDArray[np.bool_]
    fields: Fields

    def numbers(self, ids: Sequence[str]) -> NDArray[np.int64]:
        """The number of each id, -1 where it is not in the library."""
        keys = np.array([item.encode() for item in ids], dtype=np.bytes_)
        if not len(self.ids) or not len(keys):
            return np.full(len(keys), -1, np.int64)
        places = np.searchsorted(self.ids, keys)
        places[places == len(self.ids)] = 0
        return np.where(self.ids[places] == keys, places, -1)

    def numbers_of_rows(self, rows: NDArray[np.uint64]) -> NDArray[np.int64]:
        """The number of each Lance row id; every one must be a row of the published citations."""
        places = np.minimum(np.searchsorted(self.rows, rows), max(len(self.rows) - 1, 0))
        numbers: NDArray[np.int64] = self.row_numbers[places]
        return numbers

    def id(self, number: int) -> str:
        return bytes(self.ids[number]).decode()


def write_columns(folder: Path, citations: pa.Table) -> NDArray[np.bytes_]:
    """Write the columns of these rows of citations.lance, row ids included; returns the sorted ids."""
    keys = np.array([item.encode() for item in citations["id"].to_pylist()], dtype=np.bytes_)
    order = np.argsort(keys, kind="stable")
    ids = keys[order]
    ordered = citations.take(pa.array(order))
    rows = ordered["_rowid"].to_numpy()
    row_numbers = np.argsort(rows)
    np.save(folder / "ids.npy", ids)
    np.save(folder / "rows.npy", rows[row_numbers])
    np.save(folder / "row_numbers.npy", row_numbers)
    np.save(folder / "years.npy", ordered["year"].fill_null(UNKNOWN).to_numpy().astype(np.int16))
    for name in ("published", "entered"):
        np.save(folder / f"{name}.npy", ordered[name].fill_null(UNKNOWN).to_numpy().astype(np.int32))
    for name in ("authors", "journals"):
        np.save(folder / f"{name}.order.npy", alphabet(ordered[name].combine_chunks()))
    flags = ordered["has_abstract"].to_numpy(zero_copy_only=False)
    np.save(folder / "has_abstract.npy", flags.astype(np.bool_))
    for name in MULTIVALUED:
        write_field(folder, name, ordered[name].combine_chunks())
    return ids


def folded(text: str) -> str:
    """The text as values are compared: letter case, accents and kinds of hyphens do not count."""
    return text.lower() if text.isascii() else fold_marks(normalise(text))


def alphabet(rows: pa.ListArray) -> NDArray[np.int32]:
    """(n,) places in the alphabet of each row's first value, rows without one last."""
    lengths = value_lengths(rows)
    firsts = (np.cumsum(lengths) - lengths)[lengths > 0]
    encoded = rows.flatten().take(pa.array(firsts)).dictionary_encode()
    keys = [folded(value) for value in encoded.dictionary.to_pylist()]
    order = {key: place for place, key in enumerate(sorted(set(keys)))}
    places = np.full(len(rows), len(order), np.int32)
    places[lengths > 0] = np.array([order[key] for key in keys], np.int32)[encoded.indices.to_numpy()]
    return places


def write_field(folder: Path, name: str, rows: pa.ListArray) -> None:
    """Write one field inverted: values, offsets and numbers."""
    encoded = rows.flatten().dictionary_encode()
    held = encoded.dictionary.to_pylist()
    values = sorted(held)
    places = {value: place for place, value in enumerate(values)}
    codes = np.array([places[value] for value in held], np.int64)[encoded.indices.to_numpy()]
    numbers = np.repeat(np.arange(len(rows), dtype=np.int32), value_lengths(rows))
    lengths = np.bincount(codes, minlength=len(values))
    write_json(folder / f"{name}.json", values)
    np.save(folder / f"{name}.offsets.npy", np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64))
    np.save(folder / f"{name}.numbers.npy", numbers[np.argsort(codes, kind="stable")])


def value_lengths(rows: pa.ListArray) -> NDArray[np.int64]:
    """(n,) how many values each row has."""
    lengths: NDArray[np.int64] = rows.value_lengths().fill_null(0).to_numpy().astype(np.int64)
    return lengths


def read_columns(folder: Path) -> Columns:
    """Map the columns that `write_columns` wrote."""
    return Columns(
        ids=read_array(folder / "ids.npy"),
        rows=read_array(folder / "rows.npy"),
        row_numbers=read_array(folder / "row_numbers.npy"),
        years=read_array(folder / "years.npy"),
        published=read_array(folder / "published.npy"),
        entered=read_array(folder / "entered.npy"),
        authors=read_array(folder / "authors.order.npy"),
        journals=read_array(folder / "journals.order.npy"),
        has_abstract=read_array(folder / "has_abstract.npy"),
        fields=Fields(folder),
    )


def read_field(folder: Path, name: str) -> InvertedField:
    """One inverted field."""
    values = msgspec.json.decode((folder / f"{name}.json").read_bytes(), type=tuple[str, ...])
    return InvertedField(
        values, read_array(folder / f"{name}.offsets.npy"), read_array(folder / f"{name}.numbers.npy")
    )


def read_array(path: Path) -> "np.memmap[Any, Any]":
    """A NumPy array mapped from its file; never unpickled."""
    array: np.memmap[Any, Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    return array
