"""PubMed's numbered files: their order, which of them a library has taken in, and what they withdrew.

NLM numbers the files of a year from the first of its baseline to the last of its daily updates
(pubmed26n0001.xml.gz …): of two that tell of one record the higher number is right, in whatever order they
are read. See https://pubmed.ncbi.nlm.nih.gov/download/.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from indexer.errors import LibraryError
from indexer.files import write_json
from indexer.sources.archive import File

NAME = "releases.json"
YEAR = 100_000
"""A release is the year in two digits times this, and the file's number."""

_NUMBERED = re.compile(r"pubmed(\d\d)n(\d{4,5})\.xml(?:\.\w+)?", re.IGNORECASE)


def release_of(name: str) -> int | None:
    """The release that a file of this name is, None if it is none of PubMed's numbered ones."""
    found = _NUMBERED.fullmatch(name)
    return int(found[1]) * YEAR + int(found[2]) if found else None


class Stamp(msgspec.Struct, frozen=True):
    """What tells one file of a name from another. modified: nanoseconds since 1970."""

    size: int
    modified: int


class _Content(msgspec.Struct):
    """The content of releases.json. taken: files by name; withdrawn: release by id of a record."""

    taken: dict[str, Stamp] = {}
    withdrawn: dict[str, int] = {}


class Releases:
    """What a library knows of PubMed's numbered files; to be used by its one writer."""

    def __init__(self, library: Path) -> None:
        self.path = library / NAME
        try:
            self._content = msgspec.json.decode(self.path.read_bytes(), type=_Content)
        except FileNotFoundError:
            self._content = _Content()
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise LibraryError(
                f"{self.path} is damaged ({error}): delete it, and PubMed's files are read anew"
            ) from None

    @property
    def year(self) -> int:
        """The first release of the newest year of which a file was taken in, 0 if there is none."""
        found = (release_of(name) or 0 for name in self._content.taken)
        return max(found, default=0) // YEAR * YEAR

    def has(self, file: File) -> bool:
        """Whether the whole of this numbered file was taken in before."""
        return isinstance(file, Path) and self._content.taken.get(file.name) == _stamp(file)

    def take(self, file: File) -> None:
        """Remember that the whole of a file was taken in, if it is a numbered one."""
        if isinstance(file, Path) and release_of(file.name) is not None:
            self._content.taken[file.name] = _stamp(file)
            # A new year's baseline leaves out what was withdrawn before.
            kept = {id: number for id, number in self._content.withdrawn.items() if number >= self.year}
            self._content.withdrawn = kept
            self._write()

    def withdraw(self, ids: Iterable[str], release: int) -> None:
        """Remember that a numbered file withdrew records; to be called before they are deleted."""
        known = self._content.withdrawn
        self._content.withdrawn = known | {id: max(release, known.get(id, 0)) for id in ids}
        self._write()

    def withdrew(self, id: str, release: int | None) -> bool:
        """Whether a later file than this one withdrew the record."""
        return release is not None and release < self._content.withdrawn.get(id, 0)

    def _write(self) -> None:
        write_json(self.path, self._content)


def in_order(files: Sequence[File]) -> list[File]:
    """Numbered files by number behind all others, lists of deleted records last."""
    return sorted(files, key=lambda file: (is_deletions(file.name), release_of(file.name) or 0))


def is_deletions(name: str) -> bool:
    """Whether a file of this name is NLM's list of the PMIDs that were ever withdrawn."""
    return name.lower().startswith("deleted.pmids")


def _stamp(file: Path) -> Stamp:
    status = file.stat()
    return Stamp(status.st_size, status.st_mtime_ns)
