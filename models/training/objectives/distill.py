"""Distillation: a text in any language gets the vector that the teacher gives its English twin.

After Reimers and Gurevych (2020), https://arxiv.org/abs/2004.09813, with the cosine in place of the squared
distance and, if asked, a contrast between the twin and other English texts.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import torch


def distillation_loss(
    model: "torch.nn.Module",
    targets: NDArray[np.float16],
    *,
    contrast: float,
    bank: int,
    temperature: float,
    matryoshka: Sequence[int],
) -> "torch.nn.Module":
    """The loss as sentence-transformers' trainer calls it: labels are rows of targets.

    targets: (texts, prompts, dimensions), the teacher's unit vectors of every English text under each of its
    prompts. contrast: weight of the cross entropy of the twin among the batch's texts and `bank` others, by
    cosines over temperature; they are drawn anew for each batch, the same ones for the same labels.
    """
    import torch

    class Distillation(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(
            self, features: Iterable[dict[str, Any]], labels: torch.Tensor
        ) -> dict[str, torch.Tensor] | torch.Tensor:
            (feature,) = features
            vectors = self.model(feature)["sentence_embedding"].float()
            rows, own = torch.unique(labels, return_inverse=True)
            candidates = torch.cat([rows, self._others(rows)]) if contrast else rows
            known = torch.from_numpy(targets[candidates.cpu().numpy()]).to(vectors)
            losses = [
                _of_width(vectors[:, :width], known[:, :, :width], own) for width in (None, *matryoshka)
            ]
            return {name: sum(loss[name] for loss in losses) / len(losses) for name in losses[0]}

        def _others(self, rows: torch.Tensor) -> torch.Tensor:
            random = np.random.default_rng(rows.cpu().numpy())
            drawn = np.unique(random.integers(len(targets), size=bank))
            return torch.from_numpy(np.setdiff1d(drawn, rows.cpu().numpy())).to(rows)

    def _of_width(
        vectors: torch.Tensor, known: torch.Tensor, own: torch.Tensor
    ) -> dict[str, torch.Tensor]:
        units = torch.nn.functional.normalize(vectors, dim=-1)
        known = torch.nn.functional.normalize(known, dim=-1)  # (candidates, prompts, width)
        distance = 1 - (units[:, None] * known[own]).sum(-1).mean()
        if not contrast:
            return {"distance": distance}
        cosines = torch.einsum("nd,cpd->pnc", units, known) / temperature
        entropy = torch.nn.functional.cross_entropy(
            cosines.flatten(0, 1), own.repeat(known.shape[1])
        )
        return {"distance": distance, "contrast": contrast * entropy}

    return Distillation()
