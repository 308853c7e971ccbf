"""A published set: what readers see. `library.json` names it and is replaced in one step."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from indexer.citation import Citation
from indexer.columns import Columns, read_array, read_columns
from indexer.dense import DenseIndex, Scored, in_order
from indexer.disk import damage
from indexer.errors import LibraryError
from indexer.fulltext import search_terms
from indexer.library import FORMAT, OLDEST, Library, in_list, open_library, read_citations
from indexer.merging import Part
from indexer.pointer import PublishedSet, read_pointer, unfinished
from indexer.quarantine import read_entries
from indexer.tables import PART_COLUMNS, decode_parts
from indexer.terms import RANKED, WORDS
from indexer.vocabulary import Vocabulary, read_vocabulary
from models.encoder import Vectors

SAMPLE_LEAST = 100
"""Passages from which a mean and a standard deviation of cosines are worth something."""


PARTS = {
    "/citations.lance/_indices/": "full text",
    "/citations.lance/": "records",
    "/passages": "passages",
    "/dense/": "dense index",
    "/sets/": "filters and the rest of the sets",
    "/": "other",
}
"""What is in the path of a file, and the part of a library that it belongs to."""


class LibraryInfo(msgspec.Struct, frozen=True):
    """What `bioglot info` tells. reembedding: the encoder for which the library is being embedded again.

    bytes: all of the library on the disk; sizes: its parts. set_aside: records that could not be read.
    """

    path: str
    version: int
    created: str
    citations: int
    passages: int
    model: str
    fingerprint: str
    dimensions: int
    max_tokens: int
    index: str
    base_passages: int
    fresh_passages: int
    stale_passages: int
    bytes: int
    sizes: dict[str, int]
    years: tuple[int, int] | None
    languages: dict[str, int]
    reembedding: str | None
    set_aside: int


@dataclass(frozen=True, slots=True)
class PassagePlace:
    """Where a passage stands: characters [start, end) of the text of citation `number`."""

    number: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Background:
    """Mean and standard deviation of a query's cosines to a sample; not reliable if that is small."""

    mean: float
    deviation: float
    reliable: bool


class Published:
    """Reads one published set; safe to share between threads."""

    def __init__(self, library: Library, pointer: PublishedSet) -> None:
        self.library = library
        self.set = pointer
        self.folder = library.path / pointer.folder
        self.citations = library.citations(pointer.tag)
        self.columns: Columns = read_columns(self.folder)
        self.groups: NDArray[np.int32] = read_array(self.folder / "groups.npy")
        self.owners: NDArray[np.int32] = read_array(self.folder / "owners.npy")
        self.sample: Vectors = read_array(self.folder / "sample.npy")
        self.spans: NDArray[np.int32] = read_array(self.folder / "spans.npy")
        self.dense = DenseIndex(
            library.path / pointer.base, self.folder / "fresh.faiss", np.asarray(self.owners) >= 0
        )

    def read(self, ids: Sequence[str]) -> dict[str, Citation]:
        """The whole citations with these ids, by id; ids that are not there are left out."""
        with damage(self.library.path):
            return read_citations(self.citations, ids)

    def parts(self, id: str) -> list[Part]:
        """What each source says of the citation with this id."""
        if "parts" not in self.citations.schema.names:  # The format before 3.
            return [Part(citation) for citation in self.read([id]).values()]
        with damage(self.library.path):
            table = self.citations.to_table(columns=list(PART_COLUMNS), filter=in_list("id", [id]))
        return [part for row in table.to_pylist() for part in decode_parts(row)]

    def lexical(self, terms: list[str], limit: int) -> Scored:
        """Numbers and BM25 scores of at most `limit` citations that match any of the terms, best first."""
        found = search_terms(self.citations, terms, limit)
        return in_order(self.columns.numbers_of_rows(found.rows), found.scores)

    def background(self, vector: Vectors) -> Background:
        """How high unrelated text scores for the (dimensions,) query: its cosines to the library's sample."""
        cosines = self.sample @ vector
        if not len(cosines):
            return Background(0.0, 0.0, reliable=False)
        return Background(float(cosines.mean()), float(cosines.std()), reliable=len(cosines) >= SAMPLE_LEAST)

    def best_passages(self, numbers: NDArray[np.int64], vector: Vectors) -> Scored:
        """For each citation that has a passage, the position of its best one and the cosine to the query.

        In order of the numbers given; equal cosines go to the first passage.
        """
        order, starts = self.by_owner
        counts = starts[numbers + 1] - starts[numbers]
        numbers, counts = numbers[counts > 0], counts[counts > 0]
        if not len(numbers):
            return Scored(np.empty(0, np.int64), np.empty(0, np.float32))
        firsts = np.cumsum(counts) - counts
        places = np.arange(counts.sum()) + np.repeat(starts[numbers] - firsts, counts)
        positions = order[places]
        cosines = self.dense.vectors(positions) @ vector
        tops = np.maximum.reduceat(cosines, firsts)
        at_top = np.flatnonzero(cosines == np.repeat(tops, counts))
        best = at_top[np.searchsorted(at_top, firsts)]
        return Scored(positions[best], tops)

    def place(self, position: int) -> PassagePlace:
        """The passage at a position of the dense index."""
        start, end = self.spans[position].tolist()
        return PassagePlace(int(self.owners[position]), start, end)

    def duplicates(self, numbers: list[int]) -> dict[int, list[int]]:
        """For each of these citations the other records of its article, in order of number."""
        firsts = self.groups[numbers].tolist()
        joined = self.joined[np.isin(self.groups[self.joined], firsts)]
        groups = self.groups[joined]
        return {
            number: [other for other in (first, *joined[groups == first].tolist()) if other != number]
            for number, first in zip(numbers, firsts, strict=True)
        }

    @cached_property
    def joined(self) -> NDArray[np.int64]:
        """Numbers of the records that are not the first of their article."""
        return np.flatnonzero(self.groups != np.arange(len(self.groups)))

    def positions(self, number: int) -> NDArray[np.int64]:
        """Positions of the passages of citation `number`."""
        order, starts = self.by_owner
        return order[starts[number] : starts[number + 1]]

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The words of this set, as models.analysis.words makes them; read when first asked for."""
        return read_vocabulary(self.folder, WORDS)

    @cached_property
    def terms(self) -> Vocabulary:
        """The index terms of this set; read when first asked for."""
        return read_vocabulary(self.folder, RANKED)

    @cached_property
    def by_owner(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Positions sorted by owner, and where each citation's run begins."""
        order = np.argsort(self.owners, kind="stable")
        starts = np.searchsorted(self.owners[order], np.arange(len(self.columns.ids) + 1))
        return order, starts

    def info(self) -> LibraryInfo:
        """What this set holds."""
        being_made = unfinished(self.library.path, self.set.table)
        years = np.asarray(self.columns.years)
        known = years[years > 0]
        base = int(self.dense.parts[0].ntotal)
        sizes = part_sizes(self.library.path)
        return LibraryInfo(
            path=str(self.library.path),
            version=self.set.number,
            created=self.set.created,
            citations=self.set.citations,
            passages=self.set.passages,
            model=self.set.model,
            fingerprint=self.set.fingerprint,
            dimensions=self.set.dimensions,
            max_tokens=self.library.encoder.max_tokens,
            index="exact",
            base_passages=base,
            fresh_passages=self.dense.size - base,
            stale_passages=int((~self.dense.alive).sum()),
            bytes=sum(sizes.values()),
            sizes=sizes,
            years=(int(known.min()), int(known.max())) if len(known) else None,
            languages=self.columns.fields["languages"].counts(),
            reembedding=being_made.model if being_made else None,
            set_aside=len(read_entries(self.library.path)),
        )


