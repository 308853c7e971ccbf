"""Persons in PubMed's text format: a full name, a short one, identifiers and affiliations, line by line."""

import re
from collections.abc import Sequence

from indexer.citation import Author, Identifier
from indexer.sources.people import normalise_orcid

_SUFFIX = re.compile(r"(?:Jr|Sr|[2-9](?:nd|rd|th)|I{2,3}|IV|VI{0,3})\.?")


class _Person:
    """What has been read of one person or group."""

    def __init__(self) -> None:
        self.full = ""
        self.short = ""
        self.collective = ""
        self.orcid = ""
        self.affiliations: list[str] = []
        self.identifiers: list[Identifier] = []

    def lacks(self, name: str, value: str) -> bool:
        """Whether this is the person of which the other of the two names, full and short, was just read."""
        full, short = (value, self.short) if name == "full" else (self.full, value)
        last = full.partition(",")[0]
        return not getattr(self, name) and bool(full and short) and short.startswith(last)

    def author(self) -> Author:
        last, fore, initials, suffix = _names(self.full, self.short)
        return Author(
            last_name=last,
            fore_name=fore,
            initials=initials,
            suffix=suffix,
            collective_name=self.collective,
            orcid=self.orcid,
            affiliations=tuple(self.affiliations),
            identifiers=tuple(self.identifiers),
        )


def read_people(
    fields: Sequence[tuple[str, str]], full: str, short: str, affiliation: str = "", group: str = ""
) -> tuple[tuple[Author, ...], bool]:
    """Everyone under those tags in their order, and whether the list is said to be complete (no "et al.").

    An affiliation belongs to the person before it; before all of them, as older files have it, to the first.
    """
    people: list[_Person] = []
    early: list[str] = []
    complete = True
    for tag, value in fields:
        if value.lower().removesuffix(".") == "et al" and tag in (full, short):
            complete = False
        elif tag == group and group:
            people.append(_Person())
            people[-1].collective = value
        elif tag in (full, short):
            name = "full" if tag == full else "short"
            if not people or not people[-1].lacks(name, value):
                people.append(_Person())
            setattr(people[-1], name, value)
        elif tag == affiliation:
            (people[-1].affiliations if people else early).append(value)
        elif tag == "AUID" and full == "FAU" and people:
            _identify(people[-1], value)
    if people:
        people[0].affiliations[:0] = early
    return tuple(person.author() for person in people), complete


def _identify(person: _Person, value: str) -> None:
    source, _, number = value.partition(": ")
    orcid = normalise_orcid(number) if source == "ORCID" else None
    if orcid and not person.orcid:
        person.orcid = orcid
    else:
        person.identifiers.append(Identifier(source, number) if number else Identifier("", source))


def _names(full: str, short: str) -> tuple[str, str, str, str]:
    """Last name, fore name, initials and suffix of "Last, Fore Suffix" and "Last FS Suffix"."""
    last, _, fore = full.partition(", ")
    rest = short.removeprefix(last).split() if full else short.split()
    suffix = rest.pop() if len(rest) > 1 and _SUFFIX.fullmatch(rest[-1]) else ""
    if not full:
        last, rest = (" ".join(rest[:-1]), rest[-1:]) if len(rest) > 1 else (" ".join(rest), [])
    if suffix and fore.endswith(f" {suffix}"):
        fore = fore.removesuffix(suffix).rstrip()
    return last, fore, " ".join(rest), suffix
