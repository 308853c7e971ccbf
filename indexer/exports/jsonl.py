"""Citations as JSON, one a line: everything that bioglot knows of them; what is as usual is left out."""

from dataclasses import fields, is_dataclass

import msgspec

from indexer.citation import Citation


def write_json_line(citation: Citation) -> str:
    """The citation as one line; `indexer.sources.jsonl` gives an equal one back."""
    return msgspec.json.encode(_telling(citation)).decode() + "\n"


def _telling(value: object) -> object:
    """A dataclass as the members that are not what they are unless told otherwise."""
    if is_dataclass(value):
        members = ((field, getattr(value, field.name)) for field in fields(value))
        return {field.name: _telling(member) for field, member in members if member != field.default}
    return [_telling(item) for item in value] if isinstance(value, tuple) else value
