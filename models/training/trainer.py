"""sentence-transformers' trainer as bioglot uses it: our mixture of batches, whole checkpoints, a soft stop."""

import signal
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from models.training.checkpoints import PREFIX, keep_newest, mark_whole
from models.training.configuration import Configuration
from models.training.mixture import Mixture

if TYPE_CHECKING:
    import torch
    from datasets import Dataset
    from transformers import TrainerCallback


def build_trainer(
    configuration: Configuration,
    model: Any,  # noqa: ANN401
    datasets: "Mapping[str, Dataset]",
    losses: "Mapping[str, torch.nn.Module]",
    prompts: Mapping[str, Mapping[str, str]],
    mixture: Callable[[int], Mixture],
    optimizer: "torch.optim.Optimizer",
    callbacks: "Sequence[TrainerCallback]",
) -> Any:  # noqa: ANN401
    """A trainer over the objectives' data, losses and prompts, by name of objective.

    mixture: the batches for pairs handed out so many at once.
    """
    import torch
    from datasets import DatasetDict
    from sentence_transformers.sentence_transformer.trainer import SentenceTransformerTrainer

    class Trainer(SentenceTransformerTrainer):  # type: ignore[misc]
        def get_multi_dataset_batch_sampler(self, **_: object) -> Mixture:
            return mixture(self.args.per_device_train_batch_size)

        def _save_checkpoint(self, model: torch.nn.Module, trial: object) -> None:
            super()._save_checkpoint(model, trial)
            if self.args.should_save:
                folder = Path(self.args.output_dir)
                mark_whole(folder / f"{PREFIX}{self.state.global_step}")
                keep_newest(folder, configuration.training.keep)

        def add_model_card_callback(self, default_args_dict: dict[str, Any]) -> None:
            """No card from here: ours is written at export, and this one asks the hub."""

    trainer = Trainer(
        model=model,
        args=training_arguments(configuration, prompts),
        train_dataset=DatasetDict(dict(datasets)),
        loss=dict(losses),
        optimizers=(optimizer, schedule(optimizer, configuration)),
        callbacks=list(callbacks),
    )
    return trainer


def training_arguments(configuration: Configuration, prompts: Mapping[str, Mapping[str, str]]) -> Any:  # noqa: ANN401
    """Arguments of the trainer; the number of processes is the launcher's."""
    import torch
    from sentence_transformers.sentence_transformer.training_args import SentenceTransformerTrainingArguments

    batch, training = configuration.batch, configuration.training
    return SentenceTransformerTrainingArguments(
        output_dir=configuration.folder,
        max_steps=training.steps,
        per_device_train_batch_size=batch.at_once,
        gradient_accumulation_steps=accumulation(configuration),
        bf16=configuration.model.precision == "bfloat16",
        use_cpu=not torch.cuda.is_available(),
        gradient_checkpointing=configuration.memory.checkpointing,
        gradient_checkpointing_kwargs={"use_reentrant": False} if configuration.memory.checkpointing else None,
        max_grad_norm=0.0,  # the optimizer clips: the trainer's own clipping knows no sparse gradients
        seed=configuration.seed,
        data_seed=configuration.seed,
        save_strategy="steps",
        save_steps=training.checkpoint_every,
        logging_steps=training.log_every,
        logging_nan_inf_filter=False,
        report_to=[],
        disable_tqdm=True,
        prompts={name: dict(columns) for name, columns in prompts.items()},
        dataloader_pin_memory=torch.cuda.is_available(),
    )


def accumulation(configuration: Configuration) -> int:
    """Batches that a process adds up before a step, so that a step has batch.size pairs over all processes."""
    import os

    from models.errors import UsageError

    processes = int(os.environ.get("WORLD_SIZE", "1"))
    size, at_once = configuration.batch.size, configuration.batch.at_once
    if size % (processes * at_once):
        raise UsageError(
            f"batch.size is {size}, expected a multiple of {processes} processes times batch.at_once ({at_once})"
        )
    return size // (processes * at_once)


def schedule(optimizer: "torch.optim.Optimizer", configuration: Configuration) -> Any:  # noqa: ANN401
    """transformers' schedule of that name, with warm-up."""
    from transformers import get_scheduler

    training = configuration.training
    name = training.schedule if training.schedule != "constant" else "constant_with_warmup"
    return get_scheduler(name, optimizer, training.warmup, training.steps)


def stop_callback() -> "TrainerCallback":
    """Ends training at the next step, with a checkpoint, when the process is told to end (SIGTERM, Ctrl-C)."""
    from transformers import TrainerCallback

    class StopCallback(TrainerCallback):
        stopped = False

        def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:  # noqa: ANN401
            self.before = {number: signal.signal(number, self.stop) for number in (signal.SIGTERM, signal.SIGINT)}

        def on_train_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:  # noqa: ANN401
            for number, handler in self.before.items():
                signal.signal(number, handler)

        def stop(self, number: int, frame: FrameType | None) -> None:
            if self.stopped and number == signal.SIGINT:  # a second Ctrl-C does not wait for the step
                raise KeyboardInterrupt
            self.stopped = True

        def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:  # noqa: ANN401
            if self.stopped:
                control.should_save = control.should_training_stop = True

    return StopCallback()
