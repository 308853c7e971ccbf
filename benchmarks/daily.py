"""What a daily update costs in a small library and in one ten times as large.

Both are built from the sample with a tiny encoder of random weights, since embedding is not what is measured;
then a few update files of one size go in one by one, with changed, new and deleted records.
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from indexing import sample_files
from machine import describe_machine

from indexer.citation import Citation
from indexer.exports.formats import write_citations
from indexer.job import index_files
from indexer.sources.detect import read_file
from models.encoder import Encoder, EncoderSettings
from models.loading import load_encoder

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.tiny_encoder import write_tiny_encoder


class Steps:
    """A Progress that keeps how long each step took."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self._what, self._begun = "", 0.0

    def start(self, what: str, total: int | None, unit: str) -> None:
        self._what, self._begun = what, time.perf_counter()

    def advance(self, n: int = 1) -> None: ...

    def finish(self) -> None:
        self.seconds[self._what] += time.perf_counter() - self._begun

    def note(self, message: str) -> None: ...


def main() -> None:
    """Prints the measurement."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[5_000, 50_000], metavar="N")
    parser.add_argument("--days", type=int, default=5, metavar="N", help="update files; 5")
    parser.add_argument("--change", type=int, default=300, metavar="N", help="records of an update; 300")
    arguments = parser.parse_args()
    files = sample_files()
    with tempfile.TemporaryDirectory() as folder:
        encoder = load_encoder(EncoderSettings(str(write_tiny_encoder(Path(folder) / "tiny"))))
        rows = [
            {"records": size, **measure(Path(folder), files, size, arguments.days, arguments.change, encoder)}
            for size in arguments.sizes
        ]
    print(
        json.dumps({"change": arguments.change, "libraries": rows, "machine": describe_machine()}, indent=2)
    )


def measure(
    folder: Path, files: Sequence[Path], size: int, days: int, change: int, encoder: Encoder
) -> dict[str, object]:
    """Median seconds of an update, whole and by step."""
    library = folder / f"library-{size}"
    index_files(files, library, encoder, Steps(), limit=size)
    held = list(islice(citations(files), size))
    runs: list[dict[str, float]] = []
    for day in range(days):
        some = held[day * change : (day + 1) * change]
        third = change // 3
        changed = [replace(one, title=f"{one.title} On day {day}", version=9 + day) for one in some[:third]]
        new = [replace(one, id=f"pmid:{90_000_000 + day * change + n}") for n, one in enumerate(some[:third])]
        update = folder / f"update-{day}.jsonl"
        update.write_text("".join(write_citations([*changed, *new], "jsonl")), encoding="utf-8")
        gone = folder / "deleted.pmids"
        gone.write_text("".join(f"{one.pmid}\n" for one in some[-third:]), encoding="utf-8")
        steps, begun = Steps(), time.perf_counter()
        index_files([update, gone], library, encoder, steps)
        runs.append({"whole": time.perf_counter() - begun, **steps.seconds})
    return {name: round(statistics.median(run[name] for run in runs), 2) for name in runs[0]}


def citations(files: Sequence[Path]) -> "list[Citation]":
    """Every citation of the sample, in order."""
    return [item for file in files for item in read_file(file) if isinstance(item, Citation)]


if __name__ == "__main__":
    main()
