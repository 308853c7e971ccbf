"""A citation as people read it."""

import re
from dataclasses import replace

import pytest

from app.reading import (
    MarkedSection,
    Piece,
    author_line,
    author_name,
    byline,
    doi_url,
    excerpt,
    language_name,
    marked_abstract,
    marked_evidence,
    marked_titles,
    record_url,
    signal_lines,
    source_line,
)
from app.results import Evidence, Hit, Span
from indexer.citation import (
    ArticleId,
    Author,
    Book,
    Citation,
    Correction,
    Journal,
    OtherAbstract,
    PartialDate,
    Section,
    Term,
)
from indexer.passages import citation_text
from tests.citations import LIBRARY, citation


@pytest.mark.parametrize(
    ("author", "name"),
    [
        (Author("García Márquez", "Gabriel José", "GJ"), "García Márquez GJ"),
        (Author("King", "Martin Luther", "ML", "Jr"), "King ML Jr"),
        (Author("王", "小明"), "王 小明"),
        (Author(collective_name="Groupe d'étude du paludisme"), "Groupe d'étude du paludisme"),
        (Author("Plato"), "Plato"),
    ],
)
def test_author_name(author, name):
    assert author_name(author) == name


def test_author_line_says_when_there_are_more():
    authors = tuple(Author(name, initials="A") for name in ("Ngũgĩ", "Santos", "Åström", "Đặng"))
    record = Citation("pmid:1", authors=authors)
    assert author_line(record) == "Ngũgĩ A, Santos A, Åström A et al."
    assert author_line(record, most=4) == "Ngũgĩ A, Santos A, Åström A, Đặng A"
    assert author_line(replace(record, authors_complete=False), most=4).endswith("Đặng A et al.")
    assert author_line(Citation("pmid:1")) == ""


def test_source_line():
    record = Citation(
        "pmid:1",
        journal=Journal(iso_abbreviation="Rev Méd"),
        published=PartialDate(2001, text="2001 Spring"),
        volume="12",
        issue="3",
        pages="45-9",
    )
    assert source_line(record) == "Rev Méd. 2001 Spring;12(3):45-9"
    abbreviated = replace(record, journal=Journal("Acta Fictiva", iso_abbreviation="Acta Fict."))
    assert source_line(abbreviated) == "Acta Fict. 2001 Spring;12(3):45-9"
    assert source_line(Citation("pmid:1", published=PartialDate(1975))) == "1975"
    assert source_line(Citation("pmid:1", book=Book(title="Atlas"))) == "Atlas"
    assert source_line(Citation("pmid:1")) == ""


def test_byline_has_one_full_stop_between_its_parts():
    authors = tuple(Author(name, initials="A") for name in ("Abe", "Bao", "Cruz", "Diop"))
    record = Citation("pmid:1", authors=authors, published=PartialDate(1975))
    assert byline(record) == "Abe A, Bao A, Cruz A et al. 1975"
    assert byline(replace(record, authors=authors[:1])) == "Abe A. 1975"
    assert byline(replace(record, authors=())) == "1975"


def test_links_are_safe_to_put_into_a_page():
    assert doi_url('10.1002/(SICI)1097<1::AID>"x') == "https://doi.org/10.1002/(SICI)1097%3C1::AID%3E%22x"
    assert record_url(Citation("pmid:12")) == "https://pubmed.ncbi.nlm.nih.gov/12/"
    other = Citation("x:1", article_ids=(ArticleId("doi", "10.5555/a b"),))
    assert record_url(other) == "https://doi.org/10.5555/a%20b"
    assert record_url(Citation("x:1")) is None


def test_signals_are_named_with_the_paper_that_they_point_to():
    notices = (
        Correction("ErratumIn", "J Inv. 2020;3:4"),
        Correction("RetractionIn", "J Inv. 2021;1:1", "34"),
        Correction("CommentIn", "J Inv. 2019;1:2", "12"),
    )
    lines = ["Retracted (PMID 34)", "Corrected (J Inv. 2020;3:4)"]
    assert signal_lines(replace(LIBRARY[0], corrections=notices)) == lines
    assert signal_lines(replace(LIBRARY[0], publication_types=(Term("Preprint"),))) == ["Preprint"]
    assert signal_lines(LIBRARY[0]) == []


