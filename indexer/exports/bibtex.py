"""Citations in BibTeX, in UTF-8; LaTeX's own characters are escaped."""

import re
from collections.abc import Iterator

from indexer.citation import Author, Citation
from indexer.exports.medline import abstract_text
from indexer.sources.bibtex import TYPES
from indexer.sources.dates import MONTHS

Field = tuple[str, str]

_TYPE_OF = {kind: entry for entry, kind in reversed(TYPES.items())}
_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{mark: f"\\{mark}" for mark in "{}$&%#_"},
}
_LIGATURES = re.compile(r"--|''|``|[?!]`|<<|>>|,,")
"""What LaTeX prints as other characters."""


def write_bibtex(citation: Citation) -> str:
    """The entry, with the empty line behind it."""
    kinds = [term.name for term in citation.publication_types]
    entry = next(
        (_TYPE_OF[kind] for kind in kinds if kind in _TYPE_OF), "article" if not citation.book else "book"
    )
    lines = [f"  {name} = {{{value}}},\n" for name, value in _fields(citation, entry) if value]
    return f"@{entry}{{{key(citation)},\n{''.join(lines)}}}\n\n"


def key(citation: Citation) -> str:
    """What the entry is cited by: its id without what BibTeX gives a meaning to."""
    return re.sub(r"[^A-Za-z0-9:._/-]", "_", citation.id)


def escaped(text: str) -> str:
    """A text that LaTeX prints as it is."""
    plain = "".join(_SPECIAL.get(character, character) for character in " ".join(text.split()))
    return _LIGATURES.sub(lambda found: "{}".join(found[0]), plain)


def _fields(citation: Citation, entry: str) -> Iterator[Field]:
    title = f"[{citation.title}]" if citation.title_translated else citation.title
    yield "title", f"{{{escaped(title)}}}" if title else ""
    yield "origtitle", escaped(citation.vernacular_title)
    others = [] if citation.authors_complete else ["others"]
    yield "author", " and ".join([*map(_name, citation.authors), *others])
    yield from _source(citation, entry)
    for name in ("volume", "pages"):
        yield name, escaped(getattr(citation, name)).replace("-{}-", "--")
    yield "number", escaped(citation.issue)
    date = citation.published
    yield "year", escaped(date.text or str(date.year or ""))
    if not date.text and date.month:
        yield "month", MONTHS[date.month - 1].lower()
        yield "day", str(date.day or "")
    yield "doi", escaped(citation.doi or "")
    yield "pmid", citation.pmid or ""
    yield "pmcid", escaped(citation.pmcid or "")
    yield "url", escaped(citation.article_id("url") or "")
    yield "language", ", ".join(citation.languages)
    yield "keywords", "; ".join(escaped(keyword.text) for keyword in citation.keywords)
    yield "abstract", escaped(abstract_text(citation.abstract))
    yield "note", escaped(" ".join(citation.notes))


def _name(author: Author) -> str:
    if author.collective_name:
        return f"{{{escaped(author.collective_name)}}}"
    fore = author.fore_name or author.initials
    return ", ".join(escaped(part) for part in (author.last_name, author.suffix, fore) if part)


def _source(citation: Citation, entry: str) -> Iterator[Field]:
    journal, book = citation.journal, citation.book
    if not book:
        yield "journal", escaped(journal.title or journal.medline_abbreviation)
        yield "shortjournal", escaped(journal.iso_abbreviation)
        yield "issn", journal.issn or journal.issn_linking
        return
    yield "booktitle", "" if entry == "book" else escaped(book.title)
    yield "editor", " and ".join(map(_name, book.editors))
    yield "publisher", escaped(book.publisher)
    yield "address", escaped(book.place)
    yield "edition", escaped(book.edition)
    yield "series", escaped(book.collection)
    yield "isbn", ", ".join(book.isbns)
