"""Records into a library: the newest of each source is kept, and those of one work make one citation."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any

from indexer.citation import Citation, revised_number
from indexer.library import Library, delete_where_in, merge
from indexer.merging import DATABASES, Part, ranked
from indexer.merging import merge as merge_parts
from indexer.tables import PART_COLUMNS, citation_rows, content_hash, decode_parts
from indexer.works import Works, of_one_work

NLM = frozenset({"pubmed", "medline"})
"""Sources whose records PubMed's deletions withdraw."""

LIGHT = ("id", "version", "revised", "content", "source", "release", "file", "parts")
"""Columns that tell whether a record of a database is to be stored, without reading the one that is there."""


@dataclass(frozen=True, slots=True)
class UpsertCounts:
    """What became of a batch: superseded records were older than what the library holds.

    merged: how many of those updated joined a work that other records tell of.
    """

    added: int = 0
    updated: int = 0
    unchanged: int = 0
    superseded: int = 0
    merged: int = 0

    def __add__(self, other: "UpsertCounts") -> "UpsertCounts":
        names = [field.name for field in fields(self)]
        return UpsertCounts(*(getattr(self, name) + getattr(other, name) for name in names))


def upsert(library: Library, records: Sequence[Citation | Part], works: Works | None = None) -> UpsertCounts:
    """Store what each record says of its work unless the library holds newer; a commit, or two if rows join.

    works: those of the library, handed over from batch to batch.
    """
    batch = Batch(library, works or Works(library))
    parts = [record if isinstance(record, Part) else Part(record) for record in records]
    batch.load(parts)
    counts = UpsertCounts()
    for part in parts:
        counts += batch.take(part)
    batch.write()
    return counts


def withdraw(library: Library, ids: Sequence[str], release: int | None = None) -> int:
    """Take PubMed's records with these ids out, but for those of later releases; returns how many.

    What other sources say of the works stays; passages go with the next embedding.
    """
    batch = Batch(library, Works(library))
    taken, left = 0, []
    for row in library.rows(ids, ["id", *PART_COLUMNS]):
        parts = decode_parts(row)
        kept = [part for part in parts if not withdrawn(part, release)]
        if len(kept) < len(parts):
            taken += 1
            left += kept
            batch.replace([row["id"]], kept)
    batch.write()
    if left:
        upsert(library, left)  # PubMed may have another record of the work.
    return taken


def withdrawn(part: Part, release: int | None) -> bool:
    """Whether a deletion in a file of that release means the record."""
    if part.citation.source not in NLM:
        return False
    return release is None or part.release is None or part.release <= release


class Batch:
    """The rows that records touch, as they will be.

    stored: rows as far as `LIGHT`. parts: of rows that were read whole, or are to be written.
    """

    def __init__(self, library: Library, works: Works) -> None:
        self.library = library
        self.works = works
        self.stored: dict[str, dict[str, Any]] = {}
        self.parts: dict[str, list[Part]] = {}
        self.changed: dict[str, None] = {}
        self.gone: dict[str, None] = {}

    def load(self, parts: Sequence[Part]) -> None:
        """Read the rows that these may belong to, whole only where they may hold more than an older one."""
        own = {part.citation.id: part.citation.source for part in parts}
        self.stored = {row["id"]: row for row in self.library.rows(list(own), LIGHT)}
        whole = {id for part in parts for id in self.works.candidates(part.citation)}
        whole |= {id for id, row in self.stored.items() if not is_plain(row, own[id])}
        for row in self.library.rows(sorted(whole), ["id", *PART_COLUMNS]):
            self.parts[row["id"]] = decode_parts(row)

    def take(self, part: Part) -> UpsertCounts:
        """Put a record where it belongs."""
        id = part.citation.id
        found = [self.parts[other] for other in self.works.candidates(part.citation) if other in self.parts]
        others = [work.id for work in of_one_work(part.citation, map(merge_parts, found))]
        if id in self.stored and id not in self.parts and id not in self.gone:
            if not others:
                return self.renew(part, self.stored[id])
            self.parts[id] = decode_parts(self.library.rows([id], PART_COLUMNS)[0])
        ids = [*([id] if id in self.parts else []), *others]
        if not ids:
            self.replace([], [part])
            return UpsertCounts(added=1)
        held = distinct_records(part for id in ids for part in self.parts[id])
        before = list(held)
        counts = join(part, held)
        if len(ids) > 1 or held != before:
            self.replace(ids, held)
        return counts

    def renew(self, part: Part, row: dict[str, Any]) -> UpsertCounts:
        """Store the record unless the row, which has one of the same source alone, is newer or the same."""
        same = row["content"] == content_hash(part.citation)
        if part.supersedes(row["version"], row["revised"], row["release"]):
            if not same or part.release not in (None, row["release"]):
                self.replace([], [part])
            return UpsertCounts(unchanged=1) if same else UpsertCounts(updated=1)
        return UpsertCounts(unchanged=1) if same else UpsertCounts(superseded=1)

    def replace(self, ids: Sequence[str], parts: list[Part]) -> None:
        """Let these rows be one of these parts, or none if there are none."""
        for id in ids:
            self.parts.pop(id, None)
            self.changed.pop(id, None)
            self.gone[id] = None
        if parts:
            citation = merge_parts(parts)
            self.parts[citation.id] = ranked(parts)
            self.changed[citation.id] = None
            self.gone.pop(citation.id, None)
            self.works.add(citation)

    def write(self) -> None:
        """Commit what has changed. A kill between the two leaves rows that the same records join again."""
        if self.changed:
            merge(self.library.citations(), "id", citation_rows(self.parts[id] for id in self.changed))
        delete_where_in(self.library.citations(), "id", list(self.gone))


def is_plain(row: dict[str, Any], source: str) -> bool:
    """Whether a row holds one record of this database alone, of which the newest is kept."""
    return row["parts"] is None and row["source"] == source and source in DATABASES


def join(part: Part, held: list[Part]) -> UpsertCounts:
    """Put a record among those of its work."""
    same = any(old.citation == part.citation for old in held)
    place = next((place for place, old in enumerate(held) if part.same_record(old)), None)
    if place is None:
        if not same:
            held.append(part)
        return UpsertCounts(unchanged=1) if same else UpsertCounts(updated=1, merged=1)
    old = held[place]
    if not part.supersedes(old.citation.version, revised_number(old.citation), old.release):
        return UpsertCounts(unchanged=1) if same else UpsertCounts(superseded=1)
    if not same or part.release not in (None, old.release):
        held[place] = part
    return UpsertCounts(unchanged=1) if same else UpsertCounts(updated=1)


def distinct_records(parts: Iterable[Part]) -> list[Part]:
    """The newest of each record, where rows are joined that tell of one twice."""
    found: list[Part] = []
    for part in parts:
        join(part, found)
    return found
