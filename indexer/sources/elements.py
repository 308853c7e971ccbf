"""The children of an element by name, gathered once, since asking lxml for each name costs the most."""

from collections.abc import Iterable

from lxml import etree

from indexer.sources.markup import flatten

Parts = dict[str, list[etree._Element]]


def parts_of(element: etree._Element | None) -> Parts:
    """The children by name, each name's in document order; none of a missing element."""
    parts: Parts = {}
    if element is not None:
        for child in element:
            parts.setdefault(child.tag, []).append(child)
    return parts


def first(parts: Parts, name: str) -> etree._Element | None:
    """The first child of that name, or None."""
    found = parts.get(name)
    return found[0] if found else None


def text_of(parts: Parts, name: str) -> str:
    """The text of the first child of that name, "" if there is none."""
    found = parts.get(name)
    return flatten(found[0]) if found else ""


def texts_of(parts: Parts, name: str) -> tuple[str, ...]:
    """The text of each child of that name that has any."""
    found = parts.get(name)
    return tuple([text for child in found if (text := flatten(child))]) if found else ()


def items_of(parts: Parts, name: str) -> Iterable[etree._Element]:
    """The children of the first child of that name: the items of a list such as MeshHeadingList."""
    found = parts.get(name)
    return found[0] if found else ()
