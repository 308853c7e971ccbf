"""JATS articles, front matter, text and references, in the shapes in which they come."""

import gzip
import zipfile

import pytest
from jats_records import ARTICLE, CHINESE, EMPTY, RETRACTION, TRANSLATED, article_set, oai

from indexer.citation import (
    ArticleId,
    Author,
    Citation,
    Correction,
    Grant,
    HistoryDate,
    Identifier,
    Journal,
    Keyword,
    OtherAbstract,
    PartialDate,
    Reference,
    Section,
    Term,
    TextPart,
)
from indexer.signals import SignalKind, signals
from indexer.sources.archive import Text
from indexer.sources.detect import detect_source, find_files, read_file
from indexer.sources.errors import SetAside, SourceError
from indexer.sources.jats import read_jats

STATISTICS = "The mean was x² and then\ny ≤α\nwhere … is a picture."
RECORD = Citation(
    id="pmid:99000001",
    source="jats",
    title="Zinc in Rattus kidneys: a small trial",
    abstract=(Section("We fed rats ZnSO₄.", "Methods"), Section("Kidneys grew.", "Results")),
    other_abstracts=(OtherAbstract("en", "plain-language-summary", (Section("Salt made kidneys big."),)),),
    copyright="© 2021 The Authors. Free to copy (https://licence.example/by).",
    languages=("en",),
    journal=Journal("Journal of Small Records", "J. Small Rec.", "J Small Rec", "1111-0002"),
    volume="7",
    issue="2",
    pages="11-19",
    published=PartialDate(2021),
    electronic=PartialDate(2021, 2, 3),
    history=(
        HistoryDate("revised", PartialDate(2021, 1, 9)),
        HistoryDate("pmc-release", PartialDate(2021, 3, 4)),
    ),
    authors=(
        Author(
            "Diop",
            "Awa N.",
            "AN",
            orcid="0000-0002-1825-0097",
            affiliations=("Institute of Salt, Dakar, Senegal", "School of Ore, Thies"),
            equal_contribution=True,
            identifiers=(Identifier("ROR", "https://ror.example/01"),),
        ),
        Author("Sow", "Ibra", "I", "Jr", affiliations=("School of Ore, Thies",)),
        Author(collective_name="Kidney Group"),
    ),
    investigators=(Author("Ba", "Ndeye", "N"),),
    keywords=(Keyword("zinc", owner="author"), Keyword("kidney", owner="author")),
    publication_types=(Term("Journal Article"),),
    grants=(Grant("SF-1", "", "Salt Fund", "Senegal"), Grant("SF-2", "", "Salt Fund", "Senegal")),
    article_ids=(
        ArticleId("pubmed", "99000001"),
        ArticleId("pmc", "PMC9900001"),
        ArticleId("doi", "10.5555/small.1"),
        ArticleId("publisher-id", "JSR-1"),
    ),
    references=(
        Reference("Ndour Y, et al. Ore and salt. Ore J. 1999;3(4):5-9.", (ArticleId("pubmed", "99000009"),)),
        Reference("Ba N (2001) Salt. Salt J 4: 1.", (ArticleId("doi", "10.5555/salt.4"),)),
        Reference("Mbaye M. A book of ores. Dakar; 2001."),
    ),
    conflict_of_interest="Awa Diop sells zinc.",
    body=(
        TextPart(
            "Zinc is a metal. It was found in 25 rats, as Ba et al. "
            "Others disagree (Mbaye, 2001; see [table 3])."
        ),
        TextPart("We used:\nsalt;\nwater.\nAll was weighed twice (Figure 1).", ("Methods",), "methods"),
        TextPart(STATISTICS, ("Methods", "Statistics"), "methods"),
        TextPart("Kidneys grew by 3 g.", ("Results", "Key point")),
        TextPart("GFR: filtered volume", ("Results",)),
        TextPart("Recipes of salts.", ("Appendix A",), "appendix"),
    ),
    captions=(
        TextPart("Weights of kidneys. Bars are means.", ("Figure 1",), "figure"),
        TextPart("Doses of zinc", ("Table 1",), "table"),
    ),
)


