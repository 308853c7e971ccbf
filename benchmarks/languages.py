"""Measure cross-lingual search language by language, and write the tables of docs/languages.md.

FILE holds lines of language, English and text, or of id, language, topic and text. The heat map of the first
file becomes docs/languages.png. The encoder that another was trained from stands beside it.
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
from models.encoder import EncoderSettings
from models.loading import load_encoder

COLOURS = 256
"""Of the picture, which with all of them would be several times as large."""
BOUNDS = (0.9, 0.8, 0.5)
KNOWN, LESS = 0.95, 0.01
"""A language that was known so well should not have lost more than that."""


def main() -> int:
    """Measures every file and writes document and picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--model", help="the encoder, as bioglot index takes it")
    parser.add_argument(
        "--before", default="e5-small", metavar="MODEL", help="the one that it is compared with"
    )
    arguments = parser.parse_args()
    settings = settings_from(model=arguments.model)
    encoder = load_encoder(settings.chosen_encoder)
    other = load_encoder(EncoderSettings(model=arguments.before))
    results = []
    with open_progress() as progress:
        for file in arguments.files:
            sentences = read_sentences(file)
            after, before = (
                evaluate_languages(sentences, each, progress, home=settings.home) for each in (encoder, other)
            )
            results.append((after, before))
    draw(results[0][0], DOCS / "languages.png")
    made = " ".join(map(made_with, results[0]))
    text = "\n\n".join([f"{measured_on()} {made}", *(section(*result) for result in results)])
    replace_measured(DOCS / "languages.md", text)
    return 0


def made_with(result: LanguagesEvaluation) -> str:
    """Which encoder it was."""
    made = result.provenance
    return f"Encoder {made.encoder}, fingerprint `{made.fingerprint}`, bioglot {made.bioglot}."


def section(result: LanguagesEvaluation, before: LanguagesEvaluation) -> str:
    """The table of one file, with what the encoder before had."""
    rows = [
        [
            f"`{row.language}`",
            row.name,
            row.family,
            row.script,
            share(row.accuracy),
            "–".join(map(share, row.accuracy_interval)),
            share(row.recall),
            share(old.accuracy),
            f"{row.accuracy - old.accuracy:+.3f}".replace("0.", ".", 1),
        ]
        for row, old in zip(result.languages, before.languages, strict=True)
    ]
    heading = ["code", "language", "family", "script", "accuracy@1", "95 %", "recall@10", "before", "change"]
    return (
        f"## {result.name}\n\n{len(rows)} languages, {result.languages[0].sentences} texts each, "
        f"{result.english_sentences} English sentences.\n\n{overview(result, before)}\n\n"
        f"{table(heading, rows, left=4)}"
    )


def overview(result: LanguagesEvaluation, before: LanguagesEvaluation) -> str:
    """Means and counts of both encoders, and which languages lost."""
    rows = [
        [
            each.provenance.encoder,
            *map(share, each.measures.values()),
            *(str(sum(row.accuracy >= bound for row in each.languages)) for bound in BOUNDS),
        ]
        for each in (result, before)
    ]
    heading = ["encoder", *result.measures, *(f"at {share(bound)} or above" for bound in BOUNDS)]
    lost = sorted(
        (new.accuracy - old.accuracy, new.language)
        for new, old in zip(result.languages, before.languages, strict=True)
        if old.accuracy > KNOWN and old.accuracy - new.accuracy > LESS
    )
    names = ", ".join(f"`{code}` ({change:+.3f})".replace("0.", ".", 1) for change, code in lost) or "none"
    fallen = f"Above {share(KNOWN)} before and lower by more than {share(LESS)} now: {names}."
    return f"{table(heading, rows)}\n\n{fallen}"


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
