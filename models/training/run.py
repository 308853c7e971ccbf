"""How a training run is carried out, whatever it trains: from the newest checkpoint to the last step."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from models.backends.device import choose_device, choose_precision
from models.errors import UsageError
from models.hub import keep_quiet
from models.training.checkpoints import check_same_run, newest_whole
from models.training.configuration import Configuration
from models.training.release import check_memory, without_kept_casts
from models.training.told import Told

if TYPE_CHECKING:
    from transformers import TrainerCallback

    from models.training.trainer import KeptWhole

    Callbacks = Callable[[KeptWhole], Sequence[TrainerCallback]]
    """What else hears of the steps, given the trainer."""

MODEL = "model"
"""Folder of the trained model under the run's folder."""


@dataclass(frozen=True, slots=True)
class Finished:
    """What a run came to. step: the last one. whole: whether it was the configuration's last.

    losses: of every logged step since this process began.
    """

    folder: Path
    step: int
    whole: bool
    losses: tuple[tuple[int, float], ...]


def begin(configuration: Configuration) -> Path:
    """The run's folder, once it is sure that the run can be and that the folder is its own.

    Raises UsageError, ModelError.
    """
    keep_quiet()
    check_memory(
        configuration, processes=processes(), device=choose_device(), precision=precision(configuration)
    )
    folder = Path(configuration.folder)
    check_same_run(folder, msgspec.json.encode(configuration).decode())
    return folder


def carry_out(
    configuration: Configuration,
    trainer: "KeptWhole",
    callbacks: "Callbacks",
    told: Told,
    write: Callable[[], None],
) -> Finished:
    """Train from the newest whole checkpoint to the last step; write is called by the first process then."""
    from models.training.trainer import ProgressCallback, StopCallback

    for callback in (StopCallback(), ProgressCallback(told), *callbacks(trainer)):
        trainer.add_callback(callback)
    if configuration.memory.checkpointing:
        without_kept_casts(trainer)
    folder = Path(configuration.folder)
    begun = newest_whole(folder)
    trainer.train(resume_from_checkpoint=str(begun) if begun else None)
    step = trainer.state.global_step
    whole = step >= configuration.training.steps
    if whole and trainer.is_world_process_zero():
        write()
    losses = tuple((int(row["step"]), row["loss"]) for row in trainer.state.log_history if "loss" in row)
    return Finished(folder, step, whole, losses)


def precision(configuration: Configuration) -> str:
    """What the run computes in."""
    return choose_precision(configuration.model.precision, choose_device())


def processes() -> int:
    """How many the launcher (torchrun, accelerate) has started."""
    return int(os.environ.get("WORLD_SIZE", "1"))


def accumulation(configuration: Configuration) -> int:
    """Batches that a process adds up, so that a step has batch.size pairs over all processes."""
    size, at_once = configuration.batch.size, configuration.batch.at_once
    if size % (processes() * at_once):
        raise UsageError(
            f"batch.size is {size}, expected a multiple of batch.at_once ({at_once}) "
            f"times {processes()} processes"
        )
    return size // (processes() * at_once)
