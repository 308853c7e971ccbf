"""Readers while others write: a server under requests, writers with stale tables, a clock set back."""

import datetime
import json
import os
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from contextlib import contextmanager

import pytest
import uvicorn

from app.api.listening import bind, url_of
from app.api.service import create_app
from app.engine import SearchEngine
from indexer import compact, publish
from indexer.library import merge, open_library
from indexer.merging import Part
from indexer.pointer import read_pointer
from indexer.published import open_published
from indexer.tables import citation_rows
from tests import faults_jobs as jobs
from tests.citations import citation


@pytest.fixture
def inputs(tmp_path):
    return jobs.prepare_inputs(tmp_path)


@pytest.fixture
def library(tmp_path, inputs):
    jobs.index(tmp_path / "library", inputs)
    return tmp_path / "library"


@contextmanager
def server(library):
    """Where a real server answers from the library."""
    bound = bind("127.0.0.1", 0)
    app = create_app(SearchEngine(library, jobs.old_encoder()))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", access_log=False))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield url_of(bound)
    server.should_exit = True
    thread.join()
    bound.close()


def get(url, **parameters):
    with urllib.request.urlopen(f"{url}?{urllib.parse.urlencode(parameters)}", timeout=60) as answer:
        return json.load(answer)


def ask(url, stop, seen, failed):
    """Questions of all modes, one after the other, until told to stop."""
    try:
        while not stop.is_set():
            text = jobs.QUESTIONS[len(seen) % 4]
            get(f"{url}/v1/search", q=text, mode=("hybrid", "dense", "lexical")[len(seen) % 3])
            seen.append(get(f"{url}/health")["library_version"])
    except urllib.error.HTTPError as error:
        failed.append((error.code, error.read().decode()))


def test_no_request_fails_while_sets_are_published_compacted_and_cleared_away(library, inputs, monkeypatch):
    monkeypatch.setattr(publish, "GRACE", datetime.timedelta(0))
    monkeypatch.setattr(compact, "GRACE", datetime.timedelta(0))
    monkeypatch.setattr(publish, "FRAGMENTS", 1)
    stop, seen, failed = threading.Event(), [], []
    with server(library) as url:
        threads = [threading.Thread(target=ask, args=(url, stop, seen, failed)) for _ in range(3)]
        for thread in threads:
            thread.start()
        for job in (jobs.update, jobs.compact, jobs.rebuild, jobs.follow, jobs.rebuild, jobs.compact):
            job(library, inputs)
            held = len(seen)
            while len(seen) < held + 4 and not failed:
                time.sleep(0.01)
        last = get(f"{url}/health")["library_version"]
        stop.set()
        for thread in threads:
            thread.join()
    assert failed == []
    assert last == read_pointer(library).number
    assert len(set(seen)) > 3
    assert seen[0] < last


def test_compact_bounds_the_versions_and_changes_no_answer(library, inputs, monkeypatch):
    monkeypatch.setattr("indexer.intake.BATCH", 2)
    monkeypatch.setattr(compact, "GRACE", datetime.timedelta(0))
    for _ in range(3):
        jobs.update(library, inputs)
        jobs.rebuild(library, inputs)
    before = jobs.contents(library)
    report = compact.compact_library(library, jobs.SILENT)
    assert jobs.contents(library) == before
    assert report.versions_after < report.versions_before
    assert report.bytes_after < report.bytes_before
    again = compact.compact_library(library, jobs.SILENT)
    assert again.versions_after <= report.versions_after
    assert open_published(library).info().bytes == sum(open_published(library).info().sizes.values())


@pytest.mark.parametrize("known", [False, True])
def test_two_writers_with_stale_tables_never_duplicate_a_key(library, known):
    """Beneath the lock, as on a file system that has none: whoever comes second replaces or fails."""
    number = 30000001 if known else 38000001
    tables = [open_library(library).citations() for _ in range(2)]
    for table, title in zip(tables, ("one", "other"), strict=True):
        merge(table, "id", citation_rows([[Part(citation(number, title))]]))
    ids = open_library(library).citations().to_table(columns=["id"])["id"].to_pylist()
    assert ids.count(f"pmid:{number}") == 1
    assert len(ids) == len(set(ids))


def test_two_writers_at_once_never_duplicate_a_key(library):
    """Each adds the same new keys, one by one, as fast as it can."""
    failed = []

    def write(title):
        for number in range(38000000, 38000008):
            try:
                merge(
                    open_library(library).citations(), "id", citation_rows([[Part(citation(number, title))]])
                )
            except OSError as error:
                failed.append(error)

    threads = [threading.Thread(target=write, args=(title,)) for title in ("one", "other")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    ids = open_library(library).citations().to_table(columns=["id"])["id"].to_pylist()
    assert len(ids) == len(set(ids))
    assert {f"pmid:{number}" for number in range(38000000, 38000008)} <= set(ids), failed


@pytest.mark.parametrize("days", [1, 366])
def test_a_clock_that_was_set_back_loses_nothing(library, inputs, tmp_path, days):
    """All written before is from the future; a reader stays in its set when the next is published."""
    jobs.index(tmp_path / "steady", inputs)
    jobs.update(tmp_path / "steady", inputs)
    later = time.time() + days * 86_400
    for file in library.rglob("*"):
        os.utime(file, (later, later))
    reader = open_published(library)
    held = reader.citations.to_table().to_pylist()
    jobs.update(library, inputs)
    assert read_pointer(library).number == 2
    assert reader.citations.to_table().to_pylist() == held
    assert jobs.contents(library) == jobs.contents(tmp_path / "steady")
    jobs.follow(library, inputs)
    assert read_pointer(library).number == 3
    assert jobs.leftovers(library) == []
