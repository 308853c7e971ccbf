"""Which files to read, and which reader reads them."""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from indexer.sources.beir import CORPUS, read_beir
from indexer.sources.errors import SourceError, SourceRecord
from indexer.sources.pubmed import ROOTS, read_pubmed
from indexer.sources.xmlstream import root_name
from models.errors import UsageError

Reader = Callable[[Path], Iterator[SourceRecord]]
READERS: dict[str, Reader] = {"pubmed": read_pubmed, "beir": read_beir}
"""Source name, as the command line knows it, to its reader."""

ENDINGS = (".xml", ".xml.gz")
"""What a file in a folder must end in to be read; a file that is named itself may end in anything."""


def read_file(path: Path, source: str | None = None) -> Iterator[SourceRecord]:
    """Every record of a file; without a source its content decides which reader it is for.

    Raises UsageError for an unknown source, SourceError for a file that cannot be read (to its end).
    """
    reader = READERS.get(source or detect_source(path))
    if reader is None:
        raise UsageError(f"unknown source {source!r}, expected {_names()}")
    return reader(path)


def detect_source(path: Path) -> str:
    """Name of the source that a file comes from, by its root element; a BEIR corpus by its name."""
    if path.name == CORPUS:
        return "beir"
    root = root_name(path)
    if root in ROOTS:
        return "pubmed"
    raise SourceError(path, f"its root element is {root}, which belongs to no source known here ({_names()})")


def find_files(paths: Sequence[Path]) -> list[Path]:
    """Files named, those in the folders named, and those that patterns (*, ?, [...]) match, each once.

    Order: as named; within a folder or pattern natural (pubmed9 before pubmed10). Hidden files and
    subfolders are left out. Raises UsageError for a path that gives no file.
    """
    found: dict[Path, Path] = {}
    for path in paths:
        files = _expand(path)
        if not files:
            raise UsageError(_nothing(path))
        for file in files:
            found.setdefault(file.resolve(), file)
    return list(found.values())


def _expand(path: Path) -> list[Path]:
    if path.is_dir():
        return sorted((file for file in path.iterdir() if _is_input(file)), key=_natural)
    if path.exists():
        return [path]
    if not any(mark in str(path) for mark in "*?["):
        return []
    base = Path(path.anchor)
    pattern = str(path.relative_to(base)) if path.anchor else str(path)
    return sorted((file for file in base.glob(pattern) if file.is_file()), key=_natural)


def _is_input(file: Path) -> bool:
    return file.name.lower().endswith(ENDINGS) and not file.name.startswith(".") and file.is_file()


def _natural(path: Path) -> list[tuple[int, str]]:
    """A sort key by which numbers in a name count as numbers."""
    parts = re.findall(r"\d+|\D+", str(path))
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts]


def _nothing(path: Path) -> str:
    if path.is_dir():
        return f"{path}: no file in this folder ends in {' or '.join(ENDINGS)}"
    return f"{path}: no such file or folder"


def _names() -> str:
    return ", ".join(READERS)
