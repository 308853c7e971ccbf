"""Which column of a table holds what, by the headings that programs and people give them."""

import tomllib
import unicodedata
from collections.abc import Mapping, Sequence
from importlib import resources

from models.errors import UsageError

HEADINGS: dict[str, list[str]] = tomllib.loads(
    resources.files("indexer.sources").joinpath("headings.toml").read_text(encoding="utf-8")
)
"""Field to the headings that stand for it; of several columns that of the heading named first is taken."""


def folded(heading: str) -> str:
    """A heading without case, accents, marks around it and spaces too many."""
    decomposed = unicodedata.normalize("NFKD", heading.replace("\ufeff", "").casefold())
    plain = "".join(character for character in decomposed if not unicodedata.combining(character))
    return " ".join(plain.replace("_", " ").strip(" \t*:\"'").split())


_FIELD_OF = {folded(heading): field for field, headings in HEADINGS.items() for heading in headings}
_RANKS = {folded(heading): rank for headings in HEADINGS.values() for rank, heading in enumerate(headings)}


def find_columns(headings: Sequence[str], chosen: Mapping[str, str]) -> dict[str, int]:
    """The number of the column for each field: the user's choice, else by its heading.

    Raises UsageError for a choice of a field or a heading that there is not.
    """
    names = [folded(heading) for heading in headings]
    told = [number for number, name in enumerate(names) if name in _FIELD_OF]
    told.sort(key=lambda number: _RANKS[names[number]], reverse=True)
    found = {_FIELD_OF[names[number]]: number for number in told}
    for field, heading in chosen.items():
        if folded(heading) not in names:
            raise UsageError(f"no column {heading!r}, the table has {', '.join(map(repr, headings))}")
        found[field] = names.index(folded(heading))
    return found


def without_title(headings: Sequence[str]) -> str:
    """What to tell of a table in which no column is found to be that of a title."""
    advice = "name the one that is with --column title=HEADING"
    return f"none of its columns is a title ({', '.join(headings)}): {advice}"


def is_table(line: str) -> bool:
    """Whether a line is a row of headings with that of a title among them."""
    cells = [folded(cell) for cell in line.split(likely_mark(line))]
    return len(cells) > 1 and any(_FIELD_OF.get(cell) == "title" for cell in cells)


def likely_mark(line: str) -> str:
    """What stands between the headings of a table."""
    return max(",;\t|", key=line.count)


def read_choices(options: Sequence[str]) -> dict[str, str]:
    """Choices such as "title=Titre de l'article". Raises UsageError."""
    chosen = {}
    for option in options:
        field, equals, heading = option.partition("=")
        if not equals or field not in HEADINGS:
            raise UsageError(f"column {option!r}: expected FIELD=HEADING with one of {', '.join(HEADINGS)}")
        chosen[field] = heading
    return chosen
