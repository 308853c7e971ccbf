"""What a PDF says of itself: XMP, the older Info dictionary, and the print on its first page."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from lxml import etree

from indexer.citation import ArticleId, Author, Citation, Journal, Keyword, PartialDate
from indexer.sources.dates import parse_day
from indexer.sources.document import LONGEST_TITLE, shortened, unwrapped
from indexer.sources.identity import distinct, linked_pmid, normalise_doi
from indexer.sources.languages import languages_in
from indexer.sources.names import read_name_as_said
from indexer.sources.pdf_text import cleaned, has_sense

Stated = Mapping[str, list[str]]
"""What is stated by name in small letters, such as "doi": XMP's properties, and Info's entries."""

_NO_TITLE = re.compile(
    r"(?:microsoft|powerpoint|word|excel|openoffice|libreoffice|adobe|indesign|quark|latex)\b.* [-–] .*|"
    r"(?:untitled|no ?title|none|unbenannt|sans titre|sin título|без (?:имени|названия)|无标题|無題|"
    r"title|document|layout|unknown|slide|presentation|template|manuscript|article|paper|microsoft word)"
    r"\W*\d*|"
    r"\S*[\d\\/_]\S*|[\W\d_]*|"
    r".*\.(?:docx?|dvi|pdf|tex|indd|qx[dp]|rtf|odt|pptx?|xlsx?|fm|e?ps|txt|html?|p65|wpd|pages)\W*",
    re.IGNORECASE,
)
"""What programs write as a title: their own name, a file's, a number, a placeholder."""
_NO_PERSON = re.compile(
    r"(?:\W|\d)*|(?:author|admin|administrator|user|owner|unknown|anonymous|windows user|microsoft.*|.*\\.*|"
    r".*@.*|pc|home|default|root|none|null|\(?anonymous\)?)",
    re.IGNORECASE,
)
_DATE = re.compile(r"(?:D:)?(\d{4})-?(\d\d)?-?(\d\d)?")
_DOI_LINE = re.compile(r"10\.\d{4,9}/\S+", re.ASCII)
_OPEN_END = re.compile(r"[-/._]\Z")
_PERSONS = re.compile(r";|\band\b|&")
_SIZES_ALIKE = 0.1
"""Of a unit of print: sizes that differ less are one."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Some letters of a page and how large they are printed."""

    text: str
    size: float


