"""The record of a training run, written by the real MLflow into SQLite."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from app.runs.reading import RunStore
from models.errors import UsageError
from models.training.record import (
    DataFile,
    RecordSettings,
    RunRecord,
    record_callback,
    recorded_run,
    report_to,
)
from models.training.run_names import flatten, measure_name, metric_name, repeats_key
from models.training.store import StoreError, open_client, tracking_uri
from tests.recorded_runs import DATA, configuration, record


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("runs") / "ግንብ"


def test_a_run_keeps_all_that_is_known_of_it(folder):
    with recorded_run(RecordSettings(str(folder), name="суахили 一"), configuration(), data=DATA) as run:
        run.log(10, {"loss": 2.0, "nDCG@10": 0.5})
        run.log(20, {"loss": 1.0, "nDCG@10": 0.6})
        run.log_languages(20, {"swh_Latn": 0.8, "jpn_Jpan": 0.6})
        run.log_checkpoint(20, Path("/checkpoints/20"))
        run.log_text("report.md", "# Ripoti — 報告")
    store = RunStore(str(folder))
    found = store.find(run.run_id)
    assert (found.name, found.experiment, found.status) == ("суахили 一", "bioglot", "FINISHED")
    assert found.configuration == {
        "model": "e5-small",
        "seed": "1",
        "training.languages": '["sw", "日本語"]',
        "training.learning_rate": "2e-05",
        "training.folder": "out-1",
    }
    assert found.data == DATA
    assert found.measures == {"accuracy@1": 0.7, "loss": 1.0, "nDCG@10": 0.6}
    assert found.languages == {"jpn_Jpan": 0.6, "swh_Latn": 0.8}
    assert found.checkpoints == {20: "/checkpoints/20"}
    assert found.code["version"] == "0.1.0"
    assert {"processor", "threads", "memory", "python", "torch", "transformers"} <= found.machine.keys()
    curve = store.curves(found)["loss"]
    assert (curve.steps, curve.values) == ((10, 20), (2.0, 1.0))
    (file,) = (folder / "runs-files").rglob("report.md")
    assert file.read_text(encoding="utf-8") == "# Ripoti — 報告"


@pytest.mark.parametrize(
    ("end", "status"), [(ValueError, "FAILED"), (KeyboardInterrupt, "KILLED"), (SystemExit, "KILLED")]
)
def test_the_end_of_a_run_is_noted(folder, end, status):
    with pytest.raises(end), recorded_run(RecordSettings(str(folder)), {}) as run:
        run.log(1, {"loss": 3.0})
        raise end
    found = RunStore(str(folder)).find(run.run_id)
    assert (found.status, found.measures) == (status, {"loss": 3.0})


def test_a_resumed_run_is_one_record_and_the_later_value_of_a_step_holds(folder):
    settings = RecordSettings(str(folder), name="resumed")
    with pytest.raises(KeyboardInterrupt), recorded_run(settings, configuration(), data=DATA) as run:
        for step in (1, 2, 3):
            run.log(step, {"loss": 3.0 - step / 2})
        raise KeyboardInterrupt
    time.sleep(0.01)  # MLflow's clock counts milliseconds
    with recorded_run(settings, configuration(), data=DATA, resume=run.run_id) as again:
        assert again.run_id == run.run_id
        store = RunStore(str(folder))
        assert store.find("resumed").status == "RUNNING"
        assert store.find("resumed").seconds is None
        for step in (2, 3, 4):
            again.log(step, {"loss": 3.5 - step / 2})
    found = store.find("resumed")
    assert (found.status, found.resumed) == ("FINISHED", 1)
    curve = store.curves(found)["loss"]
    assert (curve.steps, curve.values) == ((1, 2, 3, 4), (2.5, 2.5, 2.0, 1.5))
    assert found.measures == {"loss": 1.5}


def test_a_run_is_only_resumed_as_it_was(folder):
    run_id = record(folder, "fixed", [1.0])
    settings = RecordSettings(str(folder))
    with (
        pytest.raises(UsageError) as caught,
        recorded_run(settings, configuration(rate=3e-05), data=DATA, resume=run_id),
    ):
        pass
    assert str(caught.value) == (
        f"run {run_id} has training.learning_rate = 2e-05, expected the same to resume it, got 3e-05; "
        "change it back, or start a new run"
    )
    other = (DATA[0], DataFile("dev.jsonl", "0c" * 32, 100))
    with (
        pytest.raises(UsageError, match=r"has bioglot\.data\.2 = "),
        recorded_run(settings, configuration(), data=other, resume=run_id),
    ):
        pass
    with (
        pytest.raises(UsageError, match="there is no run 'none' to resume"),
        recorded_run(settings, {}, resume="none"),
    ):
        pass


def test_other_processes_of_a_run_record_nothing(folder, monkeypatch):
    monkeypatch.setenv("RANK", "1")
    before = RunStore(str(folder)).newest()
    with recorded_run(RecordSettings(str(folder)), {}) as run:
        run.log(1, {"loss": 1.0})
        run.log_languages(1, {"swh_Latn": 0.8})
        run.log_checkpoint(1, Path("x"))
        run.log_text("x", "y")
    assert run.run_id == ""
    assert RunStore(str(folder)).newest() == before


RECORDING = """
import sys, time
from models.training.record import RecordSettings, recorded_run
with recorded_run(RecordSettings(sys.argv[1], name=sys.argv[2]), {"seed": 1}) as run:
    print("recording", flush=True)
    for step in range(int(sys.argv[3])):
        run.log(step, {"loss": 1 / (step + 1), "speed": step})
        time.sleep(0.05)
