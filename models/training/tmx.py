"""Translation units of TMX 1.4b, one at a time: the exchange form of translation memories.

Nothing outside the file is read: entities are not expanded, DTDs and the network are not touched.
Source: TMX 1.4b Specification, LISA OSCAR, 2005.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, cast

from lxml import etree

from models.safe_xml import pull_parser

CHUNK = 1 << 16
XML_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"

NATIVE_CODE = {"bpt", "ept", "it", "ph", "ut"}
"""Inline elements that hold the markup of the original document, not its text."""


@dataclass(frozen=True, slots=True)
class TranslationUnit:
    """One text in several languages, as (language, text); line: where it begins in the file.

    problem: why the unit cannot be used, "" if it can.
    """

    line: int
    texts: tuple[tuple[str, str], ...]
    problem: str = ""


def translation_units(stream: BinaryIO) -> Iterator[TranslationUnit]:
    """The units in order. Raises etree.XMLSyntaxError after the last whole one if the XML is broken."""
    parser = pull_parser("end", ("tu", "{*}tu"))
    for _, element in _events(parser, stream):
        yield _unit(element)
        _release(element)


def _events(parser: etree.XMLPullParser, stream: BinaryIO) -> Iterator[tuple[str, etree._Element]]:
    """What the parser tells of; all that stands before the fault, if there is one."""
    fault: Exception | None = None
    while fault is None:
        chunk = b""
        try:
            # read would lose what it has already unpacked when it comes upon the end of a cut file.
            chunk = stream.read1(CHUNK)  # type: ignore[attr-defined]
            if chunk:
                parser.feed(chunk)
            else:
                parser.close()
        except Exception as error:  # raised again behind the events
            fault = error
        if chunk or fault is None:  # Closing a file that is cut off ends what is half read.
            yield from parser.read_events()  # type: ignore[misc]
        if not chunk:
            break
    if fault is not None:
        raise fault


def _unit(element: etree._Element) -> TranslationUnit:
    texts = []
    line = cast("int", element.sourceline)
    for variant in element.iterchildren("tuv", "{*}tuv"):
        segment = next(variant.iterchildren("seg", "{*}seg"), None)
        language = variant.get(XML_LANGUAGE) or variant.get("lang") or ""  # "lang" before TMX 1.4
        if segment is None or not language:
            return TranslationUnit(line, (), "a tuv without xml:lang or seg")
        if next(segment.iter(etree.Entity), None) is not None:
            return TranslationUnit(line, (), "a seg with an entity, and entities are not expanded")
        texts.append((language, segment_text(segment)))
    return TranslationUnit(line, tuple(texts))


def segment_text(segment: etree._Element) -> str:
    """The text of a seg without native code, single-spaced.

    A sub-flow (a footnote, the title of a link) stands inside native code and is a text of its own: it
    follows the sentence that it would otherwise break.
    """
    flows: list[list[str]] = [[]]
    _collect(segment, flows, flows[0])
    return " ".join(" ".join("".join(flow).split()) for flow in flows if flow).strip()


def _collect(element: etree._Element, flows: list[list[str]], flow: list[str] | None) -> None:
    """Add the element's text to the flow (None inside native code) and its sub-flows to the flows."""
    if flow is not None:
        flow.append(element.text or "")
    for child in element:
        name = etree.QName(child).localname
        if name == "sub":
            flows.append([])
            _collect(child, flows, flows[-1])
        else:
            _collect(child, flows, None if name in NATIVE_CODE else flow)
        if flow is not None:
            flow.append(child.tail or "")


def _release(element: etree._Element) -> None:
    """Drop a unit and all that stands before it."""
    element.clear()
    if (parent := element.getparent()) is not None:
        del parent[: parent.index(element)]
