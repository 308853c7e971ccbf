"""Contrastive learning: a query is nearer to its passage than to the passages of other queries.

InfoNCE with in-batch and mined negatives (van den Oord et al., 2018; Karpukhin et al., 2020), by the losses
of sentence-transformers.
"""

from collections.abc import Sequence

import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.losses import (
    CachedMultipleNegativesRankingLoss,
    MatryoshkaLoss,
    MultipleNegativesRankingLoss,
)


def contrastive_loss(
    model: SentenceTransformer, *, temperature: float, cached: int, gather: bool, matryoshka: Sequence[int]
) -> torch.nn.Module:
    """The loss over columns query, passage and negatives.

    cached: texts that go through the network at once while the whole batch is compared (gradient caching,
    Gao et al., 2021), 0 for the plain loss. gather: compare with the passages of every process.
    """
    scale = 1 / temperature
    loss: torch.nn.Module = (
        CachedMultipleNegativesRankingLoss(
            model, scale=scale, mini_batch_size=cached, gather_across_devices=gather
        )
        if cached
        else MultipleNegativesRankingLoss(model, scale=scale, gather_across_devices=gather)
    )
    if matryoshka:
        loss = MatryoshkaLoss(model, loss, [model.get_embedding_dimension() or 0, *matryoshka])
    return loss
