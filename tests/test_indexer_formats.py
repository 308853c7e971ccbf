"""Libraries that an older or a newer version made."""

import json

import pytest

from indexer.citation import Correction
from indexer.errors import LibraryError
from indexer.library import FORMAT, OLDEST, open_library
from indexer.progress import Silent
from indexer.publish import publish, rebuild
from indexer.published import library_info, open_published
from indexer.upsert import upsert
from indexer.verify import verify
from tests.citations import LIBRARY, citation
from tests.hash_encoder import HashEncoder
from tests.test_app_engine import build

RETRACTED = citation(201, "Withdrawn findings", corrections=(Correction("RetractionIn", "J. 2", "301"),))
ERRATUM = citation(202, "Corrected findings", corrections=(Correction("ErratumIn", "J. 3", "302"),))


def set_format(path, number):
    pointer = json.loads((path / "library.json").read_text(encoding="utf-8"))
    (path / "library.json").write_text(json.dumps({**pointer, "format": number}), encoding="utf-8")


@pytest.fixture
def old(tmp_path):
    """A library as the version before wrote it: without signals and groups of duplicates."""
    path = build(tmp_path / "library", HashEncoder(), [*LIBRARY, RETRACTED])
    open_library(path).citations().drop_columns(["signals", "duplicate_keys", "words"])
    for file in [*path.glob("sets/*/signals.*"), *path.glob("sets/*/groups.npy")]:
        file.unlink()
    set_format(path, 1)
    return path


def signal_counts(path):
    return open_published(path).columns.fields["signals"].counts()


@pytest.mark.parametrize("read", [library_info, open_published, lambda path: verify(path, Silent())])
def test_an_older_library_is_told_how_to_become_readable(old, read):
    with pytest.raises(LibraryError) as caught:
        read(old)
    assert str(caught.value) == (
        f"library {old} was made by an older version of bioglot (format 1, expected {OLDEST} to {FORMAT}): "
        f"run `bioglot rebuild --library {old}`, which embeds nothing"
    )


def test_rebuild_brings_an_older_library_up_to_date(old):
    rebuild(old, Silent())
    assert signal_counts(old) == {"retracted": 1}
    assert verify(old, Silent()).faults == ()


def test_so_does_indexing_into_it_and_every_record_gets_its_signals(old):
    encoder = HashEncoder()
    build(old, encoder, [ERRATUM])
    assert encoder.embedded == ["Corrected findings"]
    assert signal_counts(old) == {"corrected": 1, "retracted": 1}
    assert verify(old, Silent()).faults == ()


def test_so_does_a_run_after_one_that_was_killed_before_it_published(old):
    library = open_library(old)
    with library.writing():
        upsert(library, [ERRATUM])
    with library.writing():
        publish(library, Silent())
    assert signal_counts(old) == {"corrected": 1, "retracted": 1}


def test_a_newer_library_is_left_alone(tmp_path):
    path = build(tmp_path / "library", HashEncoder(), LIBRARY)
    set_format(path, FORMAT + 1)
    with pytest.raises(LibraryError, match=rf"a newer version of bioglot \(format {FORMAT + 1}, expected"):
        library_info(path)
