"""The index command over exports of several forms, with records that cannot be read."""

import json

import pytest

import models.loading
from app.cli.main import run
from indexer.sources.detect import READERS
from tests.hash_encoder import HashEncoder
from tests.medline_records import BOOK, OLD
from tests.pubmed_records import RECORDS, write_pubmed
from tests.ris_records import EMBASE

NAMES = ", ".join(READERS)


@pytest.fixture(autouse=True)
def surroundings(tmp_path, monkeypatch):
    monkeypatch.setenv("BIOGLOT_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(models.loading, "load_encoder", lambda settings: HashEncoder())
    monkeypatch.chdir(tmp_path)


def call(capsys, *arguments):
    code = run(list(arguments))
    return code, *capsys.readouterr()


def test_what_cannot_be_read_is_set_aside_told_and_read_again(tmp_path, capsys):
    (tmp_path / "exports").mkdir()
    bad = OLD.replace("5000002", "five million and two")
    (tmp_path / "exports" / "pubmed.txt").write_text(bad + "\n" + BOOK, encoding="utf-8")
    (tmp_path / "exports" / "embase.ris").write_bytes(EMBASE.encode("gb18030"))
    code, out, err = call(capsys, "index", "exports", "--library", "mine")
    assert code == 3
    assert out.startswith("2 records read: 2 added, ")
    assert (
        "set aside: exports/pubmed.txt: record 1 was set aside: its PMID is 'five million and two', "
        "expected a positive number\n"
    ) in err
    assert "exports/embase.ris: it is not UTF-8; taken for " in err
    code, out, _ = call(capsys, "info", "--library", "mine")
    assert "set aside    1 (see quarantine.jsonl)" in out
    aside = tmp_path / "mine" / "quarantine.jsonl"
    aside.write_text(aside.read_text(encoding="utf-8").replace("five million and two", "5000002"), "utf-8")
    code, out, err = call(capsys, "index", "--retry-quarantine", "--library", "mine", "--json")
    assert (code, json.loads(out)["added"], aside.exists()) == (0, 1, False)
    code, out, _ = call(capsys, "show", "5000002", "--library", "mine")
    assert out.startswith("Fever in the tropics\n")


@pytest.mark.parametrize("arguments", [[], ["exports", "--retry-quarantine"]])
def test_either_paths_or_the_quarantine(capsys, arguments):
    code, _, err = call(capsys, "index", *arguments, "--library", "mine")
    assert code == 2
    assert "give either a PATH to index or --retry-quarantine" in err


@pytest.mark.parametrize(
    ("option", "value", "told"),
    [
        ("--encoding", "martian", "unknown encoding 'martian'"),
        (
            "--source",
            "scopus",
            f"unknown source 'scopus', expected {NAMES}",
        ),
    ],
)
def test_unknown_names_are_told(tmp_path, capsys, option, value, told):
    (tmp_path / "a.nbib").write_text(BOOK, encoding="utf-8")
    code, _, err = call(capsys, "index", "a.nbib", option, value, "--library", "mine")
    assert code == 2
    assert told in err


def test_files_of_one_work_are_told_with_what_came_from_each(tmp_path, capsys):
    (tmp_path / "pubmed.nbib").write_text(OLD, encoding="utf-8")
    (tmp_path / "notes.csv").write_text("title,pmid,keywords\nOther,5000002,fièvre\n", encoding="utf-8")
    code, out, _ = call(capsys, "index", "notes.csv", "pubmed.nbib", "--library", "mine")
    assert code == 0
    assert "\n1 of those updated joined a work that other records tell of\n" in out
    code, out, _ = call(capsys, "show", "5000002", "--library", "mine")
    assert out.startswith("Fever in the tropics\n")
    assert "\nKeywords: fièvre\n" in out
    lines = out.splitlines()[-2:]
    assert lines[0].startswith("From: medline (pubmed.nbib): article ids, authors, ")
    assert lines[1] == "From: table (notes.csv): article ids, keywords"
    _, out, _ = call(capsys, "show", "5000002", "--library", "mine", "--json")
    assert [(item["source"], item["file"]) for item in json.loads(out)["origins"]] == [
        ("medline", "pubmed.nbib"),
        ("table", "notes.csv"),
    ]


def test_numbered_files_are_passed_over_unless_asked_for(tmp_path, capsys):
    write_pubmed(tmp_path / "pubmed26n0001.xml.gz")
    call(capsys, "index", "pubmed26n0001.xml.gz", "--library", "mine")
    code, out, _ = call(capsys, "index", ".", "--library", "mine")
    assert (code, out.splitlines()[1]) == (0, "1 file was taken in before (--again reads it again)")
    code, out, _ = call(capsys, "index", ".", "--library", "mine", "--again", "--json")
    assert (code, json.loads(out)["unchanged"], json.loads(out)["passed_over"]) == (0, len(RECORDS), 0)
