"""Citations in PubMed's text format (.nbib), field by field in PubMed's order.

What the format has no place for is left out: unique identifiers of headings, NLM's categories of sections,
references. A record without a PMID has an empty one.
"""

import textwrap
from collections.abc import Iterable, Iterator

from indexer.citation import Author, Citation, Grant, PartialDate, Section, Term
from indexer.sources.dates import MONTHS
from indexer.sources.medline_terms import CORRECTIONS

WIDTH = 88
"""Characters of a line."""

_TAG_OF = {kind: tag for tag, kind in CORRECTIONS.items()}

Field = tuple[str, str]


def write_medline(citation: Citation) -> str:
    """The record, with the empty line that ends it."""
    return "".join(folded(tag, value) for tag, value in _fields(citation) if value or tag == "PMID") + "\n"


def folded(tag: str, value: str) -> str:
    """One field in lines of `WIDTH`; words are kept whole."""
    lines = textwrap.wrap(
        " ".join(value.split()),
        WIDTH,
        initial_indent=f"{tag:<4}- ",
        subsequent_indent=" " * 6,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines or [f"{tag:<4}-"]) + "\n"


def _fields(citation: Citation) -> Iterator[Field]:
    yield "PMID", citation.pmid or ""
    yield "OWN", citation.owner
    yield "STAT", citation.status
    yield "DCOM", _digits(citation.completed)
    yield "LR", _digits(citation.revised)
    yield "PUBM", citation.publication_model
    yield from _paper(citation)
    yield from _people(citation.authors, "FAU", "AU", "AD", "CN")
    if not citation.authors_complete:
        yield "AU", "et al."
    yield from (("LA", language) for language in citation.languages)
    for bank in citation.databanks:
        yield from (("SI", f"{bank.name}/{number}") for number in bank.accessions or ("",))
    yield from (("GR", _grant(grant)) for grant in citation.grants)
    yield from (("PT", term.name) for term in citation.publication_types)
    yield "TT", citation.vernacular_title
    yield "DEP", _digits(citation.electronic)
    yield from _journal(citation)
    yield from _indexing(citation)
    yield from _people(citation.investigators, "FIR", "IR", "IRAD")
    yield from _other_abstracts(citation)
    yield "COIS", citation.conflict_of_interest
    yield from (("PHST", f"{_slashes(item.date)} [{item.status}]") for item in citation.history)
    yield from _ids(citation)
    yield "PST", citation.publication_status


def _paper(citation: Citation) -> Iterator[Field]:
    journal, book = citation.journal, citation.book
    yield "IS", journal.issn
    yield "IS", journal.issn_linking and f"{journal.issn_linking} (Linking)"
    yield "VI", citation.volume
    yield "IP", citation.issue
    yield "DP", worded(citation.published)
    yield "TI", f"[{citation.title}]." if citation.title_translated else citation.title
    yield "PG", citation.pages
    if book:
        yield from (("ISBN", number) for number in book.isbns)
        yield from (
            ("BTI", book.title),
            ("EN", book.edition),
            ("PB", book.publisher),
            ("CTI", book.collection),
        )
        yield from _people(book.editors, "FED", "ED")
    yield "AB", abstract_text(citation.abstract)
    yield "CI", citation.copyright


def _journal(citation: Citation) -> Iterator[Field]:
    journal, book = citation.journal, citation.book
    yield "PL", book.place if book else journal.country
    yield "TA", journal.medline_abbreviation or journal.iso_abbreviation
    yield "JT", journal.title
    yield "JID", journal.nlm_id


def _indexing(citation: Citation) -> Iterator[Field]:
    for chemical in citation.chemicals:
        number = chemical.registry_number
        yield "RN", f"{number} ({chemical.name})" if number else chemical.name
    yield from (("NM", concept.name) for concept in citation.supplementary_concepts)
    yield from (("SB", subset) for subset in citation.citation_subsets)
    for item in citation.corrections:
        if item.type in _TAG_OF:
            said = (item.source, item.pmid and f"PMID: {item.pmid}", item.note)
            yield _TAG_OF[item.type], " ".join(filter(None, said))
    for heading in citation.mesh:
        yield "MH", "/".join(map(_starred, (Term(heading.name, major=heading.major), *heading.qualifiers)))
    yield from (("GS", symbol) for symbol in citation.gene_symbols)
    yield from (("GN", note) for note in citation.notes)
    yield from (("SFM", mission) for mission in citation.space_flight_missions)
    yield "RF", citation.number_of_references
    yield from _people(citation.subject_names, "FPS", "PS")
    owner = ""
    for keyword in citation.keywords:
        if keyword.owner != owner:
            owner = keyword.owner
            yield "OTO", owner
        yield "OT", _starred(Term(keyword.text, major=keyword.major))


def _starred(term: Term) -> str:
    return "*" * term.major + term.name


def _people(
    people: Iterable[Author], full: str, short: str, affiliation: str = "", group: str = ""
) -> Iterator[Field]:
    for person in people:
        if person.collective_name and group:
            yield group, person.collective_name
        else:
            last = person.last_name or person.collective_name
            named = " ".join(filter(None, (person.fore_name, person.suffix)))
            yield full, f"{last}, {named}" if named else last
            yield short, " ".join(filter(None, (last, person.initials, person.suffix)))
        if full == "FAU":
            yield "AUID", person.orcid and f"ORCID: {person.orcid}"
            yield from (("AUID", f"{item.source}: {item.value}") for item in person.identifiers)
        if affiliation:
            yield from ((affiliation, place) for place in person.affiliations)


def _grant(grant: Grant) -> str:
    parts = (grant.id, grant.acronym, grant.agency, grant.country)
    start = "/".join(filter(None, parts[:2]))
    return "/".join((*([start] if start else []), grant.agency, grant.country))


def _other_abstracts(citation: Citation) -> Iterator[Field]:
    for other in citation.other_abstracts:
        text = abstract_text(other.sections)
        yield "OAB", f"{other.type}: {text}" if other.type else text
        yield "OABL", other.language


def _ids(citation: Citation) -> Iterator[Field]:
    for item in citation.article_ids:
        match item.type:
            case "pubmed":
                continue
            case "pmc":
                yield "PMC", item.value
            case "mid":
                yield "MID", item.value
            case "doi" | "pii":
                yield "AID", f"{item.value} [{item.type}]"
            case _:
                yield "OID", f"{item.type}: {item.value}" if item.type else item.value


def abstract_text(sections: Iterable[Section]) -> str:
    """The sections in one text, each after its label."""
    return " ".join(
        f"{section.label}: {section.text}" if section.label else section.text for section in sections
    )


def worded(date: PartialDate) -> str:
    """A date as PubMed words it: "2006 Mar 1"; what a source wrote that could not be read, as it wrote it."""
    if date.text or date.year is None:
        return date.text
    month = MONTHS[date.month - 1] if date.month else ""
    return " ".join(filter(None, (f"{date.year:04d}", month, str(date.day or "") if month else "")))


def _digits(date: PartialDate) -> str:
    return f"{date.year:04d}{date.month or 1:02d}{date.day or 1:02d}" if date.year else date.text


def _slashes(date: PartialDate) -> str:
    return f"{date.year:04d}/{date.month or 1:02d}/{date.day or 1:02d} 00:00" if date.year else date.text
