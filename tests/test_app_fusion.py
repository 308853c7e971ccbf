import numpy as np

from app.fusion import convex_combination, normalised


def test_the_highest_score_becomes_one_and_the_lowest_and_less_zero():
    scores = normalised(np.array([0.9, 0.8, 0.7, 0.6], np.float32), 0.7)
    assert np.allclose(scores, [1, 0.5, 0, 0], atol=1e-6)


def test_scores_that_are_all_low_are_zero():
    assert normalised(np.array([0.5, 0.4], np.float32), 0.5).tolist() == [0, 0]
    assert normalised(np.empty(0, np.float32), 0.5).tolist() == []


def test_the_weight_is_that_of_the_first():
    assert convex_combination(np.array([1.0, 0.0]), np.array([0.0, 1.0]), 0.75).tolist() == [0.75, 0.25]
