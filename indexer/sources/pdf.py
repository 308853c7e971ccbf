"""PDF: a file is one record, with the text on its pages.

What pypdf reads of ISO 32000; the title, numbers and so on: see indexer.sources.pdf_fields.
"""

import logging
import math
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field, replace
from io import BytesIO
from itertools import groupby
from typing import IO, TYPE_CHECKING, cast

from indexer.sources.archive import File
from indexer.sources.document import LONGEST, document
from indexer.sources.errors import Remark, SourceError, SourceItem
from indexer.sources.pdf_fields import Piece, read_fields, read_xmp
from indexer.sources.pdf_text import cleaned, has_sense, read_sections
from indexer.sources.text import Encoding
from indexer.sources.unpack import Faulty, seekable

if TYPE_CHECKING:
    from pypdf import Configuration, PageObject, PdfReader
    from pypdf.generic import DictionaryObject, StreamObject

MAGIC = b"%PDF-"
WITHIN = 1024
"""Bytes at the start of a file, of which some stand before the mark now and then."""
PAGE_SECONDS = 30.0
SECONDS = 1800.0
"""What reading a page, and a file, may take; a page of a paper takes less than one."""
_LARGEST = 20_000_000
"""Bytes to which what is drawn on a page may unpack; pypdf takes half a second and more for a million."""
_END = b"\nendstream endobj\ntrailer << /Root 1 0 R >>\nstartxref\n0\n%%EOF\n"
"""What pypdf needs to find in order to look for pages by itself."""
_DEEPEST = 4
"""How deep drawings may lie in others for their pictures to be seen."""
_LONGEST_XMP = 5_000_000


@dataclass(slots=True)
class _Pages:
    """texts: of each page. pieces: print of the first that has any. mute, unread: numbers, from 1.

    mute: pages that are pictures, or have letters that do not say which they are. reason: of the unread.
    """

    texts: list[str] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)
    mute: list[int] = field(default_factory=list)
    unread: list[int] = field(default_factory=list)
    reason: str = ""


class _TooLong(Exception):
    """Reading takes longer than it may."""


def read_pdf(file: File, _: Encoding | None = None) -> Iterator[SourceItem]:
    """The file as one citation, after a remark on pages that are pictures.

    Raises SourceError if it cannot be read, is locked or has no text; after the citation if that lacks pages.
    """
    try:
        with seekable(file) as opened, _quiet(), _bounded():
            items, fault = _read(file, opened)
    except Faulty as error:
        raise SourceError(file, str(error), error.offset, error.packed_offset) from None
    except SourceError:
        raise
    except Exception as error:  # pypdf: "broken PDF files might cause other Exceptions".
        raise SourceError(file, f"cannot be read as PDF: {_said(error)}") from None
    yield from items
    if fault:
        raise SourceError(file, fault)


def _bounded() -> "AbstractContextManager[Configuration]":
    from pypdf import apply_configuration

    return apply_configuration(
        zlib_maximum_output_length=_LARGEST,
        lzw_maximum_output_length=_LARGEST,
        run_length_maximum_output_length=_LARGEST,
        array_based_stream_maximum_output_length=_LARGEST,
    )


@contextmanager
def _quiet() -> Iterator[None]:
    """What pypdf logs of repairs does not reach the user."""
    logger = logging.getLogger("pypdf")
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(level)


def _read(file: File, opened: IO[bytes]) -> tuple[list[SourceItem], str]:
    """What the file gives, and what is to be said after it or ""."""
    from pypdf.errors import DependencyError

    try:
        reader, cut = _open(opened)
        if reader.is_encrypted and not reader.decrypt(""):
            raise SourceError(file, "it is locked: save it without a password")
        pages = _read_pages(reader)
    except DependencyError as error:
        raise SourceError(file, f"it is encrypted in a way that needs another package: {error}") from None
    count = len(pages.texts)
    if not any(pages.texts):
        reason = _textless(range(1, count + 1), count) if count else "it has no pages"
        raise SourceError(file, pages.reason or reason)
    abstract, sections = read_sections(pages.texts)
    first = next(filter(None, pages.texts))
    citation = read_fields(_stated(reader), first, pages.pieces, _language(reader))
    remarks = [Remark(file, _textless(pages.mute, count))] if pages.mute else []
    unread = f"{_listed(pages.unread)} of {count} cannot be read: {pages.reason}" if pages.unread else ""
    fault = "; ".join(filter(None, (cut, unread)))
    return [*remarks, document(replace(citation, abstract=abstract), sections)], fault


