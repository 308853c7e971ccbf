"""The two tables of a library: their columns, and rows from records.

`citations.lance` holds a row per citation, `passages.lance` a row per embedded passage. Everything else
in a library is derived from them and can be rebuilt.
"""

from collections.abc import Iterable, Sequence

import msgspec
import numpy as np
import pyarrow as pa

from indexer.citation import Citation, revised_number
from indexer.duplicates import duplicate_keys
from indexer.passages import Passage, citation_text, text_hash
from indexer.signals import signals
from models.analysis import analyse, analyse_both
from models.encoder import Vectors

# Without this mark Lance lets two stale writers insert the same new key twice.
PRIMARY_KEY = {"lance-schema:unenforced-primary-key": "true"}
COMPRESSED = {"lance-encoding:compression": "zstd"}

CITATIONS = pa.schema(
    [
        pa.field("id", pa.string(), nullable=False, metadata=PRIMARY_KEY),
        pa.field("version", pa.int32()),
        pa.field("revised", pa.int32()),
        pa.field("content", pa.int64()),
        pa.field("text", pa.int64()),
        pa.field("year", pa.int16()),
        pa.field("has_abstract", pa.bool_()),
        pa.field("languages", pa.list_(pa.string())),
        pa.field("journals", pa.list_(pa.string())),
        pa.field("publication_types", pa.list_(pa.string())),
        pa.field("mesh", pa.list_(pa.string())),
        pa.field("signals", pa.list_(pa.string())),
        pa.field("duplicate_keys", pa.list_(pa.int64())),
        pa.field("dois", pa.list_(pa.string())),
        pa.field("terms", pa.string(), metadata=COMPRESSED),
        pa.field("record", pa.large_binary(), metadata=COMPRESSED),
    ]
)
"""content and text are signed 64-bit hashes of the record and of its `citation_text`; record is JSON."""

DERIVED = ("terms", "signals", "duplicate_keys")
"""Columns that a new version may make otherwise of the same record; the newest column last."""


def passages_schema(dimensions: int, metadata: dict[str, str]) -> pa.Schema:
    """Columns of passages.lance; text and source hash the passage's and the citation's text."""
    fields = [
        pa.field("key", pa.string(), nullable=False, metadata=PRIMARY_KEY),
        pa.field("citation_id", pa.string(), nullable=False),
        pa.field("number", pa.int32()),
        pa.field("start", pa.int32()),
        pa.field("end", pa.int32()),
        pa.field("text", pa.int64()),
        pa.field("source", pa.int64()),
        pa.field("fingerprint", pa.string()),
        pa.field("vector", pa.list_(pa.float16(), dimensions)),
    ]
    return pa.schema(fields, metadata=metadata)


def encode_record(citation: Citation) -> bytes:
    """The whole citation as UTF-8 JSON; `decode_record` gives an equal one back."""
    return msgspec.json.encode(citation)


def decode_record(record: bytes) -> Citation:
    """The citation of `encode_record`."""
    return msgspec.json.decode(record, type=Citation)


def citation_row(citation: Citation) -> dict[str, object]:
    """One row of citations.lance."""
    record = encode_record(citation)
    return {
        "id": citation.id,
        "version": citation.version,
        "revised": revised_number(citation),
        "content": text_hash(record.decode()),
        "text": text_hash(citation_text(citation)),
        "year": citation.year,
        "has_abstract": bool(citation.abstract),
        "languages": unique(citation.languages),
        "journals": unique(
            [
                citation.journal.title,
                citation.journal.iso_abbreviation,
                citation.journal.medline_abbreviation,
            ]
        ),
        "publication_types": unique(term.name for term in citation.publication_types),
        "mesh": unique(heading.name for heading in citation.mesh),
        "signals": unique(signal.kind for signal in signals(citation)),
        "duplicate_keys": duplicate_keys(citation),
        "dois": unique(item.value.lower() for item in citation.article_ids if item.type == "doi"),
        "terms": index_terms(citation),
        "record": record,
    }


def citation_rows(citations: Sequence[Citation]) -> pa.Table:
    """Rows of citations.lance, in the order given."""
    return pa.Table.from_pylist([citation_row(citation) for citation in citations], schema=CITATIONS)


def passage_rows(
    passages: Sequence[Passage], sources: Sequence[int], vectors: Vectors, fingerprint: str, schema: pa.Schema
) -> pa.Table:
    """Rows of passages.lance: the passages with their citation's text hash and float32 vectors."""
    flat = pa.array(vectors.astype(np.float16).ravel(), pa.float16())
    columns = {
        "key": [passage.key for passage in passages],
        "citation_id": [passage.citation_id for passage in passages],
        "number": [passage.number for passage in passages],
        "start": [passage.start for passage in passages],
        "end": [passage.end for passage in passages],
        "text": [text_hash(passage.text) for passage in passages],
        "source": list(sources),
        "fingerprint": [fingerprint] * len(passages),
        "vector": pa.FixedSizeListArray.from_arrays(flat, vectors.shape[1]),
    }
    return pa.Table.from_pydict(columns, schema=schema)


def index_terms(citation: Citation) -> str:
    """What lexical search sees of a citation: analysed terms, parted by spaces.

    Vernacular title and other abstracts are analysed in their own language and, like all the rest, as
    English: a question whose language is not recognised is analysed as English alone.
    """
    original = next((tag for tag in citation.languages if tag != "en"), None)
    english = [
        citation.title,
        *(section.text for section in citation.abstract),
        *(heading.name for heading in citation.mesh),
        *(keyword.text for keyword in citation.keywords),
        *(chemical.name for chemical in citation.chemicals),
        *(concept.name for concept in citation.supplementary_concepts),
        *citation.gene_symbols,
        *(accession for databank in citation.databanks for accession in databank.accessions),
        citation.journal.title,
        *(author.last_name or author.collective_name for author in citation.authors),
        citation.pmid or "",
        *(item.value for item in citation.article_ids),
    ]
    terms = [term for text in english for term in analyse(text, "en")]
    terms += analyse_both(citation.vernacular_title, original)
    for other in citation.other_abstracts:
        for section in other.sections:
            terms += analyse_both(section.text, other.language)
    return " ".join(terms)


def unique(values: Iterable[str]) -> list[str]:
    """The values that are not empty, each once, in order of first appearance."""
    return list(dict.fromkeys(value for value in values if value))
