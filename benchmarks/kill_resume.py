"""Kill an indexing run three times at random moments: is its library equal to one built in one go?"""

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from indexing import IndexRun, index_command, run_index, sample_files
from machine import describe_machine

if TYPE_CHECKING:
    import pyarrow as pa

LISTED = 20


def main() -> int:
    """Prints both runs and every difference; 1 if there is one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*", type=Path, help="PubMed files; the sample if there is none")
    parser.add_argument("--model", help="the encoder, as bioglot index takes it")
    parser.add_argument("--records", type=int, metavar="N", help="only the first N records")
    parser.add_argument("--kills", type=int, default=3, metavar="N", help="how often to kill; 3")
    parser.add_argument("--seed", type=int, metavar="N", help="chooses the moments; by the clock")
    arguments = parser.parse_args()
    seed = time.time_ns() % 2**32 if arguments.seed is None else arguments.seed
    paths = arguments.paths or sample_files()
    with tempfile.TemporaryDirectory() as folder:
        whole, killed = Path(folder) / "whole", Path(folder) / "killed"
        unbroken = run_index(index_command(paths, whole, arguments.model, arguments.records))
        if unbroken.exit_code not in (0, 3):
            print(f"the uninterrupted run failed with exit code {unbroken.exit_code}", file=sys.stderr)
            return 1
        command = index_command(paths, killed, arguments.model, arguments.records)
        runs = interrupted_runs(command, unbroken.seconds, arguments.kills, random.Random(seed))
        differences = {name: compare(whole, killed, name) for name in ("citations", "passages")}
        faults = check(killed)
    document = {
        "machine": describe_machine(),
        "seed": seed,
        "unbroken": summary(unbroken),
        "interrupted": [summary(run) for run in runs],
        "differences": differences,
        "faults": faults,
        "equal": not faults and not any(differences.values()),
    }
    json.dump(document, sys.stdout, ensure_ascii=False, indent=2)
    print()
    return 0 if document["equal"] else 1


def interrupted_runs(
    command: Sequence[str], seconds: float, kills: int, chance: random.Random
) -> list[IndexRun]:
    """Runs killed at random moments, then one to the end.

    Each moment lies in a later part of an unbroken run's time: the first strikes while records are read,
    those after it while passages are embedded, and none when all is done.
    """
    runs = []
    for part in range(kills):
        moment = seconds * chance.uniform(part + 0.05, part + 1) / (kills + 1)
        print(f"killing after {moment:.1f} s", file=sys.stderr)
        runs.append(run_index(command, kill_after=moment))
    return [*runs, run_index(command)]


def summary(run: IndexRun) -> dict[str, object]:
    """What the document tells of a run; exit code -9 is a kill."""
    report = {name: run.report.get(name) for name in ("citations", "passages", "passages_embedded")}
    return {"exit_code": run.exit_code, "seconds": round(run.seconds, 1), **report}


def compare(whole: Path, killed: Path, name: str) -> list[str]:
    """A line for each difference between the published tables of that name."""
    key = {"citations": "id", "passages": "key"}[name]
    one, other = published_table(whole, name, key), published_table(killed, name, key)
    if one[key] != other[key]:
        lost = sorted(set(one[key].to_pylist()) - set(other[key].to_pylist()))
        more = sorted(set(other[key].to_pylist()) - set(one[key].to_pylist()))
        return [f"{one.num_rows:,} rows, then {other.num_rows:,}; lost {lost[:LISTED]}, more {more[:LISTED]}"]
    return [
        f"{name}.{column} differs in {count:,} of {one.num_rows:,} rows"
        for column in one.column_names
        if (count := differing_rows(one[column], other[column]))
    ]


def published_table(library: Path, name: str, key: str) -> "pa.Table":
    """A table of the published set, in order of its key."""
    from indexer.published import open_published

    published = open_published(library)
    table = {"citations": published.library.citations, "passages": published.library.passages}[name]
    return table(published.set.tag).to_table().sort_by(key)


def differing_rows(one: "pa.ChunkedArray", other: "pa.ChunkedArray") -> int:
    """How many rows differ; vectors are compared by their bits."""
    import numpy as np
    import pyarrow as pa

    if pa.types.is_fixed_size_list(one.type):
        flat = [column.combine_chunks().flatten() for column in (one, other)]
        bits = [values.to_numpy(zero_copy_only=False).view(np.uint16) for values in flat]
        return int((bits[0] != bits[1]).reshape(len(one), -1).any(axis=1).sum())
    return sum(a != b for a, b in zip(one.to_pylist(), other.to_pylist(), strict=True))


def check(library: Path) -> list[str]:
    """The faults that bioglot's own verification finds."""
    from indexer.progress import Silent
    from indexer.verify import verify

    return [f"{fault.check}: {fault.detail}" for fault in verify(library, Silent()).faults]


if __name__ == "__main__":
    sys.exit(main())
