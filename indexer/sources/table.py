"""Tables of records with a row of headings: CSV and TSV of any dialect, and Excel's XLSX."""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from indexer.citation import (
    ArticleId,
    Author,
    Book,
    Citation,
    Journal,
    Keyword,
    MeshHeading,
    PartialDate,
    Term,
)
from indexer.sources.archive import File
from indexer.sources.columns import find_columns, likely_mark, without_title
from indexer.sources.dates import parse_day
from indexer.sources.descriptors import read_descriptors
from indexer.sources.errors import Remark, SetAside, SourceError, SourceItem
from indexer.sources.identity import distinct, identified, linked_pmid, normalise_doi, number_of, pmcid_in
from indexer.sources.languages import languages_in
from indexer.sources.multilingual import LANGUAGES, Titles, titles_of, wording
from indexer.sources.multilingual import distinct as distinct_wordings
from indexer.sources.names import read_name
from indexer.sources.pubmed_fields import read_title
from indexer.sources.sections import read_sections
from indexer.sources.spreadsheet import is_spreadsheet, sheet_rows
from indexer.sources.text import LONGEST, Encoding, find_encoding, read_lines
from indexer.sources.unpack import Faulty

Row = Sequence[str]

_GUARD = re.compile(r"'(?=[=+\-@\t\r])")
"""What keeps a spreadsheet from taking a text for a formula."""
_BRACKETED = re.compile(r"\s*\(\d+\)")
"""Scopus' number of a person."""
_INITIALS = re.compile(r" [^\W\d_a-zß-ÿ]{1,4}$")
_SLASH = re.compile(r"(?<=\S)/ ")
BOOKS = {"book", "book chapter", "book section", "chapter"}


