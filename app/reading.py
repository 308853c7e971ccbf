"""A citation as people read it: names, source line, links, and its text with what matched marked."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from urllib.parse import quote

from app.results import Evidence, Hit, Span
from indexer.citation import Author, Citation, Section
from indexer.passages import citation_lines, citation_text, heading_text, part_at
from indexer.signals import SignalKind, signals

SIGNAL_NAMES = {
    SignalKind.RETRACTED: "Retracted",
    SignalKind.CONCERN: "Expression of concern",
    SignalKind.CORRECTED: "Corrected",
    SignalKind.SUPERSEDED: "Updated by a newer version",
    SignalKind.PREPRINT: "Preprint",
    SignalKind.RETRACTION_NOTICE: "Retraction notice",
    SignalKind.CONCERN_NOTICE: "Notice of concern",
    SignalKind.ERRATUM_NOTICE: "Erratum notice",
}

Ranges = Sequence[Span | Evidence]

SPECIAL_LANGUAGES = {"und": "Language not given", "mul": "Several languages"}


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text that lies wholly inside or wholly outside the matched part; word: of the question."""

    text: str
    matched: bool
    word: bool = False


@dataclass(frozen=True, slots=True)
class MarkedSection:
    """A section of an abstract or full text; `language` is "" for that of the record's main abstract."""

    label: str
    language: str
    pieces: tuple[Piece, ...]


def author_name(author: Author) -> str:
    """A group's name, or last name, initials and suffix as PubMed prints them: "García Márquez GJ Jr"."""
    parts = (author.last_name, author.initials or author.fore_name, author.suffix)
    return author.collective_name or " ".join(part for part in parts if part)


def author_line(citation: Citation, most: int = 3) -> str:
    """The first authors, and "et al." if there are more."""
    names = [name for name in map(author_name, citation.authors) if name]
    more = len(names) > most or not citation.authors_complete
    return ", ".join(names[:most]) + (" et al." if more and names else "")


def journal_name(citation: Citation) -> str:
    """The journal's abbreviation or title, or the book's title."""
    journal = citation.journal
    name = journal.iso_abbreviation or journal.medline_abbreviation or journal.title
    return name or (citation.book.title if citation.book else "")


def source_line(citation: Citation) -> str:
    """Journal, date, volume, issue and pages: "Lancet. 2021;397(10):12-9"."""
    place = citation.volume + (f"({citation.issue})" if citation.issue else "")
    date = citation.published.text or (str(citation.year) if citation.year else "")
    printed = date + (f";{place}" if place else "") + (f":{citation.pages}" if citation.pages else "")
    return ". ".join(part for part in (journal_name(citation).removesuffix("."), printed) if part)


def byline(citation: Citation) -> str:
    """Authors and source in one line."""
    names, source = author_line(citation), source_line(citation)
    return f"{names.removesuffix('.')}. {source}" if names and source else names or source


def signal_lines(citation: Citation) -> list[str]:
    """What is to be known of a paper before it is used: "Retracted (PMID 34093767)"."""
    return [
        SIGNAL_NAMES[signal.kind] + (f" ({place})" if place else "")
        for signal in signals(citation)
        for place in (f"PMID {signal.pmid}" if signal.pmid else signal.reference,)
    ]


def doi_url(doi: str) -> str:
    """Where the DOI resolves."""
    return f"https://doi.org/{quote(doi, safe='/:;()')}"


def pmc_url(pmcid: str) -> str:
    """The full text in PubMed Central."""
    return f"https://pmc.ncbi.nlm.nih.gov/articles/{quote(pmcid, safe='')}/"


def record_name(id: str) -> str:
    """A record's id as people write it: "PMID 34092429"."""
    return f"PMID {id.removeprefix('pmid:')}" if id.startswith("pmid:") else id


def pubmed_url(pmid: str) -> str:
    """The record on PubMed."""
    return f"https://pubmed.ncbi.nlm.nih.gov/{quote(pmid, safe='')}/"


def record_url(citation: Citation) -> str | None:
    """The record on PubMed, else the DOI's target, else None."""
    if citation.pmid:
        return pubmed_url(citation.pmid)
    return doi_url(citation.doi) if citation.doi else None


