"""What is measured while a run goes on: speed and memory."""

import time


class Throughput:
    """Tokens per second from one reading to the next."""

    def __init__(self) -> None:
        self.start(0)

    def start(self, tokens: int) -> None:
        """tokens: how many were read before."""
        self._then, self._before = time.monotonic(), tokens

    def read(self, tokens: int) -> dict[str, float]:
        """tokens: how many were read so far; if none since the last reading, there is nothing to tell."""
        now, read = time.monotonic(), tokens - self._before
        if read == 0 or now == self._then:
            return {}
        speed = read / (now - self._then)
        self.start(tokens)
        return {"tokens_per_second": speed}


def memory_use() -> dict[str, float]:
    """Bytes that this process holds, and the most that it held on the accelerator."""
    import psutil
    import torch

    found = {"memory_bytes": float(psutil.Process().memory_info().rss)}
    if torch.cuda.is_available():
        found["accelerator_memory_bytes"] = float(torch.cuda.max_memory_allocated())
    return found


def available_memory() -> int:
    """Bytes that a run can have: of the accelerator if there is one, else of the machine as it is now."""
    import psutil
    import torch

    if torch.cuda.is_available():
        return int(torch.cuda.mem_get_info()[0])
    return int(psutil.virtual_memory().available)