"""


def start(folder, name, steps):
    command = [sys.executable, "-c", RECORDING, str(folder), name, str(steps)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_two_processes_record_into_one_new_store_at_once(tmp_path):
    running = [start(tmp_path, name, 60) for name in ("one", "two")]
    ends = [process.communicate(timeout=250) for process in running]
    assert ends == [("recording\n", ""), ("recording\n", "")]
    store = RunStore(str(tmp_path))
    for name in ("one", "two"):
        found = store.find(name)
        assert found.status == "FINISHED"
        assert store.curves(found)["speed"].values == tuple(range(60))


def test_a_terminated_run_is_noted_as_killed(folder):
    with start(folder, "terminated", 10_000) as process:
        assert process.stdout.readline() == "recording\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 128 + signal.SIGTERM
    found = RunStore(str(folder)).find("terminated")
    assert found.status == "KILLED"
    assert found.measures["speed"] >= 1


def test_a_server_takes_runs_and_gives_them_back(tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    backend = tracking_uri(str(tmp_path))
    open_client(str(tmp_path))
    command = [sys.executable, "-m", "mlflow", "server", "--workers", "1", "--port", str(port)]
    command += ["--backend-store-uri", backend, "--artifacts-destination", str(tmp_path / "files")]
    environment = os.environ | {"MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false"}
    address = f"http://127.0.0.1:{port}"
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as server:
        try:
            wait_for(f"{address}/health", server)
            first = record(address, "einer", [2.0, 1.0], languages={"deu_Latn": 0.9})
            second = record(address, "zwei", [2.0, 1.5], files={"notiz.txt": "ein Wort"})
            store = RunStore(address)
            assert [run.name for run in store.newest()] == ["zwei", "einer"]
            assert [run.name for run in store.newest("bioglot", limit=1)] == ["zwei"]
            found = store.find(first[:10])
            assert found.languages == {"deu_Latn": 0.9}
            assert store.curves(found)["loss"].values == (2.0, 1.0)
            assert {run.id for run in store.repeats(found)} == {first, second}
            (file,) = (tmp_path / "files").rglob("notiz.txt")
            assert file.read_text(encoding="utf-8") == "ein Wort"
        finally:
            server.terminate()
    with pytest.raises(StoreError, match=rf"the runs at {address} cannot be reached: "):
        RunStore(address)


def wait_for(url, process):
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and process.poll() is None:
        try:
            return urllib.request.urlopen(url, timeout=1).close()
        except OSError:
            time.sleep(0.2)
    raise AssertionError(f"{url} does not answer")


def test_a_store_that_cannot_be_is_one_line(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(StoreError) as caught, recorded_run(RecordSettings(str(tmp_path / "file")), {}):
        pass
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(f"the runs at sqlite:///{tmp_path / 'file' / 'runs.db'} cannot be")


@pytest.mark.parametrize("name", ["100%", "a%20b", "what?"])
def test_a_folder_that_an_address_cannot_hold_is_refused(tmp_path, name):
    with pytest.raises(UsageError, match=r"expected a path without % and \?"):
        tracking_uri(str(tmp_path / name))


class Unsteady:
    """A client whose store is away for the first writes."""

    def __init__(self, failures):
        self.failures = failures
        self.written = []

    def log_batch(self, run_id, metrics, tags):
        if self.failures:
            self.failures -= 1
            raise ConnectionError("away")
        self.written += [metric.step for metric in metrics]


def test_points_that_the_store_did_not_take_are_written_later(monkeypatch, caplog):
    monkeypatch.setattr("models.training.run_writer.SECONDS", 0.0)
    client = Unsteady(failures=2)
    record_of = RunRecord(client, "r")
    for step in range(5):
        record_of.log(step, {"loss": 1.0})
        time.sleep(0.02)
    record_of._writer.close()
    assert client.written == [0, 1, 2, 3, 4]
    assert [entry.message for entry in caplog.records] == [
        "run r cannot be written now, will try again: away"
    ]


def test_what_is_never_taken_is_counted(caplog):
    client = Unsteady(failures=99)
    record_of = RunRecord(client, "r")
    record_of.log(1, {"loss": 1.0, "speed": 2.0})
    record_of.close("FINISHED")
    messages = [entry.message for entry in caplog.records]
    assert messages[1] == "run r: 2 points and tags were not recorded"
    assert messages[2].startswith("run r: its end as FINISHED was not recorded: ")


def test_more_points_than_fit_in_a_batch_are_written_in_several():
    client = Unsteady(failures=0)
    record_of = RunRecord(client, "r")
    for step in range(2_500):
        record_of.log(step, {"loss": 1.0})
    record_of._writer.close()
    assert client.written == list(range(2_500))


@pytest.mark.parametrize(
    ("measure", "metric"),
    [
        ("nDCG@10", "nDCG_at_10"),
        ("accuracy@1", "accuracy_at_1"),
        ("NanoBEIR_mean_cosine_ndcg@10", "NanoBEIR_mean_cosine_ndcg_at_10"),
        ("потери", "потери"),
    ],
)
def test_measures_keep_their_names(measure, metric):
    assert metric_name(measure) == metric
    assert measure_name(metric) == measure


def test_a_nested_configuration_becomes_dotted_keys():
    nested = {"a": {"b": {"c": None, "d": True}, "é[0]": 1.5}, "empty": {}, "path": Path("/x")}
    assert dict(flatten(nested)) == {
        "a.b.c": "null",
        "a.b.d": "true",
        "a.é_0_": "1.5",
        "empty": "{}",
        "path": '"/x"',
    }
    long, other = (dict(flatten({"text": "a" * 6_000 + end}))["text"] for end in "bc")
    assert len(long) < 6_000
    assert long != other


def test_repeats_differ_in_seed_name_and_folder_alone():
    code = {"version": "0.1.0", "commit": "abc"}
    key = repeats_key(dict(flatten(configuration(1))), code)
    assert repeats_key(dict(flatten(configuration(2))), code) == key
    assert repeats_key(dict(flatten(configuration(1, rate=1.0))), code) != key
    assert repeats_key(dict(flatten(configuration(1))), code | {"commit": "abd"}) != key


def test_trackers_are_named_or_refused(monkeypatch):
    assert report_to(()) == []
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "trackio" else name)
    assert report_to(("tensorboard", "wandb", "wandb")) == ["tensorboard", "wandb"]
    with pytest.raises(UsageError) as caught:
        report_to(("trackio",))
    assert str(caught.value) == "the tracker trackio is not installed: pip install trackio"
    with pytest.raises(UsageError) as caught:
        report_to(("mlflow",))
    assert str(caught.value) == (
        "tracker is 'mlflow', expected some of wandb, trackio, tensorboard; MLflow always records"
    )


class Kept(RunRecord):
    """A record that keeps what it is told."""

    def __init__(self):
        super().__init__()
        self.told = []

    def log(self, step, metrics):
        self.told.append((step, dict(metrics)))

    def log_checkpoint(self, step, path):
        self.told.append((step, path))


def test_a_real_trainer_tells_losses_speed_memory_and_checkpoints(tmp_path):
    import torch
    from transformers import PretrainedConfig, PreTrainedModel, Trainer, TrainingArguments

    class Line(PreTrainedModel):
        config_class = PretrainedConfig

        def __init__(self):
            super().__init__(PretrainedConfig())
            self.layer = torch.nn.Linear(1, 1)

        def forward(self, x, labels):
            return {"loss": ((self.layer(x) - labels) ** 2).mean()}

    kept, seen = Kept(), iter(range(0, 10**6, 640))
    data = [{"x": [float(n)], "labels": [2.0 * n]} for n in range(8)]
    arguments = TrainingArguments(
        str(tmp_path),
        max_steps=4,
        logging_steps=2,
        save_steps=4,
        report_to=report_to(()),
        use_cpu=True,
        disable_tqdm=True,
        per_device_train_batch_size=2,
        dataloader_pin_memory=False,
    )
    trainer = Trainer(
        Line(), arguments, train_dataset=data, callbacks=[record_callback(kept, lambda: next(seen))]
    )
    trainer.evaluate(data)
    del kept.told[:]
    trainer.train()
    (two, first), (four, second), checkpoint, (_, last) = kept.told
    assert (two, four) == (2, 4)
    assert checkpoint == (4, tmp_path / "checkpoint-4")
    assert checkpoint[1].is_dir()
    assert {
        "loss",
        "learning_rate",
        "grad_norm",
        "epoch",
        "tokens_per_second",
        "memory_bytes",
    } <= first.keys()
    assert second["loss"] > 0
    assert first["tokens_per_second"] > 0
    assert 10**7 < first["memory_bytes"] < 10**11
    assert "train_runtime" in last
