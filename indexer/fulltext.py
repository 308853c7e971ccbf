"""Lexical search: BM25 in Lance over terms that models.analysis made, the same for documents and queries."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import lance

FRESH_SHARE = 0.1
"""More rows than this share outside the index, and it is built anew instead of extended."""


@dataclass(frozen=True, slots=True)
class LexicalScores:
    """Lance row ids (n,) uint64 and BM25 scores (n,) float32 of citations, in no order."""

    rows: NDArray[np.uint64]
    scores: NDArray[np.float32]


def build_fulltext(citations: "lance.LanceDataset", *, anew: bool) -> None:
    """Index the terms and the ids, or bring both indexes up to date; commits to the table."""
    held = {index.name: index for index in citations.describe_indices()}
    total = citations.count_rows()
    terms = None if anew else held.get("terms_idx")
    if terms is not None and terms.num_rows_indexed == total:
        return
    if terms is not None and total - terms.num_rows_indexed <= FRESH_SHARE * total:
        citations.optimize.optimize_indices()
        return
    citations.create_scalar_index("id", "BTREE", replace=True)
    citations.create_scalar_index(
        "terms",
        "INVERTED",
        replace=True,
        base_tokenizer="whitespace",
        language="English",
        stem=False,
        remove_stop_words=False,
        ascii_folding=False,
        lower_case=False,
        max_token_length=None,
        with_position=False,
    )


def search_terms(citations: "lance.LanceDataset", terms: Sequence[str], limit: int) -> LexicalScores:
    """At most `limit` citations with any of the terms, by BM25."""
    from lance.query import MatchQuery

    if not terms or not citations.count_rows():
        return LexicalScores(np.empty(0, np.uint64), np.empty(0, np.float32))
    table = citations.scanner(
        columns=["_score"],
        full_text_query=MatchQuery(" ".join(terms), "terms"),
        limit=limit,
        with_row_id=True,
        disable_scoring_autoprojection=True,
    ).to_table()
    return LexicalScores(table["_rowid"].to_numpy(), table["_score"].to_numpy())
