"""Records of LILACS, the other databases of BVS, and SciELO, in three languages and all their forms."""

import json
from xml.sax.saxutils import escape

import pytest
from lilacs_records import ARTICLE, BIBTEX, CSV, DENGUE, ISIS, RIS, SCIELO_CSV, SPANISH, THESIS

from indexer.citation import (
    ArticleId,
    Author,
    Book,
    Citation,
    DataBank,
    Grant,
    HistoryDate,
    Journal,
    Keyword,
    MeshHeading,
    OtherAbstract,
    PartialDate,
    Section,
    Term,
)
from indexer.sources.archive import Text
from indexer.sources.descriptors import read_descriptors
from indexer.sources.detect import Hints, detect_source, read_file
from indexer.sources.errors import SetAside

PID = "S0000-00192021000300010"
IDS = ["doi:10.5555/rfs.2021.7", "bvs:ibc-171001", "bvs:biblio-1700001"]
FOUND = Citation(
    id="doi:10.5555/rfs.2021.7",
    source="lilacs",
    title="Fever in fictional towns",
    vernacular_title="Febre em cidades fictícias",
    abstract=(Section("To see fever.", "AIM"), Section("It was seen. IgG⁺ < 5", "METHODS")),
    other_abstracts=(
        OtherAbstract("pt", "", (Section("Ver a febre.", "OBJETIVO"), Section("Foi vista.", "MÉTODOS"))),
    ),
    languages=("pt",),
    journal=Journal("Rev. ficc. saúde", issn="0000-0019", country="Brazil"),
    volume="12",
    issue="3",
    pages="10-19",
    published=PartialDate(2021, 9),
    revised=PartialDate(2022, 1, 5),
    history=(HistoryDate("entry", PartialDate(2021, 12, 3)),),
    authors=(
        Author("Silva", "João da", "JD", affiliations=("Universidade Fictícia. Recife. Brasil",)),
        Author(collective_name="Brasil. Ministério da Saúde"),
    ),
    mesh=(
        MeshHeading("Dengue", major=True, qualifiers=(Term("prevention & control"),)),
        MeshHeading("Humans"),
    ),
    keywords=(Keyword("mosquito"),),
    publication_types=(Term("Journal Article"),),
    article_ids=(
        ArticleId("doi", "10.5555/rfs.2021.7"),
        ArticleId("lilacs", "900001"),
        ArticleId("scielo", PID),
        ArticleId("url", DENGUE["ur"][0]),
    ),
    notes=("ti_es: Fiebre en ciudades ficticias", "db: LILACS"),
)


def read(text, **hints):
    return list(read_file(Text("x", text), Hints(**hints)))


def in_xml(*records):
    """As Solr writes them."""
    docs = "".join(f"<doc>{''.join(map(field, record, record.values()))}</doc>" for record in records)
    header = '<lst name="responseHeader"><int name="status">0</int></lst>'
    answer = f'{header}<result name="response" numFound="3">{docs}</result>'
    return f'<?xml version="1.0"?>\n<response>{answer}</response>'


def field(name, value):
    if isinstance(value, list):
        return f'<arr name="{name}">{"".join(f"<str>{escape(text)}</str>" for text in value)}</arr>'
    return "" if value is None else f'<str name="{name}">{escape(str(value))}</str>'


ANSWERS = (
    lambda *docs: json.dumps({"diaServerResponse": [{"responseHeader": {}, "response": {"docs": docs}}]}),
    lambda *docs: json.dumps({"response": {"numFound": 3, "docs": docs}}, indent=1),
    lambda *docs: json.dumps(docs, ensure_ascii=False),
    lambda *docs: "\n".join(map(json.dumps, docs)),
    in_xml,
)


@pytest.mark.parametrize("answer", ANSWERS)
def test_every_form_of_what_bvs_answers(answer):
    text = answer(DENGUE, SPANISH, THESIS)
    assert detect_source(Text("x", text)) == "lilacs"
    found = read(text)
    assert found[0] == FOUND
    assert [item.id for item in found] == IDS
    first, second, third = read(answer(DENGUE, {"id": "lil-1", "au": ["Diop, A."]}, THESIS))
    assert (first, third.id) == (FOUND, IDS[2])
    assert isinstance(second, SetAside)
    assert (second.position, second.source, second.reason) == (2, "lilacs", "it has no title and no abstract")
    assert isinstance(read(second.raw, source="lilacs")[0], SetAside)