def excerpt(citation: Citation, passage: Span | None, most: int = 300) -> str:
    """The passage, or else the abstract, without the titles, cut at a word near `most` characters."""
    ranges = [passage] if passage else ()
    matched = [
        "".join(piece.text for piece in section.pieces if piece.matched or passage is None)
        for section in (*marked_abstract(citation, ranges), *marked_body(citation, ranges))
    ]
    text = " ".join(" ".join(matched).split())
    if len(text) <= most:
        return text
    kept = text[:most]
    return (kept.rpartition(" ")[0] if " " in kept[most // 2 :] else kept).rstrip(" ,;:.") + "…"


def marked_titles(hit: Hit) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """The title and the vernacular title with their words marked; without pieces where there is none."""
    title, vernacular = hit.citation.title, hit.citation.vernacular_title
    second = len(title) + 1 if title else 0
    return _pieces(title, 0, (), hit.marks), _pieces(vernacular, second, (), hit.marks)


def marked_evidence(hit: Hit) -> tuple[Piece, ...]:
    """The sentences that answer, with their words marked, and "…" for what is left out between them.

    Before those of a full text stands the section that they are in.
    """
    text = citation_text(hit.citation)
    pieces: list[Piece] = []
    sections = [section_name(hit.citation, item) for item in hit.evidence]
    for before, item, last, section in zip(
        [None, *hit.evidence], hit.evidence, [None, *sections], sections, strict=False
    ):
        if before:
            pieces.append(Piece(" … " if text[before.end : item.start].strip() else " ", matched=False))
        if section and section != last:
            pieces.append(Piece(f"[{section}] ", matched=False))
        pieces += _pieces(text[item.start : item.end], item.start, [item], hit.marks)
    return tuple(pieces)


def marked_abstract(
    citation: Citation, matched: Ranges = (), words: Ranges = ()
) -> tuple[MarkedSection, ...]:
    """Every section of every abstract, in the record's order, with the matched parts and words marked."""
    text = citation_text(citation)
    position = len(citation.title) + len(citation.vernacular_title)
    marked = []
    for language, section in _sections(citation):
        start = text.find(section.text, position)
        if start >= 0:
            pieces = _pieces(section.text, start, matched, words)
            position = start + len(section.text)
        else:
            pieces = (Piece(section.text, matched=False),)
        marked.append(MarkedSection(section.label or section.category.capitalize(), language, pieces))
    return tuple(marked)


def marked_body(citation: Citation, matched: Ranges, words: Ranges = ()) -> tuple[MarkedSection, ...]:
    """The paragraphs and captions of the full text in which something matched, each under its headings."""
    return tuple(
        section
        for section in _body(citation, matched, words)
        if any(piece.matched for piece in section.pieces)
    )


def whole_body(citation: Citation) -> tuple[MarkedSection, ...]:
    """All paragraphs of the full text and all captions; a heading stands over the first of its own alone."""
    sections = _body(citation, (), ())
    labels = [None, *(section.label for section in sections)]
    return tuple(
        replace(section, label="" if section.label == before else section.label)
        for before, section in zip(labels, sections, strict=False)
    )


def _body(citation: Citation, matched: Ranges, words: Ranges) -> list[MarkedSection]:
    found = []
    place = 0
    for line in citation_lines(citation):
        if line.part and line.section:
            pieces = _pieces(line.text, place, matched, words)
            found.append(MarkedSection(heading_text(line.part), "", pieces))
        place += len(line.text) + 1
    return found


def section_name(citation: Citation, span: Span | Evidence) -> str | None:
    """Where most of a span stands in the full text, such as "Methods > Statistics"; None if it is not in it.

    Where nothing stands over a text, "Full text".
    """
    part = part_at(citation, (span.start + span.end) // 2)
    return None if part is None else heading_text(part) or "Full text"


def _sections(citation: Citation) -> Iterator[tuple[str, Section]]:
    yield from (("", section) for section in citation.abstract)
    for other in citation.other_abstracts:
        yield from ((other.language, section) for section in other.sections)


def _pieces(text: str, place: int, matched: Ranges, words: Ranges) -> tuple[Piece, ...]:
    """The text in pieces; place: where it begins in citation_text."""
    inside = [
        [(max(item.start - place, 0), min(item.end - place, len(text))) for item in ranges]
        for ranges in (matched, words)
    ]
    cuts = {cut for ranges in inside for start, end in ranges if start < end for cut in (start, end)}
    return tuple(
        Piece(text[start:end], *(any(a <= start and end <= b for a, b in ranges) for ranges in inside))
        for start, end in pairwise(sorted({0, len(text)} | cuts))
    )


@cache
def language_name(tag: str) -> str:
    """The English name of a language, "fr" to "French"; a tag that has none stays as it is."""
    from langcodes import Language
    from langcodes.tag_parser import LanguageTagError

    if tag in SPECIAL_LANGUAGES:
        return SPECIAL_LANGUAGES[tag]
    try:
        name = Language.get(tag).display_name()
    except LanguageTagError:
        return tag
    return tag if name.startswith("Unknown language") else name
