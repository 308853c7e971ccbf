"""Cross-lingual search, language by language: does a text find its twin among all the English sentences?"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from langcodes import Language

from app.evaluation.measures import CONFIDENCE, Compared, interval, paired_p, per_query
from app.evaluation.provenance import Provenance, provenance
from app.evaluation.runs import Run
from app.evaluation.sentences import Sentences
from app.evaluation.twins import query_id, rank_by_search, rank_by_vectors
from app.query import Mode
from indexer.progress import Progress
from models.encoder import Encoder
from models.families import family

ACCURACY, RECALL = "Success@1", "R@10"
TAGS = {"es-LA": "es-419"}
"""What some codes of collections mean: TICO-19's is the Spanish of Latin America, not that of Laos."""


@dataclass(frozen=True, slots=True)
class LanguageMeasured:
    """accuracy: the share of texts whose twin comes first. recall: whose twin is among the first ten."""

    language: str
    name: str
    script: str
    family: str
    sentences: int
    accuracy: float
    accuracy_interval: tuple[float, float]
    recall: float


@dataclass(frozen=True, slots=True)
class LanguagesMeasured:
    """measures: means over the languages, each counting the same; languages by script, family and code."""

    run: str
    measures: dict[str, float]
    languages: tuple[LanguageMeasured, ...]


@dataclass(frozen=True, slots=True)
class LanguagesEvaluation:
    """measures, languages: those of the first run. comparisons: each run with the first, over languages."""

    name: str
    english_sentences: int
    measures: dict[str, float]
    languages: tuple[LanguageMeasured, ...]
    runs: tuple[LanguagesMeasured, ...]
    comparisons: tuple[Compared, ...]
    confidence: float
    provenance: Provenance


def evaluate_languages(
    sentences: Sentences, encoder: Encoder, progress: Progress, *, modes: Sequence[Mode] = (), home: Path
) -> LanguagesEvaluation:
    """Measure every language by vectors alone, or as the engine searches in each of the modes.

    home: where a temporary library for the modes is made.
    """
    found = (
        rank_by_search(sentences, encoder, progress, modes, home)
        if modes
        else [rank_by_vectors(sentences, encoder, progress)]
    )
    runs = [measure_run(sentences, run) for run in found]
    return LanguagesEvaluation(
        name=sentences.name,
        english_sentences=len(sentences.english),
        measures=runs[0].measures,
        languages=runs[0].languages,
        runs=tuple(runs),
        comparisons=tuple(row for other in runs[1:] for row in compare_runs(runs[0], other)),
        confidence=CONFIDENCE,
        provenance=provenance(encoder),
    )


def measure_run(sentences: Sentences, run: Run) -> LanguagesMeasured:
    """Every language of a run whose queries are named by query_id."""
    rows = [
        measure_language(
            language,
            [run.answers[query_id(language, number)] for number in range(len(pairs))],
            [twin for _, twin in pairs],
        )
        for language, pairs in sentences.twins.items()
    ]
    means = {
        "accuracy@1": float(np.mean([row.accuracy for row in rows])),
        "recall@10": float(np.mean([row.recall for row in rows])),
    }
    ordered = sorted(rows, key=lambda row: (row.script, row.family, row.language))
    return LanguagesMeasured(run.name, means, tuple(ordered))


def measure_language(language: str, answers: list[list[str]], twins: list[int]) -> LanguageMeasured:
    """answers: rows of English sentences for each text, best first. twins: the row that is right."""
    qrels = {str(number): {str(twin): 1} for number, twin in enumerate(twins)}
    values = per_query(qrels, Run(language, {str(number): found for number, found in enumerate(answers)}))
    tag = Language.get(TAGS.get(language, language).replace("_", "-"))
    spoken = Language.make(tag.language, territory=tag.territory).display_name()
    return LanguageMeasured(
        language=language,
        name=spoken.removesuffix(" (individual language)"),
        script=tag.maximize().script or "",
        family=family(tag),
        sentences=len(twins),
        accuracy=float(values[ACCURACY].mean()),
        accuracy_interval=interval(values[ACCURACY]),
        recall=float(values[RECALL].mean()),
    )


def compare_runs(first: LanguagesMeasured, second: LanguagesMeasured) -> list[Compared]:
    """Mean difference over the languages, with the p of the paired test in which a language is one pair."""
    compared = []
    for measure, name in (("accuracy@1", "accuracy"), ("recall@10", "recall")):
        one, other = (np.array([getattr(row, name) for row in run.languages]) for run in (first, second))
        difference = float((one - other).mean())
        compared.append(Compared(first.run, second.run, measure, difference, paired_p(one, other)))
    return compared