def test_fields_of_an_index_that_is_fed_in_xml():
    fields = "".join(
        f'<field name="{name}">{text}</field>'
        for name, text in [
            ("id", "lil-5"),
            ("ti_es", "Un título"),
            ("au", "Sow, I."),
            ("au", "Diop, A."),
            ("la", "es"),
        ]
    )
    (found,) = read(f"<doc-list><doc>{fields}</doc></doc-list>")
    assert (found.id, found.title, found.languages) == ("lilacs:5", "Un título", ("es",))
    assert found.authors == (Author("Sow", "I.", "I"), Author("Diop", "A.", "A"))


def test_a_record_that_is_in_spanish_alone():
    (found,) = read(json.dumps(SPANISH), source="lilacs")
    assert found == Citation(
        id="bvs:ibc-171001",
        source="lilacs",
        title="Insuficiencia cardíaca en ancianos de pueblos pequeños",
        other_abstracts=(OtherAbstract("es", "", (Section(SPANISH["ab"][0]),)),),
        languages=("es",),
        journal=Journal("Rev. fict. cardiol."),
        published=PartialDate(2019),
        authors=(Author("Núñez", "María", "M"),),
        keywords=(
            Keyword("Insuficiencia Cardíaca/terapia", owner="DeCS"),
            Keyword("Humanos", owner="DeCS"),
        ),
        publication_types=(Term("Journal Article"),),
        article_ids=(ArticleId("bvs", "ibc-171001"),),
        notes=("db: IBECS", "mh: ^d123^s45"),
    )


def test_a_thesis():
    (found,) = read(json.dumps(THESIS), source="lilacs")
    assert found.book == Book("A thesis on hearts", "s.n", "São Paulo")
    assert found.publication_types == (Term("Academic Dissertation"), Term("Book"))
    assert (found.published, found.journal) == (PartialDate(2015), Journal())
    assert found.article_ids == (ArticleId("bvs", "biblio-1700001"), ArticleId("lilacs", "900002"))
    assert found.notes == ("fo: São Paulo; s.n; 2015. 80 p. tab",)


def test_a_number_that_is_medlines_is_a_pmid():
    (found,) = read(json.dumps({"id": "mdl-39000001", "ti": "Fever", "la": "en"}), source="lilacs")
    assert (found.id, found.title) == ("pmid:39000001", "Fever")


@pytest.mark.parametrize(
    ("values", "english"),
    [
        (["Heart Failure/therapy", "Aged"], True),
        (["Malaria/*epidemiology"], True),
        (["Malaria/epidemiologia", "Humanos", "Criança"], False),
        (["Neoplasias de la Mama/diagnóstico", "Femenino"], False),
        (["Tumeurs du sein/diagnostic", "Humains"], False),
        (["Malaria"], False),
    ],
)
def test_descriptors_are_headings_if_they_are_english(values, english):
    mesh, keywords = read_descriptors(values)
    assert (len(mesh), len(keywords)) == ((len(values), 0) if english else (0, len(values)))


def test_scielo():
    text = json.dumps({"objects": [ARTICLE]})
    assert detect_source(Text("x", text)) == detect_source(Text("x", json.dumps(ARTICLE))) == "scielo"
    (found,) = read(text)
    places = ("Universidade Fictícia, Faculdade, Recife, Brasil", "Hospital Fictício")
    assert found == Citation(
        id="doi:10.5555/rfs.2021.7",
        source="scielo",
        title="Fever in fictional towns",
        vernacular_title="Febre em cidades fictícias",
        abstract=(Section("To see fever.", "AIM"), Section("It was seen.", "METHODS")),
        other_abstracts=FOUND.other_abstracts,
        languages=("pt",),
        journal=Journal("Revista ficcional de saúde", "Rev. ficc. saúde", issn="0000-0019", country="BR"),
        volume="12",
        issue="3",
        pages="10-19",
        published=PartialDate(2021, 9),
        history=(
            HistoryDate("received", PartialDate(2021, 1, 2)),
            HistoryDate("accepted", PartialDate(2021, 3)),
        ),
        authors=(
            Author("Silva", "João da", "JD", orcid="0000-0002-1825-0097", affiliations=places),
            Author("Souza", "Ana", "A", affiliations=places[1:]),
            Author(collective_name="Rede Fictícia"),
        ),
        keywords=(Keyword("febre"), Keyword("fever")),
        publication_types=(Term("Journal Article"),),
        grants=(Grant("2020/00001-1"),),
        article_ids=(ArticleId("doi", "10.5555/rfs.2021.7"), ArticleId("scielo", PID)),
        notes=("v12 es: Fiebre en ciudades ficticias",),
    )


