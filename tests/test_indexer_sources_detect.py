"""Which files are read, and by which reader."""

import gzip
import os
import zipfile

import pytest
from medline_records import RECORDS as RECORDS_AS_TEXT
from pubmed_records import RECORDS, write_pubmed, write_xml

from indexer.sources.detect import READERS, Hints, detect_source, find_files, read_file
from indexer.sources.errors import Remark, SourceError
from models.errors import UsageError

NAMES = ", ".join(READERS)


@pytest.fixture
def folder(tmp_path):
    for name in ["p10.xml.gz", "p9.xml", "P1.XML", "notes.txt", ".hidden.xml", "p2.xml.gz.md5"]:
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "inner.xml").mkdir()
    return tmp_path


def names(files):
    return [file.name for file in files]


def test_a_folder_in_natural_order(folder):
    assert names(find_files([folder])) == ["P1.XML", "p9.xml", "p10.xml.gz"]


def test_files_as_named_whatever_their_ending(folder):
    assert names(find_files([folder / "p10.xml.gz", folder / "notes.txt"])) == ["p10.xml.gz", "notes.txt"]


def test_a_file_named_twice_is_read_once(folder):
    assert names(find_files([folder / "p9.xml", folder, folder / "inner.xml" / ".." / "p9.xml"])) == [
        "p9.xml",
        "P1.XML",
        "p10.xml.gz",
    ]


def test_patterns(folder, monkeypatch):
    assert names(find_files([folder / "p*.xml*"])) == ["p2.xml.gz.md5", "p9.xml", "p10.xml.gz"]
    monkeypatch.chdir(folder)
    relative = folder.relative_to(folder.parent)
    assert names(find_files([type(folder)("../" + str(relative) + "/p?.xml")])) == ["p9.xml"]


def test_a_name_with_pattern_marks_is_a_name_first(folder):
    (folder / "p[9].xml").write_bytes(b"")
    assert names(find_files([folder / "p[9].xml"])) == ["p[9].xml"]


@pytest.mark.parametrize("missing", ["none.xml", "none*.xml", "inner.xml"])
def test_paths_without_files(folder, missing):
    with pytest.raises(UsageError) as caught:
        find_files([folder / "p9.xml", folder / missing])
    reason = (
        f"no file in this folder is of a source known here ({NAMES})"
        if missing == "inner.xml"
        else "no such file or folder"
    )
    assert str(caught.value) == f"{folder / missing}: {reason}"


@pytest.mark.parametrize("source", [None, "pubmed"])
def test_reading(tmp_path, source):
    records = read_file(write_pubmed(tmp_path / "some.xml.gz"), Hints(source))
    assert [record.id for record in records] == [f"pmid:{record.pmid}" for record in RECORDS]


def test_a_corpus_of_a_test_collection_is_known_by_its_name(tmp_path):
    path = tmp_path / "corpus.jsonl"
    path.write_text('{"_id": 7, "title": "T", "text": "B"}\n', encoding="utf-8")
    assert [record.id for record in read_file(path)] == ["beir:7"]


def test_unknown_source(tmp_path):
    with pytest.raises(UsageError) as caught:
        read_file(write_pubmed(tmp_path / "some.xml"), Hints("scopus"))
    assert str(caught.value) == f"unknown source 'scopus', expected {NAMES}"


def test_a_file_of_no_known_source(tmp_path):
    path = write_xml(tmp_path / "feed.xml", "<rss/>")
    with pytest.raises(SourceError) as caught:
        read_file(path)
    assert str(caught.value) == (
        f"{path}: its root element is rss, which belongs to no source known here ({NAMES})"
    )


@pytest.mark.skipif(os.name == "nt", reason="file names may hold any byte on POSIX only")
def test_names_in_any_script(tmp_path):
    write_pubmed(tmp_path / "публикации 10.xml")
    write_pubmed(tmp_path / "публикации 9.xml")
    assert names(find_files([tmp_path])) == ["публикации 9.xml", "публикации 10.xml"]


