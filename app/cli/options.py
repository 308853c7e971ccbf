"""Options that commands share, and the settings built from them."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from models.rerank.presets import reranker_names

if TYPE_CHECKING:
    from app.settings import Settings

F = TypeVar("F", bound=Callable[..., Any])

library_option = click.option(
    "--library",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder of the library. Default: BIOGLOT_LIBRARY, or the key library of bioglot.toml, or the "
    'folder "library" in bioglot\'s user data.',
)

RERANKERS = f"{', '.join(reranker_names())}, a local cross-encoder folder or a hub name"
"""What --rerank takes, for its help."""

json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON document on standard output, and nothing else."
)


def examples(*commands: str) -> str:
    """The end of a command's help: commands to copy, a line each."""
    return "\n".join(
        ("\b", "Examples:" if len(commands) > 1 else "Example:", *(f"  {line}" for line in commands))
    )


def encoder_options(command: F) -> F:
    """Adds the four settings that choose an encoder."""
    for option in (
        click.option(
            "--precision", metavar="NAME", help="auto, float32, bfloat16 or float16. Default: auto."
        ),
        click.option("--max-tokens", type=int, metavar="N", help="Tokens of one passage."),
        click.option("--dimensions", type=int, metavar="N", help="Keep the first N dimensions."),
        click.option(
            "--model",
            metavar="NAME",
            help="Encoder: a preset (see bioglot models list), a local folder or a hub name.",
        ),
    ):
        command = option(command)
    return command


def server_options(default_port: int) -> Callable[[F], F]:
    """Adds --host and --port."""

    def add(command: F) -> F:
        port = click.option("--port", type=int, metavar="N", help=f"Port. Default: {default_port}.")
        host = click.option(
            "--host", metavar="NAME", help="Address to listen on. Default: 127.0.0.1, this machine alone."
        )
        return host(port(command))

    return add


def settings_from(**flags: object) -> "Settings":
    """The settings of this process, with the options that were given on top."""
    from app.settings import load_settings

    return load_settings(os.environ, flags)
