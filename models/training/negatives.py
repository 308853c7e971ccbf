"""Hard negatives: for each query, passages that look like the answer to the model and are not."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from models.encoder import Encoder, Vectors
from models.training.pairs import Pair

SHARE_OF_POSITIVE = 0.95
"""Of the cosine to the query's own passage; what scores above is likely another right answer.

TopK-PercPos of NV-Retriever (Moreira et al., 2024, arXiv:2407.15831), the best of the rules
compared there.
"""

CELLS = 1 << 26
"""Cosines held at a time, four bytes each."""


def mine_negatives(
    pairs: Sequence[Pair], encoder: Encoder, count: int, share: float = SHARE_OF_POSITIVE
) -> list[Pair]:
    """The pairs, each with up to `count` negatives: its own, then the nearest passages of the other pairs.

    Passages of equal queries are none, nor are those above the share of the positive's cosine. The search is
    exact; ties go to the passage that comes first. A pair may get fewer, if there are no more.
    """
    passages = list(dict.fromkeys(pair.passage for pair in pairs))
    queries = list(dict.fromkeys(pair.query for pair in pairs))
    places = {passage: place for place, passage in enumerate(passages)}
    by_query: dict[str, list[int]] = defaultdict(list)
    for number, pair in enumerate(pairs):
        by_query[pair.query].append(number)
    mined = list(pairs)
    for query, cosines in zip(queries, _cosines(queries, passages, encoder), strict=True):
        numbers = by_query[query]
        right = [places[pairs[number].passage] for number in numbers]
        for number, place in zip(numbers, right, strict=True):
            limit = cosines[place] - (1 - share) * abs(cosines[place])
            found = _nearest(cosines, limit, right, count)
            texts = dict.fromkeys((*pairs[number].negatives, *(passages[place] for place in found)))
            kept = max(count, len(pairs[number].negatives))
            mined[number] = replace(pairs[number], negatives=tuple(texts)[:kept])
    return mined


def _cosines(queries: Sequence[str], passages: Sequence[str], encoder: Encoder) -> Iterator[Vectors]:
    """For each query its cosines to all passages, (len(passages),) float32."""
    if not queries:
        return
    against = encoder.encode_passages(passages).T
    rows = max(1, CELLS // len(passages))
    for first in range(0, len(queries), rows):
        yield from encoder.encode_queries(queries[first : first + rows]) @ against


def _nearest(cosines: Vectors, limit: float, barred: Sequence[int], count: int) -> NDArray[np.intp]:
    """The places of the `count` highest cosines not above the limit, best first, then in order."""
    allowed = cosines <= limit
    allowed[list(barred)] = False
    places = np.flatnonzero(allowed)
    if len(places) > count > 0:
        least = np.partition(cosines[places], -count)[-count]
        places = places[cosines[places] >= least]
    return places[np.lexsort((places, -cosines[places]))][:count]
