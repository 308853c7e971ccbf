import numpy as np
import pytest

from indexer import embed
from indexer.embed import embed_pending, id_order, pending_citations
from indexer.library import create_library
from indexer.progress import Silent
from indexer.upsert import upsert
from tests.citations import LIBRARY, LONG_ABSTRACT, citation
from tests.hash_encoder import HashEncoder


@pytest.fixture
def encoder():
    return HashEncoder()


@pytest.fixture
def library(tmp_path, encoder):
    library = create_library(tmp_path / "library", encoder)
    upsert(library, LIBRARY)
    embed_pending(library, encoder, Silent())
    encoder.embedded.clear()
    return library


def passages(library):
    table = library.passages().to_table().sort_by([("citation_id", "ascending"), ("number", "ascending")])
    return [{**row, "vector": np.array(row["vector"]).tobytes()} for row in table.to_pylist()]


def test_embedding_again_embeds_nothing(library, encoder):
    version = library.passages().version
    report = embed_pending(library, encoder, Silent())
    assert (report.embedded, report.reused, report.deleted, encoder.embedded) == (0, 0, 0, [])
    assert library.passages().version == version


def test_one_changed_record_embeds_one(library, encoder):
    upsert(library, [citation(109, "Dental caries, revised.", "New text.")])
    assert embed_pending(library, encoder, Silent()).embedded == 1
    assert encoder.embedded == ["Dental caries, revised.\nNew text."]


def test_a_change_outside_the_text_embeds_nothing(library, encoder):
    upsert(library, [citation(109, LIBRARY[8].title, LIBRARY[8].abstract[0].text, volume="12")])
    assert embed_pending(library, encoder, Silent()).embedded == 0


def test_unchanged_passages_of_a_changed_text_keep_their_vectors(library, encoder):
    before = {row["text"]: row["vector"] for row in passages(library) if row["citation_id"] == "pmid:108"}
    changed = LONG_ABSTRACT[:-10] + "weighed ok"
    upsert(library, [citation(108, LIBRARY[7].title, changed)])
    report = embed_pending(library, encoder, Silent())
    assert report.embedded == 1
    assert report.reused == len(before) - 1
    after = {row["text"]: row["vector"] for row in passages(library) if row["citation_id"] == "pmid:108"}
    assert len(after) == len(before)
    assert all(after[text] == before[text] for text in after.keys() & before.keys())


def test_a_text_that_shrinks_leaves_no_passage_behind(library, encoder):
    upsert(library, [citation(108, "Renal function.", "Short.")])
    embed_pending(library, encoder, Silent())
    assert [row["key"] for row in passages(library) if row["citation_id"] == "pmid:108"] == ["pmid:108#0"]


def test_a_record_that_loses_its_text_loses_its_passages(library, encoder):
    upsert(library, [citation(108, "")])
    assert embed_pending(library, encoder, Silent()).deleted > 1
    assert [row for row in passages(library) if row["citation_id"] == "pmid:108"] == []
    assert pending_citations(library) == []


class Killed(BaseException):
    pass


class DyingEncoder(HashEncoder):
    """Dies at the given call, like a process that is killed in the middle of a chunk."""

    def __init__(self, calls: int) -> None:
        super().__init__()
        self.calls = calls

    def encode_passages(self, texts):
        self.calls -= 1
        if self.calls < 0:
            raise Killed
        return super().encode_passages(texts)


def test_killed_and_run_again_equals_an_unbroken_run(tmp_path, monkeypatch, library):
    monkeypatch.setattr(embed, "CHUNK", 3)
    broken = create_library(tmp_path / "broken", HashEncoder())
    upsert(broken, LIBRARY)
    for calls in (1, 0, 2):
        with pytest.raises(Killed):
            embed_pending(broken, DyingEncoder(calls), Silent())
    report = embed_pending(broken, HashEncoder(), Silent())
    assert report.embedded > 0
    assert passages(broken) == passages(library)


def test_pending_citations_come_in_numeric_order(tmp_path, encoder):
    library = create_library(tmp_path / "library", encoder)
    upsert(library, [citation(10), citation(9), citation(100)])
    assert pending_citations(library) == ["pmid:9", "pmid:10", "pmid:100"]
    assert sorted(["x:b", "x:a", "pmid:2"], key=id_order) == ["pmid:2", "x:a", "x:b"]
