"""Works of OpenAlex: its snapshot (one a line), or what its interface answers.

Fields: "Work object", https://docs.openalex.org
Abstracts come as an index from words to their places.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import msgspec

from indexer.citation import (
    ArticleId,
    Author,
    Citation,
    Grant,
    Journal,
    Keyword,
    MeshHeading,
    Section,
    Term,
)
from indexer.sources.archive import File
from indexer.sources.dates import parse_day
from indexer.sources.errors import RecordFault, SourceItem
from indexer.sources.html_text import plain
from indexer.sources.identity import distinct, identified, linked_pmid, normalise_doi, pmcid_in
from indexer.sources.json_file import JsonForm, decoded, read_json
from indexer.sources.names import read_name_in_order
from indexer.sources.people import normalise_orcid
from indexer.sources.pubmed_fields import language_tag
from indexer.sources.text import Encoding

TYPES = {
    "article": "Journal Article",
    "review": "Review",
    "preprint": "Preprint",
    "book": "Book",
    "book-chapter": "Book Chapter",
    "dissertation": "Academic Dissertation",
    "editorial": "Editorial",
    "letter": "Letter",
    "erratum": "Published Erratum",
    "retraction": "Retraction Notice",
    "report": "Technical Report",
    "dataset": "Dataset",
}
"""OpenAlex's type of a work to the publication type that MEDLINE has for it."""

_BARE = re.compile(r"/(?=\d+/?$)")
"""Before the number of a PMCID that lacks its letters."""


class Person(msgspec.Struct, frozen=True):
    display_name: str | None = None
    orcid: str | None = None


class Authorship(msgspec.Struct, frozen=True):
    author: Person = Person()
    raw_author_name: str | None = None
    raw_affiliation_strings: list[str] | None = None


class Venue(msgspec.Struct, frozen=True):
    display_name: str | None = None
    issn_l: str | None = None
    issn: list[str] | None = None


class Location(msgspec.Struct, frozen=True):
    source: Venue | None = None


class Biblio(msgspec.Struct, frozen=True):
    volume: str | None = None
    issue: str | None = None
    first_page: str | None = None
    last_page: str | None = None


class Named(msgspec.Struct, frozen=True):
    display_name: str | None = None


class Mesh(msgspec.Struct, frozen=True):
    descriptor_ui: str | None = None
    descriptor_name: str | None = None
    qualifier_ui: str | None = None
    qualifier_name: str | None = None
    is_major_topic: bool = False


class Award(msgspec.Struct, frozen=True):
    funder_display_name: str | None = None
    award_id: str | None = None


class Work(msgspec.Struct, frozen=True):
    """The fields that are read; others are passed over."""

    id: str
    title: str | None = None
    display_name: str | None = None
    doi: str | None = None
    ids: dict[str, object] = {}
    language: str | None = None
    type: str | None = None
    publication_date: str | None = None
    publication_year: int | None = None
    primary_location: Location | None = None
    authorships: list[Authorship] = []
    biblio: Biblio = Biblio()
    is_retracted: bool = False
    abstract_inverted_index: dict[str, list[int]] | None = None
    keywords: list[Named] | None = None
    mesh: list[Mesh] | None = None
    grants: list[Award] | None = None


def read_openalex(file: File, encoding: Encoding | None = None) -> Iterator[SourceItem]:
    """Every work of a file; see read_json."""
    return read_json(file, encoding, JsonForm("openalex", ("results",), read_work))


def read_work(raw: bytes | str) -> Citation:
    """The citation of a work. Raises RecordFault if it has no number of OpenAlex's."""
    work = decoded(raw, Work)
    number = work.id.rstrip("/").rpartition("/")[2]
    if not (number.startswith("W") and number[1:].isdigit()):
        raise RecordFault(f"its id is {work.id!r}, expected a work's, such as https://openalex.org/W1")
    abstract = rebuilt(work.abstract_inverted_index or {})
    kind = TYPES.get(work.type or "", "")
    retracted = "Retracted Publication" if work.is_retracted else ""
    citation = Citation(
        id="",
        source="openalex",
        title=plain(work.title or work.display_name or ""),
        abstract=(Section(abstract),) if abstract else (),
        languages=(language_tag(work.language),) if work.language else (),
        journal=_journal(work.primary_location),
        volume=work.biblio.volume or "",
        issue=work.biblio.issue or "",
        pages=_pages(work.biblio),
        published=parse_day(work.publication_date or str(work.publication_year or "")),
        authors=tuple(_author(item) for item in work.authorships),
        mesh=_mesh(work.mesh or ()),
        keywords=tuple(Keyword(item.display_name) for item in work.keywords or () if item.display_name),
        publication_types=tuple(Term(name) for name in (kind, retracted) if name),
        grants=tuple(
            Grant(id=item.award_id or "", agency=item.funder_display_name or "") for item in work.grants or ()
        ),
        article_ids=distinct(_ids(work, number)),
    )
    return identified(citation)


def rebuilt(index: dict[str, list[int]]) -> str:
    """The text whose words stand at those places."""
    placed = sorted((place, word) for word, places in index.items() for place in places)
    return plain(" ".join(word for _, word in placed))


def _ids(work: Work, number: str) -> Iterator[ArticleId]:
    yield ArticleId("pubmed", linked_pmid(str(work.ids.get("pmid", ""))) or "")
    yield ArticleId("pmc", pmcid_in(_BARE.sub("/PMC", str(work.ids.get("pmcid", "")))) or "")
    yield ArticleId("doi", normalise_doi(work.doi or "") or "")
    yield ArticleId("openalex", number)


def _journal(location: Location | None) -> Journal:
    venue = location.source if location else None
    if venue is None:
        return Journal()
    numbers = venue.issn or []
    linking = venue.issn_l or ""
    return Journal(
        title=venue.display_name or "",
        issn=next((number for number in numbers if number != linking), linking),
        issn_linking=linking,
    )


def _pages(biblio: Biblio) -> str:
    first, last = biblio.first_page or "", biblio.last_page or ""
    return f"{first}-{last}" if first and last and first != last else first or last


def _author(item: Authorship) -> Author:
    author = read_name_in_order(item.author.display_name or item.raw_author_name or "")
    orcid = normalise_orcid(item.author.orcid or "") or ""
    places = tuple(item.raw_affiliation_strings or ())
    return replace(author, orcid=orcid, affiliations=places)


def _mesh(items: Sequence[Mesh]) -> tuple[MeshHeading, ...]:
    """One heading for each descriptor; OpenAlex repeats it for each of its qualifiers."""
    found: dict[str, MeshHeading] = {}
    for item in items:
        name = item.descriptor_name or ""
        held = found.get(name, MeshHeading(name, item.descriptor_ui or ""))
        if item.qualifier_name:
            term = Term(item.qualifier_name, item.qualifier_ui or "", item.is_major_topic)
            held = replace(held, qualifiers=(*held.qualifiers, term))
        elif item.is_major_topic:
            held = replace(held, major=True)
        found[name] = held
    return tuple(found.values())
