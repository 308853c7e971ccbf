"""Verification: every promise that a library makes, checked one by one."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from indexer.files import json_bytes, sha256
from indexer.library import FORMAT, chunks, open_library
from indexer.manifest import damaged_files, read_manifest
from indexer.passages import citation_text, text_hash
from indexer.pointer import POINTER, PublishedSet, sealed
from indexer.positions import batch_vectors
from indexer.progress import Progress
from indexer.published import Published, published_pointer
from indexer.quarantine import line_faults, lines
from indexer.tables import DERIVED, decode_record, derived_columns, encode_record

UNIT_TOLERANCE = 2e-3
"""How far the length of a vector of 16-bit floats may be from one."""

LISTED = 20
"""Faults of one kind that are listed; the rest are counted."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One broken promise: which check, and what was found against what was expected."""

    check: str
    detail: str


@dataclass(frozen=True, slots=True)
class VerifyReport:
    """checks: how many things each check looked at."""

    faults: tuple[Fault, ...]
    checks: dict[str, int]

    @property
    def sound(self) -> bool:
        return not self.faults


@dataclass(frozen=True, slots=True)
class Checked:
    """How many things a check looked at, and a line for each that is wrong."""

    count: int
    details: list[str]


def verify(path: Path, progress: Progress) -> VerifyReport:
    """Check the files of the published set, then, if they are as written, all that they say.

    Raises LibraryError only if there is no library, or no library.json that can be read, or if what stands in
    the tables since the set was published cannot be.
    """
    pointer = published_pointer(path)
    progress.start("verifying", 1 + len(CHECKS), "checks")
    checks = {"files": check_files(path, pointer), "quarantine": check_quarantine(path)}
    progress.advance()
    if not checks["files"].details:
        published = Published(open_library(path, pointer.table), pointer)
        for name, check in CHECKS.items():
            checks[name] = check(published)
            progress.advance()
    progress.finish()
    faults = [Fault(name, line) for name, checked in checks.items() for line in shortened(checked.details)]
    return VerifyReport(tuple(faults), {name: checked.count for name, checked in checks.items()})


def shortened(details: list[str]) -> Iterator[str]:
    """The first few details, then how many more there are."""
    yield from details[:LISTED]
    if len(details) > LISTED:
        yield f"and {len(details) - LISTED:,} more"


def check_files(root: Path, pointer: PublishedSet) -> Checked:
    """Every file of the set is as it was written."""
    has_seal = pointer.seal or pointer.format == FORMAT  # Formats before 3 have none.
    if has_seal and (root / POINTER).read_bytes() != json_bytes(sealed(pointer)):
        return Checked(1, [f"{POINTER} is not as it was written"])
    if not (root / pointer.manifest).is_file():
        return Checked(1, [f"{pointer.manifest} is missing"])
    if sha256(root / pointer.manifest) != pointer.manifest_sha256:
        return Checked(1, [f"{pointer.manifest} has another SHA-256 than library.json says"])
    manifest = read_manifest(root / pointer.manifest)
    return Checked(len(manifest), damaged_files(root, manifest))


def check_quarantine(root: Path) -> Checked:
    """Every line of quarantine.jsonl is a record; what it says may be changed by hand."""
    return Checked(len(lines(root)), line_faults(root))


def check_counts(published: Published) -> Checked:
    """Tables, columns and positions hold as many as library.json says."""
    passages = published.library.passages(published.set.tag)
    found = {
        "citations in citations.lance": (published.citations.count_rows(), published.set.citations),
        "citations in the filter columns": (len(published.columns.ids), published.set.citations),
        "passages in passages.lance": (passages.count_rows(), published.set.passages),
        "passages in the dense index": (int(published.dense.alive.sum()), published.set.passages),
    }
    return Checked(
        len(found),
        [f"{what}: {held:,}, expected {told:,}" for what, (held, told) in found.items() if held != told],
    )


def check_citations(published: Published) -> Checked:
    """Each id stands once, in the columns too, and each record is what its hashes and terms say."""
    seen: set[str] = set()
    details: list[str] = []
    held = published.citations.schema.names  # A library of an older version may lack the newest columns.
    columns = ["id", "content", "text", "record", *(name for name in DERIVED if name in held)]
    scanner = published.citations.scanner(columns=columns, batch_size=1024, with_row_id=True)
    for batch in scanner.to_batches():
        numbers = published.columns.numbers_of_rows(batch["_rowid"].to_numpy())
        for row, number in zip(batch.to_pylist(), numbers.tolist(), strict=True):
            details += citation_faults(row, seen)
            if published.columns.id(number) != row["id"]:
                details.append(f"{row['id']}: its row leads to {published.columns.id(number)} in the columns")
    return Checked(len(seen), details)


