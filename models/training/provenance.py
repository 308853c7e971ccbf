"""What a run was made with: the code and the machine."""

import hashlib
import importlib.metadata
import os
import platform
import subprocess
from pathlib import Path

PACKAGES = ("torch", "transformers", "sentence-transformers")
GIT_SECONDS = 10


def code_version() -> dict[str, str]:
    """Version of bioglot; from a checkout also commit, and changes: a hash of what differs from it."""
    found = {"version": importlib.metadata.version("bioglot")}
    checkout = Path(__file__).resolve().parents[2]
    if (checkout / ".git").exists() and (commit := _git(checkout, "rev-parse", "HEAD")):
        found["commit"] = commit.decode().strip()
        if difference := _git(checkout, "diff", "HEAD"):
            found["changes"] = hashlib.sha256(difference).hexdigest()[:12]
    return found


def _git(folder: Path, *words: str) -> bytes:
    """What git prints, or nothing where it is missing or fails."""
    try:
        done = subprocess.run(["git", "-C", folder, *words], capture_output=True, timeout=GIT_SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return b""
    return done.stdout if done.returncode == 0 else b""


def machine() -> dict[str, str]:
    """The processor, the memory, the accelerator and the versions that training runs on."""
    import psutil
    import torch

    found = {
        "host": platform.node(),
        "system": platform.platform(),
        "processor": _processor(),
        "threads": str(os.cpu_count()),
        "memory": f"{psutil.virtual_memory().total / 2**30:.1f} GiB",
        "python": platform.python_version(),
    }
    if torch.cuda.is_available():
        names = [torch.cuda.get_device_name(number) for number in range(torch.cuda.device_count())]
        found["accelerator"] = ", ".join(f"{names.count(name)} × {name}" for name in dict.fromkeys(names))
    return found | {name: importlib.metadata.version(name) for name in PACKAGES}


def _processor() -> str:
    """The model of the processor, as Linux tells it or else as Python does."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
