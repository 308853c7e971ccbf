"""bioglot runs: what it prints and with which exit code."""

import json
import re
import signal
import subprocess
import sys
import urllib.request

import pytest

from app.cli.main import run
from app.cli.run_reports import duration, number, sparkline
from tests.recorded_runs import record


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    for seed, last in enumerate((1.0, 1.02), 1):
        record(folder, f"base-{seed}", [4.0, 3.0, last], seed=seed, languages={"jpn_Jpan": last / 2})
    record(folder, "速い\x1b[31m", [4.0, 2.0, 0.5], rate=5e-05, languages={"jpn_Jpan": 0.9, "swh_Latn": 0.8})
    return folder


@pytest.fixture(autouse=True)
def surroundings(tmp_path, folder, monkeypatch):
    monkeypatch.setenv("BIOGLOT_RUNS", str(folder))
    monkeypatch.delenv("BIOGLOT_CONFIG", raising=False)
    monkeypatch.chdir(tmp_path)


def table(text):
    """The cells of lines in columns."""
    return [re.split(r"\s{2,}", line) for line in text.splitlines()]


def test_list_shows_a_run_a_line(capsys):
    assert run(["runs", "list"]) == 0
    header, *rows = table(capsys.readouterr().out)
    assert header == ["run", "name", "experiment", "status", "started (UTC)", "time", "loss", "accuracy@1"]
    assert [row[1] for row in rows] == ["速い [31m", "base-2", "base-1"]
    assert rows[1][2:4] == ["bioglot", "FINISHED"]
    assert rows[1][6:] == ["1.02", "0.51"]


def test_list_in_json(capsys):
    assert run(["runs", "list", "-n", "1", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["runs"]
    assert found["name"] == "速い\x1b[31m"
    assert found["measures"] == {"accuracy@1": pytest.approx(0.85), "loss": 0.5, "nDCG@10": 0.875}


def test_show_has_everything(capsys):
    assert run(["runs", "show", "base-1"]) == 0
    lines = table(capsys.readouterr().out)
    assert ["training.learning_rate", "2e-05"] in lines
    assert ["pairs/训练.jsonl", f"4,000 rows, sha256 {'0a' * 32}"] in lines
    assert ["jpn_Jpan", "0.5", "Japanese"] in lines
    assert ["loss", "█▆▁", "4 → 1"] in lines
    assert ["version", "0.1.0"] in lines


def test_show_in_json(capsys):
    assert run(["runs", "show", "base-1", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["run"]["configuration"]["training.languages"] == '["sw", "日本語"]'
    assert document["curves"]["loss"] == {"steps": [10, 20, 30], "values": [4.0, 3.0, 1.0]}


def test_compare_shows_what_differs_the_measures_and_both_curves(capsys):
    assert run(["runs", "compare", "base-1", "速い\x1b[31m"]) == 0
    lines = table(capsys.readouterr().out)
    assert ["configuration", "training.learning_rate", "2e-05", "5e-05"] in lines
    (loss,) = [line for line in lines if line[:3] == ["loss", "1", "0.5"]]
    assert loss[3:5] == ["+0.5", "2, 1"]
    assert loss[6] == "beyond the spread of seeds"
    (swahili,) = [line for line in lines if line[0] == "swh_Latn"]
    assert swahili[-1] == "cannot be told: no repeated seeds"
    assert [line[2] for line in lines if line[0] == "loss" and "→" in line[-1]] == ["█▆▂", "█▄▁"]


def test_compare_in_json_and_drawn(capsys, tmp_path):
    assert run(["runs", "compare", "base-1", "base-2", "--json", "--plot", "図.svg"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["related"] is True
    assert [row["key"] for row in document["differences"]] == ["seed", "training.folder"]
    assert document["curves"]["loss"][1]["values"] == [4.0, 3.0, 1.02]
    assert "<svg" in (tmp_path / "図.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["show", "base-9"], "there is no run 'base-9' in sqlite:///"),
        (["compare", "base-1", "base-2", "--plot", "x.txt"], "plot is 'x.txt', expected a name that ends in"),
        (["list", "--experiment", "x"], "there is no experiment 'x' in sqlite:///"),
    ],
)
def test_wrong_usage_is_one_line(capsys, words, message):
    assert run(["runs", *words]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(f"bioglot: {message}")
    assert printed.err.count("\n") == 1


def test_without_any_run_the_list_is_empty(capsys, tmp_path):
    assert run(["runs", "list", "--store", "none", "--json"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out) == {"runs": []}
    assert printed.err == f"no training runs are recorded in sqlite:///{tmp_path / 'none' / 'runs.db'} yet\n"
    assert list(tmp_path.iterdir()) == []


def test_without_mlflow_the_command_to_install_it_is_told(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "mlflow", None)
    assert run(["runs", "list"]) == 2
    assert capsys.readouterr().err == (
        "bioglot: the record of runs needs mlflow: pip install 'bioglot[training]'\n"
    )


def test_the_page_of_a_server_is_named(capsys):
    assert run(["runs", "ui", "--store", "http://runs.example:5000"]) == 0
    assert capsys.readouterr().out == "MLflow's page is at http://runs.example:5000\n"


def test_the_page_of_mlflow_answers_until_it_is_stopped():
    # A shell that runs the tests in the background has Ctrl-C ignored by all that it starts.
    heeding = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    code = f"{heeding}; from app.cli.main import main; main()"
    command = [sys.executable, "-c", code, "runs", "ui", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, encoding="utf-8") as process:
        line = next(line for line in process.stderr if "MLflow's page" in line)
        address = line.split()[4]
        assert line == f"MLflow's page is at {address} (stop with Ctrl-C)\n"
        with urllib.request.urlopen(address, timeout=60) as answer:
            assert b"<title>MLflow</title>" in answer.read()
        process.send_signal(signal.SIGINT)
        process.stderr.read()
        assert process.wait(60) == 0
    with pytest.raises(OSError):
        urllib.request.urlopen(address, timeout=1)


def test_curves_are_drawn_in_bars():
    assert sparkline([0, 1, 2, 3, 4, 5, 6, 7]) == "▁▂▃▄▅▆▇█"
    assert sparkline([3.0, 3.0]) == "▅▅"
    assert sparkline([1.0], scale=(0.0, 1.0)) == "█"
    assert len(sparkline(range(1_000))) == 40
    assert sparkline([0.0, float("nan"), float("inf"), 1.0]) == "▁  █"
    assert sparkline([float("nan")]) == " "


def test_numbers_and_times_are_short():
    assert [number(value) for value in (None, 0.123456, 2e-05, 123456789.0, 4.0, float("inf"))] == [
        *("", "0.1235", "2e-05", "123,456,789", "4", "inf")
    ]
    assert [duration(value) for value in (None, 0.4, 3_661)] == ["", "0:00:00", "1:01:01"]
