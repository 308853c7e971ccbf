"""Citations as JSON, with the fields of `indexer.citation.Citation`; `indexer.exports.jsonl` writes them.

All but the title may be left out: an id is then made (see indexer.sources.identity). An abstract may be one
text.
"""

from collections.abc import Iterator

import msgspec

from indexer.citation import Citation
from indexer.sources.archive import File
from indexer.sources.errors import RecordFault, SourceItem
from indexer.sources.identity import identified
from indexer.sources.json_file import JsonForm, read_json
from indexer.sources.text import Encoding


def read_jsonl(file: File, encoding: Encoding | None = None) -> Iterator[SourceItem]:
    """Every record of a file; see read_json."""
    return read_json(file, encoding, JsonForm("jsonl", (), read_record))


def read_record(raw: bytes | str) -> Citation:
    """The citation of one object. Raises RecordFault if it has no id, no title and no abstract."""
    content = msgspec.json.decode(raw, type=dict[str, object])
    if isinstance(content.get("abstract"), str):
        content["abstract"] = [{"text": content["abstract"]}] if content["abstract"] else []
    citation = msgspec.convert({"id": "", "source": "jsonl", **content}, Citation)
    if not (citation.id or citation.title or citation.abstract):
        raise RecordFault("it has no id, no title and no abstract")
    return citation if citation.id else identified(citation)
