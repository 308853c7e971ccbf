"""Articles of SciELO as its ArticleMeta gives them in JSON, and other records of ISIS in the same form.

Fields are ISIS' tags: "v12" holds titles, each of them {"_": text, "l": language}. What they mean: SciELO's
library xylose, and for LILACS' own records "LILACS: Bibliographic Description Manual", BIREME.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

import msgspec

from indexer.citation import ArticleId, Author, Citation, Grant, HistoryDate, Journal, Keyword, Term
from indexer.sources.archive import File
from indexer.sources.descriptors import read_descriptors
from indexer.sources.errors import RecordFault, SourceItem
from indexer.sources.identity import distinct, identified, normalise_doi, number_of
from indexer.sources.json_file import JsonForm, read_json
from indexer.sources.lilacs import read_day
from indexer.sources.multilingual import LANGUAGES, Wording, abstracts_of, cleaned, titles_of, wording
from indexer.sources.multilingual import distinct as distinct_wordings
from indexer.sources.names import initials_of, read_name
from indexer.sources.people import normalise_orcid
from indexer.sources.pubmed_fields import language_tag
from indexer.sources.text import Encoding

Field: TypeAlias = dict[str, str]
"""One occurrence of a field: its text as "_", and its subfields."""

TYPES = {
    "ab": ("Meeting Abstract",),
    "an": ("News",),
    "co": ("Comment",),
    "cr": ("Journal Article", "Case Reports"),
    "ed": ("Editorial",),
    "er": ("Published Erratum",),
    "le": ("Letter",),
    "ra": ("Journal Article", "Review"),
    "rc": ("Book Review",),
    **dict.fromkeys(("ct", "mt", "oa", "rn", "sc", "tr"), ("Journal Article",)),
}
"""SciELO's code of a document's type to MEDLINE's publication types."""


class Record(dict[str, list[Field]]):
    """The occurrences of each field by its tag."""

    def one(self, tag: str, part: str = "_") -> str:
        """The first text of a part of a field, "" if it has none."""
        return next((item[part] for item in self.get(tag, ()) if item.get(part)), "")


def read_scielo(file: File, encoding: Encoding | None = None) -> Iterator[SourceItem]:
    """Every record of a file; see read_json."""
    return read_json(file, encoding, JsonForm("scielo", ("objects",), read_article))


def read_article(raw: bytes | str) -> Citation:
    """The citation of a record. Raises RecordFault if it has no title and no abstract."""
    whole = msgspec.json.decode(raw, type=dict[str, object])
    article, journal = _record(whole.get("article", whole)), _record(whole.get("title"))
    languages = tuple(language_tag(item["_"]) for item in article.get("v40", ()) if item.get("_"))
    titles = titles_of(_wordings(article, ("v12", "v13", "v18", "v19"), languages), languages)
    abstract, others = abstracts_of(_wordings(article, ("v83",), languages))
    if not (titles.title or abstract or others):
        raise RecordFault("it has no title and no abstract")
    major = _descriptors(article.get("v87", ()))
    mesh, descriptors = read_descriptors([*major, *_descriptors(article.get("v88", ()))], major)
    citation = Citation(
        id="",
        source="scielo",
        title=titles.title,
        title_translated=titles.translated,
        vernacular_title=titles.vernacular,
        abstract=abstract,
        other_abstracts=others,
        languages=tuple(dict.fromkeys(languages)),
        journal=_journal(article, journal),
        volume=article.one("v31"),
        issue=article.one("v32"),
        pages=_pages(article),
        published=read_day(article.one("v65") or article.one("v64")),
        electronic=read_day(article.one("v223")),
        revised=read_day(article.one("v91")),
        history=tuple(_history(article)),
        authors=_authors(article),
        mesh=mesh,
        keywords=(
            *descriptors,
            *(Keyword(cleaned(item["k"])) for item in article.get("v85", ()) if item.get("k")),
        ),
        publication_types=tuple(map(Term, TYPES.get(article.one("v71"), ()))),
        grants=tuple(Grant(id=cleaned(item["_"])) for item in article.get("v60", ()) if item.get("_")),
        article_ids=distinct(_ids(article, whole)),
        notes=tuple(f"v12 {item.language}: {item.text}" for item in titles.others),
    )
    return identified(citation)


