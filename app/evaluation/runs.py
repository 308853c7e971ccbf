"""Runs: what a system answered to each query of a collection, from our engine or from a TREC run file."""

import math
from dataclasses import dataclass
from pathlib import Path

from app.engine import SearchEngine
from app.evaluation.collection import read_lines
from app.query import Mode, Prior, Query
from indexer.progress import Progress
from models.errors import UsageError

TREC_COLUMNS = 6


@dataclass(frozen=True, slots=True)
class Run:
    """answers: query id to document ids, best first."""

    name: str
    answers: dict[str, list[str]]

    def scores(self) -> dict[str, dict[str, float]]:
        """For tools that rank by score: 1/rank, which keeps our order also where scores tie."""
        return {
            query: {document: 1 / rank for rank, document in enumerate(documents, 1)}
            for query, documents in self.answers.items()
        }


@dataclass(frozen=True, slots=True)
class Way:
    """A way of searching that is measured: the mode, and what orders its hits besides."""

    mode: Mode
    rerank: str | None = None
    prior: Prior = Prior.NONE


def run_queries(
    engine: SearchEngine, queries: dict[str, str], way: Way, depth: int, progress: Progress
) -> Run:
    """Ask the engine every query as a user would, for the first `depth` documents."""
    reranker = engine.reranker(way.rerank)
    name = way.mode.value + (f"+{reranker.name}" if reranker else "")
    name += "" if way.prior is Prior.NONE else f"+{way.prior.value}"
    progress.start(f"searching ({name})", len(queries), "queries")
    answers = {}
    for id, text in queries.items():
        try:
            query = Query(text, way.mode, limit=depth, collapse=False, rerank=way.rerank, prior=way.prior)
            page = engine.search(query)
        except UsageError as error:
            raise UsageError(f"query {id!r} of the collection: {error}") from None
        answers[id] = [hit.id.partition(":")[2] for hit in page.hits]
        progress.advance()
    progress.finish()
    return Run(name, answers)


def write_run(run: Run, path: Path) -> None:
    """Write in TREC's format: query, Q0, document, rank, score, name of the run."""
    lines = [
        f"{query} Q0 {document} {rank} {1 / rank:.6f} bioglot-{run.name}\n"
        for query, documents in run.answers.items()
        for rank, document in enumerate(documents, 1)
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(lines), encoding="utf-8")


def read_run(path: Path) -> Run:
    """Read a run in TREC's format; documents are ordered by score, as TREC's own tool does. UsageError."""
    found: dict[str, list[tuple[float, str]]] = {}
    for number, line in read_lines(path):
        fields = line.split()
        try:
            query, _, document, _, score, _ = fields
            found.setdefault(query, []).append((finite(score), document))
        except ValueError:
            raise UsageError(
                f"{path}, line {number}: {line.strip()!r}, expected {TREC_COLUMNS} fields, "
                "query Q0 document rank score name, with a number as score"
            ) from None
    if not found:
        raise UsageError(f"{path}: no line in this run")
    ordered = {query: sorted(rows, reverse=True) for query, rows in found.items()}
    return Run(path.stem, {query: [document for _, document in rows] for query, rows in ordered.items()})


def finite(text: str) -> float:
    """The number; raises ValueError for what has no place in an order."""
    if not math.isfinite(number := float(text)):
        raise ValueError
    return number
