"""What a measurement ran on, so that figures can be compared."""

import importlib.metadata
import os
import platform
from pathlib import Path

PACKAGES = ("bioglot", "faiss-cpu", "numpy", "pylance", "sentence-transformers", "torch", "transformers")


def describe_machine() -> dict[str, object]:
    """Processor, cores, Python and the versions of what matters."""
    return {
        "processor": processor_name(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "packages": {name: importlib.metadata.version(name) for name in PACKAGES},
    }


def processor_name() -> str:
    """The processor's name where Linux tells it, else what Python knows."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return platform.processor()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()
