"""Measure cross-lingual search language by language, and write the tables of docs/languages.md.

FILE holds lines of language, English and text, or of id, language, topic and text. The heat map of the first
file becomes docs/languages.png.
"""

import argparse
import sys
from pathlib import Path

from documents import DOCS, measured_on, replace_measured, share, table

from app.cli.options import settings_from
from app.cli.progress import open_progress
from app.evaluation.heat_map import plot_languages
from app.evaluation.languages import LanguagesEvaluation, evaluate_languages
from app.evaluation.sentences import read_sentences
from models.loading import load_encoder

COLOURS = 256
"""Of the picture, which with all of them would be several times as large."""


def main() -> int:
    """Measures every file and writes document and picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--model", help="the encoder, as bioglot index takes it")
    arguments = parser.parse_args()
    settings = settings_from(model=arguments.model)
    encoder = load_encoder(settings.chosen_encoder)
    results = []
    with open_progress() as progress:
        for file in arguments.files:
            sentences = read_sentences(file)
            results.append(evaluate_languages(sentences, encoder, progress, home=settings.home))
    draw(results[0], DOCS / "languages.png")
    text = "\n\n".join([f"{measured_on()} {made_with(results[0])}", *map(section, results)])
    replace_measured(DOCS / "languages.md", text)
    return 0


def made_with(result: LanguagesEvaluation) -> str:
    """Which encoder it was."""
    made = result.provenance
    return f"Encoder {made.encoder}, fingerprint `{made.fingerprint}`, bioglot {made.bioglot}."


def section(result: LanguagesEvaluation) -> str:
    """The table of one file."""
    rows = [
        [
            f"`{row.language}`",
            row.name,
            row.family,
            row.script,
            share(row.accuracy),
            "–".join(map(share, row.accuracy_interval)),
            share(row.recall),
        ]
        for row in result.languages
    ]
    means = ", ".join(f"{name} {share(value)}" for name, value in result.measures.items())
    heading = ["code", "language", "family", "script", "accuracy@1", "95 %", "recall@10"]
    return (
        f"## {result.name}\n\n{len(rows)} languages, {result.languages[0].sentences} texts each, "
        f"{result.english_sentences} English sentences. Means over the languages: {means}.\n\n"
        f"{table(heading, rows, left=4)}"
    )


def draw(result: LanguagesEvaluation, path: Path) -> None:
    """The heat map, in few colours."""
    from PIL import Image

    title = f"accuracy@1, {result.name}: text to its English twin\n{result.provenance}"
    plot_languages(result.languages, title, path)
    with Image.open(path) as picture:
        few = picture.convert("RGB").quantize(COLOURS)
    few.save(path, optimize=True)


if __name__ == "__main__":
    sys.exit(main())
