"""Give back what a library no longer needs: old versions of its tables, and rows that were deleted."""

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from indexer.library import Library, open_library
from indexer.progress import Progress
from indexer.publish import clear_unfinished, publish, tables
from indexer.published import published_pointer

GRACE = timedelta(minutes=1)
"""Versions of a table younger than this stay for readers that are just opening them."""


@dataclass(frozen=True, slots=True)
class CompactReport:
    """bytes, versions: of the two tables, before and after."""

    bytes_before: int
    bytes_after: int
    versions_before: int
    versions_after: int
    library_version: int


def compact_library(path: Path, progress: Progress) -> CompactReport:
    """Merge the fragments of both tables, publish, and drop the versions that no published set needs.

    The set before stays for readers that are still in it; the next publication lets go of it.
    """
    library = open_library(path)
    with library.writing():
        published_pointer(path)
        before = table_bytes(library), table_versions(library)
        for table in tables(library):
            table.optimize.compact_files()
        published = publish(library, progress)
        clear_unfinished(library, GRACE)
        after = table_bytes(library), table_versions(library)
    return CompactReport(before[0], after[0], before[1], after[1], published.number)


def table_bytes(library: Library) -> int:
    """What both tables take on the disk, all their versions together."""
    folders = (library.path / "citations.lance", library.path / library.table)
    return sum(file.stat().st_size for folder in folders for file in folder.rglob("*") if file.is_file())


def table_versions(library: Library) -> int:
    """How many versions of both tables there are."""
    return sum(len(table.versions()) for table in tables(library))