def read(text):
    return list(read_jats(Text("x.nxml", text)))


def test_a_research_article():
    assert read(ARTICLE) == [RECORD]


@pytest.mark.parametrize("wrapped", [oai(ARTICLE), article_set(ARTICLE), f"<articles>{ARTICLE}</articles>"])
def test_wrappers_and_namespaces_make_no_difference(wrapped):
    assert read(wrapped) == [RECORD]


def test_a_translated_article_has_its_english_where_english_belongs():
    assert read(TRANSLATED) == [
        Citation(
            id="pmc:PMC9900002",
            source="jats",
            title="Salt and kidney: a view",
            title_translated=True,
            vernacular_title="Sal y riñón",
            abstract=(Section("We measured salt."),),
            other_abstracts=(
                OtherAbstract(
                    "es", "", (Section("Medir la sal.", "OBJETIVO"), Section("Hubo sal.", "RESULTADOS"))
                ),
                OtherAbstract("pt", "", (Section("Medimos o sal."),)),
            ),
            languages=("es", "pt"),
            journal=Journal("Revista de Sales"),
            pages="e7",
            published=PartialDate(2019, 3, text="2019 Spring"),
            authors=(Author("de la Mina", "Marta Sal", "MS", affiliations=("Universidad de la Sal",)),),
            keywords=(Keyword("sal"), Keyword("salt")),
            publication_types=(Term("Review"),),
            article_ids=(ArticleId("pmc", "PMC9900002"),),
            body=(TextPart("La sal es blanca.", ("Introducción",), "intro"),),
        )
    ]


def test_the_title_of_an_english_article_in_another_language_is_kept():
    (record,) = read(TRANSLATED.replace('xml:lang="es"', 'xml:lang="en"', 1).replace("Sal y riñón", "Salt"))
    assert (record.title, record.title_translated, record.vernacular_title) == ("Salt", False, "Sal e rim")


def test_a_retraction_notice():
    (record,) = read(RETRACTION)
    assert record.corrections == (
        Correction("RetractionOf", "J Small Rec 7:11", "99000001"),
        Correction("companion", "More zinc. doi: 10.5555/small.2"),
    )
    assert record.publication_types == (Term("Retraction of Publication"),)
    assert [signal.kind for signal in signals(record)] == [SignalKind.RETRACTION_NOTICE]
    assert record.body == (TextPart("The rats were not ours."),)


def test_an_article_without_english():
    (record,) = read(CHINESE)
    assert record == Citation(
        id="doi:10.5555/small.4",
        source="jats",
        title="锌与肾脏",
        other_abstracts=(OtherAbstract("zh", "", (Section("我们测量了锌。"),)),),
        languages=("zh",),
        publication_types=(Term("Journal Article"),),
        article_ids=(ArticleId("doi", "10.5555/small.4"),),
        body=(TextPart("大鼠饮用含锌的水。肾脏变大了。", ("方法",)),),
    )


def test_an_article_that_says_nothing_is_set_aside_with_its_text():
    bare = "<article><front/></article>"
    file = Text("x", article_set(EMPTY, ARTICLE, bare))
    assert list(read_jats(file)) == [
        SetAside(file, 1, "", "it has no title, no abstract and no text", EMPTY, "jats"),
        RECORD,
        SetAside(file, 3, "", "it has no front with an article-meta", bare, "jats"),
    ]


