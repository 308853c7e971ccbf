"""Measures of retrieval, by ir-measures, with what chance alone may have added or taken.

Intervals are percentiles of the bootstrap over queries; two runs are compared by the paired randomization
test of Smucker, Allan and Carterette (CIKM 2007). Both draw from a fixed seed.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.evaluation.collection import Qrels
from app.evaluation.runs import Run
from models.errors import UsageError

MEASURES = ("nDCG@10", "R@10", "R@100", "RR", "Success@1")
RESAMPLES = 9_999
CONFIDENCE = 0.95
SEED = 0
PerQuery = dict[str, NDArray[np.float64]]
"""Measure to its values, one for each query of the qrels in sorted order."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Means over all judged queries, and the 95 % interval of each."""

    run: str
    measures: dict[str, float]
    intervals: dict[str, tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Compared:
    """difference: mean of first minus second. p: two-sided, that chance alone gives as much."""

    first: str
    second: str
    measure: str
    difference: float
    p: float


def check_tools() -> None:
    """Raises UsageError if the libraries that evaluation needs are not installed."""
    try:
        import ir_measures  # noqa: F401
        import matplotlib  # noqa: F401
        import scipy.stats  # noqa: F401
    except ImportError as error:
        raise UsageError(f"evaluation needs {error.name}: pip install 'bioglot[evaluation]'") from None


def per_query(qrels: Qrels, run: Run) -> PerQuery:
    """Every measure for every judged query; a query without an answer counts as 0."""
    import ir_measures

    rows = {query: row for row, query in enumerate(sorted(qrels))}
    values = {name: np.zeros(len(rows)) for name in MEASURES}
    measures = [ir_measures.parse_measure(name) for name in MEASURES]
    for found in ir_measures.iter_calc(measures, qrels, run.scores()):
        values[str(found.measure)][rows[found.query_id]] = found.value
    return values


def summarise(run: str, values: PerQuery) -> Measured:
    """Means and intervals."""
    return Measured(
        run,
        {name: float(found.mean()) for name, found in values.items()},
        {name: interval(found) for name, found in values.items()},
    )


def interval(values: NDArray[np.float64]) -> tuple[float, float]:
    """The 95 % interval of the mean."""
    from scipy.stats import bootstrap

    if len(values) == 1 or np.ptp(values) == 0:
        return float(values.min()), float(values.max())
    found = bootstrap(
        (values,),
        np.mean,
        n_resamples=RESAMPLES,
        batch=500,
        confidence_level=CONFIDENCE,
        method="percentile",
        rng=np.random.default_rng(SEED),
    ).confidence_interval
    return float(found.low), float(found.high)


def compare(first: tuple[str, PerQuery], second: tuple[str, PerQuery]) -> list[Compared]:
    """The difference of two runs in every measure."""
    (name, values), (other, others) = first, second
    return [
        Compared(
            name,
            other,
            measure,
            float((values[measure] - others[measure]).mean()),
            paired_p(values[measure], others[measure]),
        )
        for measure in MEASURES
    ]


def paired_p(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    """Two-sided p of the paired randomization test on the difference of means."""
    from scipy.stats import permutation_test

    if np.array_equal(first, second):
        return 1.0
    found = permutation_test(
        (first, second),
        lambda a, b, axis: np.mean(a - b, axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=RESAMPLES,
        batch=500,
        rng=np.random.default_rng(SEED),
    )
    return float(found.pvalue)
