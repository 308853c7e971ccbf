"""Masked-language training on plain text: some tokens are hidden, and the model learns to tell them."""

import json
import logging
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from models.backends.network import loading
from models.errors import UsageError
from models.training.memory import Model
from models.training.packing import PackedTexts, attention, pack_texts, positions

if TYPE_CHECKING:
    import torch
    from transformers import DataCollatorForLanguageModeling, PreTrainedTokenizerBase

IGNORED = -100
"""The label of a position that is not to be told."""
WEIGHTS = "*.safetensors*"

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class MaskedTask:
    """What `transformers.Trainer` takes: model, train_dataset and processing_class.

    The arguments beside them have to say train_sampling_strategy="sequential" and max_steps: the order of the
    examples is the dataset's own, and so is every mask, which makes a resumed run exact.
    """

    model: Model
    tokenizer: "PreTrainedTokenizerBase"
    dataset: "MaskedBlocks"
    packed: PackedTexts


def masked_task(
    folder: Path,
    texts: Iterable[str],
    kept: Path,
    *,
    max_tokens: int | None,
    examples: int,
    masked: float,
    seed: int,
    from_scratch: bool = False,
) -> MaskedTask:
    """Everything to train the model in folder on texts, for so many examples (steps times batch size).

    kept: where the packed texts stay for a run that goes on. max_tokens: of a block; None for all that the
    model has positions for.
    Raises UsageError for a model, length or share of masked tokens that cannot be, ModelError if the model
    cannot be loaded.
    """
    from transformers import AutoTokenizer, DataCollatorForLanguageModeling

    if not 0 < masked < 1:
        raise UsageError(f"masked is {masked}, expected a share of the tokens between 0 and 1")
    source = transformer_folder(folder)
    model = load_masked_model(source, seed, from_scratch=from_scratch)
    with loading(folder):
        tokenizer = AutoTokenizer.from_pretrained(source, local_files_only=True)
    first, room = _positions(model)
    if max_tokens and max_tokens > room:
        raise UsageError(f"max_tokens is {max_tokens}, but {folder} has positions for {room}")
    packed = pack_texts(texts, tokenizer, max_tokens or room, kept, limit=examples)
    masking = DataCollatorForLanguageModeling(tokenizer, mlm_probability=masked, seed=seed)
    return MaskedTask(model, tokenizer, MaskedBlocks(packed, masking, seed, examples, first), packed)


class MaskedBlocks:
    """A data set of examples, each wholly told by its number and the seed: which block, and what is hidden.

    All blocks come once in an order drawn by the seed before any comes again, then with other tokens hidden.
    """

    def __init__(
        self,
        packed: PackedTexts,
        masking: "DataCollatorForLanguageModeling",
        seed: int,
        examples: int,
        first_position: int,
    ) -> None:
        self._packed = packed
        self._masking = masking
        self._seed = seed
        self._examples = examples
        self._first_position = first_position

    def __len__(self) -> int:
        return self._examples

    def __getitem__(self, number: int) -> "dict[str, torch.Tensor]":
        """input_ids, labels and position_ids (max_tokens,), attention_mask (1, max_tokens, max_tokens)."""
        import torch

        if not 0 <= number < self._examples:
            raise IndexError(number)
        blocks, special = self._packed.blocks, self._packed.special
        turn, place = divmod(number, len(blocks))
        block = np.array(blocks[_order(self._seed, turn, len(blocks))[place]])
        drawn = np.random.SeedSequence((self._seed, number)).generate_state(1, np.uint64)[0]
        self._masking.generator = torch.Generator().manual_seed(int(drawn >> 1))
        ids, labels = self._masking.torch_mask_tokens(torch.from_numpy(block.astype(np.int64))[None])
        return {
            "input_ids": ids[0],
            "labels": labels[0],
            "position_ids": torch.from_numpy(positions(block, special) + self._first_position),
            "attention_mask": torch.from_numpy(attention(block, special))[None],
        }


@lru_cache(maxsize=2)
def _order(seed: int, turn: int, count: int) -> NDArray[np.int64]:
    return np.random.default_rng((seed, turn)).permutation(count)


def load_masked_model(folder: Path, seed: int, *, from_scratch: bool = False) -> Model:
    """The transformer in folder with a head that tells hidden tokens, its output tied to the word vectors.

    A model that has no such head gets a new one, drawn by the seed.
    """
    import torch
    from transformers import AutoConfig, AutoModelForMaskedLM

    kind: Any = AutoModelForMaskedLM
    settings = {"dtype": torch.float32, "attn_implementation": "sdpa"}
    missing: set[str] = set()
    with loading(folder), torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        if from_scratch:
            model = kind.from_config(AutoConfig.from_pretrained(folder, local_files_only=True), **settings)
        else:
            model, told = kind.from_pretrained(
                folder, local_files_only=True, trust_remote_code=False, output_loading_info=True, **settings
            )
            missing = told["missing_keys"]
    if missing:
        logger.info("%s has no head that tells hidden tokens: a new one is drawn", folder)
    tell_hidden_only(model)
    return model


def tell_hidden_only(model: Model) -> None:
    """Let the head see the hidden positions alone, when there are labels.

    One token in seven is hidden, and in a multilingual model the head, which compares with every word of
    the vocabulary, is most of the work and of the memory.
    """
    hidden: list[torch.Tensor] = []

    def choose(_: object, arguments: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        labels = named.get("labels")
        hidden[:] = [] if labels is None else [labels != IGNORED]
        return arguments, named if labels is None else {**named, "labels": labels[hidden[0]]}

    def select(_: object, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        return (arguments[0][hidden.pop()], *arguments[1:]) if hidden else arguments

    head = next(part for part in model.children() if part is not model.base_model)
    model.register_forward_pre_hook(choose, with_kwargs=True)
    head.register_forward_pre_hook(select)
    # The loss is a mean over the hidden tokens of a batch; the trainer divides it by the batches of a step.
    model.accepts_loss_kwargs = False


def save_encoder(model: Model, source: Path, target: Path) -> None:
    """Write source again with the trained transformer in it: same tokenizer, pooling and prompts."""
    shutil.copytree(source, target, ignore=shutil.ignore_patterns(WEIGHTS), dirs_exist_ok=True)
    model.base_model.save_pretrained(transformer_folder(target))


def transformer_folder(folder: Path) -> Path:
    """Where a model folder keeps its transformer: what modules.json says, else the folder itself."""
    try:
        modules = json.loads((folder / "modules.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return folder
    return folder / str(modules[0]["path"])


def _positions(model: Model) -> tuple[int, int]:
    """The first position id of a text, and how many a text may have; XLM-R's begin after that of padding."""
    table = getattr(getattr(model.base_model, "embeddings", None), "position_embeddings", None)
    if table is None:
        raise UsageError(
            f"{type(model).__name__} has no table of positions: masked-language training needs a model of "
            "the BERT or XLM-R class"
        )
    first = 0 if table.padding_idx is None else table.padding_idx + 1
    return first, table.num_embeddings - first
