"""A library gets another encoder while the set of the old one serves."""

import multiprocessing
import os
import random
import signal
import time

import pytest

from app.engine import SearchEngine
from app.query import Mode, Query
from indexer import publish as publishing
from indexer.embed import embed_pending
from indexer.errors import LibraryBusy, LibraryError
from indexer.job import index_files
from indexer.library import create_library, open_library
from indexer.pointer import REEMBEDDING, read_pointer
from indexer.progress import Silent
from indexer.publish import publish, rebuild
from indexer.published import library_info, open_published
from indexer.reembed import reembed
from indexer.upsert import upsert, withdraw
from indexer.verify import verify
from tests.citations import LIBRARY, citation
from tests.hash_encoder import HashEncoder

MANY = [
    *LIBRARY,
    *(citation(number, f"Filler number {number} of a few words") for number in range(1000, 1060)),
]


def old_encoder():
    return HashEncoder()


def new_encoder():
    """Another width and shorter passages: another number of them, at other places."""
    return HashEncoder("new", dimensions=32, passage_tokens=20)


class StoppedEncoder(HashEncoder):
    """The new encoder or another one; it embeds so many batches, then it is interrupted."""

    def __init__(self, batches, name="new", dimensions=32, passage_tokens=20):
        super().__init__(name, dimensions, passage_tokens)
        self.batches = batches

    def encode_passages(self, texts):
        if not self.batches:
            raise KeyboardInterrupt
        self.batches -= 1
        return super().encode_passages(texts)


def build(path, encoder, citations=MANY, deleted=()):
    """One indexing run: store, embed, publish."""
    library = create_library(path, encoder)
    with library.writing():
        upsert(library, citations)
        withdraw(library, deleted)
        embed_pending(library, encoder, Silent())
        return publish(library, Silent())


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    monkeypatch.setattr("indexer.embed.CHUNK", 10)


@pytest.fixture
def path(tmp_path):
    build(tmp_path / "library", old_encoder())
    return tmp_path / "library"


def contents(path):
    """All that a library holds, row by row."""
    library = open_library(path)
    tables = ((library.citations(), "id"), (library.passages(), "key"))
    return [table.to_table().sort_by(key).to_pylist() for table, key in tables]


def faults(path):
    return verify(path, Silent()).faults


def names(path):
    """The tables of passages on disk."""
    return sorted(table.name for table in path.glob("passages*"))


def stop_halfway(path):
    """After the first chunks; the first of all has a book, and takes eleven batches."""
    with pytest.raises(KeyboardInterrupt):
        reembed(path, StoppedEncoder(batches=13), Silent())


def ids(engine, text="Filler number 1007"):
    return [hit.id for hit in engine.search(Query(text=text, mode=Mode.DENSE, limit=3)).hits]


def test_it_ends_as_a_library_that_had_the_new_encoder_from_the_start(path, tmp_path):
    report = reembed(path, new_encoder(), Silent())
    build(tmp_path / "fresh", new_encoder())
    assert contents(path) == contents(tmp_path / "fresh")
    assert faults(path) == ()
    info = library_info(path)
    assert (info.model, info.dimensions, info.max_tokens, info.reembedding) == ("new", 32, 24, None)
    assert (report.changed, report.previous_model, report.model) == (True, "hash", "new")
    assert report.passages_embedded == report.passages == info.passages > passages_before(path)
    assert (report.library_version, report.citations) == (2, len(MANY))


def passages_before(path):
    """Passages of the set before: the old encoder's, which are longer and fewer."""
    return open_library(path, "passages.lance").passages("set-000001").count_rows()


def test_the_encoder_it_has_leaves_everything_as_it_is(path):
    encoder, before = old_encoder(), contents(path)
    report = reembed(path, encoder, Silent())
    assert (report.changed, report.passages_embedded, report.library_version) == (False, 0, 1)
    assert (report.dropped, encoder.embedded) == (None, [])
    assert contents(path) == before
    assert names(path) == ["passages.lance"]


def test_readers_of_before_and_of_during_keep_the_old_set_and_one_of_after_has_the_new(path):
    before = SearchEngine(path, old_encoder())
    stop_halfway(path)
    during = SearchEngine(path, old_encoder())
    expected = ids(before)
    assert expected[0] == "pmid:1007"
    assert ids(during) == expected
    assert library_info(path).model == "hash"
    reembed(path, new_encoder(), Silent())
    assert ids(before) == ids(during) == expected
    assert before.info().model == "hash"
    after = SearchEngine(path, new_encoder())
    assert ids(after)[0] == "pmid:1007"
    assert after.info().model == "new"
    with pytest.raises(LibraryError, match=r"embedded with new .*not with hash .*bioglot reembed"):
        SearchEngine(path, old_encoder())


