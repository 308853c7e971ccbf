"""What commands print: one JSON document, or text for people."""

import click
import msgspec


def print_json(document: object) -> None:
    """Writes the document, indented, as JSON; in UTF-8 whatever the locale says."""
    click.echo(msgspec.json.format(msgspec.json.encode(document), indent=2))


def clean(text: str) -> str:
    """The text without control characters, which a terminal would obey."""
    return "".join(character if character.isprintable() else " " for character in text)


def echo_fields(fields: dict[str, object]) -> None:
    """Writes names and values in two columns; leaves out values that are empty."""
    width = max(map(len, fields))
    for name, value in fields.items():
        if value not in ("", None, ()):
            text = f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
            click.echo(f"{click.style(name.ljust(width), dim=True)}  {clean(text)}")
