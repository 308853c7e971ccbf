"""The manifest of a published set: the SHA-256 of every file that it stands on."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from indexer.files import sha256

if TYPE_CHECKING:
    import lance


class ManifestEntry(msgspec.Struct, frozen=True):
    size: int
    sha256: str


Manifest = dict[str, ManifestEntry]


def table_files(table: "lance.LanceDataset") -> list[Path]:
    """The files of a Lance table at its opened version: what the version is, data, deletions and indexes."""
    root = Path(table.uri)
    # Lance counts the names of its versions up or, newer, down from the largest number of 64 bits.
    numbers = (f"{table.version}", f"{2**64 - 1 - table.version:020}")
    versions = (root / "_versions" / f"{number}.manifest" for number in numbers)
    names = [file for file in versions if file.is_file()]
    for fragment in table.get_fragments():
        names += [root / "data" / file.path for file in fragment.data_files()]
        deletion = fragment.deletion_file()
        if deletion is not None:
            names.append(root / deletion)
    for index in table.describe_indices():
        for segment in index.segments:
            names += sorted((root / "_indices" / str(segment.uuid)).iterdir())
    return names


def build_manifest(root: Path, files: Iterable[Path], previous: Mapping[str, ManifestEntry]) -> Manifest:
    """Entries by path relative to root. Files never change once written: known ones are not read again."""
    manifest: Manifest = {}
    for file in files:
        name = file.relative_to(root).as_posix()
        size = file.stat().st_size
        held = previous.get(name)
        manifest[name] = held if held and held.size == size else ManifestEntry(size, sha256(file))
    return manifest


def read_manifest(path: Path) -> Manifest:
    """The manifest in a file."""
    return msgspec.json.decode(path.read_bytes(), type=Manifest)


def damaged_files(root: Path, manifest: Mapping[str, ManifestEntry]) -> list[str]:
    """A line for each file that is missing or not as it was written."""
    faults = []
    for name, entry in manifest.items():
        file = root / name
        if not file.is_file():
            faults.append(f"{name} is missing")
        elif file.stat().st_size != entry.size:
            faults.append(f"{name} has {file.stat().st_size:,} bytes, expected {entry.size:,}")
        elif sha256(file) != entry.sha256:
            faults.append(f"{name} has another SHA-256 than when it was published")
    return faults
