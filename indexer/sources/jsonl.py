"""Citations as JSON, an object a line, with the fields of `indexer.citation.Citation`.

All but the title may be left out: an id is then made (see `record_id`). An abstract may be one text.
"""

from collections.abc import Iterator
from dataclasses import replace

import msgspec

from indexer.citation import Citation
from indexer.sources.archive import File
from indexer.sources.errors import Remark, SetAside, SourceError, SourceItem
from indexer.sources.identity import record_id
from indexer.sources.text import Encoding, find_encoding, read_lines
from indexer.sources.unpack import Faulty


def read_jsonl(file: File, encoding: Encoding | None = None) -> Iterator[SourceItem]:
    """Every line as a citation; one that is none is set aside.

    Raises SourceError at a fault in the file, after all that stands before.
    """
    last_id = ""
    try:
        encoding = encoding or find_encoding(file)
        if encoding.told:
            yield Remark(file, encoding.told)
        for position, line in enumerate(read_lines(file, encoding), 1):
            if line.strip():
                record = _read_line(line, file, position)
                last_id = record.id or last_id
                yield record
    except Faulty as fault:
        raise SourceError(file, str(fault), fault.offset, fault.packed_offset, last_id) from None
    except OSError as error:
        raise SourceError(file, f"cannot be read: {error.strerror or error}", last_id=last_id) from None


def _read_line(line: str, file: File, position: int) -> Citation | SetAside:
    try:
        content = msgspec.json.decode(line, type=dict[str, object])
        if isinstance(content.get("abstract"), str):
            content["abstract"] = [{"text": content["abstract"]}] if content["abstract"] else []
        citation = msgspec.convert({"id": "", "source": "jsonl", **content}, Citation)
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeEncodeError) as error:
        return SetAside(file, position, "", str(error), line, "jsonl")
    if not (citation.id or citation.title or citation.abstract):
        return SetAside(file, position, "", "it has no id, no title and no abstract", line, "jsonl")
    return citation if citation.id else replace(citation, id=record_id(citation))