def test_what_stands_before_a_fault_is_delivered():
    found = []
    with pytest.raises(SourceError, match=r"broken near byte .*the last record read is pmid:99000001"):
        found.extend(read_jats(Text("x", article_set(ARTICLE, CHINESE.replace("</sec>", "")))))
    assert found == [RECORD]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("<PubmedArticleSet/>", "its root element is PubmedArticleSet, expected article, pmc-articleset"),
        ('<OAI-PMH><error code="idDoesNotExist"/></OAI-PMH>', "and there is no article in it"),
    ],
)
def test_files_that_hold_no_article(text, fault):
    with pytest.raises(SourceError, match=fault):
        read(text)


def test_files_are_known_by_content_and_found_by_their_ending(tmp_path):
    (tmp_path / "a.nxml").write_text(ARTICLE, encoding="utf-8")
    (tmp_path / "b.nxml.gz").write_bytes(gzip.compress(oai(ARTICLE).encode()))
    with zipfile.ZipFile(tmp_path / "c.zip", "w") as archive:
        archive.writestr("PMC1/c.nxml", ARTICLE)
        archive.writestr("PMC1/c.css", "no")
    files = find_files([tmp_path])
    assert [detect_source(file) for file in files] == ["jats"] * 3
    assert [list(read_file(file)) for file in files] == [[RECORD]] * 3


@pytest.mark.parametrize("tag", ["sec", "list", "italic", "boxed-text"])
def test_depth_is_no_danger(tag):
    inside = "".join(f"<{tag}>" for _ in range(240)) + "deep" + "".join(f"</{tag}>" for _ in range(240))
    (record,) = read(front(TITLE).replace("</front>", f"</front><body><p>{inside}</p></body>"))
    assert record.title == "T"


def front(meta):
    return f"<article><front><article-meta>{meta}</article-meta></front></article>"


TITLE = "<title-group><article-title>T</article-title></title-group>"


def test_an_affiliation_without_pointers_is_everybodys():
    (record,) = read(
        front(
            f"{TITLE}<contrib-group><contrib><name><surname>A</surname></name></contrib>"
            "<contrib contrib-type='author'><name><surname>B</surname></name></contrib></contrib-group>"
            "<aff><sup>1</sup>School of Ore</aff>"
        )
    )
    assert record.authors == (
        Author("A", affiliations=("School of Ore",)),
        Author("B", affiliations=("School of Ore",)),
    )


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("grew<sup>XA</sup> fast", "grew fast"),
        ("grew<sup>XA,XB</sup>, fast", "grew, fast"),
        ("grew<sup>1,XA-3</sup> fast", "grew fast"),
        ("grew [XA–XB]; fast", "grew; fast"),
        ("grew [XA, 2 and XB].", "grew."),
        ("grew (see XA) fast", "grew (see) fast"),
        ("grew (slowly; XA) fast", "grew (slowly) fast"),
        ("at 10<sup>3</sup> XA g", "at 10³ g"),
    ],
)
def test_numbers_of_references_are_left_out_of_sentences(said, kept):
    for name, number in (("XA", "1"), ("XB", "3")):
        said = said.replace(name, f'<xref ref-type="bibr" rid="r">{number}</xref>')
    (record,) = read(front(TITLE).replace("</front>", f"</front><body><p>{said}</p></body>"))
    assert record.body == (TextPart(kept),)


def test_dates_and_ids_of_newer_and_older_files():
    (record,) = read(
        front(
            '<article-id pub-id-type="pmid">none</article-id><article-id pub-id-type="pmcaid">7</article-id>'
            f'<article-id pub-id-type="doi">https://doi.org/10.5555/X</article-id>{TITLE}'
            '<pub-date date-type="collection" publication-format="electronic"><year>2020</year></pub-date>'
            '<pub-date date-type="pub" publication-format="electronic" iso-8601-date="2019-12-31">'
            "<day>31</day><month>12</month><year>2019</year></pub-date>"
        )
    )
    assert (record.id, record.article_ids) == ("doi:10.5555/x", (ArticleId("doi", "10.5555/X"),))
    assert (record.published, record.electronic) == (PartialDate(2020), PartialDate(2019, 12, 31))
