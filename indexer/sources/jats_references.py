"""The list of references of a JATS article."""

import re
from collections.abc import Iterator

from lxml import etree

from indexer.citation import ArticleId, Reference
from indexer.sources.identity import distinct, normalise_doi
from indexer.sources.jats_text import LINK, text_in

_CITATIONS = ("mixed-citation", "element-citation", "nlm-citation", "citation")
_TYPES = {"pmid": "pubmed", "pmc": "pmc", "pmcid": "pmc", "doi": "doi"}
"""Kinds of numbers of a paper that are the same everywhere, by the names that PubMed has for them."""
_PEOPLE = ("name", "string-name", "collab", "etal")
_PUNCTUATED = re.compile(r"[^\W\d_]|[.:;]")
"""What a reference has between its elements if it was set as a text."""


def read_references(article: etree._Element) -> tuple[Reference, ...]:
    """Every reference in its order, as text and with its numbers; one entry may hold several."""
    return tuple(
        reference
        for entry in article.iterfind("back//ref-list//ref")
        for citation in entry.iter(*_CITATIONS)
        if (reference := _reference(citation)).text or reference.ids
    )


def article_id(kind: str, text: str) -> ArticleId:
    """An id of a paper under PubMed's name for its kind; its value is "" if it is none of that kind."""
    name = _TYPES.get(kind, kind)
    if name == "pubmed":
        text = text if text.isascii() and text.isdigit() else ""
        return ArticleId(name, text.lstrip("0"))
    if name == "pmc":
        number = re.fullmatch(r"(?:PMC)?(\d{1,9})(?:\.\d+)?", text, re.IGNORECASE)
        return ArticleId(name, f"PMC{number[1]}" if number else "")
    return ArticleId(name, (normalise_doi(text) or "") if name == "doi" else text)


def _reference(citation: etree._Element) -> Reference:
    ids = [article_id(item.get("pub-id-type", "").lower(), text_in(item)) for item in citation.iter("pub-id")]
    links = [item.get(LINK) or text_in(item) for item in citation.iter("ext-link")]
    ids += [ArticleId("doi", normalise_doi(link) or "") for link in links]
    known = distinct(item for item in ids if item.type in ("pubmed", "pmc", "doi"))
    between = "".join([citation.text or "", *(child.tail or "" for child in citation)])
    set_as_text = citation.tag != "element-citation" and _PUNCTUATED.search(between)
    etree.strip_elements(citation, "pub-id", with_tail=False)
    for part in citation.iterchildren("article-title", "source", "year", "volume", "issue"):
        part.tail = part.tail or " "
    return Reference(text_in(citation).rstrip(" ;,") if set_as_text else _composed(citation), known)


def _composed(citation: etree._Element) -> str:
    """The elements as PubMed prints a reference: "Diop A, Sow B. Title. Journal. 2019;12(3):4-9."."""

    def one(*names: str) -> str:
        return next((text for name in names if (text := text_in(citation.find(name)))), "")

    where = one("volume") + (f"({issue})" if (issue := one("issue")) else "")
    first, last = one("fpage", "elocation-id"), one("lpage")
    pages = f"{first}-{last}" if last and last != first else first
    when = one("year") + (f";{where}" if where else "") + (f":{pages}" if pages else "")
    parts = [
        ", ".join(_people(citation)),
        one("article-title", "chapter-title", "part-title", "data-title"),
        one("source"),
        one("edition"),
        ": ".join(filter(None, (one("publisher-loc"), one("publisher-name")))),
        when,
        one("comment"),
    ]
    return " ".join(part if part[-1] in ".?!" else f"{part}." for part in parts if part)


def _people(citation: etree._Element) -> Iterator[str]:
    """The authors, and editors only if there are none."""
    groups = [group.get("person-group-type", "author") for group in citation.iterchildren("person-group")]
    for who in citation.iter(*_PEOPLE):
        parent = who.getparent()
        kind = parent.get("person-group-type", "author") if parent is not None else "author"
        if kind != "author" and "author" in groups:
            continue
        if who.tag == "etal":
            yield "et al"
        else:
            names = (text_in(who.find(part)) for part in ("surname", "given-names", "suffix"))
            yield " ".join(filter(None, names)) or text_in(who)
