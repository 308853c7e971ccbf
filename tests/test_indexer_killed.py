"""A few dozen real kills of real jobs; benchmarks/faults.py tries all points and more moments."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults_jobs import JOBS

ROOT = Path(__file__).parents[1]
KILLS = {"points": 3, "moments": 1}


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
@pytest.mark.parametrize("job", JOBS)
def test_killed_anywhere_it_is_old_or_new_and_the_next_run_ends_alike(tmp_path, job):
    """The process that is killed is forked from one that loaded all libraries and touched no library."""
    options = [text for name, count in KILLS.items() for text in (f"--{name}", str(count))]
    command = [
        sys.executable,
        "-W",
        "ignore:lance is not fork-safe",
        "-m",
        "tests.faults",
        str(tmp_path),
        job,
    ]
    run = subprocess.run([*command, *options], cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert run.stdout, run.stderr
    document = json.loads(run.stdout)
    assert [kill for kill in document["kills"] if kill["wrong"]] == []
    assert len(document["kills"]) == sum(KILLS.values())
    assert document["points"] > 300
    assert {kill["state"] for kill in document["kills"]} <= {"old", "new"}
