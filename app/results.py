"""What a user gets back."""

from dataclasses import dataclass

from app.query import Query
from app.record import SearchRecord
from indexer.citation import Citation

EXPLAINED = 10
"""Hits of one page that get evidence unless somebody asks for more: each takes time."""


@dataclass(frozen=True, slots=True)
class Span:
    """Characters [start, end) of indexer.passages.citation_text(citation)."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """A sentence that answers, characters [start, end) as in Span; scores compare within one hit."""

    start: int
    end: int
    score: float


@dataclass(frozen=True, slots=True)
class Hit:
    """One citation found. `score` orders hits within one mode and is not comparable between modes.

    passage: the best one; None if not found that way, and then dense_score is None too.
    dense_score: cosine of query and best passage.
    lexical_score: BM25; None if no term matched.
    evidence: the sentences that best answer; marks: the words that match. In text order; both empty until
    SearchEngine.explain finds them.
    rerank_score: orders those that were reranked, before all others; None if it was not.
    """

    rank: int
    id: str
    score: float
    citation: Citation
    passage: Span | None
    dense_score: float | None
    lexical_score: float | None
    duplicates: tuple[str, ...] = ()
    """Ids of the other records of the article, matched or not; () if the query keeps them apart."""
    evidence: tuple[Evidence, ...] = ()
    marks: tuple[Span, ...] = ()
    rerank_score: float | None = None


@dataclass(frozen=True, slots=True)
class Timings:
    """Milliseconds spent in each step of one search."""

    encode: float
    search: float
    fetch: float
    evidence: float = 0.0
    rerank: float = 0.0


@dataclass(frozen=True, slots=True)
class ResultPage:
    """`total` counts the matched set (see SearchEngine.search); above 10,000 `total_exact` is False.

    record: of a search; lists of similar papers have none.
    missing: identifiers of the query that the library does not have.
    suggestion: the query in words that the library has, if some of it are not.
    """

    query: Query
    hits: tuple[Hit, ...]
    total: int
    total_exact: bool
    timings: Timings
    library_version: int
    encoder: str
    record: SearchRecord | None = None
    suggestion: str | None = None
    missing: tuple[str, ...] = ()
    reranker: str | None = None
