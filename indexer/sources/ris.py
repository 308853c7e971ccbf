"""RIS, as reference managers and databases write it: EndNote, Zotero, Mendeley, Ovid, Embase, Scopus,
PubMed, BVS, SciELO.

The format is that of Research Information Systems (now Clarivate); its tags mean different things to
different programs. What has no place in a citation is kept in its notes, with its tag.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from indexer.citation import Book, Citation, Keyword, Term
from indexer.sources import ris_fields as read
from indexer.sources.archive import File
from indexer.sources.descriptors import read_descriptors
from indexer.sources.errors import RecordFault, SourceItem
from indexer.sources.identity import distinct, identified
from indexer.sources.names import read_name
from indexer.sources.tagged import Fields, Form, read_tagged, unfolded
from indexer.sources.text import Encoding

BEGIN = re.compile(r"\ufeff?TY {0,2}- ?(.*)")
_LINE = re.compile(r"([A-Z][A-Z0-9]) {1,2}- ?(.*)")
_END = re.compile(r"ER {1,2}- *")

TYPES = {
    "JOUR": "Journal Article",
    "EJOUR": "Journal Article",
    "JFULL": "Journal Article",
    "MGZN": "Journal Article",
    "ABST": "Meeting Abstract",
    "BOOK": "Book",
    "EBOOK": "Book",
    "EDBOOK": "Book",
    "CHAP": "Book Chapter",
    "ECHAP": "Book Chapter",
    "CONF": "Congress",
    "CPAPER": "Congress",
    "RPRT": "Technical Report",
    "THES": "Academic Dissertation",
    "DATA": "Dataset",
    "VIDEO": "Video-Audio Media",
    "NEWS": "News",
}
"""Type of reference to the publication type that MEDLINE has for it."""
BOOKS = {"Book", "Book Chapter"}

PLACED = frozenset(
    "TY TI T1 CT TT ST AU A1 A2 A3 A4 ED AB N2 KW JF JO JA J1 J2 T2 BT T3 VL IS CP SP EP C7 PY Y1 DA LA SN "
    "DO UR L2 LK AN DB DP AD PB CY PP ET M3 N1 PM C2 U2 MH ER".split()
)
"""Tags that have a place; the values of others become notes."""
SILENT = frozenset("ID Y2 L1 L3 L4 RP NV ".split())
"""Of the program, not of the paper: its own numbers, days of access, files on a disk."""


def read_ris(file: File, encoding: Encoding | None = None) -> Iterator[SourceItem]:
    """Every record of a file; see read_tagged."""
    return read_tagged(file, encoding, Form("ris", BEGIN, read_record))


def read_record(lines: Sequence[str]) -> Citation:
    """The citation of a record. Raises RecordFault if it has neither title nor abstract."""
    end = next((number for number, line in enumerate(lines) if _END.fullmatch(line)), len(lines))
    return read_fields(Fields(unfolded([lines[0].lstrip("\ufeff"), *lines[1:end]], _LINE)), "ris")


def read_fields(fields: Fields, source: str) -> Citation:
    """The citation of a record's values by tag. Raises RecordFault if it has neither title nor abstract."""
    titles = read.read_titles(fields)
    abstract, others, same = read.read_abstracts(fields)
    if not (titles.title or abstract or fields.one("BT", "T2")):
        raise RecordFault("it has no title and no abstract")
    kinds = _publication_types(fields)
    chapter = kinds[0].name == "Book Chapter" if kinds else False
    mesh, descriptors = read_descriptors(fields.get("MH", ()))
    citation = Citation(
        id="",
        source=source,
        title=titles.title or fields.one("BT", "T2"),
        title_translated=titles.translated,
        vernacular_title=titles.vernacular,
        abstract=abstract,
        other_abstracts=others,
        languages=read.read_languages(fields),
        volume=fields.one("VL"),
        issue=fields.one("IS", "CP"),
        pages=read.read_pages(fields),
        published=read.read_published(fields),
        authors=read.read_authors(fields),
        publication_types=kinds,
        mesh=mesh,
        databanks=read.read_trials(fields),
        keywords=(*descriptors, *_keywords(fields)),
        article_ids=distinct(read.read_ids(fields)),
        notes=(*(f"title: {item.text}" for item in titles.others), *same, *_notes(fields)),
    )
    if chapter or (kinds and kinds[0].name in BOOKS):
        citation = replace(citation, book=_book(fields, chapter))
    else:
        citation = replace(citation, journal=read.read_journal(fields))
    return identified(citation)


def _publication_types(fields: Fields) -> tuple[Term, ...]:
    """By the type of reference, then what the source itself calls it."""
    kind = TYPES.get(fields.one("TY").upper(), "")
    own = [value for value in fields.get("M3", ()) if value and not value.isdigit()]
    names = [kind, *("Journal Article" if value == "Article" else value for value in own)]
    return tuple(map(Term, dict.fromkeys(filter(None, names))))


def _keywords(fields: Fields) -> tuple[Keyword, ...]:
    """A star marks what is major; several in one line are set apart by semicolons."""
    found = [part.strip() for value in fields.get("KW", ()) for part in re.split("[;；]", value)]
    return tuple(Keyword(text.lstrip("*"), text.startswith("*")) for text in found if text.lstrip("*"))


def _book(fields: Fields, chapter: bool) -> Book:
    return Book(
        title=fields.one("BT", "T2") if chapter else fields.one("TI", "T1", "BT"),
        publisher=fields.one("PB"),
        place=fields.one("CY", "PP"),
        edition=fields.one("ET"),
        isbns=tuple(read.read_isbns(fields)),
        editors=tuple(read_name(value) for tag in ("A2", "ED") for value in fields.get(tag, ()) if value),
        collection=fields.one("T3"),
    )


def _notes(fields: Fields) -> Iterator[str]:
    for tag, value in fields.every:
        if not value or tag in SILENT or (tag == "C8" and value == fields.one("ID")):
            continue
        if tag == "N1":
            yield value
        elif tag not in PLACED:
            yield f"{tag}: {value}"
