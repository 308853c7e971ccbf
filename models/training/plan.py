"""What a training run will do and need, told before it begins: what `bioglot train --dry-run` prints."""

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from models.training.configuration import Configuration, MemorySection, ObjectiveSection
from models.training.memory import MemoryEstimate, StepShape, estimate_memory, outline, trained_shapes

GB = 1e9


@dataclass(frozen=True, slots=True)
class Plan:
    """parameters, trained: numbers in the model, and those of them (or beside them) that are trained.

    batch: pairs or texts of one step, at_once * accumulation * processes. tokens_a_step: at most. memory: of
    each process, estimated; available: bytes there are for it. measures: which of `memory` are on, and why.
    advice: what to set so that the run fits; empty if it does. hours: None if no step was measured.
    """

    parameters: int
    trained: int
    at_once: int
    accumulation: int
    processes: int
    steps: int
    tokens_a_step: int
    precision: str
    memory: MemoryEstimate
    available: int
    measures: tuple[str, ...]
    advice: tuple[str, ...]
    hours: float | None = None

    @property
    def batch(self) -> int:
        return self.at_once * self.accumulation * self.processes

    @property
    def tokens(self) -> int:
        return self.tokens_a_step * self.steps


def plan_training(
    configuration: Configuration,
    folder: Path,
    *,
    tokens: int,
    precision: str,
    available: int,
    processes: int = 1,
    step: Callable[[], object] | None = None,
) -> Plan:
    """The plan of a run that begins with the model in folder.

    tokens: what a text is cut to. precision: what it computes in. available: bytes for one process. step:
    takes one step of the run; it is called twice, and the second call is timed.
    """
    kinds = {objective.kind: objective for objective in configuration.objectives}
    masked = kinds["mlm"].masked if "mlm" in kinds else 0.0
    model = outline(folder, masked=masked > 0)
    trained = trained_shapes(model, configuration.adapter)
    batch = configuration.batch
    rows = max(_rows(objective, batch.at_once) for objective in configuration.objectives)
    estimate = partial(estimate_memory, model, trained, step=StepShape(rows, tokens, precision, masked))
    memory = estimate(configuration.memory)
    return Plan(
        parameters=sum(weight.numel() for weight in model.parameters()),
        trained=sum(map(math.prod, trained)),
        at_once=batch.at_once,
        accumulation=max(1, batch.size // (batch.at_once * processes)),
        processes=processes,
        steps=configuration.training.steps,
        tokens_a_step=batch.size * max(map(_texts, configuration.objectives)) * tokens,
        precision=precision,
        memory=memory,
        available=available,
        measures=tuple(_measures(configuration.memory)),
        advice=() if memory.total <= available else tuple(_advice(configuration, available, estimate)),
        hours=None if step is None else seconds_of(step) * configuration.training.steps / 3600,
    )


def plan_lines(plan: Plan) -> list[str]:
    """The plan for a reader, a fact a line."""
    memory = plan.memory
    parts = ", ".join(f"{part.name} {getattr(memory, part.name) / GB:.2f}" for part in fields(memory))
    hours = "not measured" if plan.hours is None else f"about {plan.hours:.1f} hours"
    return [
        f"parameters: {plan.parameters:,}, trained: {plan.trained:,}",
        f"batch: {plan.batch:,} = {plan.at_once:,} at once x {plan.accumulation:,} accumulated x "
        f"{plan.processes:,} processes",
        f"steps: {plan.steps:,}, tokens: at most {plan.tokens_a_step:,} a step, {plan.tokens:,} in all",
        f"memory: {memory.total / GB:.2f} GB of {plan.available / GB:.2f}, estimated ({parts})",
        f"precision: {plan.precision}",
        *plan.measures,
        *plan.advice,
        f"time: {hours}",
    ]


def seconds_of(step: Callable[[], object]) -> float:
    """How long one step takes once everything is warm."""
    step()
    begun = time.perf_counter()
    step()
    return time.perf_counter() - begun


def _texts(objective: ObjectiveSection) -> int:
    """Texts of one pair that the trained model reads; a distilled pair's other is the teacher's."""
    return 2 + objective.negatives if objective.kind == "contrastive" else 1


def _rows(objective: ObjectiveSection, at_once: int) -> int:
    rows = at_once * _texts(objective)
    return min(rows, objective.cached) if objective.cached else rows


def _measures(memory: MemorySection) -> Iterator[str]:
    if memory.checkpointing:
        yield "memory.checkpointing: layers are computed again, so that only what enters them is kept"
    if memory.optimizer == "adafactor":
        yield "memory.optimizer: Adafactor keeps sums of rows and columns, not two numbers for each weight"
    if memory.release_gradients:
        yield (
            "memory.release_gradients: each gradient is applied and dropped as it comes; since "
            "their common norm is never known, training.clip is not applied"
        )
    if memory.fsdp:
        yield "memory.fsdp: weights, gradients and optimizer state lie in main memory, sharded by layer"


def _advice(
    configuration: Configuration, available: int, estimate: Callable[[MemorySection], MemoryEstimate]
) -> Iterator[str]:
    """The measures, mildest first, until the estimate fits."""
    memory = configuration.memory
    yield f"this does not fit: {estimate(memory).total / GB:.2f} GB, and there are {available / GB:.2f}"
    for name, value, consequence in (
        ("checkpointing", True, "a third more time"),
        ("optimizer", "adafactor", "another optimizer"),
        ("release_gradients", True, "batch.size must equal batch.at_once"),
    ):
        if getattr(memory, name) == value:
            continue
        memory = replace(memory, **{name: value})
        total = estimate(memory).total
        setting = f'"{value}"' if isinstance(value, str) else str(value).lower()
        yield f"set memory.{name} = {setting} ({consequence}): {total / GB:.2f} GB"
        if total <= available:
            return
    yield 'that is not enough: lower batch.at_once or model.max_tokens, or set adapter.kind = "lora"'