def test_a_reader_of_the_old_set_is_told_once_that_is_cleared_away(path):
    engine = SearchEngine(path, old_encoder())
    reembed(path, new_encoder(), Silent())
    build(path, new_encoder(), [citation(2000, "Later")])
    with pytest.raises(LibraryError, match=r"embedded with new .*not with hash"):
        ids(engine)


def test_interrupted_it_goes_on_with_what_was_embedded(path, tmp_path):
    stop_halfway(path)
    assert faults(path) == ()
    assert library_info(path).reembedding == "new"
    encoder = new_encoder()
    report = reembed(path, encoder, Silent())
    assert 0 < report.passages_embedded == len(encoder.embedded) < report.passages
    assert report.passages_embedded + report.passages_reused == report.passages
    build(tmp_path / "fresh", new_encoder())
    assert contents(path) == contents(tmp_path / "fresh")
    assert faults(path) == ()
    assert not (path / REEMBEDDING).exists()


def test_indexing_in_between_goes_to_the_old_set_and_is_taken_up(path, tmp_path):
    stop_halfway(path)
    later = [citation(101, "Changed title"), citation(3000, "A late one")]
    build(path, old_encoder(), later, ["pmid:1001", "pmid:1059"])
    assert faults(path) == ()
    assert (library_info(path).model, library_info(path).reembedding) == ("hash", "new")
    report = reembed(path, new_encoder(), Silent())
    assert report.passages_reused > 0
    build(tmp_path / "fresh", new_encoder())
    build(tmp_path / "fresh", new_encoder(), later, ["pmid:1001", "pmid:1059"])
    assert contents(path) == contents(tmp_path / "fresh")
    assert faults(path) == ()


def test_indexing_with_the_new_encoder_before_it_is_published_is_refused(path):
    stop_halfway(path)
    with pytest.raises(LibraryError, match=r"embedded with hash .*not with new .*bioglot reembed"):
        build(path, new_encoder())


def test_the_old_encoder_drops_what_was_begun(path):
    before = contents(path)
    stop_halfway(path)
    report = reembed(path, old_encoder(), Silent())
    assert (report.changed, report.dropped) == (False, "new")
    assert names(path) == ["passages.lance"]
    assert not (path / REEMBEDDING).exists()
    assert contents(path) == before
    assert faults(path) == ()


def test_a_third_encoder_takes_the_place_of_the_one_begun(path):
    stop_halfway(path)
    third = HashEncoder("third", dimensions=16)
    report = reembed(path, third, Silent())
    assert (report.model, report.dropped) == ("third", "new")
    assert names(path) == [f"passages-{third.fingerprint}.lance", "passages.lance"]
    assert faults(path) == ()


def test_going_back_embeds_nothing_while_the_old_vectors_are_there(path):
    before = contents(path)
    reembed(path, new_encoder(), Silent())
    encoder = old_encoder()
    report = reembed(path, encoder, Silent())
    assert (encoder.embedded, report.passages_reused) == ([], report.passages)
    assert contents(path) == before
    assert faults(path) == ()
    build(path, old_encoder(), [citation(2000, "Later")])
    assert names(path) == ["passages.lance"]


def test_a_way_back_that_was_begun_survives_indexing_in_between(path):
    reembed(path, new_encoder(), Silent())
    library = open_library(path)
    with library.writing():
        upsert(library, [citation(2000, "Later 2000")])
    with pytest.raises(KeyboardInterrupt):
        reembed(path, StoppedEncoder(batches=0, name="hash", dimensions=64, passage_tokens=60), Silent())
    for number in (2001, 2002):
        build(path, new_encoder(), [citation(number, f"Later {number}")])
    encoder = old_encoder()
    assert reembed(path, encoder, Silent()).model == "hash"
    assert encoder.embedded == ["Later 2000", "Later 2001", "Later 2002"]
    assert faults(path) == ()


def test_old_vectors_stay_for_one_more_publication(path):
    encoder = new_encoder()
    reembed(path, encoder, Silent())
    assert names(path) == [f"passages-{encoder.fingerprint}.lance", "passages.lance"]
    build(path, encoder, [citation(2000, "Later")])
    assert names(path) == [f"passages-{encoder.fingerprint}.lance"]
    assert faults(path) == ()
    assert build(path, encoder, [citation(2001, "Latest")]).citations == len(MANY) + 2


