"""MeSH: NLM's headings, the terms that mean each, and which headings are narrower than others."""

import http.client
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import msgspec

from indexer.columns import folded
from indexer.files import write_json
from indexer.progress import Progress
from models.errors import BioglotError

FILE = "mesh.json"

ADDRESSES = (
    "https://nlmpubs.nlm.nih.gov/projects/mesh/MESH_FILES/asciimesh/d{year}.bin",
    "https://nlmpubs.nlm.nih.gov/projects/mesh/{year}/asciimesh/d{year}.bin",
)
"""The edition in use, and each year's: around the turn of the year only one of them may have a file."""

LARGEST = 200_000_000
"""Bytes of a file that is read; NLM's has about 30 million."""

CHUNK = 1 << 18
TIMEOUT_SECONDS = 60


class MeshError(BioglotError):
    """MeSH cannot be fetched or read."""

    http_status = 503


@dataclass(frozen=True)
class MeshTree:
    """One edition, named by its year.

    numbers: the tree numbers of each descriptor, such as "C14.280.647"; what begins with one of them and a
    dot is narrower. terms: the descriptor that a name, entry term or identifier means, `folded`.
    """

    edition: str
    numbers: dict[str, tuple[str, ...]]
    terms: dict[str, str]

    def descriptor(self, name: str) -> str | None:
        """The descriptor that a name, entry term or identifier means; None if MeSH has none."""
        return self.terms.get(folded(name))

    def with_narrower(self, name: str) -> list[str]:
        """The descriptor that the name means and all below it, sorted; the name alone if MeSH has none."""
        descriptor = self.descriptor(name)
        if descriptor is None:
            return [name]
        found = {descriptor}
        for number in self.numbers.get(descriptor, ()):
            first = bisect_left(self._places, (f"{number}.",))
            last = bisect_left(self._places, (f"{number}/",), lo=first)  # "/" comes next after "."
            found.update(name for _, name in self._places[first:last])
        return sorted(found)

    @cached_property
    def _places(self) -> list[tuple[str, ...]]:
        """Tree number and descriptor, sorted."""
        return sorted((number, name) for name, numbers in self.numbers.items() for number in numbers)


def fetch_mesh(folder: Path, progress: Progress, addresses: Sequence[str] = ADDRESSES) -> MeshTree:
    """Fetch this year's descriptors, or those of the year before, and store their tree in `folder`.

    A file such as d2026.bin that lies in the folder already is used instead of the network; the newest of
    several. Raises MeshError.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        placed = sorted(folder.glob("d[0-9][0-9][0-9][0-9].bin"))
        if placed:
            tree = parse_descriptors(_read_placed(placed[-1]), placed[-1].name)
        else:
            tree = _download(folder, progress, addresses)
        write_json(folder / FILE, tree)
    except OSError as error:
        raise MeshError(f"{folder}: MeSH cannot be stored: {error.strerror or error}") from error
    return tree


def read_mesh(folder: Path) -> MeshTree | None:
    """The tree that `fetch_mesh` stored in the folder, if any. Raises MeshError."""
    path = folder / FILE
    try:
        return msgspec.json.decode(path.read_bytes(), type=MeshTree)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise MeshError(f"{path}: not what `bioglot fetch mesh` writes ({error}): fetch it again") from None


def parse_descriptors(data: bytes, name: str) -> MeshTree:
    """The tree of a file of descriptors in NLM's ASCII format, named as NLM names it: d2026.bin.

    Where two descriptors have a term, it means the one that has it as its name, or comes first. Raises
    MeshError.
    """
    numbers: dict[str, tuple[str, ...]] = {}
    others: dict[str, str] = {}
    for record in _records(data.decode("utf-8", errors="replace")):
        if record.get("RECTYPE") == ["D"] and "MH" in record:
            descriptor = record["MH"][0]
            numbers[descriptor] = tuple(record.get("MN", ()))
            entries = record.get("PRINT ENTRY", []) + record.get("ENTRY", [])
            for term in [entry.partition("|")[0] for entry in entries] + record.get("UI", []):
                others.setdefault(folded(term), descriptor)
    if not any(numbers.values()):
        raise MeshError(f"{name}: not a file of MeSH descriptors in NLM's ASCII format")
    return MeshTree(name[1:5], numbers, others | {folded(descriptor): descriptor for descriptor in numbers})


def _records(text: str) -> Iterator[dict[str, list[str]]]:
    """The values of each record by element, in the order of the file."""
    for block in text.split("*NEWRECORD")[1:]:
        record: dict[str, list[str]] = {}
        for line in block.split("\n"):
            element, equals, value = line.partition(" = ")
            if equals:
                record.setdefault(element.strip(), []).append(value.strip())
        yield record


def _read_placed(path: Path) -> bytes:
    if path.stat().st_size > LARGEST:
        raise MeshError(f"{path}: larger than {LARGEST:,} bytes, so not a file of MeSH descriptors")
    return path.read_bytes()


def _download(folder: Path, progress: Progress, addresses: Sequence[str]) -> MeshTree:
    """The tree from the first address that has a file."""
    now = datetime.now(UTC).year
    for year in (now, now - 1):
        for address in addresses:
            data = _read_address(address.format(year=year), folder / f"d{year}.bin", progress)
            if data is not None:
                return parse_descriptors(data, f"d{year}.bin")
    reason = f"the server has no d{now}.bin and d{now - 1}.bin"
    raise MeshError(_failure(addresses[0].format(year=now), folder / f"d{now}.bin", reason))


def _read_address(address: str, placed: Path, progress: Progress) -> bytes | None:
    """The whole file at an address; None if there is none. Raises MeshError."""
    try:
        with urlopen(address, timeout=TIMEOUT_SECONDS) as answer:
            size = answer.length
            progress.start(f"fetching MeSH ({placed.name})", size, "bytes")
            data = bytearray()
            while len(data) <= LARGEST and (chunk := answer.read(CHUNK)):
                data += chunk
                progress.advance(len(chunk))
    except HTTPError as error:
        error.close()
        if error.code == http.client.NOT_FOUND:
            return None
        raise MeshError(_failure(address, placed, f"{error.code} {error.reason}")) from None
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", error)
        raise MeshError(_failure(address, placed, getattr(reason, "strerror", None) or str(reason))) from None
    if len(data) > LARGEST:
        raise MeshError(_failure(address, placed, f"it has more than {LARGEST:,} bytes"))
    if size is not None and len(data) < size:
        raise MeshError(_failure(address, placed, f"it broke off after {len(data):,} of {size:,} bytes"))
    progress.finish()
    return bytes(data)


def _failure(address: str, placed: Path, reason: str) -> str:
    remedy = f"Try again, or put the file there yourself as {placed}."
    return f"MeSH cannot be fetched from {address}: {reason}. {remedy}"
