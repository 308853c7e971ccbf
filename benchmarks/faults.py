"""Kill real jobs at their writes and at random moments: is the library whole after each?"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from machine import describe_machine

ROOT = Path(__file__).parents[1]
JOBS = ("index", "update", "join", "retry", "rebuild", "compact", "reembed", "migrate", "update-older")


def main() -> int:
    """Prints how often each job was killed and what was found; 1 if anything did not hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=int, metavar="N", help="points of each job, evenly; all of them")
    parser.add_argument("--moments", type=int, default=20, metavar="N", help="random moments of each job; 20")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="chooses the moments; 1")
    parser.add_argument("--job", choices=JOBS, action="append", help="only this job; may be repeated")
    options = parser.parse_args()
    jobs = []
    for job in options.job or JOBS:
        with tempfile.TemporaryDirectory() as folder:
            jobs.append(summary(kill(job, Path(folder), options)))
        print(f"{job}: {jobs[-1]['kills']} kills", file=sys.stderr)
    document = {
        "machine": describe_machine(),
        "seed": options.seed,
        "jobs": jobs,
        "kills": sum(job["kills"] for job in jobs),
        "sound": not any(job["wrong"] for job in jobs),
    }
    json.dump(document, sys.stdout, ensure_ascii=False, indent=2)
    print()
    return 0 if document["sound"] else 1


def kill(job: str, folder: Path, options: argparse.Namespace) -> dict[str, object]:
    """What tests/faults.py tells of one job."""
    command = [sys.executable, "-W", "ignore", "-m", "tests.faults", str(folder), job]
    command += ["--moments", str(options.moments), "--seed", str(options.seed)]
    command += [] if options.points is None else ["--points", str(options.points)]
    run = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=False)
    if not run.stdout:
        raise SystemExit(f"{job} could not be prepared")
    return json.loads(run.stdout)


def summary(document: dict[str, object]) -> dict[str, object]:
    """Counts of one job, and every kill after which something did not hold."""
    kills = document["kills"]
    return {
        "job": document["job"],
        "points": document["points"],
        "seconds": document["seconds"],
        "kills": len(kills),
        "at_points": sum(not kill["place"].endswith(" s") for kill in kills),
        "readers_saw": dict(Counter(kill["state"] for kill in kills)),
        "kill_seconds": round(sum(kill["seconds"] for kill in kills), 1),
        "wrong": [kill for kill in kills if kill["wrong"]],
    }


if __name__ == "__main__":
    sys.exit(main())
