"""Lexical search in Lance over terms that models.analysis made, the same for documents and queries."""

from collections import Counter
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from indexer.disk import damage
from indexer.terms import BODY, BOUNDARY, FIELD_WEIGHTS, RANKED, WORDS, column

if TYPE_CHECKING:
    import lance
    import pyarrow as pa
    from lance.query import FullTextQuery

FRESH_SHARE = 0.1
"""More rows than this share outside the index, and it is built anew instead of extended."""

BODY_WEIGHT = 0.5
"""What the score of a full text counts beside that of title, abstract and topics.

Not measured, for want of full texts with judgements; less than one, since a text mentions much that it is not
about.
"""


@dataclass(frozen=True, slots=True)
class LexicalScores:
    """Lance row ids (n,) uint64 and BM25 scores (n,) float32 of citations, in no order."""

    rows: NDArray[np.uint64]
    scores: NDArray[np.float32]


def build_fulltext(citations: "lance.LanceDataset", *, anew: bool) -> None:
    """Index the terms of every field and the ids, or bring the indexes up to date; commits to the table."""
    held = {index.name: index.num_rows_indexed for index in citations.describe_indices()}
    names = [RANKED, WORDS, BODY, *map(column, FIELD_WEIGHTS)]
    total = citations.count_rows()
    indexed = min(held.get(f"{name}_idx", 0) for name in names)
    if not anew and indexed == total:
        return
    if not anew and 0 < total - indexed <= FRESH_SHARE * total:
        citations.optimize.optimize_indices()
        return
    citations.create_scalar_index("id", "BTREE", replace=True)
    for name in names:
        citations.create_scalar_index(
            name,
            "INVERTED",
            replace=True,
            base_tokenizer="whitespace",
            language="English",
            stem=False,
            remove_stop_words=False,
            ascii_folding=False,
            lower_case=False,
            max_token_length=None,
            with_position=name not in (RANKED, WORDS),
        )


def search_terms(citations: "lance.LanceDataset", terms: Sequence[str], limit: int) -> LexicalScores:
    """Citations with any of the terms, by BM25; at most `limit`, and as many by their full texts."""
    from lance.query import MatchQuery

    if not terms or not citations.count_rows():
        return LexicalScores(np.empty(0, np.uint64), np.empty(0, np.float32))
    found = scored(citations, MatchQuery(" ".join(terms), RANKED), limit)
    if not has_bodies(citations):
        return found
    more = scored(citations, MatchQuery(" ".join(terms), BODY), limit)
    rows, places = np.unique(np.concatenate([found.rows, more.rows]), return_inverse=True)
    weighted = np.concatenate([found.scores, BODY_WEIGHT * more.scores])
    return LexicalScores(rows, np.bincount(places, weighted, len(rows)).astype(np.float32))


def has_bodies(citations: "lance.LanceDataset") -> bool:
    """Whether the full texts can be searched; a library of an older version has none."""
    return BODY in citations.schema.names


def rows_with_any(
    citations: "lance.LanceDataset", terms: Sequence[str], columns: Sequence[str]
) -> NDArray[np.uint64]:
    """Row ids of the citations with any of the terms in any of the columns, in no order."""
    from lance.query import MatchQuery

    if not terms:
        return np.empty(0, np.uint64)
    queries = [MatchQuery(" ".join(terms), name) for name in columns]
    return np.unique(np.concatenate([scored(citations, query, None).rows for query in queries]))


def rows_with_phrase(
    citations: "lance.LanceDataset", terms: Sequence[str], columns: Sequence[str]
) -> NDArray[np.uint64]:
    """Row ids of the citations that have the terms one after the other in one of the columns, in no order."""
    from lance.query import PhraseQuery

    if len(terms) < 2:
        return rows_with_any(citations, terms, columns)
    queries = [PhraseQuery(" ".join(terms), name) for name in columns]
    return np.unique(np.concatenate([scored(citations, query, None).rows for query in queries]))


def rows_near(
    citations: "lance.LanceDataset", terms: Sequence[str], columns: Sequence[str], slop: int
) -> NDArray[np.uint64]:
    """Row ids of citations with all the terms in any order and at most `slop` others between, in a column."""
    return rows_that_pass(citations, terms, columns, lambda text: are_near(text, terms, slop))


def rows_with_ending(
    citations: "lance.LanceDataset", terms: Sequence[str], endings: Container[str], columns: Sequence[str]
) -> NDArray[np.uint64]:
    """Row ids of the citations with the terms one after the other, and any of the endings behind them."""
    count = len(terms)

    def passes(text: Sequence[str]) -> bool:
        starts = (place for place, term in enumerate(text[:-count]) if term == terms[0])
        return any(
            text[start + count] in endings and text[start : start + count] == terms
            for start in starts
            if start + count < len(text)
        )

    return rows_that_pass(citations, terms, columns, passes)


def rows_that_pass(
    citations: "lance.LanceDataset",
    terms: Sequence[str],
    columns: Sequence[str],
    passes: Callable[[list[str]], bool],
) -> NDArray[np.uint64]:
    """Row ids of the citations with all the terms in one of the columns, if its terms pass.

    For what Lance has no query for: those that have all terms are read.
    """
    from lance.query import FullTextOperator, MatchQuery

    found = [np.empty(0, np.uint64)]
    for name in columns:
        table = matching(citations, MatchQuery(" ".join(terms), name, operator=FullTextOperator.AND), name)
        keep = [passes(text.split()) for text in table[name].to_pylist()]
        found.append(table["_rowid"].to_numpy()[np.array(keep, np.bool_)])
    return np.unique(np.concatenate(found))


def are_near(text: Sequence[str], terms: Sequence[str], slop: int) -> bool:
    """Whether all the terms stand in a window of the text with at most `slop` others between them."""
    wanted, width = Counter(terms), len(terms) + slop
    for start in (place for place, term in enumerate(text) if term in wanted):
        window = text[start : start + width]
        until = window.index(BOUNDARY) if BOUNDARY in window else width
        if Counter(window[:until]) >= wanted:
            return True
    return False


def scored(citations: "lance.LanceDataset", query: "FullTextQuery", limit: int | None) -> LexicalScores:
    """What a full-text query finds."""
    table = matching(citations, query, "_score", limit)
    return LexicalScores(table["_rowid"].to_numpy(), table["_score"].to_numpy())


def matching(
    citations: "lance.LanceDataset", query: "FullTextQuery", column: str, limit: int | None = None
) -> "pa.Table":
    """A column of the citations that a full-text query finds, and their row ids."""
    with damage(Path(citations.uri).parent):
        return citations.scanner(
            columns=[column],
            full_text_query=query,
            limit=limit,
            with_row_id=True,
            disable_scoring_autoprojection=True,
        ).to_table()