@pytest.mark.parametrize(
    "step",
    ["compact", "write_columns", "write_positions", "write_set", "write_json", "clear_old", "drop_table"],
)
def test_killed_while_publishing_leaves_the_old_set_or_the_new_one(path, monkeypatch, step):
    def die(*args, **kwargs):
        raise KeyboardInterrupt

    third = HashEncoder("third", dimensions=16)
    reembed(path, third, Silent())
    with monkeypatch.context() as patch:
        patch.setattr(publishing, step, die)
        with pytest.raises(KeyboardInterrupt):
            reembed(path, new_encoder(), Silent())
    published = step in ("clear_old", "drop_table")
    assert library_info(path).model == ("new" if published else "third")
    assert faults(path) == ()
    encoder = new_encoder()
    report = reembed(path, encoder, Silent())
    assert (report.model, report.changed, encoder.embedded) == ("new", not published, [])
    assert faults(path) == ()
    assert not (path / REEMBEDDING).exists()
    build(path, encoder, [citation(2000, "Later")])
    assert names(path) == [f"passages-{encoder.fingerprint}.lance"]


def test_rebuild_finds_the_published_table_without_library_json(path):
    reembed(path, new_encoder(), Silent())
    with pytest.raises(KeyboardInterrupt):
        reembed(path, StoppedEncoder(batches=0, name="third", dimensions=16), Silent())
    (path / "library.json").write_text("{ broken", encoding="utf-8")
    rebuild(path, Silent())
    assert read_pointer(path).model == "new"
    assert faults(path) == ()


def test_an_empty_library_changes_its_encoder(tmp_path):
    build(tmp_path / "empty", old_encoder(), [])
    assert reembed(tmp_path / "empty", new_encoder(), Silent()).passages == 0
    assert faults(tmp_path / "empty") == ()
    build(tmp_path / "empty", new_encoder())
    assert faults(tmp_path / "empty") == ()


def test_a_library_never_published_is_not_embedded_again(tmp_path):
    create_library(tmp_path / "unpublished", old_encoder())
    with pytest.raises(LibraryError, match="never been published"):
        reembed(tmp_path / "unpublished", new_encoder(), Silent())


def test_one_writer_at_a_time(path):
    with open_library(path).writing(), pytest.raises(LibraryBusy, match="being written by another process"):
        reembed(path, new_encoder(), Silent())


def test_a_writer_that_opened_the_library_before_the_change_stops(path):
    early = open_library(path)
    reembed(path, new_encoder(), Silent())
    with pytest.raises(LibraryBusy, match="has just changed its encoder"), early.writing():
        pass
    with open_library(path).writing():
        pass


class SlowEncoder(HashEncoder):
    """The new encoder, slow enough that a kill falls between its calls."""

    def encode_passages(self, texts):
        time.sleep(0.02)
        return super().encode_passages(texts)


def reembed_slowly(path, started=None):
    from indexer import embed

    embed.CHUNK = 5
    if started:
        started.set()
    reembed(path, SlowEncoder("new", dimensions=32, passage_tokens=20), Silent())


def test_killed_at_random_moments_it_ends_as_if_never_killed(path, tmp_path):
    build(tmp_path / "unbroken", old_encoder())
    began = time.monotonic()
    reembed_slowly(tmp_path / "unbroken")
    seconds = time.monotonic() - began
    moments = random.Random(5)
    context = multiprocessing.get_context("spawn")
    for _ in range(3):
        started = context.Event()
        process = context.Process(target=reembed_slowly, args=(path, started))
        process.start()
        assert started.wait(60)
        process.join(moments.uniform(0.05, seconds))
        if process.is_alive():
            os.kill(process.pid, signal.SIGKILL)
        process.join()
        assert open_published(path).set.model in ("hash", "new")
        assert faults(path) == ()
    reembed_slowly(path)
    assert contents(path) == contents(tmp_path / "unbroken")
    assert faults(path) == ()


def test_index_files_goes_on_with_the_new_encoder(path, tmp_path):
    from tests.pubmed_records import RECORDS, write_pubmed

    reembed(path, new_encoder(), Silent())
    index_files([write_pubmed(tmp_path / "one.xml", RECORDS[:2])], path, new_encoder(), Silent())
    assert faults(path) == ()
