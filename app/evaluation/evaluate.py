"""One evaluation: a collection indexed, searched as users search, and measured."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.engine import SearchEngine
from app.evaluation.collection import Collection
from app.evaluation.measures import Compared, Measured, compare, per_query, summarise
from app.evaluation.provenance import Provenance, provenance
from app.evaluation.runs import Run, read_run, run_queries, write_run
from app.query import Mode
from indexer.job import index_files
from indexer.progress import Progress
from models.encoder import Encoder
from models.rerank.reranker import Reranker


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Everything that it takes to repeat it: what was searched, with what, how, and what came out.

    measures: those of the first run. depth: documents asked for. comparisons: each run with the first.
    """

    collection: str
    split: str
    queries: int
    documents: int
    measures: dict[str, float]
    runs: tuple[Measured, ...]
    comparisons: tuple[Compared, ...]
    depth: int
    library_version: int
    provenance: Provenance
    faults: tuple[str, ...]


def evaluate(
    collection: Collection,
    library: Path,
    encoder: Encoder,
    progress: Progress,
    *,
    modes: Sequence[Mode],
    depth: int = 100,
    against: Sequence[Path] = (),
    runs_folder: Path | None = None,
    rerankers: Mapping[str, Reranker] | None = None,
) -> Evaluation:
    """Index the collection's corpus into the library, unless it is there, and measure each mode.

    against: runs of other systems, in TREC's format, to measure beside. runs_folder: where to write ours.
    rerankers: by name; each gives one run more, over the hybrid ranking.
    """
    others = [read_run(path) for path in against]
    report = index_files([collection.corpus], library, encoder, progress, source="beir")
    engine = SearchEngine(library, encoder, rerankers)
    asked = [(mode, None) for mode in modes] + [(Mode.HYBRID, name) for name in engine.rerankers]
    runs = [run_queries(engine, collection.queries, mode, depth, progress, name) for mode, name in asked]
    if runs_folder is not None:
        for run in runs:
            write_run(run, runs_folder / f"{collection.name}-{collection.split}-{run.name}.txt")
    measured, comparisons = judge(collection, [*runs, *others])
    return Evaluation(
        collection=collection.name,
        split=collection.split,
        queries=len(collection.queries),
        documents=report.citations,
        measures=measured[0].measures,
        runs=tuple(measured),
        comparisons=tuple(comparisons),
        depth=depth,
        library_version=report.library_version,
        provenance=provenance(encoder),
        faults=report.faults,
    )


def judge(collection: Collection, runs: Sequence[Run]) -> tuple[list[Measured], list[Compared]]:
    """Every run's measures, and the first compared with each of the others."""
    values = [(run.name, per_query(collection.qrels, run)) for run in runs]
    measured = [summarise(name, found) for name, found in values]
    compared = [row for other in values[1:] for row in compare(values[0], other)]
    return measured, compared