def _record(value: object) -> Record:
    """The fields of an object; what is no list of texts or of parts is left out."""
    record = Record()
    for tag, items in value.items() if isinstance(value, dict) else ():
        for item in items if isinstance(items, list) else [items]:
            if isinstance(item, dict):
                parts = {str(name): str(text) for name, text in item.items() if isinstance(text, str | int)}
                record.setdefault(str(tag), []).append(parts)
            elif isinstance(item, str | int):
                record.setdefault(str(tag), []).append({"_": str(item)})
    return record


def _wordings(record: Record, tags: Sequence[str], languages: Sequence[str]) -> list[Wording]:
    """The texts of fields with their languages ("l" in SciELO, "i" in LILACS); v13 and v19 are English."""
    found = []
    for tag in tags:
        for item in record.get(tag, ()):
            text = next((item[part] for part in ("a", "_", "t") if item.get(part)), "")
            language = item.get("l") or item.get("i") or ("en" if tag in ("v13", "v19") else "")
            found.append(wording(text, language, {*LANGUAGES, *languages}))
    return distinct_wordings(found)


def _descriptors(items: Sequence[Field]) -> list[str]:
    """Descriptor and qualifier, such as "Dengue/prevention & control"."""
    names = ((item.get("d") or item.get("_", ""), item.get("s", "")) for item in items)
    return [f"{name}/{qualifier}" if qualifier else name for name, qualifier in names]


def _authors(article: Record) -> tuple[Author, ...]:
    places = {item["i"].upper(): _place(item) for item in article.get("v70", ()) if item.get("i")}
    persons = [_author(item, places) for item in article.get("v10", ())]
    bodies = [cleaned(item.get("_", "")) for item in article.get("v11", ())]
    return (*filter(None, persons), *(Author(collective_name=body) for body in bodies if body))


def _author(item: Field, places: dict[str, str]) -> Author | None:
    last, fore = cleaned(item.get("s", "")), cleaned(item.get("n", ""))
    known = [places.get(mark, "") for mark in item.get("1", "").upper().split()]
    if last or fore:
        author = Author(last, fore, initials_of(fore), cleaned(item.get("z", "")))
    elif name := cleaned(item.get("_", "")):
        author, known = read_name(name), [cleaned(item.get("1", ""))]
    else:
        return None
    return replace(
        author, orcid=normalise_orcid(item.get("k", "")) or "", affiliations=tuple(filter(None, known))
    )


def _place(item: Field) -> str:
    """Institution, its parts, city, state and country."""
    return ", ".join(text for part in "_123csp" if (text := cleaned(item.get(part, ""))))


def _journal(article: Record, journal: Record) -> Journal:
    short = article.one("v30")
    return Journal(
        title=cleaned(journal.one("v100") or short),
        iso_abbreviation=cleaned(journal.one("v151") or (short if journal.one("v100") else "")),
        issn=article.one("v35") or journal.one("v400"),
        country=journal.one("v310"),
    )


def _history(article: Record) -> Iterator[HistoryDate]:
    for status, tag in (("received", "v112"), ("accepted", "v114")):
        if (date := read_day(article.one(tag))).year:
            yield HistoryDate(status, date)


def _pages(article: Record) -> str:
    first, last = article.one("v14", "f"), article.one("v14", "l")
    between = f"{first}-{last}" if first and last and first != last else first or last
    return (between.strip("0-") and between) or article.one("v14", "e") or article.one("v14")


def _ids(article: Record, whole: dict[str, object]) -> Iterator[ArticleId]:
    pid = article.one("v880") or str(whole.get("code") or "")
    dois = (article.one("v237"), str(whole.get("doi") or ""), article.one("doi"))
    yield ArticleId("doi", next(filter(None, map(normalise_doi, dois)), ""))
    yield number_of(pid) or ArticleId("scielo", pid)
    if not pid and article.one("v2").isdigit():
        yield ArticleId("lilacs", article.one("v2"))
    yield from (ArticleId("url", item["u"]) for item in article.get("v8", ()) if item.get("u"))
