"""Citations in RIS, with the tags that reference managers agree on.

What the format has no place for is left out; `indexer.sources.ris` reads what is written here.
"""

from collections.abc import Iterator

from indexer.citation import Author, Citation, PartialDate
from indexer.exports.medline import abstract_text
from indexer.sources.ris import BOOKS, TYPES

Field = tuple[str, str]

_TYPE_OF = {kind: code for code, kind in reversed(TYPES.items())}


def write_ris(citation: Citation) -> str:
    """The record, with the empty line behind it."""
    lines = [f"{tag}  - {' '.join(value.split())}" for tag, value in _fields(citation) if value.strip()]
    return "\n".join(lines) + "\nER  - \n\n"


def _fields(citation: Citation) -> Iterator[Field]:
    kinds = [term.name for term in citation.publication_types]
    code = next((_TYPE_OF[kind] for kind in kinds if kind in _TYPE_OF), "JOUR")
    yield "TY", code
    yield "TI", f"[{citation.title}]" if citation.title_translated else citation.title
    yield "TT", citation.vernacular_title
    yield from (("AU", name(author)) for author in citation.authors)
    yield from (("AD", place) for author in citation.authors for place in author.affiliations)
    yield from _source(citation, TYPES[code] in BOOKS)
    yield "VL", citation.volume
    yield "IS", citation.issue
    start, dash, end = citation.pages.partition("-")
    yield from (("SP", start), ("EP", end)) if dash and "-" not in end else (("SP", citation.pages),)
    yield from _dates(citation.published if citation.year == citation.published.year else citation.electronic)
    yield from _ids(citation)
    yield "AB", abstract_text(citation.abstract)
    yield from (("KW", "*" * keyword.major + keyword.text) for keyword in citation.keywords)
    yield from (("KW", "*" * heading.major + heading.name) for heading in citation.mesh)
    yield from (("LA", language) for language in citation.languages)
    yield from (("M3", kind) for kind in kinds if kind != TYPES[code])
    yield from (("N1", note) for note in citation.notes)


def name(author: Author) -> str:
    """A person as "Last, Fore, Suffix", or a group's name."""
    fore = author.fore_name or author.initials
    return author.collective_name or ", ".join(filter(None, (author.last_name, fore, author.suffix)))


def _source(citation: Citation, book: bool) -> Iterator[Field]:
    journal = citation.journal
    if citation.book and book:
        yield "T2", citation.book.title
        yield from (("ED", name(editor)) for editor in citation.book.editors)
        yield "PB", citation.book.publisher
        yield "CY", citation.book.place
        yield "ET", citation.book.edition
        yield "T3", citation.book.collection
        yield from (("SN", number) for number in citation.book.isbns)
    else:
        yield "T2", journal.title or journal.medline_abbreviation
        yield "J2", journal.iso_abbreviation or journal.medline_abbreviation
        yield "SN", journal.issn or journal.issn_linking
        yield "CY", journal.country


def _dates(date: PartialDate) -> Iterator[Field]:
    if date.text or not date.year:
        yield "PY", date.text
        return
    yield "PY", str(date.year)
    if date.month:
        yield "DA", f"{date.year:04d}/{date.month:02d}/" + (f"{date.day:02d}/" if date.day else "")


def _ids(citation: Citation) -> Iterator[Field]:
    yield "DO", citation.doi or ""
    if citation.pmid:
        yield "AN", citation.pmid
        yield "DB", "PubMed"
    yield "C2", citation.pmcid or ""
    for item in citation.article_ids:
        if item.type == "url":
            yield "UR", item.value
        elif item.type == "embase" and not citation.pmid:
            yield "U2", item.value
        elif item.type not in ("pubmed", "doi", "pmc", "pii", "mid") and not citation.pmid:
            yield "AN", item.value
            yield "DB", item.type
    if citation.pmid:
        yield "UR", f"https://pubmed.ncbi.nlm.nih.gov/{citation.pmid}/"
