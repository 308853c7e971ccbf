"""Real jobs killed at each change that they make to a library, and what must hold after each kill.

As a program (`python -m tests.faults FOLDER JOB ...`) it prepares a job once, kills it again and again, each
time on a copy of the same library, and prints one JSON document. The program never touches Lance itself: it
forks a process for all that does, since the threads of Lance do not survive a fork.
"""

import argparse
import itertools
import json
import multiprocessing
import os
import random
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.faults_jobs import (
    JOBS,
    Job,
    answers,
    contents,
    follow,
    leftovers,
    let_go,
    prepare_inputs,
    small_steps,
    warm_up,
)
from tests.faults_points import Points

FORK = multiprocessing.get_context("fork")


@dataclass(frozen=True)
class Kill:
    """One kill and what was found after it.

    place: the point, or the moment in seconds. state: what a reader saw, "old" or "new". wrong: what did not
    hold.
    """

    job: str
    place: str
    state: str
    wrong: tuple[str, ...]
    seconds: float


@dataclass(frozen=True)
class Undisturbed:
    """What the job does when nobody kills it: its points, and what readers see before and after."""

    points: tuple[str, ...]
    seconds: float
    old: object
    new: object
    contents: object


def fsync(descriptor: int) -> None:
    """Stands in for that of the system: a kill loses nothing that the system holds, and a disk is slow."""


def forked(function: Callable[..., object], *arguments: object) -> object:
    """What the function returns in a process of its own; an error there is one here."""
    receive, send = FORK.Pipe(duplex=False)

    def work() -> None:
        try:
            send.send((True, function(*arguments)))
        except BaseException:
            send.send((False, traceback.format_exc()))

    process = FORK.Process(target=work)
    process.start()
    send.close()
    try:
        done, result = receive.recv()
    except EOFError:
        done, result = False, "the process ended without an answer"
    process.join()
    if not done:
        raise RuntimeError(result)
    return result


def killed(job: Job, library: Path, inputs: Path, point: int | None, moment: float | None) -> bool:
    """Run the job and kill it at a point or after a time; whether it was killed before it was done."""

    def work() -> None:
        small_steps()
        if point is not None:
            Points(library).install(point)
        job.run(library, inputs)
        os._exit(0)

    process = FORK.Process(target=work)
    process.start()
    if moment is not None:
        process.join(moment)
        process.kill()
    process.join()
    if process.exitcode not in (0, -signal.SIGKILL):
        raise RuntimeError(f"{job.name} ended with {process.exitcode}")
    return process.exitcode != 0


def start(job: Job, library: Path, inputs: Path) -> None:
    """The library that a job begins with."""
    small_steps()
    job.start(library, inputs)


def watched(job: Job, library: Path, inputs: Path) -> tuple[tuple[str, ...], float]:
    """Run the job to its end; its points and its seconds."""
    small_steps()
    points = Points(library)
    points.install(None)
    begun = time.perf_counter()
    job.run(library, inputs)
    points.stop()
    return tuple(points.seen), time.perf_counter() - begun


def undisturbed(job: Job, folder: Path, inputs: Path) -> Undisturbed:
    """Make `start`, the library of a job as it begins, and `whole`, as it ends."""
    forked(start, job, folder / "start", inputs)
    old = forked(answers, folder / "start")
    copy(folder / "start", folder / "whole")
    points, seconds = forked(watched, job, folder / "whole", inputs)
    return Undisturbed(
        points, seconds, old, forked(answers, folder / "whole"), forked(contents, folder / "whole")
    )


def copy(start: Path, library: Path) -> None:
    """A copy of a library as plain files; of none, none."""
    shutil.rmtree(library, ignore_errors=True)
    if start.exists():
        shutil.copytree(start, library)


