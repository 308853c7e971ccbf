"""Text with inline markup as one line of plain text, nothing left out."""

import html

from lxml import etree

from indexer.sources.mathml import flatten_math
from indexer.sources.superscripts import subscript, superscript

_MATH = ("math", "{http://www.w3.org/1998/Math/MathML}math")


def flatten(element: etree._Element) -> str:
    """All text inside an element, single-spaced; every kind of Unicode space counts as a space.

    Bold, italic, underlined and unknown elements give their text; see superscripts and mathml for the rest.
    """
    if len(element) == 0:
        text = element.text or ""
        return text if text.isalnum() else " ".join(text.split())
    return " ".join(_content(element).split())


def _content(element: etree._Element) -> str:
    text = element.text or ""
    for child in element:
        text = _append(text, child) + (child.tail or "")
    return text


def _append(text: str, child: etree._Element) -> str:
    tag = child.tag
    if tag == "sup":
        return _scripted(text, _content(child), raise_it=True)
    if tag == "sub":
        return _scripted(text, _content(child), raise_it=False)
    if tag in _MATH:
        return text + flatten_math(child)
    if tag == "DispFormula":
        return f"{text} {_content(child)} "
    if tag is etree.Entity:
        # Nobody declared it in a file we would open; the standard names (&alpha;) are known all the same.
        return text + html.unescape(child.text or "")
    return text + _content(child) if isinstance(tag, str) else text


def _scripted(text: str, inner: str, *, raise_it: bool) -> str:
    """`text` followed by raised or lowered `inner`, whose own outer spaces stay around it."""
    stripped = inner.strip()
    if not stripped:
        return text + inner
    start = inner.index(stripped[0])
    base = text + inner[:start]
    write = superscript if raise_it else subscript
    return base + write(base, stripped) + inner[start + len(stripped) :]
