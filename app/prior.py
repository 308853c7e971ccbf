"""A gentle prior: what speaks for a paper whatever the question, its year and its kind of study."""

import numpy as np
from numpy.typing import NDArray

from app.query import Prior, Query
from indexer.published import Published

MOST = 0.05
"""The most that a year or a kind of study adds, as a share of the span of a question's scores."""

HALF_LIFE = 10.0
"""Years after which a paper has half the bonus of one of the library's newest year."""

EVIDENCE = (
    (1.0, ("Meta-Analysis", "Systematic Review", "Practice Guideline", "Guideline")),
    (0.8, ("Randomized Controlled Trial", "Pragmatic Clinical Trial", "Equivalence Trial")),
    (0.6, ("Controlled Clinical Trial", "Clinical Trial", "Adaptive Clinical Trial")),
    (0.6, tuple(f"Clinical Trial, Phase {phase}" for phase in ("I", "II", "III", "IV"))),
    (0.4, ("Observational Study", "Twin Study", "Multicenter Study")),
    (0.2, ("Review", "Case Reports")),
)
"""Share of the bonus by publication type, in the order of the Oxford levels of evidence (OCEBM, 2011).

A paper of several types has the highest; one of no such type, or a retracted one, has none.
"""


def prior_bonus(published: Published, query: Query) -> NDArray[np.float64]:
    """(n,) bonus of every citation, from 0 to MOST for each of the things that the query's prior counts."""
    bonus = np.zeros(len(published.columns.ids), np.float64)
    if query.prior in (Prior.RECENT, Prior.BOTH):
        bonus += MOST * recency(np.asarray(published.columns.years))
    if query.prior in (Prior.EVIDENCE, Prior.BOTH):
        bonus += MOST * evidence(published)
    return bonus


def recency(years: NDArray[np.int16]) -> NDArray[np.float64]:
    """(n,) from 0 to 1: half for every HALF_LIFE years before the newest; 0 where the year is unknown."""
    newest = years.max(initial=0)
    share: NDArray[np.float64] = np.where(years > 0, 0.5 ** ((newest - years.astype(float)) / HALF_LIFE), 0.0)
    return share


def evidence(published: Published) -> NDArray[np.float64]:
    """(n,) from 0 to 1, by the table above."""
    columns = published.columns
    size = len(columns.ids)
    share = np.zeros(size, np.float64)
    for level, types in reversed(EVIDENCE):
        share[columns.fields["publication_types"].mask(types, size)] = level
    share[columns.fields["signals"].mask(["retracted"], size)] = 0.0
    return share
