"""The indexing job: files to citations, citations to vectors, and a published set at the end."""

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from indexer.citation import Citation, Deletion
from indexer.embed import EmbedReport, embed_pending
from indexer.intake import Intake, Item, Taken, Withdrawal
from indexer.library import check_encoder, create_library, open_library
from indexer.merging import DATABASES, Part
from indexer.pointer import PublishedSet
from indexer.progress import Progress
from indexer.publish import publish
from indexer.quarantine import Entry
from indexer.releases import in_order, release_of
from indexer.sample import newest
from indexer.sources.archive import File
from indexer.sources.detect import Hints, find_files, read_file
from indexer.sources.errors import Remark, SetAside, SourceError
from indexer.sources.text import Encoding
from models.encoder import Encoder


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What one run did. read = added + updated + unchanged + superseded, deletions aside.

    merged: how many of those updated joined a work that another record told of. passed_over: numbered files
    of PubMed's that the library had taken in before. faults: a line for each file or record that could not be
    read and was set aside. remarks: what to know of files that were read, such as a guess at an encoding.
    """

    files: int
    read: int
    added: int
    updated: int
    unchanged: int
    superseded: int
    merged: int
    deleted: int
    passed_over: int
    passages_embedded: int
    passages_reused: int
    passages_deleted: int
    embedding_seconds: float
    passages_per_second: float
    seconds: float
    citations: int
    passages: int
    library_version: int
    faults: tuple[str, ...]
    remarks: tuple[str, ...]


def index_files(
    paths: Sequence[Path],
    library: Path,
    encoder: Encoder,
    progress: Progress,
    *,
    hints: Hints | None = None,
    limit: int | None = None,
    newest_first: bool = False,
    again: bool = False,
) -> IndexReport:
    """Index files and folders into the library and publish; running it again embeds nothing twice.

    again: read PubMed's numbered files even if they were taken in before. limit: the first so many citations,
    or with newest_first the newest that have an abstract. A file that breaks off gives what stands before the
    fault; the fault is in the report.
    """
    begun = time.perf_counter()
    files = in_order(find_files(paths, hints.source if hints else None))
    target = create_library(library, encoder)
    with target.writing():
        intake = Intake(target)
        new = [file for file in files if again or not intake.releases.has(file)]
        intake.passed_over = len(files) - len(new)
        items = read_files(new, hints, intake, progress)
        intake.take(select(items, limit, newest_first))
        embedded = embed_pending(target, encoder, progress)
        published = publish(target, progress)
    return report(len(files), intake, embedded, published, time.perf_counter() - begun)


def retry_quarantine(library: Path, encoder: Encoder, progress: Progress) -> IndexReport:
    """Read again what the library has set aside, take in what can be read now, and keep the rest."""
    begun = time.perf_counter()
    target = open_library(library)
    check_encoder(target, encoder)
    with target.writing():
        intake = Intake(target)
        entries = intake.quarantine.entries
        intake.faults += intake.quarantine.faults
        outcomes = [(entry, list(_reread(entry, intake, progress))) for entry in entries]
        intake.take(item for _, items in outcomes for item in items)
        embedded = embed_pending(target, encoder, progress)
        published = publish(target, progress)
        intake.quarantine.keep_only(entry for entry, items in outcomes if not items)
    return report(0, intake, embedded, published, time.perf_counter() - begun)


def _reread(entry: Entry, intake: Intake, progress: Progress) -> Iterator[Item]:
    """What a record holds if the whole of it can be read now."""
    hints = Hints(entry.source, Encoding("utf-8"))
    found = read_files([entry.text], hints, intake, progress)
    items = [item for item in found if not isinstance(item, Taken)]
    faults = [str(replace(item, position=entry.position)) for item in items if isinstance(item, SetAside)]
    intake.faults += faults
    if not faults:
        yield from items


def report(
    files: int, intake: Intake, embedded: EmbedReport, published: PublishedSet, seconds: float
) -> IndexReport:
    """What a run did, from what its steps tell."""
    return IndexReport(
        files=files,
        read=intake.read,
        added=intake.counts.added,
        updated=intake.counts.updated,
        unchanged=intake.counts.unchanged,
        superseded=intake.counts.superseded,
        merged=intake.counts.merged,
        deleted=intake.deleted,
        passed_over=intake.passed_over,
        passages_embedded=embedded.embedded,
        passages_reused=embedded.reused,
        passages_deleted=embedded.deleted,
        embedding_seconds=embedded.seconds,
        passages_per_second=embedded.embedded / embedded.seconds if embedded.embedded else 0.0,
        seconds=seconds,
        citations=published.citations,
        passages=published.passages,
        library_version=published.number,
        faults=tuple(intake.faults),
        remarks=tuple(intake.remarks),
    )


def read_files(
    files: Iterable[File], hints: Hints | None, intake: Intake, progress: Progress
) -> Iterator[Item]:
    """Everything in the files, in order; a file's fault is noted and the next file goes on."""
    progress.start("reading", None, "citations")
    for file in files:
        name = PurePath(file.name).name
        release = release_of(name)
        told: Counter[str] = Counter()
        try:
            for item in read_file(file, hints):
                match item:
                    case Remark():
                        intake.remarks.append(str(item))
                        progress.note(str(item))
                        continue
                    case Citation():
                        yield Part(item, name, told[item.id], release)
                        told[item.id] += item.source not in DATABASES
                    case Deletion():
                        yield Withdrawal(item, release)
                    case SetAside():
                        yield item
                progress.advance(1)
            yield Taken(file)
        except (SourceError, OSError) as error:
            intake.faults.append(str(error))
            progress.note(str(error))
    progress.finish()


def select(items: Iterator[Item], limit: int | None, newest_first: bool) -> Iterator[Item]:
    """The first `limit` citations and what stands between them, or the newest that have an abstract."""
    if limit is None:
        yield from items
        return
    if newest_first:
        aside: list[SetAside] = []
        yield from map(Part, newest(_citations(items, aside), limit))
        yield from aside
        return
    taken = 0
    for item in items:
        if taken == limit and isinstance(item, Part):
            return
        taken += isinstance(item, Part)
        yield item


def _citations(items: Iterable[Item], aside: list[SetAside]) -> Iterator[Citation]:
    for item in items:
        if isinstance(item, Part):
            yield item.citation
        elif isinstance(item, SetAside):
            aside.append(item)
