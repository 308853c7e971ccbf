"""BibTeX and BibLaTeX, as reference managers write them; LaTeX becomes the characters it stands for."""

import logging
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING

from indexer.citation import ArticleId, Author, Book, Citation, Journal, Keyword, PartialDate, Term
from indexer.sources.archive import File
from indexer.sources.dates import date_of, parse_day
from indexer.sources.errors import Remark, SetAside, SourceError, SourceItem
from indexer.sources.identity import distinct, identified, linked_pmid, normalise_doi, number_of
from indexer.sources.languages import languages_in
from indexer.sources.names import read_name, read_name_in_order
from indexer.sources.pubmed_fields import read_title
from indexer.sources.ris import BOOKS
from indexer.sources.sections import read_sections
from indexer.sources.text import Encoding, find_encoding, read_lines
from indexer.sources.unpack import Faulty

if TYPE_CHECKING:
    from bibtexparser.model import Entry
    from pylatexenc.latex2text import LatexNodes2Text

BEGIN = re.compile(r"@\w+\s*[{(]")

TYPES = {
    "article": "Journal Article",
    "book": "Book",
    "collection": "Book",
    "inbook": "Book Chapter",
    "incollection": "Book Chapter",
    "inproceedings": "Congress",
    "conference": "Congress",
    "phdthesis": "Academic Dissertation",
    "mastersthesis": "Academic Dissertation",
    "thesis": "Academic Dissertation",
    "techreport": "Technical Report",
    "report": "Technical Report",
    "dataset": "Dataset",
}
"""Type of entry to the publication type that MEDLINE has for it."""

PLACED = frozenset(
    "title origtitle author editor journal journaltitle shortjournal booktitle year date month day volume "
    "number issue pages doi pmid pmcid url issn isbn abstract keywords language langid publisher address "
    "location edition series note annote eprint archiveprefix eprinttype type".split()
)
"""Fields that have a place; others become notes with their names, but for those of the program."""
SILENT = frozenset(
    "file timestamp owner groups urldate date-added date-modified bdsk-url-1 bdsk-file-1".split()
)


def read_bibtex(file: File, encoding: Encoding | None = None) -> Iterator[SourceItem]:
    """Every entry of a file, after a remark on the encoding; one that is none is set aside.

    Raises SourceError at a fault in the file, after all that stands before.
    """
    lines: list[str] = []
    fault = None
    try:
        encoding = encoding or find_encoding(file)
        if encoding.told:
            yield Remark(file, encoding.told)
        for line in read_lines(file, encoding):
            lines.append(line)
    except Faulty as found:
        fault = found
    except OSError as error:
        raise SourceError(file, f"cannot be read: {error.strerror or error}") from None
    last_id = ""
    for record in _read_text("\n".join(lines), file):
        last_id = record.id or last_id
        yield record
    if fault:
        raise SourceError(file, str(fault), fault.offset, fault.packed_offset, last_id) from None


def _read_text(text: str, file: File) -> Iterator[Citation | SetAside]:
    from bibtexparser.entrypoint import parse_string
    from bibtexparser.middlewares import SeparateCoAuthors
    from bibtexparser.model import DuplicateBlockKeyBlock, Entry, ParsingFailedBlock

    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)  # What it tells of, we set aside.
    position = 0
    for found in parse_string(text, append_middleware=[SeparateCoAuthors()]).blocks:
        block = found.ignore_error_block if isinstance(found, DuplicateBlockKeyBlock) else found
        if isinstance(block, Entry):
            position += 1
            yield _read_block(block, file, position)
        elif isinstance(block, ParsingFailedBlock):
            position += 1
            reason = str(block.error) or "it breaks off, or a brace is missing"
            yield SetAside(file, position, "", reason, block.raw or "", "bibtex")


def _read_block(entry: "Entry", file: File, position: int) -> Citation | SetAside:
    fields = {field.key.lower(): field.value for field in entry.fields}
    try:
        citation = read_entry(entry.entry_type.lower(), fields)
    except RecursionError:
        reason = "its braces are nested as deep as no text is"
    else:
        if citation.title or citation.abstract:
            return citation
        reason = "it has no title and no abstract"
    return SetAside(file, position, "", reason, entry.raw or "", "bibtex")


class Values(dict[str, str]):
    """The texts of an entry by field name, LaTeX read."""

    def one(self, *names: str) -> str:
        """The first of the fields that has a text, "" if none has."""
        return next((self[name] for name in names if self.get(name)), "")


