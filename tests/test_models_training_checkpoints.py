"""A checkpoint is whole or not there."""

from pathlib import Path

import pytest

from models.errors import ModelError
from models.training.checkpoints import (
    FILES,
    alone_in,
    check_same_run,
    is_whole,
    keep_newest,
    mark_whole,
    newest_whole,
)


def checkpoint(folder: Path, step: int, *, whole: bool = True) -> Path:
    found = folder / f"checkpoint-{step}"
    (found / "deep").mkdir(parents=True)
    (found / "trained.safetensors").write_bytes(b"weights")
    (found / "deep" / "state.json").write_text("{}", encoding="utf-8")
    if whole:
        mark_whole(found)
    return found


def test_the_newest_whole_one_counts(tmp_path: Path) -> None:
    assert newest_whole(tmp_path) is None
    nine, ten = checkpoint(tmp_path, 9), checkpoint(tmp_path, 10)
    checkpoint(tmp_path, 11, whole=False)
    assert newest_whole(tmp_path) == ten
    (ten / "trained.safetensors").write_bytes(b"cut")
    assert newest_whole(tmp_path) == nine
    (nine / "deep" / "state.json").unlink()
    assert newest_whole(tmp_path) is None


def test_a_list_of_nonsense_is_not_whole(tmp_path: Path) -> None:
    found = checkpoint(tmp_path, 1)
    for text in ("", "[]", '{"x": 1}'):
        (found / FILES).write_text(text, encoding="utf-8")
        assert not is_whole(found)


def test_older_ones_go_once_newer_ones_are_whole(tmp_path: Path) -> None:
    for step in (5, 10, 15):
        checkpoint(tmp_path, step)
    checkpoint(tmp_path, 20, whole=False)
    (tmp_path / "checkpoint-final").mkdir()
    keep_newest(tmp_path, 2)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "checkpoint-10",
        "checkpoint-15",
        "checkpoint-final",
    ]


def test_a_folder_belongs_to_one_run(tmp_path: Path) -> None:
    check_same_run(tmp_path / "run", "{}")
    check_same_run(tmp_path / "run", "{}")
    with pytest.raises(ModelError, match="holds a run with another configuration"):
        check_same_run(tmp_path / "run", '{"seed": 2}')


def test_two_runs_never_share_a_folder(tmp_path: Path) -> None:
    with alone_in(tmp_path / "run"):
        with pytest.raises(ModelError, match="is trained in by another process"), alone_in(tmp_path / "run"):
            raise AssertionError
    with alone_in(tmp_path / "run"):
        pass