@pytest.mark.parametrize(
    ("tag", "name"),
    [("fr", "French"), ("sw", "Swahili"), ("und", "Language not given"), ("mul", "Several languages")],
)
def test_language_name(tag, name):
    assert language_name(tag) == name


@pytest.mark.parametrize("tag", ["", "not a tag", "qqq"])
def test_a_tag_without_a_name_stays(tag):
    assert language_name(tag) == tag


STRUCTURED = citation(
    7,
    "Une étude.",
    (Section("Contexte connu.", "CONTEXTE"), Section("Résultat clair.", "", "RESULTS")),
    vernacular_title="Une étude.",
)


def test_the_passage_is_marked_across_sections():
    start = citation_text(STRUCTURED).index("connu")
    end = citation_text(STRUCTURED).index(" clair")
    assert marked_abstract(STRUCTURED, [Span(start, end)]) == (
        MarkedSection("CONTEXTE", "", (Piece("Contexte ", False), Piece("connu.", True))),
        MarkedSection("Results", "", (Piece("Résultat", True), Piece(" clair.", False))),
    )


def test_a_passage_in_the_title_marks_nothing_in_the_abstract():
    assert [section.pieces for section in marked_abstract(STRUCTURED, [Span(0, 5)])] == [
        (Piece("Contexte connu.", False),),
        (Piece("Résultat clair.", False),),
    ]


@pytest.mark.parametrize("record", [*LIBRARY, STRUCTURED], ids=lambda record: record.id)
def test_marking_loses_no_character(record):
    text = citation_text(record)
    for start in range(0, len(text), 37):
        for section, marked in zip(
            record.abstract, marked_abstract(record, [Span(start, start + 50)]), strict=False
        ):
            assert "".join(piece.text for piece in marked.pieces) == section.text


def test_sections_with_the_same_words_are_marked_where_they_stand():
    record = citation(8, "T.", (Section("Same."), Section("Same.")))
    second = citation_text(record).rindex("Same.")
    assert [section.pieces[0].matched for section in marked_abstract(record, [Span(second, second + 5)])] == [
        False,
        True,
    ]


def test_abstracts_in_other_languages_are_shown_with_their_language():
    record = citation(
        9, "T.", "Own.", other_abstracts=(OtherAbstract("es", "Publisher", (Section("Otro."),)),)
    )
    assert [section.language for section in marked_abstract(record)] == ["", "es"]


def test_an_excerpt_is_cut_at_a_word():
    assert excerpt(STRUCTURED, None) == "Contexte connu. Résultat clair."
    assert excerpt(STRUCTURED, None, most=28) == "Contexte connu. Résultat…"
    assert excerpt(citation(1, "題", "心筋梗塞後のリハビリテーション"), None, most=6) == "心筋梗塞後の…"
    assert excerpt(LIBRARY[4], None) == ""


def test_words_of_titles_and_evidence_are_marked():
    record = citation(
        10, "Pain.", (Section("One pain. Two. Three pains.", "AIM"),), vernacular_title="Pain, le pain."
    )
    text = citation_text(record)
    spans = [Span(match.start(), match.end()) for match in re.finditer("[Pp]ain", text)]
    found = Hit(1, record.id, 1.0, record, None, None, None, marks=tuple(spans))
    assert marked_titles(found) == (
        (Piece("Pain", False, True), Piece(".", False)),
        (
            Piece("Pain", False, True),
            Piece(", le ", False),
            Piece("pain", False, True),
            Piece(".", False),
        ),
    )
    assert marked_evidence(found) == ()
    first = Evidence(text.index("AIM"), text.index(" Two"), 0.9)
    third = Evidence(text.index("Three"), len(text), 0.9)
    assert marked_evidence(replace(found, evidence=(first, third))) == (
        Piece("AIM: One ", True),
        Piece("pain", True, True),
        Piece(".", True),
        Piece(" … ", False),
        Piece("Three ", True),
        Piece("pain", True, True),
        Piece("s.", True),
    )
    second = Evidence(text.index("Two"), text.index(" Three"), 0.9)
    shown = marked_evidence(replace(found, evidence=(second, third)))
    assert "".join(piece.text for piece in shown) == "Two. Three pains."
