"""PubMed's baseline and its updates in a library: in any order, over the turn of a year, day after day."""

import gzip
import json
import random
import zipfile
from dataclasses import replace

import pytest

from indexer.errors import LibraryError
from indexer.job import index_files
from indexer.library import open_library
from indexer.progress import Silent
from indexer.releases import NAME, release_of
from indexer.verify import verify
from tests.hash_encoder import HashEncoder
from tests.pubmed_records import RECORDS, write_pubmed

FIRST, SECOND, THIRD = RECORDS[:3]


@pytest.fixture
def run(tmp_path):
    """Index files into one library; returns the report."""

    def index(*files, library="library", **options):
        return index_files(files, tmp_path / library, HashEncoder(), Silent(), **options)

    return index


def numbered(folder, number, records, deletions=(), year=26):
    folder.mkdir(exist_ok=True)
    return write_pubmed(folder / f"pubmed{year}n{number:04}.xml.gz", records, deletions)


def titles(path):
    """Title by PMID of what a library holds."""
    library = open_library(path)
    ids = library.citations().to_table(columns=["id"])["id"].to_pylist()
    return {int(citation.pmid): citation.title for citation in library.read(ids).values()}


def whole(path):
    """All that a library holds, times and versions of tables aside."""
    library = open_library(path)
    tables = ((library.citations(), "id"), (library.passages(), "key"))
    return [table.to_table().sort_by(key).to_pylist() for table, key in tables]


@pytest.mark.parametrize(
    ("name", "release"),
    [
        ("pubmed26n0001.xml.gz", 2_600_001),
        ("pubmed26n1234.xml", 2_601_234),
        ("PUBMED26N10001.XML.GZ", 2_610_001),
        ("pubmed_result.xml", None),
        ("old-pubmed26n0001.xml.gz", None),
        ("medline17n0001.xml.gz", None),
    ],
)
def test_a_release_is_told_by_the_name(name, release):
    assert release_of(name) == release


def test_a_numbered_file_is_read_once(run, tmp_path):
    file = numbered(tmp_path, 1, [FIRST, SECOND])
    plain = write_pubmed(tmp_path / "mine.xml", [THIRD])
    assert (run(file, plain).passed_over, run(file, plain).passed_over) == (0, 1)
    report = run(file, plain)
    assert (report.files, report.read, report.unchanged) == (2, 1, 1)
    assert run(file, again=True).read == 2
    numbered(tmp_path, 1, [FIRST, SECOND, THIRD])
    report = run(file)
    assert (report.passed_over, report.read) == (0, 3)


@pytest.mark.parametrize("kind", ["limit", "broken off"])
def test_a_file_that_was_not_read_to_its_end_is_read_again(run, tmp_path, kind):
    file = numbered(tmp_path, 1, [FIRST, SECOND])
    data = file.read_bytes()
    if kind == "limit":
        run(file, limit=1)
    else:
        file.write_bytes(data[:-40])
        run(file)
        file.write_bytes(data)
    report = run(file)
    assert (report.passed_over, report.read, report.citations) == (0, 2, 2)


def test_a_file_of_another_library_is_read_in_this_one(run, tmp_path):
    file = numbered(tmp_path, 1, [FIRST])
    run(file)
    assert run(file, library="other").read == 1


def test_files_are_read_by_number_wherever_they_lie(run, tmp_path):
    changed = replace(FIRST, title="Changed last")
    updates = numbered(tmp_path / "a", 10, [changed], [SECOND.pmid])
    baseline = numbered(tmp_path / "z", 2, [FIRST, SECOND])
    run(updates.parent, baseline.parent)
    assert titles(tmp_path / "library") == {FIRST.pmid: "Changed last"}


def test_a_file_that_was_missed_changes_nothing_that_later_ones_told(run, tmp_path):
    day = [
        numbered(tmp_path, 1, [FIRST]),
        numbered(tmp_path, 2, [replace(FIRST, title="Between"), SECOND, THIRD]),
        numbered(tmp_path, 3, [FIRST], [SECOND.pmid]),
    ]
    run(day[0], day[2])
    report = run(day[1])
    assert (report.superseded, report.added) == (2, 1)
    run(*day, library="straight")
    assert titles(tmp_path / "library") == titles(tmp_path / "straight")
    assert set(titles(tmp_path / "library")) == {FIRST.pmid, THIRD.pmid}


def test_what_was_deleted_and_came_again_is_there(run, tmp_path):
    run(numbered(tmp_path, 1, [FIRST]), numbered(tmp_path, 2, [], [FIRST.pmid]))
    assert titles(tmp_path / "library") == {}
    run(numbered(tmp_path, 3, [FIRST]))
    run(numbered(tmp_path, 2, [SECOND], [FIRST.pmid]))
    assert set(titles(tmp_path / "library")) == {FIRST.pmid, SECOND.pmid}


