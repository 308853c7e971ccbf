"""Encoders that were trained here and given a name: a folder each, under bioglot's user data."""

import json
import os
from pathlib import Path

import msgspec

from models.errors import ModelError, UsageError
from models.home import data_home
from models.presets import Preset, find_preset

FOLDER = "models"
DESCRIPTION = "preset.json"


def own_folder(name: str) -> Path:
    """Where the model of that name is, or would be."""
    return data_home(os.environ) / FOLDER / name


def own_preset(name: str) -> Preset | None:
    """The trained encoder of that name; None if there is none. Raises ModelError if its file is damaged."""
    if not is_name(name) or not (own_folder(name) / DESCRIPTION).is_file():
        return None
    path = own_folder(name) / DESCRIPTION
    try:
        return msgspec.json.decode(path.read_bytes(), type=Preset)
    except (OSError, msgspec.DecodeError) as error:
        raise ModelError(f"{path} cannot be read ({error}): export the model again") from error


def own_presets() -> list[Preset]:
    """All trained encoders, by name."""
    folders = (data_home(os.environ) / FOLDER).glob(f"*/{DESCRIPTION}")
    found = (own_preset(path.parent.name) for path in sorted(folders))
    return [preset for preset in found if preset is not None]


def check_name(name: str) -> None:
    """Raise UsageError for a name that a trained encoder cannot have."""
    if not is_name(name):
        raise UsageError(f"name is {name!r}, expected letters, digits, dots and dashes")
    if find_preset(name):
        raise UsageError(f"name is {name!r}, which is an encoder of bioglot's own: choose another")


def is_name(name: str) -> bool:
    """Whether it can be a folder of its own on any system."""
    return name[:1].isalnum() and all(letter.isalnum() or letter in "-_." for letter in name)


def write_preset(preset: Preset, folder: Path) -> None:
    """Write the description beside the model's files."""
    content = msgspec.to_builtins(preset) | {"shorter": list(preset.shorter)}
    (folder / DESCRIPTION).write_text(json.dumps(content, ensure_ascii=False, indent=2), encoding="utf-8")
