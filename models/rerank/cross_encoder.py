"""Cross-encoders on sentence-transformers: one network reads query and passage together."""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from models.backends.device import choose_device, choose_precision
from models.backends.network import loading, usable_max_tokens
from models.backends.weights import weights_digest
from models.encoder import Vectors
from models.errors import ModelError

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

BATCH = 16
"""Pairs. sentence-transformers sorts them by length."""
ARCHITECTURE = "ForSequenceClassification"
"""What the name of a network ends with that was trained to score pairs."""


class CrossEncoderReranker:
    """A Reranker (see models.rerank.reranker) over a model with one output, whose raw value is the score."""

    def __init__(self, name: str, fingerprint: str, model: "CrossEncoder") -> None:
        self.name = name
        self.fingerprint = fingerprint
        self._model = model
        # Tokenizers cannot be shared between threads while sentence-transformers sets their truncation.
        self._lock = Lock()

    def score(self, query: str, passages: Sequence[str]) -> Vectors:
        import torch

        if not passages:
            return np.empty(0, np.float32)
        pairs = [(query, passage) for passage in passages]
        with self._lock:
            # Not through a sigmoid: it makes equals of the best ones.
            scores = self._model.predict(
                pairs, batch_size=BATCH, show_progress_bar=False, activation_fn=torch.nn.Identity()
            )
        if not np.isfinite(scores).all():
            raise ModelError(f"{self.name} overflows in this precision: set precision to float32 or bfloat16")
        return np.asarray(scores, np.float32)


def load_cross_encoder(
    name: str, folder: Path, max_tokens: int | None, precision: str
) -> CrossEncoderReranker:
    """Load the cross-encoder in folder. max_tokens: of query and passage together; None for the model's own.

    Raises ModelError if it cannot be loaded or is not made for ranking.
    """
    import torch
    from sentence_transformers import CrossEncoder

    device = choose_device()
    dtype = getattr(torch, choose_precision(precision, device))
    with loading(folder):
        model = CrossEncoder(
            str(folder),
            device=device,
            trust_remote_code=False,
            local_files_only=True,
            model_kwargs={"dtype": dtype},
        )
    kind = (model.config.architectures or ["model"])[0]
    if not kind.endswith(ARCHITECTURE):  # sentence-transformers gives it a layer of random weights
        raise ModelError(f"{folder} is not a reranker: it is a {kind}, expected one {ARCHITECTURE}")
    if model.num_labels != 1:
        raise ModelError(
            f"{folder} is not a reranker: it gives {model.num_labels} scores for a pair, expected 1"
        )
    limit = usable_max_tokens(model.max_seq_length)
    model.max_seq_length = limit = min(max_tokens or limit, limit)
    identity = json.dumps({"weights": weights_digest(folder), "max_tokens": limit}, sort_keys=True)
    return CrossEncoderReranker(name, hashlib.sha256(identity.encode()).hexdigest()[:16], model)
