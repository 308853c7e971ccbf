"""Which files to read, and which reader reads them."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from indexer.releases import is_deletions
from indexer.sources import bibtex, enw, medline, parquet, pdf, ris, unpack
from indexer.sources.archive import File, is_archive, members
from indexer.sources.beir import read_beir
from indexer.sources.bibtex import read_bibtex
from indexer.sources.clinicaltrials import read_clinicaltrials
from indexer.sources.columns import is_table
from indexer.sources.deletions import read_deletions
from indexer.sources.endnote import read_endnote
from indexer.sources.enw import read_enw
from indexer.sources.errors import SourceError, SourceItem
from indexer.sources.europepmc import read_europepmc
from indexer.sources.jats import ROOTS as JATS_ROOTS
from indexer.sources.jats import read_jats
from indexer.sources.jsonl import read_jsonl
from indexer.sources.lilacs import read_lilacs
from indexer.sources.medline import read_medline
from indexer.sources.openalex import read_openalex
from indexer.sources.parquet import read_parquet
from indexer.sources.pdf import read_pdf
from indexer.sources.plain import read_markdown, read_text
from indexer.sources.pubmed import ROOTS, read_pubmed
from indexer.sources.ris import read_ris
from indexer.sources.scielo import read_scielo
from indexer.sources.spreadsheet import is_spreadsheet
from indexer.sources.table import read_table
from indexer.sources.text import Encoding, as_text, first_bytes, first_text
from indexer.sources.xmlstream import root_name
from models.errors import UsageError

Reader = Callable[[File, Encoding | None], Iterator[SourceItem]]
READERS: dict[str, Reader] = {
    "pubmed": lambda file, _: read_pubmed(file),
    "jats": lambda file, _: read_jats(file),
    "medline": read_medline,
    "ris": read_ris,
    "endnote": read_endnote,
    "enw": read_enw,
    "bibtex": read_bibtex,
    "table": read_table,
    "jsonl": read_jsonl,
    "parquet": read_parquet,
    "europepmc": read_europepmc,
    "openalex": read_openalex,
    "clinicaltrials": read_clinicaltrials,
    "lilacs": read_lilacs,
    "scielo": read_scielo,
    "beir": lambda file, _: read_beir(file),
    "pdf": read_pdf,
    "markdown": read_markdown,
    "text": read_text,
    "deletions": lambda file, _: read_deletions(file),
}
"""Source name, as the command line knows it, to its reader."""

MARKDOWN = tuple(form + packing for form in (".md", ".markdown") for packing in unpack.ENDINGS)
_TEXTS = (".xml", ".nxml", ".nbib", ".ris", ".enw", ".bib", ".csv", ".tsv", ".jsonl", ".json")
_FORMS = (*_TEXTS, ".xlsx", ".parquet", ".pdf")
ENDINGS = (*MARKDOWN, *(form + packing for form in _FORMS for packing in unpack.ENDINGS))
"""What a file in a folder or an archive ends in to be read; one that is named itself ends in anything."""
PERHAPS = tuple(f".txt{packing}" for packing in unpack.ENDINGS)
"""Those are read if their content is that of a source, or as text if the user says so or names one itself."""
PLAIN = ("text", "markdown")
"""Sources that any text may be of."""
_TAGGED = (
    (re.compile(rf"^{medline.BEGIN.pattern}", re.MULTILINE), "medline"),
    (re.compile(rf"^{ris.BEGIN.pattern}", re.MULTILINE), "ris"),
    (re.compile(rf"^{enw.BEGIN.pattern}", re.MULTILINE), "enw"),
    (re.compile(rf"^\s*{bibtex.BEGIN.pattern}", re.MULTILINE), "bibtex"),
)
_XML = (
    (
        re.compile(
            r"<xml(?:\s[^>]*)?>\s*<records?[\s>]|<record[\s>].{0,3000}?<(?:ref-type|contributors|titles)[\s>]",
            re.DOTALL,
        ),
        "endnote",
    ),
    (re.compile(r"<(?:arr|str|field) name=\"(?:ti|ab|ta|au|mh|afiliacao_autor)(?:_[a-z]{2})?\">"), "lilacs"),
)
"""Of XML that is none of these, the root tells."""

_JSON = (
    (re.compile(r'"protocolSection"\s*:'), "clinicaltrials"),
    (re.compile(r'"(?:resultList|authorString|pubTypeList|isOpenAccess)"\s*:'), "europepmc"),
    (re.compile(r'"id"\s*:\s*"https://openalex\.org/W'), "openalex"),
    (re.compile(r'"(?:diaServerResponse|afiliacao_autor|t[ia]_(?:en|es|pt)|entry_date)"\s*:'), "lilacs"),
    (re.compile(r'"v(?:12|18|83|880)"\s*:'), "scielo"),
    (re.compile(r'"_id"\s*:'), "beir"),
)
"""Of JSON that is none of these, the source is "jsonl"."""


@dataclass(frozen=True, slots=True)
class Hints:
    """What the user says of files, where their content does not tell.

    source: name of their format. encoding: of text. columns: headings of tables by field.
    """

    source: str | None = None
    encoding: Encoding | None = None
    columns: Mapping[str, str] = field(default_factory=dict)


def read_file(file: File, hints: Hints | None = None) -> Iterator[SourceItem]:
    """Every record of a file; unless a hint says its source, its content decides which reader it is for.

    Raises UsageError for an unknown source, SourceError for a file that cannot be read (to its end).
    """
    hints = hints or Hints()
    name = hints.source or detect_source(file)
    if name in ("table", "parquet"):
        read = read_table if name == "table" else read_parquet
        return read(file, hints.encoding, hints.columns)
    reader = READERS.get(name)
    if reader is None:
        raise UsageError(f"unknown source {name!r}, expected {_names()}")
    return reader(file, hints.encoding)


def detect_source(file: File) -> str:
    """Name of the source that a file comes from, by how it begins; text of none, by its ending.

    A list of numbers is taken for NLM's list of deleted PMIDs only if it has that name.
    """
    begins_with = first_bytes(file)
    if found := _signed(begins_with):
        return found
    start = as_text(begins_with)
    if not start.strip():
        raise SourceError(file, "the file is empty")
    name = file.name.lower()
    if name.endswith(MARKDOWN):
        return "markdown"
    if is_deletions(name):
        return "deletions"
    if found := _told(start):
        return found
    if is_spreadsheet(file):
        return "table"
    if is_archive(file):
        raise SourceError(file, _closed(file))
    if not start.lstrip().startswith("<"):
        if name.endswith(PERHAPS):
            return "text"
        begins = start.strip()[:40].splitlines()[0]
        raise SourceError(file, f"it begins with {begins!r}, which no source known here does ({_names()})")
    return _rooted(file)


def _rooted(file: File) -> str:
    """The name of the source of an XML file, by its root."""
    root = root_name(file)
    if root in ROOTS:
        return "pubmed"
    if root in JATS_ROOTS:
        return "jats"
    raise SourceError(file, f"its root element is {root}, which belongs to no source known here ({_names()})")


def _signed(start: bytes) -> str:
    """The name of the source of files that are no text and begin like this, "" if it is none."""
    if start.startswith(parquet.MAGIC):
        return "parquet"
    return "pdf" if pdf.MAGIC in start[: pdf.WITHIN] else ""


def _closed(file: File) -> str:
    """Why nothing is read from an archive."""
    if not isinstance(file, Path):
        return "an archive in an archive: unpack it first"
    try:
        return f"none of its {len(members(file))} files is of a source known here ({_names()})"
    except OSError as error:
        return str(error)


def _told(start: str) -> str:
    """The name of the source whose files begin like this, "" if it is XML or none."""
    first = start.lstrip("\ufeff \t\r\n").partition("\n")[0]
    if first.startswith("<"):
        return next((name for pattern, name in _XML if pattern.search(start)), "")
    if first.startswith(("{", "[")):
        return next((name for pattern, name in _JSON if pattern.search(start)), "jsonl")
    told = next((name for pattern, name in _TAGGED if pattern.search(start)), "")
    return told or ("table" if is_table(first) else "")


def find_files(paths: Sequence[Path], source: str | None = None) -> list[File]:
    """Files named, those in the folders named, and those that patterns (*, ?, [...]) match, each once.

    Of a zip archive, its members. Order: as named; within a folder, pattern or archive natural (pubmed9
    before pubmed10). Hidden files and subfolders are left out. source: as the user says; if any text may be
    of it, so may ".txt" files. Raises UsageError for a path that gives no file.
    """
    found: dict[Path, Path] = {}
    for path in paths:
        files = _expand(path, source)
        if not files:
            raise UsageError(_nothing(path))
        for file in files:
            found.setdefault(file.resolve(), file)
    return [inner for file in found.values() for inner in _opened(file, source)]


def _opened(path: Path, source: str | None) -> list[File]:
    """The members of an archive that may be read, or the file itself."""
    try:
        if not is_archive(path) or is_spreadsheet(path):
            return [path]
        inner: list[File] = [member for member in members(path) if _is_input(member, source)]
    except OSError:
        return [path]  # Reading it says what is wrong.
    return sorted(inner, key=_natural) or [path]


def _expand(path: Path, source: str | None) -> list[Path]:
    if path.is_dir():
        files = (file for file in path.iterdir() if file.is_file() and _is_input(file, source))
        return sorted(files, key=_natural)
    if path.exists():
        return [path]
    if not any(mark in str(path) for mark in "*?["):
        return []
    base = Path(path.anchor)
    pattern = str(path.relative_to(base)) if path.anchor else str(path)
    return sorted((file for file in base.glob(pattern) if file.is_file()), key=_natural)


def _is_input(file: File, source: str | None) -> bool:
    name = file.name.lower()
    if name.startswith("."):
        return False
    if source in PLAIN or not name.endswith(PERHAPS):
        return name.endswith((*ENDINGS, *PERHAPS, ".zip")) or is_deletions(name)
    try:
        return bool(_told(first_text(file)))
    except SourceError:
        return True  # Reading it says what is wrong.


def _natural(path: File) -> list[tuple[int, str]]:
    """A sort key by which numbers in a name count as numbers."""
    parts = re.findall(r"\d+|\D+", str(path))
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts]


def _nothing(path: Path) -> str:
    if path.is_dir():
        return f"{path}: no file in this folder is of a source known here ({_names()})"
    return f"{path}: no such file or folder"


def _names() -> str:
    return ", ".join(READERS)
