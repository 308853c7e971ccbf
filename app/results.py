"""What a user gets back."""

from dataclasses import dataclass

from app.query import Query
from indexer.citation import Citation


@dataclass(frozen=True, slots=True)
class Span:
    """The best passage of a hit: characters [start, end) of indexer.passages.citation_text(citation)."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Hit:
    """One citation found. `score` orders hits within one mode and is not comparable between modes.

    dense_score: cosine of query and best passage; None if not found that way.
    lexical_score: BM25; None if no term matched.
    rerank_score: orders those that were reranked, before all others; None if it was not.
    """

    rank: int
    id: str
    score: float
    citation: Citation
    passage: Span | None
    dense_score: float | None
    lexical_score: float | None
    rerank_score: float | None = None


@dataclass(frozen=True, slots=True)
class Timings:
    """Milliseconds spent in each step of one search."""

    encode: float
    search: float
    fetch: float
    rerank: float = 0.0


@dataclass(frozen=True, slots=True)
class ResultPage:
    """`total` counts the matched set (see SearchEngine.search); above 10,000 `total_exact` is False."""

    query: Query
    hits: tuple[Hit, ...]
    total: int
    total_exact: bool
    timings: Timings
    library_version: int
    encoder: str
    reranker: str | None = None
