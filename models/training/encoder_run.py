"""A run that trains an encoder on pairs of texts: contrastive learning and distillation, mixed."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from models.loading import find_model, load_encoder
from models.own_presets import own_preset
from models.presets import find_preset
from models.training.adapters import adapt, merge, transformer
from models.training.checkpoints import one_at_a_time
from models.training.configuration import Configuration, ObjectiveSection
from models.training.material import (
    Material,
    ReadLibrary,
    by_language,
    contrastive_dataset,
    distillation_dataset,
    read_material,
    teacher_vectors,
    with_negatives,
)
from models.training.mixture import Mixture
from models.training.new_tokens import extend
from models.training.release import (
    build_optimizer,
    compute_layers_again,
    fsdp_arguments,
    parameter_groups,
)
from models.training.run import MODEL, Finished, accumulation, begin, carry_out, processes
from models.training.told import Told

if TYPE_CHECKING:
    import torch
    from datasets import Dataset
    from sentence_transformers import SentenceTransformer

    from models.training.run import Callbacks
    from models.training.trainer import EncoderTrainer


def read_materials(configuration: Configuration, read_library: ReadLibrary, told: Told) -> list[Material]:
    """Every objective's pairs. Raises UsageError where there are none, the readers' errors for bad files."""
    materials = []
    for objective in configuration.objectives:
        told.start(f"reading {objective.name}", None, "pairs")
        materials.append(read_material(objective, read_library))
        told.advance(len(materials[-1].pairs))
        told.finish()
    return materials


def train_encoder(
    configuration: Configuration,
    materials: Sequence[Material],
    told: Told,
    callbacks: "Callbacks" = lambda _: (),
) -> Finished:
    """Train as the configuration says, from the newest whole checkpoint of its folder if there is one.

    Raises UsageError, ModelError. A run told to end saves and returns unfinished.
    """
    folder = begin(configuration)
    model = load_model(configuration)
    if configuration.vocabulary.languages:
        with one_at_a_time(folder):
            extend(model, by_language(materials), configuration.vocabulary, folder / "vocabulary", told)
    adapt(model, configuration.adapter, seen_tokens(materials, model) if configuration.adapter.rows else ())
    trainer = build_trainer(configuration, materials, model, told)

    def write() -> None:
        merge(model)
        model.save_pretrained(str(folder / MODEL), create_model_card=False)

    return carry_out(configuration, trainer, callbacks, told, write)


def build_trainer(
    configuration: Configuration, materials: Sequence[Material], model: "SentenceTransformer", told: Told
) -> "EncoderTrainer":
    """The trainer over every objective's data, loss and prompts, by the objective's name."""
    from datasets import DatasetDict
    from sentence_transformers.sentence_transformer.training_args import SentenceTransformerTrainingArguments

    from models.training.trainer import EncoderTrainer, common_arguments, schedule

    memory = configuration.memory
    if memory.checkpointing and not memory.fsdp:
        compute_layers_again(model)
    with one_at_a_time(Path(configuration.folder)):
        prepared = {
            material.objective.name: prepare(material, model, configuration, told) for material in materials
        }
    optimizer = optimizer_of(configuration, model)
    prompts = prompts_of(configuration, model)
    arguments = common_arguments(configuration, accumulation(configuration)) | fsdp_arguments(model, memory)
    return EncoderTrainer(
        mixture_of(configuration, materials, model),
        configuration.training.keep,
        model=model,
        args=SentenceTransformerTrainingArguments(
            **arguments,
            prompts={objective.name: columns(objective, prompts) for objective in configuration.objectives},
        ),
        train_dataset=DatasetDict({name: dataset for name, (dataset, _) in prepared.items()}),
        loss={name: loss for name, (_, loss) in prepared.items()},
        optimizers=(optimizer, schedule(optimizer, configuration)),
    )


def load_model(configuration: Configuration) -> "SentenceTransformer":
    """The model to train, in float32, without dropout.

    Attention is "eager": on a CPU the backward pass of torch's fused attention takes several times as long
    as all the rest. Dropped numbers cost time, and in the few steps of a distillation they only add noise.
    """
    import torch
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(
        str(find_model(configuration.model.model).folder),
        local_files_only=True,
        model_kwargs={} if torch.cuda.is_available() else {"attn_implementation": "eager"},
    )
    if configuration.model.max_tokens:
        model.max_seq_length = configuration.model.max_tokens
    for module in model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0
    return model


def seen_tokens(materials: Sequence[Material], model: "SentenceTransformer") -> set[int]:
    """Numbers of the tokens that occur in what is learnt."""
    tokenizer = model.tokenizer.backend_tokenizer
    seen: set[int] = set()
    for material in materials:
        for encoding in tokenizer.encode_batch_fast([pair.query for pair in material.pairs]):
            seen.update(encoding.ids)
    return seen


def prompts_of(configuration: Configuration, model: "SentenceTransformer") -> dict[str, str]:
    """The encoder's prompts for queries and passages, and none."""
    name = configuration.model.model
    if preset := find_preset(name) or own_preset(name):
        return {"query": preset.query_prompt, "passage": preset.passage_prompt, "none": ""}
    own = model.prompts
    passage = own.get("passage") or own.get("document") or ""
    return {"query": own.get("query") or "", "passage": passage, "none": ""}


