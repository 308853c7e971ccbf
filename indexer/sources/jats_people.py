"""Authors of a JATS article, with the places where they work."""

import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass

from lxml import etree

from indexer.citation import Author, Identifier
from indexer.sources.jats_text import LANGUAGE, text_in
from indexer.sources.names import initials_of, read_name_in_order
from indexer.sources.people import normalise_orcid

_AUTHORS = frozenset({"author", "", "collab"})
_MARK = re.compile(r"^(?:[\d⁰¹²³⁴⁵⁶⁷⁸⁹*†‡§¶#]+|[a-z](?=\s*[A-Z]))[\s.,)]*")
"""The number or sign of a place of work where it is no label."""


@dataclass(frozen=True, slots=True)
class _Place:
    text: str
    identifiers: tuple[Identifier, ...]


def read_authors(meta: etree._Element) -> tuple[tuple[Author, ...], tuple[Author, ...]]:
    """The authors of an article-meta in their order, and the members of groups that are authors."""
    places = {aff.get("id", ""): _place(aff) for aff in meta.iter("aff")}
    equal = {note.get("id") for note in meta.iter("fn") if note.get("fn-type") == "equal"}
    authors: list[Author] = []
    members: list[Author] = []
    for group in meta.iterchildren("contrib-group"):
        people = [who for who in group.iterchildren("contrib") if who.get("contrib-type", "") in _AUTHORS]
        shared = _shared(people, group, meta)
        for who in people:
            authors += _contributor(who, places, shared, equal)
            members += (
                author
                for one in who.iterfind(".//collab//contrib")
                for author in _contributor(one, places, [], equal)
            )
        authors += (Author(collective_name=name) for name in map(text_in, group.iterchildren("on-behalf-of")))
    return tuple(authors), tuple(members)


def _shared(people: list[etree._Element], group: etree._Element, meta: etree._Element) -> list[_Place]:
    """Places that are those of everybody: nobody of the group points to one, or has one of his own."""
    if any(who.find("aff") is not None or _pointers(who, "aff") for who in people):
        return []
    own = list(map(_place, group.iterchildren("aff")))
    others = [] if own else list(map(_place, meta.iterchildren("aff")))
    return own if own or len(others) > 1 else others


def _contributor(
    who: etree._Element, places: dict[str, _Place], shared: list[_Place], equal: set[str | None]
) -> Iterator[Author]:
    """The author, or authors where a person stands on behalf of a group."""
    name = _names(who)
    pointed = [places[item] for item in _pointers(who, "aff") if item in places]
    works = list(dict.fromkeys([*map(_place, who.iterchildren("aff")), *pointed, *shared]))
    orcid, own = _identifiers(who)
    author = Author(
        **name,
        orcid=orcid,
        affiliations=tuple(place.text for place in works if place.text),
        equal_contribution=who.get("equal-contrib") == "yes" or bool(equal & set(_pointers(who, "fn"))),
        identifiers=(*own, *dict.fromkeys(item for place in works for item in place.identifiers)),
    )
    if name:
        yield author
    collab = who.find("collab")
    if collab is None:
        collab = who.find("collab-alternatives/collab")
    if group := _collective(collab):
        yield Author(collective_name=group) if name else _with_name(author, group)
    yield from (Author(collective_name=text_in(one)) for one in who.iterchildren("on-behalf-of"))


def _with_name(author: Author, group: str) -> Author:
    return Author(collective_name=group, affiliations=author.affiliations, identifiers=author.identifiers)


def _names(who: etree._Element) -> dict[str, str]:
    """The parts of a person's name, {} if there is none; of several the one in Latin script."""
    names = list(who.iterfind("name")) + list(who.iterfind("name-alternatives/name"))
    if names:
        name = next((one for one in names if one.get(LANGUAGE) == "en"), names[0])
        fore = text_in(name.find("given-names"))
        given = name.find("given-names")
        initials = "" if given is None else given.get("initials", "")
        parts = {
            "last_name": text_in(name.find("surname")),
            "fore_name": fore,
            "initials": initials or initials_of(fore),
            "suffix": text_in(name.find("suffix")),
        }
        return parts if parts["last_name"] or fore else {}
    string = who.find("string-name")
    if string is None:
        string = who.find("name-alternatives/string-name")
    if string is None:
        return {}
    if string.find("surname") is not None:
        fore = text_in(string.find("given-names"))
        return {
            "last_name": text_in(string.find("surname")),
            "fore_name": fore,
            "initials": initials_of(fore),
        }
    read = read_name_in_order(text_in(string))
    return {"last_name": read.last_name, "fore_name": read.fore_name, "initials": read.initials}


def _collective(collab: etree._Element | None) -> str:
    """The name of a group without those of its members."""
    if collab is None:
        return ""
    alone = deepcopy(collab)
    alone.tail = None
    etree.strip_elements(alone, "contrib-group", "aff", "contrib", with_tail=False)
    return text_in(alone)


def _identifiers(who: etree._Element) -> tuple[str, tuple[Identifier, ...]]:
    """The ORCID, and other numbers of a person."""
    found = [(item.get("contrib-id-type", ""), text_in(item)) for item in who.iterchildren("contrib-id")]
    links = [text_in(item) for item in who.iterchildren("uri", "ext-link")]
    orcids = [text for kind, text in found if kind.lower() == "orcid"]
    orcids += [text for text in links if "orcid.org" in text]
    orcid = next(filter(None, map(normalise_orcid, orcids)), "")
    others = tuple(Identifier(kind.upper(), text) for kind, text in found if kind.lower() != "orcid" and text)
    return orcid, others


def _pointers(who: etree._Element, kind: str) -> list[str]:
    """Ids that a person's cross-references of a kind point to; one may name several."""
    return [
        item
        for link in who.iterchildren("xref")
        if link.get("ref-type") == kind
        for item in (link.get("rid") or "").split()
    ]


def _place(aff: etree._Element) -> _Place:
    """A place of work without its mark; its parts are parted by commas where nothing else does."""
    inner = deepcopy(aff)
    inner.tail = None
    numbers = tuple(
        Identifier(item.get("institution-id-type", "").upper(), text)
        for item in inner.iter("institution-id")
        if (text := text_in(item))
    )
    etree.strip_elements(inner, "label", "institution-id", "email", "xref", "fax", "phone", with_tail=False)
    etree.strip_tags(inner, "institution-wrap")
    between = "".join([inner.text or "", *(child.tail or "" for child in inner)])
    if any(map(str.isalnum, between)) or "," in between or not len(inner):
        text = text_in(inner)
    else:
        text = ", ".join(part.strip(" ,;") for child in inner if (part := text_in(child)))
    return _Place(_MARK.sub("", text).strip(" ,;"), numbers)
