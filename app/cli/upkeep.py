"""bioglot info, verify, rebuild, compact and reembed."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from app.cli.options import encoder_options, examples, json_option, library_option, settings_from
from app.cli.printing import echo_fields, print_json

if TYPE_CHECKING:
    from app.settings import Settings
    from indexer.reembed import ReembedReport

LANGUAGES_SHOWN = 10


@click.command(epilog=examples("bioglot info --library mine"))
@library_option
@json_option
def info(library: Path | None, as_json: bool) -> None:
    """Tell what a library holds."""
    from indexer.published import library_info

    found = library_info(settings_from(library=library).library)
    if as_json:
        print_json(found)
        return
    languages = sorted(found.languages.items(), key=lambda item: (-item[1], item[0]))
    shown = [f"{tag} {count:,}" for tag, count in languages[:LANGUAGES_SHOWN]]
    more = [f"and {len(languages) - len(shown)} more"] if len(languages) > len(shown) else []
    parts = [f"{name} {size / 1e6:,.1f}" for name, size in found.sizes.items()]
    echo_fields(
        {
            "library": found.path,
            "version": f"{found.version} of {found.created}",
            "records": found.citations,
            "set aside": found.set_aside and f"{found.set_aside:,} (see quarantine.jsonl)",
            "passages": found.passages,
            "years": found.years and f"{found.years[0]} to {found.years[1]}",
            "languages": ", ".join(shown + more),
            "encoder": f"{found.model}, {found.dimensions} dimensions, {found.max_tokens} tokens",
            "fingerprint": found.fingerprint,
            "unfinished": found.reembedding and f"re-embedding for {found.reembedding}",
            "index": f"{found.index}, {found.fresh_passages:,} passages not in its base yet",
            "size": f"{found.bytes / 1e6:,.1f} MB: {', '.join(parts)}",
        }
    )


@click.command(epilog=examples("bioglot verify --library mine"))
@library_option
@json_option
def verify(library: Path | None, as_json: bool) -> int:
    """Check all that a library promises.

    Counts, ids, offsets, vectors and checksums are looked at. Exits with 1 if there is a fault.
    """
    from app.cli.progress import open_progress
    from indexer.verify import verify as check

    path = settings_from(library=library).library
    with open_progress() as progress:
        report = check(path, progress)
    if as_json:
        print_json({"sound": report.sound, "faults": report.faults, "checks": report.checks})
    else:
        for fault in report.faults:
            click.echo(f"{fault.check}: {fault.detail}")
        looked = ", ".join(f"{count:,} {name}" for name, count in report.checks.items())
        click.echo(f"{len(report.faults) or 'no'} fault{'s' * (len(report.faults) != 1)} in {looked}")
    return 0 if report.sound else 1


@click.command(epilog=examples("bioglot rebuild --library mine"))
@library_option
@json_option
def rebuild(library: Path | None, as_json: bool) -> None:
    """Make a library's indexes anew.

    They are made from its records and vectors; nothing is embedded.
    """
    from app.cli.progress import open_progress
    from indexer.publish import rebuild as make_anew

    path = settings_from(library=library).library
    with open_progress() as progress:
        published = make_anew(path, progress)
    if as_json:
        print_json(published)
    else:
        click.echo(
            f"{path} is rebuilt: {published.citations:,} records in {published.passages:,} passages, "
            f"version {published.number}"
        )


@click.command(epilog=examples("bioglot compact --library mine"))
@library_option
@json_option
def compact(library: Path | None, as_json: bool) -> None:
    """Give back disk space.

    Small pieces of the tables are merged, and old versions of them are deleted. Searches go on meanwhile.
    """
    from app.cli.progress import open_progress
    from indexer.compact import compact_library

    path = settings_from(library=library).library
    with open_progress() as progress:
        report = compact_library(path, progress)
    if as_json:
        print_json(report)
    else:
        click.echo(
            f"{path}: the tables take {report.bytes_after / 1e6:,.1f} MB in {report.versions_after:,} "
            f"versions, before {report.bytes_before / 1e6:,.1f} MB in {report.versions_before:,}"
        )


@click.command(
    epilog=examples(
        "bioglot reembed --library mine --model bge-m3",
        "bioglot reembed --library mine --model bioglot-small --max-tokens 256",
    )
)
@library_option
@encoder_options
@json_option
def reembed(library: Path | None, as_json: bool, **encoder: object) -> None:
    """Change the encoder of a library.

    All records are embedded again; searches are answered from the vectors that are there until the new ones
    are complete. If the command is interrupted, run it again: it carries on. Naming the encoder that the
    library has drops what was begun.
    """
    from app.cli.progress import open_progress
    from indexer.reembed import reembed as embed_again
    from models.loading import load_encoder

    settings = settings_for_change(library, encoder)
    with open_progress() as progress:
        report = embed_again(settings.library, load_encoder(settings.chosen_encoder), progress)
    if as_json:
        print_json(report)
    else:
        echo_reembedding(report, settings.library)


def settings_for_change(library: Path | None, encoder: dict[str, object]) -> "Settings":
    """The settings with the encoder to change to: the library's own model where none is named."""
    from indexer.published import published_pointer
    from models.errors import UsageError

    settings = settings_from(library=library, **encoder)
    held = published_pointer(settings.library)
    if settings.encoder is None:
        raise UsageError("no encoder is named: say which one the library is to have with --model NAME")
    if encoder["model"] is None and settings_from(library=library).encoder is None:
        return settings_from(library=library, **encoder | {"model": held.model})
    return settings


def echo_reembedding(report: "ReembedReport", library: Path) -> None:
    """Writes what was done."""
    if report.dropped:
        click.echo(f"the unfinished re-embedding for {report.dropped} is dropped")
    if not report.changed:
        click.echo(f"{library} has the encoder {report.model} already: nothing to do")
        return
    pace = f" at {report.passages_per_second:,.0f}/s" if report.passages_embedded else ""
    click.echo(
        f"{report.passages_embedded:,} passages embedded{pace}, {report.passages_reused:,} kept from before"
    )
    click.echo(
        f"{library} now has the encoder {report.model} instead of {report.previous_model}: "
        f"{report.citations:,} records in {report.passages:,} passages ({report.seconds:,.0f} s)"
    )
