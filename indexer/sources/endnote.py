"""EndNote's XML, as EndNote (X7 to 21), Zotero, Mendeley and others write it.

Text stands in `style` elements, often all of it on one line. Elements: "RSXML.dtd", shipped with EndNote.
"""

from collections.abc import Iterator

from lxml import etree

from indexer.citation import Citation
from indexer.sources.archive import File
from indexer.sources.endnote_fields import LISTS, citation_of
from indexer.sources.errors import SourceItem
from indexer.sources.markup import flatten
from indexer.sources.text import Encoding
from indexer.sources.xmlpieces import XmlForm, read_pieces

ITEMS = frozenset({"author", "keyword", "url", "date"})
"""Elements that are named by what they stand in."""
SILENT = frozenset(
    "database source-app rec-number foreign-keys ref-type access-date modified-date text-urls".split()
)
"""Of the program, not of the paper."""


def read_endnote(file: File, encoding: Encoding | None = None) -> Iterator[SourceItem]:
    """Every record of a file; see read_pieces."""
    return read_pieces(file, encoding, XmlForm("endnote", "record", read_record))


def read_record(record: etree._Element) -> Citation:
    """The citation of a record. Raises RecordFault if it has neither title nor abstract."""
    kind = record.find("ref-type")
    name = "" if kind is None else kind.get("name") or flatten(kind)
    for style in list(record.iter("style")):
        face = style.get("face", "")
        style.tag = "sup" if "superscript" in face else "sub" if "subscript" in face else "style"
    return citation_of(" ".join(name.split()), _fields(record), "endnote")


def _fields(element: etree._Element) -> Iterator[tuple[str, str]]:
    """Every text with the name of its field."""
    for child in element:
        if child.tag in SILENT:
            continue
        if any(inner.tag not in ("style", "sup", "sub") for inner in child):
            yield from _fields(child)
        else:
            name = element.tag if child.tag in ITEMS else child.tag
            yield name, "".join(map(str, child.itertext())) if name in LISTS else flatten(child)
