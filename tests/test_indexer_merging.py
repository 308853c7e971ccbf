"""Several records of one work: which are joined, and what becomes of their fields."""

from dataclasses import replace

import pytest

from indexer.citation import ArticleId, Author, Journal, Keyword, PartialDate, Section
from indexer.merging import Origin, Part, merge, origins
from indexer.works import of_one_work, same_work
from tests.citations import citation

DOI = ArticleId("doi", "10.5555/hf.1")
TITLE = "Heart failure after influenza in older adults"
PUBMED = citation(
    7,
    TITLE,
    "Of 4,112 adults some had it.",
    article_ids=(ArticleId("pubmed", "7"), DOI),
    volume="12",
    pages="101-9",
)
RIS = replace(
    PUBMED,
    id="doi:10.5555/hf.1",
    source="ris",
    title="Heart failure after influenza in older adults.",
    abstract=(),
    article_ids=(ArticleId("DOI".lower(), "10.5555/HF.1"), ArticleId("embase", "L1")),
    keywords=(Keyword("cœur"), Keyword("grippe")),
    notes=("seen by A",),
)


def test_a_field_comes_whole_from_the_most_believed_source_that_has_it():
    newer = replace(RIS, keywords=(Keyword("heart"),), revised=PartialDate(2026, 1, 1), notes=("seen by B",))
    parts = [
        Part(RIS, "old.ris"),
        Part(newer, "new.ris"),
        Part(PUBMED, "pubmed26n0001.xml.gz", release=2600001),
    ]
    merged = merge(parts)
    assert merged == replace(
        PUBMED,
        keywords=newer.keywords,
        revised=newer.revised,
        notes=("seen by B", "seen by A"),
        article_ids=(*PUBMED.article_ids, ArticleId("embase", "L1")),
    )
    assert origins(parts) == (
        Origin(
            "pubmed",
            "pubmed26n0001.xml.gz",
            (
                *("abstract", "article_ids", "authors", "journal", "languages", "pages"),
                *("publication_types", "published", "title", "volume"),
            ),
        ),
        Origin("ris", "new.ris", ("article_ids", "keywords", "notes", "revised")),
        Origin("ris", "old.ris", ("article_ids", "notes")),
    )


def test_what_belongs_to_a_field_comes_with_it():
    bracketed = replace(PUBMED, title="Grippe", title_translated=True, abstract=(), copyright="")
    other = replace(
        RIS, title="", authors=(), abstract=(Section("Text"),), copyright="© B", authors_complete=False
    )
    merged = merge([Part(other), Part(bracketed)])
    assert (merged.title, merged.title_translated, merged.authors_complete) == ("Grippe", True, True)
    assert (merged.abstract, merged.copyright) == ((Section("Text"),), "© B")


def test_the_best_id_is_kept_whichever_source_is_believed_most():
    trial = replace(PUBMED, id="nct:NCT1", source="clinicaltrials", article_ids=())
    assert merge([Part(trial), Part(RIS)]).id == "doi:10.5555/hf.1"
    assert merge([Part(trial), Part(RIS), Part(replace(RIS, id="pmid:9"))]).id == "pmid:9"


def nameless(**fields):
    """The paper without any number of its own."""
    return replace(RIS, **{"id": "words:1", "article_ids": (), **fields})


@pytest.mark.parametrize(
    ("changed", "same"),
    [
        ({}, True),
        ({"title": "Heart Failure after Influenza in Older Adults"}, True),
        ({"title": "Heart failure after influnza in older adults"}, True),
        ({"title": "Heart failure after vaccination in older adults"}, False),
        ({"title": "Heart failure after influenza in older adults: 2"}, False),
        ({"published": PartialDate(2021)}, True),
        ({"published": PartialDate(2022)}, False),
        ({"published": PartialDate()}, True),
        ({"authors": (Author("Dïop", "A"),)}, True),
        ({"authors": (Author("Ndiaye", "A"),)}, False),
        ({"authors": ()}, False),
        ({"pages": "101-109"}, True),
        ({"pages": "201"}, False),
        ({"volume": "13"}, False),
        ({"article_ids": (ArticleId("doi", "10.5555/hf.2"),)}, False),
        ({"article_ids": (DOI,), "title": "其他"}, True),
        ({"article_ids": (ArticleId("pubmed", "8"), DOI)}, False),
        ({"article_ids": (ArticleId("pubmed", "7"),), "title": "Otro"}, True),
    ],
)
def test_records_are_of_one_work_by_number_else_by_title_author_and_year(changed, same):
    other = nameless(**changed)
    assert same_work(PUBMED, other) is same
    assert same_work(other, PUBMED) is same


def test_a_record_joins_one_of_pubmed_and_none_that_contradicts_another():
    twin = replace(PUBMED, id="pmid:5", article_ids=(ArticleId("pubmed", "5"), DOI))
    preprint = nameless(article_ids=(ArticleId("doi", "10.5555/pre.1"),), id="doi:10.5555/pre.1")
    assert of_one_work(RIS, [PUBMED, twin]) == [twin]
    assert of_one_work(nameless(), [PUBMED, preprint]) == [preprint]
    assert of_one_work(nameless(), [PUBMED]) == [PUBMED]


def test_journals_do_not_matter_where_the_rest_agrees():
    assert same_work(PUBMED, nameless(journal=Journal("J. Small Rec.")))
