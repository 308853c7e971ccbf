"""Citations to be written to a file: those that a query matches, or a whole library."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from app.engine import SearchEngine
from app.query import MAX_LIMIT, Query
from indexer.citation import Citation
from indexer.published import open_published


def matched_citations(engine: SearchEngine, query: Query, limit: int | None) -> Iterator[Citation]:
    """The first `limit` citations of the matched set in its order, as far as it can be paged through."""
    offset = 0
    while limit is None or offset < limit:
        size = MAX_LIMIT if limit is None else min(MAX_LIMIT, limit - offset)
        page = engine.search(replace(query, limit=size, offset=offset))
        yield from (hit.citation for hit in page.hits)
        offset += size
        if offset >= page.total:
            return


def all_citations(library: Path) -> Iterator[Citation]:
    """Every citation of the published set, by id."""
    published = open_published(library)
    columns = published.columns
    count = len(columns.ids)
    for first in range(0, count, MAX_LIMIT):
        ids = [columns.id(number) for number in range(first, min(first + MAX_LIMIT, count))]
        found = published.read(ids)
        yield from (found[id] for id in ids)
