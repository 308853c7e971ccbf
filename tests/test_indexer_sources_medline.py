"""Every field of PubMed's text format, and files of it that are not what they should be."""

import gzip

import pytest
from medline_records import BOOK, OLD, RECORDS, STRUCTURED

from indexer.citation import (
    ArticleId,
    Author,
    Book,
    Chemical,
    Citation,
    Correction,
    DataBank,
    Grant,
    HistoryDate,
    Journal,
    Keyword,
    MeshHeading,
    OtherAbstract,
    PartialDate,
    Section,
    SupplementaryConcept,
    Term,
)
from indexer.sources.errors import Remark, SetAside, SourceError
from indexer.sources.medline import read_medline, read_sections


def write(path, text, encoding="utf-8"):
    path.write_bytes(text.encode(encoding))
    return path


def read(tmp_path, *records):
    return list(read_medline(write(tmp_path / "pubmed.nbib", "\n" + "\n".join(records))))


def test_every_field_of_a_record(tmp_path):
    (found,) = read(tmp_path, STRUCTURED)
    assert found == Citation(
        id="pmid:39000001",
        source="medline",
        status="MEDLINE",
        owner="NLM",
        title=(
            "Heart failure after influenza in older adults: a cohort in three countries of the southern "
            "hemisphere."
        ),
        vernacular_title="Insuficiencia cardíaca tras la gripe.",
        abstract=(
            Section("Influenza may bring on heart failure. Is it so in winter alone?", "BACKGROUND"),
            Section("We followed 1,200 adults: half of them vaccinated.", "METHODS"),
            Section("HR: 0.7 (95% CI 0.5-0.9).", "RESULTS AND DISCUSSION"),
            Section("Vaccinate.", "CONCLUSIONS"),
        ),
        other_abstracts=(
            OtherAbstract("es", "plain-language-summary", (Section("La gripe puede dañar el corazón."),)),
        ),
        copyright="(c) 2023 The Authors.",
        languages=("en", "es"),
        journal=Journal(
            title="Journal of fictional cardiology",
            medline_abbreviation="J Fict Cardiol",
            issn="1234-5679",
            issn_linking="1234-5660",
            nlm_id="9999991",
            country="England",
        ),
        volume="12",
        issue="3",
        pages="101-9",
        published=PartialDate(2023, 1, 10),
        electronic=PartialDate(2022, 12, 20),
        completed=PartialDate(2023, 2, 15),
        revised=PartialDate(2023, 3, 1),
        history=(
            HistoryDate("received", PartialDate(2022, 10, 1)),
            HistoryDate("pubmed", PartialDate(2023, 1, 11)),
            HistoryDate("medline", PartialDate(2023, 2, 16)),
            HistoryDate("entrez", PartialDate(2023, 1, 10)),
        ),
        authors=(
            Author(
                "Núñez-Pérez",
                "María José",
                "MJ",
                orcid="0000-0002-1825-0097",
                affiliations=("Hospital del Sur, Lima, Peru.", "Universidad Ficticia, Lima, Peru."),
            ),
            Author("van der Berg", "Jan P", "JP", "Jr", orcid="0000-0002-1825-0097"),
            Author(collective_name="FLU-HEART Study Group"),
            Author("王", "小明", "小"),
        ),
        investigators=(Author("Okafor", "Chidi", "C", affiliations=("Lagos, Nigeria.",)),),
        mesh=(
            MeshHeading("Aged"),
            MeshHeading(
                "Heart Failure", major=True, qualifiers=(Term("epidemiology", major=True), Term("etiology"))
            ),
            MeshHeading("Influenza, Human", qualifiers=(Term("complications", major=True),)),
        ),
        supplementary_concepts=(SupplementaryConcept("PVB protocol"),),
        keywords=(Keyword("vaccination", True, "NOTNLM"), Keyword("cohort", False, "NOTNLM")),
        chemicals=(
            Chemical("Influenza Vaccines", registry_number="0"),
            Chemical("Creatine Kinase", registry_number="EC 2.7.3.2"),
            Chemical("Bleomycin", registry_number="11056-06-7"),
            Chemical("A made-up compound (R-form)", registry_number="ABCDE12345"),
            Chemical("Heart failure 7"),
        ),
        gene_symbols=("TNF",),
        publication_types=(Term("Journal Article"), Term("Multicenter Study")),
        publication_status="ppublish",
        grants=(
            Grant("R01 HL000001", "HL", "NHLBI NIH HHS", "United States"),
            Grant("24K00001", "", "KAKENHI", ""),
            Grant(
                "BB/K000001/1",
                "BB_",
                "Biotechnology and Biological Sciences Research Council",
                "United Kingdom",
            ),
            Grant("", "", "Fundación Ficticia", ""),
        ),
        databanks=(
            DataBank("ClinicalTrials.gov", ("NCT09999991", "NCT09999992")),
            DataBank("figshare", ("10.6084/m9.figshare.1",)),
        ),
        article_ids=(
            ArticleId("pubmed", "39000001"),
            ArticleId("pii", "S0000-0001"),
            ArticleId("doi", "10.5555/hfx.2023.001"),
            ArticleId("pmc", "PMC9999991"),
            ArticleId("mid", "NIHMS999991"),
            ArticleId("NLM", "PMC9999991"),
        ),
        corrections=(
            Correction("CommentIn", "J Fict Cardiol. 2023 Mar;12(4):200-1.", "39000009"),
            Correction("ErratumIn", "J Fict Cardiol. 2023 Apr;12(5):300."),
        ),
        citation_subsets=("IM",),
        notes=("A note.",),
        number_of_references="34",
        conflict_of_interest="None declared.",
    )


