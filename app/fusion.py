"""Putting two rankings into one."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

RRF_K = 60
"""The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009)."""


def reciprocal_rank_fusion(rankings: Sequence[NDArray[np.int64]], size: int) -> NDArray[np.float64]:
    """(size,) scores: for each number below size the sum of 1 / (60 + rank) over the rankings that have it.

    Each ranking lists distinct numbers, best first; ranks count from 1.
    """
    scores = np.zeros(size, np.float64)
    for ranking in rankings:
        scores[ranking] += 1.0 / (RRF_K + np.arange(1, len(ranking) + 1))
    return scores
