"""From a JATS article to the Citation: what stands before and behind the text."""

from collections.abc import Iterator
from dataclasses import replace

from lxml import etree

from indexer.citation import (
    ArticleId,
    Citation,
    Correction,
    Grant,
    HistoryDate,
    Journal,
    Keyword,
    PartialDate,
    Term,
)
from indexer.sources.dates import date_of, parse_wording
from indexer.sources.errors import RecordFault
from indexer.sources.identity import distinct, identified
from indexer.sources.jats_body import is_conflict, read_body, statement_in
from indexer.sources.jats_people import read_authors
from indexer.sources.jats_references import article_id, read_references
from indexer.sources.jats_text import LANGUAGE, LINK, sentences, text_in
from indexer.sources.jats_titles import translations, with_titles
from indexer.sources.pubmed_fields import language_tag

TYPES = {
    "research-article": "Journal Article",
    "brief-report": "Journal Article",
    "rapid-communication": "Journal Article",
    "data-paper": "Journal Article",
    "methods-article": "Journal Article",
    "other": "Journal Article",
    "review-article": "Review",
    "systematic-review": "Systematic Review",
    "case-report": "Case Reports",
    "clinical-trial": "Clinical Trial",
    "protocol": "Clinical Trial Protocol",
    "article-commentary": "Comment",
    "reply": "Comment",
    "meeting-report": "Congress",
    "abstract": "Meeting Abstract",
    "obituary": "Biography",
    "correction": "Published Erratum",
    "partial-retraction": "Published Erratum",
    "retraction": "Retraction of Publication",
    "expression-of-concern": "Expression of Concern",
}
"""Types of articles by PubMed's names for them; others keep their own, such as "Letter" and "Editorial"."""

LINKS = {
    "corrected-article": "ErratumFor",
    "partial-retraction": "ErratumFor",
    "retracted-article": "RetractionOf",
    "object-of-concern": "ExpressionOfConcernFor",
    "commentary-article": "CommentOn",
    "updated-article": "UpdateOf",
    "republished-article": "RepublishedFrom",
    "preprint": "UpdateOf",
    "correction-forward": "ErratumIn",
    "retraction-forward": "RetractionIn",
    "concern-forward": "ExpressionOfConcernIn",
    "commentary": "CommentIn",
    "update-forward": "UpdateIn",
    "republication-forward": "RepublishedIn",
}
"""Links between articles by PubMed's names for them; others keep their own."""

_NOT_OURS = frozenset({"pmcaid", "pmcaiid", "pmcid-ver"})
"""Numbers that PMC gives to its files."""
_ABBREVIATIONS = frozenset({"abbr", "abbreviations"})
_HISTORY = {"rev-recd": "revised", "rev-request": "revised"}


def read_front(article: etree._Element) -> Citation:
    """The citation in an article whose tree is plain. Raises RecordFault if it says nothing."""
    meta = article.find("front/article-meta")
    if meta is None:
        raise RecordFault("it has no front with an article-meta")
    language = language_tag(article.get(LANGUAGE) or "en")
    body, captions = read_body(article)
    authors, members = read_authors(meta)
    citation = Citation(
        id="",
        source="jats",
        languages=tuple(dict.fromkeys([language, *(code for code, _ in translations(article))])),
        journal=_journal(article.find("front/journal-meta")),
        volume=text_in(meta.find("volume")),
        issue=text_in(meta.find("issue")),
        pages=_pages(meta),
        authors=authors,
        investigators=members,
        keywords=tuple(_keywords(article, meta)),
        publication_types=_types(article.get("article-type", "")),
        grants=tuple(_grants(meta)),
        article_ids=distinct(_ids(meta)),
        corrections=tuple(map(_correction, meta.iterfind("related-article"))),
        references=read_references(article),
        conflict_of_interest=_conflict(article),
        copyright=_copyright(meta.find("permissions")),
        notes=tuple(filter(None, map(text_in, meta.iterfind("funding-group/funding-statement")))),
        body=body,
        captions=captions,
    )
    citation = _with_dates(with_titles(citation, article, meta), meta)
    if not (citation.title or citation.abstract or citation.other_abstracts or citation.body):
        raise RecordFault("it has no title, no abstract and no text")
    return identified(citation)


def _journal(meta: etree._Element | None) -> Journal:
    if meta is None:
        return Journal()
    ids = {item.get("journal-id-type", ""): text_in(item) for item in meta.iterchildren("journal-id")}
    issns = {
        item.get("pub-type") or item.get("publication-format") or "": text_in(item)
        for item in meta.iterchildren("issn")
    }
    issn = (issns.get(kind) for kind in ("epub", "electronic", "ppub", "print"))
    return Journal(
        title=text_in(next(meta.iter("journal-title"), None)),
        iso_abbreviation=ids.get("iso-abbrev", ""),
        medline_abbreviation=ids.get("nlm-ta", ""),
        issn=next(filter(None, (*issn, *issns.values())), ""),
        issn_linking=text_in(meta.find("issn-l")),
        nlm_id=ids.get("nlm-journal-id") or ids.get("nlm-id", ""),
    )


def _ids(meta: etree._Element) -> Iterator[ArticleId]:
    """PMID, PMCID and DOI first, whatever their order."""
    found = [
        article_id(item.get("pub-id-type", "").lower(), text_in(item))
        for item in meta.iterchildren("article-id")
    ]
    first = ("pubmed", "pmc", "doi")
    yield from (item for kind in first for item in found if item.type == kind)
    yield from (item for item in found if item.type not in (*first, *_NOT_OURS))


