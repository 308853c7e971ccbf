"""The marks inside a JATS text, brought to what `indexer.sources.markup` reads.

Numbers that point to references are left out, with the brackets around them: as superscripts they would
read as powers ("25¹²"), and they answer no question. Names and years ("Diop, 2019") are part of the sentence.
"""

import re

from lxml import etree

from indexer.sources.bibtex import decoded
from indexer.sources.markup import flatten

MATH = "{http://www.w3.org/1998/Math/MathML}math"
LINK = "{http://www.w3.org/1999/xlink}href"
LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"

_POINTER = "\ufdd0"
"""Stands where a number pointed to a reference; Unicode keeps this for such use, and no text has it."""
_POINTERS = re.compile(
    r"\s*\[(?:[\s,;–—\-\d]|and|&)*P(?:[\s,;–—\-\dP]|and|&)*\]"
    r"|\s*\((?:[\s,;–—\-\d]|and|&)*P(?:[\s,;–—\-\dP]|and|&)*\)"
    r"|\^[\s,;–—\-\d]*P(?:[,;–—-]\s?[\dP]+)*"
    r"|(?<=[\[(])P[\s,;–—\-P]*"
    r"|[\s,;]*P(?:[\s,;–—-]*P)*(?=[\])])"
    r"|\s*P(?:[\s,;–—-]*P)*".replace("P", _POINTER)
)
"""Pointers in brackets, raised, at either end of brackets with words in them, and anywhere else."""
_MARKS = frozenset({"bibr", "fn", "table-fn", "corresp", "author-notes", "aff"})
"""Kinds of cross-references whose numbers and signs are left out."""
_UNSEEN = ("graphic", "inline-graphic", "object-id", "table", "array", "processing-meta")
_NOTES = frozenset({"fn-group", "author-notes"})
_TEX = re.compile(r"\\begin\{document\}(.*)\\end\{document\}", re.DOTALL)


def plain_tree(article: etree._Element) -> etree._Element:
    """The article without its namespace, with one form of each formula, and without marks of notes.

    The tree itself is changed.
    """
    space = etree.QName(article).namespace
    for element in article.iter(f"{{{space}}}*") if space else ():
        element.tag = etree.QName(element).localname
    for element in list(article.iter(*_PLAIN)):
        _PLAIN[element.tag](element)
    etree.strip_elements(article, *_UNSEEN, with_tail=False)
    return article


def text_in(element: etree._Element | None) -> str:
    """All text in an element on one line, "" for none."""
    if element is None:
        return ""
    text = flatten(element)
    if _POINTER in text:
        text = _POINTERS.sub(_POINTER, text).replace(f".{_POINTER}.", ".").replace(_POINTER, "").strip()
    return text


def paragraphs_in(element: etree._Element) -> str:
    """The text of an element that may be made of paragraphs, on one line."""
    if not any(child.tag in _PARAGRAPHS for child in element):
        return text_in(element)
    parts = (part for child in element for part in (text_in(child), child.tail or ""))
    return sentences([element.text or "", *parts])


def sentences(parts: list[str]) -> str:
    """Texts one behind the other, each with a full stop at its end before another follows."""
    texts = [text for part in parts if (text := " ".join(part.split()))]
    ended = [text if text[-1] in _ENDS else f"{text}." for text in texts[:-1]]
    return " ".join([*ended, *texts[-1:]])


_PARAGRAPHS = frozenset({"p", "title", "sec", "list", "disp-quote", "license-p"})
_ENDS = frozenset(".,:;?!。！？．")


def _bare(element: etree._Element) -> str:
    return "".join(map(str, element.itertext())).strip()


def _reference(element: etree._Element) -> None:
    if element.get("ref-type") not in _MARKS:
        return
    text = _bare(element)
    if not any(map(str.isalpha, text)) or (len(text) == 1 and element.get("ref-type") != "bibr"):
        for child in list(element):
            element.remove(child)
        element.text = _POINTER


def _formula(element: etree._Element) -> None:
    """Of several forms of one formula, MathML, else TeX as it is printed; an ellipsis for a picture."""
    maths = list(element.iter(MATH))
    for child in list(element.iter("tex-math", "label")):
        if child.tag == "label" or maths:
            child.text = ""
    if not _bare(element):
        element.text = "…"
    if element.tag == "disp-formula":
        element.tag = "DispFormula"  # PubMed's name for it, which markup knows


def _tex(element: etree._Element) -> None:
    found = _TEX.search(element.text or "")
    element.text = decoded((found[1] if found else element.text or "").replace("$$", "$"))


def _note(element: etree._Element) -> None:
    """A footnote within a text, which would stand in the middle of a sentence."""
    parent = element.getparent()
    if parent is None or parent.tag not in _NOTES:
        element.clear(keep_tail=True)  # type: ignore[call-arg]  # the stubs lack it


def _link(element: etree._Element) -> None:
    """The address of a link that has no text."""
    if not _bare(element):
        element.text = element.get(LINK)


def _line_break(element: etree._Element) -> None:
    element.text = " "


def _name(element: etree._Element) -> None:
    """A space between the parts of a name, for references whose names are not parted."""
    for child in element:
        if child.getnext() is not None:
            child.tail = child.tail or " "


_PLAIN = {
    "xref": _reference,
    "disp-formula": _formula,
    "inline-formula": _formula,
    "tex-math": _tex,
    "break": _line_break,
    "ext-link": _link,
    "fn": _note,
    "name": _name,
}
