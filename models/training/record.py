"""The record of a training run, kept by MLflow: what went in, how it went, what came out."""

import contextlib
import datetime
import importlib.util
import json
import logging
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from models.errors import UsageError
from models.training.meters import Throughput, memory_use
from models.training.provenance import code_version, machine
from models.training.run_names import (
    ACCURACY,
    CHECKPOINT,
    CODE,
    DATA,
    LANGUAGE,
    MACHINE,
    REPEATS,
    RESUMED,
    flatten,
    metric_name,
    repeats_key,
)
from models.training.run_writer import RunWriter
from models.training.store import files_location, open_client, tracking_uri, unreachable
from models.training.termination import exit_on_termination

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities import Run
    from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments

TRACKERS = ("wandb", "trackio", "tensorboard")
"""What may record beside MLflow: names that transformers knows, which are those of the packages too."""

AT_ONCE = 100
"""As many parameters as MLflow takes at once."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RecordSettings:
    """store: MLflow's address or a folder; "" is bioglot's user data. trackers: what else records the run."""

    store: str = ""
    experiment: str = "bioglot"
    name: str = ""
    trackers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file that a run learned from or was measured on."""

    name: str
    sha256: str
    rows: int


class RunRecord:
    """A run while it is recorded; without a client, as in all processes of a run but the first, a silent one.

    A store that fails meanwhile costs a warning, never the training.
    """

    def __init__(self, client: "MlflowClient | None" = None, run_id: str = "") -> None:
        self.run_id = run_id
        self._client = client
        self._writer = RunWriter(client, run_id) if client is not None else None

    def log(self, step: int, metrics: Mapping[str, float]) -> None:
        """Keeps values at a step; of two at one step, readers see the later. Written in the background."""
        if self._writer is None:
            return
        from mlflow.entities import Metric

        now = time.time_ns() // 1_000_000
        self._writer.add(
            metrics=[Metric(metric_name(name), float(value), now, step) for name, value in metrics.items()]
        )

    def log_languages(self, step: int, accuracy: Mapping[str, float]) -> None:
        """Keeps accuracy@1 by language code, and its mean over the languages."""
        if accuracy:
            mean = sum(accuracy.values()) / len(accuracy)
            self.log(step, {ACCURACY: mean} | {LANGUAGE + code: value for code, value in accuracy.items()})

    def log_checkpoint(self, step: int, path: Path) -> None:
        """Keeps where the checkpoint of a step is."""
        if self._writer is None:
            return
        from mlflow.entities import RunTag

        self._writer.add(tags=[RunTag(f"{CHECKPOINT}{step}", str(path.absolute()))])

    def log_text(self, name: str, text: str) -> None:
        """Keeps a text as a file of the run."""
        if self._client is not None:
            with self._warning(f"{name} was not recorded"):
                self._client.log_text(self.run_id, text, name)

    def close(self, status: str) -> None:
        """Writes what is left, and how the run ended."""
        if self._client is None or self._writer is None:
            return
        self._writer.close()
        with self._warning(f"its end as {status} was not recorded"):
            self._client.set_terminated(self.run_id, status)

    @contextlib.contextmanager
    def _warning(self, what: str) -> Iterator[None]:
        try:
            yield
        except Exception as error:  # those of MLflow, SQLAlchemy and requests share no base class
            logger.warning("run %s: %s: %s", self.run_id, what, error)


@contextlib.contextmanager
def recorded_run(
    settings: RecordSettings,
    configuration: Mapping[str, object],
    *,
    data: Sequence[DataFile] = (),
    resume: str | None = None,
) -> Iterator[RunRecord]:
    """Records what happens inside; the run ends as FINISHED, FAILED, or KILLED (Ctrl-C, SIGTERM).

    resume: id of an interrupted run to go on with, whose configuration and data must be the same.
    Raises UsageError if they are not or there is no such run, StoreError if the store cannot be reached.
    """
    if os.environ.get("RANK", "0") != "0":
        yield RunRecord()
        return
    record = open_record(settings, configuration, data, resume)
    status = "FAILED"
    try:
        with exit_on_termination():
            yield record
        status = "FINISHED"
    except (KeyboardInterrupt, SystemExit):
        status = "KILLED"
        raise
    finally:
        record.close(status)


def open_record(
    settings: RecordSettings,
    configuration: Mapping[str, object],
    data: Sequence[DataFile],
    resume: str | None,
) -> RunRecord:
    """The record of a new run, or of the one to go on with."""
    parameters = dict(flatten(configuration)) | {
        f"{DATA}{number}": json.dumps(asdict(file), ensure_ascii=False) for number, file in enumerate(data, 1)
    }
    client = open_client(settings.store)
    try:
        run_id = go_on(client, resume, parameters) if resume else begin(client, settings, parameters)
    except UsageError:
        raise
    except Exception as error:  # those of MLflow, SQLAlchemy and requests share no base class
        raise unreachable(tracking_uri(settings.store), error) from error
    return RunRecord(client, run_id)


