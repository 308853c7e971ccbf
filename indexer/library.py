"""A library on disk: two Lance tables, one writer at a time, the newest version of each citation wins."""

import datetime
import json
import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from indexer.citation import Citation
from indexer.disk import disk_faults, first_line
from indexer.errors import LibraryBusy, LibraryError
from indexer.pointer import PASSAGES, read_pointer
from indexer.tables import (
    CITATIONS,
    DERIVED,
    PART_COLUMNS,
    citation_rows,
    decode_parts,
    decode_record,
    passages_schema,
)
from models.encoder import Encoder, EncoderSettings

if TYPE_CHECKING:
    import lance

FORMAT = 3
"""2 has a column for each field of lexical search and of filters, 3 what each source says of a work."""
OLDEST = 2
"""Libraries from this format on are read as they are; the next run that writes brings them up to date."""
ENCODER_KEY = "bioglot:encoder"
GRACE = datetime.timedelta(hours=1)
"""Versions of a table younger than this survive clean-up, for readers that are still opening them."""


@dataclass(frozen=True, slots=True)
class EncoderIdentity:
    """Which encoder the vectors of a library come from, and how to load it again."""

    model: str
    fingerprint: str
    dimensions: int
    max_tokens: int

    @property
    def settings(self) -> EncoderSettings:
        return EncoderSettings(model=self.model, dimensions=self.dimensions, max_tokens=self.max_tokens)


