"""AdamW for matrices, and for word vectors an Adam that touches only the rows that a step has used."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch


def row_sparse_adamw(
    matrices: "Iterable[torch.nn.Parameter]",
    rows: "Iterable[torch.nn.Parameter]",
    *,
    learning_rate: float,
    rows_learning_rate: float,
    weight_decay: float,
    clip: float,
) -> "torch.optim.Optimizer":
    """torch's AdamW and SparseAdam behind one optimizer, with schedule and state in common.

    rows: parameters whose gradients are sparse; the moments of a row move only when it is used.
    clip: bound on the norm of the gradients of the matrices; 0 for none.
    """
    import torch

    matrices, rows = list(matrices), list(rows)

    class RowSparseAdamW(torch.optim.Optimizer):
        def __init__(self) -> None:
            parts: list[torch.optim.Optimizer] = []
            if matrices:
                parts.append(
                    torch.optim.AdamW(matrices, lr=learning_rate, weight_decay=weight_decay, fused=True)
                )
            if rows:
                parts.append(torch.optim.SparseAdam(rows, lr=rows_learning_rate))
            self.parts = parts
            super().__init__([{"params": matrices + rows}], {})
            self._share_groups()

        def _share_groups(self) -> None:
            self.param_groups = [group for part in self.parts for group in part.param_groups]

        def step(self, closure: Callable[[], float] | None = None) -> None:  # type: ignore[override]
            if clip and matrices:
                torch.nn.utils.clip_grad_norm_(matrices, clip)
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

    return RowSparseAdamW()