def read_entry(kind: str, fields: Mapping[str, str | list[str]]) -> Citation:
    """The citation of an entry: values as they stand there, persons as a list."""
    values = Values({name: decoded(value) for name, value in fields.items() if isinstance(value, str)})
    title, translated = read_title(values.one("title"))
    authors, complete = _people(fields.get("author", ()))
    name = TYPES.get(kind, "")
    book = _book(values, fields.get("editor", ()), name) if name in BOOKS else None
    return identified(
        Citation(
            id="",
            source="bibtex",
            title=title,
            title_translated=translated,
            vernacular_title=values.one("origtitle"),
            abstract=read_sections(values.one("abstract")),
            languages=tuple(languages_in(values.one("language", "langid"))),
            journal=Journal() if book else _journal(values),
            volume=values.one("volume"),
            issue=values.one("number", "issue"),
            pages=re.sub(r"\s*[-–—]+\s*", "-", values.one("pages")),
            published=_published(values),
            authors=authors,
            authors_complete=complete,
            keywords=tuple(map(Keyword, _split(values.one("keywords")))),
            publication_types=(Term(name),) if name else (),
            article_ids=distinct(_ids(values)),
            notes=tuple(_notes(values)),
            book=book,
        )
    )


def decoded(value: str) -> str:
    """LaTeX as the text that it is printed as, single-spaced: letters, symbols and simple formulae."""
    if any(mark in value for mark in "\\{}$~%") or "--" in value or "``" in value or "''" in value:
        # pylatexenc takes the circumflex for the letter that modifies others.
        value = _latex().latex_to_text(value.replace(r"\textasciicircum{}", "^"))
    return " ".join(value.split())


@cache
def _latex() -> "LatexNodes2Text":
    from pylatexenc.latex2text import LatexNodes2Text

    return LatexNodes2Text(math_mode="text", keep_comments=True)


def _people(values: str | Iterable[str]) -> tuple[tuple[Author, ...], bool]:
    """Persons, or in braces groups; whether there is no "and others" behind them."""
    names = [values] if isinstance(values, str) else list(values)
    complete = not (names and names[-1] == "others")
    return tuple(map(_person, names if complete else names[:-1])), complete


def _person(name: str) -> Author:
    if name.startswith("{") and name.endswith("}") and "," not in name:
        return Author(collective_name=decoded(name))
    text = decoded(name)
    last, comma, rest = text.partition(",")
    first, second, fore = rest.partition(",")
    if comma and second:  # "Last, Jr, First"
        return read_name(f"{last},{fore},{first}")
    return read_name(text) if comma else read_name_in_order(text)


def _split(text: str) -> list[str]:
    mark = ";" if ";" in text else ","
    return [part.strip() for part in text.split(mark) if part.strip()]


def _journal(values: Values) -> Journal:
    return Journal(
        title=values.one("journal", "journaltitle", "booktitle"),
        iso_abbreviation=values.one("shortjournal"),
        issn=values.one("issn"),
    )


def _book(values: Values, editors: str | Iterable[str], name: str) -> Book:
    return Book(
        title=values.one("title") if name == "Book" else values.one("booktitle"),
        publisher=values.one("publisher"),
        place=values.one("address", "location"),
        edition=values.one("edition"),
        isbns=tuple(number.replace("-", "") for number in re.split(r"[\s,;]+", values.one("isbn")) if number),
        editors=_people(editors)[0],
        collection=values.one("series"),
    )


def _published(values: Values) -> PartialDate:
    if values.get("date"):
        return parse_day(values["date"])
    parts = {"Year": values.one("year"), "Month": values.one("month"), "Day": values.one("day")}
    return date_of({name: part for name, part in parts.items() if part}) if parts["Year"] else PartialDate()


def _ids(values: Values) -> Iterator[ArticleId]:
    said = f"PMID: {values.one('pmid')}" if values.one("pmid").isdigit() else ""
    texts = (said, values.one("url"), values.one("note"))
    yield ArticleId("pubmed", next(filter(None, map(linked_pmid, texts)), ""))
    number = values.one("pmcid")
    yield ArticleId("pmc", f"PMC{number}" if number.isdigit() else number)
    dois = map(normalise_doi, (values.one("doi"), values.one("url"), values.one("crossref")))
    yield ArticleId("doi", next(filter(None, dois), ""))
    if known := number_of(values.one("url")):
        yield known
    yield ArticleId(values.one("archiveprefix", "eprinttype").lower() or "eprint", values.one("eprint"))
    yield ArticleId("url", values.one("url"))


def _notes(values: Values) -> Iterator[str]:
    yield from (values[name] for name in ("note", "annote") if values.get(name))
    for name, value in values.items():
        if value and name not in PLACED | SILENT:
            yield f"{name}: {value}"
