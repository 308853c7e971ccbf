"""The search engine over a real index with the real encoder."""

import threading
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from app.engine import NotFound, SearchEngine, open_engine
from app.query import Filters, Mode, Query, parse_filters
from indexer.citation import Correction, Term
from indexer.embed import embed_pending
from indexer.errors import LibraryError
from indexer.library import create_library
from indexer.passages import citation_text
from indexer.progress import Silent
from indexer.publish import publish
from indexer.upsert import upsert
from models.errors import UsageError
from tests.citations import LIBRARY, QUESTIONS, citation
from tests.hash_encoder import HashEncoder


def build(path, encoder, citations):
    library = create_library(path, encoder)
    with library.writing():
        upsert(library, citations)
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
    ("text", "want"),
    [
        ("101", ["pmid:101"]),
        ("PMID: 103", ["pmid:103"]),
        ("10.5555/flu.101", ["pmid:101"]),
        ("https://doi.org/10.5555/FLU.101", ["pmid:101"]),
        ("PMC9000101", ["pmid:101"]),
        ("pmid:104, 102; PMC9000101", ["pmid:104", "pmid:102", "pmid:101"]),
    ],
)
def test_identifiers_find_what_they_name_in_their_order(engine, mode, text, want):
    page = engine.search(Query(text, mode))
    assert ids(page) == want
    assert page.total == len(want)


def test_a_number_that_names_nothing_is_searched_as_text(engine):
    assert ids(engine.search(Query("1.1 HbA1c", Mode.LEXICAL))) == ["pmid:104"]
    assert engine.search(Query("99999999", Mode.LEXICAL)).total == 0


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


def test_signals_select_and_leave_out(tmp_path):
    retracted, erratum = Correction("RetractionIn", "J. 2", "9"), Correction("ErratumIn", "J. 3", "8")
    papers = [
        citation(1, "Propolis lozenges", corrections=(retracted, erratum)),
        citation(2, "Propolis lozenges", corrections=(erratum,)),
        citation(3, "Propolis lozenges", publication_types=(Term("Preprint"),)),
        citation(4, "Propolis lozenges"),
    ]
    engine = SearchEngine(build(tmp_path / "library", HashEncoder(), papers), HashEncoder())

    def found(*items):
        return ids(engine.search(Query("propolis", Mode.LEXICAL, parse_filters(items))))

    assert found("signal=retracted") == ["pmid:1"]
    assert found("signal=corrected") == ["pmid:1", "pmid:2"]
    assert found("signal=preprint", "signal=retracted") == ["pmid:1", "pmid:3"]
    assert found("without=retracted") == ["pmid:2", "pmid:3", "pmid:4"]
    assert found("without=corrected", "without=preprint") == ["pmid:4"]
    assert found("signal=corrected", "without=retracted") == ["pmid:2"]


def test_hits_are_ranked_scored_and_point_at_their_passage(engine):
    page = engine.search(Query("kidneys weighed in group 119"))
    first = page.hits[0]
    assert (first.id, first.rank) == ("pmid:108", 1)
    text = citation_text(first.citation)
    assert "group 119" in text[first.passage.start : first.passage.end]
    assert all(before.score >= after.score for before, after in pairwise(page.hits))
    assert [hit.rank for hit in page.hits] == list(range(1, len(page.hits) + 1))


@pytest.mark.parametrize(("text", "want"), QUESTIONS.values(), ids=QUESTIONS.keys())
def test_hits_are_explained_on_demand_and_else_stay_the_same(engine, text, want):
    page = engine.search(Query(text))
    assert all(hit.evidence == () and hit.marks == () for hit in page.hits)
    explained = engine.explain(page, 2)
    assert explained.hits[2:] == page.hits[2:]
    assert [replace(hit, evidence=(), marks=()) for hit in explained.hits] == list(page.hits)
    (evidence, *_) = explained.hits[0].evidence
    text = citation_text(explained.hits[0].citation)
    assert text[evidence.start : evidence.end] in text.partition("\n")[2]
    assert explained.timings.evidence > 0


