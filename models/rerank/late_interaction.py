"""Late interaction ("MaxSim"): every token of the query looks for the token of the passage nearest to it.

Khattab and Zaharia, ColBERT, SIGIR 2020; here over an encoder that was not trained for it.
"""

import hashlib
from collections.abc import Sequence

import numpy as np

from models.encoder import TokenEncoder, Vectors
from models.rerank.presets import MAXSIM


class LateInteraction:
    """A Reranker (see models.rerank.reranker) over the token vectors of the library's own encoder.

    All tokens count the same, as the last layer gives them: variants did worse (docs/decisions.md).
    """

    def __init__(self, encoder: TokenEncoder) -> None:
        self.name = MAXSIM
        identity = f"{MAXSIM} {encoder.fingerprint}"
        self.fingerprint = hashlib.sha256(identity.encode()).hexdigest()[:16]
        self._encoder = encoder

    def score(self, query: str, passages: Sequence[str]) -> Vectors:
        (tokens,) = self._encoder.encode_query_tokens([query])
        found = self._encoder.encode_passage_tokens(passages)
        return np.array([maxsim(tokens, passage) for passage in found], np.float32)


def maxsim(query: Vectors, passage: Vectors) -> float:
    """The mean over the query's tokens (m, width) of the best cosine to the passage's (n, width).

    Both have unit rows; 0 if either has none.
    """
    if not len(query) or not len(passage):
        return 0.0
    return float((query @ passage.T).max(axis=1).mean())
