"""One network in memory: the modules of a sentence-transformers model, from token ids to unit vectors."""

import contextlib
import json
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from models.backends.tokeniser import TokenIds, Tokeniser
from models.encoder import Vectors
from models.errors import ModelError

if TYPE_CHECKING:
    import torch

UNLIMITED = 1_000_000
"""Tokenizers that know no limit name an astronomic one."""
USUAL_MAX_TOKENS = 512
WIDTH_STEP = 16
"""Tokens. For every new shape of a batch PyTorch compiles kernels and keeps them: with widths of any number
of tokens that took a fifth of the time and hundreds of megabytes."""
NOISY_LOGGERS = ("sentence_transformers", "transformers")


@dataclass(frozen=True, slots=True)
class Network:
    """modules: applied in turn, the first is the transformer. pooling: as the model was trained.

    prompts: the model's own, by name. shorter: dimensions that its configuration says it may be cut to.
    """

    name: str
    modules: "Sequence[torch.nn.Module]"
    tokeniser: Tokeniser
    device: str
    dimensions: int
    max_tokens: int
    pooling: str
    prompts: dict[str, str]
    shorter: tuple[int, ...]
    batch_tokens: int

    def embed(self, rows: Sequence[TokenIds], dimensions: int) -> Vectors:
        """(n, dimensions) float32, unit rows, for the token ids of n texts in one batch."""
        import torch

        with torch.inference_mode():
            features = self._padded(rows)
            for position, module in enumerate(self.modules):
                features = module(features)
                if position == 0:  # half precision ends here: pooling a long text in it loses digits
                    features["token_embeddings"] = features["token_embeddings"].float()
            vectors = features["sentence_embedding"].float()[:, :dimensions]
            return self._units(vectors)

    def embed_tokens(self, rows: Sequence[TokenIds]) -> list[Vectors]:
        """For each of the n texts in one batch (its tokens, width) float32 of the last layer, unit rows."""
        import torch

        with torch.inference_mode():
            vectors = self.modules[0](self._padded(rows))["token_embeddings"].float()
            units = self._units(vectors)
        return [unit[: len(row)] for unit, row in zip(units, rows, strict=True)]

    def _units(self, vectors: "torch.Tensor") -> Vectors:
        import torch

        units: Vectors = torch.nn.functional.normalize(vectors, dim=-1).cpu().numpy()
        if not np.isfinite(units).all():
            raise ModelError(f"{self.name} overflows in this precision: set precision to float32 or bfloat16")
        return units

    def _padded(self, rows: Sequence[TokenIds]) -> "dict[str, torch.Tensor]":
        """Padded on the right to a multiple of WIDTH_STEP; where nothing is padded, the mask is left out."""
        import torch

        lengths = np.fromiter(map(len, rows), np.int64, len(rows))
        longest = int(lengths.max())
        width = max(longest, min(-(-longest // WIDTH_STEP) * WIDTH_STEP, self.max_tokens))
        ids = np.full((len(rows), width), self.tokeniser.pad, np.int64)
        present = np.arange(width) < lengths[:, None]
        ids[present] = np.concatenate(rows)
        features = {"input_ids": torch.from_numpy(ids).to(self.device)}
        if not present.all():
            mask = torch.from_numpy(present.astype(np.int64))
            features["attention_mask"] = mask.to(self.device)
        return features


def load_network(
    folder: Path, device: str, precision: str, pooling: str | None, batch_tokens: int
) -> Network:
    """Load a local model. pooling: overrides the model's own. Raises ModelError if it cannot be loaded."""
    model = _load_model(folder)
    modules = list(model)
    tokenizer = getattr(getattr(modules[0], "tokenizer", None), "backend_tokenizer", None)
    poolers = [module for module in modules if hasattr(module, "pooling_mode")]
    if tokenizer is None or not poolers or not all(pooler.include_prompt for pooler in poolers):
        raise ModelError(
            f"{folder} is not a model that bioglot can use: expected a transformer with a fast tokenizer, "
            "then pooling over all its tokens"
        )
    if pooling:
        poolers[0].pooling_mode = pooling
    import torch

    modules[0].to(getattr(torch, precision))
    model.to(device).eval()
    return Network(
        name=folder.name,
        modules=modules,
        tokeniser=Tokeniser(tokenizer, modules[0].tokenizer.pad_token_id or 0),
        device=device,
        dimensions=int(model.get_embedding_dimension()),
        max_tokens=usable_max_tokens(model.max_seq_length),
        pooling=_described(poolers[0].pooling_mode),
        prompts={name: prompt or "" for name, prompt in model.prompts.items()},
        shorter=matryoshka_dimensions(folder),
        batch_tokens=batch_tokens,
    )


def matryoshka_dimensions(folder: Path) -> tuple[int, ...]:
    """What config_sentence_transformers.json lists under "matryoshka_dims"; () if it does not."""
    try:
        text = (folder / "config_sentence_transformers.json").read_text(encoding="utf-8")
        return tuple(sorted(int(number) for number in json.loads(text).get("matryoshka_dims", ())))
    except (OSError, ValueError, TypeError, AttributeError):
        return ()


def _load_model(folder: Path) -> Any:  # noqa: ANN401
    import torch
    from sentence_transformers import SentenceTransformer

    with loading(folder):
        return SentenceTransformer(
            str(folder),
            device="cpu",
            trust_remote_code=False,
            local_files_only=True,
            model_kwargs={"dtype": torch.float32},
        )


@contextlib.contextmanager
def loading(folder: Path) -> Iterator[None]:
    """Quiet while the model in folder is loaded; whatever goes wrong becomes a ModelError of one line."""
    try:
        with _quiet():
            yield
    except Exception as error:  # transformers, tokenizers and safetensors share no base class
        if "trust_remote_code" in str(error):
            raise ModelError(
                f"model {folder} needs program code of its own, which bioglot never runs: "
                "choose another model"
            ) from error
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise ModelError(f"model {folder} cannot be loaded: {reason}") from error


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Progress bars and notes of the libraries off while a model is loaded; errors are raised anyway."""
    from transformers.utils import logging as library

    loggers = [logging.getLogger(name) for name in NOISY_LOGGERS]
    levels = [logger.level for logger in loggers]
    bars = library.is_progress_bar_enabled()
    library.disable_progress_bar()  # type: ignore[no-untyped-call]
    for logger in loggers:
        logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
        if bars:
            library.enable_progress_bar()  # type: ignore[no-untyped-call]


def usable_max_tokens(stated: int | None) -> int:
    """The limit that a model states, or the usual one if it states none."""
    return stated if stated and stated < UNLIMITED else USUAL_MAX_TOKENS


def _described(pooling: str | Sequence[str]) -> str:
    return pooling if isinstance(pooling, str) else "+".join(pooling)
