"""bioglot train."""

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from app.cli.options import examples, json_option, settings_from
from app.cli.printing import print_json

if TYPE_CHECKING:
    from models.training.configuration import Configuration

NEEDED = ("accelerate", "datasets", "mlflow", "peft", "psutil")
"""Packages of the extra `training` that every run imports."""


@click.command(
    epilog=examples(
        "bioglot train --config encoder.toml",
        "torchrun --no-python --nproc-per-node 4 bioglot train --config encoder.toml",
    )
)
@click.option(
    "--config",
    "path",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="What to train, in TOML.",
)
@click.option(
    "--dry-run", is_flag=True, help="Train nothing: tell parameters, batch, memory and hours, by one step."
)
@json_option
def train(path: Path, dry_run: bool, as_json: bool) -> None:
    """Train an encoder as a file says.

    Checkpoints, teacher vectors and the trained model go into the folder that the file names. The same
    command goes on where an interrupted run stopped. Ctrl-C saves a checkpoint at the next step.
    """
    from models.training.configuration import read_configuration

    configuration = read_configuration(path)
    check_installed()
    if dry_run:
        tell_plan(configuration, as_json)
    else:
        carry_out(configuration, as_json)


def check_installed() -> None:
    """Raises UsageError where the packages for training are missing."""
    from importlib.util import find_spec

    from models.errors import UsageError

    if missing := [name for name in NEEDED if find_spec(name) is None]:
        raise UsageError(f"training needs {', '.join(missing)}: pip install 'bioglot[training]'")


def tell_plan(configuration: "Configuration", as_json: bool) -> None:
    """Prints what a run would do and need."""
    from models.training.plan import plan_lines
    from models.training.trial import plan

    found = plan(configuration)
    if as_json:
        print_json(found)
    else:
        click.echo("\n".join(plan_lines(found)))


def carry_out(configuration: "Configuration", as_json: bool) -> None:
    """Trains and says where the model is."""
    from app.cli.progress import open_progress
    from app.training import train_recorded
    from indexer.progress import Silent
    from models.training.run import MODEL

    first = os.environ.get("RANK", "0") == "0"  # of the processes that a launcher has started
    with open_progress() if first else contextlib.nullcontext(Silent()) as progress:
        finished = train_recorded(configuration, settings_from().runs_store, progress)
    if not first:
        return
    model = finished.folder / MODEL
    if as_json:
        print_json({"step": finished.step, "model": str(model), "losses": finished.losses})
        return
    click.echo(f"trained {finished.step:,} steps; the model is in {model}")
    click.echo(f"try it: bioglot evaluate COLLECTION --model {model}")
