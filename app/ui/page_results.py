"""Results as HTML. Everything that comes from a record or a visitor is escaped here."""

from collections.abc import Iterable
from html import escape
from importlib.metadata import version
from itertools import groupby

from app.query import Filters
from app.reading import (
    SIGNAL_NAMES,
    MarkedSection,
    Piece,
    byline,
    doi_url,
    excerpt,
    language_name,
    marked_abstract,
    marked_body,
    marked_evidence,
    marked_titles,
    pmc_url,
    pubmed_url,
    record_name,
    record_url,
)
from app.results import Hit, ResultPage
from indexer.citation import Citation
from indexer.published import LibraryInfo
from indexer.pubmed_files import NOTICE
from indexer.signals import Signal, signals

LANGUAGES_NAMED = 4


def results_html(page: ResultPage) -> str:
    """The list of hits."""
    return f'<div class="bg-hits" role="list">{"".join(map(hit_html, page.hits))}</div>'


def hit_html(hit: Hit) -> str:
    """One hit: title, names, links, and the abstract to open in place."""
    citation = hit.citation
    own, vernacular = map(pieces_html, marked_titles(hit))
    title = own or vernacular or "(no title)"
    url = record_url(citation)
    parts = [
        f'<h3 class="bg-title" dir="auto">{link(url, title) if url else title}</h3>',
        vernacular_html(citation, vernacular) if own else "",
        f'<p class="bg-byline" dir="auto">{escape(byline(citation))}</p>',
        f'<p class="bg-facts">{facts_html(citation)}</p>',
        duplicates_html(hit),
        abstract_html(hit),
    ]
    return f'<article class="bg-hit" role="listitem">{"".join(parts)}</article>'


def vernacular_html(citation: Citation, title: str) -> str:
    """The title in the paper's own language, if it has one besides the English; `title` is HTML."""
    language = citation.languages[0] if citation.languages else ""
    return f'<p class="bg-vernacular" dir="auto" lang="{escape(language)}">{title}</p>' if title else ""


def facts_html(citation: Citation) -> str:
    """Badges, then identifiers with their links."""
    facts = [signal_html(signal) for signal in signals(citation)]
    facts += [f'<span class="bg-badge">{escape(language_name(tag))}</span>' for tag in citation.languages]
    if citation.pmid and (url := record_url(citation)):
        facts.append(link(url, f"PMID {escape(citation.pmid)}"))
    if citation.pmcid:
        facts.append(link(pmc_url(citation.pmcid), escape(citation.pmcid)))
    if citation.doi:
        facts.append(link(doi_url(citation.doi), f"doi:{escape(citation.doi)}"))
    return "".join(facts)


def duplicates_html(hit: Hit) -> str:
    """The other records of the article, linked if they are PubMed's."""
    if not hit.duplicates:
        return ""
    return f'<p class="bg-facts">Also as {" ".join(map(record_link, hit.duplicates))}</p>'


def record_link(id: str) -> str:
    """A record's name, linked if it is PubMed's."""
    name = escape(record_name(id))
    return link(pubmed_url(id.removeprefix("pmid:")), name) if id.startswith("pmid:") else name


def signal_html(signal: Signal) -> str:
    """A badge, linked to the paper at the other end if that has a PMID."""
    badge = (
        f'<span class="bg-badge bg-{signal.kind}" title="{escape(signal.reference)}">'
        f"{SIGNAL_NAMES[signal.kind]}</span>"
    )
    return link(pubmed_url(signal.pmid), badge) if signal.pmid else badge


