"""Documents that are one record each: their title, their text, and what they are known by."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from indexer.citation import Citation, Section, TextPart
from indexer.sources.identity import record_id

LONGEST = 1 << 26
"""Characters of a document; more are no text to be read."""
LONGEST_TITLE = 300

_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3001-\u30ff\u3400-\u9fff\uf900-\ufaff\uff01-\uff9f"
"""Thai, Lao, Burmese, Khmer, Chinese and Japanese, in which a line ends within a word as well."""
_WITHIN = re.compile(rf"(?<=[{_UNSPACED}])[^\S\n]*\n[^\S\n]*(?=[{_UNSPACED}])")


def full_text(citation: Citation, sections: Iterable[Section]) -> Citation:
    """The citation with a document's own text."""
    body = (TextPart(part.text, (part.label,) if part.label else ()) for part in sections)
    return replace(citation, body=tuple(body))


def document(citation: Citation, sections: Sequence[Section]) -> Citation:
    """The citation with its text and its id: its number, else what follows from all its words.

    Of documents without a number many have one title, such as "Introduction", and one author and year.
    """
    whole = " ".join(f"{part.label} {part.text}" for part in (*citation.abstract, *sections))
    return replace(full_text(citation, sections), id=record_id(citation, whole))


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of text, or a heading."""

    text: str
    heading: bool = False


def read_blocks(blocks: Iterable[Block], title: str = "") -> tuple[str, list[Section]]:
    """Title and sections; the title, unless it is given, is the first heading, else how the text begins."""
    found = [block for block in blocks if block.text]
    if not title:
        first = next((number for number, block in enumerate(found) if block.heading), None)
        if first is not None:
            title = found.pop(first).text
        elif found and len(found[0].text) <= LONGEST_TITLE:
            title = found.pop(0).text
        elif found:
            title = shortened(found[0].text)
    elif found and found[0].heading and found[0].text.casefold() == title.casefold():
        found.pop(0)
    return title, list(_sections(found))


def _sections(blocks: Iterable[Block]) -> Iterable[Section]:
    """The texts under their headings; a heading with nothing but another below it goes before that one."""
    label, texts = "", list[str]()
    for block in blocks:
        if not block.heading:
            texts.append(block.text)
        elif texts:
            yield Section(" ".join(texts), label)
            label, texts = block.text, []
        else:
            label = f"{label}: {block.text}" if label else block.text
    if texts:
        yield Section(" ".join(texts), label)
    elif label:
        yield Section(label)


def shortened(text: str) -> str:
    """As many of the first words as make a title, with a mark that there are more."""
    return f"{text[: LONGEST_TITLE // 2].rpartition(' ')[0] or text[: LONGEST_TITLE // 2]} …"


def unwrapped(text: str) -> str:
    """Lines as one, single-spaced; without a space between signs of a script that has none."""
    return " ".join(_WITHIN.sub("", text).split())
