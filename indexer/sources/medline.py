"""PubMed's own text format (MEDLINE, .nbib): a tag, a hyphen and a value a line, a record from PMID to PMID.

Tags: "MEDLINE/PubMed Data Element (Field) Descriptions", NLM,
https://www.nlm.nih.gov/bsd/mms/medlineelements.html.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from indexer.citation import ArticleId, Book, Citation, HistoryDate, Journal, PartialDate
from indexer.sources import medline_terms as terms
from indexer.sources.archive import File
from indexer.sources.dates import date_of, parse_day
from indexer.sources.errors import RecordFault, SourceItem
from indexer.sources.identity import identified
from indexer.sources.medline_people import read_people
from indexer.sources.pubmed_fields import language_tag, read_title
from indexer.sources.sections import read_sections
from indexer.sources.tagged import Fields, Form, read_tagged, unfolded
from indexer.sources.text import Encoding

BEGIN = re.compile(r"PMID ?- *(\d*)")
_LINE = re.compile(r"([A-Z][A-Z0-9]{1,3}) {0,2}- ?(.*)")
_DAY = re.compile(r"(\d{4})/?(\d\d)/?(\d\d)")
_PARTS = ("Year", "Month", "Day")
_HISTORY = re.compile(r"(\S+)(?: \d\d:\d\d)? \[(\w+)\]")
_ID = re.compile(r"(.+) \[(\w+)\]")


def read_medline(file: File, encoding: Encoding | None = None) -> Iterator[SourceItem]:
    """Every record of a file; see read_tagged."""
    return read_tagged(file, encoding, Form("medline", BEGIN, read_record))


def read_record(lines: Sequence[str]) -> Citation:
    """The citation of a record; other programs write records without a PMID, which are known otherwise.

    Raises RecordFault if it has a PMID that is no number, or none, no title and no abstract.
    """
    fields = Fields(unfolded(lines, _LINE))
    pmid = fields.one("PMID")
    if pmid and not (pmid.isascii() and pmid.isdigit() and 0 < int(pmid) < 10**18):
        raise RecordFault(f"its PMID is {pmid!r}, expected a positive number")
    if not (pmid or fields.one("TI", "BTI", "AB")):
        raise RecordFault("it has no PMID, no title and no abstract")
    book = _book(fields)
    title, translated = read_title(fields.one("TI") or (book.title if book else ""))
    citation = Citation(
        id="",
        source="medline",
        status=fields.one("STAT"),
        owner=fields.one("OWN"),
        title=title,
        title_translated=translated,
        vernacular_title=fields.one("TT"),
        abstract=read_sections(fields.one("AB")),
        copyright=fields.one("CI"),
        other_abstracts=terms.read_other_abstracts(fields.every, read_sections),
        languages=tuple(dict.fromkeys(map(language_tag, fields.get("LA", ())))),
        article_ids=_article_ids(fields, pmid),
        history=_history(fields),
        book=book,
    )
    citation = _with_indexing(_with_paper(citation, fields), fields)
    return identified(citation)


def _with_paper(citation: Citation, fields: Fields) -> Citation:
    """What the journal and the authors give."""
    authors, complete = read_people(fields.every, "FAU", "AU", "AD", "CN")
    return replace(
        citation,
        journal=_journal(fields),
        volume=fields.one("VI"),
        issue=fields.one("IP"),
        pages=fields.one("PG"),
        published=parse_day(fields.one("DP")),
        electronic=_date(fields.one("DEP")),
        authors=authors,
        authors_complete=complete,
        publication_types=terms.read_terms(fields.get("PT", ())),
        publication_status=fields.one("PST"),
        publication_model=fields.one("PUBM"),
        grants=terms.read_grants(fields.get("GR", ())),
        databanks=terms.read_databanks(fields.get("SI", ())),
        conflict_of_interest=fields.one("COIS"),
    )


def _with_indexing(citation: Citation, fields: Fields) -> Citation:
    """What NLM's indexers and cataloguers add."""
    return replace(
        citation,
        completed=_date(fields.one("DCOM")),
        revised=_date(fields.one("LR")),
        investigators=read_people(fields.every, "FIR", "IR", "IRAD")[0],
        subject_names=read_people(fields.every, "FPS", "PS")[0],
        mesh=terms.read_mesh(fields.get("MH", ())),
        supplementary_concepts=terms.read_supplementary_concepts(fields.get("NM", ())),
        keywords=terms.read_keywords(fields.every),
        chemicals=terms.read_chemicals(fields.get("RN", ())),
        gene_symbols=tuple(fields.get("GS", ())),
        corrections=terms.read_corrections(fields.every),
        citation_subsets=tuple(fields.get("SB", ())),
        notes=tuple(fields.get("GN", ())),
        space_flight_missions=tuple(fields.get("SFM", ())),
        number_of_references=fields.one("RF"),
    )


def _journal(fields: Fields) -> Journal:
    numbers = [value.partition(" ") for value in fields.get("IS", ())]
    return Journal(
        title=fields.one("JT"),
        medline_abbreviation=fields.one("TA"),
        issn=next((number for number, _, kind in numbers if kind != "(Linking)"), ""),
        issn_linking=next((number for number, _, kind in numbers if kind == "(Linking)"), ""),
        nlm_id=fields.one("JID"),
        country=fields.one("PL"),
    )


def _book(fields: Fields) -> Book | None:
    if "BTI" not in fields:
        return None
    return Book(
        title=fields.one("BTI"),
        publisher=fields.one("PB"),
        place=fields.one("PL"),
        edition=fields.one("EN"),
        isbns=tuple(value.partition(" ")[0] for value in fields.get("ISBN", ())),
        editors=read_people(fields.every, "FED", "ED")[0],
        collection=fields.one("CTI"),
    )


def _date(text: str) -> PartialDate:
    found = _DAY.match(text)
    if found is None:
        return PartialDate(text=text)
    return date_of(dict(zip(_PARTS, found.groups(), strict=True)))


def _article_ids(fields: Fields, pmid: str) -> tuple[ArticleId, ...]:
    """PMID first, then ids of the record, each once."""
    found = [ArticleId("pubmed", pmid.lstrip("0"))] if pmid else []
    for value in (*fields.get("AID", ()), *fields.get("LID", ())):
        if match := _ID.fullmatch(value):
            found.append(ArticleId(match[2], match[1]))
    found += [ArticleId("pmc", value) for value in fields.get("PMC", ())]
    found += [ArticleId("mid", value) for value in fields.get("MID", ())]
    for value in fields.get("OID", ()):
        source, _, number = value.partition(": ")
        found.append(ArticleId(source, number) if number else ArticleId("", source))
    return tuple(dict.fromkeys(found))


def _history(fields: Fields) -> tuple[HistoryDate, ...]:
    """PHST's dates, and what older files have beside it alone."""
    found = {
        match[2]: _date(match[1]) for value in fields.get("PHST", ()) if (match := _HISTORY.fullmatch(value))
    }
    for tag, status in (("CRDT", "entrez"), ("EDAT", "pubmed"), ("MHDA", "medline")):
        if tag in fields:
            found.setdefault(status, _date(fields.one(tag)))
    return tuple(HistoryDate(status, date) for status, date in found.items())
