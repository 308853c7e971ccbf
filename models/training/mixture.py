"""Which pairs make up each step: a pure function of the seed and the step's number.

So a run that was interrupted goes on with the very pairs that it would have had, and the pairs of a step are
the same however many processes share them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

ATTEMPTS = 20
"""Draws for one place of a batch before the pair is taken although its passage is there already."""


@dataclass(frozen=True, slots=True)
class Share:
    """The pairs of one objective. Arrays have one row for each pair.

    languages: number of the pair's language. passages: equal for pairs with equal passages.
    lengths: of the texts, in any unit; only their order counts.
    chances: for each language how likely it is drawn; sums to 1.
    """

    weight: float
    languages: NDArray[np.int32]
    passages: NDArray[np.int64]
    lengths: NDArray[np.int32]
    chances: NDArray[np.float64]


def language_chances(
    counts: Mapping[str, int], temperature: float, favour: Mapping[str, float]
) -> NDArray[np.float64]:
    """How likely each language is drawn, in the order of counts: favour * count ** (1 / temperature).

    The smoothing of multilingual BERT and XLM-R (Conneau and Lample, 2019), whose alpha is 1 / temperature.
    """
    weights = np.array(
        [count ** (1 / temperature) * favour.get(name, 1.0) for name, count in counts.items()], np.float64
    )
    return weights / weights.sum()


class Mixture:
    """The batches of a run, in order: `len` and iteration are those of a batch sampler.

    A step's pairs come from one objective, drawn by weight, and are handed out at_once by at_once, those of
    like length together. Rows of the objectives follow one another in the numbering.
    """

    def __init__(self, shares: Sequence[Share], size: int, at_once: int, steps: int, seed: int) -> None:
        self._shares = shares
        self._starts = np.cumsum([0, *(len(share.languages) for share in shares)])
        self._rows = [_rows_by_language(share) for share in shares]
        weights = np.array([share.weight for share in shares], np.float64)
        self._weights = weights / weights.sum()
        self._size = size
        self._at_once = at_once
        self._steps = steps
        self._seed = seed
        self.batch_size = at_once
        self.drop_last = False

    def __len__(self) -> int:
        return self._steps * (self._size // self._at_once)

    def __iter__(self) -> Iterator[list[int]]:
        for step in range(self._steps):
            yield from self.batches_of(step)

    def batches_of(self, step: int) -> list[list[int]]:
        """The step's pairs by number, in batches of at_once."""
        random = np.random.default_rng([self._seed, step])
        number = int(random.choice(len(self._shares), p=self._weights))
        share = self._shares[number]
        rows = self._drawn(random, number)
        ordered = rows[np.argsort(-share.lengths[rows], kind="stable")] + self._starts[number]
        parts = ordered.reshape(-1, self._at_once)
        return [part.tolist() for part in random.permutation(parts)]

    def _drawn(self, random: np.random.Generator, number: int) -> NDArray[np.int64]:
        """size rows of one objective, no passage twice as far as there are others."""
        share, rows = self._shares[number], self._rows[number]
        taken: dict[int, None] = {}
        seen: set[int] = set()
        drawn: list[int] = []
        for language in random.choice(len(rows), self._size, p=share.chances):
            for _ in range(ATTEMPTS):
                row = int(random.choice(rows[language]))
                if int(share.passages[row]) not in seen:
                    break
            seen.add(int(share.passages[row]))
            taken[row] = None
            drawn.append(row)
        return np.array(drawn, np.int64)


def _rows_by_language(share: Share) -> list[NDArray[np.int64]]:
    order = np.argsort(share.languages, kind="stable")
    counts = np.bincount(share.languages, minlength=len(share.chances))
    return np.split(order, np.cumsum(counts)[:-1])
