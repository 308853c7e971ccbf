"""The text of a library, for what learns from text alone."""

from collections.abc import Iterator
from pathlib import Path

from indexer.library import open_library
from indexer.passages import citation_text
from indexer.tables import decode_record

READ_AT_ONCE = 1024
"""Records: bounds the memory that reading takes."""


def library_texts(folder: Path) -> Iterator[str]:
    """All text of each citation that has any, in the order of the table, in constant memory.

    Raises LibraryError if folder has no library.
    """
    scanner = open_library(folder).citations().scanner(columns=["record"], batch_size=READ_AT_ONCE)
    for batch in scanner.to_batches():
        texts = (citation_text(decode_record(record)) for record in batch["record"].to_pylist())
        yield from filter(None, texts)
