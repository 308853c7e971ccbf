"""The page of training runs; Streamlit runs this file anew at every change of a widget."""

import os

import streamlit as st

from app.runs.compare import Comparison, compare_runs
from app.runs.reading import Curve, NoRunsError, RunStore
from app.runs.summary import RunDetails, RunSummary, spoken_name
from app.settings import load_settings
from app.ui.page_results import notice_html
from models.errors import BioglotError

LISTED = 1_000


def show_page() -> None:
    """Draws the page from top to bottom."""
    st.set_page_config(page_title="Training runs · bioglot", page_icon="🔎", layout="wide")
    st.title("Training runs")
    try:
        store = RunStore(load_settings(os.environ).runs_store)
        chosen = choose(store.newest(limit=LISTED))
        if len(chosen) == 1:
            show_run(store, store.find(chosen[0].id))
        elif len(chosen) == 2:
            show_comparison(compare_runs(store, *(store.find(run.id) for run in chosen)))
    except BioglotError as error:
        st.html(notice_html(str(error)))


def choose(runs: tuple[RunSummary, ...]) -> list[RunSummary]:
    """The one or two rows of the table that the visitor marks."""
    if not runs:
        raise NoRunsError("no training runs are recorded yet")
    rows = [
        {
            "name": run.name,
            "experiment": run.experiment,
            "status": run.status,
            "started (UTC)": run.started[:19].replace("T", " "),
            "seconds": run.seconds,
            "loss": run.measures.get("loss"),
            "accuracy@1": run.measures.get("accuracy@1"),
            "run": run.id[:8],
        }
        for run in runs
    ]
    marked = st.dataframe(rows, hide_index=True, key="runs", on_select="rerun", selection_mode="multi-row")
    places = marked.selection.rows
    if len(places) not in (1, 2):
        st.caption("Mark one run to see it, or two to compare them.")
    return [runs[place] for place in places]


def show_run(store: RunStore, run: RunDetails) -> None:
    """Curves, languages, and what went in."""
    show_curves({name: {run.label: curve} for name, curve in store.curves(run).items()})
    show_table(
        "Languages",
        [
            {"code": code, "language": spoken_name(code), "accuracy@1": value}
            for code, value in run.languages.items()
        ],
    )
    show_table(
        "What went in",
        [
            {"": kind, "key": key, "value": value}
            for kind, values in run.inputs.items()
            for key, value in values.items()
        ],
    )


def show_comparison(comparison: Comparison) -> None:
    """What differs, both runs' curves and measures."""
    one, other = comparison.one.label, comparison.other.label
    show_table(
        "What differs",
        [{"": row.kind, "key": row.key, one: row.one, other: row.other} for row in comparison.differences],
    )
    show_curves(
        {name: dict(zip((one, other), pair, strict=True)) for name, pair in comparison.curves.items()}
    )
    for title, rows in (("Measures", comparison.measures), ("Languages", comparison.languages)):
        show_table(
            title,
            [
                {
                    "": row.measure,
                    one: row.one,
                    other: row.other,
                    "difference": row.difference,
                    "finished repeats": f"{row.repeats[0]}, {row.repeats[1]}",
                    "p": row.p,
                    "verdict": comparison.verdict(row),
                }
                for row in rows
            ],
        )


def show_curves(curves: dict[str, dict[str, Curve]]) -> None:
    """A chart for each measure, a line for each run."""
    if not curves:
        return
    st.subheader("Curves")
    columns = st.columns(2)
    for place, (name, lines) in enumerate(curves.items()):
        points = [
            {"step": step, "value": value, "run": label}
            for label, curve in lines.items()
            for step, value in zip(curve.steps, curve.values, strict=True)
        ]
        columns[place % 2].line_chart(points, x="step", y="value", y_label=name, color="run")


def show_table(title: str, rows: list[dict[str, object]]) -> None:
    """A table that the visitor can sort, below its title; nothing where it would be empty."""
    if rows:
        st.subheader(title)
        st.dataframe(rows, hide_index=True, key=title)


show_page()
