import shutil
import threading

import numpy as np
import pytest

from indexer import publish as publishing
from indexer.embed import embed_pending
from indexer.errors import LibraryError
from indexer.library import create_library
from indexer.pointer import read_pointer
from indexer.progress import Silent
from indexer.publish import publish, rebuild
from indexer.published import library_info, open_published
from indexer.upsert import upsert, withdraw
from indexer.verify import verify
from tests.citations import LIBRARY, citation
from tests.hash_encoder import HashEncoder


def update(library, citations=(), deleted=()):
    """One indexing run: store, embed, publish."""
    with library.writing():
        upsert(library, citations)
        withdraw(library, deleted)
        embed_pending(library, HashEncoder(), Silent())
        return publish(library, Silent())


@pytest.fixture
def library(tmp_path):
    library = create_library(tmp_path / "library", HashEncoder())
    many = [citation(number, f"Filler number {number}") for number in range(1000, 1100)]
    update(library, [*LIBRARY, *many])
    return library


def faults(library):
    return verify(library.path, Silent()).faults


def test_a_new_library_is_sound_and_tells_what_it_holds(library):
    assert faults(library) == ()
    info = library_info(library.path)
    assert (info.version, info.citations, info.model, info.dimensions) == (1, 110, "hash", 64)
    assert (info.fresh_passages, info.stale_passages) == (0, 0)
    assert info.years == (1979, 2021)
    assert info.languages == {"en": 109, "fr": 1}


def test_publishing_unchanged_tables_keeps_the_set(library):
    assert update(library, LIBRARY).number == 1
    assert [folder.name for folder in (library.path / "sets").iterdir()] == ["000001"]


def test_a_small_change_keeps_the_base_and_masks_what_is_gone(library):
    pointer = update(library, [citation(101, "Changed title"), citation(111, "New one")], ["pmid:1001"])
    assert pointer.base == "dense/000001.faiss"
    info = library_info(library.path)
    assert (info.citations, info.fresh_passages, info.stale_passages) == (110, 2, 2)
    assert faults(library) == ()
    published = open_published(library.path)
    nearest = published.dense.nearest(HashEncoder().vector("Filler number 1001"), 200)
    owners = {published.columns.id(number) for number in published.owners[nearest.positions]}
    assert "pmid:1001" not in owners
    assert len(nearest.positions) == published.set.passages


def test_a_large_change_builds_a_new_base(library):
    pointer = update(library, [citation(number, f"New {number}") for number in range(2000, 2050)])
    assert pointer.base == "dense/000002.faiss"
    assert library_info(library.path).fresh_passages == 0
    assert faults(library) == ()


def test_the_set_before_stays_readable_for_one_more_publication(library):
    old = open_published(library.path)
    update(library, [citation(111, "New one")])
    assert old.read(["pmid:101"])["pmid:101"] == LIBRARY[0]
    assert [folder.name for folder in sorted((library.path / "sets").iterdir())] == ["000001", "000002"]
    update(library, [citation(112, "Newer one")])
    assert [folder.name for folder in sorted((library.path / "sets").iterdir())] == ["000002", "000003"]
    assert sorted(library.citations().tags.list()) == ["set-000002", "set-000003"]


STEPS = ["compact", "build_fulltext", "write_columns", "write_positions", "write_set", "clear_old"]


@pytest.mark.parametrize("step", STEPS)
def test_killed_while_publishing_leaves_the_old_set_or_the_new_one(library, monkeypatch, step):
    def die(*args, **kwargs):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(publishing, step, die)
        with pytest.raises(KeyboardInterrupt):
            update(library, [citation(111, "New one")])
    number = read_pointer(library.path).number
    assert number == (2 if step == "clear_old" else 1)
    assert faults(library) == ()
    update(library, [citation(112, "Newer one")])
    assert faults(library) == ()
    assert library_info(library.path).citations == 112
    assert len(list((library.path / "sets").iterdir())) == 2


def test_readers_never_see_a_mix_while_sets_are_published(library):
    stop = threading.Event()
    seen: list[tuple[int, int]] = []
    errors: list[Exception] = []

    def read():
        while not stop.is_set():
            try:
                published = open_published(library.path)
                seen.append((published.set.number, published.citations.count_rows()))
                assert len(published.columns.ids) == published.citations.count_rows()
            except Exception as error:
                errors.append(error)
                return

    thread = threading.Thread(target=read)
    thread.start()
    for number in range(6):
        update(library, [citation(3000 + number, f"Late {number}")])
    stop.set()
    thread.join()
    assert errors == []
    assert {number - 1 + 110 == count for number, count in seen} == {True}
    assert len(seen) > 6


def test_rebuild_needs_nothing_but_the_tables(library):
    before = open_published(library.path).dense.vectors(np.arange(5))
    for name in ("sets", "dense"):
        shutil.rmtree(library.path / name)
    (library.path / "library.json").write_text("{ broken", encoding="utf-8")
    with pytest.raises(LibraryError, match=r"library.json is damaged .*bioglot rebuild"):
        open_published(library.path)
    rebuild(library.path, Silent())
    assert faults(library) == ()
    np.testing.assert_array_equal(open_published(library.path).dense.vectors(np.arange(5)), before)


def test_an_empty_library_publishes(tmp_path):
    library = create_library(tmp_path / "empty", HashEncoder())
    assert update(library).citations == 0
    assert faults(library) == ()
    assert library_info(library.path).years is None


def test_a_library_never_published_says_what_to_do(tmp_path):
    create_library(tmp_path / "new", HashEncoder())
    with pytest.raises(LibraryError, match="never been published: run `bioglot index` again"):
        open_published(tmp_path / "new")
