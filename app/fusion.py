"""Putting the dense and the lexical ranking into one."""

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float64]


def convex_combination(dense: Scores, lexical: Scores, weight: float) -> Scores:
    """Weight · dense + (1 - weight) · lexical, both (n,) in [0, 1].

    Of score and rank fusion the former is better and its weight easy to tune (Bruch, Gai and Ingber, ACM
    Transactions on Information Systems 42, 2023).
    """
    return weight * dense + (1 - weight) * lexical


def normalised(scores: NDArray[np.float32], lowest: float) -> Scores:
    """(n,) scores mapped so that `lowest` and less become 0 and the highest 1."""
    above = np.maximum(scores.astype(np.float64) - lowest, 0.0)
    highest = above.max(initial=0.0)
    return above / highest if highest else above
