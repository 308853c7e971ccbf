"""Documents of a test collection in BEIR form: a file corpus.jsonl, a JSON object a line.

The form is that of Thakur et al., "BEIR" (NeurIPS 2021, Datasets and Benchmarks): "_id", "title", "text".
"""

from collections.abc import Iterator

import msgspec

from indexer.citation import Citation, Section
from indexer.sources.archive import File
from indexer.sources.errors import SetAside, SourceError, SourceRecord

CORPUS = "corpus.jsonl"
PREFIX = "beir:"


class Document(msgspec.Struct):
    """One line; what else stands in it is passed over."""

    id: str | int = msgspec.field(name="_id")
    text: str
    title: str = ""


def read_beir(path: File) -> Iterator[SourceRecord]:
    """Every document as a citation of id "beir:<_id>"; a line that is none is set aside.

    Raises SourceError if the file cannot be read.
    """
    last_id = ""
    try:
        with path.open("rb") as file:
            for position, line in enumerate(file, 1):
                if line.strip():
                    record = _read_line(line, path, position)
                    last_id = record.id
                    yield record
    except OSError as error:
        raise SourceError(path, f"cannot be read: {error.strerror or error}", last_id=last_id) from None


def _read_line(line: bytes, path: File, position: int) -> SourceRecord:
    try:
        document = msgspec.json.decode(line, type=Document)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return SetAside(path, position, "", str(error), line.decode("utf-8", "replace"), "beir")
    sections = (Section(document.text),) if document.text else ()
    return Citation(f"{PREFIX}{document.id}", source="beir", title=document.title, abstract=sections)
