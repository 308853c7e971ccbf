"""Curves of two runs, drawn."""

import math
from pathlib import Path

from app.evaluation.plots import new_figure, save
from app.runs.compare import Comparison

COLUMNS = 3


def plot_curves(comparison: Comparison, path: Path) -> None:
    """A panel for each measure, with the curves of both runs by step."""
    count = max(len(comparison.curves), 1)
    lines = math.ceil(count / COLUMNS)
    figure = new_figure(4.2 * min(count, COLUMNS), 3.2 * lines + 0.6)
    labels = [comparison.one.label, comparison.other.label]
    for place, (name, pair) in enumerate(comparison.curves.items(), 1):
        axes = figure.add_subplot(lines, min(count, COLUMNS), place)
        for curve, label in zip(pair, labels, strict=True):
            axes.plot(curve.steps, curve.values, label=label)
        axes.set_title(name, parse_math=False)
        axes.set_xlabel("step")
    handles = axes.get_lines() if comparison.curves else []
    figure.legend(handles, labels, loc="outside upper center")
    save(figure, path)
