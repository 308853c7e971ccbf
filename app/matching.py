"""From a question to its matched set: which citations answer, in what order, and why."""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from app.fusion import Scores, convex_combination, normalised
from app.library_matcher import LibraryMatcher
from app.prior import prior_bonus
from app.query import Filters, Mode, Prior, Query, Sort
from app.syntax.evaluate import evaluate
from app.understanding import Understood
from indexer.dense import Scored
from indexer.mesh import MeshTree
from indexer.published import Published
from models.analysis import analyse_both
from models.encoder import Vectors
from models.stopwords import content_words

UNCALIBRATED_COUNT = 100
"""How many passages count as matched if there is no cut-off: never measured, or too small a library."""

NO_CUT_OFF = -math.inf
"""For a Boolean query, which says itself what matches: dense search only ranks."""

RESCORED = 1_000
"""Lexical matches below the cut-off whose cosine is computed nevertheless; of the others it counts as 0."""

DENSE_WEIGHT = 0.5
"""What the dense score counts, the lexical score being the rest."""

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
    published: Published,
    query: Query,
    asked: Understood,
    vector: Vectors | None,
    cut_off: float | None,
    mesh: MeshTree | None = None,
) -> MatchedSet:
    """Citations that match, under the filters, best first.

    Of a Boolean query those that it says; of identifiers those that they name; otherwise those that match
    lexically, or whose best passage is at or above the cut-off.
    vector: (dimensions,) of the query; None leaves dense search out. mesh: as for LibraryMatcher.
    """
    mask = filter_mask(published, query.filters)
    if asked.numbers is not None:
        named = asked.numbers if mask is None else asked.numbers[mask[asked.numbers]]
        return MatchedSet(named, np.ones(len(named)), EMPTY, EMPTY)
    said = None if asked.tree is None else evaluate(asked.tree, LibraryMatcher(published, mesh))
    if said is not None:
        mask = said = said if mask is None else said & mask
        cut_off = NO_CUT_OFF
    dense = EMPTY if vector is None else dense_ranking(published, vector, cut_off, mask)
    terms = query_terms(asked.text, asked.language)
    lexical = EMPTY if query.mode is Mode.DENSE else lexical_ranking(published, terms, mask)
    numbers = np.union1d(dense.numbers, lexical.numbers)
    if query.mode is Mode.HYBRID and vector is not None:
        dense = with_lexical(published, dense, lexical, vector)
        scores = hybrid_scores(published, numbers, dense, lexical, vector, terms)
    else:
        only = lexical if vector is None else dense
        scores = spread(only.scores.astype(np.float64), only.numbers, numbers)
    every = numbers if said is None else np.flatnonzero(said)
    numbers, scores = every, spread(scores, numbers, every)
    if query.prior is not Prior.NONE:
        scores = scores + span(scores) * prior_bonus(published, query)[numbers]
    # Numbers follow the sorted ids, so a tie falls to the smaller id.
    order = np.lexsort((numbers, sort_keys(published, query.sort, numbers, scores)))
    matched = MatchedSet(numbers[order], scores[order], dense, lexical)
    return collapsed(matched, published.groups) if query.collapse and said is None else matched


def hybrid_scores(
    published: Published,
    numbers: NDArray[np.int64],
    dense: Ranking,
    lexical: Ranking,
    vector: Vectors,
    terms: list[str],
) -> Scores:
    """(n,) scores in [0, 1] of the citations in either ranking.

    A cosine counts from the mean of unrelated text on. The lexical score counts by the share of the query's
    terms that the library has at all: few of them are known in a query of another language, and what those
    find is mostly chance.
    """
    known = float(np.mean([published.terms.count(term) > 0 for term in terms])) if terms else 0.0
    return convex_combination(
        spread(normalised(dense.scores, published.background(vector).mean), dense.numbers, numbers),
        known * spread(normalised(lexical.scores, 0.0), lexical.numbers, numbers),
        DENSE_WEIGHT,
    )


def span(scores: Scores) -> float:
    """From the worst to the best score; 1 where all are equal, so that a bonus alone decides."""
    return float(np.ptp(scores)) or 1.0 if len(scores) else 0.0


def sort_keys(published: Published, sort: Sort, numbers: NDArray[np.int64], scores: Scores) -> Scores:
    """(n,) keys by which the citations are to stand in ascending order."""
    columns = published.columns
    keys = {
        Sort.DATE: lambda: -np.asarray(columns.published)[numbers],
        Sort.AUTHOR: lambda: np.asarray(columns.authors)[numbers],
        Sort.JOURNAL: lambda: np.asarray(columns.journals)[numbers],
    }
    return -scores if sort is Sort.RELEVANCE else keys[sort]().astype(np.float64)


def spread(scores: NDArray[np.float64], numbers: NDArray[np.int64], onto: NDArray[np.int64]) -> Scores:
    """The scores of `numbers` laid out over the sorted numbers `onto`, 0 elsewhere."""
    laid = np.zeros(len(onto))
    laid[np.searchsorted(onto, numbers)] = scores
    return laid


def with_lexical(published: Published, dense: Ranking, lexical: Ranking, vector: Vectors) -> Ranking:
    """The dense ranking and, behind it, the best lexical matches that are below its cut-off."""
    below = np.setdiff1d(lexical.numbers[:RESCORED], dense.numbers)
    more = best_passages(published, published.best_passages(below, vector))
    return Ranking(
        np.concatenate([dense.numbers, more.numbers]),
        np.concatenate([dense.scores, more.scores]),
        np.concatenate([dense.positions, more.positions]),
    )


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
    background = published.background(vector)
    if cut_off is None or (cut_off != NO_CUT_OFF and not background.reliable):
        found = published.dense.nearest(vector, UNCALIBRATED_COUNT, allowed)
    else:
        found = published.dense.above(vector, background.mean + cut_off * background.deviation, allowed)
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


def lexical_ranking(published: Published, terms: list[str], mask: NDArray[np.bool_] | None) -> Ranking:
    """Citations by BM25 over the analysed terms."""
    found = published.lexical(terms, LEXICAL_LIMIT)
    keep = np.ones(len(found.positions), np.bool_) if mask is None else mask[found.positions]
    numbers = found.positions[keep]
    return Ranking(numbers, found.scores[keep], np.full(len(numbers), -1, np.int64))


def query_terms(text: str, language: str | None) -> list[str]:
    """Terms of a text's content words, analysed as English and as the language that it is in.

    Of a compound such as "BRCA1" without the number or letter that is part of it: alone it matches anything.
    """
    found: list[str] = []
    for word in content_words(text, language).split():
        terms = analyse_both(word, language)
        found += [term for term in terms if len(term) > 1 and not term.isdecimal()] or terms
    return found


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
