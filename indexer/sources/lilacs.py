"""LILACS and the other databases of BVS, the Virtual Health Library: what its search answers as JSON or XML.

Fields are those of its index (iAHx, a Solr); the portal's own templates say what they mean:
BIREME's repositories iahx-opac and iahx-controller.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

import msgspec
from lxml import etree

from indexer.citation import (
    ArticleId,
    Author,
    Book,
    Citation,
    HistoryDate,
    Journal,
    Keyword,
    PartialDate,
    Term,
)
from indexer.sources.archive import File
from indexer.sources.dates import date_of
from indexer.sources.descriptors import read_descriptors
from indexer.sources.errors import RecordFault, SourceItem
from indexer.sources.identity import distinct, identified, linked_pmid, normalise_doi, number_of, pmcid_in
from indexer.sources.json_file import JsonForm, read_json
from indexer.sources.markup import flatten
from indexer.sources.multilingual import LANGUAGES, Wording, abstracts_of, titles_of, wording
from indexer.sources.multilingual import distinct as distinct_wordings
from indexer.sources.names import read_name
from indexer.sources.pubmed_fields import language_tag
from indexer.sources.text import Encoding, first_text
from indexer.sources.xmlpieces import XmlForm, read_pieces

TYPES = {
    "article": "Journal Article",
    "monography": "Book",
    "thesis": "Academic Dissertation",
    "congress and conference": "Congress",
    "preprint": "Preprint",
    "video": "Video-Audio Media",
}
"""BVS' type of a document to the publication type that MEDLINE has for it; others stay as they are."""
_DAY = re.compile(r"(\d{4})(?:-?(\d\d)(?:-?(\d\d))?)?.*", re.DOTALL)
_COUNTRY = re.compile(r"\^i([^^]+)")
_UNKNOWN = "s.af"
"""What stands for an author's place that is not known."""


class Values(dict[str, list[str]]):
    """The texts of a record by field, whether it gives one or a list."""

    def one(self, *names: str) -> str:
        """The first text of the first of the fields that has one, "" if none has."""
        return next((text for name in names for text in self.get(name, ())), "")


def read_lilacs(file: File, encoding: Encoding | None = None) -> Iterator[SourceItem]:
    """Every record of a file, JSON or XML; see read_json and read_pieces."""
    if first_text(file).lstrip("\ufeff \t\r\n").startswith("<"):
        return read_pieces(file, encoding, XmlForm("lilacs", "doc", read_element))
    path = ("diaServerResponse", "response", "docs")
    return read_json(file, encoding, JsonForm("lilacs", path, read_object))


def read_object(raw: bytes | str) -> Citation:
    """The citation of a record in JSON. Raises RecordFault if it has no title and no abstract."""
    fields = msgspec.json.decode(raw, type=dict[str, object])
    return read_values(Values({name: list(_texts(value)) for name, value in fields.items()}))


def _texts(value: object) -> Iterator[str]:
    match value:
        case list():
            for item in value:
                yield from _texts(item)
        case str() | int() | float():
            if text := " ".join(str(value).split()):
                yield text


def read_element(record: etree._Element) -> Citation:
    """The citation of a record in Solr's XML. Raises RecordFault if it has no title and no abstract."""
    values = Values()
    for field in record:
        texts = filter(None, map(flatten, field if field.tag == "arr" else [field]))
        values.setdefault(field.get("name", ""), []).extend(texts)
    return read_values(values)


def read_values(values: Values) -> Citation:
    """The citation of a record. Raises RecordFault if it has no title and no abstract."""
    languages = tuple(dict.fromkeys(map(language_tag, values.get("la", ()))))
    titles = titles_of(_wordings(values, "ti", languages), languages)
    abstract, others = abstracts_of(_wordings(values, "ab", languages))
    if not (titles.title or abstract or others):
        raise RecordFault("it has no title and no abstract")
    major = values.get("mj", [])
    mesh, descriptors = read_descriptors([*major, *values.get("mh", ())], major)
    kinds = _publication_types(values)
    entered = read_day(values.one("entry_date"))
    citation = Citation(
        id="",
        source="lilacs",
        title=titles.title,
        title_translated=titles.translated,
        vernacular_title=titles.vernacular,
        abstract=abstract,
        other_abstracts=others,
        languages=languages,
        volume=values.one("vi"),
        issue=values.one("ip"),
        pages=values.one("pg"),
        published=read_day(values.one("da", "dp", "publication_year")),
        revised=read_day(values.one("update_date")),
        history=(HistoryDate("entry", entered),) if entered.year else (),
        authors=_authors(values),
        mesh=mesh,
        keywords=(*descriptors, *map(Keyword, (*values.get("kw", ()), *values.get("ot", ())))),
        publication_types=kinds,
        article_ids=distinct(_ids(values)),
        notes=(*(f"ti_{item.language}: {item.text}" for item in titles.others), *_notes(values)),
    )
    if "Book" in (kind.name for kind in kinds) and not values.one("ta"):
        citation = replace(citation, book=_book(values, titles.title))
    else:
        citation = replace(citation, journal=_journal(values))
    return identified(citation)


