"""Distillation: a text in any language gets the vector that the teacher gives its English twin.

After Reimers and Gurevych (2020), https://arxiv.org/abs/2004.09813, with the cosine in place of the squared
distance and, if asked, a contrast between the twin and other English texts.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import cross_entropy, normalize


class Distillation(torch.nn.Module):
    """The loss as sentence-transformers' trainer calls it: labels are rows of targets.

    targets: (texts, prompts, dimensions), the teacher's unit vectors of every English text under each of its
    prompts. contrast: weight of the cross entropy of the twin among the batch's texts and `bank` others, by
    cosines over temperature; they are drawn anew for each batch, the same ones for the same labels.
    """

    def __init__(
        self,
        model: torch.nn.Module,
        targets: NDArray[np.float16],
        *,
        contrast: float,
        bank: int,
        temperature: float,
        matryoshka: Sequence[int],
    ) -> None:
        super().__init__()
        self.model = model
        self._targets = targets
        self._contrast = contrast
        self._bank = bank
        self._temperature = temperature
        self._widths = (None, *matryoshka)

    def forward(self, features: Iterable[dict[str, Any]], labels: torch.Tensor) -> torch.Tensor:
        """The mean over the widths of distance and weighted contrast."""
        (feature,) = features
        vectors = self.model(feature)["sentence_embedding"].float()
        rows, own = torch.unique(labels, return_inverse=True)
        candidates = torch.cat([rows, self._others(rows)]) if self._contrast else rows
        known = torch.from_numpy(self._targets[candidates.cpu().numpy()]).to(vectors)
        losses = [self._of_width(vectors[:, :width], known[..., :width], own) for width in self._widths]
        return torch.stack(losses).mean()

    def _others(self, rows: torch.Tensor) -> torch.Tensor:
        numbers = rows.cpu().numpy()
        drawn = np.random.default_rng(numbers).integers(len(self._targets), size=self._bank)
        return torch.from_numpy(np.setdiff1d(drawn, numbers)).to(rows)

    def _of_width(self, vectors: torch.Tensor, known: torch.Tensor, own: torch.Tensor) -> torch.Tensor:
        """vectors: (n, width). known: (candidates, prompts, width). own: (n,) row of known for each."""
        units, known = normalize(vectors, dim=-1), normalize(known, dim=-1)
        distance = 1 - (units[:, None] * known[own]).sum(-1).mean()
        if not self._contrast:
            return distance
        cosines = torch.einsum("nd,cpd->pnc", units, known) / self._temperature
        entropy = cross_entropy(cosines.flatten(0, 1), own.repeat(known.shape[1]))
        return distance + self._contrast * entropy
