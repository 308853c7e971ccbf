"""The prior: how much a year and a kind of study may move a paper."""

import numpy as np
import pytest

from app.engine import SearchEngine
from app.prior import HALF_LIFE, MOST, prior_bonus, recency
from app.query import Mode, Prior, Query
from indexer.citation import Correction, PartialDate, Term
from tests.citations import citation
from tests.hash_encoder import HashEncoder
from tests.test_app_engine import build

RETRACTED = (Correction("RetractionIn"),)


def paper(pmid, year, *types, **fields):
    date = PartialDate(year) if year else PartialDate()
    kinds = tuple(map(Term, ("Journal Article", *types)))
    return citation(pmid, "Gum mastic for aphthae", published=date, publication_types=kinds, **fields)


PAPERS = [
    paper(1, 2000),
    paper(2, 2020, "Case Reports"),
    paper(3, 2010, "Randomized Controlled Trial", "Multicenter Study"),
    paper(4, None, "Meta-Analysis"),
    paper(5, 2015, "Meta-Analysis", corrections=RETRACTED),
    citation(6, "Another matter, without any word of the question", published=PartialDate(2021)),
]


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    return SearchEngine(build(tmp_path_factory.mktemp("prior"), HashEncoder(), PAPERS), HashEncoder())


def ids(page):
    return [hit.citation.pmid for hit in page.hits]


def bonus(engine, prior):
    return dict(zip("123456", prior_bonus(engine.published(), Query("x", prior=prior)) / MOST, strict=True))


def test_recency_halves_with_every_half_life():
    years = np.array([2020, 2020 - HALF_LIFE, 2020 - 2 * HALF_LIFE, 0], np.int16)
    assert recency(years).tolist() == [1.0, 0.5, 0.25, 0.0]
    assert recency(np.array([], np.int16)).tolist() == []


def test_evidence_is_that_of_the_strongest_type_and_none_if_retracted(engine):
    assert bonus(engine, Prior.EVIDENCE) == pytest.approx(
        {"1": 0, "2": 0.2, "3": 0.8, "4": 1.0, "5": 0, "6": 0}
    )


def test_both_is_the_sum_and_none_is_nothing(engine):
    both, recent, evidence = (bonus(engine, prior) for prior in (Prior.BOTH, Prior.RECENT, Prior.EVIDENCE))
    assert both == pytest.approx({id: recent[id] + evidence[id] for id in both})
    assert set(bonus(engine, Prior.NONE).values()) == {0.0}


@pytest.mark.parametrize("mode", [Mode.DENSE, Mode.LEXICAL])
def test_of_equal_papers_the_prior_decides(engine, mode):
    text = "gum mastic aphthae"
    assert ids(engine.search(Query(text, mode)))[:5] == ["1", "2", "3", "4", "5"]
    assert ids(engine.search(Query(text, mode, prior=Prior.RECENT)))[:5] == ["2", "5", "3", "1", "4"]
    assert ids(engine.search(Query(text, mode, prior=Prior.EVIDENCE)))[:5] == ["4", "3", "2", "1", "5"]


def test_a_bonus_is_small_beside_the_spread_of_scores(engine):
    plain = engine.search(Query("gum mastic question", Mode.LEXICAL))
    moved = engine.search(Query("gum mastic question", Mode.LEXICAL, prior=Prior.RECENT))
    before = {hit.id: hit.score for hit in plain.hits}
    span = max(before.values()) - min(before.values())
    added = [hit.score - before[hit.id] for hit in moved.hits]
    assert span > 0
    assert 0 < max(added) <= MOST * span + 1e-9


def test_an_answer_of_nothing_stays_so(engine):
    assert engine.search(Query("zzzz", Mode.LEXICAL, prior=Prior.BOTH)).hits == ()
