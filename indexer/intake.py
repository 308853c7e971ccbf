"""What files give goes into the library's citations, in batches and in order."""

from collections.abc import Iterable
from dataclasses import dataclass

from indexer.citation import Deletion
from indexer.library import Library
from indexer.merging import Part
from indexer.quarantine import Quarantine
from indexer.releases import Releases
from indexer.sources.archive import File
from indexer.sources.errors import SetAside
from indexer.upsert import UpsertCounts, upsert, withdraw
from indexer.works import Works

BATCH = 1000
"""Citations a commit to citations.lance."""
MOST_WITHDRAWALS = 20_000
"""Deletions a commit."""


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """A deletion in a file of this release."""

    deletion: Deletion
    release: int | None


@dataclass(frozen=True, slots=True)
class Taken:
    """The end of a file that was read whole."""

    file: File


Item = Part | Withdrawal | SetAside | Taken


class Intake:
    """Stores what comes and counts it; to be used inside `writing`."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.quarantine = Quarantine(library.path)
        self.releases = Releases(library.path)
        self.read = self.deleted = self.passed_over = 0
        self.counts = UpsertCounts()
        self.faults: list[str] = []
        self.remarks: list[str] = []
        self._works = Works(library)
        self._parts: list[Part] = []
        self._withdrawals: list[Withdrawal] = []

    def take(self, items: Iterable[Item]) -> None:
        """Store items; a deletion applies to what stands before it."""
        for item in items:
            match item:
                case Part():
                    self._take_part(item)
                case Withdrawal():
                    self._withdrawals.append(item)
                case SetAside():
                    self.faults.append(str(item))
                    self.quarantine.add(item)
                case Taken():
                    self._flush()
                    self.releases.take(item.file)
            if len(self._parts) == BATCH or len(self._withdrawals) == MOST_WITHDRAWALS:
                self._flush()
        self._flush()

    def _take_part(self, part: Part) -> None:
        if self._withdrawals:
            self._flush()
        self.read += 1
        if self.releases.withdrew(part.citation.id, part.release):
            self.counts += UpsertCounts(superseded=1)
        else:
            self._parts.append(part)

    def _flush(self) -> None:
        self.counts += upsert(self.library, self._parts, self._works)
        self._parts.clear()
        self._withdraw()
        self._withdrawals.clear()

    def _withdraw(self) -> None:
        """Carry deletions out; those of numbered files are remembered for files that are read later.

        NLM's list of all deletions means what the library has from before this year's baseline.
        """
        ids: dict[tuple[bool, int | None], list[str]] = {}
        for item in self._withdrawals:
            ids.setdefault((item.deletion.listed, item.release), []).append(item.deletion.id)
        for (listed, release), some in ids.items():
            if release is not None:
                self.releases.withdraw(some, release)
            self.deleted += withdraw(self.library, some, self.releases.year if listed else release)
