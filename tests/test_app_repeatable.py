"""The same question gives the same page: in other processes, with any number of threads, side by side."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from app.engine import SearchEngine
from app.query import Mode, Query
from tests.citations import LIBRARY, QUESTIONS, citation
from tests.test_app_engine import build

TEXTS = [text for text, _ in QUESTIONS.values()] + ["influenza vaccine", '"heart attack" OR malaria[ti]']

SCRIPT = """
import json, sys
from pathlib import Path
import torch
from app.engine import open_engine
from app.query import Query
torch.set_num_threads(int(sys.argv[2]))
engine = open_engine(Path(sys.argv[1]))
pages = [engine.search(Query(text, limit=50)) for text in json.load(sys.stdin)]
print(json.dumps([[(hit.id, hit.score) for hit in page.hits] for page in pages]))
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory, encoder):
    more = [citation(500 + number, record.title, "Copied.") for number, record in enumerate(LIBRARY)]
    return build(tmp_path_factory.mktemp("repeatable") / "library", encoder, [*LIBRARY, *more])


def in_another_process(path, threads):
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "PYTHONHASHSEED": str(threads)}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(path), str(threads)],
        input=json.dumps(TEXTS),
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parent.parent,
        env=environment,
    )
    return json.loads(done.stdout)


def listed(engine, text, mode=Mode.HYBRID):
    return [[hit.id, hit.score] for hit in engine.search(Query(text, mode, limit=50)).hits]


def test_processes_with_other_threads_and_hash_seeds_agree(path, encoder):
    engine = SearchEngine(path, encoder)
    here = [listed(engine, text) for text in TEXTS]
    assert all(here)
    assert in_another_process(path, 1) == here
    assert in_another_process(path, 3) == here


def test_threads_that_share_an_engine_do_not_disturb_each_other(path, encoder):
    engine = SearchEngine(path, encoder)
    asked = [(text, mode) for text in TEXTS for mode in Mode] * 3
    alone = {pair: listed(engine, *pair) for pair in asked}
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda pair: listed(engine, *pair), asked))
    assert together == [alone[pair] for pair in asked]
