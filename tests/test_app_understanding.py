"""What kind of query a text is taken for."""

import pytest

from app.engine import SearchEngine
from app.query import Query
from app.understanding import Kind, understand
from tests.citations import LIBRARY
from tests.hash_encoder import HashEncoder
from tests.test_app_engine import build


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    path = build(tmp_path_factory.mktemp("understanding") / "library", HashEncoder(), LIBRARY)
    return SearchEngine(path, HashEncoder()).published()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("101", Kind.IDENTIFIER),
        ("doi: 10.5555/Flu.101", Kind.IDENTIFIER),
        ("101 999", Kind.KEYWORDS),
        ("2020", Kind.KEYWORDS),
        ("BRCA1", Kind.KEYWORDS),
        ("SARS-CoV-2", Kind.KEYWORDS),
        ("the treatment of heart failure", Kind.KEYWORDS),
        ("Does metformin protect the kidneys of people with type 2 diabetes?", Kind.QUESTION),
        ("flu AND vaccine", Kind.BOOLEAN),
        ("cardi*", Kind.BOOLEAN),
        ("What is the role of IL-6 AND why?", Kind.QUESTION),
        ("vacuna contra la gripe en mujeres embarazadas", Kind.OTHER_LANGUAGE),
        ("心筋梗塞後のリハビリ", Kind.OTHER_LANGUAGE),
    ],
)
def test_kinds(published, text, kind):
    assert understand(Query(text), published).kind is kind


def test_ranking_sees_the_words_of_a_boolean_query_without_its_syntax(published):
    asked = understand(Query('("heart attack"[ti] OR infarction) NOT children AND 2018[dp]'), published)
    assert asked.text == "heart attack infarction"


@pytest.mark.parametrize(
    ("text", "ids", "missing"),
    [
        ("101 99999999", [b"pmid:101"], ("99999999",)),
        ("99999999", [], ("99999999",)),
        ("10.9999/unknown 10.5555/flu.101", [b"pmid:101"], ("10.9999/unknown",)),
        ("https://pubmed.ncbi.nlm.nih.gov/101/", [b"pmid:101"], ()),
        ("doi.org/10.5555/flu.101", [b"pmid:101"], ()),
        ("PMCID: PMC9000101", [b"pmid:101"], ()),
        ("PMID103 and 101", [b"pmid:103", b"pmid:101"], ()),
        ("１０１", [b"pmid:101"], ()),
    ],
)
def test_identifiers_that_the_library_lacks_are_named(published, text, ids, missing):
    asked = understand(Query(text), published)
    assert asked.kind is Kind.IDENTIFIER
    assert [published.columns.ids[number] for number in asked.numbers] == ids
    assert asked.missing == missing
