"""A training run as its readers see it."""

import datetime
import json
import math
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, TypeVar

from app.reading import language_name
from models.training.record import DataFile
from models.training.run_names import (
    CHECKPOINT,
    CODE,
    DATA,
    LANGUAGE,
    MACHINE,
    REPEATS,
    RESUMED,
    measure_name,
)

if TYPE_CHECKING:
    from mlflow.entities import Run

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class RunSummary:
    """What a list shows of a run.

    status: RUNNING, FINISHED, FAILED or KILLED. started: UTC, ISO 8601. seconds: None while it runs.
    measures: last values, without those of single languages.
    """

    id: str
    name: str
    experiment: str
    status: str
    started: str
    seconds: float | None
    measures: dict[str, float]

    @property
    def label(self) -> str:
        """Its name, and the beginning of its id since names may be shared."""
        return f"{self.name} ({self.id[:8]})"


@dataclass(frozen=True, slots=True)
class RunDetails(RunSummary):
    """All of a run but its curves.

    languages: last accuracy@1 by code. resumed: how many times. checkpoints: paths by step.
    repeats: the same for runs that differ in nothing but their seeds.
    """

    languages: dict[str, float]
    configuration: dict[str, str]
    data: tuple[DataFile, ...]
    code: dict[str, str]
    machine: dict[str, str]
    checkpoints: dict[int, str]
    resumed: int
    repeats: str

    @property
    def inputs(self) -> dict[str, dict[str, str]]:
        """What went in, by kind."""
        return {
            "configuration": self.configuration,
            "data": {file.name: f"{file.rows:,} rows, sha256 {file.sha256}" for file in self.data},
            "code": self.code,
            "machine": self.machine,
        }


def details(run: "Run", experiment: str) -> RunDetails:
    """MLflow's run in our terms."""
    parameters, tags = run.data.params, run.data.tags
    data = [json.loads(value) for key, value in parameters.items() if key.startswith(DATA)]
    return RunDetails(
        **asdict(summary(run, experiment)),
        languages={code: as_measured(value) for code, value in below(LANGUAGE, run.data.metrics).items()},
        configuration={key: parameters[key] for key in sorted(parameters) if not key.startswith(DATA)},
        data=tuple(DataFile(**file) for file in data),
        code=below(CODE, tags),
        machine=below(MACHINE, tags),
        checkpoints={int(step): path for step, path in below(CHECKPOINT, tags).items()},
        resumed=len(below(RESUMED, tags)),
        repeats=tags.get(REPEATS, ""),
    )


def summary(run: "Run", experiment: str) -> RunSummary:
    """What a list shows of MLflow's run."""
    info = run.info
    return RunSummary(
        id=info.run_id,
        name=info.run_name,
        experiment=experiment,
        status=info.status,
        started=moment(info.start_time),
        seconds=lasted(info.status, info.start_time, info.end_time),
        measures=measures(run.data.metrics),
    )


def moment(milliseconds: int) -> str:
    """A time of MLflow as ISO 8601 in UTC, to the second."""
    return datetime.datetime.fromtimestamp(milliseconds // 1000, datetime.UTC).isoformat()


def lasted(status: str, start: int, end: int | None) -> float | None:
    """Seconds from the first start to the last end; a run that was resumed has no end meanwhile."""
    return None if end is None or status == "RUNNING" else (end - start) / 1000


def measures(metrics: Mapping[str, float]) -> dict[str, float]:
    """Measures by our names, without those of single languages."""
    names = sorted(name for name in metrics if not name.startswith(LANGUAGE))
    return {measure_name(name): as_measured(metrics[name]) for name in names}


def as_measured(value: float) -> float:
    """A value as it was recorded: databases of MLflow keep infinity as the largest number."""
    return math.copysign(math.inf, value) if abs(value) == sys.float_info.max else float(value)


def spoken_name(code: str) -> str:
    """The English name of a language by its code, without the script: "swh_Latn" to "Swahili"."""
    return language_name(code.partition("_")[0]).removesuffix(" (individual language)")


def below(prefix: str, values: Mapping[str, Value]) -> dict[str, Value]:
    """The values whose names begin so, by the rest of their names, sorted."""
    return {name.removeprefix(prefix): values[name] for name in sorted(values) if name.startswith(prefix)}
