"""bioglot search, similar and show."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from app.cli.options import RERANKERS, examples, json_option, library_option, settings_from
from app.cli.printing import print_json
from app.query import FILTER_FIELDS, MAX_LIMIT, Mode, Query, parse_filters

if TYPE_CHECKING:
    from app.engine import SearchEngine

limit_option = click.option(
    "-n", "limit", type=click.IntRange(1, MAX_LIMIT), default=10, show_default=True, help="Hits to show."
)


@click.command(
    epilog=examples(
        'bioglot search "vacuna contra la gripe en embarazadas"',
        'bioglot search "心筋梗塞後のリハビリ" --filter year=2015: --filter type=Review',
        "bioglot search \"Herzinfarkt Rehabilitation\" -n 20 --json | jq -r '.hits[].pmid'",
    )
)
@click.argument("query")
@library_option
@limit_option
@click.option(
    "--filter",
    "filters",
    multiple=True,
    metavar="FIELD=VALUE",
    help=f"Keep what has the value; may be repeated. Fields: {', '.join(FILTER_FIELDS)}.",
)
@click.option(
    "--mode",
    type=click.Choice([mode.value for mode in Mode]),
    default=Mode.HYBRID.value,
    show_default=True,
    help="By meaning (dense), by words (lexical), or both.",
)
@click.option("--rerank", metavar="NAME", help=f"Read the best 50 anew: {RERANKERS}.")
@json_option
def search(
    query: str,
    library: Path | None,
    limit: int,
    filters: tuple[str, ...],
    mode: str,
    rerank: str | None,
    as_json: bool,
) -> None:
    """Search a library in any language."""
    from app.cli.reports import echo_page
    from app.documents import search_document

    question = Query(query, Mode(mode), parse_filters(filters), limit, rerank=rerank)
    page = _open(library, rerank).search(question)
    print_json(search_document(page)) if as_json else echo_page(page)


@click.command(epilog=examples("bioglot similar 34092429"))
@click.argument("id")
@library_option
@limit_option
@json_option
def similar(id: str, library: Path | None, limit: int, as_json: bool) -> None:
    """List the records nearest in meaning to one record.

    ID is a PMID or a DOI.
    """
    from app.cli.reports import echo_page
    from app.documents import search_document

    page = _open(library).similar(id, limit)
    print_json(search_document(page)) if as_json else echo_page(page)


@click.command(epilog=examples("bioglot show 34092429", "bioglot show 10.1016/j.vaccine.2021.05.052 --json"))
@click.argument("id")
@library_option
@json_option
def show(id: str, library: Path | None, as_json: bool) -> None:
    """Show one record, whole.

    ID is a PMID or a DOI.
    """
    from app.cli.reports import echo_citation
    from app.documents import citation_document

    citation = _open(library).show(id)
    print_json(citation_document(citation)) if as_json else echo_citation(citation)


def _open(library: Path | None, rerank: str | None = None) -> "SearchEngine":
    from app.engine import open_engine

    settings = settings_from(library=library)
    return open_engine(settings.library, settings.encoder, [rerank] if rerank is not None else [])
