"""EndNote's fields as the RIS that EndNote itself would write of them, and so the citation that RIS gives.

Field names are those of its XML ("RSXML.dtd", shipped with EndNote). A field without a place in a citation
is kept in its notes with its name.
"""

import re
from collections.abc import Iterable, Iterator

from indexer.citation import Citation
from indexer.sources.identity import pmcid_in
from indexer.sources.ris import read_fields
from indexer.sources.tagged import Fields

TYPES = {
    "journal article": "JOUR",
    "electronic article": "EJOUR",
    "magazine article": "MGZN",
    "newspaper article": "NEWS",
    "book": "BOOK",
    "edited book": "EDBOOK",
    "electronic book": "EBOOK",
    "book section": "CHAP",
    "electronic book section": "ECHAP",
    "conference proceedings": "CONF",
    "conference paper": "CPAPER",
    "report": "RPRT",
    "government document": "RPRT",
    "thesis": "THES",
    "dataset": "DATA",
    "17": "JOUR",
    "6": "BOOK",
    "5": "CHAP",
    "27": "RPRT",
    "32": "THES",
}
"""EndNote's type of reference, or its number, to that of RIS; others are kept as the record's own type."""
WHOLE_BOOKS = ("BOOK", "EDBOOK", "EBOOK")
CHAPTERS = ("CHAP", "ECHAP")

TAGS = {
    "authors": "AU",
    "title": "TI",
    "secondary-title": "T2",
    "tertiary-title": "T3",
    "alt-title": "J2",
    "translated-title": "TT",
    "short-title": "ST",
    "full-title": "JF",
    "abbr-1": "J1",
    "pages": "SP",
    "volume": "VL",
    "number": "IS",
    "issue": "IS",
    "year": "PY",
    "pub-dates": "DA",
    "keywords": "KW",
    "abstract": "AB",
    "isbn": "SN",
    "accession-num": "AN",
    "electronic-resource-num": "DO",
    "notes": "N1",
    "custom7": "C7",
    "related-urls": "UR",
    "web-urls": "UR",
    "urls": "UR",
    "pdf-urls": "L1",
    "image-urls": "L4",
    "language": "LA",
    "remote-database-name": "DB",
    "remote-database-provider": "DP",
    "work-type": "M3",
    "auth-address": "AD",
    "pub-location": "CY",
    "publisher": "PB",
    "edition": "ET",
}
LISTS = {
    "authors": r"[;；\r\n]+",
    "secondary-authors": r"[;；\r\n]+",
    "keywords": r"[;；\r\n]+",
    "work-type": r"[\r\n]+",
}
"""Fields that may hold several values, and what stands between them."""
_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")
_OF_PROGRAM = "<Go to ISI>"


def citation_of(kind: str, values: Iterable[tuple[str, str]], source: str) -> Citation:
    """The citation of a record's fields; kind: its type as EndNote names it. Raises RecordFault."""
    held = [(name, text) for name, text in values if text]
    return read_fields(Fields(_as_ris(kind, held)), source)


def _as_ris(kind: str, values: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    known = TYPES.get(kind.lower(), "")
    yield "TY", known
    if kind and not known and kind.lower() != "generic":
        yield "M3", kind
    year = next((text for name, text in values if name == "year"), "")
    for name, text in values:
        for part in re.split(LISTS[name], text) if name in LISTS else (text,):
            line = " ".join(part.split())
            if line and not line.startswith(_OF_PROGRAM):
                yield _tag(name, line, known), _dated(line, year) if name == "pub-dates" else line


def _tag(name: str, text: str, kind: str) -> str:
    """RIS's tag for a field; its own name where RIS would take what it holds for something else."""
    if name == "secondary-authors" and kind in (*WHOLE_BOOKS, *CHAPTERS):
        return "A2"
    if name == "secondary-title" and kind in WHOLE_BOOKS:
        return "T3"
    if name == "custom2" and (pmcid_in(text) or text.isdigit()):
        return "C2"
    return TAGS.get(name, name)


def _dated(text: str, year: str) -> str:
    """EndNote keeps the year apart from month and day: "Jun 12" gives "2015 Jun 12"."""
    return text if _YEAR.search(text) else f"{year} {text}".strip()
