"""The command line: what it prints, where, and with which exit code."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import models.loading
from app.cli.main import COMMANDS, run
from app.cli.reports import _hit_lines
from app.results import Hit
from indexer.citation import Correction
from tests.citations import citation
from tests.mesh_records import write_descriptors
from tests.pubmed_records import RECORDS, write_pubmed

BIOGLOT = [sys.executable, "-c", "from app.cli.main import main; main()"]


@pytest.fixture(autouse=True)
def surroundings(tmp_path, monkeypatch):
    """No settings of the machine's, and a current folder of the test's own."""
    for name in [name for name in os.environ if name.startswith("BIOGLOT_")]:
        if name not in ("BIOGLOT_CACHE", "BIOGLOT_NO_SKIP"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("BIOGLOT_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def loaded(encoder, monkeypatch):
    """Commands take the encoder that the session has loaded already."""
    monkeypatch.setattr(models.loading, "load_encoder", lambda settings: encoder)
    return encoder


@pytest.fixture(scope="module")
def library(tmp_path_factory, encoder):
    """A library indexed by the command itself."""
    folder = tmp_path_factory.mktemp("cli")
    file = write_pubmed(folder / "records.xml.gz")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(models.loading, "load_encoder", lambda settings: encoder)
        assert run(["index", str(file), "--library", str(folder / "library")]) == 0
    return folder / "library"


def call(capsys, *arguments):
    """Exit code, standard output and standard error of one command line."""
    code = run([str(argument) for argument in arguments])
    return code, *capsys.readouterr()


def document(capsys, *arguments):
    code, out, _ = call(capsys, *arguments, "--json")
    assert code == 0
    return json.loads(out)


def test_indexing_tells_what_it_did_and_embeds_nothing_twice(tmp_path, capsys, loaded):
    file = write_pubmed(tmp_path / "records.xml", RECORDS[:3])
    code, out, err = call(capsys, "index", file, "--library", "mine")
    assert code == 0
    assert out.splitlines()[0] == (
        "3 records read: 3 added, 0 updated, 0 unchanged, 0 older than what is there, 0 deleted"
    )
    assert re.fullmatch(r"3 passages embedded at [\d,]+/s, 0 kept from before", out.splitlines()[1])
    assert out.splitlines()[2].startswith("mine now holds 3 records in 3 passages (")
    assert "embedding" in err
    report = document(capsys, "index", file, "--library", "mine")
    assert (report["read"], report["unchanged"], report["passages_embedded"]) == (3, 3, 0)


def test_a_limit_is_kept(tmp_path, capsys, loaded):
    file = write_pubmed(tmp_path / "records.xml")
    assert document(capsys, "index", file, "--library", "mine", "--limit", "2")["citations"] == 2


def test_input_set_aside_is_listed_and_the_exit_code_is_3(tmp_path, capsys, loaded):
    whole = write_pubmed(tmp_path / "records.xml", RECORDS[:2]).read_text(encoding="utf-8")
    broken = tmp_path / "broken.xml"
    broken.write_text(whole[: whole.rindex("<PubmedArticle>") + 40], encoding="utf-8")
    code, out, err = call(capsys, "index", broken, "--library", "mine", "--json")
    assert code == 3
    report = json.loads(out)
    assert report["read"] == 1
    assert len(report["faults"]) == 1
    assert f"set aside: {broken}" in err


def test_search_as_json(library, capsys, loaded):
    found = document(
        capsys, "search", "vacuna contra la malaria en lactantes", "--library", library, "-n", "3"
    )
    assert len(found["hits"]) == 3
    first = found["hits"][0]
    assert (first["id"], first["pmid"], first["rank"]) == ("pmid:30000002", "30000002", 1)
    assert first["title"] == "Malaria vaccination of infants in a village with seasonal transmission."
    assert first["doi"] == "10.5555/invented.2"
    assert first["score"] > 0
    assert found["total"] >= 3
    assert found["total_exact"] is True
    assert found["query"]["mode"] == "hybrid"


def test_search_with_a_reranker(library, capsys, loaded):
    found = document(capsys, "search", "Malaria bei Kindern", "--library", library, "--rerank", "maxsim")
    scores = [hit["rerank_score"] for hit in found["hits"]]
    assert scores == sorted(scores, reverse=True)
    assert found["reranker"].startswith("maxsim (")
    code, out, err = call(capsys, "search", "Malaria", "--library", library, "--rerank", "maxsin")
    assert (code, out) == (2, "")
    assert "reranker 'maxsin' is not known (did you mean maxsim?)" in err


def test_json_is_utf_8_as_it_is(library, capsys, loaded):
    _, out, _ = call(capsys, "search", "心筋梗塞", "--library", library, "--json")
    assert '"q": "心筋梗塞"' in out


def test_search_for_people(library, capsys, loaded):
    code, out, err = call(capsys, "search", "malaria vaccine infants", "--library", library, "-n", "1")
    lines = out.splitlines()
    assert code == 0
    assert lines[:5] == [
        "1. Malaria vaccination of infants in a village with seasonal transmission.",
        "   Traoré A. J Inv. 2019;7(2):11-9",
        "   PMID 30000002  https://doi.org/10.5555/invented.2",
        "   Three doses of a malaria vaccine halved the episodes of fever in infants during the rains.",
        "",
    ]
    assert re.fullmatch(r"1 of \d+ found in \d+\.\d\d s", lines[-1])
    assert err == ""


def test_words_that_match_are_bold_on_a_terminal(library, capsys, loaded, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "200")
    _, out, _ = call(capsys, "search", "malaria vaccine infants", "--library", library, "-n", "1")
    assert "Three doses of a \x1b[1mmalaria\x1b[0m \x1b[1mvaccine\x1b[0m halved" in out


def test_filters_reach_the_engine(library, capsys, loaded):
    found = document(
        capsys,
        "search",
        "malaria",
        "--library",
        library,
        "--filter",
        "year=2019",
        "--filter",
        "abstract=true",
    )
    assert found["query"]["filters"]["years"] == [2019, 2019]
    assert {hit["year"] for hit in found["hits"]} == {2019}


def test_similar_and_show(library, capsys, loaded):
    near = document(capsys, "similar", "30000001", "--library", library, "-n", "2")
    assert len(near["hits"]) == 2
    assert "pmid:30000001" not in {hit["id"] for hit in near["hits"]}
    shown = document(capsys, "show", "10.5555/invented.1", "--library", library)
    assert shown["id"] == "pmid:30000001"
    assert [section["label"] for section in shown["citation"]["abstract"]] == [
        "BACKGROUND",
        "METHODS",
        "RESULTS",
        "CONCLUSIONS",
    ]
    _, out, _ = call(capsys, "show", "pmid:30000001", "--library", library)
    assert out.startswith("Metformin and the risk of heart failure in older adults with type 2 diabetes.\n")
    assert "\nMETHODS: We followed 4,112 adults over 65 years of age for five years.\n" in out
    assert "\nMeSH: Metformin*; Heart Failure; Humans\n" in out


def test_info_verify_and_rebuild(library, capsys, loaded):
    held = document(capsys, "info", "--library", library)
    assert held["citations"] == len(RECORDS)
    assert held["fingerprint"] == loaded.fingerprint
    code, out, _ = call(capsys, "info", "--library", library)
    assert (code, out.splitlines()[0]) == (0, f"library      {library}")
    assert document(capsys, "verify", "--library", library)["faults"] == []
    rebuilt = document(capsys, "rebuild", "--library", library)
    assert rebuilt["citations"] == len(RECORDS)
    code, out, _ = call(capsys, "verify", "--library", library)
    assert code == 0
    assert out.startswith("no faults in ")


def test_a_fault_that_verify_finds_is_told_and_fails(tmp_path, capsys, loaded):
    file = write_pubmed(tmp_path / "records.xml", RECORDS[:2])
    run(["index", str(file), "--library", "mine"])
    damaged = next(Path("mine").rglob("*.faiss"))
    content = bytearray(damaged.read_bytes())
    content[-1] ^= 1
    damaged.write_bytes(content)
    capsys.readouterr()
    code, out, _ = call(capsys, "verify", "--library", "mine")
    assert code == 1
    assert damaged.name in out


def test_demo_takes_the_newest_and_a_second_one_starts_at_once(tmp_path, capsys, loaded, monkeypatch):
    import indexer.sample

    def fetch_sample(folder, progress):
        folder.mkdir(parents=True)
        return [write_pubmed(folder / "records.xml.gz")]

    monkeypatch.setattr(indexer.sample, "fetch_sample", fetch_sample)
    code, out, _ = call(capsys, "demo", "--records", "4", "--no-ui")
    assert code == 0
    demo = tmp_path / "home" / "demo"
    assert f"{demo} now holds 4 records" in out
    assert out.splitlines()[-1] == f'search it with: bioglot search "vacuna contra la gripe" --library {demo}'
    monkeypatch.setattr(indexer.sample, "fetch_sample", None)
    code, out, _ = call(capsys, "demo", "--records", "4", "--no-ui")
    assert (code, out.splitlines()[0]) == (0, f"{demo} has the records already")


def test_fetch_sample_prints_the_files(capsys, monkeypatch):
    import indexer.sample

    monkeypatch.setattr(indexer.sample, "fetch_sample", lambda folder, progress: [folder / "a.xml.gz"])
    code, out, _ = call(capsys, "fetch", "sample", "--to", "downloads")
    assert (code, out) == (0, "downloads/a.xml.gz\n")
    assert document(capsys, "fetch", "sample", "--to", "downloads") == {"files": ["downloads/a.xml.gz"]}


def test_fetched_headings_are_used_by_the_next_search(tmp_path, capsys, library, loaded):
    def find():
        code, out, told = call(capsys, "search", "ischemic heart disease[mh]", "--library", library, "--json")
        assert code == 0
        return json.loads(out), told

    note = "narrower headings are not included: run `bioglot fetch mesh`"
    found, told = find()
    assert (found["total"], found["record"]["mesh"], told.splitlines()) == (0, None, [note])
    file = tmp_path / "home" / "mesh.json"
    write_descriptors(file.parent)
    code, out, _ = call(capsys, "fetch", "mesh")
    assert (code, out) == (0, f"MeSH 2026, 13 headings: {file}\n")
    found, told = find()
    assert (found["total"], found["record"]["mesh"], told) == (1, "2026", "")


@pytest.mark.parametrize("query", ["heart diseases[mh:noexp]", "heart[ti]", '"asthma [mh]"', "flu"])
def test_narrower_headings_are_spoken_of_only_where_they_are_asked_for(capsys, library, loaded, query):
    assert call(capsys, "search", query, "--library", library)[2] == ""


def test_a_server_takes_the_headings_that_were_fetched(tmp_path, monkeypatch, library, loaded):
    write_descriptors(tmp_path / "home")
    assert run(["fetch", "mesh"]) == 0
    engines = []
    monkeypatch.setattr("app.api.service.create_app", engines.append)
    monkeypatch.setattr("app.api.listening.listen", lambda _app, bound, _line: bound.close())
    assert run(["serve", "--library", str(library), "--port", "0"]) == 0
    assert engines[0].mesh.edition == "2026"


def test_fetch_mesh_takes_a_folder(tmp_path, capsys):
    write_descriptors(tmp_path / "downloads", 2025)
    got = document(capsys, "fetch", "mesh", "--to", "downloads")
    assert got == {"file": "downloads/mesh.json", "edition": "2025", "descriptors": 13}


def test_models_are_listed_and_shown(capsys):
    listed = document(capsys, "models", "list")["models"]
    assert listed[0]["name"] == "bioglot-small"
    shown = document(capsys, "models", "show", "e5-small")
    assert (shown["query_prompt"], shown["dimensions"], shown["licence"]) == ("query: ", 384, "MIT")
    assert shown["languages"] == {}
    code, out, _ = call(capsys, "models", "list")
    assert len(out.splitlines()) == len(listed)
    shown = document(capsys, "models", "show", "bioglot-small")
    assert len(shown["languages"]) == 204 and shown["languages"]["wol_Latn"] > 0.8
    assert "Wolof" in call(capsys, "models", "show", "bioglot-small")[1]
    code, _, err = call(capsys, "models", "show", "e5-smal")
    assert code == 2
    assert "did you mean e5-small?" in err


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["info", "--library", "none"], 1, "bioglot: no library at none: expected a folder made by "),
        (["search", " ", "--library", "none"], 2, "bioglot: the query is empty: type at least one word\n"),
        (["search", "x", "--filter", "colour=red"], 2, "bioglot: filter 'colour=red': no field 'colour'; "),
        (["index", "none.xml"], 2, "bioglot: none.xml: no such file or folder\n"),
        (
            ["serve", "--port", "70000"],
            2,
            "bioglot: --port is 70000, expected a whole number from 0 to 65535",
        ),
        (["serch", "x"], 2, "no command 'serch'; did you mean search?"),
        (["search", "x", "-n", "0"], 2, "Invalid value for '-n'"),
        (["search"], 2, "give a QUERY, or --replay FILE"),
    ],
)
def test_a_failure_is_one_message_on_standard_error(capsys, arguments, code, message):
    got, out, err = call(capsys, *arguments)
    assert (got, out) == (code, "")
    assert message in err
    assert "Traceback" not in err


def test_a_wrong_setting_in_the_file_is_told(capsys):
    Path("bioglot.toml").write_text("[encoder]\nmodle = 'x'\n", encoding="utf-8")
    code, _, err = call(capsys, "info")
    assert code == 2
    assert (
        err
        == f"bioglot: {Path.cwd() / 'bioglot.toml'}: unknown key encoder.modle; did you mean encoder.model?\n"
    )


def test_an_interrupted_command_exits_with_130(capsys, monkeypatch):
    def interrupt(path):
        raise KeyboardInterrupt

    monkeypatch.setattr("indexer.published.library_info", interrupt)
    code, out, err = call(capsys, "info")
    assert (code, out) == (130, "")
    assert err.strip() == "bioglot: interrupted; what was finished is kept, and the same command carries on"


def test_a_system_error_names_the_file(capsys, monkeypatch):
    def fail(path):
        raise PermissionError(13, "Permission denied", "/locked/library")

    monkeypatch.setattr("indexer.published.library_info", fail)
    assert call(capsys, "info") == (1, "", "bioglot: /locked/library: Permission denied\n")


def test_a_reader_that_leaves_early_is_no_traceback():
    process = subprocess.Popen(
        [*BIOGLOT, "models", "show", "bge-m3"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    process.stdout.close()
    with process:
        error = process.stderr.read()
    assert (process.returncode, error) == (1, b"")


def test_a_terminal_without_unicode_is_no_traceback(library):
    show = [*BIOGLOT, "show", "30000006", "--library", str(library)]
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    for_people = subprocess.run(show, capture_output=True, env=environment, check=True)
    assert b"???????" in for_people.stdout
    as_json = subprocess.run([*show, "--json"], capture_output=True, env=environment, check=True)
    assert "心筋梗塞" in as_json.stdout.decode("utf-8")


def test_an_argument_that_is_not_utf_8_is_told(library, capsys, loaded):
    code, out, err = call(capsys, "search", "caf\udce9", "--library", library, "--json")
    assert (code, out) == (2, "")
    assert "'caf\\udce9' is not text: it holds bytes that are not UTF-8" in err


def test_the_server_stops_quietly_when_it_is_interrupted(library, tmp_path):
    command = [*BIOGLOT, "serve", "--library", str(library), "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        line = process.stderr.readline()
        process.send_signal(signal.SIGINT)
        rest = process.stderr.read()
    assert re.fullmatch(r"the API is at http://localhost:\d+ \(stop with Ctrl-C\)\n", line)
    assert (process.returncode, rest) == (0, "")


def test_help_is_quick_and_loads_nothing_heavy():
    program = (
        "import sys; from app.cli.main import run; code = run(['--help']); "
        "heavy = {'numpy', 'torch', 'lance', 'faiss', 'streamlit', 'fastapi', 'pyarrow', 'lxml'}; "
        "print(code, sorted(heavy & set(sys.modules)))"
    )
    begun = time.process_time() + sum(os.times()[2:4])
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.splitlines()[-1] == "0 []"
    assert time.process_time() + sum(os.times()[2:4]) - begun < 0.5


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name, capsys):
    groups = {"fetch": "sample", "models": "list", "runs": "list"}
    names = [name, groups[name]] if name in groups else [name]
    code, out, _ = call(capsys, *names, "--help")
    assert code == 0
    assert f"  bioglot {' '.join(names)}" in out.split("Example")[1]


def test_signals_and_other_records_of_an_article_are_told():
    notice = Correction("RetractionIn", "J Inv. 2021;1:1", "34")
    record = citation(1, "Findings", corrections=(notice, Correction("ErratumIn", "J Inv. 2020;3:4")))
    found = Hit(1, record.id, 1.0, record, None, None, None, duplicates=("pmid:7", "beir:8"))
    assert [line.plain for line in _hit_lines(found, "1. ")] == [
        "1. RETRACTED Findings",
        "Diop A. J Small Rec. 2020",
        "PMID 1  https://pubmed.ncbi.nlm.nih.gov/1/",
        "Retracted (PMID 34); Corrected (J Inv. 2020;3:4)",
        "Also as PMID 7, beir:8",
    ]
