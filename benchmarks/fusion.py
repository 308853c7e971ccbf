"""nDCG@10 of ways to put the dense and the lexical ranking into one, on collections in BEIR form."""

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from machine import describe_machine

from app.engine import SearchEngine
from app.evaluation.collection import Collection, read_collection
from app.evaluation.evaluate import index_corpus, locate
from app.evaluation.measures import per_query
from app.evaluation.runs import Run
from app.fusion import Scores, convex_combination, normalised
from app.matching import Ranking, dense_ranking, lexical_ranking, query_terms, spread, with_lexical
from app.query import Query
from app.settings import load_settings
from app.understanding import understand
from indexer.progress import Silent

RRF_K = 60
"""The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009)."""
WEIGHTS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
DEPTH = 100


@dataclass(frozen=True, slots=True)
class Candidates:
    """Of one query: numbers (n,) of the citations in either ranking, their scores in [0, 1], the rankings.

    known: the share of the query's terms that the library has.
    """

    numbers: np.ndarray
    dense: Scores
    lexical: Scores
    known: float
    rankings: tuple[Ranking, Ranking]


def main() -> int:
    """Prints a document with the measures of every way on every collection."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("collections", nargs="+", metavar="FOLDER[:SPLIT]")
    arguments = parser.parse_args()
    measured = {}
    for name in arguments.collections:
        folder, _, split = name.partition(":")
        measured[name] = measure(read_collection(Path(folder), split or "test"))
    json.dump({"machine": describe_machine(), "nDCG@10": measured}, sys.stdout, indent=2)
    print()
    return 0


def measure(collection: Collection) -> dict[str, float]:
    """nDCG@10 by way."""
    library, encoder = locate(collection, load_settings({}))
    if collection.corpus is not None:
        index_corpus(collection.corpus, library, encoder, Silent())
    engine = SearchEngine(library, encoder)
    found = {id: candidates(engine, text) for id, text in collection.queries.items()}
    ids = engine.published().columns.ids
    return {
        name: ndcg(collection, {id: best(one.numbers, way(one), ids) for id, one in found.items()})
        for name, way in ways().items()
    }


def candidates(engine: SearchEngine, text: str) -> Candidates:
    """What both sides say of a query, as the engine computes it."""
    published, vector = engine.published(), engine.encoder.encode_queries([text])[0]
    asked = understand(Query(text), published)
    terms = query_terms(asked.text, asked.language)
    dense = dense_ranking(published, vector, engine.encoder.cut_off, None)
    lexical = lexical_ranking(published, terms, None)
    numbers = np.union1d(dense.numbers, lexical.numbers)
    wider = with_lexical(published, dense, lexical, vector)
    lowest = published.background(vector).mean
    return Candidates(
        numbers,
        spread(normalised(wider.scores, lowest), wider.numbers, numbers),
        spread(normalised(lexical.scores, 0.0), lexical.numbers, numbers),
        float(np.mean([published.terms.count(term) > 0 for term in terms])) if terms else 0.0,
        (dense, lexical),
    )


def ways() -> dict[str, Callable[[Candidates], Scores]]:
    """The ways by name: scores (n,) of the candidates."""
    found: dict[str, Callable[[Candidates], Scores]] = {
        "dense": lambda one: one.dense,
        "lexical": lambda one: one.lexical,
        "reciprocal rank fusion": rank_fusion,
    }
    for weight in WEIGHTS:
        for power in (0, 1, 2):
            found[f"weight {weight}, known share to the power of {power}"] = (
                lambda one, weight=weight, power=power: convex_combination(
                    one.dense, one.known**power * one.lexical, weight
                )
            )
    return found


def rank_fusion(one: Candidates) -> Scores:
    """The sum of 1 / (60 + rank) over both rankings."""
    scores = np.zeros(len(one.numbers))
    for ranking in one.rankings:
        places = np.searchsorted(one.numbers, ranking.numbers)
        scores[places] += 1.0 / (RRF_K + np.arange(1, len(places) + 1))
    return scores


def best(numbers: np.ndarray, scores: Scores, ids: np.ndarray) -> list[str]:
    """The ids of the first documents, without their prefix."""
    top = numbers[np.lexsort((numbers, -scores))[:DEPTH]]
    return [ids[number].decode().partition(":")[2] for number in top]


def ndcg(collection: Collection, answers: dict[str, list[str]]) -> float:
    """The mean over the queries."""
    return round(float(per_query(collection.qrels, Run("fusion", answers))["nDCG@10"].mean()), 4)


if __name__ == "__main__":
    sys.exit(main())