def test_other_records_of_isis():
    (found,) = read(json.dumps(ISIS))
    assert found == Citation(
        id="lilacs:900003",
        source="scielo",
        title="Fever in fictional towns",
        vernacular_title="Fiebre en ciudades ficticias",
        other_abstracts=(OtherAbstract("es", "", (Section("Se vio la fiebre."),)),),
        languages=("es",),
        journal=Journal("Rev. fict. med"),
        pages="5-9",
        published=PartialDate(2019),
        authors=(Author("Núñez", "María", "M", affiliations=("Universidad Ficticia",)),),
        mesh=(
            MeshHeading("Fever", major=True, qualifiers=(Term("epidemiology"),)),
            MeshHeading("Humans"),
        ),
        article_ids=(ArticleId("lilacs", "900003"), ArticleId("url", "https://journal.example/3")),
    )


def test_ris_of_bvs_and_scielo():
    bvs, scielo = read(RIS)
    assert (bvs.id, bvs.title) == ("lilacs:900001", "Fever in fictional towns of the interior")
    assert bvs.vernacular_title == "Febre em cidades fictícias do interior"
    assert bvs.abstract == (Section("This study describes fever in the fictional towns of the interior."),)
    assert bvs.other_abstracts == (
        OtherAbstract(
            "pt", "", (Section("Este estudo descreve a febre nas cidades fictícias do interior."),)
        ),
    )
    assert bvs.mesh == (
        MeshHeading("Dengue", qualifiers=(Term("prevention & control"),)),
        MeshHeading("Humans"),
    )
    assert (bvs.journal, bvs.published) == (
        Journal("Rev. ficc. saúde", issn="0000-0019"),
        PartialDate(2021, 9),
    )
    assert bvs.databanks == (DataBank("ClinicalTrials.gov", ("NCT09999991",)),)
    assert bvs.notes == ("title: Fiebre en ciudades ficticias del interior",)
    assert scielo.id == "scielo:S0000-00272020000100005"
    assert (scielo.title, scielo.vernacular_title) == ("Fiebre en ciudades ficticias de la costa", "")
    assert scielo.abstract[0].text.startswith("Fever in the towns")
    assert [other.language for other in scielo.other_abstracts] == ["es"]
    assert scielo.notes == ()


def test_csv_of_bvs():
    first, second = read(CSV)
    assert first == Citation(
        id="pmc:PMC9999991",
        source="table",
        title="Fever in the towns of the interior",
        vernacular_title="Febre em cidades do interior",
        abstract=(Section("Febre."),),
        languages=("pt",),
        journal=Journal("Rev. ficc. saúde", issn="0000-0019"),
        volume="12",
        issue="3",
        published=PartialDate(2021),
        authors=(Author("Silva", "João da", "JD"), Author("Souza", "Ana", "A")),
        mesh=(
            MeshHeading("Dengue", qualifiers=(Term("prevention & control"),)),
            MeshHeading("Humans"),
        ),
        keywords=(Keyword("mosquito"),),
        publication_types=(Term("article"),),
        article_ids=(
            ArticleId("pmc", "PMC9999991"),
            ArticleId("doi", "10.5555/rfs.2021.7"),
            ArticleId("lilacs", "900001"),
            ArticleId("url", "https://journal.example/1"),
        ),
    )
    assert (second.id, second.title) == ("pmid:39000001", "Fever in one town")
    assert [keyword.text for keyword in second.keywords] == ["Febre/epidemiologia", "Humanos", "Criança"]


def test_csv_and_bibtex_of_scielo():
    (table,) = read(SCIELO_CSV)
    assert (table.id, table.journal.title, table.languages) == (f"scielo:{PID}", "Revista", ("pt", "en"))
    (bibtex,) = read(BIBTEX)
    assert (bibtex.id, bibtex.article_id("scielo")) == ("doi:10.5555/rfs.2021.7", PID)
    for found in (table, bibtex):
        assert found.authors == (Author("Silva", "João da", "JD"), Author("Souza", "Ana", "A"))
