"""Plain text and Markdown: a file is one record, with its text by sections.

Markdown is CommonMark with tables and struck text, and the links of Obsidian.
"""

import html
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from indexer.citation import Citation
from indexer.sources import front_matter
from indexer.sources.archive import File
from indexer.sources.document import (
    LONGEST,
    LONGEST_TITLE,
    Block,
    document,
    read_blocks,
    shortened,
    unwrapped,
)
from indexer.sources.errors import Remark, SourceError, SourceItem
from indexer.sources.html_text import plain
from indexer.sources.text import Encoding, find_encoding, read_lines
from indexer.sources.unpack import Faulty

if TYPE_CHECKING:
    from markdown_it.token import Token

_UNDERLINE = re.compile(r"(=+|-+|~+|\*+)\s*")
_NUMBERED = re.compile(r"(?:\d{1,2}\.)*\d{0,2}\.?\s+\S.*[^.;:,?!。]")
_LONGEST_HEADING = 100
_WIKI = re.compile(r"(!?)\[\[([^\[\]|]*)(?:\|([^\[\]]*))?\]\]")

Compose = Callable[[File, str], Iterator[Citation | Remark]]


def read_text(file: File, encoding: Encoding | None = None) -> Iterator[SourceItem]:
    """The file as one citation, after remarks; its first line is the title.

    Raises SourceError if it is no text, or at a fault in it, after what stands before.
    """
    return _read(file, encoding, _compose_text)


def read_markdown(file: File, encoding: Encoding | None = None) -> Iterator[SourceItem]:
    """The file as one citation, after remarks; front matter or the first heading has the title.

    Raises SourceError if it is no text, or at a fault in it, after what stands before.
    """
    return _read(file, encoding, _compose_markdown)


def _read(file: File, encoding: Encoding | None, compose: Compose) -> Iterator[SourceItem]:
    last_id = ""
    try:
        encoding = encoding or find_encoding(file)
        if encoding.told:
            yield Remark(file, encoding.told)
        text, fault = _whole(file, encoding)
    except OSError as error:
        raise SourceError(file, f"cannot be read: {error.strerror or error}") from None
    if "\0" in text:
        raise SourceError(file, "it holds null characters, as no text does")
    for item in compose(file, text):
        if isinstance(item, Remark):
            yield item
        elif item.title or item.abstract or item.body:
            last_id = item.id
            yield item
    if fault:
        raise SourceError(file, str(fault), fault.offset, fault.packed_offset, last_id)
    if not last_id:
        raise SourceError(file, "there is no text in it")


def _whole(file: File, encoding: Encoding) -> tuple[str, Faulty | None]:
    """The text of a file as far as it can be read, and what ends it there. Raises OSError."""
    lines: list[str] = []
    size = 0
    try:
        for line in read_lines(file, encoding):
            lines.append(line)
            size += len(line) + 1
            if size > LONGEST:
                raise Faulty(f"a text of more than {LONGEST:,} characters", size, None)
    except Faulty as fault:
        return "\n".join(lines), fault
    return "\n".join(lines), None


def _compose_text(file: File, text: str) -> Iterator[Citation | Remark]:
    first, *_, rest = text.lstrip().partition("\n")
    title = unwrapped(first)
    if len(title) > LONGEST_TITLE:
        title, rest = shortened(title), text
    elif (underline := rest.partition("\n"))[0].strip() and _UNDERLINE.fullmatch(underline[0]):
        rest = underline[2]
    title, sections = read_blocks(_paragraphs(rest), title)
    yield document(Citation("", "text", title=title), sections)


def _paragraphs(rest: str) -> Iterator[Block]:
    """The pieces between empty lines, and the headings among them."""
    for paragraph in re.split(r"\n\s*\n", rest):
        lines = paragraph.strip().splitlines()
        if len(lines) > 1 and _UNDERLINE.fullmatch(lines[1].strip()):
            yield Block(unwrapped(lines[0]), heading=True)
            lines = lines[2:]
        yield Block(unwrapped("\n".join(lines)), heading=len(lines) == 1 and _is_heading(lines[0]))


def _is_heading(line: str) -> bool:
    """Whether a line by itself is a heading: in capitals, or behind a number and without a full stop."""
    line = line.strip()
    return len(line) <= _LONGEST_HEADING and (line.isupper() or bool(_NUMBERED.fullmatch(line)))


def _compose_markdown(file: File, text: str) -> Iterator[Citation | Remark]:
    fields, rest, wrong = front_matter.split(text)
    if wrong:
        yield Remark(file, f"{wrong}; what its plain lines say counts")
    citation = front_matter.read_fields(fields, "markdown")
    title, sections = read_blocks(_blocks(rest), citation.title)
    yield document(replace(citation, title=title), sections)


def _blocks(text: str) -> Iterator[Block]:
    """Headings and texts of Markdown, without its marks."""
    from markdown_it import MarkdownIt

    heading = False
    for token in MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text):
        match token.type:
            case "heading_open" | "heading_close":
                heading = token.type == "heading_open"
            case "inline":
                yield Block(_inline(token.children or ()), heading)
            case "fence" | "code_block":
                yield Block(unwrapped(token.content))
            case "html_block":
                yield Block(plain(token.content))


def _inline(tokens: "Iterable[Token]") -> str:
    """The text of a line of Markdown; HTML in it, such as <sub>, is read as elsewhere."""
    parts = []
    for token in tokens:
        match token.type:
            case "softbreak" | "hardbreak":
                parts.append("\n")
            case "html_inline":
                parts.append(token.content)
            case _:
                parts.append(html.escape(_WIKI.sub(_shown, token.content), quote=False))
    return plain(unwrapped("".join(parts)))


def _shown(link: re.Match[str]) -> str:
    """What Obsidian shows for [[page|words]]; a picture or note that is drawn in is no text."""
    return "" if link[1] else link[3] or link[2]
