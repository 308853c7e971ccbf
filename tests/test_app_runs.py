"""Reading and comparing training runs that were recorded for real."""

import math
import time

import pytest
from scipy import stats

from app.runs.compare import Verdict, adjusted, compare_measure, compare_runs, p_of_difference
from app.runs.reading import Curve, NoRunsError, RunStore
from models.errors import UsageError
from models.training.record import RecordSettings, recorded_run
from tests.recorded_runs import DATA, configuration, copy_run, record


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Three seeds of one configuration and three of another, one run alone, one that failed."""
    folder = tmp_path_factory.mktemp("runs")
    for seed, last in enumerate((1.00, 1.02, 0.98), 1):
        languages = {"swh_Latn": 0.80 + seed / 100, "jpn_Jpan": 0.60 + seed / 100}
        record(folder, f"base-{seed}", [2.0, last], seed=seed, languages=languages)
    for seed, last in enumerate((0.50, 0.51, 0.49), 1):
        languages = {"swh_Latn": 0.90 + seed / 100, "jpn_Jpan": 0.595 + seed / 100}
        record(folder, f"fast-{seed}", [2.0, last], seed=seed, rate=5e-05, languages=languages)
    record(folder, 'alone "1"', [2.0, 1.01], rate=1e-06, data=DATA[:1])
    with (
        pytest.raises(ValueError),
        recorded_run(RecordSettings(str(folder), "弐", "失敗"), {"seed": 9}) as run,
    ):
        run.log(1, {"loss": math.nan, "speed": math.inf})
        raise ValueError
    return folder


@pytest.fixture(scope="module")
def store(folder):
    return RunStore(str(folder))


@pytest.fixture(scope="module")
def apart(tmp_path_factory):
    """A folder for runs that would be in the way of the others."""
    return tmp_path_factory.mktemp("apart")


def test_runs_are_listed_from_the_newest(store):
    names = [run.name for run in store.newest()]
    assert names == ["失敗", 'alone "1"', "fast-3", "fast-2", "fast-1", "base-3", "base-2", "base-1"]
    assert [run.name for run in store.newest("弐")] == ["失敗"]
    assert [run.name for run in store.newest("bioglot", limit=2)] == ['alone "1"', "fast-3"]
    failed, alone = store.newest(limit=2)
    assert (failed.experiment, failed.status) == ("弐", "FAILED")
    assert math.isnan(failed.measures["loss"])
    assert failed.measures["speed"] == math.inf
    assert alone.measures == {"loss": 1.01, "nDCG@10": 1 - 1.01 / 4}
    assert alone.seconds < 60
    assert alone.started.endswith("+00:00")


def test_a_listed_run_is_the_same_when_it_is_found(store):
    for run in store.newest("bioglot"):
        found = store.find(run.id)
        assert [getattr(found, name) for name in run.__slots__] == [
            getattr(run, name) for name in run.__slots__
        ]


@pytest.mark.parametrize("wanted", ["base-2", 'alone "1"', "失敗"])
def test_a_run_is_found_by_name_and_by_the_beginning_of_its_id(store, wanted):
    found = store.find(wanted)
    assert found.name == wanted
    assert store.find(found.id).id == store.find(found.id[:12]).id == found.id


@pytest.mark.parametrize("wanted", ["", "%", "_", "x' OR name LIKE '%", "both ' and \"", "\\", "g" * 300])
def test_what_is_no_run_is_refused(store, wanted):
    with pytest.raises(UsageError) as caught:
        store.find(wanted)
    assert str(caught.value).startswith(f"there is no run {wanted!r} in {store.uri}; there are: ")


def test_a_mistyped_name_brings_those_like_it(store):
    run = store.find("base-1")
    with pytest.raises(UsageError) as caught:
        store.find("base1")
    assert f"; there are: base-1 ({run.id[:8]}), base-" in str(caught.value)
    assert "fast" not in str(caught.value)


def test_a_name_of_several_runs_is_refused_with_their_ids(apart):
    ids = [record(apart, "twin", [1.0], rate=rate) for rate in (0.1, 0.2)]
    with pytest.raises(UsageError) as caught:
        RunStore(str(apart)).find("twin")
    assert str(caught.value) == (
        f"several runs are 'twin': twin ({ids[1][:8]}), twin ({ids[0][:8]}); name one by its id"
    )


def test_an_unknown_experiment_is_refused_with_those_that_are(store):
    with pytest.raises(UsageError, match=r"there is no experiment 'x' in .*; there are: .*bioglot, 弐"):
        store.newest("x")


def test_a_store_that_was_never_written_is_not_made(tmp_path):
    with pytest.raises(NoRunsError) as caught:
        RunStore(str(tmp_path))
    assert str(caught.value) == f"no training runs are recorded in sqlite:///{tmp_path / 'runs.db'} yet"
    assert list(tmp_path.iterdir()) == []


def test_a_comparison_shows_what_differs_and_nothing_else(store):
    found = compare_runs(store, store.find("base-1"), store.find('alone "1"'))
    assert [(row.kind, row.key, row.one, row.other) for row in found.differences] == [
        ("configuration", "training.learning_rate", "2e-05", "1e-06"),
        ("data", "dev.jsonl", f"100 rows, sha256 {'0b' * 32}", ""),
    ]
    assert found.curves["loss"] == (Curve((10, 20), (2.0, 1.0)), Curve((10, 20), (2.0, 1.01)))
    assert found.curves["nDCG@10"][1].values == (0.5, 1 - 1.01 / 4)


def test_a_difference_is_held_against_the_spread_of_repeated_seeds(store):
    found = compare_runs(store, store.find("base-1"), store.find("fast-2"))
    loss = {row.measure: row for row in found.measures}["loss"]
    assert (loss.one, loss.other, loss.difference) == (1.0, 0.51, pytest.approx(0.49))
    assert loss.repeats == (3, 3)
    assert loss.means == (pytest.approx(1.0), pytest.approx(0.5))
    # Welch by hand: variances .0004 and .0001 of three values each.
    t, freedom = 0.5 / math.sqrt(0.0005 / 3), 0.0005**2 / (0.0004**2 / 2 + 0.0001**2 / 2)
    assert loss.p == pytest.approx(2 * stats.t.sf(t, freedom))
    assert loss.verdict is Verdict.BEYOND
    swahili, japanese = found.languages[1], found.languages[0]
    assert (swahili.measure, swahili.verdict) == ("swh_Latn", Verdict.BEYOND)
    assert (japanese.measure, japanese.verdict) == ("jpn_Jpan", Verdict.WITHIN)


def test_a_single_run_is_held_against_the_repeats_of_the_other(store):
    found = compare_runs(store, store.find("base-1"), store.find('alone "1"'))
    loss = {row.measure: row for row in found.measures}["loss"]
    # One new value beside three of mean 1 and standard deviation .02.
    assert loss.p == pytest.approx(2 * stats.t.sf(0.01 / (0.02 * math.sqrt(1 + 1 / 3)), 2))
    assert (loss.repeats, loss.verdict) == ((3, 1), Verdict.WITHIN)


def test_without_repeats_nothing_can_be_told(apart):
    for name, rate in (("one", 0.3), ("other", 0.4)):
        record(apart, name, [2.0, rate], rate=rate)
    store = RunStore(str(apart))
    found = compare_runs(store, store.find("one"), store.find("other"))
    assert {row.verdict for row in found.measures} == {Verdict.UNKNOWN}
    assert found.verdict(found.measures[0]) == "cannot be told: no repeated seeds"


def test_repeats_of_one_another_are_told_as_such(store):
    found = compare_runs(store, store.find("base-1"), store.find("base-2"))
    assert [row.key for row in found.differences] == ["seed", "training.folder"]
    assert {found.verdict(row) for row in found.measures} == {"repeats of one another"}


def test_runs_that_did_not_finish_are_no_repeats(apart):
    finished = [record(apart, f"run-{seed}", [1.0], seed=seed) for seed in (1, 2)]
    with (
        pytest.raises(KeyboardInterrupt),
        recorded_run(RecordSettings(str(apart)), configuration(3), data=DATA) as run,
    ):
        run.log(10, {"loss": 9.0})
        raise KeyboardInterrupt
    store = RunStore(str(apart))
    assert {found.id for found in store.repeats(store.find(run.run_id))} == set(finished)


def test_p_without_spread_or_without_numbers():
    assert p_of_difference([1.0, 1.0], [1.0]) == 1.0
    assert p_of_difference([1.0, 1.0], [1.1]) == 0.0
    assert p_of_difference([1.0], [1.1]) is None
    assert p_of_difference([], [1.0, 2.0, 3.0]) is None
    assert p_of_difference([1.0, math.nan], [1.0, 2.0]) is None


def test_p_is_adjusted_for_the_number_of_languages():
    rows = tuple(
        compare_measure(name, 1.0, 1.1, [1.0, 1.01, 0.99], [second, second + 0.01, second - 0.01])
        for name, second in (("a", 1.025), ("b", 1.0), ("c", 1.0), ("d", 1.0))
    )
    assert rows[0].verdict is Verdict.BEYOND
    assert adjusted(rows)[0].p == pytest.approx(4 * rows[0].p)
    assert adjusted(rows)[0].verdict is Verdict.WITHIN


def test_a_thousand_runs_are_listed_and_compared_in_under_a_second(tmp_path):
    first = record(tmp_path, "first", [2.0, 1.0], languages={f"l{n:02}_Latn": n / 100 for n in range(40)})
    copy_run(tmp_path, first, 1_000)
    store = RunStore(str(tmp_path))
    compare_runs(store, store.find("копия-1"), store.find("копия-2"))  # imports, before the clock starts
    begun = time.process_time()
    runs = store.newest()
    listed = time.process_time()
    one, other = store.find("копия-7"), store.find("копия-8")
    found = compare_runs(store, one, other)
    compared = time.process_time()
    assert [run.name for run in runs[:3]] == ["first", "копия-1000", "копия-999"]
    assert len(runs) == 1_001
    assert {row.measure: row.repeats for row in found.measures}["loss"] == (4, 4)
    assert len(found.languages) == 40
    assert listed - begun < 1
    assert compared - listed < 1
