"""What a reranker is: it reads a question together with each passage, slower and closer than an index can."""

from collections.abc import Sequence
from typing import Protocol

from models.encoder import Vectors


class Reranker(Protocol):
    """Scores passages for one query. Safe to share between threads."""

    @property
    def name(self) -> str:
        """The preset's name, or the last part of the folder's or the hub model's."""
        ...

    @property
    def fingerprint(self) -> str:
        """16 hex digits over all that changes scores, precision left out."""
        ...

    def score(self, query: str, passages: Sequence[str]) -> Vectors:
        """(n,) float32 in the order of passages, higher is better; comparable within one query only."""
        ...
