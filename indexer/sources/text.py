"""Text files line by line, in whatever encoding they come."""

import codecs
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass

from indexer.sources.archive import File
from indexer.sources.errors import SourceError
from indexer.sources.unpack import Faulty, Unpacked
from models.errors import UsageError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_GUESSED = ("gb18030", "cp932", "cp1251", "cp1252", "cp1250", "big5", "euc_kr", "euc_jp", "koi8_r")
"""What text without a mark that is not UTF-8 may be in. cp932 is Shift-JIS, cp1252 has all of Latin-1."""
_DECLARED = re.compile(
    rb"""<\?xml[^>]*?encoding\s*=\s*["'](utf-?8|iso-8859-(?:[1-9]|1[0134-6])|windows-125[0-8]|gb\w+|big5|"""
    rb"""shift_jis|euc-jp|euc-kr|koi8-[ru]|us-ascii)["']""",
    re.IGNORECASE,
)
"""What an XML declaration names that is taken at its word; UTF-16 shows itself."""
_SAMPLE = 1 << 18
"""Bytes of lines beyond ASCII by which an encoding is guessed."""
_MOSTLY = 9
"""A file is UTF-8 with damage if so many times as many of its lines beyond ASCII are UTF-8 as are not."""
LONGEST = 1 << 25
"""Characters of a line; more are no record."""


@dataclass(frozen=True, slots=True)
class Encoding:
    """name: as Python knows it. told: what to tell the user of a guess or of damage, else ""."""

    name: str
    told: str = ""


def named_encoding(name: str) -> Encoding:
    """An encoding that the user names. Raises UsageError for one that does not exist."""
    try:
        "".encode(name)
    except LookupError:
        raise UsageError(f"unknown encoding {name!r}, expected one such as utf-8, gb18030, cp1251") from None
    return Encoding(codecs.lookup(name).name)


def find_encoding(file: File) -> Encoding:
    """By its mark, else UTF-8 if it is that, else a guess; reads the file to its end or fault."""
    lines = _Lines()
    start = b""
    try:
        with Unpacked(file) as chunks:
            for chunk in chunks:
                start = start or chunk
                for mark, name in _MARKS:
                    if start.startswith(mark):
                        return Encoding(name)
                lines.add(chunk)
    except Faulty:
        pass  # Whoever reads the file comes upon the fault again, and tells of it.
    lines.add(b"\n")
    if wide := _wide(start):
        return Encoding(wide, f"it has no byte order mark; taken for {wide}")
    if not lines.wrong:
        return Encoding("utf-8")
    if lines.right > _MOSTLY * lines.wrong:
        return Encoding("utf-8", f"{lines.wrong} of its lines hold bytes that are not UTF-8, shown as \ufffd")
    guess = _guess(b"\n".join(lines.sample))
    return Encoding(guess, f"it is not UTF-8; taken for {guess} (--encoding NAME if it is another)")


def xml_encoding(file: File) -> Encoding:
    """By its mark or its declaration, else UTF-8, as XML has it. Raises SourceError if it cannot be read."""
    start = first_bytes(file)
    if found := next((name for mark, name in _MARKS if start.startswith(mark)), "") or _wide(start):
        return Encoding(found)
    declared = _DECLARED.search(start[:200])
    name = declared[1].decode("ascii").lower() if declared else "utf-8"
    return Encoding("gb18030" if name.startswith("gb") else name)


def first_text(file: File) -> str:
    """How a file begins, well enough to tell of which form it is. Raises SourceError if it cannot be read."""
    return as_text(first_bytes(file))


def first_bytes(file: File) -> bytes:
    """The first of the unpacked bytes of a file. Raises SourceError if it cannot be read."""
    try:
        with Unpacked(file) as chunks:
            return next(iter(chunks), b"")
    except Faulty as fault:
        raise SourceError(file, str(fault), fault.offset, fault.packed_offset) from None
    except OSError as error:
        raise SourceError(file, f"cannot be read: {error.strerror or error}") from None


def as_text(start: bytes) -> str:
    """How a text begins, in whatever encoding."""
    mark = next((name for mark, name in _MARKS if start.startswith(mark)), "")
    return start.decode(mark or _wide(start) or "utf-8", "replace")


class _Lines:
    """Counts the lines beyond ASCII that are UTF-8 and that are not; keeps some of the latter."""

    def __init__(self) -> None:
        self.right = self.wrong = 0
        self.sample: list[bytes] = []
        self._kept = 0
        self._rest = bytearray()

    def add(self, chunk: bytes) -> None:
        first, *others = chunk.replace(b"\r", b"\n").split(b"\n")
        self._rest += first
        if not others:
            return
        whole = [bytes(self._rest), *others[:-1]]
        self._rest = bytearray(others[-1])
        for line in whole:
            if not line.isascii():
                self._count(line)

    def _count(self, line: bytes) -> None:
        try:
            line.decode("utf-8")
            self.right += 1
        except UnicodeDecodeError:
            self.wrong += 1
            if self._kept < _SAMPLE:
                self.sample.append(line[:_SAMPLE])
                self._kept += len(line)


def _wide(start: bytes) -> str:
    """UTF-16 without a mark: every other byte of its tags and spaces is zero; text has no other zeros."""
    zeros = {"utf-16-be": start[::2].count(0), "utf-16-le": start[1::2].count(0)}
    name = max(zeros, key=zeros.__getitem__)
    return name if zeros[name] > len(start) // 20 else ""


def _guess(sample: bytes) -> str:
    """charset-normalizer's likeliest; of those as likely, Western European before Central European."""
    from charset_normalizer import from_bytes

    found = from_bytes(sample, cp_isolation=list(_GUESSED))
    best = found.best()
    if best is None:
        return "cp1252"
    alike = [match for match in found if (match.chaos, match.coherence) == (best.chaos, best.coherence)]
    names = {name for match in alike for name in match.could_be_from_charset}
    return "cp1252" if "cp1252" in names else str(best.encoding)


def read_lines(file: File, encoding: Encoding) -> Iterator[str]:
    """The lines of a file without their ends (of any system); what cannot be decoded becomes U+FFFD.

    Raises Faulty at a fault, after all whole lines before it, and OSError.
    """
    decoder = io.IncrementalNewlineDecoder(codecs.getincrementaldecoder(encoding.name)("replace"), True)
    parts: list[str] = []
    with Unpacked(file) as chunks:
        for chunk in chunks:
            first, *others = decoder.decode(chunk).split("\n")
            parts.append(first)
            if others:
                yield "".join(parts)
                yield from others[:-1]
                parts = others[-1:]
            if sum(map(len, parts)) > LONGEST:
                raise Faulty(
                    f"a line longer than {LONGEST:,} characters", chunks.offset, chunks.packed_offset
                )
        parts.append(decoder.decode(b"", final=True))
    if rest := "".join(parts).removesuffix("\n"):
        yield rest