class Library:
    """Open with `open_library` or `create_library`; write only inside `writing`.

    table: that of the passages, all of one encoder.
    """

    def __init__(self, path: Path, encoder: EncoderIdentity, table: str) -> None:
        self.path = path
        self.encoder = encoder
        self.table = table

    def citations(self, tag: str | None = None) -> "lance.LanceDataset":
        """citations.lance at a tag, or as it is now."""
        return open_table(self.path / "citations.lance", tag)

    def passages(self, tag: str | None = None) -> "lance.LanceDataset":
        """The table of passages at a tag, or as it is now."""
        return open_table(self.path / self.table, tag)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the one writer lock; raises LibraryBusy at once if another process holds it.

        A library that an older version made gets the columns that it lacks, empty until `derive_again`.
        Raises LibraryError, inside too, for a disk that cannot be written to and for damaged files.
        """
        with disk_faults(self.path), self._locked():
            yield

    @contextmanager
    def _locked(self) -> Iterator[None]:
        from filelock import FileLock, Timeout

        holder = self.path / "writer.pid"
        lock = FileLock(self.path / "writer.lock")
        try:
            lock.acquire(blocking=False)
        except Timeout:
            who = holder.read_text(encoding="utf-8") if holder.exists() else "unknown"
            raise LibraryBusy(
                f"library {self.path} is being written by another process (id {who}): wait until it is done"
            ) from None
        try:
            holder.write_text(str(os.getpid()), encoding="utf-8")
            if serving_table(self.path) != self.table:
                raise LibraryBusy(f"library {self.path} has just changed its encoder: run the command again")
            self.add_columns()
            yield
        finally:
            holder.unlink(missing_ok=True)
            lock.release()

    def add_columns(self) -> None:
        """Add the columns of this version that the citations lack, drop those of an older one."""
        table = self.citations()
        if missing := [field for field in CITATIONS if field.name not in table.schema.names]:
            table.add_columns(missing)
        if surplus := [name for name in table.schema.names if name not in CITATIONS.names]:
            table.drop_columns(surplus)

    def derive_again(self) -> int:
        """Make the columns that follow from the records anew; returns how many rows changed."""
        changed = 0
        held = self.citations().to_table(columns=["id"])["id"].to_pylist()
        for ids in chunks(sorted(held)):
            old = {row["id"]: row for row in self.rows(ids, ["id", *PART_COLUMNS, *DERIVED])}
            rows = citation_rows(map(decode_parts, old.values()))
            fresh = rows.select(["id", *PART_COLUMNS, *DERIVED]).to_pylist()
            stale = [row != old.get(row["id"]) for row in fresh]
            if any(stale):
                merge(self.citations(), "id", rows.filter(pa.array(stale)))
            changed += sum(stale)
        return changed

    def incomplete(self) -> bool:
        """Whether some rows were written before the table had its newest column."""
        return bool(self.citations().count_rows(filter=f"{DERIVED[-1]} IS NULL"))

    def rows(self, ids: Sequence[str], columns: Sequence[str]) -> list[dict[str, Any]]:
        """The named columns of the citations with these ids, in no order."""
        if not ids:
            return []
        table = self.citations().to_table(columns=list(columns), filter=in_list("id", ids))
        return list(table.to_pylist())

    def read(self, ids: Sequence[str]) -> dict[str, Citation]:
        """The whole citations with these ids as they are now, by id; ids that are not there are left out."""
        return read_citations(self.citations(), ids)


def open_library(path: Path, table: str | None = None) -> Library:
    """The library at path, over this table of passages or the one in use; LibraryError if there is none."""
    table = table or serving_table(path)
    if table is None or not all((path / name).is_dir() for name in ("citations.lance", table)):
        raise LibraryError(
            f"no library at {path}: expected a folder made by `bioglot index PATH --library {path}`"
        )
    metadata = open_table(path / table).schema.metadata or {}
    return Library(path, EncoderIdentity(**json.loads(metadata[ENCODER_KEY.encode()])), table)


def create_library(path: Path, encoder: Encoder) -> Library:
    """The library at path, made if need be; raises LibraryError if it belongs to another encoder."""
    from filelock import FileLock

    with disk_faults(path):
        path.mkdir(parents=True, exist_ok=True)
    # Of two that make it at once, the second would find a table half made.
    with disk_faults(path), FileLock(path / "create.lock"):
        if not passage_tables(path):
            create_passages(path / PASSAGES, encoder)
        if not (path / "citations.lance").is_dir():
            create_table(path / "citations.lance", CITATIONS)
    library = open_library(path)
    check_encoder(library, encoder)
    return library


def create_passages(path: Path, encoder: Encoder) -> None:
    """An empty table of passages for this encoder."""
    identity = EncoderIdentity(encoder.name, encoder.fingerprint, encoder.dimensions, encoder.max_tokens)
    metadata = {ENCODER_KEY: json.dumps(asdict(identity)), "bioglot:format": str(FORMAT)}
    create_table(path, passages_schema(encoder.dimensions, metadata))


def create_table(path: Path, schema: pa.Schema) -> None:
    """An empty table, there at once or not at all."""
    import lance

    begun = path.with_suffix(".new")
    shutil.rmtree(begun, ignore_errors=True)
    lance.write_dataset(schema.empty_table(), begun, enable_stable_row_ids=True)
    begun.rename(path)


def passage_tables(path: Path) -> list[str]:
    """Names of the tables of passages: the one in use, that of the set before, one that is being made."""
    return sorted(table.name for table in path.glob("passages*.lance"))


def serving_table(path: Path) -> str | None:
    """The table of passages that library.json names; if that is damaged or missing, the one tagged last."""
    with suppress(LibraryError):
        if pointer := read_pointer(path):
            return pointer.table
    tables = {name: max(open_table(path / name).tags.list(), default="") for name in passage_tables(path)}
    return max(tables, key=tables.__getitem__, default=None)


def check_encoder(library: Library, encoder: Encoder) -> None:
    """Raise LibraryError unless the encoder's vectors may be compared with the library's."""
    held = library.encoder
    if held.fingerprint != encoder.fingerprint:
        raise LibraryError(
            f"library {library.path} was embedded with {held.model} (fingerprint {held.fingerprint}, "
            f"{held.dimensions} dimensions, {held.max_tokens} tokens), not with {encoder.name} "
            f"(fingerprint {encoder.fingerprint}): use that encoder, or `bioglot reembed` the library"
        )


def open_table(path: Path, tag: str | None = None) -> "lance.LanceDataset":
    """A Lance table at a tag, or at its latest version."""
    import lance

    try:
        return lance.dataset(path, version=tag)
    except (ValueError, OSError) as error:
        raise LibraryError(f"cannot open table {path}: {first_line(error)}") from error


def read_citations(table: "lance.LanceDataset", ids: Sequence[str]) -> dict[str, Citation]:
    """The whole citations with these ids of one version of citations.lance; others are left out."""
    if not ids:
        return {}
    rows = table.to_table(columns=["id", "record"], filter=in_list("id", ids))
    return {row["id"]: decode_record(row["record"]) for row in rows.to_pylist()}


def merge(table: "lance.LanceDataset", key: str, rows: pa.Table) -> None:
    """Insert or replace rows by key; one commit."""
    merging = table.merge_insert(key).when_matched_update_all().when_not_matched_insert_all()
    # Through a scalar index on the key, two stale writers would insert the same new key twice.
    merging.use_index(False).execute(rows)


def delete_where_in(table: "lance.LanceDataset", column: str, values: Sequence[str]) -> int:
    """Delete the rows whose column is one of the values; returns how many."""
    if not values or not table.count_rows(filter=in_list(column, values)):
        return 0
    return int(table.delete(in_list(column, values))["num_deleted_rows"])


def in_list(column: str, values: Iterable[str]) -> str:
    """A SQL condition that the column is one of the values."""
    return f"{column} IN ({', '.join(map(quoted, values))})"


def quoted(value: str) -> str:
    """A SQL string; quotes inside it are doubled."""
    return "'" + value.replace("'", "''") + "'"


def chunks(values: Sequence[str], size: int = 1000) -> Iterator[Sequence[str]]:
    """The values in runs of `size`."""
    for first in range(0, len(values), size):
        yield values[first : first + size]
