"""The citation: one bibliographic record, whole, whatever file it came from.

Field names follow the NLM PubMed DTD in the words of the field. Languages are BCP 47 primary tags
("en", "fr"; "und" and "mul" as given). Empty text is "", an absent list is ().
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PartialDate:
    """A date as precise as the source gives it; `text` is the source's own wording (MedlineDate).

    For a range ("1998 Dec-1999 Jan", "2001 Spring") year and month are those of its start.
    """

    year: int | None = None
    month: int | None = None
    day: int | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class HistoryDate:
    """One entry of a record's history, such as status "received" or "pubmed"."""

    status: str
    date: PartialDate


@dataclass(frozen=True, slots=True)
class Section:
    """A part of an abstract; label is the author's ("RÉSULTATS"), category NLM's ("RESULTS")."""

    text: str
    label: str = ""
    category: str = ""


@dataclass(frozen=True, slots=True)
class OtherAbstract:
    """An abstract in another language or of another kind (plain-language summary)."""

    language: str
    type: str
    sections: tuple[Section, ...]
    copyright: str = ""


@dataclass(frozen=True, slots=True)
class Journal:
    title: str = ""
    iso_abbreviation: str = ""
    medline_abbreviation: str = ""
    issn: str = ""
    issn_linking: str = ""
    nlm_id: str = ""
    country: str = ""


@dataclass(frozen=True, slots=True)
class Identifier:
    """A person's or an institution's number at a registry, such as source "GRID", "ISNI" or "ROR"."""

    source: str
    value: str


@dataclass(frozen=True, slots=True)
class Author:
    """A person, or a group by its collective name alone.

    identifiers: those of the affiliations, and the person's own besides the ORCID.
    """

    last_name: str = ""
    fore_name: str = ""
    initials: str = ""
    suffix: str = ""
    collective_name: str = ""
    orcid: str = ""
    affiliations: tuple[str, ...] = ()
    equal_contribution: bool = False
    identifiers: tuple[Identifier, ...] = ()


@dataclass(frozen=True, slots=True)
class Term:
    """A word of a controlled vocabulary and its unique identifier there."""

    name: str
    ui: str = ""
    major: bool = False


@dataclass(frozen=True, slots=True)
class MeshHeading:
    """A MeSH descriptor with its qualifiers; `major` marks a major topic of the paper.

    A descriptor may be minor while one of its qualifiers is major. type: "Geographic" or "".
    """

    name: str
    ui: str = ""
    major: bool = False
    qualifiers: tuple[Term, ...] = ()
    type: str = ""


@dataclass(frozen=True, slots=True)
class SupplementaryConcept:
    name: str
    ui: str = ""
    type: str = ""


@dataclass(frozen=True, slots=True)
class Keyword:
    text: str
    major: bool = False
    owner: str = ""


@dataclass(frozen=True, slots=True)
class Chemical:
    name: str
    ui: str = ""
    registry_number: str = ""


@dataclass(frozen=True, slots=True)
class Grant:
    id: str = ""
    acronym: str = ""
    agency: str = ""
    country: str = ""


@dataclass(frozen=True, slots=True)
class DataBank:
    """Numbers in a databank, such as ClinicalTrials.gov's."""

    name: str
    accessions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ArticleId:
    """type as PubMed names it: "doi", "pmc", "pii", "mid" …"""

    type: str
    value: str


@dataclass(frozen=True, slots=True)
class Correction:
    """A comment or correction that links two papers, such as type "RetractionIn" or "ErratumFor"."""

    type: str
    source: str = ""
    pmid: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Reference:
    text: str
    ids: tuple[ArticleId, ...] = ()


@dataclass(frozen=True, slots=True)
class TextPart:
    """A part of a full text: its paragraphs, a line each, and the headings over them, the outermost first.

    type: the source's word for the kind of section ("methods"). Of a caption "figure" or "table"; its heading
    is its label ("Figure 1").
    """

    text: str
    headings: tuple[str, ...] = ()
    type: str = ""


@dataclass(frozen=True, slots=True)
class Book:
    title: str = ""
    publisher: str = ""
    place: str = ""
    edition: str = ""
    isbns: tuple[str, ...] = ()
    editors: tuple[Author, ...] = ()
    collection: str = ""


@dataclass(frozen=True, slots=True)
class Citation:
    """One record. `id` is "pmid:N" for PubMed; those of one work are merged (see indexer.merging)."""

    id: str
    source: str = "pubmed"
    version: int = 1
    status: str = ""
    title: str = ""
    title_translated: bool = False
    """The source bracketed the title: NLM's English for a title in another language."""
    vernacular_title: str = ""
    abstract: tuple[Section, ...] = ()
    other_abstracts: tuple[OtherAbstract, ...] = ()
    copyright: str = ""
    languages: tuple[str, ...] = ()
    journal: Journal = Journal()
    volume: str = ""
    issue: str = ""
    pages: str = ""
    published: PartialDate = PartialDate()
    electronic: PartialDate = PartialDate()
    completed: PartialDate = PartialDate()
    revised: PartialDate = PartialDate()
    history: tuple[HistoryDate, ...] = ()
    authors: tuple[Author, ...] = ()
    authors_complete: bool = True
    investigators: tuple[Author, ...] = ()
    subject_names: tuple[Author, ...] = ()
    mesh: tuple[MeshHeading, ...] = ()
    supplementary_concepts: tuple[SupplementaryConcept, ...] = ()
    keywords: tuple[Keyword, ...] = ()
    chemicals: tuple[Chemical, ...] = ()
    gene_symbols: tuple[str, ...] = ()
    publication_types: tuple[Term, ...] = ()
    publication_status: str = ""
    publication_model: str = ""
    grants: tuple[Grant, ...] = ()
    databanks: tuple[DataBank, ...] = ()
    article_ids: tuple[ArticleId, ...] = ()
    corrections: tuple[Correction, ...] = ()
    references: tuple[Reference, ...] = ()
    citation_subsets: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    space_flight_missions: tuple[str, ...] = ()
    number_of_references: str = ""
    conflict_of_interest: str = ""
    owner: str = ""
    indexing_method: str = ""
    """How NLM made the MeSH headings if not by hand alone: "Automated" or "Curated"."""
    book: Book | None = None
    body: tuple[TextPart, ...] = ()
    captions: tuple[TextPart, ...] = ()
    """Of figures and tables. Both are () where the source has no full text, and stand last: see
    indexer.tables.encode_record."""

    @property
    def pmid(self) -> str | None:
        return self.id.removeprefix("pmid:") if self.id.startswith("pmid:") else None

    @property
    def doi(self) -> str | None:
        return self.article_id("doi")

    @property
    def pmcid(self) -> str | None:
        return self.article_id("pmc")

    @property
    def year(self) -> int | None:
        return self.published.year or self.electronic.year

    def article_id(self, type: str) -> str | None:
        """The first article id of that type, or None."""
        return next((item.value for item in self.article_ids if item.type == type), None)


@dataclass(frozen=True, slots=True)
class Deletion:
    """The source withdraws a record (PubMed's DeleteCitation). listed: in NLM's list of all deletions."""

    id: str
    listed: bool = False


def revised_number(citation: Citation) -> int:
    """The revision date as the integer yyyymmdd, 0 if there is none."""
    date = citation.revised
    return (date.year or 0) * 10000 + (date.month or 0) * 100 + (date.day or 0)
