"""The full text of a JATS article: its sections, and apart from them the captions of figures and tables.

Left out: the cells of tables, which say nothing without their rows and columns, footnotes, the names of files
in supplements, acknowledgements and other matter behind the text. Appendices are part of the text.
"""

import re

from lxml import etree

from indexer.citation import TextPart
from indexer.sources.jats_text import paragraphs_in, sentences, text_in

_CAPTIONED = ("fig", "table-wrap", "fig-group", "table-wrap-group", "chem-struct-wrap")
_PARTS = frozenset({"sec", "app", "boxed-text", "statement"})
"""What has a heading of its own."""
_WITHIN = frozenset(
    """list list-item def-list disp-quote speech verse-group verse-line app-group p""".split()
)
"""What has paragraphs in it and no heading."""
_LEFT_OUT = frozenset(
    """title label caption sec-meta ref-list fn-group supplementary-material media table-wrap-foot ack
    attrib permissions glossary""".split()
)
_CONFLICT_TYPES = frozenset({"conflict", "coi-statement"})
_CONFLICT = re.compile(
    r"(?:declarations? of |statement of |potential |financial )?"
    r"(?:(?:competing|conflicting|conflicts? of)(?: financial)? interests?|disclosures?)(?: statement)?",
    re.IGNORECASE,
)
_LEAD = re.compile(f"^(?:{_CONFLICT.pattern}):\\s*", re.IGNORECASE)
_BESIDE = re.compile(
    r"(?:authors?['’]?s? contributions?|contributors|acknowledge?ments?|funding(?: statement| sources?)?"
    r"|(?:list of )?abbreviations(?: used)?|pre-publication history"
    r"|supplementary (?:materials?|data|information)|supporting information"
    r"|data availability(?: statement)?|publisher['’]s note)",
    re.IGNORECASE,
)
"""Headings of what journals put into the text besides the text."""
_HEADED = frozenset({"sec", "notes", "ack", "fn"})


def read_body(article: etree._Element) -> tuple[tuple[TextPart, ...], tuple[TextPart, ...]]:
    """The sections in their order, and the captions; both () if there is no full text."""
    text = _FullText()
    for place in article.iterfind("body"):
        text.read(place, (), "")
    for place in article.iterfind("back/app-group"):
        text.read(place, (), "appendix")
    for place in (*article.iterfind("floats-group"), *article.iterfind("floats-wrap")):
        text.read(place, (), "")
    parts = (TextPart("\n".join(paragraphs), *under) for under, paragraphs in text.parts)
    return tuple(parts), tuple(text.captions)


class _FullText:
    """What has been read. parts: paragraphs by headings and type, neighbours under one heading together."""

    def __init__(self) -> None:
        self.parts: list[tuple[tuple[tuple[str, ...], str], list[str]]] = []
        self.captions: list[TextPart] = []

    def read(self, element: etree._Element, headings: tuple[str, ...], kind: str) -> None:
        """Everything in an element, which stands under these headings."""
        for child in element:
            if is_conflict(child) or _is_beside(child):
                continue
            if child.tag in _PARTS:
                inner = child.get("sec-type") or kind
                self.read(child, (*headings, *_heading(child)), inner)
            elif child.tag in _CAPTIONED:
                for float_ in child.iter(*_CAPTIONED):
                    self.caption(float_)
            elif child.tag == "def-item":
                self.add(": ".join(filter(None, map(text_in, child))), headings, kind)
            elif child.tag in _WITHIN:
                self.paragraph(child, headings, kind)
            elif child.tag not in _LEFT_OUT:
                self.add(text_in(child), headings, kind)

    def paragraph(self, element: etree._Element, headings: tuple[str, ...], kind: str) -> None:
        """A paragraph, split where lists, quotations and the like stand in it; figures are taken out."""
        for float_ in [found for found in element.iter(*_CAPTIONED) if found is not element]:
            self.caption(float_)
        etree.strip_elements(element, *_CAPTIONED, "supplementary-material", with_tail=False)
        run = _run(element.text)
        for child in list(element):
            if child.tag in _PARTS or child.tag in _WITHIN or child.tag == "def-item":
                self.add(text_in(run), headings, kind)
                run = _run(child.tail)
                wrapped = _run(None)
                child.tail = None
                wrapped.append(child)
                self.read(wrapped, headings, kind)
            elif child.tag not in ("label", "attrib"):
                run.append(child)
        self.add(text_in(run), headings, kind)

    def add(self, paragraph: str, headings: tuple[str, ...], kind: str) -> None:
        if not any(map(str.isalnum, paragraph)):
            return
        if not self.parts or self.parts[-1][0] != (headings, kind):
            self.parts.append(((headings, kind), []))
        self.parts[-1][1].append(paragraph)

    def caption(self, element: etree._Element) -> None:
        """The captions of a figure or table, or of a group of them."""
        caption = element.find("caption")
        text = "" if caption is None else sentences([paragraphs_in(child) for child in caption])
        if text:
            label = text_in(element.find("label")).rstrip(".:")
            kind = "table" if element.tag.startswith("table") else "figure"
            self.captions.append(TextPart(text, (label,) if label else (), kind))


def is_conflict(element: etree._Element) -> bool:
    """Whether an element is a statement on conflicts of interest, by its type or its heading."""
    kind = element.get("sec-type") or element.get("fn-type") or element.get("notes-type") or ""
    if kind.lower() in _CONFLICT_TYPES:
        return True
    return element.tag in _HEADED and bool(_CONFLICT.fullmatch(" ".join(_heading(element))))


def statement_in(element: etree._Element) -> str:
    """What such an element says, without the heading."""
    parts = [paragraphs_in(child) for child in element if child.tag not in ("title", "label")]
    return _LEAD.sub("", sentences(parts))


def _is_beside(element: etree._Element) -> bool:
    return element.tag == "sec" and bool(_BESIDE.fullmatch(" ".join(_heading(element))))


def _run(text: str | None) -> etree._Element:
    run = etree.Element("p")
    run.text = text
    return run


def _heading(element: etree._Element) -> tuple[str, ...]:
    """What stands over a section; its number does not count."""
    title = element.find("title")
    if title is None:
        title = element.find("caption/title")
    text = text_in(title).rstrip(".: ")
    return (text,) if text else ()
