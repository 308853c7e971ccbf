"""bioglot search, similar and show."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from app.cli.options import RERANKERS, examples, json_option, library_option, settings_from
from app.cli.printing import clean, print_json
from app.query import FILTER_FIELDS, MAX_LIMIT, Mode, Prior, Query, Sort, parse_filters

if TYPE_CHECKING:
    from app.engine import SearchEngine

limit_option = click.option(
    "-n", "limit", type=click.IntRange(1, MAX_LIMIT), default=10, show_default=True, help="Hits to show."
)
filter_option = click.option(
    "--filter",
    "filters",
    multiple=True,
    metavar="FIELD=VALUE",
    help=f"Keep what has the value; may be repeated. Fields: {', '.join(FILTER_FIELDS)}.",
)
mode_option = click.option(
    "--mode",
    type=click.Choice([mode.value for mode in Mode]),
    default=Mode.HYBRID.value,
    show_default=True,
    help="By meaning (dense), by words (lexical), or both.",
)
sort_option = click.option(
    "--sort",
    type=click.Choice([sort.value for sort in Sort]),
    default=Sort.RELEVANCE.value,
    show_default=True,
    help="Order of the hits; dates with the newest first.",
)


@click.command(
    epilog=examples(
        'bioglot search "vacuna contra la gripe en embarazadas"',
        'bioglot search "心筋梗塞後のリハビリ" --filter year=2015: --filter type=Review',
        "bioglot search '\"heart failure\"[tiab] AND 2020:2024[dp]' --sort date --record search.json",
        "bioglot search --replay search.json",
        "bioglot search \"Herzinfarkt Rehabilitation\" -n 20 --json | jq -r '.hits[].pmid'",
    )
)
@click.argument("query", required=False)
@library_option
@limit_option
@filter_option
@mode_option
@sort_option
@click.option(
    "--prior",
    type=click.Choice([prior.value for prior in Prior]),
    default=Prior.NONE.value,
    show_default=True,
    help="Move recent papers, strong kinds of study, or both up a little.",
)
@click.option("--rerank", metavar="NAME", help=f"Read the best 50 anew: {RERANKERS}.")
@click.option("--no-collapse", is_flag=True, help="List every record of an article that has several.")
@click.option(
    "--record",
    "record_file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write the record of the search as JSON, to report and to repeat it.",
)
@click.option(
    "--replay",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE",
    help="Repeat the search of a record and say what has changed since.",
)
@json_option
@click.pass_context
def search(
    context: click.Context,
    /,
    query: str | None,
    library: Path | None,
    record_file: Path | None,
    replay: Path | None,
    as_json: bool,
    **options: Any,  # noqa: ANN401
) -> None:
    """Search a library in any language.

    QUERY is a question, words, identifiers, or a query in the syntax of PubMed, such as
    '"heart failure"[tiab] AND 2020:2024[dp]'.
    """
    from app.cli.reports import echo_page
    from app.documents import search_document
    from app.record import changes, read_record, record_json
    from indexer.files import write_atomic

    before = None if replay is None else read_record(replay)
    if before is not None:
        refuse_with_replay(context)
    if record_file is not None and not record_file.parent.is_dir():
        raise click.UsageError(f"--record: no folder {str(record_file.parent)!r} to write to")
    question = typed_query(query, options) if before is None else before.query
    engine = open_search(library, question.rerank)
    page = engine.explain(engine.search(question))
    if engine.mesh is None and asks_narrower(question.text):
        click.echo("narrower headings are not included: run `bioglot fetch mesh`", err=True)
    if record_file is not None and page.record is not None:
        write_atomic(record_file, record_json(page.record))
    print_json(search_document(page)) if as_json else echo_page(page)
    if before is not None and page.record is not None:
        for line in changes(before, page.record) or ["the same list as before"]:
            click.echo(clean(line), err=True)


def typed_query(text: str | None, options: dict[str, Any]) -> Query:
    """The query that the command line gives; raises UsageError."""
    if text is None:
        raise click.UsageError("give a QUERY, or --replay FILE")
    return Query(
        text,
        Mode(options["mode"]),
        parse_filters(options["filters"]),
        options["limit"],
        sort=Sort(options["sort"]),
        prior=Prior(options["prior"]),
        collapse=not options["no_collapse"],
        rerank=options["rerank"],
    )


def asks_narrower(text: str) -> bool:
    """Whether the text is a Boolean query with a heading that stands for those below it as well."""
    from app.syntax.evaluate import fields_asked
    from app.syntax.fields import EXPLODED_FIELDS
    from app.syntax.parse import is_boolean, parse_boolean

    return is_boolean(text) and not EXPLODED_FIELDS.isdisjoint(fields_asked(parse_boolean(text)))


def refuse_with_replay(context: click.Context) -> None:
    """A record says what is searched and how: raises UsageError for an option that says so too."""
    for name in ("query", "limit", "filters", "mode", "sort", "prior", "rerank", "no_collapse"):
        if context.get_parameter_source(name) not in (None, ParameterSource.DEFAULT):
            raise click.UsageError(f"--replay repeats the search of its file: leave out {name}")


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

    page = open_search(library).similar(id, limit)
    print_json(search_document(page)) if as_json else echo_page(page)


@click.command(epilog=examples("bioglot show 34092429", "bioglot show 10.1016/j.vaccine.2021.05.052 --json"))
@click.argument("id")
@library_option
@json_option
def show(id: str, library: Path | None, as_json: bool) -> None:
    """Show one record, whole, and which files it was read from.

    ID is a PMID or a DOI. Where several sources tell of one work, it says which field came from which.
    """
    from app.cli.reports import echo_citation
    from app.documents import citation_document

    engine = open_search(library)
    citation = engine.show(id)
    origins = engine.origins(citation)
    if as_json:
        print_json(citation_document(citation, origins))
    else:
        echo_citation(citation, origins)


def open_search(library: Path | None, rerank: str | None = None) -> "SearchEngine":
    """The engine over the library that the settings name."""
    from app.engine import open_engine
    from indexer.mesh import read_mesh

    settings = settings_from(library=library)
    rerankers = [rerank] if rerank is not None else []
    return open_engine(settings.library, settings.encoder, rerankers, read_mesh(settings.home))
