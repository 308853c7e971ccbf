"""The search engine over a real index with the real encoder."""

import threading
from itertools import pairwise

import numpy as np
import pytest

from app.engine import NotFound, SearchEngine, open_engine
from app.query import Filters, Mode, Query
from indexer.embed import embed_pending
from indexer.errors import LibraryError
from indexer.library import create_library
from indexer.passages import citation_text
from indexer.progress import Silent
from indexer.publish import publish
from models.errors import UsageError
from tests.citations import LIBRARY, QUESTIONS, citation
from tests.hash_encoder import HashEncoder


def build(path, encoder, citations):
    library = create_library(path, encoder)
    with library.writing():
        library.upsert(citations)
        embed_pending(library, encoder, Silent())
        publish(library, Silent())
    return path


@pytest.fixture(scope="module")
def path(tmp_path_factory, encoder):
    return build(tmp_path_factory.mktemp("engine") / "library", encoder, LIBRARY)


@pytest.fixture(scope="module")
def engine(path, encoder):
    return SearchEngine(path, encoder)


def ids(page):
    return [hit.id for hit in page.hits]


@pytest.mark.parametrize(("text", "want"), QUESTIONS.values(), ids=QUESTIONS.keys())
@pytest.mark.parametrize("mode", [Mode.DENSE, Mode.HYBRID])
def test_a_question_in_any_language_finds_its_paper_first(engine, text, want, mode):
    assert ids(engine.search(Query(text, mode)))[0] == want


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("alpha-synuclein", ["pmid:110"]),
        ("eGFR 1.73 m2", ["pmid:104"]),
        ("cribado", ["pmid:106"]),
        ("antidépresseurs", ["pmid:105"]),
        ("antidepresseurs", ["pmid:105"]),
        ("10.5555/flu.101", ["pmid:101"]),
        ("PMC9000101", ["pmid:101"]),
        ("zzzz", []),
        ("tratamiento de la gripe", []),
    ],
)
def test_lexical_search_finds_terms_in_any_field(engine, text, want):
    page = engine.search(Query(text, Mode.LEXICAL))
    assert ids(page)[:1] == want
    assert all(hit.dense_score is None and hit.lexical_score > 0 for hit in page.hits)


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize(
    ("filters", "want"),
    [
        (Filters(years=(None, 2005)), {"pmid:103", "pmid:105"}),
        (Filters(years=(2021, None)), {"pmid:108"}),
        (Filters(languages=("fr",)), {"pmid:105"}),
        (Filters(has_abstract=False), {"pmid:105"}),
        (Filters(journals=("DIABETES NOTES",)), {"pmid:104"}),
        (Filters(publication_types=("Randomized Controlled Trial",)), {"pmid:102"}),
        (Filters(mesh=("Pregnancy",)), {"pmid:101"}),
        (Filters(mesh=("Pregnancy",), languages=("fr",)), set()),
    ],
    ids=str,
)
def test_filters_are_exact_in_every_mode(engine, mode, filters, want):
    text = " ".join(record.title for record in LIBRARY)
    page = engine.search(Query(text, mode, filters, limit=100))
    assert set(ids(page)) <= want
    if mode is not Mode.DENSE:
        assert set(ids(page)) == want
    assert page.total == len(page.hits)


def test_hits_are_ranked_scored_and_point_at_their_passage(engine):
    page = engine.search(Query("kidneys weighed in group 119"))
    first = page.hits[0]
    assert (first.id, first.rank) == ("pmid:108", 1)
    text = citation_text(first.citation)
    assert "group 119" in text[first.passage.start : first.passage.end]
    assert all(before.score >= after.score for before, after in pairwise(page.hits))
    assert [hit.rank for hit in page.hits] == list(range(1, len(page.hits) + 1))


@pytest.mark.parametrize("mode", Mode)
def test_pages_are_slices_of_one_order_and_repeat(engine, mode):
    text = "treatment of patients with infarction, influenza or tuberculosis"
    whole = engine.search(Query(text, mode, limit=100))
    pages = [engine.search(Query(text, mode, limit=2, offset=offset)) for offset in range(0, whole.total, 2)]
    assert [hit for page in pages for hit in page.hits] == list(whole.hits)
    assert {page.total for page in pages} <= {whole.total}


def test_the_matched_set_of_dense_search_ends_at_the_cut_off(tmp_path):
    filler = [
        citation(1000 + number, f"Filler {number} about nothing much {number % 7}") for number in range(150)
    ]
    engine = SearchEngine(build(tmp_path / "library", HashEncoder(), [*LIBRARY, *filler]), HashEncoder())
    page = engine.search(Query("influenza vaccination during pregnancy", Mode.DENSE, limit=1000))
    cosines = engine.published().sample @ HashEncoder().vector("influenza vaccination during pregnancy")
    floor = cosines.mean() + 2 * cosines.std()
    assert ids(page)[0] == "pmid:101"
    assert 1 <= page.total < 40
    assert min(hit.dense_score for hit in page.hits) >= floor


def test_a_small_library_has_no_cut_off(engine):
    assert engine.search(Query("football league results", Mode.DENSE)).total == len(LIBRARY)


def test_similar_leaves_the_paper_itself_out(engine):
    page = engine.similar("pmid:101", 3)
    assert len(page.hits) == 3
    assert "pmid:101" not in ids(page)


@pytest.mark.parametrize(
    "name", ["101", "pmid:101", " 101 ", "10.5555/flu.101", "https://doi.org/10.5555/FLU.101"]
)
def test_show_takes_pmid_id_and_doi(engine, name):
    assert engine.show(name) == LIBRARY[0]