def columns(objective: ObjectiveSection, prompts: Mapping[str, str]) -> dict[str, str]:
    """The prompt of each column of an objective's data."""
    negatives = {f"negative_{number + 1}": prompts["passage"] for number in range(objective.negatives)}
    return {"query": prompts[objective.prompt], "passage": prompts["passage"], **negatives}


def prepare(
    material: Material, model: "SentenceTransformer", configuration: Configuration, told: Told
) -> "tuple[Dataset, torch.nn.Module]":
    """An objective's data set and loss."""
    from models.training.objectives.contrastive import contrastive_loss
    from models.training.objectives.distill import Distillation

    objective = material.objective
    if objective.kind == "contrastive":
        loss = contrastive_loss(
            model,
            temperature=objective.temperature,
            cached=objective.cached,
            gather=objective.gather and processes() > 1,
            matryoshka=objective.matryoshka,
        )
        return contrastive_dataset(material_with_negatives(material, configuration)), loss
    dataset, texts = distillation_dataset(material)
    teacher = objective.teacher or configuration.model.model
    targets = teacher_vectors(
        load_encoder(replace(configuration.model.settings, model=teacher)),
        texts,
        objective.teacher_prompts,
        Path(configuration.folder) / "teacher",
        told,
    )
    return dataset, Distillation(
        model,
        targets,
        contrast=objective.contrast,
        bank=objective.bank,
        temperature=objective.temperature,
        matryoshka=objective.matryoshka,
    )


def material_with_negatives(material: Material, configuration: Configuration) -> Material:
    """The material with as many negatives as its objective asks for, mined by the encoder before training."""
    count = material.objective.negatives
    if not count:
        return material
    encoder = load_encoder(configuration.model.settings)
    return replace(material, pairs=with_negatives(material.pairs, encoder, count, configuration.seed))


def mixture_of(
    configuration: Configuration, materials: Sequence[Material], model: "SentenceTransformer"
) -> Mixture:
    """The run's batches."""
    tokenizer = model.tokenizer.backend_tokenizer
    shares = [material.share(tokenizer) for material in materials]
    batch = configuration.batch
    return Mixture(shares, batch.size, batch.at_once, configuration.training.steps, configuration.seed)


def optimizer_of(configuration: Configuration, model: "SentenceTransformer") -> "torch.optim.Optimizer":
    """AdamW; on a CPU with sparse gradients for the word vectors, most of which no step uses."""
    import torch

    from models.training.optimizers import RowSparseAdamW

    training, memory = configuration.training, configuration.memory
    if memory.optimizer != "adamw" or memory.release_gradients:
        return build_optimizer(parameter_groups(model, training), memory)
    table: Any = transformer(model).get_input_embeddings()
    sparse = (
        configuration.adapter.kind == "full" and not torch.cuda.is_available()
    )  # NCCL adds up no sparse ones
    if sparse:
        table.sparse = True
    own = {id(parameter) for parameter in table.parameters()}
    trained: list[Any] = [parameter for parameter in model.parameters() if parameter.requires_grad]
    return RowSparseAdamW(
        [parameter for parameter in trained if id(parameter) not in own],
        [parameter for parameter in trained if id(parameter) in own],
        sparse=sparse,
        learning_rate=training.learning_rate,
        rows_learning_rate=training.rows_learning_rate or training.learning_rate,
        weight_decay=training.weight_decay,
    )
