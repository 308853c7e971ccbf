"""What was measured of an encoder, language by language, kept beside its weights."""

import json
from collections.abc import Mapping
from pathlib import Path

from models.own_presets import own_folder
from models.presets import Preset
from models.shipped import shipped_folder

LANGUAGES = "languages.json"


def measured_languages(preset: Preset) -> dict[str, float]:
    """accuracy@1 of a sentence finding its English twin, by code of the language; empty if never measured."""
    folder = shipped_folder(preset.name) if preset.base else own_folder(preset.name)
    path = folder / LANGUAGES
    found: dict[str, float] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return found


def write_languages(folder: Path, accuracy: Mapping[str, float]) -> None:
    """Keep what was measured beside the model's files."""
    text = json.dumps(dict(sorted(accuracy.items())), indent=2)
    (folder / LANGUAGES).write_text(text, encoding="utf-8")
