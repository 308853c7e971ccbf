"""A run that goes on with a model's masked-language training, on text alone."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from models.loading import find_model
from models.training.checkpoints import one_at_a_time
from models.training.configuration import Configuration
from models.training.objectives.mlm import MaskedTask, masked_task, save_encoder
from models.training.packing import file_texts
from models.training.release import (
    build_optimizer,
    compute_layers_again,
    fsdp_arguments,
    parameter_groups,
)
from models.training.run import MODEL, Finished, accumulation, begin, carry_out
from models.training.told import Told

if TYPE_CHECKING:
    from models.training.run import Callbacks
    from models.training.trainer import MaskedTrainer

PACKED = "packed"
"""Folder of the packed texts under the run's folder."""
ReadTexts = Callable[[Path], Iterator[str]]
"""The texts of a library's folder."""


def train_masked(
    configuration: Configuration, read_library: ReadTexts, told: Told, callbacks: "Callbacks" = lambda _: ()
) -> Finished:
    """Train on hidden tokens, from the newest whole checkpoint of the run's folder if there is one.

    The trained model is an encoder like the one that it began with: same tokenizer, pooling and prompts.
    Raises UsageError, ModelError. A run told to end saves and returns unfinished.
    """
    folder = begin(configuration)
    source = find_model(configuration.model.model).folder
    (objective,) = configuration.objectives
    with one_at_a_time(folder):
        task = masked_task(
            source,
            _told(all_texts(configuration, read_library), told),
            folder / PACKED,
            max_tokens=configuration.model.max_tokens,
            examples=configuration.training.steps * configuration.batch.size,
            masked=objective.masked,
            seed=configuration.seed,
            from_scratch=configuration.model.from_scratch,
        )
    trainer = build_trainer(configuration, task)
    return carry_out(
        configuration, trainer, callbacks, told, lambda: save_encoder(task.model, source, folder / MODEL)
    )


def all_texts(configuration: Configuration, read_library: ReadTexts) -> Iterator[str]:
    """The texts of every library and file that the configuration names."""
    for objective in configuration.objectives:
        for data in objective.data:
            yield from read_library(Path(data.library)) if data.library else file_texts(Path(data.path))


def build_trainer(configuration: Configuration, task: MaskedTask) -> "MaskedTrainer":
    """The trainer over packed texts."""
    from transformers import TrainingArguments

    from models.training.trainer import MaskedTrainer, common_arguments, schedule

    memory = configuration.memory
    if memory.checkpointing and not memory.fsdp:
        compute_layers_again(task.model)
    optimizer = build_optimizer(parameter_groups(task.model, configuration.training), memory)
    arguments = common_arguments(configuration, accumulation(configuration))
    arguments |= fsdp_arguments(task.model, memory)
    return MaskedTrainer(
        configuration.training.keep,
        model=task.model,
        args=TrainingArguments(**arguments, train_sampling_strategy="sequential"),
        train_dataset=task.dataset,
        processing_class=task.tokenizer,
        optimizers=(optimizer, schedule(optimizer, configuration)),
    )


def _told(texts: Iterator[str], told: Told) -> Iterator[str]:
    told.start("packing", None, "texts")
    for text in texts:
        yield text
        told.advance()
    told.finish()
