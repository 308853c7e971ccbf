"""From a name to a reranker."""

from collections.abc import Sequence
from pathlib import Path

from models.encoder import Encoder, TokenEncoder
from models.errors import UsageError
from models.hub import hub_folder, keep_quiet
from models.loading import named_folder
from models.rerank.late_interaction import LateInteraction
from models.rerank.presets import MAXSIM, find_cross_encoder, unknown_reranker
from models.rerank.reranker import Reranker

INSTEAD = f"name a local cross-encoder folder, or use {MAXSIM}, which needs no hub"


def load_reranker(name: str, encoder: Encoder, precision: str = "auto") -> Reranker:
    """The reranker of that name: maxsim, a preset, a local folder or a hub model, in this order.

    encoder: that of the library, whose token vectors maxsim compares. Raises UsageError for a name that is
    none of these, ModelError for a model that cannot be had or loaded.
    """
    if name.casefold() == MAXSIM:
        if not isinstance(encoder, TokenEncoder):
            raise UsageError(f"reranker {MAXSIM} needs token vectors, and {encoder.name} gives none")
        return LateInteraction(encoder)
    keep_quiet()
    preset = find_cross_encoder(name)
    folder = (
        hub_folder(preset.hub, INSTEAD) if preset else named_folder(name, unknown_reranker(name), INSTEAD)
    )
    from models.rerank.cross_encoder import load_cross_encoder

    shown = preset.name if preset else Path(name).name
    return load_cross_encoder(shown, folder, preset.max_tokens if preset else None, precision)


def load_rerankers(names: Sequence[str], encoder: Encoder, precision: str = "auto") -> dict[str, Reranker]:
    """The reranker of each name, by name."""
    return {name: load_reranker(name, encoder, precision) for name in dict.fromkeys(names)}
