"""What has changed in a library's citations since the set that was published before.

What is made of a citation's text and record need not be made again for those that stayed as they were.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

from indexer.library import chunks, in_list

if TYPE_CHECKING:
    import lance

MOST = 0.3
"""Share of the citations; if more have changed, all is made anew."""


@dataclass(frozen=True, slots=True)
class Changes:
    """gone: ids of rows of the table before that are not in the table now, or are other than they were; come:
    the same the other way round.
    """

    before: "lance.LanceDataset"
    now: "lance.LanceDataset"
    gone: tuple[str, ...]
    come: tuple[str, ...]

    def rows_gone(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Those columns of the rows that are gone, as they were."""
        return rows(self.before, self.gone, columns)

    def rows_come(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Those columns of the rows that have come, as they are."""
        return rows(self.now, self.come, columns)


def changes(before: "lance.LanceDataset", now: "lance.LanceDataset") -> Changes | None:
    """What has changed between two versions of citations.lance; None if it is most of them."""
    tables = [table.to_table(columns=["id", "content"]) for table in (before, now)]
    gone, come = (
        one.join(other, keys=["id", "content"], join_type="left anti")["id"].to_pylist()
        for one, other in (tables, tables[::-1])
    )
    if len(gone) + len(come) > MOST * len(tables[1]):
        return None
    return Changes(before, now, tuple(sorted(gone)), tuple(sorted(come)))


def rows(table: "lance.LanceDataset", ids: Sequence[str], columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """The columns of the rows with these ids, in no order."""
    for some in chunks(ids):
        yield from table.scanner(columns=list(columns), filter=in_list("id", some)).to_batches()