def citation_faults(row: dict[str, object], seen: set[str]) -> Iterator[str]:
    """What is wrong with one row of citations.lance."""
    item, record = str(row["id"]), bytes(row["record"])  # type: ignore[call-overload]
    if item in seen:
        yield f"{item}: stands more than once"
    seen.add(item)
    try:
        citation = decode_record(record)
    except ValueError as error:
        yield f"{item}: the record cannot be read ({error})"
        return
    if citation.id != item:
        yield f"{item}: the record is of {citation.id}"
    if encode_record(citation) != record or text_hash(record.decode()) != row["content"]:
        yield f"{item}: the record does not match its hash"
    if text_hash(citation_text(citation)) != row["text"]:
        yield f"{item}: the text does not match its hash"
    fresh = derived_columns(citation)
    for name in DERIVED:
        if fresh[name] != row.get(name):
            yield f"{item}: {name} is not what this version makes of the record"


def check_passages(published: Published) -> Checked:
    """Passages are of the library's encoder, in bounds, cover their citation's text, and match their hash."""
    table = published.library.passages(published.set.tag)
    names = ["key", "citation_id", "number", "start", "end", "text", "source", "fingerprint"]
    rows = table.to_table(columns=names).sort_by([("citation_id", "ascending"), ("number", "ascending")])
    groups: dict[str, list[dict[str, object]]] = {}
    for row in rows.to_pylist():
        groups.setdefault(row["citation_id"], []).append(row)
    details: list[str] = []
    ids = [item.decode() for item in published.columns.ids.tolist()]
    for some in chunks(ids, 512):
        for item, citation in published.read(some).items():
            details += passage_faults(
                item, citation_text(citation), groups.pop(item, []), published.set.fingerprint
            )
    details += [f"{item}: has passages and no citation" for item in groups]
    return Checked(rows.num_rows, details)


def passage_faults(item: str, text: str, rows: list[dict[str, object]], fingerprint: str) -> Iterator[str]:
    """What is wrong with the passages of one citation, given in order of number."""
    covered = 0
    for number, row in enumerate(rows):
        start, end = int(str(row["start"])), int(str(row["end"]))
        key = row["key"]
        if row["number"] != number or key != f"{item}#{number}":
            yield f"{key}: number {row['number']}, expected {item}#{number}"
        if not covered >= start >= 0 or not start < end <= len(text):
            yield f"{key}: characters {start} to {end} leave a gap or the text of {len(text)}"
        elif text_hash(text[start:end]) != row["text"]:
            yield f"{key}: the passage does not match its hash"
        if row["source"] != text_hash(text):
            yield f"{key}: made from another text of {item}"
        if row["fingerprint"] != fingerprint:
            yield f"{key}: embedded with {row['fingerprint']}, the library's encoder is {fingerprint}"
        covered = max(covered, end)
    if covered < len(text) and text.strip():
        yield f"{item}: passages cover {covered} of {len(text)} characters"


def check_vectors(published: Published) -> Checked:
    """Vectors are finite and of unit length, and the dense index holds the same ones."""
    positions = positions_by_key(published)
    table = published.library.passages(published.set.tag)
    details: list[str] = []
    count = 0
    for batch in table.to_batches(columns=["key", "citation_id", "number", "vector"], batch_size=1024):
        vectors = batch_vectors(batch)
        keys = batch["key"].to_pylist()
        count += len(keys)
        lengths = np.linalg.norm(vectors, axis=1)
        wrong = np.flatnonzero(~(np.abs(lengths - 1) <= UNIT_TOLERANCE))
        details += [f"{keys[row]}: vector of length {lengths[row]:.4f}, expected 1" for row in wrong]
        places = np.array([positions.get(key, -1) for key in keys], np.int64)
        details += [f"{keys[row]}: not in the dense index" for row in np.flatnonzero(places < 0)]
        known = np.flatnonzero(places >= 0)
        same = (published.dense.vectors(places[known]) == vectors[known]).all(axis=1)
        details += [f"{keys[row]}: another vector in the dense index" for row in known[~same]]
    return Checked(count, details)


def positions_by_key(published: Published) -> dict[str, int]:
    """Where each passage stands in the dense index; a citation's passages are told apart by their start."""
    living = np.flatnonzero(published.dense.alive)
    owners, starts = published.owners[living], published.spans[living, 0]
    order = np.lexsort((starts, owners))
    positions: dict[str, int] = {}
    before, number = -1, 0
    for row in order.tolist():
        owner = int(owners[row])
        number = number + 1 if owner == before else 0
        before = owner
        positions[f"{published.columns.id(owner)}#{number}"] = int(living[row])
    return positions


CHECKS: dict[str, Callable[[Published], Checked]] = {
    "counts": check_counts,
    "citations": check_citations,
    "passages": check_passages,
    "vectors": check_vectors,
}
