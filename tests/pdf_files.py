"""Small PDF files of our own, written in plain PDF syntax."""

import zlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Print(NamedTuple):
    """Lines of one size below each other; up: whether they run upwards along the edge of the paper."""

    texts: tuple[str, ...]
    size: float = 10
    top: float = 700
    up: bool = False


PICTURE = b"/Im Do"
Page = Sequence[Print | bytes]
"""What is on it; PICTURE is a scan, other bytes are content as it is."""


def page(*texts: str, size: float = 10) -> Page:
    return [Print(texts, size)]


def write_pdf(
    pages: Sequence[Page],
    info: Mapping[str, str] | None = None,
    xmp: str = "",
    language: str = "",
    mapped: bool = True,
    trailer: bytes = b"",
) -> bytes:
    """A file with these pages; its font numbers letters by Unicode and, if mapped, says so."""
    places = [b"%d 0 R" % (8 + 2 * number) for number in range(len(pages))]
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R %s /Lang (%s) >>"
        % (b"/Metadata 7 0 R" if xmp else b"", language.encode()),
        b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b" ".join(places), len(pages)),
        b"<< /Type /Font /Subtype /Type0 /BaseFont /F /Encoding /Identity-H /DescendantFonts [4 0 R] %s >>"
        % (b"/ToUnicode 5 0 R" if mapped else b""),
        b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /F /DW 500 "
        b"/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>",
        stream(_unicode_map(pages)),
        stream(b"\x80", b"/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 1"),
        stream(xmp.encode()),
    ]
    for number, content in enumerate(pages):
        objects += [
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents %d 0 R /Resources "
            b"<< /Font << /F 3 0 R >> /XObject << %s >> >> >>"
            % (9 + 2 * number, b"/Im 6 0 R" if PICTURE in content else b""),
            stream(b"\n".join(map(_content, content))),
        ]
    said = b"".join(b"/%s <%s>" % (key.encode(), _hex(f"\ufeff{text}")) for key, text in (info or {}).items())
    return whole([*objects, b"<< %s >>" % said], b"/Info %d 0 R %s" % (len(objects) + 1, trailer))


def whole(objects: Sequence[bytes], trailer: bytes = b"") -> bytes:
    """Numbered objects as a file; the first is the catalogue."""
    out = bytearray(b"%PDF-1.7\n")
    places = []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<< /Size %d /Root 1 0 R %s >>\n" % (len(objects) + 1, trailer)
    return bytes(out + b"startxref\n%d\n%%%%EOF\n" % start)


def stream(content: bytes, entries: bytes = b"") -> bytes:
    """A packed stream."""
    packed = zlib.compress(content)
    return b"<< %s /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream" % (entries, len(packed), packed)


def _content(item: Print | bytes) -> bytes:
    if isinstance(item, bytes):
        return item
    start = b"0 1 -1 0 20 300 Tm" if item.up else b"1 0 0 1 50 %.1f Tm" % item.top
    shown = b"".join(b"<%s> Tj T*\n" % _hex(text) for text in item.texts)
    return b"BT /F %.1f Tf %.1f TL %s\n%sET" % (item.size, item.size * 1.2, start, shown)


def _unicode_map(pages: Sequence[Page]) -> bytes:
    printed = (item for content in pages for item in content if isinstance(item, Print))
    letters = sorted({letter for item in printed for text in item.texts for letter in text})
    entries = b"".join(b"<%s> <%s>\n" % (_hex(letter), _hex(letter)) for letter in letters)
    return b"1 begincodespacerange <0000> <FFFF> endcodespacerange\n%d beginbfchar\n%sendbfchar\nendcmap" % (
        len(letters),
        entries,
    )


def _hex(text: str) -> bytes:
    return text.encode("utf-16-be").hex().encode()
