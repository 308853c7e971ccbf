import numpy as np
import pytest

from models.training import negatives
from models.training.negatives import mine_negatives
from models.training.pairs import Pair
from tests.hash_encoder import HashEncoder


class Plane:
    """Texts are angles in degrees; a query of two numbers is the first of them."""

    def encode_queries(self, texts):
        angles = np.radians([float(text.split()[0]) for text in texts])
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)

    encode_passages = encode_queries


def mined(pairs, count, **options):
    return [pair.negatives for pair in mine_negatives(pairs, Plane(), count, **options)]


def test_the_nearest_passages_that_are_not_too_near_come_first():
    pairs = [Pair("en", "0", "10"), Pair("en", "90", "5"), Pair("en", "91", "30"), Pair("en", "92", "20")]
    # .95 of the positive's cosine is .936: 5 (.996) and 20 (.940) may be answers too, 30 (.866) is none.
    assert mined(pairs, 3)[0] == ("30",)
    assert mined(pairs, 3, share=0.96)[0] == ("20", "30")
    assert mined(pairs, 1, share=0.96)[0] == ("20",)


def test_passages_of_equal_queries_are_no_negatives():
    pairs = [Pair("en", "0", "1"), Pair("fr", "0", "40"), Pair("de", "80", "50"), Pair("en", "81", "40")]
    assert mined(pairs, 5)[:2] == [("50",), ("50",)]
    assert mined(pairs, 5)[2:] == [("40", "1"), ("1",)]


def test_ties_go_to_the_first_and_doubles_count_once():
    pairs = [
        Pair("en", "0", "0"),
        Pair("en", "90", "30 b"),
        Pair("en", "91", "30 a"),
        Pair("en", "92", "30 b"),
    ]
    assert mined(pairs, 1)[0] == ("30 b",)
    assert mined(pairs, 2)[0] == ("30 b", "30 a")


def test_negatives_of_the_file_stay_and_are_filled_up():
    pairs = [Pair("en", "0", "0", ("own", "30")), Pair("en", "90", "30"), Pair("en", "91", "40")]
    assert mined(pairs, 3)[0] == ("own", "30", "40")
    assert mined(pairs, 1)[0] == ("own", "30")


def test_no_pairs_have_no_negatives():
    assert mine_negatives([], Plane(), 3) == []


@pytest.mark.parametrize("cells", [1, 700, 1 << 26])
def test_blocks_find_what_comparing_each_with_each_finds(monkeypatch, cells):
    monkeypatch.setattr(negatives, "CELLS", cells)
    random = np.random.default_rng(5)
    words = [f"word{number}" for number in range(40)]
    pairs = [
        Pair("en", " ".join(random.choice(words, 3)), " ".join(random.choice(words, 12))) for _ in range(120)
    ]
    encoder = HashEncoder()
    queries = encoder.encode_queries([pair.query for pair in pairs])
    passages = encoder.encode_queries([pair.passage for pair in pairs])
    for pair, query, own in zip(mine_negatives(pairs, encoder, 4), queries, passages, strict=True):
        limit = 0.95 * float(query @ own)
        allowed = sorted((-float(query @ passage), number) for number, passage in enumerate(passages))
        allowed = [item for item in allowed if -item[0] <= limit and pairs[item[1]].query != pair.query]
        scores = [float(query @ encoder.vector(text)) for text in pair.negatives]
        assert scores == pytest.approx([-score for score, _ in allowed[:4]], abs=1e-6)
