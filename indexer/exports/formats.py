"""The formats that citations are written in."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from indexer.citation import Citation
from indexer.exports.bibtex import write_bibtex
from indexer.exports.jsonl import write_json_line
from indexer.exports.medline import write_medline
from indexer.exports.ris import write_ris
from indexer.exports.table import HEADER, write_row
from models.errors import UsageError

Write = Callable[[Citation], str]
"""One citation as text that ends in a line end."""

WRITERS: dict[str, Write] = {
    "ris": write_ris,
    "nbib": write_medline,
    "bibtex": write_bibtex,
    "csv": write_row,
    "jsonl": write_json_line,
}


def write_citations(citations: Iterable[Citation], format: str) -> Iterator[str]:
    """The citations in a format, one after the other. Raises UsageError for an unknown format."""
    write = WRITERS.get(format)
    if write is None:
        raise UsageError(f"unknown format {format!r}, expected {', '.join(WRITERS)}")
    return chain([HEADER] if format == "csv" else [], map(write, citations))
