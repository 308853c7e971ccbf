"""From a citation to the passages that are embedded: one text, cut on token counts, nothing left out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from indexer.citation import Citation, Section, TextPart
from models.encoder import Encoder

OVERLAP = 64
"""Tokens that neighbouring passages share, so that no sentence is seen only in halves."""

SNAP = 12
"""A passage begins at a word: its first token moves back by at most this many."""

SLACK = 16
"""Tokens kept free in a cut passage, for the move back and for words cut anew at its edges."""

PASSAGES_VERSION = 1
"""Counted up when `citation_text` or `cut` changes what is embedded."""


@dataclass(frozen=True, slots=True)
class Passage:
    """Characters [start, end) of `citation_text`; `number` counts from 0 within the citation."""

    citation_id: str
    number: int
    start: int
    end: int
    text: str

    @property
    def key(self) -> str:
        return f"{self.citation_id}#{self.number}"


@dataclass(frozen=True, slots=True)
class Line:
    """A part of `citation_text`; language: BCP 47 tag, section: None for a title or heading.

    part: of the full text, None for titles and abstract.
    """

    text: str
    language: str | None
    section: Section | None = None
    part: TextPart | None = None


def citation_text(citation: Citation) -> str:
    """Title, vernacular title and abstract, a line each; abstracts in other languages if it has no own.

    Behind them the full text, if there is one: the paragraphs of each part behind a line with its headings,
    the captions last. References are no part of it.
    """
    return "\n".join(line.text for line in citation_lines(citation))


def citation_lines(citation: Citation) -> list[Line]:
    """The parts of `citation_text`, none of them empty."""
    original = next((tag for tag in citation.languages if tag != "en"), None)
    sections = [("en", section) for section in citation.abstract] or [
        (other.language, section) for other in citation.other_abstracts for section in other.sections
    ]
    lines = [
        Line(citation.title, "en"),
        Line(citation.vernacular_title, original),
        *(Line(section_text(section), language, section) for language, section in sections),
    ]
    if citation.body or citation.captions:
        lines += full_text_lines(citation)
    return [line for line in lines if line.text]


def full_text_lines(citation: Citation) -> Iterator[Line]:
    """The lines of the full text, in the language of the paper."""
    language = next(iter(citation.languages), None)
    for part in (*citation.body, *citation.captions):
        yield Line(heading_text(part), language, None, part)
        for paragraph in part.text.split("\n"):
            yield Line(paragraph, language, Section(paragraph), part)


def heading_text(part: TextPart) -> str:
    """The headings over a part, from the outermost in: "Methods > Statistics"."""
    return " > ".join(part.headings)


def part_at(citation: Citation, place: int) -> TextPart | None:
    """The part of the full text where a character of `citation_text` stands, None in title and abstract."""
    if not (citation.body or citation.captions):
        return None
    end = 0
    for line in citation_lines(citation):
        end += len(line.text) + 1
        if place < end:
            return line.part
    return None


def section_text(section: Section) -> str:
    """The section behind its label, as it is printed in journals."""
    return ": ".join(part for part in (section.label, section.text) if part)


def text_hash(text: str) -> int:
    """64 bits of BLAKE2b over the UTF-8 text, as a signed integer."""
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)


def cut(citations: Sequence[tuple[str, str]], encoder: Encoder) -> Iterator[list[Passage]]:
    """The passages of each (id, text), in order; a text that fits the encoder is one passage."""
    spans = encoder.token_spans([text for _, text in citations])
    for (citation_id, text), tokens in zip(citations, spans, strict=True):
        yield [
            Passage(citation_id, number, start, end, text[start:end])
            for number, (start, end) in enumerate(windows(text, tokens, encoder.passage_tokens))
        ]


def windows(text: str, tokens: NDArray[np.int32], size: int) -> list[tuple[int, int]]:
    """Character ranges of even, overlapping windows of at most `size` tokens that cover the text."""
    if not text.strip():
        return []
    if len(tokens) <= size:
        return [(0, len(text))]
    width = size - SLACK
    overlap = min(OVERLAP, width // 4)
    count = -(-(len(tokens) - overlap) // (width - overlap))
    firsts = np.linspace(0, len(tokens) - width, count).round().astype(int)
    ranges = [(word_start(text, tokens, first), int(tokens[first + width - 1, 1])) for first in firsts]
    return [(0, ranges[0][1]), *ranges[1:-1], (ranges[-1][0], len(text))]


def word_start(text: str, tokens: NDArray[np.int32], first: int) -> int:
    """Where the word of token `first` begins; the token itself in scripts without spaces."""
    for index in range(first, max(first - SNAP, -1), -1):
        start = int(tokens[index, 0])
        if start == 0 or text[start - 1].isspace() or text[start].isspace():
            return start
    return int(tokens[first, 0])
