"""The two tables of a library: their columns, and rows from records.

`citations.lance` holds a row per citation, `passages.lance` a row per embedded passage. Everything else
in a library is derived from them and can be rebuilt.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa

from indexer.citation import Author, Citation, MeshHeading, PartialDate, revised_number
from indexer.duplicates import duplicate_keys
from indexer.merging import Part, merge
from indexer.passages import Passage, citation_text, text_hash
from indexer.signals import signals
from indexer.terms import BODY, FIELD_WEIGHTS, RANKED, WORDS, column, term_columns
from models.encoder import Vectors

# Without this mark Lance lets two stale writers insert the same new key twice.
PRIMARY_KEY = {"lance-schema:unenforced-primary-key": "true"}
COMPRESSED = {"lance-encoding:compression": "zstd"}

MULTIVALUED = (
    "languages",
    "journals",
    "publication_types",
    "mesh",
    "major_mesh",
    "qualifiers",
    "keywords",
    "substances",
    "registry_numbers",
    "authors",
    "first_author",
    "last_author",
    "groups",
    "identifiers",
    "grants",
    "volume",
    "issue",
    "pages",
    "signals",
)
"""Columns with a list of values; the last word on each is `derived_columns`."""

CITATIONS = pa.schema(
    [
        pa.field("id", pa.string(), nullable=False, metadata=PRIMARY_KEY),
        pa.field("version", pa.int32()),
        pa.field("revised", pa.int32()),
        pa.field("content", pa.int64()),
        pa.field("text", pa.int64()),
        pa.field("record", pa.large_binary(), metadata=COMPRESSED),
        pa.field("source", pa.string()),
        pa.field("release", pa.int32()),
        pa.field("file", pa.string(), metadata=COMPRESSED),
        pa.field("parts", pa.large_binary(), metadata=COMPRESSED),
        pa.field("year", pa.int16()),
        pa.field("published", pa.int32()),
        pa.field("entered", pa.int32()),
        pa.field("has_abstract", pa.bool_()),
        *(pa.field(name, pa.list_(pa.string())) for name in MULTIVALUED),
        *(pa.field(column(field), pa.string(), metadata=COMPRESSED) for field in FIELD_WEIGHTS),
        pa.field(RANKED, pa.string(), metadata=COMPRESSED),
        pa.field(WORDS, pa.string(), metadata=COMPRESSED),
        pa.field(BODY, pa.string(), metadata=COMPRESSED),
        pa.field("duplicate_keys", pa.list_(pa.int64())),
    ]
)
"""content and text are signed 64-bit hashes of the record and of its `citation_text`; record is JSON.

