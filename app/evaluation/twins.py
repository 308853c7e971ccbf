"""Which English sentences come first for each text: by vectors alone, or as the engine finds them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from app.engine import SearchEngine
from app.evaluation.runs import Run, Way, run_queries
from app.evaluation.sentences import Sentences
from app.evaluation.temporary import temporary_folder
from app.query import Mode
from indexer.job import index_files
from indexer.progress import Progress
from indexer.sources.beir import CORPUS
from indexer.sources.detect import Hints
from models.encoder import Encoder, Vectors

DEPTH = 10
VECTORS = "vectors"
"""Name of the run that ranks every English sentence by its cosine, with neither cut-off nor words."""
BATCH = 512
"""Texts that are embedded between two advances of the progress bar."""


@dataclass(frozen=True, slots=True)
class PreparedQueries:
    """An encoder that has embedded the queries to come together, which takes a fraction of the time."""

    encoder: Encoder
    vectors: dict[str, NDArray[np.float32]]

    @property
    def name(self) -> str:
        return self.encoder.name

    @property
    def fingerprint(self) -> str:
        return self.encoder.fingerprint

    @property
    def dimensions(self) -> int:
        return self.encoder.dimensions

    @property
    def max_tokens(self) -> int:
        return self.encoder.max_tokens

    @property
    def passage_tokens(self) -> int:
        return self.encoder.passage_tokens

    @property
    def cut_off(self) -> float | None:
        return self.encoder.cut_off

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        if all(text in self.vectors for text in texts):
            return np.stack([self.vectors[text] for text in texts])
        return self.encoder.encode_queries(texts)

    def encode_passages(self, texts: Sequence[str]) -> Vectors:
        return self.encoder.encode_passages(texts)

    def token_spans(self, texts: Sequence[str]) -> list[NDArray[np.int32]]:
        return self.encoder.token_spans(texts)


def rank_by_vectors(sentences: Sentences, encoder: Encoder, progress: Progress) -> Run:
    """The first ten by cosine, ties by row; texts are encoded as queries, English as passages."""
    passages = []
    progress.start("embedding", len(sentences.english), "English sentences")
    for first in range(0, len(sentences.english), BATCH):
        passages.append(encoder.encode_passages(sentences.english[first : first + BATCH]))
        progress.advance(len(passages[-1]))
    progress.finish()
    english = np.concatenate(passages)
    vectors = embed_texts(sentences, encoder, progress)
    answers: dict[str, list[str]] = {}
    for language, pairs in sentences.twins.items():
        cosines = np.stack([vectors[text] for text, _ in pairs]) @ english.T
        best = np.argsort(-cosines, axis=1, kind="stable")[:, :DEPTH]
        answers |= {
            query_id(language, number): list(map(str, found)) for number, found in enumerate(best.tolist())
        }
    return Run(VECTORS, answers)


def rank_by_search(
    sentences: Sentences, encoder: Encoder, progress: Progress, modes: Sequence[Mode], home: Path
) -> list[Run]:
    """The first ten of the engine in each mode, over a temporary library of the English sentences."""
    vectors = {} if set(modes) == {Mode.LEXICAL} else embed_texts(sentences, encoder, progress)
    with temporary_folder(home) as folder:
        corpus = folder / CORPUS
        lines = [{"_id": str(row), "text": text} for row, text in enumerate(sentences.english)]
        corpus.write_bytes(msgspec.json.Encoder().encode_lines(lines))
        index_files([corpus], folder / "library", encoder, progress, hints=Hints("beir"))
        engine = SearchEngine(folder / "library", PreparedQueries(encoder, vectors))
        queries = {
            query_id(language, number): text
            for language, pairs in sentences.twins.items()
            for number, (text, _) in enumerate(pairs)
        }
        return [run_queries(engine, queries, Way(mode), DEPTH, progress) for mode in modes]


def embed_texts(sentences: Sentences, encoder: Encoder, progress: Progress) -> dict[str, NDArray[np.float32]]:
    """Each text's vector as a query."""
    texts = list(dict.fromkeys(text for pairs in sentences.twins.values() for text, _ in pairs))
    progress.start("embedding", len(texts), "texts")
    vectors: dict[str, NDArray[np.float32]] = {}
    for first in range(0, len(texts), BATCH):
        part = texts[first : first + BATCH]
        vectors |= zip(part, encoder.encode_queries(part), strict=True)
        progress.advance(len(part))
    progress.finish()
    return vectors


def query_id(language: str, number: int) -> str:
    """Names the text of that number in its language."""
    return f"{language}/{number}"
