"""The documents say what is: commands, options, settings, links and make targets."""

import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.query import FILTER_FIELDS
from app.settings import SETTINGS
from models.training.configuration import Section, read_configuration
from tests.repository import COMMANDS, DOCUMENTS, ROOT, check_command_line, name_of, option_names

USAGE = (ROOT / "docs/usage.md").read_text(encoding="utf-8")


def shell_lines(text: str) -> Iterator[str]:
    """Lines of shell in fenced blocks of a document: all of sh blocks, what follows "$ " in console ones."""
    for language, block in re.findall(r"^```(\w*)\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            if language == "sh":
                yield line
            elif language == "console" and line.startswith("$ "):
                yield line.removeprefix("$ ")


def spoken_commands(text: str) -> list[list[str]]:
    """The words after "bioglot" on every command line of a document."""
    lines = [re.sub(r"^(\.venv/bin/)", "", line.strip()) for line in shell_lines(text)]
    return [shlex.split(line, comments=True)[1:] for line in lines if line.startswith("bioglot ")]


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_commands_in_documents_exist(document: Path) -> None:
    for words in spoken_commands(document.read_text(encoding="utf-8")):
        command_line = words[: words.index("|")] if "|" in words else words
        check_command_line(command_line)


def test_commands_in_help_exist() -> None:
    for name, command in COMMANDS.items():
        for line in (command.epilog or "").splitlines():
            if line.strip().startswith("bioglot "):
                words = shlex.split(line)[1:]
                check_command_line(words[: words.index("|")] if "|" in words else words)
        assert command.help, name


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_is_documented(name: str) -> None:
    assert re.search(rf"\bbioglot {name}\b", USAGE)
    for option in option_names(COMMANDS[name]):
        assert re.search(rf"(?<![\w-]){option}\b", USAGE), f"bioglot {name} {option} is not in docs/usage.md"


def test_filter_fields_are_documented() -> None:
    assert [field for field in FILTER_FIELDS if f"| `{field}` |" not in USAGE] == []


def test_settings_are_documented() -> None:
    block = re.search(r"## Settings\n.*?```toml\n(.*?)```", USAGE, re.DOTALL)
    example = tomllib.loads(block[1].replace("# ", ""))
    for setting in SETTINGS.values():
        assert f"`{setting.variable}`" in USAGE
        section = example[setting.section] if setting.section else example
        setting.read(section[setting.name])


def test_the_example_of_a_training_run_is_one(tmp_path: Path) -> None:
    path = tmp_path / "encoder.toml"
    block = re.search(r"## Training\n.*?```toml\n(.*?)```", USAGE, re.DOTALL)
    path.write_text(block[1], encoding="utf-8")
    configuration = read_configuration(path)
    assert [objective.kind for objective in configuration.objectives] == ["distill", "contrastive"]
    for section in configuration.__struct_fields__:
        value = getattr(configuration, section)
        if isinstance(value, Section):
            assert f"| `[{section}]` |" in USAGE
            for name in () if section in ("evaluation",) else value.__struct_fields__:
                assert f"`{name}" in USAGE, name


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_links_between_documents_lead_somewhere(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (document.parent / target).exists(), target


def test_make_targets_in_documents_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^(\w+):.*##", makefile, re.MULTILINE))
    assert targets == {"help", "demo", "test", "check", "bench", "audit", "clean"}
    lines = [line for document in DOCUMENTS for line in shell_lines(document.read_text(encoding="utf-8"))]
    spoken = {shlex.split(line)[1] for line in lines if line.startswith("make ")}
    assert spoken <= targets
    for name in re.findall(r"BENCH=(\w+)", "\n".join(lines)):
        assert (ROOT / "benchmarks" / f"{name}.py").is_file()


def test_version_is_in_the_changelog() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^## \[([^\]]+)\]", changelog, re.MULTILINE)[0] == "Unreleased"