source, release and file tell where the record was read, see `indexer.merging.Part`; where it was merged of
several, parts has them all as JSON. From year on the columns follow from the record, see `derived_columns`.
"""

NO_FULL_TEXT = b',"body":[],"captions":[]}'
"""How the JSON of a citation without full text ends."""

DERIVED = CITATIONS.names[CITATIONS.names.index("year") :]


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
    """The whole citation as UTF-8 JSON; `decode_record` gives an equal one back.

    A record without full text is written as it was before there were any, so that its hash stays.
    """
    record = msgspec.json.encode(citation)
    return record.removesuffix(NO_FULL_TEXT) + b"}" if record.endswith(NO_FULL_TEXT) else record


def decode_record(record: bytes) -> Citation:
    """The citation of `encode_record`."""
    return msgspec.json.decode(record, type=Citation)


def content_hash(citation: Citation) -> int:
    """The hash by which a record that has not changed is known."""
    return text_hash(encode_record(citation).decode())


def citation_row(parts: Sequence[Part]) -> dict[str, object]:
    """One row of citations.lance, of all that is known of a work."""
    citation = merge(parts)
    record = encode_record(citation)
    alone = parts[0] if len(parts) == 1 else None
    return {
        "id": citation.id,
        "version": citation.version,
        "revised": revised_number(citation),
        "content": text_hash(record.decode()),
        "text": text_hash(citation_text(citation)),
        "record": record,
        "source": alone.citation.source if alone else None,
        "release": alone.release if alone else None,
        "file": alone.file if alone else None,
        "parts": None if alone else msgspec.json.encode(parts),
        **derived_columns(citation),
    }


def decode_parts(row: Mapping[str, Any]) -> list[Part]:
    """The parts that a row was made of."""
    if row["parts"] is not None:
        return msgspec.json.decode(row["parts"], type=list[Part])
    return [Part(decode_record(row["record"]), row["file"] or "", release=row["release"])]


PART_COLUMNS = ("record", "release", "file", "parts")
"""What `decode_parts` needs of a row."""


def derived_columns(citation: Citation) -> dict[str, object]:
    """What filters, sorting and lexical search see of a citation."""
    return {
        "year": citation.year,
        "published": date_number(citation.published) or date_number(citation.electronic),
        "entered": next(
            (date_number(item.date) for item in citation.history if item.status == "entrez"), None
        ),
        "has_abstract": bool(citation.abstract),
        **{name: unique(values) for name, values in multivalued(citation).items()},
        **term_columns(citation),
        "duplicate_keys": duplicate_keys(citation),
    }


def multivalued(citation: Citation) -> dict[str, Iterable[str]]:
    """Values of each column of MULTIVALUED, repeats and empty ones among them.

    mesh has descriptors; qualifiers stand both alone and, as "Neoplasms/drug therapy", with their descriptor.
    """
    journal, mesh = citation.journal, citation.mesh
    pairs = [(heading, qualifier) for heading in mesh for qualifier in heading.qualifiers]
    authors = [author_name(author) for author in citation.authors]
    return {
        "languages": citation.languages,
        "journals": (journal.title, journal.iso_abbreviation, journal.medline_abbreviation, journal.issn),
        "publication_types": (term.name for term in citation.publication_types),
        "mesh": (heading.name for heading in mesh),
        "major_mesh": (
            *(heading.name for heading in mesh if is_major(heading)),
            *(f"{heading.name}/{qualifier.name}" for heading, qualifier in pairs if qualifier.major),
        ),
        "qualifiers": (
            *(qualifier.name for _, qualifier in pairs),
            *(f"{heading.name}/{qualifier.name}" for heading, qualifier in pairs),
        ),
        "keywords": (keyword.text for keyword in citation.keywords),
        "substances": (
            *(chemical.name for chemical in citation.chemicals),
            *(concept.name for concept in citation.supplementary_concepts),
        ),
        "registry_numbers": (chemical.registry_number for chemical in citation.chemicals),
        "authors": authors,
        "first_author": authors[:1],
        "last_author": authors[-1:],
        "groups": (author.collective_name for author in citation.authors),
        "identifiers": identifiers(citation),
        "grants": (name for grant in citation.grants for name in (grant.id, grant.agency, grant.acronym)),
        "volume": (citation.volume,),
        "issue": (citation.issue,),
        "pages": (citation.pages, citation.pages.partition("-")[0]),
        "signals": (signal.kind for signal in signals(citation)),
    }


def entry_date(citation: Citation) -> PartialDate:
    """When PubMed took the record in; empty if it does not say."""
    dates = (item.date for item in citation.history if item.status == "entrez")
    return next(dates, PartialDate())


def date_number(date: PartialDate) -> int | None:
    """The date as yyyymmdd, month and day 0 where unknown."""
    return None if not date.year else date.year * 10000 + (date.month or 0) * 100 + (date.day or 0)


def is_major(heading: MeshHeading) -> bool:
    """Whether the descriptor or any of its qualifiers is a major topic."""
    return heading.major or any(qualifier.major for qualifier in heading.qualifiers)


def author_name(author: Author) -> str:
    """The name as PubMed prints it, "Smith JA", or that of the group."""
    return " ".join(filter(None, (author.last_name, author.initials))) or author.collective_name


def identifiers(citation: Citation) -> Iterator[str]:
    """DOI, PMCID and other article ids, and accession numbers of databanks, in small letters."""
    yield from (item.value.lower() for item in citation.article_ids)
    for databank in citation.databanks:
        yield from map(str.lower, databank.accessions)


def citation_rows(works: Iterable[Sequence[Part]]) -> pa.Table:
    """Rows of citations.lance, one of each list of parts, in the order given."""
    return pa.Table.from_pylist([citation_row(parts) for parts in works], schema=CITATIONS)


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


def unique(values: Iterable[str]) -> list[str]:
    """The values that are not empty, each once, in order of first appearance."""
    return list(dict.fromkeys(value for value in values if value))