@pytest.mark.parametrize("name", ["999", "pmid:999", "10.1/none", "'", "", "x' OR '1'='1"])
def test_what_is_not_there_is_named(engine, name):
    with pytest.raises(NotFound, match=r"no citation .* expected a PMID"):
        engine.show(name)


def test_an_open_engine_sees_a_new_publication(tmp_path, encoder):
    path = build(tmp_path / "library", encoder, LIBRARY[:2])
    engine = open_engine(path)
    assert engine.encoder.fingerprint == encoder.fingerprint
    assert ids(engine.search(Query("zebrafish regeneration", Mode.LEXICAL))) == []
    build(path, encoder, [citation(500, "Zebrafish fin regeneration.")])
    page = engine.search(Query("zebrafish regeneration", Mode.LEXICAL))
    assert (ids(page), page.library_version) == (["pmid:500"], 2)


def test_another_encoder_is_refused(path):
    with pytest.raises(LibraryError, match="embedded with e5-small"):
        SearchEngine(path, HashEncoder())


def test_threads_get_the_answers_that_one_gets_alone(engine):
    questions = [text for text, _ in QUESTIONS.values()]
    alone = {text: ids(engine.search(Query(text))) for text in questions}
    together: dict[str, list[str]] = {}

    def ask(text):
        together[text] = ids(engine.search(Query(text)))

    threads = [threading.Thread(target=ask, args=(text,)) for text in questions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == alone


class ByPlace:
    """A reranker that likes what stands late in the alphabet, and keeps what it read."""

    name, fingerprint = "by-place", "0" * 16

    def __init__(self):
        self.read: list[str] = []

    def score(self, query, passages):
        self.read = list(passages)
        return np.array([ord(text[0]) for text in passages], np.float32)


@pytest.fixture(scope="module")
def reranking(tmp_path_factory):
    filler = [citation(1000 + n, f"{'XYZ'[n % 3]}-ray of influenza in case {n}") for n in range(60)]
    encoder = HashEncoder()
    encoder.cut_off = None  # so that the 100 best passages count as matched
    path = build(tmp_path_factory.mktemp("rerank") / "library", encoder, [*LIBRARY, *filler])
    return SearchEngine(path, encoder, {"by-place": ByPlace()})


@pytest.mark.parametrize("mode", Mode)
def test_a_reranker_reorders_the_first_fifty_and_nothing_else(reranking, mode):
    plain = reranking.search(Query("influenza", mode, limit=100))
    page = reranking.search(Query("influenza", mode, limit=100, rerank="by-place"))
    assert page.total == plain.total > 50
    assert set(ids(page)[:50]) == set(ids(plain)[:50])
    assert ids(page)[50:] == ids(plain)[50:]
    best = [(-hit.rerank_score, hit.id) for hit in page.hits[:50]]
    assert best == sorted(best)
    assert len({score for score, _ in best}) > 2
    assert {hit.rerank_score for hit in page.hits[50:]} == {None}
    scores = {hit.id: hit.score for hit in plain.hits}
    assert {hit.id: hit.score for hit in page.hits} == scores
    assert (page.reranker, plain.reranker) == ("by-place (0000000000000000)", None)


def test_pages_of_a_reranked_answer_are_slices_of_one_order(reranking):
    whole = reranking.search(Query("influenza", limit=100, rerank="by-place"))
    pages = [
        reranking.search(Query("influenza", limit=20, offset=offset, rerank="by-place"))
        for offset in range(0, whole.total, 20)
    ]
    assert [hit for page in pages for hit in page.hits] == list(whole.hits)


def test_a_reranker_reads_the_best_passage_or_the_first(tmp_path, encoder):
    reader = ByPlace()
    path = build(tmp_path / "library", encoder, LIBRARY)
    engine = SearchEngine(path, encoder, {"by-place": reader})
    page = engine.search(Query("kidneys weighed in group 119", rerank="by-place"))
    hit = next(hit for hit in page.hits if hit.id == "pmid:108")
    (passage,) = [text for text in reader.read if "kidneys" in text]
    assert passage == citation_text(hit.citation)[hit.passage.start : hit.passage.end]
    assert "group 119" in passage
    engine.search(Query("kidneys weighed in group 119", Mode.LEXICAL, rerank="by-place"))
    (passage,) = [text for text in reader.read if "kidneys" in text]
    assert passage.startswith("Renal function step by step.")
    assert "group 119" not in passage


def test_a_reranker_with_nothing_to_read_reads_nothing(reranking):
    assert reranking.search(Query("zzzz", Mode.LEXICAL, rerank="by-place")).hits == ()


def test_a_reranker_that_is_not_offered_is_refused(reranking, engine):
    with pytest.raises(UsageError, match=r"'maxsim' is not offered here \(offered: by-place\)"):
        reranking.search(Query("influenza", rerank="maxsim"))
    with pytest.raises(UsageError, match=r"'' is not offered here \(offered: none\)"):
        engine.search(Query("influenza", rerank=""))


def test_an_engine_opens_with_the_rerankers_that_are_named(path):
    engine = open_engine(path, rerankers=["maxsim"])
    page = engine.search(Query("vacuna contra la gripe en embarazadas", limit=3, rerank="maxsim"))
    assert ids(page)[0] == "pmid:101"
    assert 0 < page.hits[0].rerank_score <= 1
    assert page.timings.rerank > 0
