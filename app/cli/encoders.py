"""bioglot models: the encoders that it knows by name."""

from pathlib import Path

import click

from app.cli.options import examples, json_option
from app.cli.printing import echo_fields, print_json
from models.own_presets import own_preset, own_presets
from models.presets import PRESETS, Preset, find_preset, unknown_preset


@click.group()
def models() -> None:
    """Tell which encoders bioglot knows by name."""


@models.command("list", epilog=examples("bioglot models list"))
@json_option
def list_models(as_json: bool) -> None:
    """List the encoders.

    Any local sentence-transformers folder and any hub model works by name as well.
    """
    presets = [*PRESETS, *own_presets()]
    if as_json:
        print_json({"models": list(map(model_document, presets))})
        return
    width = max(len(preset.name) for preset in presets)
    for preset in presets:
        name = click.style(preset.name.ljust(width), bold=True)
        click.echo(f"{name}  {preset.dimensions:>4} dimensions  {preset.max_tokens:>5} tokens  {preset.note}")


@models.command("show", epilog=examples("bioglot models show bioglot-small"))
@click.argument("name")
@json_option
def show_model(name: str, as_json: bool) -> None:
    """Show what is known of one encoder, and how well it finds English by each language that was measured."""
    from app.cli.run_reports import echo_table, echo_title, number
    from app.runs.summary import spoken_name
    from models.measured import measured_languages

    preset = find_preset(name) or own_preset(name)
    if preset is None:
        raise unknown_preset(name)
    accuracy = measured_languages(preset)
    if as_json:
        print_json(model_document(preset) | {"languages": accuracy})
        return
    echo_fields({field.replace("_", " "): shown(value) for field, value in model_document(preset).items()})
    if accuracy:
        echo_title("languages")
        ranked = sorted(accuracy.items(), key=lambda row: (-row[1], row[0]))
        rows = [(code, number(value), spoken_name(code)) for code, value in ranked]
        echo_table(("code", "accuracy@1", "language"), rows)


@models.command(
    "export", epilog=examples("bioglot models export runs/swahili --name e5-small-swahili --licence MIT")
)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--name", required=True, metavar="NAME", help="What the encoder is called from now on.")
@click.option("--licence", required=True, metavar="SPDX", help="Licence of the trained weights.")
@click.option(
    "--cut-off",
    type=float,
    metavar="X",
    help="From how many standard deviations above the mean a passage counts as matched.",
)
@json_option
def export_model(folder: Path, name: str, licence: str, cut_off: float | None, as_json: bool) -> None:
    """Give the model of a finished training run a name.

    FOLDER is the run's. The encoder then works by its name wherever one is asked for, and its folder has a
    model card and loads in sentence-transformers.
    """
    from models.own_presets import own_folder
    from models.training.export import export

    preset = export(folder, name, licence, cut_off)
    if as_json:
        print_json(model_document(preset) | {"folder": str(own_folder(name))})
    else:
        click.echo(f"{name} is in {own_folder(name)}")
        click.echo(f"use it: bioglot reembed --library DIR --model {name}")


def model_document(preset: Preset) -> dict[str, object]:
    """The preset with its fields by name, ready for JSON."""
    from dataclasses import fields

    document = {field.name: getattr(preset, field.name) for field in fields(preset)}
    return document | {"shorter": list(preset.shorter)}


def shown(value: object) -> object:
    """The value as one line of text; line breaks in prompts stay visible."""
    if isinstance(value, list | tuple):
        if len(value) > 8:
            return f"{value[0]} to {value[-1]}"
        return ", ".join(map(str, value))
    return value.replace("\n", "\\n") if isinstance(value, str) else value
