"""One citation from what several sources say of a work; nothing that a source says is thrown away.

Which source wins: a field is taken whole from the first in the order of BELIEVED that has it; of two in one
place from the newer, of two as new from the first by name of file. Article ids and notes come from all.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import msgspec

from indexer.citation import Citation, revised_number
from indexer.sources.identity import distinct

DATABASES = (
    *("pubmed", "medline", "jats", "europepmc", "clinicaltrials"),
    *("openalex", "lilacs", "scielo"),
)
"""Of these a work has one record, whichever file it comes in; of others one a file."""

BELIEVED = (*DATABASES, "jsonl", "beir", "others", "pdf", "markdown", "text")
"""Sources in the order in which they are believed, "others" for those that are not named."""

IDENTITY = ("pmid:", "pmc:", "doi:")
"""How a work is known, best first; see indexer.sources.identity."""

FOLLOWERS = {"title": "title_translated", "authors": "authors_complete", "abstract": "copyright"}
"""Fields that say something of another one, and come with it."""
GATHERED = ("article_ids", "notes")
OWN = ("id", "source", "version", "status", "owner", *FOLLOWERS.values(), *GATHERED)
"""Fields that are not chosen one by one."""

_EMPTY = Citation("")
_CHOSEN = tuple(field.name for field in fields(Citation) if field.name not in OWN)


class Part(msgspec.Struct, frozen=True):
    """What one source says of a work.

    file: its name; nth: place among the records of one id in it, from 0; release: see indexer.releases.
    """

    citation: Citation
    file: str = ""
    nth: int = 0
    release: int | None = None

    def same_record(self, other: "Part") -> bool:
        """Whether both are one record of one source, so that the newer replaces the older."""
        first, second = self.citation, other.citation
        if first.source != second.source or first.source in DATABASES:
            return first.source == second.source
        one_file = self.file == other.file or not (self.file and other.file)
        return one_file and (first.id, self.nth) == (second.id, other.nth)

    def supersedes(self, version: int, revised: int, release: int | None) -> bool:
        """Whether it replaces a record of the same kind: by version, then by numbered file, else by revision.

        Of equals, the one read last does.
        """
        if self.release is not None and release is not None:
            return (self.citation.version, self.release) >= (version, release)
        return (self.citation.version, revised_number(self.citation)) >= (version, revised)


def merge(parts: Sequence[Part]) -> Citation:
    """The one citation of all parts, of which there is at least one."""
    citations = [part.citation for part in ranked(parts)]
    first = citations[0]
    if len(citations) == 1:
        return first
    values = {name: winner(citations, name) for name in _CHOSEN}
    chosen: dict[str, Any] = {name: getattr(citation, name) for name, citation in values.items() if citation}
    followers: dict[str, Any] = {
        follower: getattr(citation, follower)
        for name, follower in FOLLOWERS.items()
        if (citation := values[name])
    }
    gathered: dict[str, Any] = {
        "article_ids": distinct(item for citation in citations for item in citation.article_ids),
        "notes": tuple(dict.fromkeys(note for citation in citations for note in citation.notes)),
    }
    return replace(first, id=best_id(citations), **chosen, **followers, **gathered)


@dataclass(frozen=True, slots=True)
class Origin:
    """A record that a citation was made of, and the fields that were taken from it."""

    source: str
    file: str
    fields: tuple[str, ...]


def origins(parts: Sequence[Part]) -> tuple[Origin, ...]:
    """Where each field of the merged citation comes from, most believed first."""
    order = ranked(parts)
    citations = [part.citation for part in order]
    taken: list[list[str]] = [[] for _ in order]
    for name in _CHOSEN:
        if citation := winner(citations, name):
            taken[citations.index(citation)].append(name)
    for names, citation in zip(taken, citations, strict=True):
        names += [name for name in GATHERED if getattr(citation, name)]
    return tuple(
        Origin(part.citation.source, part.file, tuple(sorted(names)))
        for part, names in zip(order, taken, strict=True)
    )


def ranked(parts: Sequence[Part]) -> list[Part]:
    """The parts, most believed first, in whatever order they were read."""
    return sorted(parts, key=_order)


def _order(part: Part) -> tuple[int, int, int, str, str, int]:
    citation = part.citation
    name = citation.source if citation.source in BELIEVED else "others"
    age = (-citation.version, -revised_number(citation))
    return BELIEVED.index(name), *age, part.file, citation.id, part.nth


def winner(citations: Sequence[Citation], name: str) -> Citation | None:
    """The first that has the field, None if none has it."""
    empty = getattr(_EMPTY, name)
    return next((item for item in citations if getattr(item, name) != empty), None)


def best_id(citations: Sequence[Citation]) -> str:
    """The id by which the work is best known; of equal kinds that of the most believed source."""
    kinds = [
        next((place for place, kind in enumerate(IDENTITY) if item.id.startswith(kind)), len(IDENTITY))
        for item in citations
    ]
    return citations[kinds.index(min(kinds))].id
