"""Citations in CSV, a row each, for spreadsheets; what is several is apart by semicolons."""

from indexer.citation import Citation, PartialDate
from indexer.exports.medline import abstract_text
from indexer.exports.ris import name
from indexer.sources.table import csv_line

HEADINGS = (
    "id,pmid,pmcid,doi,title,original title,authors,journal,journal abbreviation,issn,year,date,volume,issue,"
    "pages,language,publication type,keywords,mesh,abstract,url,notes"
).split(",")
HEADER = csv_line(HEADINGS)
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""How a cell begins that a spreadsheet would reckon with."""


def write_row(citation: Citation) -> str:
    """The row of a citation."""
    return csv_line([guarded(" ".join(cell.split())) for cell in _cells(citation)])


def guarded(text: str) -> str:
    """With an apostrophe before what would be a formula; `indexer.sources.table` takes it away again."""
    return f"'{text}" if text.startswith(FORMULA) else text


def _cells(citation: Citation) -> list[str]:
    journal, date = citation.journal, citation.published
    return [
        citation.id,
        citation.pmid or "",
        citation.pmcid or "",
        citation.doi or "",
        f"[{citation.title}]" if citation.title_translated else citation.title,
        citation.vernacular_title,
        _names(citation),
        journal.title or journal.medline_abbreviation or (citation.book.title if citation.book else ""),
        journal.iso_abbreviation,
        journal.issn or journal.issn_linking,
        date.text or str(date.year or ""),
        _day(date),
        citation.volume,
        citation.issue,
        citation.pages,
        "; ".join(citation.languages),
        "; ".join(term.name for term in citation.publication_types),
        "; ".join(keyword.text for keyword in citation.keywords),
        "; ".join("*" * heading.major + heading.name for heading in citation.mesh),
        abstract_text(citation.abstract),
        citation.article_id("url") or "",
        " ".join(citation.notes),
    ]


def _names(citation: Citation) -> str:
    """Persons apart by semicolons; one behind a single one says that the comma in it does not part two."""
    names = "; ".join(name(author) for author in citation.authors)
    return f"{names};" if len(citation.authors) == 1 and "," in names else names


def _day(date: PartialDate) -> str:
    parts = (date.year, date.month, date.day) if not date.text else ()
    return "-".join(f"{part:02d}" for part in parts if part)
