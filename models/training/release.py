"""Large models on small machines.

On one device gradients are applied and dropped while the backward pass still runs, an optimizer that keeps
row and column sums stands in for AdamW, and layers are computed a second time instead of keeping what is
inside them. On GPUs, PyTorch's FSDP keeps the weights in main memory and shards the work.
"""

import types
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from models.errors import UsageError
from models.training.configuration import Configuration, MemorySection, StepsSection

if TYPE_CHECKING:
    import torch
    from torch.optim import Optimizer
    from transformers import Trainer


def check_memory(configuration: Configuration, *, processes: int, device: str, precision: str) -> None:
    """Raise UsageError for measures of `memory` that this run cannot take.

    device: as PyTorch names it. precision: what the run computes in.
    """
    if configuration.memory.release_gradients:
        _check_release(configuration, processes, precision)
    if configuration.memory.fsdp and device == "cpu":
        raise UsageError(
            "memory.fsdp shards over GPUs, and PyTorch sees none here: set it to false, and "
            'memory.release_gradients, memory.checkpointing and memory.optimizer = "adafactor" instead'
        )


def _check_release(configuration: Configuration, processes: int, precision: str) -> None:
    batch, memory = configuration.batch, configuration.memory
    cached = [objective.name for objective in configuration.objectives if objective.cached]
    if batch.size != batch.at_once * processes:
        raise UsageError(
            f"memory.release_gradients makes a step of every backward pass, but batch.size is {batch.size} "
            f"and batch.at_once {batch.at_once}: make them equal, or set memory.release_gradients to false"
        )
    if cached:
        raise UsageError(
            f"objective {cached[0]} is cached, which takes several backward passes a step: "
            "set its cached to 0, or memory.release_gradients to false"
        )
    if processes > 1 or memory.fsdp:
        raise UsageError("memory.release_gradients is for one process: gradients of several are summed first")
    if precision == "float16":
        raise UsageError(
            "memory.release_gradients cannot scale gradients back, which float16 needs: "
            "set model.precision to bfloat16 or float32"
        )


def parameter_groups(model: "torch.nn.Module", steps: StepsSection) -> list[dict[str, Any]]:
    """What is trained, by learning rate and weight decay; biases and norms do not decay.

    With rows_learning_rate the word vectors are a group of their own.
    """
    from transformers import PreTrainedModel

    rows: set[int] = set()
    if steps.rows_learning_rate is not None:
        inner = (part for part in model.modules() if isinstance(part, PreTrainedModel))
        rows = {id(weight) for part in inner for weight in part.get_input_embeddings().parameters()}
    groups: dict[tuple[float, float], list[torch.Tensor]] = {}
    for weight in model.parameters():
        if weight.requires_grad:
            rate = steps.rows_learning_rate if id(weight) in rows else steps.learning_rate
            decay = steps.weight_decay if weight.dim() > 1 else 0.0
            groups.setdefault((rate or 0.0, decay), []).append(weight)
    return [{"params": held, "lr": rate, "weight_decay": decay} for (rate, decay), held in groups.items()]


def build_optimizer(groups: Sequence[dict[str, Any]], memory: MemorySection) -> "Optimizer":
    """The optimizer that `memory` names over the groups, releasing gradients if it says so.

    Adafactor takes the learning rate as it stands, like AdamW, and clips each parameter's update to a root
    mean square of 1 (times the rate), which stands in for clipping the norm of all gradients.
    """
    from torch.optim import AdamW
    from transformers import Adafactor

    factored: Any = Adafactor
    optimizer: Optimizer
    if memory.optimizer == "adafactor":
        optimizer = factored(groups, scale_parameter=False, relative_step=False)
    else:
        optimizer = AdamW(groups, fused=True)
    if memory.release_gradients:
        release_gradients(optimizer)
    return optimizer


def release_gradients(optimizer: "Optimizer") -> None:
    """Apply each parameter's gradient as soon as it is complete, and drop it; `step` then has nothing to do.

    The optimizer's groups and state stay as they were, so that schedules, checkpoints and resuming know no
    difference. Gradients must not be accumulated over several backward passes.
    """
    apply: Callable[[], object] = optimizer.step

    def release(parameter: "torch.Tensor") -> None:
        apply()  # no other parameter holds a gradient now, so this one alone moves
        parameter.grad = None

    for group in optimizer.param_groups:
        for parameter in group["params"]:
            parameter.register_post_accumulate_grad_hook(release)
    # A method, since schedulers look behind it.
    optimizer.step = types.MethodType(_applied_already, optimizer)  # type: ignore[method-assign]


def _applied_already(optimizer: "Optimizer", closure: object = None) -> None:
    """In place of `step`."""


def compute_layers_again(model: "torch.nn.Module") -> None:
    """Keep only what enters each layer, and compute its inside a second time in the backward pass."""
    from transformers import PreTrainedModel

    for part in model.modules():
        if isinstance(part, PreTrainedModel) and part.supports_gradient_checkpointing:
            # Renamed in transformers 5; the old name warns.
            enable = getattr(part, "activation_checkpointing_enable", part.gradient_checkpointing_enable)
            enable({"use_reentrant": False})
            return


def without_kept_casts(trainer: "Trainer") -> None:
    """Have weights cast to half precision each time they are needed, and not all kept until the step ends.

    For layers that are computed again: their weights are cast twice either way. Call before training.
    """
    from accelerate.utils import AutocastKwargs

    trainer.accelerator.autocast_handler = AutocastKwargs(cache_enabled=False)


def fsdp_arguments(model: "torch.nn.Module", memory: MemorySection) -> dict[str, Any]:
    """Arguments of TrainingArguments for FSDP2 with the weights in main memory; empty unless asked for.

    Each layer is a shard of its own. The word vectors stay with the root, since a masked-language head shares
    them. Layers are computed again by FSDP itself, so `compute_layers_again` is not needed beside it.
    """
    from transformers.modeling_layers import GradientCheckpointingLayer

    if not memory.fsdp:
        return {}
    layers = {type(part).__name__ for part in model.modules() if isinstance(part, GradientCheckpointingLayer)}
    return {
        "fsdp": True,
        "fsdp_config": {
            "version": 2,
            "reshard_after_forward": True,
            "cpu_offload": True,
            "auto_wrap_policy": "TRANSFORMER_BASED_WRAP",
            "transformer_layer_cls_to_wrap": sorted(layers),
            "activation_checkpointing": memory.checkpointing,
        },
    }
