"""The indexing job on PubMed files, and what is left when it is killed."""

import multiprocessing
import os
import random
import signal
import subprocess
import time
import zipfile
from dataclasses import replace

import pytest

from indexer.errors import LibraryError
from indexer.job import index_files
from indexer.library import open_library
from indexer.progress import Silent
from indexer.sources.detect import Hints
from indexer.sources.text import named_encoding
from indexer.verify import verify
from models.errors import UsageError
from tests.hash_encoder import HashEncoder
from tests.medline_records import RECORDS as TEXT
from tests.pubmed_records import RECORDS, article_xml, pubmed_xml, write_pubmed, write_xml


@pytest.fixture
def run(tmp_path):
    """Index files into one library; returns the report."""

    def index(*files, encoder=None, **options):
        return index_files(files, tmp_path / "library", encoder or HashEncoder(), Silent(), **options)

    return index


def contents(path):
    """All that a library holds, row by row, times and versions of tables aside."""
    library = open_library(path)
    tables = ((library.citations(), "id"), (library.passages(), "key"))
    return [table.to_table().sort_by(key).to_pylist() for table, key in tables]


def test_a_file_goes_in_whole(run, tmp_path):
    report = run(write_pubmed(tmp_path / "one.xml.gz"))
    assert (report.files, report.read, report.added, report.citations) == (1, *[len(RECORDS)] * 3)
    assert report.passages_embedded == report.passages >= len(RECORDS)
    assert report.faults == ()
    assert verify(tmp_path / "library", Silent()).sound


def test_the_same_file_again_embeds_nothing_and_publishes_nothing(run, tmp_path):
    file = write_pubmed(tmp_path / "one.xml")
    first, encoder = run(file), HashEncoder()
    again = run(file, encoder=encoder)
    assert (again.unchanged, again.added, again.passages_embedded) == (len(RECORDS), 0, 0)
    assert encoder.embedded == []
    assert again.library_version == first.library_version


def test_a_record_changed_in_one_word_embeds_one_passage(run, tmp_path):
    run(write_pubmed(tmp_path / "one.xml"))
    changed = replace(RECORDS[3], title=RECORDS[3].title + " Revised")
    report = run(write_pubmed(tmp_path / "two.xml", [changed, *RECORDS[4:]]))
    assert (report.updated, report.passages_embedded) == (1, 1)


def test_a_deletion_takes_the_record_out(run, tmp_path):
    run(write_pubmed(tmp_path / "one.xml"))
    report = run(write_pubmed(tmp_path / "two.xml", [], deletions=[RECORDS[0].pmid, 1]))
    assert (report.deleted, report.citations) == (1, len(RECORDS) - 1)
    assert verify(tmp_path / "library", Silent()).sound


def test_a_file_that_breaks_off_gives_what_stands_before_and_the_next_goes_on(run, tmp_path):
    whole = pubmed_xml(map(article_xml, RECORDS[:5]))
    broken = write_xml(tmp_path / "1.xml", whole[: whole.rindex("<PubmedArticle>") + 60])
    report = run(broken, write_pubmed(tmp_path / "2.xml", RECORDS[5:]))
    assert report.citations == len(RECORDS) - 1
    [fault] = report.faults
    assert "1.xml" in fault
    assert str(RECORDS[3].pmid) in fault


def test_a_record_without_a_pmid_is_set_aside_and_named(run, tmp_path):
    bad = article_xml(RECORDS[0]).replace(f">{RECORDS[0].pmid}</PMID>", "></PMID>")
    report = run(write_xml(tmp_path / "one.xml", pubmed_xml([bad, article_xml(RECORDS[1])])))
    assert report.citations == 1
    [fault] = report.faults
    assert "one.xml" in fault
    assert "PMID" in fault


def test_text_of_pubmed_goes_in_like_its_xml(run, tmp_path):
    text = "\n".join(TEXT).encode("gb18030")
    (tmp_path / "set.txt").write_bytes(text)
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr("set.nbib", text)
    report = run(tmp_path / "set.txt", tmp_path / "all.zip", hints=Hints(encoding=named_encoding("gb18030")))
    assert (report.files, report.read, report.added, report.unchanged) == (2, 6, 3, 3)
    assert report.faults == report.remarks == ()
    guessed = run(tmp_path / "set.txt")
    assert guessed.unchanged == 3
    assert guessed.remarks == (
        f"{tmp_path}/set.txt: it is not UTF-8; taken for gb18030 (--encoding NAME if it is another)",
    )
    assert guessed.faults == ()


