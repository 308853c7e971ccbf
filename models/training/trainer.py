"""The trainers of both libraries as bioglot uses them: whole checkpoints, a soft stop, our batches."""

import signal
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, cast

import torch
import transformers
from safetensors.torch import load_file, save_file
from sentence_transformers.sentence_transformer.trainer import SentenceTransformerTrainer
from transformers import PrinterCallback, TrainerCallback, get_scheduler

from models.backends.device import choose_device, choose_precision
from models.training.checkpoints import PREFIX, keep_newest, mark_whole
from models.training.configuration import Configuration
from models.training.mixture import Mixture
from models.training.record import report_to
from models.training.told import Told

TRAINED = "trained.safetensors"
SIGNALS = (signal.SIGTERM, signal.SIGINT)


class KeptWhole(transformers.Trainer):
    """Keeps of a checkpoint what is trained; it counts once it is whole, and then older ones go.

    tokens: how many this process has read, padding not counted.
    """

    def __init__(self, keep: int, **rest: Any) -> None:  # noqa: ANN401
        self._keep = keep
        self.tokens = 0
        super().__init__(**rest)
        self.remove_callback(PrinterCallback)  # it writes on standard output

    def _clip_grad_norm(self, model: torch.nn.Module) -> torch.Tensor:
        """Of the matrices: torch has no norm for the sparse gradients of word vectors."""
        dense = [p for p in model.parameters() if p.grad is not None and not p.grad.is_sparse]
        return torch.nn.utils.clip_grad_norm_(dense, self.args.max_grad_norm or float("inf"))

    def _get_grad_norm(
        self, model: torch.nn.Module, grad_norm: torch.Tensor | None = None
    ) -> torch.Tensor | None:
        """None where every gradient was applied and dropped already."""
        if grad_norm is None and any(p.grad is not None for p in model.parameters()):
            return self._clip_grad_norm(model)
        return grad_norm

    def _save(self, output_dir: str | None = None, state_dict: dict[str, Any] | None = None) -> None:
        folder = Path(str(output_dir))
        folder.mkdir(parents=True, exist_ok=True)
        save_file(self._trained(), folder / TRAINED)

    def _load_from_checkpoint(self, resume_from_checkpoint: str, model: Any = None) -> None:  # noqa: ANN401
        with torch.no_grad():
            for name, tensor in load_file(Path(resume_from_checkpoint) / TRAINED).items():
                self._network.get_parameter(name).copy_(tensor)

    def _trained(self) -> dict[str, torch.Tensor]:
        named = self._network.named_parameters()
        return {name: p.detach().contiguous() for name, p in named if p.requires_grad}

    @property
    def _network(self) -> torch.nn.Module:
        return cast(torch.nn.Module, self.model)

    def _save_checkpoint(self, model: torch.nn.Module, trial: Any) -> None:  # noqa: ANN401
        super()._save_checkpoint(model, trial)
        self.accelerator.wait_for_everyone()  # The other processes write their own files into the folder.
        if self.args.should_save:
            folder = Path(str(self.args.output_dir))
            mark_whole(folder / f"{PREFIX}{self.state.global_step}")
            keep_newest(folder, self._keep)


class EncoderTrainer(KeptWhole, SentenceTransformerTrainer):
    """Takes its batches from a mixture, and logs the loss of each objective by its name."""

    def __init__(self, mixture: Mixture, keep: int, **rest: Any) -> None:  # noqa: ANN401
        self._mixture = mixture
        self._losses: dict[str, list[torch.Tensor]] = {}
        super().__init__(keep, **rest)

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


class MaskedTrainer(KeptWhole):
    """Takes examples in the order of the data set, which is drawn already."""

    def compute_loss(self, model: Any, inputs: dict[str, Any], *rest: Any, **named: Any) -> Any:  # noqa: ANN401
        self.tokens += inputs["input_ids"].numel()
        return super().compute_loss(model, inputs, *rest, **named)


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


def common_arguments(configuration: Configuration, accumulation: int) -> dict[str, Any]:
    """Arguments of either trainer. accumulation: batches of one step."""
    training = configuration.training
    accelerated = torch.cuda.is_available()
    precision = choose_precision(configuration.model.precision, choose_device())
    return {
        "output_dir": configuration.folder,
        "max_steps": training.steps,
        "per_device_train_batch_size": configuration.batch.at_once,
        "gradient_accumulation_steps": accumulation,
        "bf16": precision == "bfloat16",
        "fp16": precision == "float16",
        "use_cpu": not accelerated,
        "max_grad_norm": 0.0 if configuration.memory.release_gradients else training.clip,
        "seed": configuration.seed,
        "data_seed": configuration.seed,
        "save_strategy": "steps",
        "save_steps": training.checkpoint_every,
        "logging_steps": training.log_every,
        "logging_nan_inf_filter": False,
        "report_to": report_to(configuration.record.trackers),
        "disable_tqdm": True,
        "dataloader_pin_memory": accelerated,
    }


def schedule(optimizer: torch.optim.Optimizer, configuration: Configuration) -> Any:  # noqa: ANN401
    """Transformers' schedule of that name, with warm-up."""
    training = configuration.training
    name = training.schedule if training.schedule != "constant" else "constant_with_warmup"
    return get_scheduler(name, optimizer, training.warmup, training.steps)
