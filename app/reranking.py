"""The best candidates of a ranking, read anew by a reranker."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from app.matching import MatchedSet
from indexer.citation import Citation
from indexer.passages import citation_text
from indexer.published import Published
from models.encoder import Vectors
from models.rerank.reranker import Reranker

CANDIDATES = 50
"""Citations that are read anew, whatever page is asked for: so every page is a slice of one order."""


def rerank(
    published: Published, matched: MatchedSet, query: str, reranker: Reranker
) -> tuple[MatchedSet, Vectors]:
    """The matched set with its first 50 ordered by the reranker, the rest behind them as before.

    Each is read by its best passage, or by its first if it was found by words alone. Second, the reranker's
    scores in that order. Ties go to the smaller id.
    """
    best = matched.numbers[:CANDIDATES]
    scores = reranker.score(query, candidate_texts(published, matched, best))
    # Numbers follow the sorted ids.
    order = np.lexsort((best, -scores))
    reordered = np.concatenate([order, np.arange(len(best), len(matched.numbers))])
    return (
        replace(matched, numbers=matched.numbers[reordered], scores=matched.scores[reordered]),
        scores[order],
    )


def candidate_texts(published: Published, matched: MatchedSet, numbers: NDArray[np.int64]) -> list[str]:
    """What the reranker reads of each citation."""
    ids = [published.columns.id(number) for number in numbers.tolist()]
    citations = published.read(ids)
    best = dict(zip(matched.dense.numbers.tolist(), matched.dense.positions.tolist(), strict=True))
    return [
        passage_text(published, citations[item], number, best.get(number))
        for number, item in zip(numbers.tolist(), ids, strict=True)
    ]


def passage_text(published: Published, citation: Citation, number: int, position: int | None) -> str:
    """The passage at the position, or else the citation's first; the whole text if it has no passage."""
    text = citation_text(citation)
    places = published.positions(number).tolist() if position is None else [position]
    if not places:
        return text
    place = min(map(published.place, places), key=lambda place: place.start)
    return text[place.start : place.end]
