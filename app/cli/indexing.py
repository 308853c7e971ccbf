"""bioglot index."""

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

import click

from app.cli.options import encoder_options, examples, json_option, library_option, settings_from
from app.cli.printing import clean, print_json

if TYPE_CHECKING:
    from app.settings import Settings
    from indexer.job import IndexReport
    from models.encoder import Encoder

SET_ASIDE = 3


@click.command(
    epilog=examples(
        "bioglot index pubmed21n0001.xml.gz --library mine",
        "bioglot index downloads/ --library mine --model bge-m3 --precision float16",
        "bioglot index --retry-quarantine --library mine",
    )
)
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PATH]...")
@library_option
@click.option("--source", metavar="NAME", help="Format of the files, where their content does not tell.")
@click.option("--encoding", metavar="NAME", help="Encoding of text files, where a guess at it is wrong.")
@click.option(
    "--column",
    "columns",
    multiple=True,
    metavar="FIELD=HEADING",
    help="Which column of a table holds a field, where its heading does not tell; may be repeated.",
)
@click.option(
    "--retry-quarantine", is_flag=True, help="Read again the records that the library has set aside."
)
@click.option(
    "--again", is_flag=True, help="Read PubMed's numbered files even if the library has taken them in before."
)
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Stop after N records.")
@encoder_options
@json_option
def index(
    paths: tuple[Path, ...],
    library: Path | None,
    source: str | None,
    encoding: str | None,
    columns: tuple[str, ...],
    retry_quarantine: bool,
    again: bool,
    limit: int | None,
    as_json: bool,
    **encoder: object,
) -> int:
    """Index files into a library.

    PATH is a file, a zip archive or a folder: PubMed XML, PubMed's text format (.nbib) or RIS, each packed
    or not (.gz, .xz, .zst). Records that the library has already are updated, and deleted where a file says
    so. What was embedded before is not embedded again. If the command is interrupted, run it again: it
    carries on.

    A record that cannot be read is set aside in quarantine.jsonl in the library and the others go in; the
    exit code is then 3. There, it may be mended by hand and read again with --retry-quarantine.
    """
    from app.cli.progress import open_progress
    from indexer import job
    from indexer.sources.columns import read_choices
    from indexer.sources.detect import Hints, find_files
    from indexer.sources.text import named_encoding

    if bool(paths) == retry_quarantine:
        raise click.UsageError("give either a PATH to index or --retry-quarantine")
    find_files(paths, source)  # A wrong path is told before the encoder is loaded.
    hints = Hints(source, named_encoding(encoding) if encoding else None, read_choices(columns))
    settings = settings_from(library=library, **encoder)
    with open_progress() as progress:
        use = (library_encoder(settings), progress)
        if retry_quarantine:
            report = job.retry_quarantine(settings.library, *use)
        else:
            report = job.index_files(paths, settings.library, *use, hints=hints, limit=limit, again=again)
    return tell(report, settings.library, as_json)


def tell(report: "IndexReport", library: Path, as_json: bool) -> int:
    """Writes what was done, and what was set aside; the exit code."""
    if as_json:
        print_json(report)
    else:
        echo_report(report, library)
    return report_faults(report)


def library_encoder(settings: "Settings") -> "Encoder":
    """The encoder that the settings choose, else the library's own, else the default."""
    from indexer.errors import LibraryError
    from indexer.library import open_library
    from models.loading import load_encoder

    chosen = settings.chosen_encoder
    if settings.encoder is None:
        with contextlib.suppress(LibraryError):
            chosen = open_library(settings.library).encoder.settings
    return load_encoder(chosen)


def echo_report(report: "IndexReport", library: Path) -> None:
    """Writes what was done."""
    click.echo(
        f"{report.read:,} records read: {report.added:,} added, {report.updated:,} updated, "
        f"{report.unchanged:,} unchanged, {report.superseded:,} older than what is there, "
        f"{report.deleted:,} deleted"
    )
    if report.merged:
        click.echo(f"{report.merged:,} of those updated joined a work that other records tell of")
    if report.passed_over:
        files, them = ("file was", "it") if report.passed_over == 1 else ("files were", "them")
        click.echo(f"{report.passed_over:,} {files} taken in before (--again reads {them} again)")
    pace = f" at {report.passages_per_second:,.0f}/s" if report.passages_embedded else ""
    click.echo(
        f"{report.passages_embedded:,} passages embedded{pace}, {report.passages_reused:,} kept from before"
    )
    click.echo(
        f"{library} now holds {report.citations:,} records in {report.passages:,} passages "
        f"({report.seconds:,.0f} s)"
    )


def report_faults(report: "IndexReport") -> int:
    """Lists on standard error what was set aside; the exit code."""
    for fault in report.faults:
        click.echo(clean(f"set aside: {fault}"), err=True)
    return SET_ASIDE if report.faults else 0
