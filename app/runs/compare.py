"""What differs between two runs, and whether it is more than other seeds would make of it.

Runs that differ in nothing but their seeds are repeats. The repeats of both runs are compared by Welch's
t-test; where one run stands alone, by Student's, which then asks whether it fits among the repeats of the
other. For languages, of which there are many, p is adjusted by the method of Benjamini and Hochberg.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from app.runs.reading import Curve, RunStore
from app.runs.summary import RunDetails

SIGNIFICANT = 0.05


class Verdict(StrEnum):
    """Whether a difference is beyond the spread of repeated seeds."""

    BEYOND = "beyond the spread of seeds"
    WITHIN = "within the spread of seeds"
    UNKNOWN = "cannot be told: no repeated seeds"


@dataclass(frozen=True, slots=True)
class Difference:
    """A value that is not the same in both runs; kind: configuration, data, code or machine."""

    kind: str
    key: str
    one: str
    other: str


@dataclass(frozen=True, slots=True)
class MeasureCompared:
    """Last values and their difference, one minus other.

    means, repeats: of the finished repeats of each run that have the measure, itself among them.
    p: two-sided, that seeds alone make the means differ as much; None if that cannot be told.
    """

    measure: str
    one: float | None
    other: float | None
    difference: float | None
    means: tuple[float | None, float | None]
    repeats: tuple[int, int]
    p: float | None
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Comparison:
    """related: the runs are repeats of one another, so that all that differs is due to seeds.

    curves: of both runs, by measure.
    """

    one: RunDetails
    other: RunDetails
    related: bool
    differences: tuple[Difference, ...]
    measures: tuple[MeasureCompared, ...]
    languages: tuple[MeasureCompared, ...]
    curves: dict[str, tuple[Curve, Curve]]

    def verdict(self, row: MeasureCompared) -> str:
        """What to say of a difference."""
        return "repeats of one another" if self.related else str(row.verdict)


def compare_runs(store: RunStore, one: RunDetails, other: RunDetails) -> Comparison:
    """Everything that differs between the two."""
    related = bool(one.repeats) and one.repeats == other.repeats
    ones, others = ((), ()) if related else (store.repeats(one), store.repeats(other))
    measures = compare_values(
        one.measures, other.measures, [run.measures for run in ones], [run.measures for run in others]
    )
    languages = compare_values(
        one.languages, other.languages, [run.languages for run in ones], [run.languages for run in others]
    )
    return Comparison(
        one=one,
        other=other,
        related=related,
        differences=differences(one, other),
        measures=measures,
        languages=adjusted(languages),
        curves=both(store.curves(one), store.curves(other)),
    )


def both(ones: Mapping[str, Curve], others: Mapping[str, Curve]) -> dict[str, tuple[Curve, Curve]]:
    """The curves of two runs by measure; an empty one where a run has none."""
    nothing = Curve((), ())
    return {
        name: (ones.get(name, nothing), others.get(name, nothing))
        for name in sorted(ones.keys() | others.keys())
    }


def differences(one: RunDetails, other: RunDetails) -> tuple[Difference, ...]:
    """What went in, as far as it differs."""
    found = []
    for kind, values in one.inputs.items():
        others = other.inputs[kind]
        found += [
            Difference(kind, key, values.get(key, ""), others.get(key, ""))
            for key in sorted(values.keys() | others.keys())
            if values.get(key) != others.get(key)
        ]
    return tuple(found)


def compare_values(
    one: Mapping[str, float],
    other: Mapping[str, float],
    ones: Sequence[Mapping[str, float]],
    others: Sequence[Mapping[str, float]],
) -> tuple[MeasureCompared, ...]:
    """Each measure of two runs by name; ones, others: the measures of their repeats."""
    return tuple(
        compare_measure(
            name,
            one.get(name),
            other.get(name),
            [values[name] for values in ones if name in values],
            [values[name] for values in others if name in values],
        )
        for name in sorted(one.keys() | other.keys())
    )


def compare_measure(
    name: str, one: float | None, other: float | None, ones: Sequence[float], others: Sequence[float]
) -> MeasureCompared:
    """One measure; ones, others: its values in the repeats of each."""
    p = p_of_difference(ones, others)
    return MeasureCompared(
        measure=name,
        one=one,
        other=other,
        difference=None if one is None or other is None else one - other,
        means=(mean(ones), mean(others)),
        repeats=(len(ones), len(others)),
        p=p,
        verdict=verdict(p),
    )


def mean(values: Sequence[float]) -> float | None:
    """The arithmetic mean, if there is one."""
    return math.fsum(values) / len(values) if values else None


def verdict(p: float | None) -> Verdict:
    """What p says."""
    if p is None:
        return Verdict.UNKNOWN
    return Verdict.BEYOND if p < SIGNIFICANT else Verdict.WITHIN


def p_of_difference(ones: Sequence[float], others: Sequence[float]) -> float | None:
    """Two-sided p of the t-test; None without a repeat on either side, or if a value is not finite.

    Two values are the least for Welch's test on each side. Repeats that agree to the digit leave no room:
    any difference is beyond them.
    """
    from scipy.stats import ttest_ind

    if not ones or not others or len(ones) + len(others) < 3:
        return None
    if not all(map(math.isfinite, (*ones, *others))):
        return None
    if len(set(ones)) == len(set(others)) == 1:
        return 1.0 if ones[0] == others[0] else 0.0
    single = 1 in (len(ones), len(others))
    return float(ttest_ind(ones, others, equal_var=single).pvalue)


def adjusted(rows: tuple[MeasureCompared, ...]) -> tuple[MeasureCompared, ...]:
    """The same with p adjusted for how many there are."""
    from scipy.stats import false_discovery_control

    known = [row.p for row in rows if row.p is not None]
    adjusted = iter(false_discovery_control(known) if known else ())
    found = [row.p if row.p is None else float(next(adjusted)) for row in rows]
    return tuple(replace(row, p=p, verdict=verdict(p)) for row, p in zip(rows, found, strict=True))
