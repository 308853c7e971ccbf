"""Training runs as text for a terminal."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

import click
from rich.cells import cell_len, set_cell_size

from app.cli.printing import clean, echo_fields
from app.runs.compare import Comparison, MeasureCompared
from app.runs.reading import Curve
from app.runs.summary import RunDetails, RunSummary, spoken_name

BARS = "▁▂▃▄▅▆▇█"
WIDTH = 40
SHORT_ID = 8


def echo_runs(runs: Sequence[RunSummary]) -> None:
    """Writes a run a line."""
    rows = [
        (
            run.id[:SHORT_ID],
            run.name,
            run.experiment,
            run.status,
            run.started[:16].replace("T", " "),
            duration(run.seconds),
            number(run.measures.get("loss")),
            number(run.measures.get("accuracy@1")),
        )
        for run in runs
    ]
    echo_table(("run", "name", "experiment", "status", "started (UTC)", "time", "loss", "accuracy@1"), rows)


def echo_run(run: RunDetails, curves: Mapping[str, Curve]) -> None:
    """Writes a run, whole."""
    echo_fields(
        {
            "run": run.id,
            "name": run.name,
            "experiment": run.experiment,
            "status": run.status,
            "started (UTC)": run.started,
            "time": duration(run.seconds),
            "resumed": run.resumed or None,
        }
    )
    for title, values in (
        *run.inputs.items(),
        ("checkpoints", {f"step {step}": path for step, path in run.checkpoints.items()}),
        ("measures", {name: number(value) for name, value in run.measures.items()}),
    ):
        if values:
            echo_title(title)
            echo_fields(dict(values))
    if run.languages:
        echo_title("languages")
        echo_table(
            ("code", "accuracy@1", "language"),
            [(code, number(value), spoken_name(code)) for code, value in run.languages.items()],
        )
    if curves:
        echo_title("curves")
        echo_table(
            ("measure", "", "first → last"), [curve_row(name, curve) for name, curve in curves.items()]
        )


def echo_comparison(comparison: Comparison) -> None:
    """Writes what differs, then the measures, then the curves."""
    one, other = comparison.one, comparison.other
    rows = [(run.id[:SHORT_ID], run.name, run.status) for run in (one, other)]
    echo_table(("run", "name", "status"), rows)
    if comparison.differences:
        echo_title("what differs")
        echo_table(
            ("", "", one.id[:SHORT_ID], other.id[:SHORT_ID]),
            [(row.kind, row.key, row.one, row.other) for row in comparison.differences],
        )
    for title, measures in (("measures", comparison.measures), ("languages", comparison.languages)):
        if measures:
            echo_title(title)
            echo_table(
                (title[:-1], one.id[:SHORT_ID], other.id[:SHORT_ID], "difference", "runs", "p", ""),
                [measure_row(row, comparison) for row in measures],
            )
    if comparison.curves:
        echo_title("curves")
        echo_table(("measure", "", "", "first → last"), list(curve_rows(comparison)))


def measure_row(row: MeasureCompared, comparison: Comparison) -> tuple[str, ...]:
    """One measure of both runs."""
    return (
        row.measure,
        number(row.one),
        number(row.other),
        "" if row.difference is None else f"{row.difference:+.4g}",
        f"{row.repeats[0]}, {row.repeats[1]}",
        "" if row.p is None else f"{row.p:.3f}",
        comparison.verdict(row),
    )


def curve_rows(comparison: Comparison) -> Iterator[tuple[str, ...]]:
    """Two lines for each measure, on one scale."""
    for name, pair in comparison.curves.items():
        scale = ends(value for curve in pair for value in curve.values)
        for run, curve in zip((comparison.one, comparison.other), pair, strict=True):
            measure, bars, change = curve_row(name, curve, scale)
            yield measure, run.id[:SHORT_ID], bars, change


def curve_row(name: str, curve: Curve, scale: tuple[float, float] | None = None) -> tuple[str, str, str]:
    """The name, the curve in bars, its first and last value."""
    if not curve.values:
        return name, "", ""
    return name, sparkline(curve.values, scale), f"{number(curve.values[0])} → {number(curve.values[-1])}"


def sparkline(values: Sequence[float], scale: tuple[float, float] | None = None) -> str:
    """The values as bars of eight heights, gaps where not finite; of more than fit, means of neighbours."""
    import numpy as np

    parts = np.array_split(np.asarray(values, float), min(WIDTH, len(values)))
    means = [float(part.mean()) for part in parts]
    low, high = scale or ends(means)
    top = len(BARS) - 1
    return "".join(
        BARS[round(top * (mean - low) / (high - low) if high > low else top / 2)]
        if math.isfinite(mean)
        else " "
        for mean in means
    )


def ends(values: Iterable[float]) -> tuple[float, float]:
    """The least and the greatest of those that are finite."""
    finite = [value for value in values if math.isfinite(value)]
    return min(finite, default=0.0), max(finite, default=0.0)


def echo_title(title: str) -> None:
    """Writes a heading below an empty line."""
    click.echo()
    click.echo(click.style(title, bold=True))


def echo_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Writes columns as wide as what they hold, in cells of a terminal."""
    lines = [header, *([clean(cell) for cell in row] for row in rows)]
    widths = [max(cell_len(line[column]) for line in lines) for column in range(len(header))]
    for place, line in enumerate(lines):
        text = "  ".join(set_cell_size(cell, width) for cell, width in zip(line, widths, strict=True))
        click.echo(click.style(text.rstrip(), dim=place == 0))


def number(value: float | None) -> str:
    """Four digits that count; whole numbers whole."""
    if value is None:
        return ""
    return f"{value:,.0f}" if value == round(value, 0) and abs(value) >= 10 else f"{value:.4g}"


def duration(seconds: float | None) -> str:
    """Hours, minutes and seconds."""
    if seconds is None:
        return ""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"
