import numpy as np
import pytest

from indexer.dense import DenseIndex, write_filled, write_part


@pytest.fixture
def vectors():
    values = np.random.default_rng(7).normal(size=(500, 32)).astype(np.float32)
    return values / np.linalg.norm(values, axis=1, keepdims=True)


@pytest.fixture
def index(tmp_path, vectors):
    write_part(tmp_path / "base.faiss", vectors[:400])
    write_part(tmp_path / "fresh.faiss", vectors[400:])
    alive = np.ones(500, np.bool_)
    alive[::7] = False
    return DenseIndex(tmp_path / "base.faiss", tmp_path / "fresh.faiss", alive)


def expected(vectors, query, mask):
    """Positions by brute force, best first, ties by position."""
    scores = vectors @ query
    order = np.lexsort((np.arange(len(scores)), -scores))
    return [int(position) for position in order if mask[position]], scores


MASKS = {
    "none": None,
    "a third": np.arange(500) % 3 == 0,
    "fresh only": np.arange(500) >= 400,
    "one": np.arange(500) == 401,
    "nothing": np.zeros(500, np.bool_),
}


@pytest.mark.parametrize("mask", MASKS.values(), ids=MASKS.keys())
def test_nearest_is_exact_under_any_mask(index, vectors, mask):
    query = vectors[3]
    want, scores = expected(vectors, query, index.alive if mask is None else index.alive & mask)
    found = index.nearest(query, 50, mask)
    assert found.positions.tolist() == want[:50]
    np.testing.assert_allclose(found.scores, scores[want[:50]], atol=1e-6)


@pytest.mark.parametrize("mask", MASKS.values(), ids=MASKS.keys())
def test_above_gives_everything_at_or_above_the_cut_off(index, vectors, mask):
    query = vectors[410]
    want, scores = expected(vectors, query, index.alive if mask is None else index.alive & mask)
    found = index.above(query, 0.2, mask)
    assert found.positions.tolist() == [position for position in want if scores[position] >= 0.2]


def test_a_score_equal_to_the_cut_off_is_kept(tmp_path):
    write_part(tmp_path / "base.faiss", np.eye(4, dtype=np.float32))
    write_part(tmp_path / "fresh.faiss", np.empty((0, 4), np.float32))
    index = DenseIndex(tmp_path / "base.faiss", tmp_path / "fresh.faiss", np.ones(4, np.bool_))
    assert index.above(np.array([1, 0, 0, 0], np.float32), 1.0).positions.tolist() == [0]


def test_ties_fall_to_the_lower_position(tmp_path):
    same = np.tile(np.array([[1, 0]], np.float32), (6, 1))
    write_part(tmp_path / "base.faiss", same[:3])
    write_part(tmp_path / "fresh.faiss", same[3:])
    index = DenseIndex(tmp_path / "base.faiss", tmp_path / "fresh.faiss", np.ones(6, np.bool_))
    assert index.nearest(same[0], 6).positions.tolist() == [0, 1, 2, 3, 4, 5]


def test_vectors_come_from_both_parts(index, vectors):
    positions = np.array([0, 399, 400, 499])
    np.testing.assert_array_equal(index.vectors(positions), vectors[positions])
    assert index.vectors(np.empty(0, np.int64)).shape == (0, 32)


def test_vectors_filled_in_place_are_those_written_whole(tmp_path):
    vectors = np.random.default_rng(7).normal(size=(100, 8)).astype(np.float32)
    write_part(tmp_path / "whole.faiss", vectors)
    write_filled(tmp_path / "filled.faiss", 100, 8, lambda held: held.__setitem__(slice(None), vectors))
    assert (tmp_path / "filled.faiss").read_bytes() == (tmp_path / "whole.faiss").read_bytes()
    write_part(tmp_path / "none.faiss", vectors[:0])
    write_filled(tmp_path / "empty.faiss", 0, 8, lambda _: None)
    assert (tmp_path / "empty.faiss").read_bytes() == (tmp_path / "none.faiss").read_bytes()