def after_kill(job: Job, library: Path, inputs: Path, whole: Undisturbed) -> tuple[str, list[str]]:
    """What a reader saw, and all that does not hold: before the next run, after it, and after an update."""
    small_steps()
    seen = answers(library)
    state = "old" if seen == whole.old else "new" if seen == whole.new else "neither"
    wrong = [f"a reader sees neither the old set nor the new one: {seen}"] if state == "neither" else []
    wrong += [f"verify after the kill: {line}" for line in faults_of(library)]
    job.run(library, inputs)
    wrong += [f"verify after the next run: {line}" for line in faults_of(library)]
    found = contents(library)
    wrong += [
        f"{name} differs from that of an undisturbed run"
        for name, value in whole.contents.items()
        if found[name] != value
    ]
    follow(library, inputs, job.encoder)
    let_go(library)
    wrong += [f"left over: {name}" for name in leftovers(library)]
    return state, wrong


def faults_of(library: Path) -> list[str]:
    """What verify finds in the published set; that there is none yet, or an older one, is no fault."""
    from indexer.errors import LibraryError
    from indexer.progress import Silent
    from indexer.verify import verify

    try:
        return [f"{fault.check}: {fault.detail}" for fault in verify(library, Silent()).faults]
    except LibraryError as error:
        told = ("no library at", "has never been published", "was made by an older version")
        return [] if any(text in str(error) for text in told) else [str(error)]


def try_kill(
    job: Job, folder: Path, inputs: Path, whole: Undisturbed, point: int | None, moment: float | None = None
) -> Kill | None:
    """Kill the job on a copy of its library and look; None if it was done before it could be killed."""
    begun = time.perf_counter()
    library = folder / "killed"
    copy(folder / "start", library)
    if not killed(job, library, inputs, point, moment):
        return None
    place = whole.points[point] if point is not None else f"{moment:.3f} s"
    try:
        state, wrong = forked(after_kill, job, library, inputs, whole)
    except RuntimeError as error:
        state, wrong = "broken", [str(error)]
    return Kill(job.name, place, state, tuple(wrong), time.perf_counter() - begun)


def chosen(count: int, points: Sequence[str]) -> list[int]:
    """So many points, evenly; points in the folder of a set, one after the other, count as one if need be.

    They are most of all, and before library.json names the set nothing depends on them.
    """
    runs = itertools.groupby(range(len(points)), lambda number: " sets/" in points[number] or number)
    numbers = [(run := list(group))[len(run) // 2] for _, group in runs]
    if count > len(numbers):
        numbers = list(range(len(points)))
    count = min(count, len(numbers))
    step = (len(numbers) - 1) / max(count - 1, 1)
    return [numbers[round(place * step)] for place in range(count)]


def campaign(
    job: Job, folder: Path, points: int | None, moments: int, chance: random.Random
) -> "tuple[Undisturbed, list[Kill]]":
    """Kill a job at so many points (None: all) and at so many random moments."""
    os.fsync = fsync
    warm_up()
    inputs = prepare_inputs(folder)
    whole = undisturbed(job, folder, inputs)
    numbers = chosen(len(whole.points) if points is None else points, whole.points)
    kills = [try_kill(job, folder, inputs, whole, number) for number in numbers]
    seconds = whole.seconds
    while moments:
        moment = chance.uniform(0, seconds)
        kill = try_kill(job, folder, inputs, whole, None, moment)
        moments -= kill is not None
        kills.append(kill)
        seconds = moment if kill is None else seconds  # It was quicker than when it was watched.
    return whole, [kill for kill in kills if kill is not None]


def main(arguments: Sequence[str]) -> int:
    """Writes one JSON document; 1 if anything did not hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("job", choices=JOBS)
    parser.add_argument("--points", type=int, metavar="N", help="kill at N points; all if it is not given")
    parser.add_argument("--moments", type=int, default=0, metavar="N", help="kill at N random moments too")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    options = parser.parse_args(arguments)
    whole, kills = campaign(
        JOBS[options.job], options.folder, options.points, options.moments, random.Random(options.seed)
    )
    document = {
        "job": options.job,
        "points": len(whole.points),
        "seconds": round(whole.seconds, 3),
        "kills": [asdict(kill) for kill in kills],
    }
    json.dump(document, sys.stdout, ensure_ascii=False)
    return 1 if any(kill.wrong for kill in kills) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
