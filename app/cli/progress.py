"""Progress on standard error: a bar on a terminal, a plain line every few seconds elsewhere."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import click

from app.cli.printing import clean
from indexer.progress import Progress

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import ProgressColumn, TaskID

LINE_SECONDS = 5.0


@contextlib.contextmanager
def open_progress() -> Iterator[Progress]:
    """The progress that fits standard error; whatever happens, the terminal is left in order."""
    if not sys.stderr.isatty():
        yield LineProgress()
        return
    with _rich_progress() as rich:
        yield BarProgress(rich)


class LineProgress:
    """Writes a line when a step starts, about every five seconds, and when it ends."""

    def __init__(
        self,
        write: Callable[[str], object] = lambda line: click.echo(line, err=True),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._write = write
        self._clock = clock
        self._what = self._unit = ""
        self._total: int | None = None
        self._done = 0
        self._started = self._written = 0.0

    def start(self, what: str, total: int | None, unit: str) -> None:
        self._what, self._total, self._unit, self._done = what, total, unit, 0
        self._started = self._written = self._clock()
        self._write(what if total is None else f"{what}: {total:,} {unit}")

    def advance(self, n: int = 1) -> None:
        self._done += n
        now = self._clock()
        if now - self._written >= LINE_SECONDS:
            self._written = now
            self._write(f"{self._what}: {self._count()}{self._pace(now - self._started)}")

    def finish(self) -> None:
        seconds = self._clock() - self._started
        if self._done:
            self._write(f"{self._what}: {self._done:,} {self._unit} in {_duration(seconds)}")

    def note(self, message: str) -> None:
        self._write(clean(message))

    def _count(self) -> str:
        return f"{self._done:,}" + (f" of {self._total:,}" if self._total else "") + f" {self._unit}"

    def _pace(self, seconds: float) -> str:
        rate = self._done / seconds if seconds > 0 else 0.0
        if not rate:
            return ""
        left = [f"{_duration((self._total - self._done) / rate)} left"] if self._total else []
        return f" ({', '.join([_rate(rate), *left])})"


class BarProgress:
    """One bar for each step, with count, rate and remaining time."""

    def __init__(self, rich: "RichProgress") -> None:
        self._rich = rich
        self._task: TaskID | None = None
        self._done = 0

    def start(self, what: str, total: int | None, unit: str) -> None:
        self._task = self._rich.add_task(what, total=total, unit=unit)
        self._done = 0

    def advance(self, n: int = 1) -> None:
        self._done += n
        if self._task is not None:
            self._rich.update(self._task, completed=self._done)

    def finish(self) -> None:
        if self._task is not None:
            self._rich.update(self._task, total=self._done, completed=self._done)

    def note(self, message: str) -> None:
        self._rich.console.print(clean(message), markup=False, highlight=False)


def _rich_progress() -> "RichProgress":
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        _count_column(),
        TimeRemainingColumn(elapsed_when_finished=True),
        console=Console(stderr=True),
    )


def _count_column() -> "ProgressColumn":
    """A column such as "1,234 of 5,000 passages · 83/s"."""
    from rich.progress import ProgressColumn, Task
    from rich.text import Text

    class Count(ProgressColumn):
        def render(self, task: Task) -> Text:
            total = f" of {task.total:,.0f}" if task.total else ""
            rate = task.finished_speed or task.speed
            pace = f" · {_rate(rate)}" if rate else ""
            return Text(f"{task.completed:,.0f}{total} {task.fields.get('unit', '')}{pace}")

    return Count()


def _rate(per_second: float) -> str:
    return f"{per_second:,.0f}/s" if per_second >= 10 else f"{per_second:.1f}/s"


def _duration(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
