"""bioglot train."""

from pathlib import Path

import click

from app.cli.options import examples, json_option, settings_from
from app.cli.printing import print_json


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
@json_option
def train(path: Path, as_json: bool) -> None:
    """Train an encoder as a file says.

    Checkpoints, teacher vectors and the trained model go into the folder that the file names. The same
    command goes on where an interrupted run stopped. Ctrl-C saves a checkpoint at the next step.
    """
    from app.cli.progress import open_progress
    from app.training import train_recorded
    from models.training.configuration import read_configuration
    from models.training.run import MODEL

    configuration = read_configuration(path)
    with open_progress() as progress:
        finished = train_recorded(configuration, settings_from().runs_store, progress)
    model = finished.folder / MODEL
    if as_json:
        print_json({"step": finished.step, "model": model, "losses": finished.losses})
        return
    click.echo(f"trained {finished.step:,} steps; the model is in {model}")
    click.echo(f"try it: bioglot evaluate COLLECTION --model {model}")
