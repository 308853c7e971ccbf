"""A finished run becomes an encoder with a name, and a card that says what it is made of."""

import json
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from models.errors import UsageError
from models.measured import write_languages
from models.own_presets import check_name, own_folder, own_preset, write_preset
from models.presets import Preset, find_preset
from models.training.checkpoints import write_whole
from models.training.configuration import Configuration
from models.training.record import DataFile
from models.training.run import MODEL

SUMMARY = "summary.json"
GOOD, POOR = 0.9, 0.5
"""accuracy@1 from which a language is listed as found well, and below which as not."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What is known of a finished run. languages: accuracy@1 by code, empty if never measured.

    code: version and commit that it ran on.
    """

    steps: int
    data: tuple[DataFile, ...]
    languages: Mapping[str, float]
    code: Mapping[str, str]
    run_id: str


def write_summary(folder: Path, summary: Summary) -> None:
    """Keep the summary in the run's folder."""
    text = msgspec.json.format(msgspec.json.encode(summary), indent=2).decode()
    write_whole(folder / SUMMARY, text)


def export(folder: Path, name: str, licence: str, cut_off: float | None) -> Preset:
    """Give the model of a finished run's folder a name; it replaces an earlier model of that name.

    licence: SPDX expression of the weights. cut_off: see Preset. Raises UsageError for a folder without a
    finished run and for a name that is taken.
    """
    check_name(name)
    if not (folder / SUMMARY).is_file():
        raise UsageError(
            f"{folder} has no finished run: expected {SUMMARY}, which training writes at its end"
        )
    summary = msgspec.json.decode((folder / SUMMARY).read_bytes(), type=Summary)
    configuration = msgspec.json.decode((folder / "configuration.json").read_bytes(), type=Configuration)
    preset = _preset(configuration, folder / MODEL, name, licence, cut_off)
    target = own_folder(name)
    target.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=".exporting-", dir=target.parent))
    try:
        shutil.copytree(folder / MODEL, work / "model")
        (work / "model" / "README.md").write_text(card(preset, configuration, summary), encoding="utf-8")
        write_preset(preset, work / "model")
        write_languages(work / "model", summary.languages)
        if target.exists():
            target.rename(work / "before")
        (work / "model").rename(target)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return preset


def _preset(
    configuration: Configuration, model: Path, name: str, licence: str, cut_off: float | None
) -> Preset:
    """Like that of the model which training began with, if it has one; else as the model's files say."""
    note = f"trained here from {configuration.model.model}"
    start = configuration.model.model
    if base := find_preset(start) or own_preset(start):
        return replace(
            base,
            name=name,
            note=note,
            licence=licence,
            cut_off=cut_off,
            hub="",
            package="",
            aliases=(),
            query_hub="",
        )
    settings = json.loads((model / "config_sentence_transformers.json").read_text(encoding="utf-8"))
    prompts = settings.get("prompts") or {}
    shape = json.loads((model / "config.json").read_text(encoding="utf-8"))
    bounds = json.loads((model / "sentence_bert_config.json").read_text(encoding="utf-8"))
    pooling = json.loads((model / "1_Pooling" / "config.json").read_text(encoding="utf-8"))
    return Preset(
        name=name,
        hub="",
        dimensions=shape["hidden_size"],
        max_tokens=bounds.get("max_seq_length") or shape["max_position_embeddings"],
        licence=licence,
        pooling=pooling.get("pooling_mode") or "mean",
        query_prompt=prompts.get("query") or "",
        passage_prompt=prompts.get("passage") or prompts.get("document") or "",
        cut_off=cut_off,
        note=note,
    )


def card(preset: Preset, configuration: Configuration, summary: Summary) -> str:
    """The model card, in Markdown."""
    licences = {data.path or data.library: data.licence for o in configuration.objectives for data in o.data}
    rows = [
        f"| {Path(file.name).name} | {file.rows:,} | {licences.get(file.name) or 'not stated'} "
        f"| `{file.sha256}` |"
        for file in summary.data
    ]
    objectives = [
        f"- {objective.name}: {objective.kind}, weight {objective.weight:g}"
        for objective in configuration.objectives
    ]
    return "\n".join(
        [
            *(f"# {preset.name}", "", f"An encoder: {preset.note}; {summary.steps:,} steps.", ""),
            *(f"- licence of the weights: {preset.licence}", f"- dimensions: {preset.dimensions}"),
            *(f"- tokens of a text: {preset.max_tokens}", f"- pooling: {preset.pooling}"),
            *(f"- prompts: `{preset.query_prompt}`, `{preset.passage_prompt}`", ""),
            *("## Use", "", *_use(preset), ""),
            *("## Training", "", *objectives, "", *_made(summary), ""),
            *("| data | pairs | licence | SHA-256 |", "| --- | ---: | --- | --- |", *rows, ""),
            *("## Measured", "", *_measured(summary.languages), ""),
            *("## Limits", "", *_limits(preset, summary.languages), ""),
        ]
    )


def _use(preset: Preset) -> Sequence[str]:
    return (
        "```python",
        "from sentence_transformers import SentenceTransformer",
        "",
        'model = SentenceTransformer("path of this folder")',
        f'queries = model.encode(["{preset.query_prompt}..."])',
        f'passages = model.encode(["{preset.passage_prompt}..."])',
        "```",
        "",
        f"In bioglot: `bioglot reembed --library DIR --model {preset.name}`.",
    )


def _made(summary: Summary) -> Sequence[str]:
    code = ", ".join(f"{name} {value}" for name, value in summary.code.items())
    return (f"Run {summary.run_id or 'not recorded'}; {code}.",)


def _measured(languages: Mapping[str, float]) -> Sequence[str]:
    if not languages:
        return ("Not measured: the run's configuration names no file of languages.",)
    mean = sum(languages.values()) / len(languages)
    well = sum(value >= GOOD for value in languages.values())
    return (
        f"accuracy@1 of a sentence finding its English twin: mean {mean:.3f} over {len(languages)} "
        f"languages, at least {GOOD} in {well}.",
        "",
        "| language | accuracy@1 |",
        "| --- | ---: |",
        *(f"| {code} | {value:.3f} |" for code, value in sorted(languages.items())),
    )


def _limits(preset: Preset, languages: Mapping[str, float]) -> Sequence[str]:
    poor = sorted(code for code, value in languages.items() if value < POOR)
    found = f"Below {POOR} in {', '.join(poor)}." if poor else "What was not measured is not known."
    return (f"Texts are cut at {preset.max_tokens} tokens.", found)
