"""Measure hybrid, dense and lexical search, and write the tables of docs/quality.md.

COLLECTION is a folder as `bioglot evaluate` takes it; FOLDER:SPLIT names another split than test. Libraries
are kept where `bioglot evaluate` keeps them. Exit code 1: hybrid is worse than one of its parts somewhere.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from documents import DOCS, measured_on, replace_measured, share, table

from app.cli.options import settings_from
from app.cli.progress import open_progress
from app.evaluation.collection import read_collection
from app.evaluation.evaluate import Evaluation, evaluate, locate
from app.evaluation.languages import LanguagesEvaluation, evaluate_languages
from app.evaluation.measures import Compared
from app.evaluation.sentences import read_sentences
from app.query import Mode
from app.settings import Settings
from indexer.progress import Progress
from models.loading import load_encoder

MODES = (Mode.HYBRID, Mode.DENSE, Mode.LEXICAL)
MARGIN = 0.005
"""How far hybrid may lie below the better of its parts."""
PUBLISHED = {
    "scifact (test)": (
        ("BM25 (Anserini)", 0.679),
        ("BM25 (MTEB)", 0.687),
        ("bge-m3, dense", 0.644),
        ("multilingual-e5-small", 0.676),
        ("gte-multilingual-base", 0.734),
        ("jina-embeddings-v5-small", 0.765),
    )
}
"""nDCG@10 that others published, by collection."""


@dataclass(frozen=True, slots=True)
class Section:
    """What was measured on one collection: text for the document, and the main measure of each mode."""

    name: str
    text: str
    measure: str
    values: dict[str, float]

    def violations(self) -> Iterator[str]:
        """A line for each mode that hybrid is worse than."""
        for mode in MODES[1:]:
            less = self.values[mode] - self.values[Mode.HYBRID]
            if less > MARGIN:
                yield f"On {self.name}, hybrid is below {mode} by {share(less)} ({self.measure})."


def main() -> int:
    """Measures everything that is named, writes the document, and tells where hybrid is the worse choice."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("collections", nargs="+", metavar="COLLECTION")
    parser.add_argument("--languages", action="append", default=[], type=Path, metavar="FILE")
    parser.add_argument("--texts", type=int, default=40, metavar="N", help="texts of each language; 40")
    parser.add_argument("--model", help="the encoder, as bioglot index takes it")
    arguments = parser.parse_args()
    settings = settings_from(model=arguments.model)
    with open_progress() as progress:
        sections = [measure_collection(name, settings, progress) for name in arguments.collections]
        sections += [
            measure_languages(file, arguments.texts, settings, progress) for file in arguments.languages
        ]
    violations = [f"- {line}" for section in sections for line in section.violations()]
    bound = f"Hybrid search is nowhere below the better of its parts by more than {share(MARGIN)}."
    verdict = "\n".join(violations) or bound
    texts = [made_with(settings), verdict, *(section.text for section in sections)]
    replace_measured(DOCS / "quality.md", "\n\n".join(texts))
    print(verdict)
    return 1 if violations else 0


def made_with(settings: Settings) -> str:
    """When, on what, with which encoder and by which command."""
    encoder = load_encoder(settings.chosen_encoder)
    words = " ".join(Path(word).name if "/" in word else word for word in sys.argv[1:])
    return (
        f"{measured_on()} Encoder {encoder.name}, fingerprint `{encoder.fingerprint}`.\n"
        f'Command: `make bench BENCH=quality BENCH_ARGS="{words}"`.'
    )


def measure_collection(name: str, settings: Settings, progress: Progress) -> Section:
    """All modes on one collection."""
    folder, _, split = name.partition(":")
    collection = read_collection(Path(folder), split or "test")
    library, encoder = locate(collection, settings)
    result = evaluate(collection, library, encoder, progress, modes=MODES)
    title = f"{result.collection} ({result.split})"
    values = {run.run: run.measures["nDCG@10"] for run in result.runs}
    return Section(title, collection_text(title, result), "nDCG@10", values)


def collection_text(title: str, result: Evaluation) -> str:
    """The tables of one collection."""
    rows = [
        [
            run.run,
            *(
                f"{share(value)} ({'–'.join(map(share, run.intervals[name]))})"
                for name, value in run.measures.items()
            ),
        ]
        for run in result.runs
    ]
    text = (
        f"## {title}\n\n{result.queries:,} queries, {result.documents:,} documents.\n\n"
        f"{table(['', *result.measures], rows)}\n\n{differences(result.comparisons)}"
    )
    if title in PUBLISHED:
        published = [[name, share(value)] for name, value in PUBLISHED[title]]
        text += f"\n\nPublished by others, on the same queries:\n\n{table(['', 'nDCG@10'], published)}"
    return text


def measure_languages(file: Path, texts: int, settings: Settings, progress: Progress) -> Section:
    """All modes on so many sentences of each language, at equal distances; English has all of its own."""
    whole = read_sentences(file)
    twins = {
        language: pairs[:: max(1, len(pairs) // texts)][:texts] for language, pairs in whole.twins.items()
    }
    encoder = load_encoder(settings.chosen_encoder)
    home = settings.home / "evaluation" / "temporary"
    sentences = replace(whole, twins=twins)
    result = evaluate_languages(sentences, encoder, progress, modes=MODES, home=home)
    values = {run.run: run.measures["accuracy@1"] for run in result.runs}
    return Section(result.name, languages_text(result), "mean accuracy@1", values)


def languages_text(result: LanguagesEvaluation) -> str:
    """The tables of one file; a language is worse off if hybrid finds fewer of its twins than dense does."""
    rows = [[run.run, *map(share, run.measures.values())] for run in result.runs]
    hybrid, dense = ([row.accuracy for row in run.languages] for run in result.runs[:2])
    worse = sum(one < other - MARGIN for one, other in zip(hybrid, dense, strict=True))
    better = sum(one > other + MARGIN for one, other in zip(hybrid, dense, strict=True))
    texts = result.languages[0].sentences
    return (
        f"## {result.name}\n\n{texts} texts in each of {len(hybrid)} languages, looking for their twins "
        f"among {result.english_sentences:,} English sentences; means over the languages.\n\n"
        f"{table(['', *result.measures], rows)}\n\n{differences(result.comparisons)}\n\n"
        f"By accuracy@1, hybrid is worse than dense by more than {share(MARGIN)} in {worse} languages, and "
        f"better in {better}."
    )


def differences(comparisons: Iterable[Compared]) -> str:
    """Hybrid minus each of the others, with the p of the paired test."""
    rows: dict[str, list[str]] = {}
    names: Sequence[str] = list(dict.fromkeys(row.measure for row in comparisons))
    for row in comparisons:
        sign = "+" if row.difference >= 0 else "−"
        cell = f"{sign}{share(abs(row.difference))} (p {row.p:.4f})".replace("0.", ".")
        rows.setdefault(row.second, [f"hybrid − {row.second}"]).append(cell)
    return table(["", *names], list(rows.values()))


if __name__ == "__main__":
    sys.exit(main())