def read_table(
    file: File, encoding: Encoding | None = None, chosen: Mapping[str, str] | None = None
) -> Iterator[SourceItem]:
    """Every row as a citation, after remarks; a row without a title and an abstract is set aside.

    chosen: headings of columns by field, for those that are not told by them. Raises SourceError if no
    column is that of a title, or at a fault in the file, after all that stands before.
    """
    last_id = ""
    try:
        if is_spreadsheet(file):
            rows = sheet_rows(file)
        else:
            encoding = encoding or find_encoding(file)
            if encoding.told:
                yield Remark(file, encoding.told)
            rows = _csv_rows(read_lines(file, encoding))
        headings = next(rows, [])
        columns = find_columns(headings, chosen or {})
        if "title" not in columns:
            raise SourceError(file, without_title(headings))
        for position, row in enumerate(rows, 1):
            if any(row):
                record = read_row(headings, row, columns, file, position)
                last_id = record.id or last_id
                yield record
    except Faulty as fault:
        raise SourceError(file, str(fault), fault.offset, fault.packed_offset, last_id) from None
    except (OSError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise SourceError(file, f"cannot be read: {reason}", last_id=last_id) from None


def _csv_rows(lines: Iterator[str]) -> Iterator[list[str]]:
    csv.field_size_limit(LONGEST)
    heading = next(lines, "")
    ended = (f"{line}\n" for line in chain([heading], lines))
    for row in csv.reader(ended, delimiter=likely_mark(heading)):
        yield [cell.strip() for cell in row]


class Cells(dict[str, str]):
    """The texts of a row by field."""

    def one(self, *names: str) -> str:
        """The first of the fields that has a text, "" if none has."""
        return next((self[name] for name in names if self.get(name)), "")


def read_row(
    headings: Row, row: Row, columns: Mapping[str, int], file: File, position: int
) -> Citation | SetAside:
    """The citation of a row."""
    texts = {field: row[number] for field, number in columns.items() if number < len(row)}
    cells = Cells({field: " ".join(_GUARD.sub("", text, count=1).split()) for field, text in texts.items()})
    if not cells.one("title", "abstract"):
        raw = "".join(map(csv_line, (headings, row)))
        return SetAside(file, position, "", "it has no title and no abstract", raw, "table")
    titles = _titles(cells)
    mesh, descriptors = read_descriptors(_split(cells.one("descriptors")))
    kind = cells.one("kind")
    book = kind.lower() in BOOKS
    citation = Citation(
        id=cells.one("id") if ":" in cells.one("id") else "",
        source="table",
        title=titles.title,
        title_translated=titles.translated,
        vernacular_title=cells.one("vernacular_title") or titles.vernacular,
        abstract=read_sections(cells.one("abstract")),
        languages=tuple(languages_in(cells.one("language"))),
        journal=Journal() if book else _journal(cells),
        volume=cells.one("volume"),
        issue=cells.one("issue"),
        pages=_pages(cells),
        published=_published(cells),
        authors=_authors(cells),
        mesh=(*mesh, *(_heading(name) for name in _split(cells.one("mesh")))),
        keywords=(*descriptors, *map(Keyword, _split(cells.one("keywords")))),
        publication_types=tuple(Term(name) for name in _split(kind)),
        article_ids=distinct(_ids(cells)),
        notes=(*filter(None, (cells.one("note"),)), *(f"title: {item.text}" for item in titles.others)),
        book=_book(cells) if book else None,
    )
    return citation if citation.id else identified(citation)


def csv_line(cells: Row) -> str:
    """A row in CSV, with its line end."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()


def _split(text: str) -> list[str]:
    mark = ";" if ";" in text else "|" if "|" in text else ","
    return [part.strip() for part in text.split(mark) if part.strip()]


def _titles(cells: Cells) -> Titles:
    """Of one in several languages, as BVS writes it ("Dor/ Pain"), the English one first."""
    parts = _SLASH.split(cells.one("title")) if "descriptors" in cells else [cells.one("title")]
    if len(parts) < 2:
        return Titles(*read_title(parts[0]), "", ())
    found = distinct_wordings(wording(part, among=LANGUAGES) for part in parts)
    return titles_of(found, languages_in(cells.one("language")))


def _authors(cells: Cells) -> tuple[Author, ...]:
    """Persons apart by semicolons; or by commas, where each ends in initials: "Smith JA, Doe R"."""
    pairs = cells.one("inverted_authors")
    if pairs and ";" not in pairs:
        words = [part.strip() for part in pairs.split(",")]
        return tuple(read_name(", ".join(words[at : at + 2])) for at in range(0, len(words), 2))
    text = _BRACKETED.sub("", cells.one("full_names", "authors", "inverted_authors"))
    parts = [part.strip() for part in text.removesuffix(".").split(",")]
    if ";" in text or not all(map(_INITIALS.search, parts)):
        parts = [part.strip() for part in text.split(";")]
    return tuple(read_name(part) for part in parts if part)


def _heading(name: str) -> MeshHeading:
    return MeshHeading(name.lstrip("*"), major=name.startswith("*"))


def _journal(cells: Cells) -> Journal:
    return Journal(
        title=cells.one("journal"),
        iso_abbreviation=cells.one("abbreviation"),
        issn=cells.one("issn").partition(";")[0].strip(),
    )


def _book(cells: Cells) -> Book:
    return Book(
        title=cells.one("journal") or cells.one("title"),
        publisher=cells.one("publisher"),
        isbns=tuple(number.replace("-", "") for number in _split(cells.one("isbn"))),
    )


def _pages(cells: Cells) -> str:
    first, last = cells.one("first_page"), cells.one("last_page")
    between = f"{first}-{last}" if first and last and first != last else first or last
    return cells.one("pages") or between or cells.one("article_number")


def _published(cells: Cells) -> PartialDate:
    year, date = parse_day(cells.one("year")), parse_day(cells.one("date"))
    return date if (date.year and date.year == year.year) or not year.year else year


def _ids(cells: Cells) -> Iterator[ArticleId]:
    number = cells.one("pmid").removesuffix(".0")
    pmid = number.lstrip("0") if number.isdigit() else linked_pmid(cells.one("url", "note"))
    yield ArticleId("pubmed", pmid or "")
    yield ArticleId("pmc", pmcid_in(cells.one("pmcid")) or "")
    yield ArticleId("doi", normalise_doi(cells.one("doi")) or "")
    yield from filter(None, map(number_of, (cells.one("id"), cells.one("url"))))
    yield ArticleId("scopus", cells.one("scopus"))
    yield ArticleId("url", cells.one("url"))
