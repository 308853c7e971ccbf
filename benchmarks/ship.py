"""Put the encoder of a finished training run where bioglot ships NAME from: models/weights/NAME.

Written are the difference to the base that the preset names, the run's record with files by their names
alone, and what is then measured, on the run's own file of languages, of the encoder as it is shipped; in the
model card too.
"""

import argparse
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

import msgspec
from safetensors.numpy import load_file, save_file

from app.cli.progress import open_progress
from app.cli.runs import open_store
from app.evaluation.languages import evaluate_languages
from app.evaluation.sentences import read_sentences
from models.delta import write_delta
from models.encoder import EncoderSettings
from models.loading import find_model, load_encoder
from models.measured import write_languages
from models.presets import find_preset, unknown_preset
from models.shipped import shipped_folder
from models.training.configuration import Configuration
from models.training.export import SUMMARY, Summary, card
from models.training.run import MODEL

WEIGHTS = "model.safetensors"
MEAN = """
## Weights

The mean of those at the end of the run and of those it began with.
"""


def main() -> None:
    """Writes the folder; prints what is in it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path, metavar="RUN", help="folder of the run")
    parser.add_argument("name", metavar="NAME", help="a preset that has a base")
    parser.add_argument(
        "--mean-with",
        type=Path,
        metavar="MODEL",
        help="ship the mean of the run's weights and of this model's, which it began with",
    )
    arguments = parser.parse_args()
    preset = find_preset(arguments.name)
    if preset is None or not preset.base:
        raise unknown_preset(arguments.name)
    summary = msgspec.json.decode((arguments.run / SUMMARY).read_bytes(), type=Summary)
    configuration = msgspec.json.decode(
        (arguments.run / "configuration.json").read_bytes(), type=Configuration
    )
    target = shipped_folder(preset.name)
    with tempfile.TemporaryDirectory() as folder:
        trained = arguments.run / MODEL
        if arguments.mean_with:
            trained = mean_of(trained, arguments.mean_with, Path(folder) / "mean")
        write_delta(find_model(preset.base).folder, trained, target)
    (target / "run.json").write_text(recorded(configuration, summary.run_id), encoding="utf-8")
    with open_progress() as progress:
        found = evaluate_languages(
            read_sentences(Path(configuration.evaluation.languages)),
            load_encoder(EncoderSettings(preset.name)),
            progress,
            home=arguments.run,
        )
    accuracy = {row.language: row.accuracy for row in found.languages}
    write_languages(target, accuracy)
    text = card(preset, configuration, replace(summary, languages=accuracy))
    if arguments.mean_with:
        text += MEAN
    (target / "README.md").write_text(text, encoding="utf-8")
    for path in sorted(target.iterdir()):
        print(f"{path.stat().st_size:>12,}  {path}")


def mean_of(one: Path, other: Path, target: Path) -> Path:
    """A copy of the first model with the mean of the weights of both; target, which is made."""
    shutil.copytree(one, target)
    first, second = load_file(one / WEIGHTS), load_file(other / WEIGHTS)
    means = {name: ((first[name] + second[name]) / 2).astype(first[name].dtype) for name in first}
    save_file(means, target / WEIGHTS, metadata={"format": "pt"})
    return target


def recorded(configuration: Configuration, run_id: str) -> str:
    """The record of the run as JSON, without the folders that its files lay in."""
    store = open_store(configuration.record.store or None)
    found = store.find(run_id)
    text = msgspec.json.encode({"run": found, "curves": store.curves(found)}).decode()
    files = [data.path or data.library for objective in configuration.objectives for data in objective.data]
    for path in map(Path, [*files, configuration.folder, configuration.evaluation.languages]):
        text = text.replace(f"{path.resolve().parent}/", "").replace(f"{path.parent}/", "")
    return text


if __name__ == "__main__":
    main()
