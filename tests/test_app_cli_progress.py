"""Progress on standard error."""

import io

from rich.console import Console
from rich.progress import Progress as RichProgress

from app.cli.progress import BarProgress, LineProgress, open_progress


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def test_plain_lines_come_every_five_seconds_with_rate_and_remaining_time():
    clock, lines = Clock(), []
    progress = LineProgress(lines.append, clock)
    progress.start("embedding", 5000, "passages")
    for second in range(1, 13):
        clock.now = float(second)
        progress.advance(100)
    progress.note("one file set aside")
    progress.finish()
    assert lines == [
        "embedding: 5,000 passages",
        "embedding: 500 of 5,000 passages (100/s, 45 s left)",
        "embedding: 1,000 of 5,000 passages (100/s, 40 s left)",
        "one file set aside",
        "embedding: 1,200 passages in 12 s",
    ]


def test_an_unknown_total_has_no_remaining_time():
    clock, lines = Clock(), []
    progress = LineProgress(lines.append, clock)
    progress.start("reading", None, "citations")
    clock.now = 200.0
    progress.advance(1_000_000)
    progress.finish()
    assert lines == [
        "reading",
        "reading: 1,000,000 citations (5,000/s)",
        "reading: 1,000,000 citations in 3 min 20 s",
    ]


def test_a_step_that_did_nothing_ends_in_silence():
    lines = []
    progress = LineProgress(lines.append, Clock())
    progress.start("publishing", 3, "steps")
    progress.finish()
    assert lines == ["publishing: 3 steps"]


def test_the_bar_counts_each_step_and_takes_text_as_it_is():
    rich = RichProgress(console=Console(file=io.StringIO()))
    progress = BarProgress(rich)
    progress.start("reading", None, "citations")
    progress.advance(7)
    progress.finish()
    progress.start("embedding", 10, "passages")
    progress.advance(4)
    progress.note("[red]not markup[/]")
    assert [(task.completed, task.total) for task in rich.tasks] == [(7, 7), (4, 10)]
    assert "[red]not markup[/]" in rich.console.file.getvalue()


def test_without_a_terminal_there_are_lines(capsys):
    with open_progress() as progress:
        progress.note("心筋梗塞")
    assert capsys.readouterr() == ("", "心筋梗塞\n")
