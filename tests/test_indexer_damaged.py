"""Every file of a library damaged and lost: verify names it, rebuild mends what follows from the records."""

import json
import shutil
from dataclasses import replace

import pytest

import app.engine
import app.query
from indexer.errors import LibraryError
from indexer.library import open_library
from indexer.manifest import read_manifest
from indexer.pointer import read_pointer
from indexer.progress import Silent
from indexer.publish import rebuild
from indexer.verify import verify
from tests import faults_jobs as jobs
from tests.pubmed_records import RECORDS, write_pubmed

DERIVED = ("dense/", "sets/", "citations.lance/_indices/", "citations.lance/_refs/", "library.json")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A library with deletions, old versions, a fresh part and records set aside."""
    folder = tmp_path_factory.mktemp("damaged")
    inputs = jobs.prepare_inputs(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("indexer.embed.CHUNK", 6)
        patch.setattr("indexer.intake.BATCH", 8)
        jobs.index(folder / "library", inputs)
        jobs.update(folder / "library", inputs)
        jobs.follow(folder / "library", inputs)
    return folder / "library"


@pytest.fixture
def library(whole, tmp_path):
    shutil.copytree(whole, tmp_path / "library")
    return tmp_path / "library"


def set_files(library):
    """Every file of the published set, library.json too."""
    pointer = read_pointer(library)
    return ["library.json", pointer.manifest, *read_manifest(library / pointer.manifest)]


def flip(file):
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 0x40
    file.write_bytes(data)


def named(library):
    """What verify says, faults and refusal alike."""
    try:
        return " ".join(fault.detail for fault in verify(library, Silent()).faults)
    except LibraryError as error:
        return str(error)


def test_the_set_names_all_that_a_reader_opens(whole):
    names = " ".join(set_files(whole))
    for part in ("/data/", "/_deletions/", "/_indices/", "/_versions/", "/_refs/tags/", "/fresh.", "dense/"):
        assert part in names


def test_one_flipped_byte_in_any_file_is_named(library):
    for name in set_files(library):
        file = library / name
        held = file.read_bytes()
        flip(file)
        assert name in named(library)
        file.write_bytes(held)
    assert named(library) == ""


def test_any_missing_file_is_named(library):
    for name in set_files(library)[1:]:
        (library / name).rename(library / "away")
        assert f"{name} is missing" in named(library)
        (library / "away").rename(library / name)
    (library / "library.json").unlink()
    assert "has never been published" in named(library)


@pytest.mark.parametrize("damage", [flip, lambda file: file.unlink()], ids=["flipped", "missing"])
@pytest.mark.parametrize("part", DERIVED)
def test_rebuild_mends_what_follows_from_the_records(library, part, damage):
    """Every file of the part at once."""
    before = jobs.contents(library)
    for name in set_files(library):
        if part in name:
            damage(library / name)
    rebuild(library, Silent())
    assert named(library) == ""
    assert jobs.contents(library) == before


def test_rebuild_does_not_seal_damaged_records_as_sound(library):
    [name, *_] = [name for name in set_files(library) if name.startswith("passages.lance/data/")]
    flip(library / name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("indexer.publish.FRAGMENTS", 100)
        try:
            rebuild(library, Silent())
        except LibraryError as error:
            assert "cannot be read" in str(error)
    assert f"{name} has another SHA-256 than when it was published" in named(library)


def test_lost_records_are_told_without_a_traceback(library):
    [name, *_] = [name for name in set_files(library) if name.startswith("citations.lance/data/")]
    (library / name).unlink()
    with pytest.raises(LibraryError, match=rf"cannot be read \(.*{name}.*bioglot verify.*restore a copy"):
        rebuild(library, Silent())


@pytest.mark.parametrize("part", ["citations.lance/data", "citations.lance/_indices", "sets", "dense"])
def test_readers_and_writers_are_told_of_lost_files_in_a_line(library, tmp_path, part):
    told = r"^library \S+ cannot be read \(.*bioglot verify.*bioglot rebuild"
    engine = app.engine.SearchEngine(library, jobs.old_encoder())
    shutil.rmtree(library / part)
    if part.startswith("citations"):
        for ask in (lambda: engine.search(app.query.Query("malaria")), lambda: engine.show("30000001")):
            with pytest.raises(LibraryError, match=told):
                ask()
    else:
        with pytest.raises(LibraryError, match=told):
            app.engine.SearchEngine(library, jobs.old_encoder())
    write_pubmed(tmp_path / "new.xml", [replace(RECORDS[0], pmid=38000000)])
    with pytest.raises(LibraryError, match=told):
        jobs.take(library, tmp_path, "new.xml")


def test_vectors_of_another_encoder_are_named(library):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("indexer.embed.CHUNK", 100)
        opened = open_library(library)
        opened.passages().update({"fingerprint": "'0123456789abcdef'"}, where="number = 0")
        rebuild(library, Silent())
    assert f"embedded with 0123456789abcdef, the library's encoder is {opened.encoder.fingerprint}" in named(
        library
    )


def test_an_index_of_another_version_is_named(library):
    """The dense base and the full text of the set before, put in the place of the published ones."""
    pointer = read_pointer(library)
    [old, *_] = sorted((library / "sets").glob("*/fresh.faiss"))
    shutil.copy(old, library / pointer.folder / "fresh.faiss")
    assert f"{pointer.folder}/fresh.faiss has" in named(library)
    pointer = json.loads((library / "library.json").read_text(encoding="utf-8"))
    pointer["tag"] = "set-000001"
    (library / "library.json").write_text(json.dumps(pointer), encoding="utf-8")
    assert "library.json is not as it was written" in named(library)


def test_a_line_of_the_quarantine_that_is_no_record_is_named(library):
    file = library / "quarantine.jsonl"
    file.write_bytes(file.read_bytes().replace(b'"reason":', b'"reason"', 1))
    assert named(library) == "quarantine.jsonl: line 1 is not a record: mend or delete it"
