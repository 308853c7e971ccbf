"""Searches that can be reported and repeated."""

from dataclasses import replace

import msgspec
import pytest

from app.engine import SearchEngine
from app.query import Filters, Mode, Query, Sort
from app.record import changes, methods, read_record
from indexer.files import write_json
from indexer.mesh import parse_descriptors
from models.errors import UsageError
from tests.citations import LIBRARY, citation
from tests.hash_encoder import HashEncoder
from tests.mesh_records import descriptor_file
from tests.test_app_engine import build

QUERY = Query("(flu OR malaria) NOT 2019[dp]", Mode.HYBRID, Filters(years=(2000, None), languages=("en",)))


@pytest.fixture
def engine(tmp_path):
    return SearchEngine(build(tmp_path / "trials", HashEncoder(), LIBRARY), HashEncoder())


def test_a_record_says_what_was_searched_and_how(engine):
    record = engine.search(QUERY).record
    assert record.query == QUERY
    assert record.kind == "boolean"
    assert record.understood == "(flu OR malaria) NOT 2019[dp]"
    assert (record.library, record.library_version, record.citations) == ("trials", 1, len(LIBRARY))
    assert record.fingerprint == HashEncoder().fingerprint
    assert (record.total, record.total_exact) == (2, True)
    assert sorted(record.ids) == ["pmid:101", "pmid:103"]


def test_the_same_search_again_changes_nothing(engine, tmp_path):
    write_json(tmp_path / "record.json", engine.search(QUERY).record)
    before = read_record(tmp_path / "record.json")
    again = SearchEngine(engine.library, HashEncoder()).search(before.query)
    assert changes(before, again.record) == []


def test_the_record_is_found_within_the_document_of_a_search(engine, tmp_path):
    record = engine.search(QUERY).record
    (tmp_path / "page.json").write_bytes(msgspec.json.encode({"hits": [], "record": record}))
    assert read_record(tmp_path / "page.json") == record


def test_what_has_changed_is_said_exactly(engine):
    before = engine.search(QUERY).record
    build(engine.library, HashEncoder(), [citation(120, "Malaria vaccine trial.")])
    now = engine.search(QUERY).record
    found = changes(before, now)
    assert "library version: 1 before, 2 now" in found
    assert f"citations: {len(LIBRARY)} before, {len(LIBRARY) + 1} now" in found
    assert "total: 2 before, 3 now" in found
    assert "newly listed: pmid:120" in found
    assert not [
        line for line in found if line.startswith(("query", "understood", "fingerprint", "no longer"))
    ]


def test_another_order_and_lost_papers_are_said(engine):
    record = engine.search(QUERY).record
    assert changes(record, replace(record, ids=record.ids[::-1])) == [
        "the order of those listed both times is another"
    ]
    assert changes(record, replace(record, ids=record.ids[:1], total=1)) == [
        "total: 2 before, 1 now",
        f"no longer listed: {record.ids[1]}",
    ]


def test_the_edition_of_mesh_is_named_where_it_was_used(engine):
    mesh = parse_descriptors(descriptor_file(), "d2026.bin")
    exploding = SearchEngine(engine.library, HashEncoder(), mesh=mesh)
    query = Query("vaccines[mh] OR malaria[ti]")
    before, now = engine.search(query).record, exploding.search(query).record
    assert (before.mesh, now.mesh) == (None, "2026")
    assert changes(before, now) == [
        "total: 1 before, 2 now",
        "mesh: None before, 2026 now",
        "newly listed: pmid:101",
    ]
    assert "MeSH" not in methods(before)
    assert '(understood as boolean: "vaccines"[mh] OR malaria[ti]; headings by MeSH 2026)' in methods(now)
    assert exploding.search(QUERY).record.mesh is None
    assert exploding.search(Query("malaria")).record.mesh is None


def test_a_record_from_before_mesh_was_known_is_read(engine, tmp_path):
    document = msgspec.to_builtins(engine.search(QUERY).record)
    del document["mesh"]
    write_json(tmp_path / "old.json", document)
    assert read_record(tmp_path / "old.json").mesh is None


def test_the_search_in_words_names_the_items_of_prisma_s(engine):
    text = methods(engine.search(replace(QUERY, sort=Sort.DATE)).record)
    assert text.startswith("Library trials (version 1, published ")
    assert f"{len(LIBRARY)} citations" in text
    assert "hybrid search, sorted by date" in text
    assert "(understood as boolean: (flu OR malaria) NOT 2019[dp])" in text
    assert text.endswith("Limits: years 2000-; languages en. Records found: 2.")


@pytest.mark.parametrize(
    "content", [b"", b"[1]", b"{}", b"\xff", b'{"query": {"text": " "}}', b'{"record": {"query": 1}}']
)
def test_a_file_that_is_no_record_gets_one_clear_line(tmp_path, content):
    file = tmp_path / "wrong.json"
    file.write_bytes(content)
    with pytest.raises(UsageError, match=r"wrong\.json: not the record of a search"):
        read_record(file)


@pytest.mark.parametrize(
    ("sort", "want"),
    [
        (Sort.DATE, ["pmid:108", "pmid:101", "pmid:102", "pmid:103", "pmid:105"]),
        (Sort.AUTHOR, ["pmid:101", "pmid:102", "pmid:103", "pmid:105", "pmid:108"]),
        (Sort.JOURNAL, ["pmid:101", "pmid:102", "pmid:103", "pmid:105", "pmid:108"]),
    ],
)
def test_the_matched_set_is_sorted(engine, sort, want):
    page = engine.search(Query("101 OR 102 OR 103 OR 105 OR 108[pmid]", sort=sort))
    assert [hit.id for hit in page.hits] == want