def test_a_record_of_former_days(tmp_path):
    (found,) = read(tmp_path, OLD)
    assert (found.title, found.title_translated) == ("Fever in the tropics", True)
    assert found.authors == (Author("Diop", "", "A", affiliations=("Institut Fictif, Dakar.",)),)
    assert not found.authors_complete
    assert found.published == PartialDate(1975, 12, None, "1975 Dec-1976 Jan")
    assert found.languages == ("fr",)
    assert found.history == (
        HistoryDate("pubmed", PartialDate(1975, 12, 1)),
        HistoryDate("medline", PartialDate(1975, 12, 1)),
    )
    assert found.publication_model == "Print"


def test_a_chapter_of_a_book(tmp_path):
    (found,) = read(tmp_path, BOOK)
    assert found.title == "Fever"
    assert found.book == Book(
        "A Fictional Handbook of Signs",
        "Fictional Press",
        "Dakar",
        isbns=("9780000000002",),
        editors=(Author("Diallo", "Awa", "A"),),
        collection="Handbooks",
    )


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("AIM: to see. RESULTS: seen.", ["AIM", "RESULTS"]),
        ("We saw IL-6: much of it. TNF: less.", [""]),
        ("AIM: one label is a text's own.", [""]),
        ("PATIENTS & METHODS: 5. RESULTS: DNA: yes.", ["PATIENTS & METHODS", "RESULTS"]),
        ("", []),
    ],
)
def test_sections_by_their_labels(text, labels):
    assert [section.label for section in read_sections(text)] == labels


def test_records_in_any_packing_line_end_and_encoding(tmp_path):
    wanted = read(tmp_path, *RECORDS)
    assert [record.id for record in wanted] == ["pmid:39000001", "pmid:5000002", "pmid:30000003"]
    text = "\r\n".join("\n".join(RECORDS).split("\n"))
    assert list(read_medline(write(tmp_path / "a.nbib", text, "utf-16"))) == wanted
    (tmp_path / "b.txt").write_bytes(gzip.compress(text.encode()))
    assert list(read_medline(tmp_path / "b.txt")) == wanted
    remark, *found = read_medline(write(tmp_path / "c.nbib", text, "gb18030"))
    assert remark == Remark(
        tmp_path / "c.nbib", "it is not UTF-8; taken for gb18030 (--encoding NAME if it is another)"
    )
    assert found == wanted


def test_a_record_without_a_number_is_set_aside_and_the_others_stay(tmp_path):
    bad = OLD.replace("PMID- 5000002", "PMID- five")
    first, second, third = read(tmp_path, STRUCTURED, bad, BOOK)
    assert (first.id, third.id) == ("pmid:39000001", "pmid:30000003")
    assert second == SetAside(
        tmp_path / "pubmed.nbib", 2, "", "its PMID is 'five', expected a positive number", bad, "medline"
    )


def test_a_cut_file_gives_whole_records_and_sets_the_cut_one_aside(tmp_path):
    many = "\n".join(OLD.replace("5000002", str(5_000_000 + number)) for number in range(2_000))
    packed = gzip.compress(many.encode())
    path = tmp_path / "pubmed.nbib.gz"
    path.write_bytes(packed[: len(packed) // 2])
    found = []
    with pytest.raises(SourceError, match="broken gzip") as caught:
        for record in read_medline(path):
            found.append(record)
    *whole, cut = found
    assert len(whole) > 500
    assert [record.id for record in whole] == [f"pmid:{5_000_000 + number}" for number in range(len(whole))]
    assert isinstance(cut, SetAside) and cut.reason == "the file breaks off in it"
    assert cut.raw.startswith(f"PMID- {5_000_000 + len(whole)}\n")
    assert caught.value.last_id == whole[-1].id


def test_what_is_around_records_is_no_record(tmp_path):
    (found,) = read(tmp_path, "<pre>\nSome words\n", OLD, "</pre>")
    assert found.id == "pmid:5000002"


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(SourceError, match="cannot be read: No such file"):
        list(read_medline(tmp_path / "none.nbib"))
