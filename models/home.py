"""Where bioglot keeps what it cannot make again: libraries, the sample, the record of training runs."""

import sys
from collections.abc import Mapping
from pathlib import Path


def data_home(environment: Mapping[str, str]) -> Path:
    """BIOGLOT_HOME, else bioglot's folder among the user's application data."""
    if named := environment.get("BIOGLOT_HOME"):
        return Path(named).expanduser()
    if sys.platform == "win32":
        return Path(environment.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "bioglot"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "bioglot"
    return Path(environment.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "bioglot"
