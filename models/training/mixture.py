"""Which pairs make up each step: a pure function of the seed and the step's number.

So a run that was interrupted goes on with the very pairs that it would have had, and the pairs of a step are
the same however many processes share them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice

import numpy as np
from numpy.typing import NDArray

GROUP = 16
"""Steps whose pairs are drawn together."""
ATTEMPTS = 20
"""Draws for one place of a batch before the pair is taken although its passage is there already."""


@dataclass(frozen=True, slots=True)
class Share:
    """The pairs of one objective. Arrays have one row for each pair.

    languages: number of the pair's language. passages: equal for pairs with equal passages.
    lengths: of the texts, in any unit; only their order counts.
    distinct: whether a batch should have no passage twice, since equal ones would be each other's negatives.
    chances: for each language how likely it is drawn; sums to 1.
    """

    weight: float
    languages: NDArray[np.int32]
    passages: NDArray[np.int64]
    lengths: NDArray[np.int32]
    chances: NDArray[np.float64]
    distinct: bool


def language_chances(
    counts: Mapping[str, int], temperature: float, favour: Mapping[str, float]
) -> NDArray[np.float64]:
    """How likely each language is drawn, in the order of counts: favour * count ** (1 / temperature).

    The smoothing of multilingual BERT and XLM-R (Conneau and Lample, 2019), whose alpha is 1 / temperature.
    """
    weights = np.array(
        [count ** (1 / temperature) * favour.get(name, 1.0) for name, count in counts.items()], np.float64
    )
    chances: NDArray[np.float64] = weights / weights.sum()
    return chances


class Mixture:
    """The batches of a run, in order: `len` and iteration are those of a batch sampler.

    Each step's pairs come from one objective, drawn by weight. The pairs of GROUP steps are drawn together
    and those of like length put into one batch, which leaves little padding. Rows of the objectives follow
    one another in the numbering.
    """

    def __init__(self, shares: Sequence[Share], size: int, at_once: int, steps: int, seed: int) -> None:
        self._shares = shares
        self._starts = np.cumsum([0, *(len(share.languages) for share in shares)])
        self._rows = [_rows_by_language(share) for share in shares]
        weights = np.array([share.weight for share in shares], np.float64)
        self._weights = weights / weights.sum()
        self._size = size
        self._steps = steps
        self._seed = seed
        self.batch_size = at_once
        self.drop_last = False

    def __len__(self) -> int:
        return self._steps * (self._size // self.batch_size)

    def __iter__(self) -> Iterator[list[int]]:
        groups = range(-(-self._steps // GROUP))
        yield from islice(chain.from_iterable(map(self._batches_of, groups)), len(self))

    def _batches_of(self, group: int) -> Iterator[list[int]]:
        """The batches of GROUP steps, each of batch_size pairs by number."""
        random = np.random.default_rng([self._seed, group])
        objectives = random.choice(len(self._shares), GROUP, p=self._weights)
        steps: list[NDArray[np.int64]] = [np.empty(0, np.int64)] * GROUP
        for number in np.unique(objectives):
            places = np.flatnonzero(objectives == number)
            rows = self._drawn(random, int(number), len(places) * self._size)
            ordered = rows[np.argsort(-self._shares[number].lengths[rows], kind="stable")]
            parts = ordered.reshape(len(places), -1, self.batch_size) + self._starts[number]
            for place, part in zip(random.permutation(places), parts, strict=True):
                steps[place] = part
        for step in steps:
            yield from step.tolist()

    def _drawn(self, random: np.random.Generator, number: int, count: int) -> NDArray[np.int64]:
        """Rows of one objective, no passage twice as far as there are others."""
        share, rows = self._shares[number], self._rows[number]
        seen: set[int] = set()
        drawn = np.empty(count, np.int64)
        for place, language in enumerate(random.choice(len(rows), count, p=share.chances)):
            for _ in range(ATTEMPTS if share.distinct else 1):
                row = int(rows[language][random.integers(len(rows[language]))])
                if int(share.passages[row]) not in seen:
                    break
            seen.add(int(share.passages[row]))
            drawn[place] = row
        return drawn


def _rows_by_language(share: Share) -> list[NDArray[np.int64]]:
    order = np.argsort(share.languages, kind="stable")
    counts = np.bincount(share.languages, minlength=len(share.chances))
    return np.split(order, np.cumsum(counts)[:-1])
