"""A small file of each source, of the records that the tests have."""

import io
import json
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from indexer.exports.formats import WRITERS, write_citations
from tests import (
    endnote_records,
    jats_records,
    lilacs_records,
    medline_records,
    pdf_files,
    pubmed_records,
    ris_records,
)
from tests import test_indexer_sources_interfaces as interfaces
from tests.citations import LIBRARY

EXPORTED = {"bibtex": "bibtex", "table": "csv", "jsonl": "jsonl"}
"""Source to the format of `bioglot export` that it reads."""


def records(times: int = 1) -> dict[str, list[bytes]]:
    """Records of each source as one file each, so many times over."""
    texts: dict[str, Sequence[str]] = {
        "pubmed": [
            pubmed_records.pubmed_xml([*map(pubmed_records.article_xml, pubmed_records.RECORDS)] * times)
        ],
        "jats": [jats_records.article_set(*[jats_records.ARTICLE, jats_records.CHINESE] * times)],
        "medline": ["\n".join(medline_records.RECORDS * times)],
        "ris": ["".join([ris_records.ENDNOTE, ris_records.OVID, ris_records.SCOPUS] * times)],
        "endnote": [endnote_records.export(*[endnote_records.ENDNOTE, endnote_records.CHINESE] * times)],
        "enw": ["\n".join([endnote_records.ENW] * times)],
        **{source: ["".join(write_citations(LIBRARY * times, name))] for source, name in EXPORTED.items()},
        "europepmc": [lines(interfaces.EUROPE_PMC, times)],
        "openalex": [lines(interfaces.OPEN_ALEX, times)],
        "clinicaltrials": [lines(interfaces.STUDY, times)],
        "lilacs": [lines(lilacs_records.DENGUE, times)],
        "scielo": [lines(lilacs_records.ARTICLE, times)],
        "markdown": ["---\ntitle: Fever\nauthor: [Diop, A]\n---\n\n# Methods\n\nSome *words*.\n"] * times,
        "text": ["Fever\n\nMETHODS\n\nSome words.\n"] * times,
        "beir": [lines({"_id": "1", "title": "Fever", "text": "Some words."}, times)],
        "deletions": ["".join(f"{number}\n" for number in range(1, 11)) * times],
    }
    page = pdf_files.page("A title of a paper on fever", "Some words on it.", size=12)
    pdf = pdf_files.write_pdf([page], {"Title": "Fever in fictional towns", "Author": "A Diop"})
    return {
        **{source: [text.encode() for text in found] for source, found in texts.items()},
        "parquet": [as_parquet(LIBRARY * times)],
        "pdf": [pdf] * times,
    }


def lines(record: object, times: int) -> str:
    """The record as JSON, one a line."""
    return (json.dumps(record, ensure_ascii=False) + "\n") * times


def as_parquet(citations: Sequence[object]) -> bytes:
    """The citations with their own fields as a table."""
    import msgspec
    import pyarrow as pa
    from pyarrow import parquet

    rows = [msgspec.to_builtins(citation) for citation in citations]
    names = ("id", "title", "abstract", "authors", "journal", "published", "languages", "article_ids")
    target = io.BytesIO()
    parquet.write_table(pa.Table.from_pylist([{name: row[name] for name in names} for row in rows]), target)
    return target.getvalue()


assert set(EXPORTED.values()) <= set(WRITERS)