def test_forms_and_packings_are_told_by_content(tmp_path):
    text = "\n".join(RECORDS_AS_TEXT)
    wanted = ["pmid:39000001", "pmid:5000002", "pmid:30000003"]
    for number, encoding in enumerate(["utf-8", "utf-8-sig", "utf-16", "utf-16-be"]):
        path = tmp_path / f"export{number}"
        path.write_bytes(text.encode(encoding))
        assert detect_source(path) == "medline"
        assert [record.id for record in read_file(path) if not isinstance(record, Remark)] == wanted


def test_text_in_a_folder_is_read_if_it_is_of_a_source(tmp_path):
    (tmp_path / "pubmed-heart.txt").write_text(RECORDS_AS_TEXT[0], encoding="utf-8")
    (tmp_path / "README.txt").write_text("These files are from PubMed.", encoding="utf-8")
    (tmp_path / "set.nbib").write_text("broken", encoding="utf-8")
    assert names(find_files([tmp_path])) == ["pubmed-heart.txt", "set.nbib"]


def test_the_members_of_an_archive_are_files(tmp_path):
    path = tmp_path / "all.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("b/records10.nbib", RECORDS_AS_TEXT[0])
        archive.writestr("b/records9.xml", write_pubmed(tmp_path / "records.xml").read_bytes())
        archive.writestr("README.txt", "Nothing to read.")
        archive.writestr(".DS_Store", b"")
    found = find_files([tmp_path])
    assert [str(file) for file in found] == [
        f"{path}/b/records9.xml",
        f"{path}/b/records10.nbib",
        f"{tmp_path}/records.xml",
    ]
    assert [record.id for record in read_file(found[1])] == ["pmid:39000001"]
    assert len(list(read_file(found[0]))) == len(RECORDS)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "the file is empty"),
        (b"\n \n", "the file is empty"),
        (
            b"Dear colleague,\nplease find",
            "it begins with 'Dear colleague,', which no source known here does",
        ),
        (b"PK\x03\x04" + bytes(100), "broken zip: File is not a zip file"),
        (gzip.compress(b"x" * 100)[:6], "broken gzip"),
    ],
)
def test_what_is_no_source_says_how_it_begins(tmp_path, content, reason):
    path = tmp_path / "export.nbib"
    path.write_bytes(content)
    (found,) = find_files([path])
    with pytest.raises(SourceError) as caught:
        read_file(found)
    assert str(caught.value).startswith(f"{path}: ")
    assert reason in str(caught.value)


def test_an_archive_without_records_or_in_another_says_so(tmp_path):
    inner, outer = tmp_path / "inner.zip", tmp_path / "outer.zip"
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("README.txt", "Nothing to read.")
    with zipfile.ZipFile(outer, "w") as archive:
        archive.write(inner, "inner.zip")
    for path, file, reason in (
        (
            inner,
            inner,
            f"none of its 1 files is of a source known here ({NAMES})",
        ),
        (outer, f"{outer}/inner.zip", "an archive in an archive: unpack it first"),
    ):
        (found,) = find_files([path])
        with pytest.raises(SourceError) as caught:
            read_file(found)
        assert str(caught.value) == f"{file}: {reason}"


def test_a_damaged_file_in_a_folder_or_archive_stops_no_other(tmp_path):
    (tmp_path / "bad.txt").write_bytes(gzip.compress(b"PMID- 1")[:6])
    (tmp_path / "bad.zip").write_bytes(b"PK\x03\x04")
    (tmp_path / "good.nbib").write_text(RECORDS_AS_TEXT[0], encoding="utf-8")
    with zipfile.ZipFile(tmp_path / "mixed.zip", "w") as archive:
        archive.writestr("bad.txt.gz", gzip.compress(b"PMID- 1")[:6])
        archive.writestr("good.nbib", RECORDS_AS_TEXT[1])
    read, faults = [], []
    for file in find_files([tmp_path]):
        try:
            read += [record.id for record in read_file(file)]
        except SourceError as fault:
            faults.append(str(fault.file).removeprefix(f"{tmp_path}/"))
    assert read == ["pmid:39000001", "pmid:5000002"]
    assert sorted(faults) == ["bad.txt", "bad.zip", "mixed.zip/bad.txt.gz"]
