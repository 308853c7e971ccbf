"""Cross-lingual search, language by language: does a text find its twin among all the English sentences?"""

from dataclasses import dataclass

import langcodes
import numpy as np
from numpy.typing import NDArray

from app.evaluation.measures import CONFIDENCE, interval, per_query
from app.evaluation.provenance import Provenance, provenance
from app.evaluation.runs import Run
from app.evaluation.sentences import Sentences
from indexer.progress import Progress
from models.encoder import Encoder

DEPTH = 10
ACCURACY, RECALL = "Success@1", "R@10"
BATCH = 512
"""Texts that are embedded between two advances of the progress bar."""


@dataclass(frozen=True, slots=True)
class LanguageMeasured:
    """accuracy: the share of texts whose twin comes first. recall: whose twin is among the first ten."""

    language: str
    name: str
    script: str
    sentences: int
    accuracy: float
    accuracy_interval: tuple[float, float]
    recall: float


@dataclass(frozen=True, slots=True)
class LanguagesEvaluation:
    """measures: means over the languages, each counting the same."""

    name: str
    english_sentences: int
    measures: dict[str, float]
    languages: tuple[LanguageMeasured, ...]
    confidence: float
    provenance: Provenance


def evaluate_languages(sentences: Sentences, encoder: Encoder, progress: Progress) -> LanguagesEvaluation:
    """Measure every language; texts are encoded as queries, the English sentences as passages."""
    total = len(sentences.english) + sum(map(len, sentences.twins.values()))
    progress.start("embedding", total, "sentences")
    parts = [sentences.english[first : first + BATCH] for first in range(0, len(sentences.english), BATCH)]
    passages = []
    for part in parts:
        passages.append(encoder.encode_passages(part))
        progress.advance(len(part))
    english = np.concatenate(passages)
    measured = []
    for language, pairs in sentences.twins.items():
        cosines = encoder.encode_queries([text for text, _ in pairs]) @ english.T
        measured.append(measure_language(language, cosines, [twin for _, twin in pairs]))
        progress.advance(len(pairs))
    progress.finish()
    return LanguagesEvaluation(
        name=sentences.name,
        english_sentences=len(english),
        measures={
            "accuracy@1": float(np.mean([row.accuracy for row in measured])),
            "recall@10": float(np.mean([row.recall for row in measured])),
        },
        languages=tuple(sorted(measured, key=lambda row: (row.script, row.language))),
        confidence=CONFIDENCE,
        provenance=provenance(encoder),
    )


def measure_language(language: str, cosines: NDArray[np.float32], twins: list[int]) -> LanguageMeasured:
    """cosines: (texts, English sentences). twins: for each text the column of its twin."""
    best = np.argsort(-cosines, axis=1, kind="stable")[:, :DEPTH]
    answers = {str(row): list(map(str, found)) for row, found in enumerate(best.tolist())}
    qrels = {str(row): {str(twin): 1} for row, twin in enumerate(twins)}
    values = per_query(qrels, Run(language, answers))
    tag = langcodes.Language.get(language.replace("_", "-"))
    return LanguageMeasured(
        language=language,
        name=tag.display_name(),
        script=tag.maximize().script or "",
        sentences=len(twins),
        accuracy=float(values[ACCURACY].mean()),
        accuracy_interval=interval(values[ACCURACY]),
        recall=float(values[RECALL].mean()),
    )