def test_limit_takes_the_first(run, tmp_path):
    report = run(write_pubmed(tmp_path / "one.xml"), limit=3)
    ids = {row["id"] for row in contents(tmp_path / "library")[0]}
    assert report.read == 3
    assert ids == {f"pmid:{record.pmid}" for record in RECORDS[:3]}


def test_newest_first_takes_the_newest_with_an_abstract(run, tmp_path):
    dated = [replace(record, year=2000 + place, month="Jan", day="") for place, record in enumerate(RECORDS)]
    dated[-1] = replace(dated[-1], abstract=())
    run(write_pubmed(tmp_path / "one.xml", dated), limit=3, newest_first=True)
    ids = {row["id"] for row in contents(tmp_path / "library")[0]}
    assert ids == {f"pmid:{record.pmid}" for record in dated[-4:-1]}


def test_a_path_that_is_not_there_is_named_before_anything_is_made(run, tmp_path):
    with pytest.raises(UsageError, match=r"nowhere\.xml: no such file"):
        run(tmp_path / "nowhere.xml")
    assert not (tmp_path / "library").exists()


class SlowEncoder(HashEncoder):
    """Slow enough that a kill falls between its calls."""

    def encode_passages(self, texts):
        time.sleep(0.02)
        return super().encode_passages(texts)


def index_in_small_steps(files, path, started=None):
    from indexer import embed, intake

    if started:
        started.set()
    embed.CHUNK, intake.BATCH = 10, 20
    index_files(files, path, SlowEncoder(), Silent())


def many_files(folder):
    """Three files of 60 records; the last replaces some of the first and deletes others."""
    base = [replace(RECORDS[number % len(RECORDS)], pmid=1000 + number, doi="") for number in range(120)]
    changed = [replace(record, title=f"{record.title} Revised", version=2) for record in base[:30]]
    more = [replace(record, pmid=record.pmid + 5000) for record in base[:30]]
    return [
        write_pubmed(folder / "1.xml.gz", base[:60]),
        write_pubmed(folder / "2.xml.gz", base[60:]),
        write_pubmed(folder / "3.xml.gz", [*changed, *more], deletions=range(1050, 1060)),
    ]


@pytest.mark.parametrize("seed", [1, 2])
def test_killed_at_random_moments_it_ends_as_if_never_killed(tmp_path, seed):
    files = many_files(tmp_path)
    began = time.monotonic()
    index_in_small_steps(files, tmp_path / "unbroken")
    seconds = time.monotonic() - began
    random_moments = random.Random(seed)
    context = multiprocessing.get_context("spawn")
    for _ in range(3):
        started = context.Event()
        process = context.Process(target=index_in_small_steps, args=(files, tmp_path / "killed", started))
        process.start()
        assert started.wait(60)
        process.join(random_moments.uniform(0.05, seconds))
        if process.is_alive():
            os.kill(process.pid, signal.SIGKILL)
        process.join()
    index_in_small_steps(files, tmp_path / "killed")
    assert contents(tmp_path / "killed") == contents(tmp_path / "unbroken")
    assert verify(tmp_path / "killed", Silent()).faults == ()


@pytest.fixture
def small_disk(tmp_path):
    """A file system of half a megabyte; call it to give it room."""
    if os.geteuid() != 0:
        pytest.skip("mounting a small file system needs root")
    folder = tmp_path / "disk"
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=500k", "tmpfs", folder], check=True)
    yield folder
    subprocess.run(["umount", folder], check=True)


@pytest.mark.root
def test_a_full_disk_loses_nothing_that_was_committed(small_disk, tmp_path):
    files = many_files(tmp_path)
    index_in_small_steps(files, tmp_path / "unbroken")
    with pytest.raises(
        LibraryError, match=r"cannot write to library .*No space left on device\. .*carries on"
    ) as caught:
        index_in_small_steps(files, small_disk / "library")
    assert ".rs:" not in str(caught.value)
    subprocess.run(["mount", "-o", "remount,size=50m", small_disk], check=True)
    index_in_small_steps(files, small_disk / "library")
    assert contents(small_disk / "library") == contents(tmp_path / "unbroken")
    assert verify(small_disk / "library", Silent()).faults == ()
