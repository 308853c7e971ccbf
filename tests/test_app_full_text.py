"""Full texts from the file to the answer: sections told, words found, records without one as they were."""

from dataclasses import replace

import msgspec
import pytest
from jats_records import ARTICLE, CHINESE

from app.cli.reports import echo_citation
from app.documents import hit_document
from app.engine import SearchEngine
from app.query import Mode, Query
from app.reading import excerpt, marked_body, marked_evidence, section_name, whole_body
from app.results import Span
from app.ui.page_results import hit_html
from indexer.citation import PartialDate, TextPart
from indexer.job import index_files
from indexer.library import create_library
from indexer.passages import citation_lines, citation_text, heading_text, part_at
from indexer.progress import Silent
from indexer.sources.archive import Text
from indexer.sources.jats import read_jats
from indexer.tables import encode_record
from indexer.upsert import UpsertCounts, upsert
from indexer.verify import verify
from tests.citations import LIBRARY, citation
from tests.hash_encoder import HashEncoder

BODY = (
    TextPart("Rats drank zinc water for nine weeks.\nKidneys were weighed.", ("Methods", "Statistics"), "m"),
    TextPart("Nothing stands over this sentence at all."),
)
CAPTIONS = (TextPart("Weights of the kidneys by dose of zinc.", ("Figure 1",), "figure"),)
PUBMED = citation(7, "Zinc.", "Zinc was given.", revised=PartialDate(2021, 1, 1))
RECORD = replace(PUBMED, body=BODY, captions=CAPTIONS)
TEXT = """Zinc.
Zinc was given.
Methods > Statistics
Rats drank zinc water for nine weeks.
Kidneys were weighed.
Nothing stands over this sentence at all.
Figure 1
Weights of the kidneys by dose of zinc."""


def place(words):
    return Span(TEXT.index(words), TEXT.index(words) + len(words))


def test_the_text_has_headings_paragraphs_and_captions_each_on_a_line():
    assert citation_text(RECORD) == TEXT
    assert [line.part and heading_text(line.part) for line in citation_lines(RECORD)] == [
        None, None, *["Methods > Statistics"] * 3, "", *["Figure 1"] * 2,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "section"),
    [
        ("Zinc was given.", None),
        ("Rats drank", "Methods > Statistics"),
        ("Kidneys were weighed.", "Methods > Statistics"),
        ("Nothing stands", "Full text"),
        ("dose of zinc.", "Figure 1"),
    ],
)
def test_a_span_knows_its_section(words, section):
    assert section_name(RECORD, place(words)) == section


def test_a_record_without_full_text_is_stored_as_before():
    assert b'"body"' not in encode_record(PUBMED)
    assert encode_record(PUBMED).endswith(b'"book":null}')
    assert msgspec.json.decode(encode_record(RECORD))["captions"][0]["headings"] == ["Figure 1"]
    assert part_at(PUBMED, 3) is None


@pytest.mark.parametrize("first", [True, False], ids=["text first", "text last"])
def test_pubmeds_record_and_the_text_of_pmc_become_one(tmp_path, first):
    library = create_library(tmp_path / "library", HashEncoder())
    text = citation(7, "ZINC", body=BODY, captions=CAPTIONS, source="jats")
    for record in (text, PUBMED) if first else (PUBMED, text):
        upsert(library, [record])
    assert library.read(["pmid:7"]) == {"pmid:7": RECORD}
    assert upsert(library, [PUBMED, text]) == UpsertCounts(unchanged=2)


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    folder = tmp_path_factory.mktemp("texts")
    (folder / "a.nxml").write_text(ARTICLE, encoding="utf-8")
    (folder / "b.xml").write_text(CHINESE, encoding="utf-8")
    encoder = HashEncoder(passage_tokens=32)
    index_files([folder], folder / "library", encoder, Silent())
    with_others = create_library(folder / "library", encoder)
    with with_others.writing():
        upsert(with_others, LIBRARY)
    index_files([folder], folder / "library", encoder, Silent())
    assert verify(folder / "library", Silent()).faults == ()
    return SearchEngine(folder / "library", encoder)


def ids(engine, text, mode=Mode.LEXICAL):
    return [hit.id for hit in engine.search(Query(text, mode)).hits]


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("recipes", ["pmid:99000001"]),
        ("recipes[all]", ["pmid:99000001"]),
        ("recip*", ["pmid:99000001"]),
        ('"filtered volume"[all]', ["pmid:99000001", "pmid:108"]),
        ("recipes[tw]", []),
        ("肾脏变大", ["doi:10.5555/small.4"]),
        ("Ndour", []),
        ("cell", []),
    ],
)
def test_words_of_a_text_are_found_and_those_of_references_and_cells_are_not(engine, question, found):
    assert sorted(ids(engine, question)) == sorted(found)


def test_scores_of_other_records_stay_as_they_are_without_full_texts(engine, tmp_path):
    encoder = HashEncoder(passage_tokens=32)
    bare = [replace(record, body=(), captions=()) for record in read_jats(Text("x", ARTICLE))]
    bare += [replace(record, body=(), captions=()) for record in read_jats(Text("x", CHINESE))]
    library = create_library(tmp_path / "library", encoder)
    with library.writing():
        upsert(library, [*LIBRARY, *bare])
    index_files([], tmp_path / "library", encoder, Silent())
    other = SearchEngine(tmp_path / "library", encoder)
    for question in ("zinc kidney", "filtered volume of kidneys", "training after a heart attack"):
        scores = [
            {hit.id: hit.lexical_score for hit in each.search(Query(question, Mode.LEXICAL)).hits}
            for each in (engine, other)
        ]
        for record in LIBRARY:
            assert scores[0].get(record.id) == scores[1].get(record.id)


def test_evidence_in_a_text_names_its_section(engine):
    page = engine.explain(engine.search(Query("the mean was x² and then", Mode.HYBRID)))
    hit = page.hits[0]
    (evidence,) = hit_document(hit).evidence
    assert (hit.id, evidence.text) == ("pmid:99000001", "The mean was x² and then")
    assert evidence.section == "Methods > Statistics"
    assert "".join(piece.text for piece in marked_evidence(hit)).startswith("[Methods > Statistics] The mean")
    html = hit_html(hit)
    assert '<span class="bg-label">Methods &gt; Statistics</span> <mark>' in html
    assert "Recipes of salts" not in html


def test_show_prints_the_text_behind_the_abstract(capsys):
    echo_citation(RECORD, [])
    shown = capsys.readouterr().out
    assert (
        """
Zinc was given.

Full text

Methods > Statistics: Rats drank zinc water for nine weeks.

Kidneys were weighed.

Nothing stands over this sentence at all.

Figure 1: Weights of the kidneys by dose of zinc.
"""
        in shown
    )


def test_a_passage_in_a_text_is_its_excerpt():
    words = "Rats drank zinc water"
    assert excerpt(RECORD, place(words)) == words
    (section,) = marked_body(RECORD, [place(words)])
    assert section.label == "Methods > Statistics"
    assert [(item.label, item.pieces[0].text) for item in whole_body(RECORD)] == [
        ("Methods > Statistics", "Rats drank zinc water for nine weeks."),
        ("", "Kidneys were weighed."),
        ("", "Nothing stands over this sentence at all."),
        ("Figure 1", "Weights of the kidneys by dose of zinc."),
    ]
