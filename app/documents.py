"""The documents that the command line and the API give back: plain records, ready for JSON."""

from dataclasses import dataclass

from app.query import Filters, Mode
from app.reading import author_name, is_retracted, journal_name, passage_text, record_url
from app.results import Hit, ResultPage, Timings
from indexer.citation import Citation


@dataclass(frozen=True, slots=True)
class PassageDocument:
    """The best passage of a hit, and where it stands in the record's text."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class HitDocument:
    """One citation found; the scores are those of app.results.Hit."""

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
    url: str | None
    score: float
    dense_score: float | None
    lexical_score: float | None
    rerank_score: float | None
    passage: PassageDocument | None


@dataclass(frozen=True, slots=True)
class QueryDocument:
    """The question as it was understood."""

    q: str
    mode: Mode
    filters: Filters
    limit: int
    offset: int
    rerank: str | None


@dataclass(frozen=True, slots=True)
class SearchDocument:
    """One page of results; `total` is a lower bound where `total_exact` is false; timings in milliseconds."""

    query: QueryDocument
    total: int
    total_exact: bool
    hits: tuple[HitDocument, ...]
    timings: Timings
    library_version: int
    encoder: str
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
    citation: Citation


def search_document(page: ResultPage) -> SearchDocument:
    """The page as a document."""
    query = page.query
    return SearchDocument(
        query=QueryDocument(query.text, query.mode, query.filters, query.limit, query.offset, query.rerank),
        total=page.total,
        total_exact=page.total_exact,
        hits=tuple(map(hit_document, page.hits)),
        timings=page.timings,
        library_version=page.library_version,
        encoder=page.encoder,
        reranker=page.reranker,
    )


def hit_document(hit: Hit) -> HitDocument:
    """The hit as a document."""
    citation = hit.citation
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
        url=record_url(citation),
        score=hit.score,
        dense_score=hit.dense_score,
        lexical_score=hit.lexical_score,
        rerank_score=hit.rerank_score,
        passage=passage_document(hit),
    )


def passage_document(hit: Hit) -> PassageDocument | None:
    """The hit's best passage, if it was found by one."""
    if hit.passage is None:
        return None
    return PassageDocument(hit.passage.start, hit.passage.end, passage_text(hit.citation, hit.passage))


def citation_document(citation: Citation) -> CitationDocument:
    """The record as a document."""
    return CitationDocument(
        id=citation.id,
        pmid=citation.pmid,
        doi=citation.doi,
        pmcid=citation.pmcid,
        year=citation.year,
        url=record_url(citation),
        retracted=is_retracted(citation),
        citation=citation,
    )
