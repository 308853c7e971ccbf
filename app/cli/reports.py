"""Search results and records as text for a terminal."""

from collections.abc import Iterable, Iterator, Sequence

import click
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from app.cli.printing import clean
from app.reading import (
    MarkedSection,
    author_line,
    byline,
    doi_url,
    excerpt,
    marked_abstract,
    marked_evidence,
    record_name,
    record_url,
    signal_lines,
    source_line,
    whole_body,
)
from app.results import Hit, ResultPage
from indexer.citation import Citation, MeshHeading
from indexer.merging import Origin
from indexer.signals import is_retracted

RETRACTED = "RETRACTED"


def echo_page(page: ResultPage) -> None:
    """Writes the hits, numbered, and how many there are."""
    console = _console()
    for hit in page.hits:
        number = f"{hit.rank}. "
        for line in _hit_lines(hit, number):
            _write(console, line, indent=0 if line.plain.startswith(number) else len(number))
        click.echo()
    more = "" if page.total_exact else "more than "
    seconds = (page.timings.encode + page.timings.search + page.timings.fetch) / 1000
    click.echo(f"{len(page.hits)} of {more}{page.total:,} found in {seconds:.2f} s")
    if page.missing:
        click.echo(f"Not in this library: {clean(', '.join(page.missing))}")
    if page.suggestion is not None:
        click.echo(f"Did you mean: {clean(page.suggestion)}")


def echo_citation(citation: Citation, origins: Sequence[Origin]) -> None:
    """Writes the whole record as people read it, and what it was made of."""
    console = _console()
    for line in (*_citation_lines(citation), *_origin_lines(origins)):
        _write(console, line)


def _origin_lines(origins: Sequence[Origin]) -> Iterator[Text]:
    for origin in origins:
        name = origin.source + (f" ({origin.file})" if origin.file else "")
        fields = ", ".join(origin.fields).replace("_", " ") or "nothing that others do not say"
        yield Text("From: ", style="dim").append(clean(name + (f": {fields}" if len(origins) > 1 else "")))


def _hit_lines(hit: Hit, number: str) -> Iterator[Text]:
    citation = hit.citation
    yield Text(number, style="dim").append_text(_title(citation))
    if citation.vernacular_title:
        yield Text(clean(citation.vernacular_title), style="italic")
    yield Text(clean(byline(citation)), style="cyan")
    yield Text(_identifiers(citation), style="dim")
    yield from _signals(citation)
    if hit.duplicates:
        yield Text(f"Also as {', '.join(map(clean, map(record_name, hit.duplicates)))}", style="dim")
    if hit.evidence:
        pieces = marked_evidence(hit)
        yield Text.assemble(*((clean(piece.text), "bold" if piece.word else "") for piece in pieces))
    elif text := excerpt(citation, hit.passage):
        yield Text(clean(text))


def _citation_lines(citation: Citation) -> Iterator[Text]:
    yield _title(citation)
    if citation.vernacular_title:
        yield Text(clean(citation.vernacular_title), style="italic")
    yield Text(clean(author_line(citation, most=len(citation.authors))))
    yield Text(clean(source_line(citation)), style="cyan")
    yield Text(_identifiers(citation), style="dim")
    yield from _signals(citation)
    yield from _sections(marked_abstract(citation))
    if body := whole_body(citation):
        yield Text()
        yield Text("Full text", style="bold")
        yield from _sections(body)
    yield Text()
    yield from _fields(citation)


def _sections(sections: Iterable[MarkedSection]) -> Iterator[Text]:
    for section in sections:
        yield Text()
        heading = " ".join(filter(None, (section.label, section.language and f"[{section.language}]")))
        body = clean("".join(piece.text for piece in section.pieces))
        yield Text(clean(heading) + ": " if heading else "", style="bold").append(body, style="not bold")


def _fields(citation: Citation) -> Iterator[Text]:
    fields = {
        "Languages": ", ".join(citation.languages),
        "Publication types": "; ".join(term.name for term in citation.publication_types),
        "MeSH": "; ".join(map(_heading, citation.mesh)),
        "Keywords": "; ".join(keyword.text for keyword in citation.keywords),
        "Corrections": "; ".join(
            f"{item.type}: {item.source}" + (f" (PMID {item.pmid})" if item.pmid else "")
            for item in citation.corrections
        ),
        "Copyright": citation.copyright,
    }
    for name, value in fields.items():
        if value:
            yield Text(f"{name}: ", style="dim").append(clean(value), style="not dim")


def _heading(heading: MeshHeading) -> str:
    """The descriptor with its qualifiers, major topics starred, as PubMed prints it."""
    names = [heading.name + "*" * heading.major]
    names += [qualifier.name + "*" * qualifier.major for qualifier in heading.qualifiers]
    return "/".join(names)


def _title(citation: Citation) -> Text:
    flag = Text(f"{RETRACTED} ", style="bold red") if is_retracted(citation) else Text()
    return flag.append(clean(citation.title or citation.vernacular_title or "(no title)"), style="bold")


def _signals(citation: Citation) -> Iterator[Text]:
    if lines := signal_lines(citation):
        yield Text(clean("; ".join(lines)), style="red")


def _identifiers(citation: Citation) -> str:
    parts = (
        citation.pmid and f"PMID {citation.pmid}",
        citation.pmcid,
        doi_url(citation.doi) if citation.doi else record_url(citation),
    )
    return "  ".join(clean(part) for part in parts if part) or clean(citation.id)


def _console() -> Console:
    return Console(highlight=False, markup=False, emoji=False)


def _write(console: Console, line: Text, indent: int = 0) -> None:
    """Wraps the line to a terminal; elsewhere a line stays one line."""
    if console.is_terminal:
        console.print(Padding(line, (0, 0, 0, indent)))
    else:
        click.echo(" " * indent + line.plain)
