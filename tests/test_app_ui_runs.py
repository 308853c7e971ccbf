"""The page of training runs, run by Streamlit's own test driver over runs recorded for real."""

import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from app.ui import page_engine
from tests.recorded_runs import record

FOLDER = Path(page_engine.__file__).parent


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    for seed in (1, 2):
        record(folder, f"base-{seed}", [4.0, seed], seed=seed, languages={"jpn_Jpan": seed / 4})
    record(folder, "<b>速い</b> *x*", [4.0, 9.0], rate=5e-05, languages={"jpn_Jpan": 0.9})
    return folder


@pytest.fixture
def page(folder, tmp_path, monkeypatch):
    monkeypatch.setenv("BIOGLOT_RUNS", str(folder))
    monkeypatch.setenv("BIOGLOT_HOME", str(tmp_path))
    monkeypatch.delenv("BIOGLOT_CONFIG", raising=False)
    return AppTest.from_file(str(FOLDER / "runs_page.py"), default_timeout=120)


def mark(page, *rows):
    """The page after the visitor marked these rows of the list."""
    page.session_state["runs"] = {"selection": {"rows": list(rows), "columns": [], "cells": []}}
    page.run()
    assert not page.exception
    return page


def tables(page):
    """Each table below the list, as rows by title."""
    titles = [element.value for element in page.subheader if element.value != "Curves"]
    shown = [table.value.to_dict("records") for table in page.dataframe[1:]]
    return dict(zip(titles, shown, strict=True))


def notices(page):
    assert not page.exception
    return [body for element in page.get("html") if "bg-notice" in (body := element.proto.body)]


def test_the_list_shows_every_run(page):
    page.run()
    assert not page.exception
    (runs,) = page.dataframe
    assert list(runs.value["name"]) == ["<b>速い</b> *x*", "base-2", "base-1"]
    assert list(runs.value["loss"]) == [9.0, 2.0, 1.0]
    assert list(runs.value["accuracy@1"]) == [0.9, 0.5, 0.25]
    assert [element.value for element in page.caption] == ["Mark one run to see it, or two to compare them."]
    assert [element.value for element in page.markdown] == []


def test_a_marked_run_shows_curves_languages_and_what_went_in(page):
    shown = tables(mark(page.run(), 2))
    assert shown["Languages"] == [{"code": "jpn_Jpan", "language": "Japanese", "accuracy@1": 0.25}]
    assert {"": "configuration", "key": "seed", "value": "1"} in shown["What went in"]
    charts = [json.loads(chart.proto.spec) for chart in page.get("vega_lite_chart")]
    assert [chart["layer"][0]["encoding"]["y"]["title"] for chart in charts] == ["loss", "nDCG@10"]


def test_two_marked_runs_are_compared(page):
    shown = tables(mark(page.run(), 0, 1))
    (difference,) = [row for row in shown["What differs"] if row["key"] == "training.learning_rate"]
    assert list(difference.values()) == ["configuration", "training.learning_rate", "5e-05", "2e-05"]
    assert list(difference)[2].startswith("<b>速い</b> *x* (")
    (loss,) = [row for row in shown["Measures"] if row[""] == "loss"]
    assert list(loss.values())[1:4] == [9.0, 2.0, 7.0]
    assert (loss["finished repeats"], loss["verdict"]) == ("1, 2", "within the spread of seeds")
    assert [row[""] for row in shown["Languages"]] == ["jpn_Jpan"]


@pytest.mark.parametrize(("recorded", "position"), [(True, "top"), (False, "hidden")])
def test_the_menu_offers_the_page_where_there_are_runs(page, tmp_path, monkeypatch, recorded, position):
    asked = {}

    def navigation(pages, position):
        asked.update({"titles": [page.title for page in pages], "position": position})
        return SimpleNamespace(run=lambda: None)

    monkeypatch.setattr("streamlit.navigation", navigation)
    if not recorded:
        monkeypatch.setenv("BIOGLOT_RUNS", str(tmp_path))
    menu = AppTest.from_file(str(FOLDER / "page_menu.py"), default_timeout=120).run()
    assert not menu.exception
    assert asked == {"titles": ["Search", "Training runs"], "position": position}


def test_without_runs_the_page_says_so(page, tmp_path, monkeypatch):
    monkeypatch.setenv("BIOGLOT_RUNS", str(tmp_path))
    (notice,) = notices(page.run())
    assert f"no training runs are recorded in sqlite:///{tmp_path / 'runs.db'} yet" in notice


def test_without_mlflow_the_page_says_how_to_install_it(page, monkeypatch):
    monkeypatch.setitem(sys.modules, "mlflow", None)
    (notice,) = notices(page.run())
    assert "the record of runs needs mlflow: pip install &#x27;bioglot[training]&#x27;" in notice
