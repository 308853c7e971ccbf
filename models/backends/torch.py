"""The encoder on PyTorch: the modules of a sentence-transformers model, fed without its Python overhead.

Texts are tokenised once, sorted by length and padded only to the longest of their batch; a batch is as
many texts as a budget of padded tokens allows.
"""

import hashlib
import json
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from models.backends.device import choose_device, choose_precision
from models.backends.network import Network, load_network
from models.backends.streams import Streams
from models.backends.tokeniser import TokenIds
from models.backends.weights import weights_digest
from models.encoder import EncoderSettings, Vectors
from models.errors import UsageError
from models.presets import Preset, find_preset

CPU_BATCH_TOKENS = 2048
GPU_BATCH_TOKENS = 65_536
TOKENISED_AT_ONCE = 8192
"""Texts: bounds the memory that token ids of a long list take."""
PASSAGE_PROMPT_NAMES = ("document", "passage")
QUERY_PROMPT_NAMES = ("query",)

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Tower:
    """One side of an encoder: what its texts go through. limit: tokens of one text, all counted."""

    network: Network
    prompt: str
    limit: int


class TorchEncoder:
    """An Encoder (see models.encoder) over one model, or over one for queries and one for passages."""

    def __init__(
        self,
        name: str,
        query: Tower,
        passage: Tower,
        dimensions: int,
        cut_off: float | None,
        fingerprint: str,
        streams: Streams,
    ) -> None:
        self._name = name
        self._query = query
        self._passage = passage
        self._dimensions = dimensions
        self._cut_off = cut_off
        self._fingerprint = fingerprint
        self._streams = streams
        self._truncated = 0
        self._counting = Lock()

    @property
    def name(self) -> str:
        return self._name

    @property
    def fingerprint(self) -> str:
        return self._fingerprint

    @property
    def dimensions(self) -> int:
        return self._dimensions

    @property
    def max_tokens(self) -> int:
        return self._passage.limit

    @property
    def passage_tokens(self) -> int:
        return self._passage.limit - self._passage.network.tokeniser.overhead(self._passage.prompt)

    @property
    def cut_off(self) -> float | None:
        return self._cut_off

    @property
    def truncated(self) -> int:
        """How many texts were longer than their limit and lost their end, since loading."""
        return self._truncated

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        return self._encode(self._query, texts)

    def encode_passages(self, texts: Sequence[str]) -> Vectors:
        return self._encode(self._passage, texts)

    def encode_query_tokens(self, texts: Sequence[str]) -> list[Vectors]:
        return self._encode_tokens(self._query, texts)

    def encode_passage_tokens(self, texts: Sequence[str]) -> list[Vectors]:
        return self._encode_tokens(self._passage, texts)

    def token_spans(self, texts: Sequence[str]) -> list[NDArray[np.int32]]:
        return self._passage.network.tokeniser.spans(texts)

    def _encode(self, tower: Tower, texts: Sequence[str]) -> Vectors:
        vectors = np.empty((len(texts), self._dimensions), np.float32)
        for start in range(0, len(texts), TOKENISED_AT_ONCE):
            part = texts[start : start + TOKENISED_AT_ONCE]
            rows, cut = tower.network.tokeniser.token_ids(part, tower.prompt, tower.limit)
            self._count_truncated(cut, tower.limit)
            groups = list(batches([len(row) for row in rows], tower.network.batch_tokens))
            work = partial(self._embed, tower.network, rows)
            for group, units in zip(groups, self._streams.map(work, groups), strict=True):
                vectors[group + start] = units
        return vectors

    def _encode_tokens(self, tower: Tower, texts: Sequence[str]) -> list[Vectors]:
        tokeniser = tower.network.tokeniser
        rows, cut = tokeniser.token_ids(texts, tower.prompt, tower.limit)
        self._count_truncated(cut, tower.limit)
        own = tokeniser.own(tower.prompt)
        groups = list(batches([len(row) for row in rows], tower.network.batch_tokens))
        found: dict[int, Vectors] = {}
        work = partial(self._embed_tokens, tower.network, rows)
        for group, vectors in zip(groups, self._streams.map(work, groups), strict=True):
            found |= zip(group.tolist(), (vector[own] for vector in vectors), strict=True)
        return [found[position] for position in range(len(rows))]

    def _embed_tokens(
        self, network: Network, rows: Sequence[TokenIds], group: NDArray[np.intp]
    ) -> list[Vectors]:
        return network.embed_tokens([rows[i] for i in group])

    def _embed(self, network: Network, rows: Sequence[TokenIds], group: NDArray[np.intp]) -> Vectors:
        return network.embed([rows[i] for i in group], self._dimensions)

    def _count_truncated(self, count: int, limit: int) -> None:
        if count:
            with self._counting:
                self._truncated += count
            logger.warning("%d texts are longer than %d tokens: what follows was not encoded", count, limit)