def begin(client: "MlflowClient", settings: RecordSettings, parameters: Mapping[str, str]) -> str:
    """Makes a run; its id."""
    from mlflow.entities import Param

    tags = origin() | {REPEATS: repeats_key(parameters, code_version())}
    run = client.create_run(experiment_id(client, settings), tags=tags, run_name=settings.name or None)
    items = [Param(key, value) for key, value in parameters.items()]
    for start in range(0, len(items), AT_ONCE):
        client.log_batch(run.info.run_id, params=items[start : start + AT_ONCE])
    return str(run.info.run_id)


def experiment_id(client: "MlflowClient", settings: RecordSettings) -> str:
    """The experiment of that name, made if there is none."""
    from mlflow.exceptions import MlflowException

    if (found := client.get_experiment_by_name(settings.experiment)) is None:
        location = files_location(tracking_uri(settings.store))
        try:
            return str(client.create_experiment(settings.experiment, artifact_location=location))
        except MlflowException:
            # Another process made it in between, or the name is refused.
            found = client.get_experiment_by_name(settings.experiment)
            if found is None:
                raise
    return str(found.experiment_id)


def go_on(client: "MlflowClient", run_id: str, parameters: Mapping[str, str]) -> str:
    """Opens the run again and notes on which code and machine; its id."""
    from mlflow.exceptions import MlflowException

    try:
        run = client.get_run(run_id)
    except MlflowException:
        raise UsageError(f"there is no run {run_id!r} to resume; see bioglot runs list") from None
    refuse_changes(run, parameters)
    client.update_run(run_id, status="RUNNING")
    times = sum(name.startswith(RESUMED) for name in run.data.tags)
    now = {"date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")}
    client.set_tag(run_id, f"{RESUMED}{times + 1}", json.dumps(now | origin(), ensure_ascii=False))
    return run_id


def refuse_changes(run: "Run", parameters: Mapping[str, str]) -> None:
    """Raises UsageError unless the run has these parameters: a run has one configuration."""
    before = run.data.params
    for key in sorted(before.keys() | parameters.keys()):
        old, new = before.get(key, "nothing"), parameters.get(key, "nothing")
        if old != new:
            raise UsageError(
                f"run {run.info.run_id} has {key} = {old}, expected the same to resume it, got {new}; "
                "change it back, or start a new run"
            )


def origin() -> dict[str, str]:
    """Code version and machine as tags."""
    code = {CODE + name: value for name, value in code_version().items()}
    return code | {MACHINE + name: value for name, value in machine().items()}


def report_to(trackers: Sequence[str]) -> list[str]:
    """The trackers as a trainer's `report_to`. Raises UsageError for one unknown or not installed."""
    for name in trackers:
        if name not in TRACKERS:
            raise UsageError(
                f"tracker is {name!r}, expected some of {', '.join(TRACKERS)}; MLflow always records"
            )
        if importlib.util.find_spec(name) is None:
            raise UsageError(f"the tracker {name} is not installed: pip install {name}")
    return list(dict.fromkeys(trackers))


def record_callback(record: RunRecord, tokens: Callable[[], int] | None = None) -> "TrainerCallback":
    """Brings what a trainer logs into the record, with tokens per second, memory and checkpoints.

    tokens: how many were read so far; otherwise the trainer's own count, if it keeps one.
    """
    from transformers import TrainerCallback

    throughput = Throughput()

    class RecordCallback(TrainerCallback):
        def on_train_begin(
            self, args: "TrainingArguments", state: "TrainerState", control: "TrainerControl", **_: object
        ) -> None:
            throughput.start(self.seen(state))

        def on_log(
            self,
            args: "TrainingArguments",
            state: "TrainerState",
            control: "TrainerControl",
            logs: dict[str, object] | None = None,
            **_: object,
        ) -> None:
            values = {name: value for name, value in (logs or {}).items() if isinstance(value, int | float)}
            record.log(state.global_step, values | throughput.read(self.seen(state)) | memory_use())

        def on_save(
            self, args: "TrainingArguments", state: "TrainerState", control: "TrainerControl", **_: object
        ) -> None:
            path = Path(args.output_dir or "") / f"checkpoint-{state.global_step}"
            record.log_checkpoint(state.global_step, path)

        def seen(self, state: "TrainerState") -> int:
            return tokens() if tokens is not None else int(state.num_input_tokens_seen)

    return RecordCallback()
