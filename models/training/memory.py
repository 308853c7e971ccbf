"""What a training step holds in memory, estimated from the model's shape before any weight is there."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from models.backends.network import loading
from models.training.configuration import AdapterSection, MemorySection

Model = Any
"""A transformers.PreTrainedModel, whose annotations know no attribute of an architecture."""
Shape = tuple[int, ...]
FLOAT = 4
"""Bytes. Weights, gradients and optimizer states are float32 in every precision."""
PROCESS = 900_000_000
"""Bytes of Python with torch, transformers and a tokenizer of 250,000 entries, before any weight."""

BACKWARD_LAYERS = 3


@dataclass(frozen=True, slots=True)
class StepShape:
    """What one process takes at once: rows texts of so many tokens. precision: what it computes in.

    masked: share of the tokens that a language-model head tells; 0 for an encoder.
    """

    rows: int
    tokens: int
    precision: str = "float32"
    masked: float = 0.0

    @property
    def width(self) -> int:
        """Bytes of a number that a linear layer gives."""
        return FLOAT if self.precision == "float32" else 2


@dataclass(frozen=True, slots=True)
class MemoryEstimate:
    """Bytes, all on one device. update: what the optimizer holds beside its state while it moves a weight."""

    process: int
    weights: int
    gradients: int
    optimizer: int
    activations: int
    update: int

    @property
    def total(self) -> int:
        return sum(getattr(self, field.name) for field in fields(self))


def outline(folder: Path, *, masked: bool) -> Model:
    """The model in folder without its weights, which takes no memory; masked: with a language-model head."""
    import torch
    from transformers import AutoConfig, AutoModel, AutoModelForMaskedLM

    kind: Any = AutoModelForMaskedLM if masked else AutoModel
    with loading(folder), torch.device("meta"):
        return kind.from_config(AutoConfig.from_pretrained(folder, local_files_only=True))


def trained_shapes(model: Model, adapter: AdapterSection) -> list[Shape]:
    """The shapes of all that is trained.

    "full": every weight. "rows": the word vectors. "lora": rank x inputs and outputs x rank for each linear
    layer of the encoder. "lora+rows": both.
    """
    if adapter.kind == "full":
        return [tuple(weight.shape) for weight in model.parameters()]
    shapes = [tuple(model.get_input_embeddings().weight.shape)] if "rows" in adapter.kind else []
    if "lora" in adapter.kind:
        for outputs, inputs in linear_shapes(model):
            shapes += [(adapter.rank, inputs), (outputs, adapter.rank)]
    return shapes


def linear_shapes(model: Model) -> Iterator[tuple[int, int]]:
    """Outputs and inputs of each linear layer inside the transformer's layers, neither pooler nor head."""
    from torch.nn import Linear
    from transformers.modeling_layers import GradientCheckpointingLayer

    for layer in model.modules():
        if isinstance(layer, GradientCheckpointingLayer):
            for part in layer.modules():
                if isinstance(part, Linear):
                    yield part.out_features, part.in_features


def estimate_memory(
    model: Model, trained: Sequence[Shape], memory: MemorySection, step: StepShape
) -> MemoryEstimate:
    """The most that one step holds at once; the model may be an `outline`.

    weights: 4 bytes for each parameter. gradients: 4 for each trained one; released, for the largest alone.
    optimizer: AdamW 8 for each trained one; Adafactor 4 for each row and each column of a matrix, and for
    each number of a vector. activations: see `_layers` and `_head`. update: AdamW moves weights in place;
    Adafactor holds two copies more of the largest.
    """
    sizes = [math.prod(shape) for shape in trained]
    factored = memory.optimizer == "adafactor"
    sums = sum(sum(shape) for shape in trained)
    return MemoryEstimate(
        process=PROCESS,
        weights=FLOAT * sum(weight.numel() for weight in model.parameters()),
        gradients=FLOAT * (max(sizes) if memory.release_gradients else sum(sizes)),
        optimizer=FLOAT * (sums if factored else 2 * sum(sizes)),
        activations=_layers(model, memory, step) + _head(model, step),
        update=2 * FLOAT * max(sizes) if factored else 0,
    )


def _layers(model: Model, memory: MemorySection, step: StepShape) -> int:
    """Bytes of activations, for each token of each layer.

    With hidden size h, inner size i, a heads and n tokens a text, and b bytes of the precision: 16 h around
    the two norms, 8 b h of attention and dropout, 2 b i of the inner layer, 12 a n of attention weights if
    they are dropped out; in half precision also the weights of the layers in it. Computed again, only the 4 h
    that enter each layer, and all that for one. On top come BACKWARD_LAYERS, for what the backward pass makes
    and the C library holds back: fitted to measurements of two shapes on a CPU.
    """
    shape, width = model.config, step.width
    hidden, layers = int(shape.hidden_size), int(shape.num_hidden_layers)
    inside = (16 + 8 * width) * hidden + 2 * width * int(shape.intermediate_size)
    if getattr(shape, "attention_probs_dropout_prob", 0):
        inside += 12 * int(shape.num_attention_heads) * step.tokens
    tokens = step.rows * step.tokens
    if memory.checkpointing:
        return tokens * (FLOAT * hidden * layers + (1 + BACKWARD_LAYERS) * inside)
    copies = 0 if width == FLOAT else width * sum(map(math.prod, linear_shapes(model)))
    return tokens * (layers + BACKWARD_LAYERS) * inside + copies


def _head(model: Model, step: StepShape) -> int:
    """Bytes of a language-model head: three float32 numbers for each hidden token and word.

    In half precision also a copy of the word vectors and its gradient.
    """
    if not step.masked:
        return 0
    words, hidden = int(model.config.vocab_size), int(model.config.hidden_size)
    logits = 3 * FLOAT * int(step.rows * step.tokens * step.masked) * words
    return logits + (0 if step.width == FLOAT else 2 * step.width * words * hidden)
