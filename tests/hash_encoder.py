"""A stand-in encoder for tests of what surrounds the encoder: words hashed into a few dimensions."""

import re
from collections.abc import Sequence
from hashlib import blake2b

import numpy as np


class HashEncoder:
    """Bag-of-words vectors; counts the passages that it was asked to embed."""

    cut_off = 2.0

    def __init__(self, name: str = "hash", dimensions: int = 64, passage_tokens: int = 60) -> None:
        self.name = name
        self.fingerprint = blake2b(f"{name}{dimensions}{passage_tokens}".encode(), digest_size=8).hexdigest()
        self.dimensions = dimensions
        self.max_tokens = passage_tokens + 4
        self.passage_tokens = passage_tokens
        self.embedded: list[str] = []

    def encode_queries(self, texts: Sequence[str]) -> np.ndarray:
        return np.stack([self.vector(text) for text in texts])

    def encode_passages(self, texts: Sequence[str]) -> np.ndarray:
        self.embedded += texts
        if not texts:
            return np.empty((0, self.dimensions), np.float32)
        return self.encode_queries(texts)

    def token_spans(self, texts: Sequence[str]) -> list[np.ndarray]:
        return [
            np.array([match.span() for match in re.finditer(r"\S+", text)], np.int32).reshape(-1, 2)
            for text in texts
        ]

    def vector(self, text: str) -> np.ndarray:
        vector = np.full(self.dimensions, 1e-3, np.float32)
        for word in re.findall(r"\w+", text.lower()):
            vector[blake2b(word.encode(), digest_size=2).digest()[0] % self.dimensions] += 1
        return vector / np.linalg.norm(vector)
