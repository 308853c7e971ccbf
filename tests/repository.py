"""What tests of the repository share: its files, and the commands that exist."""

import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from app.cli.main import cli

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("models", "indexer", "app")


def git_files() -> list[Path]:
    """Files of the work tree that are committed or would be."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout.decode("utf-8")
    return [ROOT / name for name in sorted(set(listed.split("\0"))) if name and (ROOT / name).is_file()]


FILES = git_files()
SOURCES = [file for file in FILES if file.suffix == ".py"]
PACKAGED = [file for file in SOURCES if file.relative_to(ROOT).parts[0] in PACKAGES]
DOCUMENTS = [file for file in FILES if file.suffix == ".md"]


def name_of(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def project() -> dict[str, Any]:
    """The [project] table of pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def commands(group: click.Command = cli, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    """Every command that does something, by its full name."""
    if not isinstance(group, click.Group):
        yield " ".join(path), group
        return
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield from commands(command, (*path, name))


COMMANDS = dict(commands())


def option_names(command: click.Command) -> set[str]:
    given = {name for option in command.params if isinstance(option, click.Option) for name in option.opts}
    return given | {"--help", "-h"}


def check_command_line(words: list[str]) -> None:
    """Fails unless the words after "bioglot" are a command with options that it has."""
    if words[0].startswith("-"):
        assert words[0] in ("--help", "-h", "--version"), words
        return
    depth = next((depth for depth in (2, 1) if " ".join(words[:depth]) in COMMANDS), None)
    assert depth, f"bioglot has no command {words[0]!r}: {words}"
    known = option_names(COMMANDS[" ".join(words[:depth])])
    for word in words[depth:]:
        if word.startswith("-"):
            assert word.partition("=")[0] in known, f"bioglot {' '.join(words[:depth])} has no {word}"
