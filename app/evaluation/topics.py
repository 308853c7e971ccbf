"""Queries from TREC topics: the tagged text of the classic tracks, and the XML of the later ones.

Classic: `<top>` with `<num> Number: 301`, `<title>`, `<desc> Description:` and `<narr>`, mostly left open.
XML: `<topic number="1">` that holds a query (TREC-COVID), a summary (clinical decision support), fields such
as disease and gene (precision medicine) or bare text (clinical trials).
"""

import html
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from lxml import etree

from models.errors import UsageError

SHORT = ("title", "query", "summary")
"""Short forms of a topic: the first that it has is its query, unless other fields are asked for."""
NUMBERS = ("num", "number", "id")
FIELD = re.compile(r"<(\w+)>(.*?)(?=</?\w+>|\Z)", re.DOTALL)
HEADING = re.compile(r"^(Number|Topic|Description|Narrative):\s*", re.IGNORECASE)

Topic = dict[str, str]
"""Field name, in lower case, to its text; "" names text that stands in no field."""


def read_topics(path: Path, fields: Sequence[str] = ()) -> dict[str, str]:
    """Topic number to query: the named fields in that order, else the short form, else the whole text.

    Raises UsageError that names what is wrong and where.
    """
    queries: dict[str, str] = {}
    for place, topic in enumerate(_topics(path), 1):
        number = next((topic.pop(name) for name in NUMBERS if topic.get(name)), "")
        if not number:
            raise UsageError(f"{path}: topic {place} has no number")
        if number in queries:
            raise UsageError(f"{path}: topic {number} stands twice")
        missing = [name for name in fields if not topic.get(name)]
        if missing:
            have = ", ".join(filter(None, topic))
            raise UsageError(f"{path}: topic {number} has no field {missing[0]!r}; it has {have or 'none'}")
        short = [name for name in SHORT if topic.get(name)][:1]
        queries[number] = " ".join(filter(None, (topic[name] for name in (fields or short or topic))))
        if not queries[number]:
            raise UsageError(f"{path}: topic {number} is empty")
    if not queries:
        raise UsageError(f"{path}: no topic; expected <top> or <topic number=...> elements")
    return queries


def _topics(path: Path) -> Iterator[Topic]:
    data = path.read_bytes()
    if re.search(rb"<top>", data, re.IGNORECASE):
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise UsageError(f"{path}: not UTF-8: {error.reason} at byte {error.start:,}") from None
        return _tagged(text)
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True)
    try:
        return _elements(etree.fromstring(data, parser))
    except etree.XMLSyntaxError as error:
        raise UsageError(f"{path}: neither tagged text with <top> nor XML: {error.msg}") from None


def _tagged(text: str) -> Iterator[Topic]:
    """A tag opens a field, which ends where the next tag of any kind stands."""
    for part in re.split(r"<top>", text, flags=re.IGNORECASE)[1:]:
        topic: Topic = {}
        for name, content in FIELD.findall(part):
            words = " ".join(html.unescape(content).split())
            topic.setdefault(name.lower(), HEADING.sub("", words))
        yield topic


def _elements(root: etree._Element) -> Iterator[Topic]:
    for element in root.iter("topic", "TOPIC"):
        topic: Topic = {name: str(element.get(name)).strip() for name in NUMBERS if element.get(name)}
        own = [element.text, *(child.tail for child in element)]
        if any(text and text.strip() for text in own):
            topic[""] = _text(element)
        else:
            for child in element.iterchildren("*"):
                name = child.tag.lower()
                topic[name] = f"{topic.get(name, '')} {_text(child)}".strip()
        yield topic


def _text(element: etree._Element) -> str:
    return " ".join("".join(map(str, element.itertext())).split())
