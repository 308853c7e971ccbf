"""What the objectives compute."""

import numpy as np
import pytest
import torch
from parallel_text import sentences

from models.encoder import Encoder
from models.errors import UsageError
from models.training.material import with_negatives
from models.training.objectives.distill import Distillation
from models.training.pairs import Pair


class Given(torch.nn.Module):
    """Gives the vectors that its input holds."""

    def forward(self, features: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        return {"sentence_embedding": features["vectors"]}


def units(rows: np.ndarray) -> np.ndarray:
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


@pytest.fixture
def targets() -> np.ndarray:
    """The teacher's vectors of 50 texts under two prompts."""
    return units(np.random.default_rng(1).normal(size=(50, 2, 8))).astype(np.float16)


def loss(targets: np.ndarray, vectors: np.ndarray, labels: list[int], **settings: object) -> float:
    values = {"contrast": 0.0, "bank": 0, "temperature": 0.05, "matryoshka": (), **settings}
    module = Distillation(Given(), targets, **values)
    return float(module([{"vectors": torch.tensor(vectors)}], torch.tensor(labels)))


def test_the_distance_is_one_minus_the_mean_cosine_to_the_teachers_vectors(targets: np.ndarray) -> None:
    vectors = np.random.default_rng(2).normal(size=(3, 8)).astype(np.float32)
    cosines = np.einsum("nd,npd->np", units(vectors), units(targets[[4, 9, 4]].astype(np.float32)))
    assert loss(targets, vectors, [4, 9, 4]) == pytest.approx(1 - cosines.mean(), abs=1e-5)
    same = np.repeat(targets[[7], 0].astype(np.float32), 2, axis=0)
    assert loss(targets[:, :1], same, [7, 7]) == pytest.approx(0, abs=1e-5)


def test_the_contrast_is_the_cross_entropy_of_the_twin_among_all(targets: np.ndarray) -> None:
    vectors = np.random.default_rng(2).normal(size=(3, 8)).astype(np.float32)
    one = targets[:, :1].astype(np.float32)
    scores = units(vectors) @ units(one[:, 0]).T / 0.1
    entropy = np.mean(
        [np.log(np.exp(row).sum()) - row[label] for row, label in zip(scores, [4, 9, 4], strict=True)]
    )
    everything = loss(targets[:, :1], vectors, [4, 9, 4], contrast=0.5, bank=5000, temperature=0.1)
    distance = loss(targets[:, :1], vectors, [4, 9, 4])
    assert everything == pytest.approx(distance + 0.5 * entropy, abs=1e-4)


def test_shorter_vectors_are_trained_too(targets: np.ndarray) -> None:
    vectors = np.random.default_rng(2).normal(size=(3, 8)).astype(np.float32)
    short = loss(targets[..., :4], vectors[:, :4], [1, 2, 3])
    whole = loss(targets, vectors, [1, 2, 3])
    assert loss(targets, vectors, [1, 2, 3], matryoshka=(4,)) == pytest.approx((short + whole) / 2, abs=1e-5)


def test_the_same_batch_has_the_same_negatives(targets: np.ndarray) -> None:
    vectors = np.random.default_rng(2).normal(size=(2, 8)).astype(np.float32)
    found = {loss(targets, vectors, [1, 2], contrast=1.0, bank=10) for _ in range(3)}
    assert len(found) == 1
    assert found != {loss(targets, vectors, [1, 3], contrast=1.0, bank=10)}


def test_every_pair_has_as_many_negatives_as_asked_for_and_never_its_own_passage(encoder: Encoder) -> None:
    english = sentences("eng_Latn")
    pairs = [
        Pair("spa", query, passage) for query, passage in zip(sentences("spa_Latn"), english, strict=True)
    ]
    pairs[0] = Pair("spa", pairs[0].query, pairs[0].passage, ("the heart stops",))
    found = with_negatives(pairs, encoder, 3, seed=1)
    for pair in found:
        assert len(pair.negatives) == 3
        assert pair.passage not in pair.negatives
        assert set(pair.negatives) <= {*english, "the heart stops"}
    assert found[0].negatives[0] == "the heart stops"
    assert found == with_negatives(pairs, encoder, 3, seed=1)


def test_pairs_of_one_passage_have_no_negatives(encoder: Encoder) -> None:
    pairs = [Pair("spa", "el corazón", "the heart"), Pair("rus", "сердце", "the heart")]
    with pytest.raises(UsageError, match="all pairs have the same passage"):
        with_negatives(pairs, encoder, 2, seed=1)
