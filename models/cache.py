"""Where bioglot keeps what it can make again: converted models."""

import os
from pathlib import Path


def cache_folder() -> Path:
    """$BIOGLOT_CACHE, else $XDG_CACHE_HOME/bioglot, else ~/.cache/bioglot; need not exist yet."""
    if own := os.environ.get("BIOGLOT_CACHE"):
        return Path(own).expanduser()
    shared = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(shared).expanduser() / "bioglot"
