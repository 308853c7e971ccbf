import numpy as np

from app.fusion import reciprocal_rank_fusion


def test_scores_are_sums_of_reciprocal_ranks():
    scores = reciprocal_rank_fusion([np.array([3, 0]), np.array([0, 1])], 5)
    np.testing.assert_allclose(scores, [1 / 62 + 1 / 61, 1 / 62, 0, 1 / 61, 0])


def test_empty_rankings_score_nothing():
    assert reciprocal_rank_fusion([np.empty(0, np.int64)], 2).tolist() == [0, 0]
