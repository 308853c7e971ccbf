"""The fields of a RIS record that programs write in different ways."""

import re
from collections.abc import Iterator
from dataclasses import replace

from indexer.citation import (
    ArticleId,
    Author,
    DataBank,
    Journal,
    OtherAbstract,
    PartialDate,
    Section,
)
from indexer.sources.dates import parse_day
from indexer.sources.identity import linked_pmid, normalise_doi, number_of, pmcid_in
from indexer.sources.languages import languages_in
from indexer.sources.multilingual import Titles, Wording, distinct, titles_of, wording
from indexer.sources.names import read_name
from indexer.sources.pubmed_fields import read_title
from indexer.sources.sections import read_sections
from indexer.sources.tagged import Fields

_ISSN = re.compile(r"\b(\d{4})-?(\d{3}[\dXx])\b")
_ISBN = re.compile(r"\b(97[89][- ]?(?:\d[- ]?){9}\d|(?:\d[- ]?){9}[\dXx])\b")
_MEDLINE = re.compile(r"medline|pubmed|^nlm$", re.IGNORECASE)
_SCOPUS = re.compile(r"eid=(2-s2\.0-\d+)")
_LINKS = re.compile(r";?\s+(?=https?:)|;(?=https?:)")
_NUMBER = re.compile(r"\d{1,8}")
_TRIAL = re.compile(r"NCT\d{8}")
_OF_WOS = re.compile(r"MEDLINE:(\d{1,8})")
"""How Web of Science writes the PMID of what it has from MEDLINE."""


def read_titles(fields: Fields) -> Titles:
    """TI, and TT as its vernacular; BVS and SciELO write any language first, and the English one is taken."""
    main = fields.one("TI", "T1", "CT")
    rest = [value for tag in ("TT", "TI") for value in fields.get(tag, ()) if value and value != main]
    if not rest or not number_of(fields.one("ID")):
        title, translated = read_title(main)
        return Titles(title, translated, fields.one("TT"), ())
    found = distinct([wording(main), *map(wording, rest)])
    languages = read_languages(fields)
    if found[0].language not in languages and all(item.language != "en" for item in found):
        found[0] = Wording("en", found[0].text)  # A short title's language may not be known.
    return titles_of(found, [tag for tag in languages if tag != "en"])


def read_abstracts(fields: Fields) -> tuple[tuple[Section, ...], tuple[OtherAbstract, ...], tuple[str, ...]]:
    """The abstract, the English one of several; those in other languages; and further ones in the same."""
    texts = [value for tag in ("AB", "N2") for value in dict.fromkeys(fields.get(tag, ())) if value]
    if len(texts) < 2:
        return read_sections("".join(texts)), (), ()
    found = distinct(map(wording, texts))
    main = next((item for item in found if item.language == "en"), found[0])
    rest = [item for item in found if item is not main]
    others = [item for item in rest if item.language not in ("", main.language)]
    return (
        read_sections(main.text),
        tuple(OtherAbstract(item.language, "", read_sections(item.text)) for item in others),
        tuple(item.text for item in rest if item not in others),
    )


def read_authors(fields: Fields) -> tuple[Author, ...]:
    """AU, else A1. Addresses stand apart from names in this format: they are given to the first author."""
    tag = "AU" if fields.one("AU") else "A1"
    authors = [_author(value) for value in fields.get(tag, ()) if value]
    addresses = tuple(value for value in fields.get("AD", ()) if value)
    if authors and addresses:
        authors[0] = replace(authors[0], affiliations=addresses)
    return tuple(authors)


def _author(value: str) -> Author:
    """A comma behind a name and none in it is EndNote's mark of a group."""
    if value.endswith(",") and value.count(",") == 1:
        return Author(collective_name=value.removesuffix(",").strip())
    return read_name(value)


def read_journal(fields: Fields) -> Journal:
    """The longest of the journal's names is its title, another one its abbreviation."""
    names = [fields.one(tag) for tag in ("JF", "T2", "JO", "JA", "J2", "J1")]
    title = fields.one("JF", "T2") or max(names, key=len)
    short = next((name for name in (*names[3:], names[2], names[1]) if name and name != title), "")
    numbers = [f"{a}-{b.upper()}" for value in fields.get("SN", ()) for a, b in _ISSN.findall(value)]
    return Journal(
        title=title,
        iso_abbreviation=short,
        issn=numbers[0] if numbers else "",
        country=fields.one("CY"),
    )


