"""Publishing: make one consistent set of both tables and all that is derived from them.

Readers see the old set or the new one. Whatever a kill leaves half-made is not named by library.json, and the
next publication clears it away.
"""

import os
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np
from numpy.typing import NDArray

from indexer.changes import changes
from indexer.columns import COLUMNS, write_columns
from indexer.duplicates import Judged, write_groups
from indexer.errors import LibraryError
from indexer.files import sha256, sync_folder, write_json
from indexer.fulltext import build_fulltext
from indexer.library import FORMAT, GRACE, Library, open_library, passage_tables
from indexer.manifest import Manifest, build_manifest, read_manifest, table_files
from indexer.memory import release_memory
from indexer.passages import PASSAGES_VERSION
from indexer.pointer import POINTER, PublishedSet, read_pointer, sealed, unfinished
from indexer.positions import keys_file, read_passages, write_positions
from indexer.progress import Progress
from indexer.terms import BODY, RANKED, WORDS
from indexer.vocabulary import changed_counts, count_words, write_vocabulary
from models.analysis import ANALYSIS_VERSION

if TYPE_CHECKING:
    import lance


VOCABULARIES = ((WORDS,), (RANKED, BODY))
"""Columns whose words are counted together."""

FRAGMENTS = 16
"""A table of more fragments than this is compacted first."""

DROPPED = "passages.old"
"""A table of passages while it is deleted."""


def publish(library: Library, progress: Progress, *, anew: bool = False) -> PublishedSet:
    """Publish the tables as they are now; call inside `writing`. anew builds every derived part again."""
    before = previous_set(library.path, forgive=anew)
    if before is not None and not anew and unchanged(library, before):
        return before
    progress.start("publishing", 5, "steps")
    clear_unfinished(library)
    outdated = before is not None and before.analysis_version != ANALYSIS_VERSION
    if anew or outdated or library.incomplete():
        library.derive_again()
    compact(library)
    build_fulltext(library.citations(), anew=anew)
    progress.advance()
    folder = new_folder(library)
    made_now = before is not None and before.format == FORMAT and not (anew or outdated)
    ids = write_derived(library, folder, before if made_now else None)
    progress.advance()
    base = library.path / before.base if before and before.table == library.table and not anew else None
    base = write_positions(library, folder, read_passages(library, ids), base)
    progress.advance()
    pointer = write_set(library, folder, base, known_files(library.path, before, anew=anew))
    progress.advance()
    clear_old(library, [pointer, *([before] if before else [])])
    progress.advance()
    progress.finish()
    return pointer


def write_derived(library: Library, folder: Path, before: PublishedSet | None) -> NDArray[np.bytes_]:
    """Write filter columns, groups of records of one article, and vocabularies; returns the sorted ids.

    before: a set of which is kept what still holds. What each has read is given back before the next, since
    an encoder may still take most of the memory.
    """
    release_memory()
    citations = library.citations().to_table(columns=list(COLUMNS), with_row_id=True)
    ids = write_columns(folder, citations)
    last = library.path / before.folder if before else folder
    changed = changes(library.citations(before.tag), library.citations()) if before else None
    judged = Judged(last, ids, changed.come) if changed else None
    keys = citations.select(["id", "duplicate_keys"]).sort_by("id")
    write_groups(folder, keys, library.read, judged)
    del citations, keys
    for columns in VOCABULARIES:
        release_memory()
        if changed:
            counts = changed_counts(last, columns, changed)
        else:
            counts = count_words(library.citations().scanner(columns=list(columns)).to_batches(), columns)
        write_vocabulary(folder, columns, counts)
    release_memory()
    return ids


def rebuild(path: Path, progress: Progress) -> PublishedSet:
    """Publish anew from the two tables alone, terms analysed again; nothing is embedded."""
    library = open_library(path)
    with library.writing():
        drop_derived(library)
        return publish(library, progress, anew=True)


def drop_derived(library: Library) -> None:
    """Drop what is made from the rows of the tables and may be damaged: indexes, tags that cannot be read."""
    for file in library.path.glob("*.lance/_refs/tags/*.json"):
        try:
            msgspec.json.decode(file.read_bytes(), type=dict[str, object])
        except msgspec.DecodeError:
            file.unlink()
    table = library.citations()
    for index in table.describe_indices():
        table.drop_index(index.name)


def previous_set(path: Path, *, forgive: bool) -> PublishedSet | None:
    """The set published now; a damaged library.json counts as none if forgiven."""
    try:
        return read_pointer(path)
    except LibraryError:
        if forgive:
            return None
        raise


def unchanged(library: Library, pointer: PublishedSet) -> bool:
    """Whether both tables still stand at the versions of the published set."""
    made_by = (pointer.format, pointer.passages_version, pointer.analysis_version)
    if made_by != (FORMAT, PASSAGES_VERSION, ANALYSIS_VERSION) or pointer.table != library.table:
        return False
    return all(tagged_version(table, pointer.tag) == table.version for table in tables(library))


def tables(library: Library) -> tuple["lance.LanceDataset", "lance.LanceDataset"]:
    """Both tables as they are now."""
    return library.citations(), library.passages()


