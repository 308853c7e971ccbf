"""Hypothesis strategies for citations with every field filled, in any script."""

import types
import typing
from dataclasses import fields, is_dataclass, replace

from hypothesis import strategies as st

from indexer.citation import Author, Citation, PartialDate

LETTERS = st.characters(categories=("Lu", "Ll", "Lt", "Lm", "Lo", "Nd"))
WORDS = st.lists(st.text(LETTERS, min_size=1, max_size=6), min_size=1, max_size=4).map(" ".join)
"""Single-spaced, without marks that a format gives a meaning to."""

FEW = st.sampled_from("heart corazón 心力衰竭 сердце قلب हृदय ᱦᱤᱨᱫᱟᱹ ልብ მაჟა ຫົວໃຈ".split())
ODD = tuple('|\x20|a\nb|\x00|\u202e|\ufeff|\u2028|<b>|"|\\|😀|{}|PMID- 1|TY  - JOUR'.split("|"))
ANY_TEXT = st.sampled_from(ODD) | st.text(st.characters(exclude_categories=("Cs",)), max_size=3)

NAMES = ("María José", "小明", "Иван", "محمد", "Chidi", "J. A.", "Nguyễn Văn", "ሰላም", "Ελένη")
PEOPLE = st.builds(
    Author,
    last_name=WORDS,
    fore_name=st.sampled_from(NAMES),
    suffix=st.sampled_from(["", "Jr", "III"]),
).map(lambda person: replace(person, initials="".join(name[0].upper() for name in person.fore_name.split())))


@st.composite
def dates(draw: st.DrawFn) -> PartialDate:
    """Whole dates, and those that lack a day, a month or all."""
    given = draw(st.integers(0, 3))
    parts = (draw(st.integers(1500, 2099)), draw(st.integers(1, 12)), draw(st.integers(1, 28)))
    return PartialDate(*parts[:given])


def filled(kind: object, text: st.SearchStrategy[str]) -> st.SearchStrategy:
    """Values of a type, dataclasses with all their fields."""
    if kind is str:
        return text
    if kind is int:
        return st.integers(1, 99)
    if kind is PartialDate:
        return dates()
    if isinstance(kind, type) and is_dataclass(kind):
        return st.builds(kind, **{field.name: filled(field.type, text) for field in fields(kind)})
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is tuple:
        return st.lists(filled(arguments[0], text), max_size=1).map(tuple)
    if origin in (typing.Union, types.UnionType):
        return st.one_of(*(st.none() if part is types.NoneType else filled(part, text) for part in arguments))
    return st.from_type(kind)


def citations(text: st.SearchStrategy[str]) -> st.SearchStrategy[Citation]:
    """Citations with an id and a source, and texts from the strategy everywhere else."""
    return filled(Citation, text).map(
        lambda citation: replace(citation, id=f"x:{citation.id}", source=f"x{citation.source}")
    )