def test_the_next_years_baseline_replaces_this_years(run, tmp_path):
    old = numbered(tmp_path, 900, [FIRST, replace(SECOND, title="Old"), THIRD], [RECORDS[3].pmid])
    run(old)
    new = [numbered(tmp_path, 1, [FIRST, SECOND], year=27), numbered(tmp_path, 2, [RECORDS[3]], year=27)]
    gone = tmp_path / "deleted.pmids.gz"
    gone.write_bytes(gzip.compress(f"{THIRD.pmid}\n{RECORDS[3].pmid}\n1\n".encode()))
    report = run(gone, *new)
    assert (report.deleted, report.faults) == (1, ())
    held = titles(tmp_path / "library")
    assert (held.keys(), held[SECOND.pmid]) == ({FIRST.pmid, SECOND.pmid, RECORDS[3].pmid}, SECOND.title)
    assert json.loads((tmp_path / "library" / NAME).read_text(encoding="utf-8"))["withdrawn"] == {}
    report = run(old, again=True)
    assert (report.unchanged, report.superseded) == (1, 1)


def test_a_line_that_is_no_pmid_is_set_aside(run, tmp_path):
    run(write_pubmed(tmp_path / "mine.xml", [FIRST, SECOND]))
    (tmp_path / "deleted.pmids").write_text(f"{FIRST.pmid}\nPMID\n", encoding="utf-8")
    report = run(tmp_path / "deleted.pmids")
    assert (report.deleted, report.citations) == (1, 1)
    [fault] = report.faults
    assert "record 2 was set aside: expected a PMID, found 'PMID'" in fault


def test_members_of_an_archive_are_ordered_by_number_too(run, tmp_path):
    files = [numbered(tmp_path, 2, [], [FIRST.pmid]), numbered(tmp_path, 1, [FIRST, SECOND])]
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for file in files:
            archive.write(file, f"z/{file.name}")
    run(tmp_path / "all.zip")
    assert set(titles(tmp_path / "library")) == {SECOND.pmid}


def test_a_damaged_account_of_the_files_is_named(run, tmp_path):
    file = numbered(tmp_path, 1, [FIRST])
    run(file)
    (tmp_path / "library" / NAME).write_text("{", encoding="utf-8")
    with pytest.raises(LibraryError, match=rf"{NAME} is damaged .*delete it"):
        run(file)
    (tmp_path / "library" / NAME).unlink()
    assert run(file).unchanged == 1


def daily_updates(folder, days=30):
    """A baseline and so many updates with new, changed, deleted and re-added records; the final state."""
    draw = random.Random(5)
    base = [replace(RECORDS[number % len(RECORDS)], pmid=1000 + number, doi="") for number in range(90)]
    now = {record.pmid: record for record in base}
    files, gone = [numbered(folder, 1, base)], {}
    for day in range(2, days + 2):
        changed = [
            replace(record, title=f"{record.title} On day {day}", year=record.year + day % 2)
            for record in draw.sample(sorted(now.values(), key=lambda record: record.pmid), 4)
        ]
        new = [replace(draw.choice(base), pmid=2000 + 10 * day + number) for number in range(3)]
        again = [gone.pop(pmid) for pmid in draw.sample(sorted(gone), min(1, len(gone)))]
        now |= {record.pmid: record for record in (*changed, *new, *again)}
        deleted = draw.sample(sorted(now.keys() - {record.pmid for record in again}), 2)
        gone |= {pmid: now.pop(pmid) for pmid in deleted}
        files.append(numbered(folder, day, [*changed, *new, *again], deleted))
    return files, list(now.values())


def test_thirty_daily_updates_leave_what_a_build_of_the_final_state_holds(run, tmp_path):
    files, final = daily_updates(tmp_path / "daily")
    for count, _ in enumerate(files, 1):
        report = run(*files[:count])
        assert report.passed_over == count - 1
    assert verify(tmp_path / "library", Silent()).sound
    run(write_pubmed(tmp_path / "final.xml", final), library="straight")
    for mine, other in zip(whole(tmp_path / "library"), whole(tmp_path / "straight"), strict=True):
        for row in (*mine, *other):
            row.pop("release", None)
            row.pop("file", None)
        assert mine == other
    shuffled = random.Random(1).sample(files, len(files))
    for first in range(0, len(files), 8):
        run(*shuffled[first : first + 8], library="shuffled")
    assert titles(tmp_path / "shuffled") == titles(tmp_path / "straight")
