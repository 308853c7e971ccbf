"""Brings a model from the Hugging Face hub into its own cache, as a folder; the only place that calls out."""

import contextlib
import logging
import os
from pathlib import Path

from models.errors import ModelError

SETTINGS = ("*.json", "*.txt", "*.model", "[0-9]_*/*.json")
WEIGHTS = ("*.safetensors", "[0-9]_*/*.safetensors")
OLD_WEIGHTS = ("pytorch_model*.bin", "[0-9]_*/pytorch_model.bin")
"""Loaded as tensors only (torch's weights_only), never as arbitrary pickles."""
SKIPPED = ("onnx/*", "openvino/*")
TIMEOUT_SECONDS = "5"
NO_HUB_NEEDED = "name a local sentence-transformers folder, or use bioglot-small, which needs no hub"

logger = logging.getLogger(__name__)


def keep_quiet() -> None:
    """Telemetry off and short time limits, unless the user's environment says otherwise.

    The hub's client reads its environment when it is first imported, so call this before.
    """
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    os.environ.setdefault("HF_HUB_ETAG_TIMEOUT", TIMEOUT_SECONDS)
    os.environ.setdefault("HF_HUB_DOWNLOAD_TIMEOUT", TIMEOUT_SECONDS)


def hub_folder(name: str, instead: str = NO_HUB_NEEDED) -> Path:
    """The local copy of the model OWNER/NAME, downloaded if there is none yet.

    A whole local copy is used without asking the hub. instead: what else a user could do, for the error.
    Raises ModelError if the hub cannot be reached or has no such model.
    """
    keep_quiet()
    from huggingface_hub.errors import GatedRepoError, HFValidationError, RepositoryNotFoundError

    if (local := _local_copy(name)) is not None:
        return local
    logger.info("downloading the model %s from the Hugging Face hub", name)
    try:
        return _download(name)
    except GatedRepoError as error:
        raise ModelError(
            f"model {name!r} needs its licence accepted: do so at https://huggingface.co/{name}, "
            "then log in with `hf auth login`"
        ) from error
    except (RepositoryNotFoundError, HFValidationError) as error:
        raise ModelError(
            f"the Hugging Face hub has no model {name!r}: check the name (OWNER/NAME)"
        ) from error
    except Exception as error:  # the client's failures share no base class
        raise ModelError(
            f"model {name!r} is not on this machine and the Hugging Face hub cannot be reached: "
            f"connect to it, or {instead}"
        ) from error


def has_weights(folder: Path) -> bool:
    """Whether the folder holds weights that a transformer loads."""
    return any(folder.glob("*.safetensors")) or any(folder.glob("pytorch_model*.bin"))


def _local_copy(name: str) -> Path | None:
    from huggingface_hub import snapshot_download

    # Not there, or not all of it there: the download says why if it fails as well.
    with contextlib.suppress(OSError, ValueError):
        folder = Path(snapshot_download(name, local_files_only=True, allow_patterns=[*SETTINGS, *WEIGHTS]))
        if (folder / "config.json").is_file() and has_weights(folder):
            return folder
    return None


def _download(name: str) -> Path:
    from huggingface_hub import snapshot_download

    patterns = [*SETTINGS, *WEIGHTS]
    folder = Path(snapshot_download(name, allow_patterns=patterns, ignore_patterns=[*SKIPPED]))
    if not has_weights(folder):
        patterns = [*SETTINGS, *OLD_WEIGHTS]
        folder = Path(snapshot_download(name, allow_patterns=patterns, ignore_patterns=[*SKIPPED]))
    return folder
