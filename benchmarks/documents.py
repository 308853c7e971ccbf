"""The generated part of a document: what stands between two markers."""

import datetime
from pathlib import Path

from machine import describe_machine

from indexer.files import write_atomic

DOCS = Path(__file__).parents[1] / "docs"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"


def replace_measured(path: Path, text: str) -> None:
    """Put the text between the markers of a document; raises SystemExit if it has none."""
    document = path.read_text(encoding="utf-8")
    before, begin, rest = document.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise SystemExit(f"{path}: no {BEGIN} and {END}")
    write_atomic(path, f"{before}{BEGIN}\n\n{text.strip()}\n\n{END}{after}".encode())


def measured_on() -> str:
    """A sentence that says when and on what."""
    machine = describe_machine()
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    return (
        f"Measured on {today} on {machine['cores']} cores of {machine['processor']}, "
        f"Python {machine['python']}."
    )


def table(heading: list[str], rows: list[list[str]], left: int = 1) -> str:
    """A table in Markdown; columns behind the first `left` are aligned to the right."""
    rule = ["---" if place < left else "---:" for place in range(len(heading))]
    return "\n".join(f"| {' | '.join(row)} |" for row in [heading, rule, *rows])


def share(value: float) -> str:
    """A share as this project writes it: .874."""
    return f"{value:.3f}".replace("0.", ".", 1)
