"""bioglot reembed and compact, with real models of a few kilobytes that have different tokenizers."""

import json
import os

import pytest

import models.loading
from app.cli.main import run
from tests.hash_encoder import HashEncoder
from tests.pubmed_records import RECORDS, write_pubmed
from tests.tiny_encoder import write_tiny_encoder
from tests.tiny_model import write_tiny_model


@pytest.fixture(autouse=True)
def surroundings(tmp_path, monkeypatch):
    """No settings of the machine's, and a current folder of the test's own."""
    for name in [name for name in os.environ if name.startswith("BIOGLOT_")]:
        if name not in ("BIOGLOT_CACHE", "BIOGLOT_NO_SKIP"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("BIOGLOT_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def models_of_two_kinds(tmp_path):
    """Folders of an encoder with 32 dimensions and 64 tokens, and of one with 16 and 24."""
    (tmp_path / "wide").mkdir()
    (tmp_path / "narrow").mkdir()
    return write_tiny_encoder(tmp_path / "wide", layers=1), write_tiny_model(tmp_path / "narrow")


def call(capsys, *arguments):
    """Exit code, standard output and standard error of one command line."""
    code = run([str(argument) for argument in arguments])
    return code, *capsys.readouterr()


def document(capsys, *arguments):
    code, out, err = call(capsys, *arguments, "--json")
    assert code == 0, err
    return json.loads(out)


def test_a_library_gets_another_encoder_and_the_old_one_back(tmp_path, capsys, models_of_two_kinds):
    wide, narrow = models_of_two_kinds
    file = write_pubmed(tmp_path / "records.xml", RECORDS[:6])
    first = document(capsys, "index", file, "--library", "mine", "--model", wide)
    report = document(capsys, "reembed", "--library", "mine", "--model", narrow)
    assert (report["changed"], report["model"], report["previous_model"]) == (True, str(narrow), str(wide))
    assert report["passages"] == report["passages_embedded"] > first["passages"]
    info = document(capsys, "info", "--library", "mine")
    assert (info["model"], info["dimensions"], info["max_tokens"]) == (str(narrow), 16, 24)
    assert info["fingerprint"] == report["fingerprint"] != report["previous_fingerprint"]
    assert document(capsys, "verify", "--library", "mine")["faults"] == []
    page = document(capsys, "search", RECORDS[0].title, "--library", "mine")
    assert page["encoder"] == f"{narrow} ({report['fingerprint']})"
    assert page["hits"][0]["id"] == f"pmid:{RECORDS[0].pmid}"
    code, out, err = call(capsys, "reembed", "--library", "mine", "--model", wide)
    assert code == 0
    assert out.splitlines()[0] == f"0 passages embedded, {first['passages']} kept from before"
    assert out.splitlines()[1].startswith(
        f"mine now has the encoder {wide} instead of {narrow}: 6 records in {first['passages']} passages ("
    )
    assert "embedding" in err
    assert document(capsys, "verify", "--library", "mine")["faults"] == []


def test_the_encoder_that_it_has_is_nothing_to_do(tmp_path, capsys, models_of_two_kinds):
    _, narrow = models_of_two_kinds
    file = write_pubmed(tmp_path / "records.xml", RECORDS[:2])
    document(capsys, "index", file, "--library", "mine", "--model", narrow)
    command = ("reembed", "--library", "mine", "--model", narrow)
    code, out, _ = call(capsys, *command, "--precision", "bfloat16")
    assert (code, out) == (0, f"mine has the encoder {narrow} already: nothing to do\n")


def test_what_is_not_named_stays_as_the_library_has_it(tmp_path, capsys, models_of_two_kinds):
    _, narrow = models_of_two_kinds
    file = write_pubmed(tmp_path / "records.xml", RECORDS[:2])
    document(capsys, "index", file, "--library", "mine", "--model", narrow)
    report = document(capsys, "reembed", "--library", "mine", "--max-tokens", 20)
    assert (report["changed"], report["model"], report["previous_model"]) == (True, str(narrow), str(narrow))
    assert document(capsys, "info", "--library", "mine")["max_tokens"] == 20


class InterruptedEncoder(HashEncoder):
    def encode_passages(self, texts):
        raise KeyboardInterrupt


def test_interrupted_it_says_that_it_carries_on_and_info_that_it_is_unfinished(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(models.loading, "load_encoder", lambda settings: HashEncoder())
    call(capsys, "index", write_pubmed(tmp_path / "records.xml", RECORDS[:2]), "--library", "mine")
    monkeypatch.setattr(models.loading, "load_encoder", lambda settings: InterruptedEncoder("other"))
    code, out, err = call(capsys, "reembed", "--library", "mine", "--model", "other")
    assert (code, out) == (130, "")
    assert err.endswith("interrupted; what was finished is kept, and the same command carries on\n")
    _, out, _ = call(capsys, "info", "--library", "mine")
    assert "unfinished   re-embedding for other" in out
    monkeypatch.setattr(models.loading, "load_encoder", lambda settings: HashEncoder())
    _, out, _ = call(capsys, "reembed", "--library", "mine", "--model", "hash")
    assert out == (
        "the unfinished re-embedding for other is dropped\nmine has the encoder hash already: nothing to do\n"
    )
    assert document(capsys, "info", "--library", "mine")["reembedding"] is None


@pytest.mark.parametrize(
    ("arguments", "code", "expected"),
    [
        (["--library", "nowhere", "--model", "e5-small"], 1, "no library at nowhere"),
        (["--library", "mine"], 2, "no encoder is named: say which one the library is to have with --model"),
    ],
)
def test_what_it_refuses(tmp_path, capsys, monkeypatch, arguments, code, expected):
    monkeypatch.setattr(models.loading, "load_encoder", lambda settings: HashEncoder())
    call(capsys, "index", write_pubmed(tmp_path / "records.xml", RECORDS[:2]), "--library", "mine")
    found, out, err = call(capsys, "reembed", *arguments)
    assert (found, out) == (code, "")
    assert err.startswith(f"bioglot: {expected}")
    assert err.count("\n") == 1


def test_compact_tells_what_it_gave_back_and_info_the_size_of_each_part(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(models.loading, "load_encoder", lambda settings: HashEncoder())
    for number, record in enumerate(RECORDS[:3]):
        call(capsys, "index", write_pubmed(tmp_path / f"{number}.xml", [record]), "--library", "mine")
    report = document(capsys, "compact", "--library", "mine")
    assert report["library_version"] == 4
    assert report["versions_before"] > 10
    code, out, _ = call(capsys, "compact", "--library", "mine")
    assert (code, out.startswith("mine: the tables take ")) == (0, True)
    held = document(capsys, "info", "--library", "mine")
    assert sum(held["sizes"].values()) == held["bytes"]
    assert min(held["sizes"][part] for part in ("records", "full text", "passages", "dense index")) > 0
    _, out, _ = call(capsys, "info", "--library", "mine")
    assert " MB: full text " in out
