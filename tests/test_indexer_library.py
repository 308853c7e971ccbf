import multiprocessing

import pytest

from indexer.citation import PartialDate
from indexer.embed import embed_pending
from indexer.errors import LibraryBusy, LibraryError
from indexer.library import create_library, open_library
from indexer.progress import Silent
from indexer.upsert import UpsertCounts, upsert, withdraw
from tests.citations import LIBRARY, citation
from tests.hash_encoder import HashEncoder


@pytest.fixture
def library(tmp_path):
    return create_library(tmp_path / "library", HashEncoder())


def test_a_citation_comes_back_whole(library):
    upsert(library, LIBRARY)
    assert library.read([record.id for record in LIBRARY]) == {record.id: record for record in LIBRARY}


def test_ids_with_quotes_are_data_not_sql(library):
    record = citation(1, id="doi:10.1/x' OR '1'='1")
    upsert(library, [record, citation(2)])
    assert library.read([record.id]) == {record.id: record}
    assert withdraw(library, [record.id]) == 1
    assert library.citations().count_rows() == 1


@pytest.mark.parametrize(
    ("old", "new", "counts", "title"),
    [
        ({"version": 1}, {"version": 2}, UpsertCounts(updated=1), "new"),
        ({"version": 2}, {"version": 1}, UpsertCounts(superseded=1), "old"),
        (
            {"revised": PartialDate(2020, 1, 9)},
            {"revised": PartialDate(2020, 2, 1)},
            UpsertCounts(updated=1),
            "new",
        ),
        (
            {"revised": PartialDate(2020, 2, 1)},
            {"revised": PartialDate(2020, 1, 9)},
            UpsertCounts(superseded=1),
            "old",
        ),
        ({}, {}, UpsertCounts(updated=1), "new"),
    ],
    ids=["higher version", "lower version", "later revision", "earlier revision", "equal: last read"],
)
@pytest.mark.parametrize("together", [False, True], ids=["two commits", "one batch"])
def test_the_newest_version_wins_in_any_order(library, old, new, counts, title, together):
    first, second = citation(1, "old", **old), citation(1, "new", **new)
    if together:
        upsert(library, [first, second])
    else:
        upsert(library, [first])
        assert upsert(library, [second]) == counts
    assert library.read(["pmid:1"])["pmid:1"].title == title
    assert library.citations().count_rows() == 1


def test_the_same_record_again_changes_nothing(library):
    upsert(library, LIBRARY)
    version = library.citations().version
    assert upsert(library, LIBRARY) == UpsertCounts(unchanged=len(LIBRARY))
    assert library.citations().version == version


def test_deleting_takes_the_passages_along(library):
    encoder = HashEncoder()
    upsert(library, LIBRARY)
    embed_pending(library, encoder, Silent())
    assert withdraw(library, ["pmid:108", "pmid:999"]) == 1
    embed_pending(library, encoder, Silent())
    owners = set(library.passages().to_table(columns=["citation_id"])["citation_id"].to_pylist())
    assert owners == {record.id for record in LIBRARY} - {"pmid:108"}


def test_another_encoder_is_refused_by_name(library):
    with pytest.raises(LibraryError, match=r"embedded with hash .*64 dimensions.* not with other"):
        create_library(library.path, HashEncoder("other"))


def test_a_folder_without_a_library_is_named(tmp_path):
    with pytest.raises(LibraryError, match=r"no library at .*nothing"):
        open_library(tmp_path / "nothing")


def hold_lock(path, ready, done):
    with open_library(path).writing():
        ready.set()
        done.wait(30)


def test_one_writer_at_a_time_across_processes(library):
    context = multiprocessing.get_context("spawn")
    ready, done = context.Event(), context.Event()
    process = context.Process(target=hold_lock, args=(library.path, ready, done))
    process.start()
    assert ready.wait(60)
    with pytest.raises(LibraryBusy, match=rf"another process \(id {process.pid}\)"), library.writing():
        pass
    done.set()
    process.join(30)
    with library.writing():
        assert upsert(library, [citation(1)]) == UpsertCounts(added=1)


def test_a_kill_while_a_table_is_made_leaves_none(tmp_path, monkeypatch):
    """As Lance stands in the middle of it: a folder, and no version in it yet."""
    import lance

    written = lance.write_dataset

    def half(table, path, **options):
        if "citations" in str(path):
            (path / "data").mkdir(parents=True)
            raise KeyboardInterrupt
        return written(table, path, **options)

    with monkeypatch.context() as patch:
        patch.setattr(lance, "write_dataset", half)
        with pytest.raises(KeyboardInterrupt):
            create_library(tmp_path / "library", HashEncoder())
    library = create_library(tmp_path / "library", HashEncoder())
    with library.writing():
        assert upsert(library, [citation(1)]) == UpsertCounts(added=1)
