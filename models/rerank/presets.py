"""The rerankers that bioglot knows by name. Nothing here loads a model."""

import difflib
from dataclasses import dataclass

from models.errors import UsageError

MAXSIM = "maxsim"
"""Late interaction over the encoder's own token vectors: no weights of its own."""


@dataclass(frozen=True, slots=True)
class CrossEncoderPreset:
    """One cross-encoder.

    hub: its name on the Hugging Face hub. aliases: other names that mean this preset.
    max_tokens: of query and passage together, as its makers use it for passages.
    licence: SPDX expression of the weights.
    """

    name: str
    hub: str
    max_tokens: int
    licence: str
    note: str
    aliases: tuple[str, ...] = ()


CROSS_ENCODERS: tuple[CrossEncoderPreset, ...] = (
    CrossEncoderPreset(
        name="bge-reranker-v2-m3",
        hub="BAAI/bge-reranker-v2-m3",
        max_tokens=1024,
        licence="Apache-2.0",
        note="over 100 languages; 568 million parameters, slow without a GPU",
    ),
    CrossEncoderPreset(
        name="medcpt-cross-encoder",
        hub="ncbi/MedCPT-Cross-Encoder",
        max_tokens=512,
        licence="LicenseRef-US-Public-Domain",
        note="English only; trained on PubMed's search logs",
    ),
    CrossEncoderPreset(
        # Alibaba's own repository runs code of its own on the user's machine, which bioglot never allows;
        # this has the same weights for the GTE architecture that transformers has built in.
        name="gte-multilingual-reranker-base",
        hub="alibaba-nlp-community/gte-multilingual-reranker-base",
        max_tokens=1024,
        licence="Apache-2.0",
        note="over 70 languages; 306 million parameters; needs transformers 5.24 or newer",
        aliases=("Alibaba-NLP/gte-multilingual-reranker-base",),
    ),
)


def find_cross_encoder(name: str) -> CrossEncoderPreset | None:
    """The preset of that name, hub name or alias, letter case ignored; None if there is none."""
    wanted = name.casefold()
    for preset in CROSS_ENCODERS:
        if wanted in {known.casefold() for known in (preset.name, preset.hub, *preset.aliases)}:
            return preset
    return None


def reranker_names() -> list[str]:
    """Every name that needs no path and no owner."""
    return [MAXSIM, *(preset.name for preset in CROSS_ENCODERS)]


def unknown_reranker(name: str) -> UsageError:
    """The error for a name that is no preset, no folder and no hub name."""
    nearest = difflib.get_close_matches(name.casefold(), reranker_names(), n=1, cutoff=0.5)
    meant = f" (did you mean {nearest[0]}?)" if nearest else ""
    return UsageError(
        f"reranker {name!r} is not known{meant}: name one of {', '.join(reranker_names())}, "
        "a local cross-encoder folder, or a hub model as OWNER/NAME"
    )
