"""Runs `bioglot index` as a user does, in a process of its own that can be measured and killed."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

BIOGLOT = Path(sys.executable).with_name("bioglot")


@dataclass(frozen=True, slots=True)
class IndexRun:
    """One process: its exit code (negative for a signal), how long it ran, and its memory at the most.

    report: what it printed with --json, empty if it was killed.
    """

    exit_code: int
    seconds: float
    peak_megabytes: float
    report: dict[str, object]


def sample_files() -> list[Path]:
    """The files of the sample, fetched if need be."""
    printed = subprocess.run(
        [BIOGLOT, "fetch", "sample", "--json"], check=True, stdout=subprocess.PIPE
    ).stdout
    return [Path(name) for name in json.loads(printed)["files"]]


def index_command(
    paths: Sequence[Path], library: Path, model: str | None = None, records: int | None = None
) -> list[str]:
    """The command line that indexes the paths into the library."""
    command = [str(BIOGLOT), "index", *map(str, paths), "--library", str(library), "--json"]
    command += ["--model", model] if model else []
    return command + (["--limit", str(records)] if records else [])


def run_index(command: Sequence[str], kill_after: float | None = None) -> IndexRun:
    """Run the command to its end, or kill it after so many seconds if it is still running then."""
    begun = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    killer = threading.Timer(kill_after or 0.0, process.kill)
    if kill_after is not None:
        killer.start()
    printed = process.stdout.read()
    killer.cancel()
    # wait4 alone tells what this one process used; Popen is told so that it does not wait again.
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    # Linux counts ru_maxrss in KiB, macOS in bytes.
    megabytes = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6
    seconds = time.perf_counter() - begun
    return IndexRun(process.returncode, seconds, megabytes, json.loads(printed or b"{}"))
