"""Similar articles: which citations have passages close to those of one citation."""

import numpy as np
from numpy.typing import NDArray

from app.matching import EMPTY, MatchedSet, Ranking
from indexer.published import Published

NEAREST = 1000
"""Passages looked up for each passage of the citation; their citations are the candidates."""

NONE = MatchedSet(EMPTY.numbers, EMPTY.scores.astype(np.float64), EMPTY, EMPTY)


def similar_citations(published: Published, number: int) -> MatchedSet:
    """Every candidate, best first, ties by id; the citation itself is left out.

    score: how well each covers the other, as the mean of two means: over the citation's passages of the best
    cosine to the candidate's, and the other way round. Exact over the candidates.
    """
    vectors = published.dense.vectors(published.positions(number))
    if not len(vectors):
        return NONE
    others = np.asarray(published.owners) != number
    found = [published.dense.nearest(vector, NEAREST, others).positions for vector in vectors]
    numbers = np.unique(published.owners[np.concatenate(found)]).astype(np.int64)
    if not len(numbers):
        return NONE
    runs = [published.positions(candidate) for candidate in numbers.tolist()]
    starts = np.cumsum([0, *map(len, runs)])[:-1]
    positions = np.concatenate(runs)
    cosines = vectors @ published.dense.vectors(positions).T
    scores = coverage(cosines, starts)
    best = starts + [int(part.max(axis=0).argmax()) for part in np.split(cosines, starts[1:], axis=1)]
    order = np.lexsort((numbers, -scores))
    ranking = Ranking(numbers[order], scores[order].astype(np.float32), positions[best][order])
    return MatchedSet(ranking.numbers, scores[order], ranking, EMPTY)


def coverage(cosines: NDArray[np.float32], starts: NDArray[np.int64]) -> NDArray[np.float64]:
    """(candidates,) scores from (own, candidates' passages) cosines; starts: where each candidate begins."""
    own = np.maximum.reduceat(cosines, starts, axis=1).mean(axis=0, dtype=np.float64)
    sizes = np.diff(starts, append=cosines.shape[1])
    theirs = np.add.reduceat(cosines.max(axis=0).astype(np.float64), starts) / sizes
    scores: NDArray[np.float64] = (own + theirs) / 2
    return scores
