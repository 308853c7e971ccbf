"""One evaluation: a collection indexed, searched as users search, and measured."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.engine import SearchEngine
from app.evaluation.collection import Collection
from app.evaluation.measures import Compared, Measured, compare, per_query, summarise
from app.evaluation.provenance import Provenance, provenance
from app.evaluation.runs import Run, Way, read_run, run_queries, write_run
from app.query import Mode, Prior
from app.settings import Settings
from indexer.errors import LibraryBusy
from indexer.job import index_files
from indexer.library import open_library
from indexer.progress import Progress
from indexer.sources.beir import CORPUS, PREFIX
from indexer.sources.detect import Hints
from models.encoder import Encoder
from models.errors import UsageError
from models.rerank.reranker import Reranker

PUBMED = "pmid:"
WAIT_SECONDS = 1.0


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
    priors: Sequence[Prior] = (),
) -> Evaluation:
    """Index the collection's corpus into the library, unless it is there, and measure each mode.

    A collection without a corpus is measured on the library as it is; UsageError if it has nothing relevant.
    against: runs of other systems, in TREC's format, to measure beside. runs_folder: where to write ours.
    rerankers (by name) and priors give a run more each, over the hybrid ranking.
    """
    others = list(map(read_run, against))
    faults = () if collection.corpus is None else index_corpus(collection.corpus, library, encoder, progress)
    engine = SearchEngine(library, encoder, rerankers)
    check_relevant(collection, engine, progress)
    ways = [*map(Way, modes), *hybrid_ways(engine.rerankers, priors)]
    runs = [run_queries(engine, collection.queries, way, depth, progress) for way in ways]
    write_runs(runs, runs_folder, f"{collection.name}-{collection.split}")
    measured, comparisons = judge(collection, [*runs, *others])
    return Evaluation(
        collection=collection.name,
        split=collection.split,
        queries=len(collection.queries),
        documents=engine.published().set.citations,
        measures=measured[0].measures,
        runs=tuple(measured),
        comparisons=tuple(comparisons),
        depth=depth,
        library_version=engine.published().set.number,
        provenance=provenance(encoder),
        faults=faults,
    )


def hybrid_ways(rerankers: Iterable[str], priors: Iterable[Prior]) -> Iterator[Way]:
    """Hybrid search with each reranker, and with each prior."""
    yield from (Way(Mode.HYBRID, rerank=name) for name in rerankers)
    yield from (Way(Mode.HYBRID, prior=prior) for prior in priors)


def write_runs(runs: Sequence[Run], folder: Path | None, name: str) -> None:
    """Write each run as NAME-RUN.txt, if there is a folder for it."""
    for run in runs:
        if folder is not None:
            write_run(run, folder / f"{name}-{run.name}.txt")


def locate(collection: Collection, settings: Settings, library: Path | None = None) -> tuple[Path, Encoder]:
    """Where the collection's documents are to be found, and the encoder for them.

    Unless a library is named: for a corpus a folder of its own under settings.home, else settings.library.
    """
    from models.loading import load_encoder

    if collection.corpus is None:
        library = library or settings.library
        if not library.is_dir():
            raise UsageError(
                f"{collection.name} has no {CORPUS}, and there is no library at {library}: "
                "name one that has the documents with --library DIR"
            )
        return library, load_encoder(settings.encoder or open_library(library).encoder.settings)
    encoder = load_encoder(settings.chosen_encoder)
    folder = settings.home / "evaluation" / f"{collection.name}-{encoder.fingerprint}"
    return library or folder, encoder


def index_corpus(corpus: Path, library: Path, encoder: Encoder, progress: Progress) -> tuple[str, ...]:
    """Index a corpus, once another evaluation that is at it is done; what was set aside."""
    waiting = False
    while True:
        try:
            return index_files([corpus], library, encoder, progress, hints=Hints("beir")).faults
        except LibraryBusy as busy:
            if not waiting:
                progress.note(str(busy))
            waiting = True
            time.sleep(WAIT_SECONDS)


def check_relevant(collection: Collection, engine: SearchEngine, progress: Progress) -> None:
    """Notes how many of the relevant documents the library lacks; raises UsageError if it lacks them all."""
    wanted = sorted({id for grades in collection.qrels.values() for id, grade in grades.items() if grade > 0})
    prefix = PUBMED if collection.corpus is None else PREFIX
    numbers = engine.published().columns.numbers([prefix + id for id in wanted])
    missing = int((numbers < 0).sum())
    if wanted and missing == len(wanted):
        raise UsageError(
            f"none of the {missing:,} relevant documents of {collection.name} is in library "
            f"{engine.library}: {wanted[0]!r} would be {prefix + wanted[0]!r} there"
        )
    if missing:
        progress.note(f"{missing:,} of {len(wanted):,} relevant documents are not in the library")


def judge(collection: Collection, runs: Sequence[Run]) -> tuple[list[Measured], list[Compared]]:
    """Every run's measures, and the first compared with each of the others."""
    values = [(run.name, per_query(collection.qrels, run)) for run in runs]
    measured = [summarise(name, found) for name, found in values]
    compared = [row for other in values[1:] for row in compare(values[0], other)]
    return measured, compared
