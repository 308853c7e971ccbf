"""bioglot ui and serve."""

from pathlib import Path

import click

from app.cli.options import RERANKERS, examples, library_option, server_options, settings_from

UI_PORT = 8501
API_PORT = 8000


@click.command(epilog=examples("bioglot ui --library mine"))
@library_option
@server_options(UI_PORT)
def ui(library: Path | None = None, host: str | None = None, port: int | None = None) -> None:
    """Open the search page.

    It is on http://localhost:8501, with the API of bioglot serve beside it.
    """
    from app.api.listening import bind, listen
    from app.ui.page_server import page_app

    settings = settings_from(library=library, host=host, port=port)
    bound = bind(settings.host, UI_PORT if settings.port is None else settings.port)
    listen(page_app(settings), bound, "the search page is at")


@click.command(
    epilog=examples(
        "bioglot serve --library mine",
        'curl "http://localhost:8000/v1/search?q=Herzinfarkt&filter=year=2015:"',
    )
)
@library_option
@server_options(API_PORT)
@click.option(
    "--rerank",
    "rerankers",
    multiple=True,
    metavar="NAME",
    help=f"Let requests ask for this reranker; may be repeated: {RERANKERS}.",
)
def serve(library: Path | None, host: str | None, port: int | None, rerankers: tuple[str, ...]) -> None:
    """Serve the HTTP API.

    It is on http://localhost:8000/v1/search; its OpenAPI schema is at /v1/openapi.json.
    """
    from app.api.listening import bind, listen
    from app.api.service import create_app
    from app.engine import open_engine
    from indexer.mesh import read_mesh

    settings = settings_from(library=library, host=host, port=port)
    bound = bind(settings.host, API_PORT if settings.port is None else settings.port)
    engine = open_engine(settings.library, settings.encoder, rerankers, read_mesh(settings.home))
    listen(create_app(engine), bound, "the API is at")