def part_sizes(path: Path) -> dict[str, int]:
    """Bytes on the disk by part of a library: the first part whose pattern a file's path fits has it."""
    sizes = dict.fromkeys(PARTS.values(), 0)
    for file in path.rglob("*"):
        with suppress(FileNotFoundError):  # A writer may delete it meanwhile.
            if file.is_file():
                name = f"/{file.relative_to(path).as_posix()}"
                sizes[next(part for pattern, part in PARTS.items() if pattern in name)] += file.stat().st_size
    return sizes


def published_pointer(path: Path) -> PublishedSet:
    """The published set that library.json names.

    Raises LibraryError before the first publication, and if this version reads another format.
    """
    pointer = read_pointer(path)
    if pointer is None:
        open_library(path)  # Where there is no library at all, this says so.
        raise LibraryError(
            f"library {path} has never been published: run `bioglot index` again to finish it, "
            f"or `bioglot rebuild --library {path}`"
        )
    if pointer.format < OLDEST:
        raise LibraryError(
            f"library {path} was made by an older version of bioglot (format {pointer.format}, expected "
            f"{OLDEST} to {FORMAT}): run `bioglot rebuild --library {path}`, which embeds nothing"
        )
    if pointer.format > FORMAT:
        raise LibraryError(
            f"library {path} was made by a newer version of bioglot (format {pointer.format}, expected "
            f"{FORMAT}): upgrade bioglot"
        )
    return pointer


def open_published(path: Path) -> Published:
    """The set that is published now; raises LibraryError if there is none."""
    pointer = published_pointer(path)
    try:
        return Published(open_library(path, pointer.table), pointer)
    except (OSError, RuntimeError, ValueError, LibraryError) as error:
        if read_pointer(path) != pointer:
            # Newer sets were published, and this one cleared away, while it was being opened.
            return open_published(path)
        raise LibraryError(
            f"library {path} cannot be read ({str(error).splitlines()[0]}): "
            f"run `bioglot verify` to see what is wrong, `bioglot rebuild` to mend it"
        ) from error


def library_info(path: Path) -> LibraryInfo:
    """What the library at path holds."""
    return open_published(path).info()
