"""Authors, investigators and persons who are the subject of a paper."""

import re

from lxml import etree

from indexer.citation import Author, Identifier
from indexer.sources.markup import flatten

_NAMES = {
    "LastName": "last_name",
    "ForeName": "fore_name",
    "FirstName": "fore_name",
    "Initials": "initials",
    "Suffix": "suffix",
    "CollectiveName": "collective_name",
}
_PERSONS = ("Author", "Investigator", "PersonalNameSubject")
_ORCID = re.compile(r"(\d{4})[-\s]?(\d{4})[-\s]?(\d{4})[-\s]?(\d{3}[\dX])", re.ASCII)


def read_people(list_: etree._Element | None) -> tuple[Author, ...]:
    """Everyone in an AuthorList, InvestigatorList or PersonalNameSubjectList, in its order."""
    if list_ is None:
        return ()
    people: list[_Person] = []
    person = _Person(False)
    # One walk over the whole list costs a third of going down level by level.
    for element in list_.iter(*_PERSONS, *_NAMES, "Affiliation", "Identifier"):
        tag = element.tag
        if tag in _NAMES:
            person.names[_NAMES[tag]] = flatten(element)
        elif tag == "Affiliation":
            person.affiliations.append(flatten(element))
        elif tag == "Identifier":
            person.identifiers.append(Identifier(element.get("Source", ""), flatten(element)))
        else:
            person = _Person(element.get("EqualContrib") == "Y")
            people.append(person)
    return tuple([_author(person) for person in people])


class _Person:
    """What has been read of one person."""

    __slots__ = ("affiliations", "equal_contribution", "identifiers", "names")

    def __init__(self, equal_contribution: bool) -> None:
        self.equal_contribution = equal_contribution
        self.names: dict[str, str] = {}
        self.affiliations: list[str] = []
        self.identifiers: list[Identifier] = []


def _author(person: _Person) -> Author:
    orcid, others = "", person.identifiers
    if others:
        orcid = next(filter(None, map(_orcid, others)), "")
        others = [item for item in others if not _orcid(item)]
    return Author(
        **person.names,
        orcid=orcid,
        affiliations=tuple(person.affiliations),
        equal_contribution=person.equal_contribution,
        identifiers=tuple(others),
    )


def _orcid(identifier: Identifier) -> str:
    """The ORCID that an identifier is, "" if it is none."""
    return (identifier.source == "ORCID" and normalise_orcid(identifier.value)) or ""


def normalise_orcid(text: str) -> str | None:
    """0000-0002-1825-009X from any dress (a URL, spaces, no hyphens); None if it is no ORCID."""
    found = _ORCID.search(text.upper())
    return "-".join(found.groups()) if found else None