def _wordings(values: Values, field: str, languages: tuple[str, ...]) -> list[Wording]:
    """What stands there by language, the paper's own first, then what has none beside it."""
    named = [name for name in values if re.fullmatch(rf"{field}_[a-z]{{2}}", name)]
    named.sort(key=lambda name: (name[-2:] not in languages, name))
    said = [wording(text, name[-2:]) for name in named for text in values[name]]
    known = {item.text for item in said}
    bare = [item for text in values.get(field, ()) if (item := wording(text, "und")).text not in known]
    return distinct_wordings([*said, *(_told(item.text, languages) for item in bare)])


def _told(text: str, languages: tuple[str, ...]) -> Wording:
    found = wording(text, among={*LANGUAGES, *languages})
    return found if found.language else Wording(languages[0] if len(languages) == 1 else "", text)


def _publication_types(values: Values) -> tuple[Term, ...]:
    names = [TYPES.get(kind, kind) for kind in values.get("type", ())]
    own = [kind for kind in values.get("pt", ()) if "^" not in kind]
    return tuple(map(Term, dict.fromkeys((*names, *own))))


def read_day(text: str) -> PartialDate:
    """A date such as "202109", "20210900" or "2021-09-03"; a month or day of zeros is none."""
    found = _DAY.fullmatch(text)
    if found is None:
        return PartialDate(text=text)
    parts = {name: part for name, part in zip(("Year", "Month", "Day"), found.groups(), strict=True) if part}
    return date_of({name: part for name, part in parts.items() if part != "00"})


def _authors(values: Values) -> tuple[Author, ...]:
    """Persons and bodies; places name the author first, one each, or all are given to the first."""
    names = values.get("au", [])
    places = values.get("afiliacao_autor", [])
    authors = [read_name(name) for name in names]
    if len(places) == len(names):
        for at, (name, place) in enumerate(zip(names, places, strict=True)):
            place = place.removeprefix(name).lstrip("; ")
            if place and place != _UNKNOWN:
                authors[at] = replace(authors[at], affiliations=(place,))
    elif authors and (known := tuple(place for place in places if place != _UNKNOWN)):
        authors[0] = replace(authors[0], affiliations=known)
    bodies = [name for name in values.get("ai", ()) if name not in names]
    return (*authors, *(Author(collective_name=name) for name in bodies))


def _journal(values: Values) -> Journal:
    country = _COUNTRY.search(values.one("pais_publicacao"))
    return Journal(
        title=values.one("ta"),
        issn=values.one("is"),
        country=country[1].strip() if country else values.one("cp"),
    )


def _book(values: Values, title: str) -> Book:
    return Book(
        title=values.one("book_title") or title,
        publisher=values.one("pu"),
        place=values.one("cy"),
        edition=values.one("ed"),
        isbns=tuple(number.replace("-", "") for number in values.get("isbn", ())),
    )


def _ids(values: Values) -> Iterator[ArticleId]:
    links = values.get("ur", [])
    known = [number_of(text) for text in (values.one("id"), *values.get("alternate_id", ()))]
    own = known[0] or ArticleId("bvs", values.one("id"))
    yield from (item for item in (own, *known[1:]) if item and item.type == "pubmed")
    yield ArticleId("pubmed", next(filter(None, map(linked_pmid, links)), ""))
    yield ArticleId("pmc", pmcid_in(values.one("pmcid")) or "")
    dois = map(normalise_doi, (values.one("doi"), values.one("aid"), *links))
    yield ArticleId("doi", next(filter(None, dois), ""))
    yield from (item for item in (own, *known[1:], *map(number_of, links)) if item)
    yield from (ArticleId("url", link) for link in links)


def _notes(values: Values) -> Iterator[str]:
    """The databases that have it, where it appeared if that is no journal, and descriptors without names."""
    if values.get("db"):
        yield f"db: {'; '.join(values['db'])}"
    if not values.one("ta") and values.one("fo"):
        yield f"fo: {values.one('fo')}"
    coded = [text for name in ("mj", "mh") for text in values.get(name, ()) if text.startswith("^")]
    if coded:
        yield f"mh: {'; '.join(coded)}"
