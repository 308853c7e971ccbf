"""The command `bioglot`: finds the subcommand, turns errors into one line and an exit code."""

import contextlib
import difflib
import importlib
import io
import os
import sys
from collections.abc import Sequence

import click

from app.cli.options import examples
from models.errors import BioglotError

COMMANDS = {
    "demo": "app.cli.demo:demo",
    "fetch": "app.cli.demo:fetch",
    "index": "app.cli.indexing:index",
    "search": "app.cli.searching:search",
    "similar": "app.cli.searching:similar",
    "show": "app.cli.searching:show",
    "export": "app.cli.exporting:export",
    "ui": "app.cli.serving:ui",
    "serve": "app.cli.serving:serve",
    "info": "app.cli.upkeep:info",
    "verify": "app.cli.upkeep:verify",
    "rebuild": "app.cli.upkeep:rebuild",
    "compact": "app.cli.upkeep:compact",
    "reembed": "app.cli.upkeep:reembed",
    "evaluate": "app.cli.evaluating:evaluate",
    "models": "app.cli.encoders:models",
    "train": "app.cli.training:train",
    "runs": "app.cli.runs:runs",
}
"""Every subcommand and where it lives; a module is imported when its command is asked for."""

INTERRUPTED = 130


class LazyGroup(click.Group):
    """A group that imports a subcommand on demand and suggests the nearest name for a wrong one."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            nearest = difflib.get_close_matches(args[0], COMMANDS, n=1)
            hint = f"did you mean {nearest[0]}?" if nearest else f"the commands are {', '.join(COMMANDS)}"
            ctx.fail(f"no command {args[0]!r}; {hint}")
        return super().resolve_command(ctx, args)


@click.command(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=examples(
        "bioglot demo",
        "bioglot index pubmed21n0001.xml.gz --library mine",
        'bioglot search "vacuna contra la gripe" --library mine',
    ),
)
@click.version_option(package_name="bioglot", message="%(prog)s %(version)s")
def cli() -> None:
    """Search the biomedical literature in any language.

    Settings come from bioglot.toml in the current folder (or the file that BIOGLOT_CONFIG names), then
    from variables such as BIOGLOT_LIBRARY and BIOGLOT_MODEL, then from options. Without --library, the
    library is the folder "library" under BIOGLOT_HOME, by default bioglot's folder in your user data.

    Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done with some input set aside.
    """


def main() -> None:
    """Entry point of the console script; what the terminal's encoding cannot show becomes a question mark."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Runs one command line and returns its exit code; expected failures are one line on standard error."""
    try:
        code = cli.main(list(arguments), prog_name="bioglot", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return _fail("interrupted; what was finished is kept, and the same command carries on", INTERRUPTED)
    except BioglotError as error:
        return _fail(str(error), error.exit_code)
    except BrokenPipeError:
        _discard_output()
        return 1
    except UnicodeEncodeError as error:
        return _fail(f"{error.object!r} is not text: it holds bytes that are not UTF-8", 2)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        return _fail(f"{place}{error.strerror or error}", 1)


def _fail(message: str, code: int) -> int:
    with contextlib.suppress(BrokenPipeError):
        click.echo(f"bioglot: {message}", err=True)
    return code


def _discard_output() -> None:
    """Lets the interpreter flush at exit though the reader of standard output is gone."""
    null = os.open(os.devnull, os.O_WRONLY)
    with contextlib.suppress(OSError, ValueError):
        os.dup2(null, sys.stdout.fileno())
    os.close(null)
