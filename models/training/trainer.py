"""sentence-transformers' trainer as bioglot uses it: our mixture, whole checkpoints, a soft stop."""

import signal
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FrameType
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from sentence_transformers.sentence_transformer.trainer import SentenceTransformerTrainer
from sentence_transformers.sentence_transformer.training_args import SentenceTransformerTrainingArguments
from transformers import PrinterCallback, TrainerCallback, get_scheduler

from models.training.checkpoints import PREFIX, keep_newest, mark_whole
from models.training.configuration import Configuration
from models.training.mixture import Mixture
from models.training.told import Told

TRAINED = "trained.safetensors"
SIGNALS = (signal.SIGTERM, signal.SIGINT)


class Trainer(SentenceTransformerTrainer):
    """Takes its batches from a mixture; a checkpoint counts once it is whole, and then older ones go.

    tokens: how many this process has read, padding not counted. Logs the loss of each objective by its name.
    """

    def __init__(self, mixture: Mixture, keep: int, **rest: Any) -> None:  # noqa: ANN401
        self._mixture = mixture
        self._keep = keep
        self.tokens = 0
        self._losses: dict[str, list[torch.Tensor]] = {}
        super().__init__(**rest)
        self.remove_callback(PrinterCallback)  # it writes on standard output

    def get_multi_dataset_batch_sampler(self, *_: Any, **__: Any) -> Mixture:  # type: ignore[override]  # noqa: ANN401
        return self._mixture

    def add_model_card_callback(self, default_args_dict: dict[str, Any]) -> None:
        """No card from here: ours is written at export, and this one asks the hub."""

    def compute_loss(self, model: Any, inputs: dict[str, Any], *rest: Any, **named: Any) -> Any:  # noqa: ANN401
        objective = inputs["dataset_name"]
        masks = [value for name, value in inputs.items() if name.endswith("attention_mask")]
        self.tokens += sum(int(mask.sum()) for mask in masks)
        loss: Any = super().compute_loss(model, inputs, *rest, **named)
        self._losses.setdefault(objective, []).append(loss.detach())
        return loss

    def log(self, logs: dict[str, float], start_time: float | None = None) -> None:
        if "loss" in logs:
            means = {f"loss/{name}": float(torch.stack(seen).mean()) for name, seen in self._losses.items()}
            logs = logs | means
            self._losses = {}
        super().log(logs, start_time)

    def _clip_grad_norm(self, model: torch.nn.Module) -> torch.Tensor:
        """Of the matrices: torch has no norm for the sparse gradients of word vectors."""
        dense = [p for p in model.parameters() if p.grad is not None and not p.grad.is_sparse]
        return torch.nn.utils.clip_grad_norm_(dense, self.args.max_grad_norm or float("inf"))

    def _get_grad_norm(self, model: torch.nn.Module, grad_norm: torch.Tensor | None = None) -> torch.Tensor:
        return self._clip_grad_norm(model) if grad_norm is None else grad_norm

    def _save(self, output_dir: str | None = None, state_dict: dict[str, Any] | None = None) -> None:
        """What is trained, and nothing of the rest: the run makes that again."""
        folder = Path(str(output_dir))
        folder.mkdir(parents=True, exist_ok=True)
        save_file(self._trained(), folder / TRAINED)

    def _load_from_checkpoint(self, resume_from_checkpoint: str, model: Any = None) -> None:  # noqa: ANN401
        with torch.no_grad():
            for name, tensor in load_file(Path(resume_from_checkpoint) / TRAINED).items():
                self.model.get_parameter(name).copy_(tensor)

    def _trained(self) -> dict[str, torch.Tensor]:
        return {name: p.detach().contiguous() for name, p in self.model.named_parameters() if p.requires_grad}

    def _save_checkpoint(self, model: torch.nn.Module, trial: Any) -> None:  # noqa: ANN401
        super()._save_checkpoint(model, trial)
        if self.args.should_save:
            folder = Path(str(self.args.output_dir))
            mark_whole(folder / f"{PREFIX}{self.state.global_step}")
            keep_newest(folder, self._keep)


class StopCallback(TrainerCallback):
    """Ends training after the step, with a checkpoint, when the process is told to (SIGTERM, Ctrl-C)."""

    def __init__(self) -> None:
        self.stopped = False
        self._before: dict[signal.Signals, Any] = {}

    def on_train_begin(self, *_: Any, **__: Any) -> None:  # noqa: ANN401
        self._before = {number: signal.signal(number, self._stop) for number in SIGNALS}

    def on_train_end(self, *_: Any, **__: Any) -> None:  # noqa: ANN401
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:  # noqa: ANN401
        if self.stopped:
            control.should_save = control.should_training_stop = True

    def _stop(self, number: int, frame: FrameType | None) -> None:
        if self.stopped and number == signal.SIGINT:  # a second Ctrl-C does not wait for the step
            raise KeyboardInterrupt
        self.stopped = True


class AtStepsCallback(TrainerCallback):
    """Does something every so many steps (0 for never), and at the last one."""

    def __init__(self, every: int, action: Callable[[int], None]) -> None:
        self._every = every
        self._action = action

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:  # noqa: ANN401
        step = state.global_step
        due = self._every and step % self._every == 0
        if state.is_world_process_zero and (due or step >= state.max_steps):
            self._action(step)


class ProgressCallback(TrainerCallback):
    """Tells of every step."""

    def __init__(self, told: Told) -> None:
        self._told = told

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:  # noqa: ANN401
        self._told.start("training", state.max_steps - state.global_step, "steps")

    def on_step_end(self, *_: Any, **__: Any) -> None:  # noqa: ANN401
        self._told.advance()

    def on_train_end(self, *_: Any, **__: Any) -> None:  # noqa: ANN401
        self._told.finish()


def training_arguments(
    configuration: Configuration, prompts: Mapping[str, Mapping[str, str]], accumulation: int
) -> SentenceTransformerTrainingArguments:
    """Arguments of the trainer. prompts: of each column, by objective. accumulation: batches of one step."""
    training = configuration.training
    accelerated = torch.cuda.is_available()
    return SentenceTransformerTrainingArguments(
        output_dir=configuration.folder,
        max_steps=training.steps,
        per_device_train_batch_size=configuration.batch.at_once,
        gradient_accumulation_steps=accumulation,
        bf16=configuration.model.precision == "bfloat16",
        use_cpu=not accelerated,
        max_grad_norm=training.clip,
        seed=configuration.seed,
        data_seed=configuration.seed,
        save_strategy="steps",
        save_steps=training.checkpoint_every,
        logging_steps=training.log_every,
        logging_nan_inf_filter=False,
        report_to=[],
        disable_tqdm=True,
        prompts={name: dict(columns) for name, columns in prompts.items()},
        dataloader_pin_memory=accelerated,
    )


def schedule(optimizer: torch.optim.Optimizer, configuration: Configuration) -> Any:  # noqa: ANN401
    """Transformers' schedule of that name, with warm-up."""
    training = configuration.training
    name = training.schedule if training.schedule != "constant" else "constant_with_warmup"
    return get_scheduler(name, optimizer, training.warmup, training.steps)