def test_the_sentence_of_the_step_that_was_asked_for_is_found_by_its_words(engine):
    (hit, *_) = engine.explain(engine.search(Query("kidneys weighed in group 119", Mode.LEXICAL))).hits
    text = citation_text(hit.citation)
    assert "group 119" in text[hit.evidence[0].start : hit.evidence[-1].end]
    assert {text[span.start : span.end] for span in hit.marks} == {"kidneys", "group", "119", "weighed"}


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
    assert page.total == len(LIBRARY) - 1
    assert engine.similar("pmid:101", 3).hits == page.hits


def test_similar_compares_every_passage_with_every_other(tmp_path):
    encoder = HashEncoder(passage_tokens=30)
    first, second = (" ".join(f"{word}{number}" for number in range(28)) for word in ("liver", "moth"))
    papers = [
        citation(1, "Two matters", f"{first} {second}"),
        citation(2, "Both again", f"{second} {first}"),
        citation(3, "One of them", first),
        citation(4, "Neither", "Something else altogether"),
    ]
    engine = SearchEngine(build(tmp_path / "library", encoder, papers), encoder)
    page = engine.similar("1")
    assert ids(page) == ["pmid:2", "pmid:3", "pmid:4"]
    published = engine.published()
    own, other = (published.dense.vectors(published.positions(number)) for number in (0, 1))
    assert len(own) > 1
    cosines = own @ other.T
    expected = (cosines.max(axis=1).mean() + cosines.max(axis=0).mean()) / 2
    assert page.hits[0].score == pytest.approx(float(expected), abs=1e-6)
    place = page.hits[0].passage
    best = published.positions(1)[int(cosines.max(axis=0).argmax())]
    assert (place.start, place.end) == tuple(published.spans[best].tolist())


def test_a_paper_that_is_alone_has_nothing_similar(tmp_path):
    engine = SearchEngine(build(tmp_path / "library", HashEncoder(), LIBRARY[:1]), HashEncoder())
    page = engine.similar("101")
    assert (page.hits, page.total) == ((), 0)


def test_records_of_one_article_are_one_hit(tmp_path):
    place = {"volume": "12", "pages": "101-9"}
    papers = [
        citation(1, "[Royal jelly and wound healing]", languages=("fr",), **place),
        citation(2, "Royal jelly and wound healing, royal jelly.", **place),
        citation(3, "Royal jelly in cosmetics"),
    ]
    engine = SearchEngine(build(tmp_path / "library", HashEncoder(), papers), HashEncoder())
    page = engine.search(Query("royal jelly", Mode.LEXICAL))
    assert [(hit.id, hit.rank, hit.duplicates) for hit in page.hits] == [
        (ids(page)[0], 1, ("pmid:2",) if ids(page)[0] == "pmid:1" else ("pmid:1",)),
        ("pmid:3", 2, ()),
    ]
    assert page.total == 2
    french = engine.search(Query("royal jelly", Mode.LEXICAL, Filters(languages=("fr",))))
    assert [(hit.id, hit.duplicates) for hit in french.hits] == [("pmid:1", ("pmid:2",))]
    apart = engine.search(Query("royal jelly", Mode.LEXICAL, collapse=False))
    assert sorted(ids(apart)) == ["pmid:1", "pmid:2", "pmid:3"]
    assert {hit.duplicates for hit in apart.hits} == {()}
    assert len([id for id in ids(engine.similar("3")) if id != "pmid:3"]) == 1


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
    with pytest.raises(LibraryError, match="embedded with bioglot-small"):
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


@pytest.mark.parametrize("text", ["1001 101 1000", "2018[dp] OR 2005[dp]"])
def test_what_has_no_words_to_rank_by_is_not_reranked(reranking, text):
    plain = reranking.search(Query(text))
    page = reranking.search(Query(text, rerank="by-place"))
    assert len(plain.hits) > 1
    assert page.hits == plain.hits


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
