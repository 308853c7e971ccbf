"""Which pairs make up each step."""

from collections import Counter

import numpy as np
import pytest

from models.training.mixture import GROUP, Mixture, Share, language_chances


def share(counts: list[int], weight: float = 1.0, distinct: bool = False, chances: object = None) -> Share:
    languages = np.repeat(np.arange(len(counts)), counts).astype(np.int32)
    size = len(languages)
    return Share(
        weight=weight,
        languages=languages,
        passages=np.arange(size) // 2,
        lengths=(np.arange(size) * 7 % 40).astype(np.int32),
        chances=np.full(len(counts), 1 / len(counts)) if chances is None else np.array(chances),
        distinct=distinct,
    )


def test_a_temperature_of_one_draws_languages_as_they_come_and_a_high_one_alike() -> None:
    counts = {"eng": 900, "wol": 90, "sat": 10}
    assert language_chances(counts, 1, {}).tolist() == pytest.approx([0.9, 0.09, 0.01])
    assert language_chances(counts, 1e9, {}).tolist() == pytest.approx([1 / 3] * 3)
    assert language_chances(counts, 1e9, {"sat": 2}).tolist() == pytest.approx([0.25, 0.25, 0.5])
    root = np.sqrt([900, 90, 10])
    assert language_chances(counts, 2, {}).tolist() == pytest.approx((root / root.sum()).tolist())


def test_batches_are_the_same_each_time_and_others_for_another_seed() -> None:
    one, again, other = (list(Mixture([share([50, 50])], 16, 8, 40, seed)) for seed in (1, 1, 2))
    assert one == again != other
    assert len(one) == len(Mixture([share([50, 50])], 16, 8, 40, 1)) == 80
    assert {len(batch) for batch in one} == {8}


def test_a_step_has_the_same_pairs_however_it_is_handed_out() -> None:
    whole = list(Mixture([share([60, 40])], 16, 16, 20, 5))
    parts = list(Mixture([share([60, 40])], 16, 4, 20, 5))
    for step, batch in enumerate(whole):
        assert sorted(batch) == sorted(row for part in parts[4 * step : 4 * step + 4] for row in part)


def test_a_longer_run_begins_like_a_shorter_one() -> None:
    short, long = (list(Mixture([share([50, 50])], 8, 8, steps, 3)) for steps in (GROUP + 3, 3 * GROUP))
    assert long[: len(short)] == short


def test_objectives_and_languages_come_by_their_weights() -> None:
    shares = [share([100, 100], weight=3, chances=[0.8, 0.2]), share([100], weight=1)]
    batches = list(Mixture(shares, 8, 8, 2000, 1))
    first = [batch for batch in batches if batch[0] < 200]
    assert all(max(batch) < 200 for batch in first)
    assert len(first) / len(batches) == pytest.approx(0.75, abs=0.04)
    counts = Counter(row < 100 for batch in first for row in batch)
    assert counts[True] / (8 * len(first)) == pytest.approx(0.8, abs=0.02)


def test_texts_of_like_length_share_a_batch() -> None:
    long = share([4000])
    batches = list(Mixture([long], 32, 32, 64, 1))
    padded = sum(32 * int(long.lengths[batch].max()) for batch in batches)
    assert sum(int(long.lengths[batch].sum()) for batch in batches) / padded > 0.9


def test_no_passage_comes_twice_in_a_batch_where_equal_ones_would_be_negatives() -> None:
    distinct = share([2000], distinct=True)
    for batch in Mixture([distinct], 16, 16, 100, 1):
        assert len(set(distinct.passages[batch].tolist())) == 16


def test_where_there_are_too_few_passages_they_come_again_rather_than_never_end() -> None:
    assert [len(batch) for batch in Mixture([share([4], distinct=True)], 16, 16, 3, 1)] == [16] * 3
