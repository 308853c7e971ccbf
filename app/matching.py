"""From a question to its matched set: which citations answer, in what order, and why."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from app.fusion import reciprocal_rank_fusion
from app.prior import prior_bonus
from app.query import Filters, Mode, Prior, Query
from indexer.dense import Scored
from indexer.published import Published
from models.analysis import analyse_both
from models.encoder import Vectors
from models.language import identify
from models.stopwords import content_words

UNCALIBRATED_COUNT = 100
"""How many passages count as matched if there is no cut-off: never measured, or too small a library."""

LEXICAL_LIMIT = 100_000
"""Citations that lexical search looks at; a query of common words matches more, all of them poorly."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """Citations by number, best first: scores of the same length; positions of best passages or -1."""

    numbers: NDArray[np.int64]
    scores: NDArray[np.float32]
    positions: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class MatchedSet:
    """numbers and scores (n,) in order of the answer; what each side said of a citation is in its ranking."""

    numbers: NDArray[np.int64]
    scores: NDArray[np.float64]
    dense: Ranking
    lexical: Ranking


EMPTY = Ranking(np.empty(0, np.int64), np.empty(0, np.float32), np.empty(0, np.int64))


def match_query(
    published: Published, query: Query, vector: Vectors | None, cut_off: float | None
) -> MatchedSet:
    """Citations that match lexically, or whose best passage is at or above the cut-off, under the filters.

    vector: (dimensions,) of the query; None leaves dense search out.
    """
    matched = combine(published, query, vector, cut_off)
    if query.prior is not Prior.NONE:
        matched = add_bonus(matched, prior_bonus(published, query))
    return collapsed(matched, published.groups) if query.collapse else matched


def combine(published: Published, query: Query, vector: Vectors | None, cut_off: float | None) -> MatchedSet:
    """The matched set in the order of the query's mode."""
    mask = filter_mask(published, query.filters)
    dense = EMPTY if vector is None else dense_ranking(published, vector, cut_off, mask)
    lexical = EMPTY if query.mode is Mode.DENSE else lexical_ranking(published, query.text, mask)
    if query.mode is Mode.HYBRID:
        scores = reciprocal_rank_fusion([dense.numbers, lexical.numbers], len(published.columns.ids))
        numbers = np.union1d(dense.numbers, lexical.numbers)
        # Numbers follow the sorted ids, so a tie falls to the smaller id.
        numbers = numbers[np.lexsort((numbers, -scores[numbers]))]
        return MatchedSet(numbers, scores[numbers], dense, lexical)
    only = dense if query.mode is Mode.DENSE else lexical
    return MatchedSet(only.numbers, only.scores.astype(np.float64), dense, lexical)


def add_bonus(matched: MatchedSet, bonus: NDArray[np.float64]) -> MatchedSet:
    """The matched set in its new order; the (n,) bonus counts in spans from the worst to the best score."""
    span = np.ptp(matched.scores) if len(matched.scores) else 0.0
    # Where all scores are equal, the bonus alone decides.
    scores = matched.scores + (span or 1.0) * bonus[matched.numbers]
    order = np.lexsort((matched.numbers, -scores))
    return replace(matched, numbers=matched.numbers[order], scores=scores[order])


def collapsed(matched: MatchedSet, groups: NDArray[np.int32]) -> MatchedSet:
    """The matched set with the best record of each article alone."""
    _, first = np.unique(groups[matched.numbers], return_index=True)
    first.sort()
    return replace(matched, numbers=matched.numbers[first], scores=matched.scores[first])


def dense_ranking(
    published: Published, vector: Vectors, cut_off: float | None, mask: NDArray[np.bool_] | None
) -> Ranking:
    """Citations by the cosine of their best passage."""
    allowed = None if mask is None else mask[np.maximum(published.owners, 0)]
    floor = None if cut_off is None else published.floor(vector, cut_off)
    if floor is None:
        found = published.dense.nearest(vector, UNCALIBRATED_COUNT, allowed)
    else:
        found = published.dense.above(vector, floor, allowed)
    return best_passages(published, found)


def best_passages(published: Published, found: Scored) -> Ranking:
    """Group passages by citation: the best passage of each speaks for it."""
    owners = published.owners[found.positions].astype(np.int64)
    _, first = np.unique(owners, return_index=True)
    first.sort()
    numbers, scores = owners[first], found.scores[first]
    # Ties between citations fall to the smaller id, whatever the order of their passages.
    order = np.lexsort((numbers, -scores))
    return Ranking(numbers[order], scores[order], found.positions[first][order])


def lexical_ranking(published: Published, text: str, mask: NDArray[np.bool_] | None) -> Ranking:
    """Citations by BM25 over the analysed terms."""
    found = published.lexical(query_terms(text), LEXICAL_LIMIT)
    keep = np.ones(len(found.positions), np.bool_) if mask is None else mask[found.positions]
    numbers = found.positions[keep]
    return Ranking(numbers, found.scores[keep], np.full(len(numbers), -1, np.int64))


def query_terms(text: str) -> list[str]:
    """Terms of a question's content words, analysed as English and as the language that it seems to be in."""
    language = identify(text).language
    return analyse_both(content_words(text, language), language)


def filter_mask(published: Published, filters: Filters) -> NDArray[np.bool_] | None:
    """(n,) bool over citations that pass every filter; None if there is no filter."""
    columns = published.columns
    size = len(columns.ids)
    masks: list[NDArray[np.bool_]] = []
    first, last = filters.years
    if first is not None:
        masks.append(np.asarray(columns.years) >= first)
    if last is not None:
        masks.append((np.asarray(columns.years) <= last) & (np.asarray(columns.years) > 0))
    if filters.has_abstract is not None:
        masks.append(np.asarray(columns.has_abstract) == filters.has_abstract)
    wanted = {
        "languages": filters.languages,
        "journals": filters.journals,
        "publication_types": filters.publication_types,
        "mesh": filters.mesh,
        "signals": filters.signals,
    }
    masks += [columns.fields[name].mask(values, size) for name, values in wanted.items() if values]
    if filters.without:
        masks.append(~columns.fields["signals"].mask(filters.without, size))
    return np.logical_and.reduce(masks) if masks else None
