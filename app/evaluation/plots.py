"""Plots of what was measured: means with their intervals."""

from pathlib import Path
from typing import TYPE_CHECKING

from app.evaluation.measures import Measured
from models.errors import UsageError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ENDINGS = (".png", ".svg", ".pdf")


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


def new_figure(width: float, height: float) -> "Figure":
    """A figure without the state and the windows of pyplot. Sizes in inches."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def save(figure: "Figure", path: Path) -> None:
    """Write the figure in the format that the file's name ends in."""
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110)