def read_isbns(fields: Fields) -> Iterator[str]:
    """Every ISBN, without hyphens."""
    for value in fields.get("SN", ()):
        yield from (re.sub(r"[- ]", "", number).upper() for number in _ISBN.findall(value))


def read_pages(fields: Fields) -> str:
    """Start and end, or the number of an article."""
    start, end = fields.one("SP"), fields.one("EP")
    if end and start and end != start and "-" not in start:
        return f"{start}-{end}"
    return start or end or fields.one("C7")


def read_published(fields: Fields) -> PartialDate:
    """The most precise of the dates that agree with the year."""
    dates = [parse_day(value) for tag in ("PY", "Y1", "DA") for value in fields.get(tag, ()) if value]
    if not dates:
        return PartialDate()
    year = next((date.year for date in dates if date.year), None)
    agreeing = [date for date in dates if date.year == year]
    return max(agreeing or dates, key=lambda date: (date.month is not None, date.day is not None))


def read_languages(fields: Fields) -> tuple[str, ...]:
    """By code or by name, in English or in the language itself."""
    return tuple(languages_in(";".join(fields.get("LA", ()))))


def read_ids(fields: Fields) -> Iterator[ArticleId]:
    """PMID, PMCID and DOI wherever a program puts them, then the number in its database, and links."""
    texts = [value for tag in ("UR", "L2", "LK", "N1", "C2", "AN") for value in fields.get(tag, ())]
    pmid = _pmid(fields, texts) or ""
    yield ArticleId("pubmed", pmid)
    dois = [doi for value in (*fields.get("DO", ()), *fields.get("UR", ())) if (doi := normalise_doi(value))]
    yield ArticleId("doi", dois[0] if dois else "")
    yield ArticleId("pmc", next(filter(None, map(pmcid_in, texts)), ""))
    yield from filter(None, map(number_of, (fields.one("ID"), *fields.get("UR", ()))))
    for number in fields.get("AN", ()):
        if number.removeprefix("MEDLINE:") != pmid and not _TRIAL.fullmatch(number):
            yield ArticleId(_database(fields.one("DB", "DP"), number), number)
    yield ArticleId("embase", fields.one("U2"))
    for value in texts:
        if scopus := _SCOPUS.search(value):
            yield ArticleId("scopus", scopus[1])
    for value in fields.get("UR", ()):
        yield from (ArticleId("url", link) for link in _LINKS.split(value) if link)


def read_trials(fields: Fields) -> tuple[DataBank, ...]:
    """The trials that AN names; they are no numbers of the record."""
    numbers = tuple(filter(_TRIAL.fullmatch, fields.get("AN", ())))
    return (DataBank("ClinicalTrials.gov", numbers),) if numbers else ()


def _pmid(fields: Fields, texts: list[str]) -> str | None:
    """PM's number, that of a database that is PubMed, what a link or a note says, and Scopus' C2."""
    if _NUMBER.fullmatch(fields.one("PM")):
        return fields.one("PM")
    known = number_of(fields.one("ID"))
    if known and known.type == "pubmed":
        return known.value
    database = fields.one("DB", "DP")
    if found := _OF_WOS.fullmatch(fields.one("AN")):
        return found[1]
    if _MEDLINE.search(database) and _NUMBER.fullmatch(fields.one("AN")):
        return fields.one("AN")
    if database.lower() == "scopus" and _NUMBER.fullmatch(fields.one("C2")):
        return fields.one("C2")
    return next(filter(None, map(linked_pmid, texts)), None)


def _database(name: str, number: str) -> str:
    """The first word of a database's name, as a type of id: "Embase <1974 to ...>" gives "embase"."""
    if number.startswith("WOS:"):
        return "wos"
    word = re.match(r"[\w.]+", name)
    return word[0].lower() if word else "accession"