def _open(opened: IO[bytes]) -> tuple["PdfReader", str]:
    """The file and what is wrong with it as a whole: one that breaks off is read as far as it goes."""
    from pypdf import PdfReader
    from pypdf.errors import PdfReadError

    try:
        return PdfReader(opened), ""
    except PdfReadError as error:
        opened.seek(0)
        with suppress(Exception):
            return PdfReader(BytesIO(opened.read() + _END)), f"its end is missing or damaged: {_said(error)}"
        raise


def _read_pages(reader: "PdfReader") -> _Pages:
    """Every page; one that cannot be read is noted, and reading ends where it takes too long."""
    pages = _Pages(texts=[""] * len(reader.pages))
    end = time.monotonic() + SECONDS
    size = 0
    for number in range(len(pages.texts)):
        try:
            page = reader.pages[number]
            text = _text(page, None if any(pages.texts) else pages.pieces, end)
            size += len(text)
            if size > LONGEST:
                raise _TooLong(f"it has more than {LONGEST:,} characters")
            if has_sense(text):
                pages.texts[number] = cleaned(text)
            elif text.strip() or _has_picture(page):
                pages.mute.append(number + 1)
        except _TooLong as error:
            pages.unread += range(number + 1, len(pages.texts) + 1)
            pages.reason = str(error)
            break
        except Exception as error:
            pages.unread.append(number + 1)
            pages.reason = _said(error)
    return pages


def _text(page: "PageObject", pieces: list[Piece] | None, end: float) -> str:
    """What stands on a page; its pieces, with the size of their print, are added to those given."""
    end_of_page = min(end, time.monotonic() + PAGE_SECONDS)

    def watch(*_: object) -> None:
        if time.monotonic() > end_of_page:
            raise TimeoutError("it takes too long to read")

    def note(text: str, outer: Sequence[float], inner: Sequence[float], _: object, size: float) -> None:
        # What stands upright on the paper, by the vector that a unit upwards becomes.
        right = inner[2] * outer[0] + inner[3] * outer[2]
        up = inner[2] * outer[1] + inner[3] * outer[3]
        large = size * math.hypot(right, up)
        if pieces is not None and abs(right) < abs(up) and math.isfinite(large):
            pieces.append(Piece(cleaned(text), large))

    if time.monotonic() > end:
        raise _TooLong(f"it takes longer than {SECONDS:,.0f} seconds to read")
    return page.extract_text(visitor_operand_before=watch, visitor_text=None if pieces is None else note)


def _has_picture(holder: "DictionaryObject", deep: int = 0) -> bool:
    """Whether a page, or a drawing on it, shows a picture."""
    resources = holder.get("/Resources")
    drawn = resources.get_object().get("/XObject") if resources else None
    for item in drawn.get_object().values() if drawn else ():
        found = item.get_object()
        if found.get("/Subtype") == "/Image" or (deep < _DEEPEST and _has_picture(found, deep + 1)):
            return True
    return False


def _stated(reader: "PdfReader") -> dict[str, list[str]]:
    """What XMP says by name, and what Info says by name behind a slash; neither if it is damaged."""
    stated: dict[str, list[str]] = {}
    with suppress(Exception):
        packet = cast("StreamObject", reader.root_object["/Metadata"].get_object())
        stated |= read_xmp(packet.get_data()[:_LONGEST_XMP])
    with suppress(Exception):
        for name, value in (reader.metadata or {}).items():
            text = value.get_object()
            if isinstance(text, str):
                stated[name.lower()] = [text]
    return stated


def _language(reader: "PdfReader") -> str:
    with suppress(Exception):
        return str(reader.root_object.get("/Lang", ""))
    return ""


def _textless(numbers: Sequence[int], count: int) -> str:
    return f"no text can be read on {_listed(numbers)} of {count}, as in scans: ocrmypdf, for one, adds it"


def _listed(numbers: Sequence[int]) -> str:
    """Pages in few words: "page 2", "pages 1-3, 7"."""
    parts = []
    for _, group in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
        run = [number for _, number in group]
        parts.append(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]))
    return f"{'page' if len(numbers) == 1 else 'pages'} {', '.join(parts)}"


def _said(error: BaseException) -> str:
    return next(iter(str(error).splitlines()), "") or type(error).__name__