def tagged_version(table: "lance.LanceDataset", tag: str) -> int | None:
    """The version that a tag names, None if there is no such tag."""
    held = table.tags.list().get(tag)
    return None if held is None else int(held["version"])


def compact(library: Library) -> None:
    """Merge the many small fragments that commits of chunks leave."""
    for table in tables(library):
        if len(table.get_fragments()) > FRAGMENTS:
            table.optimize.compact_files()


def new_folder(library: Library) -> Path:
    """An empty folder for the next set, numbered above every set there is a trace of."""
    names = [folder.name for folder in (library.path / "sets").glob("[0-9]*")]
    names += [tag.removeprefix("set-") for table in tables(library) for tag in table.tags.list()]
    folder = library.path / "sets" / f"{max(map(int, names), default=0) + 1:06d}"
    folder.mkdir(parents=True)
    return folder


def known_files(root: Path, before: PublishedSet | None, *, anew: bool) -> Manifest:
    """What the set before says of files; made anew, of the tables' data alone, lest damage pass for sound."""
    if before is None:
        return {}
    if not anew:
        return read_manifest(root / before.manifest)
    file = root / before.manifest
    if not file.is_file() or sha256(file) != before.manifest_sha256:
        return {}
    parts = ("/data/", "/_deletions/")
    return {name: entry for name, entry in read_manifest(file).items() if any(part in name for part in parts)}


def write_set(library: Library, folder: Path, base: Path, held: Manifest) -> PublishedSet:
    """Tag both tables, seal the files in a manifest, and put the new library.json in place."""
    tag = f"set-{folder.name}"
    for table in tables(library):
        table.tags.create(tag, table.version)
    for file in [base, keys_file(base), *folder.iterdir()]:
        sync_file(file)
    root = library.path
    manifest = build_manifest(root, set_files(library, folder, base), held)
    write_json(folder / "manifest.json", manifest)
    sync_folder(folder.parent)
    sync_folder(base.parent)
    pointer = PublishedSet(
        format=FORMAT,
        number=int(folder.name),
        tag=tag,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        citations=library.citations(tag).count_rows(),
        passages=library.passages(tag).count_rows(),
        model=library.encoder.model,
        fingerprint=library.encoder.fingerprint,
        dimensions=library.encoder.dimensions,
        passages_version=PASSAGES_VERSION,
        analysis_version=ANALYSIS_VERSION,
        folder=folder.relative_to(root).as_posix(),
        base=base.relative_to(root).as_posix(),
        manifest=(folder / "manifest.json").relative_to(root).as_posix(),
        manifest_sha256=sha256(folder / "manifest.json"),
        table=library.table,
    )
    pointer = sealed(pointer)
    write_json(root / POINTER, pointer)
    return pointer


def set_files(library: Library, folder: Path, base: Path) -> Iterator[Path]:
    """Every file that a set stands on, its manifest aside."""
    yield from (base, keys_file(base))
    yield from sorted(folder.iterdir())
    for table in tables(library):
        yield from table_files(table)
        yield Path(table.uri) / "_refs" / "tags" / f"set-{folder.name}.json"


def sync_file(path: Path) -> None:
    """Flush a file that another library wrote to the disk."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


def clear_old(library: Library, kept: list[PublishedSet]) -> None:
    """Drop sets that nothing names any more: their folders, bases and tags, old tables and table versions."""
    for folder in (library.path / "sets").iterdir():
        if folder.relative_to(library.path).as_posix() not in {item.folder for item in kept}:
            shutil.rmtree(folder)
    bases = {library.path / item.base for item in kept}
    for file in (library.path / "dense").iterdir():
        if file not in bases | {keys_file(base) for base in bases}:
            file.unlink()
    for table in tables(library):
        for tag in set(table.tags.list()) - {item.tag for item in kept}:
            table.tags.delete(tag)
        table.cleanup_old_versions(older_than=GRACE, error_if_tagged_old_versions=False)
    being_made = unfinished(library.path, library.table)
    needed = {item.table for item in kept} | ({being_made.table} if being_made else set())
    for name in set(passage_tables(library.path)) - needed:
        drop_table(library.path / name)


def clear_unfinished(library: Library, grace: timedelta = GRACE) -> None:
    """Drop old versions of the tables, and what killed or failed writers left half-written.

    The holder of the lock is the only writer.
    """
    for table in tables(library):
        table.cleanup_old_versions(grace, delete_unverified=True, error_if_tagged_old_versions=False)
    for pattern in (".*.tmp", "*.lance/**/.tmp*", "*.lance/**/*.tmp.*"):
        for file in library.path.glob(pattern):
            file.unlink()
    shutil.rmtree(library.path / DROPPED, ignore_errors=True)


def drop_table(path: Path) -> None:
    """Delete a table of passages, in one step for whoever looks for tables."""
    dropped = path.with_name(DROPPED)
    shutil.rmtree(dropped, ignore_errors=True)
    path.rename(dropped)
    shutil.rmtree(dropped)
