"""XML files of any size, element by element, in constant memory.

Nothing outside the file is read: entities are not expanded, DTDs and the network are not touched.
"""

from collections.abc import Collection, Iterator

from lxml import etree

from indexer.sources.archive import File
from indexer.sources.errors import SourceError
from indexer.sources.unpack import Faulty, Unpacked
from models.safe_xml import pull_parser


def root_name(path: File) -> str:
    """Name of the root element. Raises SourceError if the file is not XML as far as that."""
    parser = pull_parser("start")
    try:
        with Unpacked(path) as chunks:
            for element in _elements(parser, chunks):
                return etree.QName(element).localname
    except Faulty as fault:
        raise SourceError(path, str(fault), fault.offset, fault.packed_offset) from None
    except OSError as error:
        raise SourceError(path, f"cannot be read: {error.strerror or error}") from None
    raise SourceError(path, "the file is empty, expected XML")


def read_elements(path: File, tags: Collection[str]) -> Iterator[etree._Element]:
    """Each element of those names as it ends, the outermost only; emptied when the next is asked for.

    Raises Faulty after the last whole element if the file is broken, OSError if it cannot be read.
    """
    parser = pull_parser("end", tags)
    with Unpacked(path) as chunks:
        for element in _elements(parser, chunks):
            parent = element.getparent()
            if parent is None or parent.tag not in tags:
                yield element
                _release(element, parent)


def _elements(parser: etree.XMLPullParser, chunks: Unpacked) -> Iterator[etree._Element]:
    """The elements that the parser tells of; all of them before the fault, if there is one."""
    lines = _Lines()
    stream = iter(chunks)
    chunk: bytes | None = b""
    while chunk is not None:
        fault = None
        try:
            chunk = next(stream, None)
            if chunk is not None:
                lines.add(chunk)
                parser.feed(chunk)
            elif chunks.offset:
                parser.close()
        except etree.XMLSyntaxError as error:
            fault = Faulty(error.msg or "broken XML", lines.offset(error.position), chunks.packed_offset)
        except Faulty as error:
            fault = error
        if fault is None or chunk is not None:  # Closing a file that is cut off ends what is half read.
            for _, element in parser.read_events():
                yield element  # type: ignore[misc]  # an element for both kinds of event
        if fault is not None:
            raise fault


def _release(element: etree._Element, parent: etree._Element | None) -> None:
    """Drop an element's content and all that stands before it."""
    element.clear()
    if parent is not None:
        del parent[: parent.index(element)]


class _Lines:
    """Where the lines of a stream begin, as far as the last chunk."""

    def __init__(self) -> None:
        self._chunk = b""
        self._chunk_start = 0
        self._first_line = 1
        self._line_start = 0

    def add(self, chunk: bytes) -> None:
        newline = self._chunk.rfind(b"\n")
        if newline >= 0:
            self._line_start = self._chunk_start + newline + 1
        self._first_line += self._chunk.count(b"\n")
        self._chunk_start += len(self._chunk)
        self._chunk = chunk

    def offset(self, position: tuple[int, int]) -> int:
        """Byte offset of (line, column), both from 1, to within the last chunk."""
        line, column = position
        if line < self._first_line:  # a position inside an entity, not in the stream
            return self._chunk_start
        start = self._line_start
        if line > self._first_line:
            at = -1
            for _ in range(line - self._first_line):
                at = self._chunk.find(b"\n", at + 1)
            start = self._chunk_start + at + 1
        return max(min(start + column - 1, self._chunk_start + len(self._chunk)), 0)
