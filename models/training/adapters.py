"""What of a model is trained: all of it, low-rank matrices beside its linear layers, some word vectors."""

import copy
from collections.abc import Iterable
from typing import TYPE_CHECKING

from models.errors import ModelError
from models.training.configuration import AdapterSection

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer
    from transformers import PreTrainedModel


def adapt(model: "SentenceTransformer", section: AdapterSection, tokens: Iterable[int]) -> None:
    """Hold what the section does not name, by PEFT's LoRA and trainable tokens.

    tokens: numbers of those whose vectors may be trained with "rows" and "lora+rows".
    """
    if section.kind == "full":
        return
    from peft import LoraConfig, TrainableTokensConfig, inject_adapter_in_model

    rows = sorted(set(tokens)) if section.kind != "lora" else None
    if section.kind == "rows":
        inject_adapter_in_model(TrainableTokensConfig(token_indices=rows or []), transformer(model))
        return
    configuration = LoraConfig(
        r=section.rank,
        lora_alpha=section.alpha,
        target_modules=linear_layers(model),
        trainable_token_indices={"word_embeddings": rows} if rows else None,
    )
    inject_adapter_in_model(configuration, transformer(model))


def transformer(model: "SentenceTransformer") -> "PreTrainedModel":
    """The transformer inside. Raises ModelError for a model without one."""
    if model.transformers_model is None:
        raise ModelError("the model has no transformer that could be trained")
    return model.transformers_model


def linear_layers(model: "SentenceTransformer") -> list[str]:
    """Names of the linear layers of the transformer, its unused pooler apart."""
    import torch

    return [
        name
        for name, module in transformer(model).named_modules()
        if isinstance(module, torch.nn.Linear) and "pooler" not in name
    ]


def merged(model: "SentenceTransformer") -> "SentenceTransformer":
    """A copy with its adapters in the weights; the model goes on training as it is."""
    own = copy.deepcopy(model)
    merge(own)
    return own


def merge(model: "SentenceTransformer") -> None:
    """Put what adapters have learnt into the weights, and take the adapters away."""
    from peft.tuners.tuners_utils import BaseTunerLayer
    from peft.utils.other import AuxiliaryTrainingWrapper

    body = transformer(model)
    for name, module in list(body.named_modules()):
        above, _, own = name.rpartition(".")
        if isinstance(module, AuxiliaryTrainingWrapper):  # the word vectors' beside LoRA
            merged = module.unload_and_optionally_merge_module(True, False, None)
            setattr(body.get_submodule(above), own, merged)
        elif isinstance(module, BaseTunerLayer) and not name.endswith("token_adapter"):
            module.merge()
            setattr(body.get_submodule(above), own, module.get_base_layer())
