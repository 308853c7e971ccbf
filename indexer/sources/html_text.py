"""Texts with HTML in them, as interfaces for browsers give them, as plain text."""

from collections.abc import Iterator

from lxml import html

from indexer.citation import Section
from indexer.sources.markup import flatten

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


def plain(text: str) -> str:
    """All the text, single-spaced; superscripts and subscripts as in indexer.sources.markup."""
    if "<" not in text and "&" not in text:
        return " ".join(text.split())
    return flatten(_parsed(text))


def sections(text: str) -> tuple[Section, ...]:
    """The text under each heading, with the heading as its label."""
    return tuple(section for section in _sections(text) if section.text)


def _sections(text: str) -> Iterator[Section]:
    if not any(f"<{name}>" in text for name in _HEADINGS):
        yield Section(plain(text))
        return
    label, parts = "", list[str]()
    root = _parsed(text)
    parts.append(root.text or "")
    for child in root:
        if child.tag in _HEADINGS:
            yield Section(" ".join(" ".join(parts).split()), label)
            label, parts = flatten(child).rstrip(":"), [child.tail or ""]
        else:
            parts += [flatten(child) if isinstance(child.tag, str) else "", child.tail or ""]
    yield Section(" ".join(" ".join(parts).split()), label)


def _parsed(text: str) -> html.HtmlElement:
    """A div around what stands there; control characters, which no HTML has, are spaces."""
    clean = "".join(character if character >= " " else " " for character in text)
    parser = html.HTMLParser(no_network=True, remove_comments=True, remove_pis=True, huge_tree=False)
    return html.fragment_fromstring(clean, create_parent="div", parser=parser)
