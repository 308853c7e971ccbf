"""Each promise broken on purpose, and the fault that verify must report."""

import numpy as np
import pytest

from indexer.dense import write_part
from indexer.embed import embed_pending
from indexer.library import create_library
from indexer.progress import Silent
from indexer.publish import publish
from indexer.published import open_published
from indexer.upsert import upsert
from indexer.verify import LISTED, check_vectors, shortened, verify
from tests.citations import LIBRARY
from tests.hash_encoder import HashEncoder


@pytest.fixture
def library(tmp_path):
    library = create_library(tmp_path / "library", HashEncoder())
    with library.writing():
        upsert(library, LIBRARY)
        embed_pending(library, HashEncoder(), Silent())
        publish(library, Silent())
    return library


def found(library):
    return {(fault.check, fault.detail) for fault in verify(library.path, Silent()).faults}


def checks(library):
    return {check for check, _ in found(library)}


def publish_again(library):
    with library.writing():
        publish(library, Silent(), anew=True)


def test_a_sound_library_counts_what_was_looked_at(library):
    report = verify(library.path, Silent())
    assert report.sound
    assert report.checks["citations"] == len(LIBRARY)
    assert report.checks["passages"] == report.checks["vectors"] > len(LIBRARY)
    assert report.checks["files"] > 20


@pytest.mark.parametrize(
    "pattern",
    [
        "citations.lance/data/*.lance",
        "passages.lance/data/*.lance",
        "dense/*.faiss",
        "sets/*/years.npy",
        "citations.lance/_indices/*/*",
    ],
)
def test_one_flipped_byte_in_any_file_is_found(library, pattern):
    for file in sorted(library.path.glob(pattern)):
        data = bytearray(file.read_bytes())
        data[len(data) // 2] ^= 0x40
        file.write_bytes(data)
        assert (
            "files",
            f"{file.relative_to(library.path)} has another SHA-256 than when it was published",
        ) in found(library)
        data[len(data) // 2] ^= 0x40
        file.write_bytes(data)
    assert found(library) == set()


def test_a_lost_and_a_cut_file_are_named(library):
    (library.path / "sets/000001/years.npy").unlink()
    keys = library.path / "dense/000001.keys.npy"
    size = keys.stat().st_size
    keys.write_bytes(keys.read_bytes()[:-1])
    assert found(library) == {
        ("files", "sets/000001/years.npy is missing"),
        ("files", f"dense/000001.keys.npy has {size - 1:,} bytes, expected {size:,}"),
    }


def test_a_damaged_manifest_is_found(library):
    with (library.path / "sets/000001/manifest.json").open("ab") as file:
        file.write(b" ")
    assert found(library) == {
        ("files", "sets/000001/manifest.json has another SHA-256 than library.json says")
    }


@pytest.mark.parametrize(
    ("table", "values", "where", "check"),
    [
        ("passages", {"fingerprint": "'0000000000000000'"}, "key = 'pmid:101#0'", "passages"),
        ("passages", {"start": "5"}, "key = 'pmid:101#0'", "passages"),
        ("passages", {"end": "9999"}, "key = 'pmid:101#0'", "passages"),
        ("passages", {"source": "1"}, "key = 'pmid:101#0'", "passages"),
        ("passages", {"number": "4"}, "key = 'pmid:101#0'", "passages"),
        ("citations", {"text": "1"}, "id = 'pmid:101'", "citations"),
        ("citations", {"content": "1"}, "id = 'pmid:101'", "citations"),
        ("citations", {"id": "'pmid:1'"}, "id = 'pmid:101'", "citations"),
    ],
)
def test_a_wrong_value_in_a_table_is_found(library, table, values, where, check):
    getattr(library, table)().update(values, where=where)
    publish_again(library)
    assert check in checks(library)


def test_stale_terms_are_found_and_made_anew_by_a_rebuild(library):
    library.citations().update({"title_terms": "'other terms'"}, where="id = 'pmid:101'")
    with library.writing():
        publish(library, Silent())
    assert ("citations", "pmid:101: title_terms is not what this version makes of the record") in found(
        library
    )
    publish_again(library)
    assert found(library) == set()


def test_a_lost_passage_is_found(library):
    library.passages().delete("key = 'pmid:101#0'")
    publish_again(library)
    text = "Influenza vaccination during pregnancy and birth outcomes."
    assert any(detail.startswith("pmid:101: passages cover 0 of") for _, detail in found(library)), text


def test_vectors_out_of_place_or_out_of_length_are_found(library):
    table = library.passages().to_table()
    vectors = table["vector"].combine_chunks().flatten().to_numpy(zero_copy_only=False).reshape(-1, 64)
    vectors = np.roll(vectors, 1, axis=0)
    vectors[0] *= 2
    write_part(library.path / "dense/000001.faiss", vectors)
    details = check_vectors(open_published(library.path)).details
    assert "pmid:101#0: another vector in the dense index" in details


def test_long_lists_are_counted():
    lines = list(shortened([str(number) for number in range(LISTED + 5)]))
    assert len(lines) == LISTED + 1
    assert lines[-1] == "and 5 more"
