"""Plots of what was measured: means with their intervals, and a heat map of languages by script."""

import math
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from app.evaluation.measures import Measured
from models.errors import UsageError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from app.evaluation.languages import LanguageMeasured

ENDINGS = (".png", ".svg", ".pdf")
COLUMNS = 12
"""Languages in a row of the heat map."""


def check_plot(path: Path) -> None:
    """Raises UsageError for a file that no plot can be written to."""
    if path.suffix not in ENDINGS:
        raise UsageError(f"plot is {str(path)!r}, expected a name that ends in {', '.join(ENDINGS)}")


def plot_runs(runs: tuple[Measured, ...], title: str, path: Path) -> None:
    """A group of bars for each measure, a bar for each run, with its 95 % interval."""
    figure = new_figure(9, 4.5)
    axes = figure.add_subplot()
    width = 0.8 / len(runs)
    for place, run in enumerate(runs):
        means = list(run.measures.values())
        lows = [mean - run.intervals[name][0] for name, mean in run.measures.items()]
        highs = [run.intervals[name][1] - mean for name, mean in run.measures.items()]
        positions = [group + (place - (len(runs) - 1) / 2) * width for group in range(len(means))]
        axes.bar(positions, means, width, yerr=(lows, highs), label=run.run, capsize=2)
    axes.set_xticks(range(len(runs[0].measures)), list(runs[0].measures))
    axes.set_ylim(0, 1.05)
    axes.set_ylabel("mean over queries")
    axes.set_title(title)
    axes.legend()
    save(figure, path)


def plot_languages(rows: tuple["LanguageMeasured", ...], title: str, path: Path) -> None:
    """A tile for each language, coloured by accuracy@1, a block for each script; best first in each."""
    blocks = [
        (script, sorted(found, key=lambda row: (-row.accuracy, row.language)))
        for script, found in groupby(rows, key=lambda row: row.script)
    ]
    blocks.sort(key=lambda block: -len(block[1]))
    lines = sum(math.ceil(len(found) / COLUMNS) for _, found in blocks)
    figure = new_figure(13, 1.4 + 0.42 * lines)
    axes = figure.add_subplot()
    line = 0
    for script, found in blocks:
        axes.text(-0.7, line, script, ha="right", va="center", fontsize=9, fontweight="bold")
        for place, row in enumerate(found):
            draw_tile(axes, place % COLUMNS, line + place // COLUMNS, row)
        line += math.ceil(len(found) / COLUMNS)
    axes.set_xlim(-1.8, COLUMNS - 0.5)
    axes.set_ylim(lines - 0.5, -0.5)
    axes.set_axis_off()
    axes.set_title(title)
    save(figure, path)


def draw_tile(axes: "Axes", column: int, line: int, row: "LanguageMeasured") -> None:
    """One language: its code and its accuracy, on a colour from red (0) over yellow to green (1)."""
    import matplotlib as mpl
    from matplotlib.patches import Rectangle

    colour = mpl.colormaps["RdYlGn"](row.accuracy)
    axes.add_patch(Rectangle((column - 0.48, line - 0.45), 0.96, 0.9, color=colour))
    axes.text(column, line, f"{row.language} {row.accuracy:.2f}", ha="center", va="center", fontsize=7)


def new_figure(width: float, height: float) -> "Figure":
    """A figure without the state and the windows of pyplot. Sizes in inches."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def save(figure: "Figure", path: Path) -> None:
    """Write the figure in the format that the file's name ends in."""
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=150)
