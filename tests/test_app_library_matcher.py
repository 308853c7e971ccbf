"""Boolean queries over a real library, against lists made by hand and against a reading of each record."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.engine import SearchEngine
from app.library_matcher import LibraryMatcher
from app.query import Filters, Mode, Query
from app.syntax.evaluate import evaluate
from app.syntax.parse import parse_boolean
from indexer.citation import (
    Author,
    Chemical,
    DataBank,
    Grant,
    HistoryDate,
    Journal,
    Keyword,
    MeshHeading,
    PartialDate,
    Term,
)
from indexer.mesh import parse_descriptors
from models.analysis import analyse
from models.errors import UsageError
from tests.citations import LIBRARY, citation
from tests.hash_encoder import HashEncoder
from tests.mesh_records import descriptor_file
from tests.test_app_engine import build

WHOLE = citation(
    201,
    "Hip pain after running: IL-6 and TNF-α in synovial fluid.",
    "Pain of the hip was common. Heart attacks were not. CO₂ was measured in 1.73 m².",
    authors=(
        Author(last_name="Müller", fore_name="Jörg Hans", initials="JH"),
        Author(collective_name="Small Trials Group"),
        Author(last_name="O'Brien", fore_name="Ann", initials="A"),
    ),
    mesh=(
        MeshHeading("Hip Joint", "D006621", qualifiers=(Term("pathology", "Q000473", major=True),)),
        MeshHeading("Humans", "D006801"),
    ),
    keywords=(Keyword("deep learning"), Keyword("pain scale")),
    chemicals=(Chemical("Interleukin-6", "D015850", "0"), Chemical("Metformin", "D008687", "9100L32L2N")),
    databanks=(DataBank("ClinicalTrials.gov", ("NCT04368728",)),),
    grants=(Grant("R01 HL123456", "HL", "NHLBI NIH HHS"),),
    journal=Journal("The Hip Journal", "Hip J", issn="1234-5678"),
    published=PartialDate(2019, 3, 15),
    history=(HistoryDate("entrez", PartialDate(2019, 4, 1)),),
    volume="12",
    issue="3",
    pages="101-9",
)
OTHER = citation(
    202,
    "Non-small-cell lung cancer, COVID-19 pandemic and 17-hydroxyprogesterone.",
    "General rules. Necrosis factor (TNF)-α and 2,3-dimethylbutane after long-term follow up of d'Urologie.",
    languages=("ja",),
    vernacular_title="心筋梗塞後のリハビリテーション",
    published=PartialDate(2017),
)
STROKE = citation(203, "Generalized care.", languages=("ja",), vernacular_title="脳梗塞", authors=())
RECORDS = (*LIBRARY, WHOLE, OTHER, STROKE)


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    path = build(tmp_path_factory.mktemp("matcher") / "library", HashEncoder(), RECORDS)
    return SearchEngine(path, HashEncoder())


def pmids(engine, query, mesh=None):
    mask = evaluate(parse_boolean(query), LibraryMatcher(engine.published(), mesh))
    return [int(engine.published().columns.id(number)[5:]) for number in np.flatnonzero(mask)]


@pytest.mark.parametrize(
    ("query", "want"),
    [
        ("vaccines[ti]", [101]),
        ("vaccin*[tiab] AND flu[ab]", [101]),
        ('"heart attack"', [102, 201]),
        ('"attack heart"', []),
        ('"heart attac*"', [102, 201]),
        ('"myocardial infarction"[ti]', [102]),
        ('"hip pain"', [201]),
        ('"pain hip"[tiab:~0]', [201]),
        ('"pain running"[ti:~1]', [201]),
        ('"hip running"[ti:~1]', []),
        ('"hip running"[ti:~2]', [201]),
        ('"running pain"[tiab:~1]', [201]),
        ('"learning pain"', []),
        ('"deep learning"', [201]),
        ("IL6[ti]", [201]),
        ("TNF-alpha[ti]", [201]),
        ("CO2[ab] AND m2[ab]", [201]),
        ("synuclein[ab]", [110]),
        ("cribado[tiab]", [106]),
        ("paludisme", []),
        ("personnes[tt]", [105]),
        ("malaria OR diabetes NOT metformin[ti]", [103]),
        ("muller[au]", [201]),
        ("Müller J[au]", [201]),
        ("Müller JH[1au]", [201]),
        ("Müller H[au]", []),
        ("O'Brien A[lastau]", [201]),
        ("diop[1au] AND malaria", [103]),
        ("Small Trials Group[cn]", [201]),
        ("pregnancy[mh]", [101]),
        ("Influenza Vaccines[majr]", [101]),
        ("pregnancy[majr]", []),
        ("hip joint[majr]", [201]),
        ("hip joint/pathology[mh]", [201]),
        ("pathology[sh]", [201]),
        ("metformin[nm]", [201]),
        ("9100L32L2N[rn]", [201]),
        ("deep learn*[ot]", [201]),
        ("hip j[ta]", [201]),
        ("1234-5678[ta]", [201]),
        ("french[la]", [105]),
        ("fre[la]", [105]),
        ("Randomized Controlled Trial[pt]", [102]),
        ("12[vi] AND 3[ip] AND 101[pg]", [201]),
        ("NCT04368728[si]", [201]),
        ("R01 HL123456[gr]", [201]),
        ("2018:2019/03[dp]", [102, 201]),
        ("2019/03/16:2019[dp]", []),
        ("2017/01/01:2017/12/31[dp]", [202]),
        ("2017/01/02:2017/12/31[dp]", []),
        ('"2017/01/01"[dp] : "2018/12/31"[dp]', [102, 202]),
        ('"non small cell lung cancer"', [202]),
        ('"non-small cell lung cancer"', [202]),
        ('"COVID 19 pandemic"[tiab]', [202]),
        ('"long term follow-up"[tiab]', [202]),
        ("TNFα[tiab]", [201, 202]),
        ('"TNF-α"[tiab]', [201, 202]),
        ("IL 6[ti]", [201]),
        ("hydroxy*", [202]),
        ("17-hydroxy*", [202]),
        ("2,3-di*", [202]),
        ("covid-19*", [202]),
        ("general*[ti]", [203]),
        ("generali*", [203]),
        ("uro*[ab]", [202]),
        ("心筋梗塞*", [202]),
        ("梗塞*", [202, 203]),
        ("心*", [202]),
        ("リハビリ*", [202]),
        ("1979[dp]", [105]),
        ("2019/04/01[edat]", [201]),
        ("101 103[pmid]", [101, 103]),
        ("10.5555/FLU.101[doi]", [101]),
        ("NOT 2020[dp]", [102, 103, 105, 108, 201, 202]),
        ("(french[la] OR 2005[dp]) AND falls[all]", []),
        ("antidépresseurs AND french[la]", [105]),
    ],
)
def test_each_field_finds_its_records(engine, query, want):
    assert pmids(engine, query) == want


HEADINGS = [
    # query, found without MeSH, found with it
    ("heart diseases[mh]", [], [102]),
    ("heart diseases[mh:noexp]", [], []),
    ('"heart attack"[mh]', [], [102]),
    ('"heart attack"[mh:noexp]', [], [102]),
    ("vaccines[mh]", [], [101]),
    ("vaccines[majr]", [], [101]),
    ("vaccines[majr:noexp]", [], []),
    ("gestation[mh]", [], [101]),
    ("gestation[majr]", [], []),
    ("joints[mh]", [], [201]),
    ("joints/pathology[mh]", [], [201]),
    ("joints/pathology[mh:noexp]", [], []),
    ("joints/pathology[majr]", [], [201]),
    ("joints/physiology[mh]", [], []),
    ("joint/articulation[mh]", [], [201]),
    ("hip joint/pathology[mh:noexp]", [201], [201]),
    ("Humans[mh]", [201], [201]),
    ("hip*[mh]", [201], [201]),
    ("heart*[mh]", [], []),
    ("101 102[pmid] NOT heart diseases[mh]", [101, 102], [101]),
]


@pytest.mark.parametrize(("query", "without", "with_mesh"), HEADINGS)
def test_headings_stand_for_those_below_once_mesh_is_there(engine, query, without, with_mesh):
    assert pmids(engine, query) == without
    assert pmids(engine, query, parse_descriptors(descriptor_file(), "d2026.bin")) == with_mesh


def test_the_filter_for_a_heading_stays_exact(engine):
    mesh = parse_descriptors(descriptor_file(), "d2026.bin")
    exploding = SearchEngine(engine.library, engine.encoder, mesh=mesh)
    assert exploding.search(Query("vaccines[mh]")).total == 1
    assert exploding.search(Query("vaccines[mh]", filters=Filters(mesh=("Vaccines",)))).total == 0


def test_a_star_for_too_many_words_is_refused(engine, monkeypatch):
    monkeypatch.setattr("app.library_matcher.MOST_ENDINGS", 3)
    with pytest.raises(UsageError, match=r"^p\*: [0-9]+ words of the library begin so, 3 can be searched"):
        pmids(engine, "p*[ti]")


def test_a_term_without_anything_to_search_for_is_refused(engine):
    with pytest.raises(UsageError, match="there is nothing in it to search for"):
        pmids(engine, "hip AND \u02bc")


def test_the_same_leaf_is_looked_up_once(engine, monkeypatch):
    matcher = LibraryMatcher(engine.published())
    first = evaluate(parse_boolean("p*[ti]"), matcher)
    monkeypatch.setattr("app.library_matcher.rows_with_any", None)
    assert (evaluate(parse_boolean(" OR ".join(["p*[ti]"] * 500)), matcher) == first).all()


def test_an_unknown_language_is_refused(engine):
    with pytest.raises(UsageError, match=r"^xyzzy\[la\]: expected a language"):
        pmids(engine, "xyzzy[la]")


WORDS = ["influenza", "malaria", "heart", "patients", "were", "screening", "hip", "nobody", "treated"]
leaves = st.sampled_from(WORDS).map(lambda word: f"{word}[tiab]") | st.sampled_from(
    ["pregnancy[mh]", "french[la]", "2018:2020[dp]", "104[pmid]", "Diop A[au]"]
)
OPERATORS = st.sampled_from(["AND", "OR", "NOT"])
queries = st.recursive(
    leaves,
    lambda parts: st.one_of(
        st.tuples(parts, OPERATORS, parts).map(lambda part: f"({' '.join(part)})"),
        parts.map(lambda part: f"(NOT {part})"),
    ),
    max_leaves=8,
)


def holds(query, record):
    """Read a query of `queries` by its brackets for one record, without parser or index."""
    if not query.startswith("("):
        return leaf_holds(query, record)
    inner, depth = query[1:-1], 0
    for place, character in enumerate(inner):
        depth += (character == "(") - (character == ")")
        for operator in (" AND ", " OR ", " NOT "):
            if not depth and inner.startswith(operator, place):
                left, right = holds(inner[:place], record), holds(inner[place + len(operator) :], record)
                return {" AND ": left and right, " OR ": left or right, " NOT ": left and not right}[operator]
    return not holds(inner.removeprefix("NOT "), record)


def leaf_holds(leaf, record):
    value, _, tag = leaf.removesuffix("]").partition("[")
    match tag:
        case "tiab":
            texts = [record.title, record.vernacular_title, *(section.text for section in record.abstract)]
            texts += [section.text for other in record.other_abstracts for section in other.sections]
            return any(analyse(value, "en")[0] in analyse(text, "en") for text in texts)
        case "mh":
            return value in [heading.name.lower() for heading in record.mesh]
        case "la":
            return "fr" in record.languages
        case "dp":
            return 2018 <= record.year <= 2020
        case "pmid":
            return record.pmid == value
        case "au":
            return any(f"{author.last_name} {author.initials}" == value for author in record.authors)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=queries)
def test_a_boolean_query_is_set_algebra(engine, query):
    want = sorted(int(record.pmid) for record in RECORDS if holds(query, record))
    assert pmids(engine, query) == want
    for mode in Mode:
        page = engine.search(Query(query, mode, limit=100))
        assert sorted(int(hit.id[5:]) for hit in page.hits) == want
        assert page.total == len(want)


@st.composite
def filters(draw):
    first, last = sorted((draw(st.integers(1975, 2022)), draw(st.integers(1975, 2022))))
    return Filters(
        years=draw(st.sampled_from([(None, None), (first, None), (None, last), (first, last)])),
        languages=draw(st.sampled_from([(), ("fr",), ("en", "fr"), ("ja",)])),
        publication_types=draw(st.sampled_from([(), ("Journal Article",), ("randomized controlled trial",)])),
        mesh=draw(st.sampled_from([(), ("Pregnancy", "Humans"), ("Hip Joint",)])),
        has_abstract=draw(st.sampled_from([None, True, False])),
    )


def passes(record, chosen):
    first, last = chosen.years
    types = {term.name.lower() for term in record.publication_types}
    wanted = {name.lower() for name in chosen.publication_types}
    return (
        (first is None or record.year >= first)
        and (last is None or record.year <= last)
        and (not chosen.languages or bool(set(chosen.languages) & set(record.languages)))
        and (not wanted or bool(wanted & types))
        and (not chosen.mesh or bool(set(chosen.mesh) & {heading.name for heading in record.mesh}))
        and (chosen.has_abstract is None or chosen.has_abstract == bool(record.abstract))
    )


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(chosen=filters(), mode=st.sampled_from([Mode.DENSE, Mode.LEXICAL]))
def test_a_filtered_search_is_the_whole_search_filtered(engine, chosen, mode):
    text = "pain and treatment of patients with infarction, influenza or tuberculosis in pregnancy"
    whole = engine.search(Query(text, mode, limit=100))
    found = engine.search(Query(text, mode, chosen, limit=100))
    want = [(hit.id, hit.score) for hit in whole.hits if passes(hit.citation, chosen)]
    assert [(hit.id, hit.score) for hit in found.hits] == want
    assert found.total == len(want)
    for limit in {1, max(1, len(want)), len(want) + 1}:  # one and k - 1 of k among them
        page = engine.search(Query(text, mode, chosen, limit=limit))
        assert [(hit.id, hit.score) for hit in page.hits] == want[:limit]
