"""A training run from beginning to end: read, prepare, train, write the model."""

import logging
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from models.encoder import EncoderSettings
from models.errors import UsageError
from models.hub import keep_quiet
from models.loading import find_model, load_encoder
from models.presets import find_preset
from models.training.checkpoints import check_same_run, newest_whole
from models.training.configuration import Configuration, ObjectiveSection
from models.training.material import (
    Material,
    ReadLibrary,
    contrastive_dataset,
    distillation_dataset,
    read_material,
    teacher_vectors,
)
from models.training.mixture import Mixture
from models.training.objectives.contrastive import contrastive_loss
from models.training.objectives.distill import distillation_loss
from models.training.optimizers import row_sparse_adamw
from models.training.trainer import build_trainer, stop_callback

if TYPE_CHECKING:
    from transformers import TrainerCallback

MODEL = "model"
"""Folder of the trained model under the run's folder."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Finished:
    """What a run came to. step: the last one. whole: whether it was the configuration's last."""

    folder: Path
    step: int
    whole: bool
    losses: tuple[tuple[int, float], ...]


def train(
    configuration: Configuration,
    read_library: ReadLibrary,
    callbacks: "Sequence[TrainerCallback]" = (),
) -> Finished:
    """Train as the configuration says, from the newest whole checkpoint of its folder if there is one.

    Raises UsageError, ModelError. A run told to end saves and returns unfinished.
    """
    keep_quiet()
    folder = Path(configuration.folder)
    check_same_run(folder, msgspec.json.encode(configuration).decode())
    materials = [read_material(objective, read_library) for objective in configuration.objectives]
    model = load_model(configuration)
    prompts = prompts_of(configuration, model)
    datasets, losses = {}, {}
    for material in materials:
        name = material.objective.name
        datasets[name], losses[name] = prepare(material, model, configuration)
    stop = stop_callback()
    trainer = build_trainer(
        configuration,
        model,
        datasets,
        losses,
        {material.objective.name: columns(material.objective, prompts) for material in materials},
        mixture_of(configuration, materials),
        optimizer_of(configuration, model),
        [*callbacks, stop],
    )
    begun = newest_whole(folder)
    trainer.train(resume_from_checkpoint=str(begun) if begun else None)
    whole = trainer.state.global_step >= configuration.training.steps
    if whole and trainer.is_world_process_zero():
        model.save_pretrained(str(folder / MODEL), create_model_card=False)
    losses_seen = tuple((row["step"], row["loss"]) for row in trainer.state.log_history if "loss" in row)
    return Finished(folder, trainer.state.global_step, whole, losses_seen)


def load_model(configuration: Configuration) -> Any:  # noqa: ANN401
    """The sentence-transformers model to train, in float32, with what is not trained held."""
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(find_model(configuration.model.model).folder), local_files_only=True)
    if configuration.model.max_tokens:
        model.max_seq_length = configuration.model.max_tokens
    body = model[0].auto_model
    for module in body.modules():  # a dropped number costs time and says little in few steps
        if module.__class__.__name__ == "Dropout":
            module.p = 0.0
    rows = body.get_input_embeddings().weight
    if configuration.adapter.kind in ("rows", "lora+rows"):
        for parameter in model.parameters():
            parameter.requires_grad_(parameter is rows)
    return model


def prompts_of(configuration: Configuration, model: Any) -> dict[str, str]:  # noqa: ANN401
    """The encoder's prompts for queries and passages, and none."""
    preset = find_preset(configuration.model.model)
    if preset:
        return {"query": preset.query_prompt, "passage": preset.passage_prompt, "none": ""}
    own = model.prompts
    passage = own.get("passage") or own.get("document") or ""
    return {"query": own.get("query") or "", "passage": passage, "none": ""}


def columns(objective: ObjectiveSection, prompts: Mapping[str, str]) -> dict[str, str]:
    """The prompt of each column of an objective's data."""
    negatives = {f"negative_{number + 1}": prompts["passage"] for number in range(objective.negatives)}
    return {"query": prompts[objective.prompt], "passage": prompts["passage"], **negatives}


def prepare(material: Material, model: Any, configuration: Configuration) -> tuple[Any, Any]:  # noqa: ANN401
    """An objective's data set and loss."""
    objective = material.objective
    if objective.kind == "contrastive":
        loss = contrastive_loss(
            model,
            temperature=objective.temperature,
            cached=objective.cached,
            gather=objective.gather and int(os.environ.get("WORLD_SIZE", "1")) > 1,
            matryoshka=objective.matryoshka,
        )
        return contrastive_dataset(material), loss
    dataset, texts = distillation_dataset(material)
    targets = teacher_vectors(
        load_encoder(EncoderSettings(objective.teacher or configuration.model.model)),
        texts,
        objective.teacher_prompts,
        Path(configuration.folder) / "teacher",
        lambda _: None,
    )
    return dataset, distillation_loss(
        model,
        targets,
        contrast=objective.contrast,
        bank=objective.bank,
        temperature=objective.temperature,
        matryoshka=objective.matryoshka,
    )


def mixture_of(configuration: Configuration, materials: Sequence[Material]) -> Callable[[int], Mixture]:
    """The run's batches, for so many pairs at once."""
    shares = [material.share() for material in materials]
    size, steps, seed = configuration.batch.size, configuration.training.steps, configuration.seed
    return lambda at_once: Mixture(shares, size, at_once, steps, seed)


def optimizer_of(configuration: Configuration, model: Any) -> Any:  # noqa: ANN401
    """AdamW, with sparse gradients for the word vectors where no process would have to share them."""
    training = configuration.training
    table = model[0].auto_model.get_input_embeddings()
    rows = [table.weight] if table.weight.requires_grad else []
    if int(os.environ.get("WORLD_SIZE", "1")) == 1:
        table.sparse = True
    matrices = [p for p in model.parameters() if p.requires_grad and p is not table.weight]
    return row_sparse_adamw(
        matrices,
        rows,
        learning_rate=training.learning_rate,
        rows_learning_rate=training.rows_learning_rate or training.learning_rate,
        weight_decay=training.weight_decay,
        clip=training.clip,
    )