def read_xmp(packet: bytes) -> dict[str, list[str]]:
    """The properties of an XMP packet by their names in small letters, whatever their namespace."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False, recover=True)
    try:
        root = etree.fromstring(packet.strip(b"\0 \r\n\t"), parser)
    except (etree.XMLSyntaxError, ValueError):
        root = None
    found: dict[str, list[str]] = defaultdict(list)
    for description in root.iter("{*}Description") if root is not None else ():
        for name, value in description.attrib.items():
            found[_local(str(name))].append(str(value))
        for element in description.iterchildren("*"):
            items = list(element.iter("{*}li"))
            items.sort(key=lambda item: "x-default" not in item.attrib.values())
            found[_local(element.tag)] += ["".join(item.itertext("*")) for item in items or [element]]
    return found


def _local(name: str) -> str:
    return name.rpartition("}")[2].lower()


def read_fields(stated: Stated, page: str, pieces: Iterable[Piece], language: str) -> Citation:
    """The citation by what is stated, and by what is printed on the first page.

    page: its text. language: as the document as a whole has it.
    """
    languages = languages_in(language or next(_all(stated, "language"), ""))
    return Citation(
        id="",
        source="pdf",
        title=_title(stated, page, pieces),
        languages=tuple(tag for tag in languages if tag not in ("x", "und")),
        journal=Journal(
            next(_all(stated, "publicationname"), ""), issn=next(_all(stated, "issn", "eissn"), "")
        ),
        volume=next(_all(stated, "volume"), ""),
        issue=next(_all(stated, "number"), ""),
        pages="-".join([*_all(stated, "startingpage")][:1] + [*_all(stated, "endingpage")][:1]),
        published=_date(stated),
        authors=tuple(_authors(list(_all(stated, "creator")) or list(_all(stated, "/author")))),
        keywords=tuple(map(Keyword, _keywords(stated))),
        article_ids=distinct(_ids(stated, page)),
    )


def _all(stated: Stated, *names: str) -> Iterator[str]:
    """What is stated under the names, clean, on one line."""
    texts = (unwrapped(cleaned(text)) for name in names for text in stated.get(name, ()))
    return (text for text in texts if text)


def _title(stated: Stated, page: str, pieces: Iterable[Piece]) -> str:
    """As it is stated if that makes sense, else what is printed largest, else how the text begins."""
    for title in _all(stated, "title", "/title"):
        if len(title) <= LONGEST_TITLE and has_sense(title) and not _NO_TITLE.fullmatch(title):
            return title
    first = next((line.strip() for line in page.split("\n") if line.strip()), "")
    title = _largest(pieces) or unwrapped(first)
    return title if len(title) <= LONGEST_TITLE else shortened(title)


def _largest(pieces: Iterable[Piece]) -> str:
    """The largest print that is as long as titles are, "" if there is none or all is of one size."""
    texts: dict[float, list[str]] = defaultdict(list)
    shown = (piece for piece in pieces if piece.text.strip())
    for size, group in groupby(shown, key=lambda piece: round(piece.size / _SIZES_ALIKE)):
        texts[size].append("".join(piece.text for piece in group))
    for size in sorted(texts, reverse=True) if len(texts) > 1 else ():
        text = unwrapped("\n".join(texts[size]))
        letters = sum(character.isalpha() for character in text)
        if letters >= 10 or (letters >= 4 and not text.isascii()):
            return text if len(text) <= LONGEST_TITLE else ""
    return ""


def _date(stated: Stated) -> PartialDate:
    """When it was published, else when the file was made."""
    names = ("coverdate", "publicationdate", "coverdisplaydate", "date", "createdate", "/creationdate")
    for text in _all(stated, *names):
        if found := _DATE.match(text):
            return parse_day("-".join(filter(None, found.groups())))
    return PartialDate()


def _authors(names: list[str]) -> Iterator[Author]:
    """Persons one by one; those in one text apart by semicolons, "and", or commas if each is a full name."""
    for name in names:
        parts = [part.strip() for part in _PERSONS.split(name)]
        if len(parts) == 1 or all("," in part or " " in part for part in parts[1:]):
            commas = [part.strip() for text in parts for part in text.split(",") if part.strip()]
            if ";" not in name and all(len(part.split()) > 1 for part in commas):
                parts = commas
        yield from (read_name_as_said(part) for part in parts if part and not _NO_PERSON.fullmatch(part))


def _keywords(stated: Stated) -> list[str]:
    listed = list(_all(stated, "subject"))
    if len(listed) < 2:
        text = next(_all(stated, "keywords", "/keywords"), "") or "".join(listed)
        listed = text.split(";" if ";" in text else ",")
    return [word.strip() for word in listed if word.strip() and not normalise_doi(word)]


def _ids(stated: Stated, page: str) -> Iterator[ArticleId]:
    """The numbers that are stated; else those printed on the first page, if it has one and no other."""
    whole = " ".join(_all(stated, *stated))
    yield ArticleId("pubmed", linked_pmid(whole) or _only(linked_pmid(line) for line in page.split("\n")))
    named = ("doi", "/doi", "identifier", "/subject", "description", "/wps-articledoi", "/title", "title")
    stated_doi = next(filter(None, map(normalise_doi, _all(stated, *named))), "")
    yield ArticleId("doi", _bare(stated_doi or _only(_printed_dois(page))))


def _only(found: Iterable[str | None]) -> str:
    """The one that there is, "" if there are none or several."""
    values = {_bare(value).lower(): value for value in found if value}
    return next(iter(values.values())) if len(values) == 1 else ""


def _printed_dois(page: str) -> Iterator[str | None]:
    """DOIs in the text of a page; one that may go on in the next line counts as none."""
    for found in _DOI_LINE.finditer(page):
        following = page[found.end() : found.end() + 2].lstrip(" ")
        if not (_OPEN_END.search(found[0]) and following[1:2].isalnum() and not following[1:2].isupper()):
            yield normalise_doi(found[0])


def _bare(doi: str) -> str:
    """Without brackets behind it that do not belong to it."""
    while any(doi.endswith(end) and doi.count(end) > doi.count(begin) for begin, end in ("()", "[]")):
        doi = doi[:-1].rstrip(".,;")
    return doi
