"""Memory that libraries hold back."""

import ctypes
import sys

import pyarrow


def release_memory() -> None:
    """Give what is free back to the system: Arrow's pool, and the heap where the C library is glibc.

    Every thread allocates in a region of its own, from which glibc returns little by itself: over a long run
    with the threads of PyTorch, Lance and the tokenizer that was some 40 MB a minute.
    """
    pyarrow.default_memory_pool().release_unused()
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)):
        trim(0)
