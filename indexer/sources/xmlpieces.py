"""XML that programs write with faults: each record is cut out of the text and read on its own.

So one that is no XML is set aside and the others stay. Nothing before the first record is read, and so no
DOCTYPE and no entity.
"""

import codecs
import html
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from xml.sax.saxutils import escape

from lxml import etree

from indexer.citation import Citation
from indexer.sources.archive import File
from indexer.sources.errors import RecordFault, Remark, SetAside, SourceError, SourceItem
from indexer.sources.text import LONGEST, Encoding, xml_encoding
from indexer.sources.unpack import Faulty, Unpacked
from models.safe_xml import pull_parser

_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Characters that no XML may hold; EndNote writes them all the same."""
_REFERENCE = re.compile(r"&(#[0-9]{1,7};|#x[0-9a-fA-F]{1,6};|[A-Za-z][A-Za-z0-9]{1,31};)?")
_OWN = ("amp;", "lt;", "gt;", "quot;", "apos;")
_MARGIN = 64
"""Characters that a tag cut in two by a chunk may have before its end."""


@dataclass(frozen=True, slots=True)
class XmlForm:
    """A format: the source's name, the element of a record, and what makes a citation of one.

    read: raises RecordFault for a record that makes no sense.
    """

    source: str
    tag: str
    read: Callable[[etree._Element], Citation]


def read_pieces(file: File, encoding: Encoding | None, form: XmlForm) -> Iterator[SourceItem]:
    """Every record of a file in its order; what is no record's XML is set aside, remarks come last.

    Raises SourceError at a fault in the file, after all that stands before; the record that it cuts is set
    aside.
    """
    encoding = encoding or xml_encoding(file)
    cutter, position, last_id, mended = _Cutter(form.tag), 0, "", 0
    try:
        with Unpacked(file) as chunks:
            for text in _texts(chunks, encoding.name, cutter):
                position += 1
                clean = mend(text)
                mended += clean != text
                record = _read(clean, text, file, position, form)
                last_id = record.id or last_id
                yield record
            if cutter.inside:
                raise Faulty("it ends within a record", chunks.offset, chunks.packed_offset)
    except Faulty as fault:
        if cutter.inside:
            yield SetAside(file, position + 1, "", "the file breaks off in it", cutter.rest, form.source)
        raise SourceError(file, str(fault), fault.offset, fault.packed_offset, last_id) from None
    except OSError as error:
        raise SourceError(file, f"cannot be read: {error.strerror or error}", last_id=last_id) from None
    if cutter.replaced:
        told = f"{cutter.replaced} of its characters are not {encoding.name}, shown as \ufffd"
        yield Remark(file, f"{told} (--encoding NAME if it is another)")
    if mended:
        told = "control characters or a bare &, which XML may not have"
        yield Remark(file, f"{mended} of its records held {told}: read as spaces and as &")


def _read(clean: str, raw: str, file: File, position: int, form: XmlForm) -> Citation | SetAside:
    try:
        return form.read(_parsed(clean, form.tag))
    except etree.XMLSyntaxError as error:
        reason = f"broken XML: {error.msg}"
    except RecordFault as fault:
        reason = str(fault)
    return SetAside(file, position, "", reason, raw, form.source)


def _parsed(text: str, tag: str) -> etree._Element:
    parser = pull_parser("end", (tag,))
    parser.feed(text.encode())
    return parser.close()


def mend(text: str) -> str:
    """The text with a space for what no XML may hold, and with a bare & and names of HTML's as characters."""
    text = _FORBIDDEN.sub(" ", text)
    return text if "<![CDATA[" in text else _REFERENCE.sub(_reference, text)


def _reference(found: re.Match[str]) -> str:
    name = found[1]
    if not name:
        return "&amp;"
    if name.startswith("#"):
        number = int(name[2:-1], 16) if name[1] == "x" else int(name[1:-1])
        allowed = number in (9, 10, 13) or 32 <= number < 0x110000
        return found[0] if allowed and not _FORBIDDEN.match(chr(number)) else " "
    return found[0] if name in _OWN else escape(html.unescape(found[0]))


def _texts(chunks: Unpacked, encoding: str, cutter: "_Cutter") -> Iterator[str]:
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    for chunk in chunks:
        yield from cutter.add(decoder.decode(chunk))
        if len(cutter.rest) > LONGEST:
            raise Faulty(f"a record of more than {LONGEST:,} characters", chunks.offset, chunks.packed_offset)
    yield from cutter.add(decoder.decode(b"", final=True))


class _Cutter:
    """Cuts records out of a text that comes in pieces; one that has no end ends where the next begins.

    rest: what is not cut yet. inside: whether that is the start of a record. replaced: characters U+FFFD.
    """

    def __init__(self, tag: str) -> None:
        self.rest = ""
        self.inside = False
        self.replaced = 0
        self._from = 0
        self._begin = re.compile(rf"<{tag}(?=[\s>])")
        self._mark = re.compile(rf"</{tag}\s*>|<{tag}(?=[\s>])")

    def add(self, text: str) -> Iterator[str]:
        """The records that are whole with this text."""
        self.replaced += text.count("\ufffd")
        self.rest += text
        while found := (self._mark if self.inside else self._begin).search(self.rest, self._from):
            if self.inside:
                end = found.end() if found[0].startswith("</") else found.start()
                record, self.rest = self.rest[:end], self.rest[end:]
                self.inside, self._from = False, 0
                yield record
            else:
                self.rest = self.rest[found.start() :]
                self.inside, self._from = True, 1
        if self.inside:
            self._from = max(1, len(self.rest) - _MARGIN)
        else:
            self.rest = self.rest[-_MARGIN:]
