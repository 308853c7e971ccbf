"""Batches side by side: on a CPU every core works through a batch of its own, on a GPU there is one stream.

Splitting each operation over the cores instead makes them wait for each other hundreds of times a batch,
and lets the last digits of a vector depend on how many cores there are.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class Streams:
    """Runs work on tensors. Safe to share: callers queue for the same cores."""

    def __init__(self, device: str) -> None:
        self._pool = None if device == "cuda" else _pool()

    def map(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Like the built-in: results in the order of items; what work raises is raised here."""
        return self._pool.map(work, items) if self._pool else map(work, items)


def _pool() -> ThreadPoolExecutor:
    import torch

    cores = torch.get_num_threads()  # PyTorch heeds OMP_NUM_THREADS and the cores the process may use
    return ThreadPoolExecutor(
        cores, thread_name_prefix="encoder", initializer=torch.set_num_threads, initargs=(1,)
    )