def abstract_html(hit: Hit) -> str:
    """The evidence or an excerpt, which opens into the whole abstract with what matched marked.

    Of a full text only the paragraphs with what matched.
    """
    matched = hit.evidence or (() if hit.passage is None else (hit.passage,))
    body = marked_body(hit.citation, matched, hit.marks)
    sections = (*marked_abstract(hit.citation, matched, hit.marks), *body)
    if not sections:
        return ""
    some = any(not piece.matched for section in sections if not section.language for piece in section.pieces)
    short = pieces_html(marked_evidence(hit)) or escape(excerpt(hit.citation, hit.passage, most=400))
    opened = "".join(section_html(section, mark=some) for section in sections)
    name = "Abstract and text" if body else "Abstract"
    return (
        f'<details><summary><span class="bg-excerpt" dir="auto">{short}</span>'
        f'<span class="bg-open">{name}</span></summary>{opened}</details>'
    )


def section_html(section: MarkedSection, mark: bool) -> str:
    """One section behind its label; `mark` is off where all of the abstract matched."""
    names = [section.label, language_name(section.language) if section.language else ""]
    heading = " · ".join(escape(name) for name in names if name)
    label = f'<span class="bg-label">{heading}</span> ' if heading else ""
    language = f' lang="{escape(section.language)}"' if section.language else ""
    return f'<p class="bg-section" dir="auto"{language}>{label}{pieces_html(section.pieces, mark)}</p>'


def pieces_html(pieces: Iterable[Piece], mark: bool = False) -> str:
    """The pieces, words of the question in bold; `mark`: matched parts marked."""
    parts = []
    for matched, group in groupby(pieces, lambda piece: mark and piece.matched):
        inner = "".join(f"<b>{escape(one.text)}</b>" if one.word else escape(one.text) for one in group)
        parts.append(f"<mark>{inner}</mark>" if matched else inner)
    return "".join(parts)


def count_html(page: ResultPage) -> str:
    """How many were found, and how long it took."""
    timings = page.timings
    seconds = (timings.encode + timings.search + timings.fetch) / 1000
    more = "" if page.total_exact else "more than "
    noun = "record" if page.total == 1 else "records"
    parts = [f"{more}{page.total:,} {noun}", *filter_names(page.query.filters), f"{seconds:.2f} s"]
    if page.missing:
        parts.append(f"not in this library: {', '.join(page.missing)}")
    hint = "" if page.total or page.missing else ". Try other words, or fewer filters."
    return f'<p class="bg-count">{escape(" · ".join(parts))}{hint}</p>'


def filter_names(filters: Filters) -> list[str]:
    """The filters that are set, in words."""
    first, last = filters.years
    years = f"{first or ''}–{last or ''}" if first or last else ""
    languages = ", ".join(map(language_name, filters.languages))
    without = ", ".join(SIGNAL_NAMES[kind].lower() for kind in filters.without)
    names = (
        years,
        languages,
        ", ".join(filters.publication_types),
        ", ".join(filters.journals),
        ", ".join(SIGNAL_NAMES[kind] for kind in filters.signals),
        without and f"without {without}",
    )
    return [name for name in names if name]


def about_html(info: LibraryInfo) -> str:
    """What the library holds, in a line."""
    languages = sorted(info.languages.items(), key=lambda item: (-item[1], item[0]))
    named = ", ".join(f"{language_name(tag)} {count:,}" for tag, count in languages[:LANGUAGES_NAMED])
    years = f"{info.years[0]} to {info.years[1]}" if info.years else ""
    parts = (f"{info.citations:,} records", years, named, f"encoder {info.model}")
    return f'<p class="bg-about">{escape(" · ".join(part for part in parts if part))}</p>'


def about_text() -> str:
    """What bioglot is and whose records it shows, as Markdown, for the page's menu."""
    return f"**bioglot {version('bioglot')}**: search the biomedical literature in any language.\n\n{NOTICE}"


def notice_html(message: str) -> str:
    """A message about what went wrong or is missing."""
    return f'<p class="bg-notice" role="alert" dir="auto">{escape(message)}</p>'


def link(url: str, content: str) -> str:
    """A link out; `content` is HTML."""
    return f'<a href="{escape(url)}" target="_blank" rel="noopener noreferrer">{content}</a>'
