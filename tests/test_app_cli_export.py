"""The export command: what a query finds, or all, to a file or standard output."""

import pytest

import models.loading
from app.cli.main import run
from indexer.sources.archive import Text
from indexer.sources.detect import read_file
from tests.hash_encoder import HashEncoder
from tests.medline_records import RECORDS
from tests.ris_records import EMBASE, SCOPUS


@pytest.fixture(autouse=True)
def surroundings(tmp_path, monkeypatch):
    monkeypatch.setenv("BIOGLOT_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(models.loading, "load_encoder", lambda settings: HashEncoder())
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def library(tmp_path, capsys):
    (tmp_path / "set.nbib").write_text("\n".join(RECORDS), encoding="utf-8")
    (tmp_path / "set.ris").write_text(EMBASE + SCOPUS, encoding="utf-8")
    assert run(["index", "set.nbib", "set.ris", "--library", "mine"]) == 0
    capsys.readouterr()
    return "mine"


def call(capsys, *arguments):
    code = run(["export", *arguments])
    return code, *capsys.readouterr()


def ids(text):
    return [record.id for record in read_file(Text("export", text))]


IDS = ["doi:10.5555/efj.41.77", "pmid:30000003", "pmid:39000001", "pmid:39000004", "pmid:5000002"]


@pytest.mark.parametrize("format", ["ris", "nbib", "bibtex", "csv", "jsonl"])
def test_a_whole_library(library, capsys, format):
    code, out, err = call(capsys, "--all", "--format", format, "--library", library)
    assert (code, ids(out)) == (0, IDS)
    assert "5 records written" in err


def test_what_a_query_finds_in_its_order(library, capsys):
    query = "fever[ti] OR athletes[ti]"
    code, out, _ = call(capsys, query, "--format", "ris", "--library", library, "--sort", "date")
    assert (code, ids(out)) == (0, ["doi:10.5555/efj.41.77", "pmid:30000003", "pmid:5000002"])
    code, out, err = call(capsys, query, "--format", "ris", "--library", library, "--sort", "date", "-n", "1")
    assert ids(out) == ["doi:10.5555/efj.41.77"]
    assert "1 record written" in err
    code, out, _ = call(capsys, query, "--format", "ris", "--library", library, "--filter", "language=fr")
    assert ids(out) == ["pmid:5000002"]


def test_all_of_more_than_a_page(library, capsys, monkeypatch):
    monkeypatch.setattr("app.export.MAX_LIMIT", 2)
    code, out, _ = call(capsys, "1500:2100[dp]", "--format", "jsonl", "--library", library)
    assert sorted(ids(out)) == IDS
    code, out, _ = call(capsys, "1500:2100[dp]", "--format", "jsonl", "--library", library, "-n", "3")
    assert (code, len(ids(out))) == (0, 3)


def test_to_a_file_that_is_whole_or_not_there(library, capsys, tmp_path, monkeypatch):
    code, out, _ = call(capsys, "--all", "--format", "nbib", "--library", library, "--output", "all.nbib")
    assert (code, out) == (0, "")
    assert ids((tmp_path / "all.nbib").read_text(encoding="utf-8")) == IDS
    before = (tmp_path / "all.nbib").read_bytes()

    def broken(citation):
        raise KeyboardInterrupt

    monkeypatch.setattr("indexer.exports.formats.WRITERS", {"nbib": broken})
    assert call(capsys, "--all", "--format", "nbib", "--library", library, "--output", "all.nbib")[0] == 130
    assert (tmp_path / "all.nbib").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir() if ".tmp" in path.name] == []


def test_an_export_indexed_again_changes_nothing(library, capsys):
    call(capsys, "--all", "--format", "jsonl", "--library", library, "--output", "all.jsonl")
    assert run(["index", "all.jsonl", "--library", library]) == 0
    assert "5 records read: 0 added, 0 updated, 5 unchanged" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "give either a QUERY or --all"),
        (["fever", "--all"], "give either a QUERY or --all"),
        (["fever", "--output", "none/x.ris"], "--output: no folder 'none' to write to"),
    ],
)
def test_wrong_usage(library, capsys, arguments, told):
    code, _, err = call(capsys, *arguments, "--format", "ris", "--library", library)
    assert code == 2
    assert told in err


def test_there_must_be_a_library(capsys):
    code, _, err = call(capsys, "--all", "--format", "ris", "--library", "none")
    assert code == 1
    assert "no library at none" in err
