"""Which files are read, and by which reader."""

import os

import pytest
from pubmed_records import RECORDS, write_pubmed, write_xml

from indexer.sources.detect import find_files, read_file
from indexer.sources.errors import SourceError
from models.errors import UsageError


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
        "no file in this folder ends in .xml or .xml.gz"
        if missing == "inner.xml"
        else "no such file or folder"
    )
    assert str(caught.value) == f"{folder / missing}: {reason}"


@pytest.mark.parametrize("source", [None, "pubmed"])
def test_reading(tmp_path, source):
    records = read_file(write_pubmed(tmp_path / "some.xml.gz"), source)
    assert [record.id for record in records] == [f"pmid:{record.pmid}" for record in RECORDS]


def test_a_corpus_of_a_test_collection_is_known_by_its_name(tmp_path):
    path = tmp_path / "corpus.jsonl"
    path.write_text('{"_id": 7, "title": "T", "text": "B"}\n', encoding="utf-8")
    assert [record.id for record in read_file(path)] == ["beir:7"]


def test_unknown_source(tmp_path):
    with pytest.raises(UsageError) as caught:
        read_file(write_pubmed(tmp_path / "some.xml"), "scopus")
    assert str(caught.value) == "unknown source 'scopus', expected pubmed, beir"


def test_a_file_of_no_known_source(tmp_path):
    path = write_xml(tmp_path / "feed.xml", "<rss/>")
    with pytest.raises(SourceError) as caught:
        read_file(path)
    assert str(caught.value) == (
        f"{path}: its root element is rss, which belongs to no source known here (pubmed, beir)"
    )


@pytest.mark.skipif(os.name == "nt", reason="file names may hold any byte on POSIX only")
def test_names_in_any_script(tmp_path):
    write_pubmed(tmp_path / "публикации 10.xml")
    write_pubmed(tmp_path / "публикации 9.xml")
    assert names(find_files([tmp_path])) == ["публикации 9.xml", "публикации 10.xml"]
