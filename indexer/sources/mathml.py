"""MathML as one line of plain text: x², √(a+b), (a+b)/c, ∑_(i=1)^n."""

import re
from collections.abc import Callable

from lxml import etree

from indexer.sources.superscripts import lowered, raised

_XML_SPACE = " \t\r\n"
_INVISIBLE = {code: None for code in range(0x2061, 0x2065)}
"""Function application, invisible times, separator and plus: marks for layout, without a shape."""
_SIMPLE = re.compile(r"[\w.,'′∞°%]*")
_BRACKETS = {"(": ")", "[": "]", "{": "}", "|": "|"}
_ANNOTATIONS = frozenset({"annotation", "annotation-xml"})


def flatten_math(element: etree._Element) -> str:
    """The formula on one line; nothing visible is left out, whatever the markup."""
    name = etree.QName(element).localname
    children = [child for child in element if isinstance(child.tag, str)]
    layout = _LAYOUTS.get(name)
    if layout is not None:
        arguments, write = layout
        if arguments is None or arguments == len(children):
            return write(element, [flatten_math(child) for child in children])
    return _row(element)


def _row(element: etree._Element) -> str:
    pieces = [_token(element.text)]
    for child in element:
        if isinstance(child.tag, str):
            pieces.append(flatten_math(child))
        elif child.tag is etree.Entity:
            pieces.append(child.text or "")
        pieces.append(_token(child.tail))
    return "".join(pieces)


def _token(text: str | None) -> str:
    return text.strip(_XML_SPACE).translate(_INVISIBLE) if text else ""


def _group(text: str) -> str:
    """Text in parentheses unless it reads as one thing already."""
    if _SIMPLE.fullmatch(text) or _enclosed(text):
        return text
    return f"({text})"


def _enclosed(text: str) -> bool:
    closing = _BRACKETS.get(text[0])
    return closing is not None and text.endswith(closing) and closing not in text[1:-1]


def _below(text: str) -> str:
    return lowered(text) or _marked("_", text)


def _above(text: str) -> str:
    return raised(text) or _marked("^", text)


def _marked(mark: str, text: str) -> str:
    """Text behind a mark, but for nothing at all and for an accent, a star or a prime."""
    if not text or (len(text) == 1 and not text.isalnum()):
        return text
    return mark + _group(text)


def _multiscripts(element: etree._Element, parts: list[str]) -> str:
    """A base, then pairs of subscript and superscript, then such pairs that stand before the base."""
    names = [etree.QName(child).localname for child in element if isinstance(child.tag, str)]
    split = names.index("mprescripts") if "mprescripts" in names else len(names)
    before = "".join(_above(sup) + _below(sub) for sub, sup in _pairs(parts[split + 1 :]))
    after = "".join(_below(sub) + _above(sup) for sub, sup in _pairs(parts[1:split]))
    return before.removeprefix("^") + "".join(parts[:1]) + after


def _pairs(parts: list[str]) -> list[tuple[str, str]]:
    even = parts if len(parts) % 2 == 0 else [*parts, ""]
    return list(zip(even[::2], even[1::2], strict=True))


def _fenced(element: etree._Element, parts: list[str]) -> str:
    separators = (
        "".join((element.get("separators") or ",").split()) if "separators" in element.attrib else ","
    )
    text = "".join(
        part + (separators[min(at, len(separators) - 1)] if separators and at < len(parts) - 1 else "")
        for at, part in enumerate(parts)
    )
    return f"{element.get('open', '(')}{text}{element.get('close', ')')}"


def _semantics(element: etree._Element, parts: list[str]) -> str:
    """The formula without its copies in other notations, or those if there is nothing else."""
    names = [etree.QName(child).localname for child in element if isinstance(child.tag, str)]
    shown = "".join(part for part, name in zip(parts, names, strict=True) if name not in _ANNOTATIONS)
    return shown or "".join(parts)


_Layout = tuple[int | None, Callable[[etree._Element, list[str]], str]]
_LAYOUTS: dict[str, _Layout] = {
    "msup": (2, lambda _, p: _group(p[0]) + _above(p[1])),
    "msub": (2, lambda _, p: p[0] + _below(p[1])),
    "msubsup": (3, lambda _, p: p[0] + _below(p[1]) + _above(p[2])),
    "mover": (2, lambda _, p: p[0] + _above(p[1])),
    "munder": (2, lambda _, p: p[0] + _below(p[1])),
    "munderover": (3, lambda _, p: p[0] + _below(p[1]) + _above(p[2])),
    "mmultiscripts": (None, _multiscripts),
    "mfrac": (2, lambda _, p: f"{_group(p[0])}/{_group(p[1])}"),
    "mroot": (2, lambda _, p: f"{raised(p[1]) or p[1]}√{_group(p[0])}"),
    "msqrt": (None, lambda e, _: f"√{_group(_row(e))}"),
    "mfenced": (None, _fenced),
    "mspace": (0, lambda _, __: " "),
    "mtr": (None, lambda _, p: ", ".join(p)),
    "mtable": (None, lambda _, p: "; ".join(p)),
    "semantics": (None, _semantics),
}
"""Element: how many children its rule needs (None: any number), and the rule."""
