"""AdamW for matrices, and for word vectors an Adam that touches only the rows that a step has used."""

from collections.abc import Callable
from typing import Any

import torch


class RowSparseAdamW(torch.optim.Optimizer):
    """torch's AdamW and SparseAdam behind one optimizer, with schedule and state in common.

    rows: the word vectors. sparse: whether their gradients are; then the moments of a row move only when it
    is used.
    """

    def __init__(
        self,
        matrices: list[torch.nn.Parameter],
        rows: list[torch.nn.Parameter],
        *,
        sparse: bool,
        learning_rate: float,
        rows_learning_rate: float,
        weight_decay: float,
    ) -> None:
        self.parts: list[torch.optim.Optimizer] = []
        if matrices:
            self.parts.append(
                torch.optim.AdamW(matrices, lr=learning_rate, weight_decay=weight_decay, fused=True)
            )
        if rows:
            self.parts.append(
                torch.optim.SparseAdam(rows, lr=rows_learning_rate)
                if sparse
                else torch.optim.AdamW(rows, lr=rows_learning_rate, weight_decay=0.0, fused=True)
            )
        super().__init__([{"params": matrices + rows}], {})
        self._share_groups()

    def _share_groups(self) -> None:
        self.param_groups = [group for part in self.parts for group in part.param_groups]

    def step(self, closure: Callable[[], float] | None = None) -> None:  # type: ignore[override]
        for part in self.parts:
            part.step()

    def zero_grad(self, set_to_none: bool = True) -> None:
        for part in self.parts:
            part.zero_grad(set_to_none=True)

    def state_dict(self) -> dict[str, Any]:
        return {"parts": [part.state_dict() for part in self.parts]}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        for part, state in zip(self.parts, state_dict["parts"], strict=True):
            part.load_state_dict(state)
        self._share_groups()