def batches(lengths: Sequence[int], budget: int) -> Iterator[NDArray[np.intp]]:
    """Positions of texts to encode together, longest first: at most budget padded tokens, or one text."""
    order = np.argsort(-np.asarray(lengths), kind="stable")
    start = 0
    while start < len(order):
        size = max(1, budget // max(1, lengths[order[start]]))
        yield order[start : start + size]
        start += size


def load_torch_encoder(
    settings: EncoderSettings, folder: Path, query_folder: Path | None, preset: Preset | None
) -> TorchEncoder:
    """Load the model in folder (and another for queries) as the settings and the preset ask.

    Raises UsageError for dimensions or max_tokens that the model cannot do, ModelError if it will not load.
    """
    device = choose_device()
    precision = choose_precision(settings.precision, device)
    budget = GPU_BATCH_TOKENS if device == "cuda" else CPU_BATCH_TOKENS
    pooling = preset.pooling if preset else None
    network = load_network(folder, device, precision, pooling, budget)
    query_network = (
        load_network(query_folder, device, precision, pooling, budget) if query_folder else network
    )

    prompts = _prompts(network, folder, preset)
    limit = _limit(settings, network, prompts, preset.max_tokens if preset else None)
    query_limit = min(limit, (preset.query_max_tokens if preset else None) or limit)
    dimensions = _dimensions(settings, network, preset)
    identity = {
        "weights": [weights_digest(path) for path in (folder, query_folder) if path],
        "prompts": [prompts.query, prompts.passage],
        "pooling": [network.pooling, query_network.pooling],
        "dimensions": dimensions,
        "max_tokens": [query_limit, limit],
    }
    return TorchEncoder(
        name=settings.model,
        query=Tower(query_network, prompts.query, query_limit),
        passage=Tower(network, prompts.passage, limit),
        dimensions=dimensions,
        cut_off=preset.cut_off if preset else None,
        fingerprint=_fingerprint(identity),
        streams=Streams(device),
    )


@dataclass(frozen=True, slots=True)
class Prompts:
    query: str
    passage: str


def _prompts(network: Network, folder: Path, preset: Preset | None) -> Prompts:
    """The preset's; else the model's own; else, for a folder named like a preset, that preset's."""
    if preset:
        return Prompts(preset.query_prompt, preset.passage_prompt)
    own = network.prompts
    query = next((own[name] for name in QUERY_PROMPT_NAMES if own.get(name)), "")
    passage = next((own[name] for name in PASSAGE_PROMPT_NAMES if own.get(name)), "")
    if query or passage:
        return Prompts(query, passage)
    # E5's own repositories carry no prompts, and without them it retrieves badly.
    if namesake := find_preset(folder.name):
        logger.info("%s carries no prompts: using those of %s", folder, namesake.name)
        return Prompts(namesake.query_prompt, namesake.passage_prompt)
    return Prompts("", "")


def _limit(settings: EncoderSettings, network: Network, prompts: Prompts, preset_limit: int | None) -> int:
    """Tokens of one text: as set, else the preset's, else the model's."""
    if settings.max_tokens is None:
        return min(preset_limit or network.max_tokens, network.max_tokens)
    overhead = max(network.tokeniser.overhead(prompt) for prompt in (prompts.query, prompts.passage))
    if not overhead < settings.max_tokens <= network.max_tokens:
        raise UsageError(
            f"max_tokens is {settings.max_tokens}, but {settings.model} takes {overhead + 1} to "
            f"{network.max_tokens} (prompt and special tokens alone are {overhead})"
        )
    return settings.max_tokens


def _dimensions(settings: EncoderSettings, network: Network, preset: Preset | None) -> int:
    wanted = settings.dimensions
    if wanted is None or wanted == network.dimensions:
        return network.dimensions
    shorter = (preset.shorter if preset else ()) or network.shorter
    if wanted in shorter:
        return wanted
    allowed = f"{_described(shorter)} or {network.dimensions}" if shorter else f"only {network.dimensions}"
    raise UsageError(f"dimensions is {wanted}, but {settings.model} gives {allowed}")


def _described(numbers: Sequence[int]) -> str:
    if isinstance(numbers, range):
        return f"{numbers[0]} to {numbers[-1]}"
    return ", ".join(str(number) for number in numbers)


def _fingerprint(identity: dict[str, object]) -> str:
    text = json.dumps(identity, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]