def _pages(meta: etree._Element) -> str:
    first, last = text_in(meta.find("fpage")), text_in(meta.find("lpage"))
    span = f"{first}-{last}" if last and last != first else first
    return text_in(meta.find("page-range")) or span or text_in(meta.find("elocation-id"))


def _with_dates(citation: Citation, meta: etree._Element) -> Citation:
    """The date of the issue, else of publication at all; that of publication on line; the history."""
    dates: dict[str, PartialDate] = {}
    for element in meta.iterchildren("pub-date"):
        kind = element.get("pub-type") or " ".join(
            filter(None, (element.get("date-type"), element.get("publication-format")))
        )
        dates.setdefault(kind, _date(element))
    history = [
        HistoryDate(_HISTORY.get(kind, kind), _date(item))
        for item in meta.iterfind("history/date")
        if (kind := item.get("date-type", ""))
    ]
    history += [HistoryDate(kind, dates[kind]) for kind in ("pmc-release",) if kind in dates]
    on_line = next((dates[kind] for kind in ("epub", "pub electronic", "epub-ppub") if kind in dates), None)
    issue = (
        "ppub",
        "pub print",
        "epub-ppub",
        "collection",
        "collection electronic",
        "collection print",
        "pub",
    )
    published = next((dates[kind] for kind in issue if kind in dates), on_line)
    published = published or next((date for kind, date in dates.items() if kind != "pmc-release"), None)
    nothing = PartialDate()
    return replace(
        citation, published=published or nothing, electronic=on_line or nothing, history=tuple(history)
    )


def _date(element: etree._Element) -> PartialDate:
    parts = {child.tag.capitalize(): text_in(child) for child in element if isinstance(child.tag, str)}
    if "Year" in parts:
        return date_of(parts)
    return parse_wording(parts.get("String-date", "") or element.get("iso-8601-date", ""))


def _keywords(article: etree._Element, meta: etree._Element) -> Iterator[Keyword]:
    """The keywords of every language, each once."""
    groups = [*meta.iterchildren("kwd-group")]
    groups += [group for _, front in translations(article) for group in front.iter("kwd-group")]
    seen: set[str] = set()
    for group in groups:
        kind = group.get("kwd-group-type", "")
        for item in () if kind in _ABBREVIATIONS else group.iter("kwd", "compound-kwd"):
            parts = list(item.iterchildren("compound-kwd-part")) or [item]
            text = " ".join(map(text_in, parts)).strip(" ;,")
            if text and text not in seen:
                seen.add(text)
                yield Keyword(text, owner=kind)


def _types(kind: str) -> tuple[Term, ...]:
    name = TYPES.get(kind) or kind.replace("-", " ").title()
    return (Term(name),) if name else ()


def _grants(meta: etree._Element) -> Iterator[Grant]:
    """An agency with each of its numbers."""
    for award in meta.iterfind("funding-group/award-group"):
        etree.strip_elements(award, "institution-id", with_tail=False)
        sources = [source for source in award.iterchildren("funding-source")]
        agency = "; ".join(filter(None, map(text_in, sources)))
        country = next((source.get("country", "") for source in sources), "")
        numbers = [text for item in award.iterchildren("award-id") if (text := text_in(item))]
        yield from (Grant(number, agency=agency, country=country) for number in numbers or [""])


def _correction(link: etree._Element) -> Correction:
    """A link to another article, by its PMID, and as a reference with whatever else names it."""
    kind = link.get("related-article-type", "")
    numbers = [article_id(link.get("ext-link-type", "").lower(), link.get(LINK) or "")]
    numbers += [
        article_id(item.get("pub-id-type", "").lower(), text_in(item)) for item in link.iter("pub-id")
    ]
    ids = {item.type: item.value for item in reversed(numbers) if item.value}
    etree.strip_elements(link, "pub-id", with_tail=False)
    place = ":".join(filter(None, (link.get("vol"), link.get("page") or link.get("elocation-id"))))
    named = text_in(link) or " ".join(filter(None, (link.get("journal-id"), place)))
    doi = f"doi: {ids['doi']}" if "doi" in ids else ""
    source = ". ".join(part.rstrip(". ") for part in (named, doi, ids.get("pmc", "")) if part)
    return Correction(LINKS.get(kind, kind), source, ids.get("pubmed", ""))


def _conflict(article: etree._Element) -> str:
    """What the authors say of conflicts of interest, wherever it stands."""
    found = (
        statement_in(element) for element in article.iter("fn", "sec", "notes", "ack") if is_conflict(element)
    )
    return sentences(list(dict.fromkeys(found)))


def _copyright(permissions: etree._Element | None) -> str:
    """Whose the article is, and its licence."""
    if permissions is None:
        return ""
    year, holder = text_in(permissions.find("copyright-year")), text_in(permissions.find("copyright-holder"))
    said = text_in(permissions.find("copyright-statement")) or (
        f"© {year} {holder}".strip() if holder else ""
    )
    terms = []
    for part in permissions.iterchildren("license"):
        words = [text_in(child) for child in part if child.tag in ("license-p", "p")]
        terms.append(sentences(words) or part.get(LINK) or text_in(part))
    return sentences([said, *terms])
