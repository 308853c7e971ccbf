"""The documents that the command line and the API give back: plain records, ready for JSON."""

from dataclasses import dataclass

from app.query import Filters, Mode, Prior, Sort
from app.reading import author_name, journal_name, record_url, section_name
from app.record import SearchRecord, methods
from app.results import Hit, ResultPage, Span, Timings
from indexer.citation import Citation
from indexer.merging import Origin
from indexer.passages import citation_text
from indexer.signals import Signal, is_retracted, signals


@dataclass(frozen=True, slots=True)
class PassageDocument:
    """The best passage of a hit, characters [start, end) of its text.

    section: where most of it stands in the full text, None if it is of title and abstract.
    """

    start: int
    end: int
    text: str
    section: str | None


@dataclass(frozen=True, slots=True)
class EvidenceDocument:
    """A sentence that answers, characters [start, end) of the hit's text; section as in PassageDocument."""

    text: str
    start: int
    end: int
    score: float
    section: str | None


@dataclass(frozen=True, slots=True)
class HitDocument:
    """One citation found; the scores are those of app.results.Hit.

    text: title, vernacular title, abstract and full text, a line each, in which passage, evidence and marks
    are counted in Unicode characters. marks: words that match.
    """

    rank: int
    id: str
    pmid: str | None
    doi: str | None
    pmcid: str | None
    title: str
    vernacular_title: str
    authors: tuple[str, ...]
    journal: str
    year: int | None
    languages: tuple[str, ...]
    publication_types: tuple[str, ...]
    retracted: bool
    signals: tuple[Signal, ...]
    url: str | None
    score: float
    dense_score: float | None
    lexical_score: float | None
    rerank_score: float | None
    text: str
    passage: PassageDocument | None
    duplicates: tuple[str, ...]
    evidence: tuple[EvidenceDocument, ...]
    marks: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class QueryDocument:
    """The question as it was understood."""

    q: str
    mode: Mode
    filters: Filters
    limit: int
    offset: int
    sort: Sort
    prior: Prior
    collapse: bool
    rerank: str | None


@dataclass(frozen=True, slots=True)
class SearchDocument:
    """One page of results; `total` is a lower bound where `total_exact` is false; timings in milliseconds.

    record: what repeats the search; methods: the same in words, for a methods section.
    """

    query: QueryDocument
    total: int
    total_exact: bool
    hits: tuple[HitDocument, ...]
    timings: Timings
    library_version: int
    encoder: str
    suggestion: str | None
    missing: tuple[str, ...]
    record: SearchRecord | None
    methods: str | None
    reranker: str | None


@dataclass(frozen=True, slots=True)
class CitationDocument:
    """One whole record, with the identifiers that it is cited by."""

    id: str
    pmid: str | None
    doi: str | None
    pmcid: str | None
    year: int | None
    url: str | None
    retracted: bool
    signals: tuple[Signal, ...]
    citation: Citation
    origins: tuple[Origin, ...]


def search_document(page: ResultPage) -> SearchDocument:
    """The page as a document."""
    query = page.query
    return SearchDocument(
        query=QueryDocument(
            q=query.text,
            mode=query.mode,
            filters=query.filters,
            limit=query.limit,
            offset=query.offset,
            sort=query.sort,
            prior=query.prior,
            collapse=query.collapse,
            rerank=query.rerank,
        ),
        total=page.total,
        total_exact=page.total_exact,
        hits=tuple(map(hit_document, page.hits)),
        timings=page.timings,
        library_version=page.library_version,
        encoder=page.encoder,
        suggestion=page.suggestion,
        missing=page.missing,
        record=page.record,
        methods=None if page.record is None else methods(page.record),
        reranker=page.reranker,
    )


def hit_document(hit: Hit) -> HitDocument:
    """The hit as a document."""
    citation = hit.citation
    text = citation_text(citation)
    return HitDocument(
        rank=hit.rank,
        id=hit.id,
        pmid=citation.pmid,
        doi=citation.doi,
        pmcid=citation.pmcid,
        title=citation.title,
        vernacular_title=citation.vernacular_title,
        authors=tuple(map(author_name, citation.authors)),
        journal=journal_name(citation),
        year=citation.year,
        languages=citation.languages,
        publication_types=tuple(term.name for term in citation.publication_types),
        retracted=is_retracted(citation),
        signals=signals(citation),
        url=record_url(citation),
        score=hit.score,
        dense_score=hit.dense_score,
        lexical_score=hit.lexical_score,
        rerank_score=hit.rerank_score,
        duplicates=hit.duplicates,
        text=text,
        passage=None if hit.passage is None else passage_document(citation, text, hit.passage),
        evidence=tuple(
            EvidenceDocument(
                text[item.start : item.end], item.start, item.end, item.score, section_name(citation, item)
            )
            for item in hit.evidence
        ),
        marks=hit.marks,
    )


def passage_document(citation: Citation, text: str, passage: Span) -> PassageDocument:
    """The passage as a document."""
    section = section_name(citation, passage)
    return PassageDocument(passage.start, passage.end, text[passage.start : passage.end], section)


def citation_document(citation: Citation, origins: tuple[Origin, ...]) -> CitationDocument:
    """The record as a document. origins: the records that it was made of."""
    return CitationDocument(
        id=citation.id,
        pmid=citation.pmid,
        doi=citation.doi,
        pmcid=citation.pmcid,
        year=citation.year,
        url=record_url(citation),
        retracted=is_retracted(citation),
        signals=signals(citation),
        citation=citation,
        origins=origins,
    )
