"""Mangled files of every source, made by a fuzzer that watches which code they reach.

Needs atheris (`pip install atheris`). Whatever comes out but records, records set aside, remarks and a
SourceError is a fault: it is printed with the input that causes it, and the exit code is 1.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import seeds
from machine import describe_machine

_RUNS = re.compile(r"Done (\d+) runs in (\d+) second")


def main() -> int:
    """Fuzzes each source in a process of its own; prints how many inputs were tried."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=int, default=60, metavar="N", help="for each source; 60")
    parser.add_argument("--source", action="append", metavar="NAME", help="only this one; may be repeated")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    arguments, rest = parser.parse_known_args()
    if arguments.child:
        fuzz(arguments.child, rest)
    inputs, failed = {}, []
    for source in arguments.source or seeds.records():
        runs, fault = watch(source, arguments.seconds)
        inputs[source] = runs
        if fault:
            failed.append(source)
            print(fault, file=sys.stderr)
    document = {"inputs": inputs, "all": sum(inputs.values()), "faults": failed, "seconds": arguments.seconds}
    print(json.dumps(document | {"machine": describe_machine()}, indent=2))
    return 1 if failed else 0


def watch(source: str, seconds: int) -> tuple[int, str]:
    """How many inputs of a source were tried, and what the fuzzer says if one was a fault."""
    with tempfile.TemporaryDirectory() as folder:
        for number, data in enumerate(seeds.records()[source]):
            Path(folder, f"seed-{number}").write_bytes(data)
        command = [sys.executable, __file__, "--child", source, folder]
        limits = [f"-max_total_time={seconds}", "-timeout=60", "-rss_limit_mb=4096", "-max_len=60000"]
        limits.append(f"-artifact_prefix={Path.cwd()}/{source}-")
        done = subprocess.run(
            [*command, *limits], stderr=subprocess.PIPE, encoding="utf-8", errors="replace", check=False
        )
    told = _RUNS.search(done.stderr)
    return int(told[1]) if told else 0, "" if done.returncode == 0 else done.stderr[-6000:]


def fuzz(source: str, options: Sequence[str]) -> None:
    """Runs until the time is up; never returns."""
    import atheris

    with atheris.instrument_imports(include=["indexer.sources"]):
        from indexer.sources.detect import Hints, read_file
        from indexer.sources.errors import SourceError
    path = Path(tempfile.mkdtemp(dir="/dev/shm"), "fuzzed")

    def read(data: bytes) -> None:
        path.write_bytes(data)
        try:
            for _ in read_file(path, Hints(source)):
                pass
        except SourceError:
            pass

    atheris.Setup([sys.argv[0], *options], read)
    atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
