"""bioglot export."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from app.cli.options import examples, library_option, settings_from
from app.cli.searching import filter_option, mode_option, open_search, sort_option

if TYPE_CHECKING:
    from indexer.citation import Citation
    from indexer.progress import Progress

FORMATS = ("ris", "nbib", "bibtex", "csv", "jsonl")


@click.command(
    epilog=examples(
        'bioglot export "vacuna contra la gripe" --format ris --output gripe.ris',
        "bioglot export '\"heart failure\"[tiab] AND 2020:[dp]' --format nbib > heart.nbib",
        "bioglot export --all --format jsonl --library mine --output mine.jsonl",
    )
)
@click.argument("query", required=False)
@library_option
@click.option("--all", "whole", is_flag=True, help="Every record of the library, in place of a QUERY.")
@click.option(
    "--format", type=click.Choice(FORMATS), required=True, help="RIS, PubMed's text format, BibTeX, JSON."
)
@click.option(
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Where to write; standard output if not given.",
)
@filter_option
@mode_option
@sort_option
@click.option("-n", "limit", type=click.IntRange(1), metavar="N", help="The first N records alone.")
def export(
    query: str | None,
    library: Path | None,
    whole: bool,
    format: str,
    output: Path | None,
    filters: tuple[str, ...],
    mode: str,
    sort: str,
    limit: int | None,
) -> None:
    """Write the records that a query finds, all of them, for reference managers and other programs.

    QUERY is as for search. JSON, a record a line, holds everything that bioglot knows of a record; what is
    written in any of the formats can be indexed again.
    """
    from app.cli.progress import open_progress

    if (query is not None) == whole:
        raise click.UsageError("give either a QUERY or --all")
    if output is not None and not output.parent.is_dir():
        raise click.UsageError(f"--output: no folder {str(output.parent)!r} to write to")
    with open_progress() as progress:
        citations = found(query, library, filters, mode, sort, limit)
        count = write(citations, format, output, progress)
    click.echo(f"{count:,} record{'s' * (count != 1)} written", err=True)


def found(
    query: str | None,
    library: Path | None,
    filters: tuple[str, ...],
    mode: str,
    sort: str,
    limit: int | None,
) -> "Iterable[Citation]":
    """The records asked for; raises UsageError for a query that makes no sense."""
    from itertools import islice

    from app.export import all_citations, matched_citations
    from app.query import Mode, Query, Sort, parse_filters

    if query is None:
        return islice(all_citations(settings_from(library=library).library), limit)
    asked = Query(query, Mode(mode), parse_filters(filters), sort=Sort(sort))
    return matched_citations(open_search(library), asked, limit)


def write(citations: "Iterable[Citation]", format: str, output: Path | None, progress: "Progress") -> int:
    """Writes them to standard output, or to a file that is there whole or not at all; how many."""
    from indexer.exports.formats import write_citations
    from indexer.files import writing_atomic

    progress.start("writing", None, "records")
    count = 0

    def counted() -> "Iterator[Citation]":
        nonlocal count
        for citation in citations:
            yield citation
            count += 1
            progress.advance()

    target: AbstractContextManager[IO[bytes]] = nullcontext(sys.stdout.buffer)
    if output is not None:
        target = writing_atomic(output)
    with target as file:
        for text in write_citations(counted(), format):
            file.write(text.encode())
    progress.finish()
    return count
