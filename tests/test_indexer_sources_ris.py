"""RIS of the programs that people use, and files of it that are not what they should be."""

import pytest
from ris_records import BARE, EMBASE, ENDNOTE, OVID, SCOPUS, ZOTERO

from indexer.citation import ArticleId, Author, Book, Citation, Journal, Keyword, PartialDate, Section, Term
from indexer.sources.errors import SetAside
from indexer.sources.ris import read_ris

ALL = (ENDNOTE, ZOTERO, OVID, EMBASE, SCOPUS, BARE)


def read(tmp_path, *texts):
    path = tmp_path / "export.ris"
    path.write_text("".join(texts), encoding="utf-8")
    return list(read_ris(path))


def test_endnote(tmp_path):
    (found,) = read(tmp_path, ENDNOTE)
    assert found == Citation(
        id="pmid:39000001",
        source="ris",
        title="Heart failure after influenza",
        languages=("en",),
        journal=Journal(
            "Journal of fictional cardiology", iso_abbreviation="J Fict Cardiol", issn="1234-5660"
        ),
        volume="12",
        issue="3",
        pages="101-9",
        published=PartialDate(2023),
        authors=(
            Author("Núñez-Pérez", "María José", "MJ", affiliations=("Hospital del Sur, Lima, Peru.",)),
            Author("van der Berg", "J. P.", "JP", "Jr"),
            Author(collective_name="World Health Organization"),
        ),
        publication_types=(Term("Journal Article"),),
        keywords=(Keyword("Heart Failure", True), Keyword("Aged")),
        article_ids=(
            ArticleId("pubmed", "39000001"),
            ArticleId("doi", "10.5555/hfx.2023.001"),
            ArticleId("pmc", "PMC9999991"),
            ArticleId("url", "https://journal.example/a;b"),
        ),
        notes=("1234-5679 Núñez-Pérez, María José Journal Article",),
    )


def test_zotero(tmp_path):
    (found,) = read(tmp_path, ZOTERO)
    assert found.id == "pmid:39000002"
    assert found.doi == "10.5555/RFM.2021.7"
    assert found.abstract == (Section("Describir.", "OBJETIVO"), Section("Se describe.", "RESULTADOS"))
    assert found.published == PartialDate(2021, 3, 5)
    assert (found.pages, found.languages) == ("10-19", ("es",))
    assert found.journal == Journal("Revista ficticia de medicina", "Rev Fict Med", issn="0000-0019")
    assert found.notes == ("<p>To read</p>",)


def test_ovid_whose_number_is_a_pmid_in_medline_alone(tmp_path):
    embase, medline = read(tmp_path, OVID)
    assert (embase.id, medline.id) == ("embase:2000000001", "pmid:39000003")
    assert embase.authors == (Author("Diop", "A.", "A"), Author("Sow", "I.M.", "IM"))
    assert embase.abstract == (Section("Fever is a sign. Its causes are many."),)
    assert embase.keywords == (Keyword("fever / diagnosis", True), Keyword("human"))
    assert embase.journal == Journal("Acta Fictiva", "Acta Fict.", issn="0000-0027", country="Senegal")
    assert (embase.published, embase.languages) == (PartialDate(2019), ("en",))
    assert embase.notes == ("M1: (Diop) Institut Fictif, Dakar",)
    assert (medline.title, medline.title_translated, medline.languages) == (
        "Fieber in den Tropen",
        True,
        ("de",),
    )


def test_embase(tmp_path):
    (found,) = read(tmp_path, EMBASE)
    assert found.id == "doi:10.5555/efj.41.77"
    assert found.article_id("embase") == "L630000001"
    assert found.publication_types == (Term("Journal Article"), Term("Conference Abstract"))
    assert found.journal == Journal("European Fictional Journal", "Eur. Fict. J.", issn="1522-9645")
    assert found.authors == (
        Author("O’Neill", "S.", "S", affiliations=("S. O’Neill, Fictional Institute, Dublin, Ireland",)),
        Author("王", "小明", "小"),
    )
    assert found.notes == ("C1: apixaban",)


def test_scopus(tmp_path):
    (found,) = read(tmp_path, SCOPUS)
    assert found.id == "pmid:39000004"
    assert found.article_id("scopus") == "2-s2.0-85000000001"
    assert found.book == Book(
        "Handbook of Fictional Medicine",
        "Fictional Press",
        "Dakar",
        isbns=("9780000000002",),
        editors=(Author("Traoré", "M.", "M"),),
    )
    assert found.languages == ("en", "fr")
    assert found.journal == Journal()
    assert found.publication_types == (Term("Book Chapter"), Term("Book chapter"))


def test_a_record_without_any_number_is_known_by_its_words(tmp_path):
    (found,) = read(tmp_path, BARE)
    (again,) = read(tmp_path, BARE.replace("A letter", "a  LETTER"))
    (other,) = read(tmp_path, BARE.replace("A letter", "Another letter"))
    assert found.id.startswith("words:") and len(found.id) == 22
    assert found.id == again.id != other.id
    assert found.authors == (Author("Anonymous"),)


def test_records_one_after_the_other(tmp_path):
    found = read(tmp_path, *ALL)
    assert len({record.id for record in found}) == len(found) == 7
    ends = "".join(ALL).replace("\n", "\r\n")
    assert read(tmp_path, ends) == found
    assert read(tmp_path, "\ufeff" + "Provider: a database\n\n" + "".join(ALL)) == found


def test_a_record_without_words_is_set_aside(tmp_path):
    first, second, third = read(tmp_path, ZOTERO, "TY  - JOUR\nAU  - Diop, A.\nER  - \n", BARE)
    assert isinstance(second, SetAside)
    assert (second.position, second.reason) == (2, "it has no title and no abstract")
    assert second.raw == "TY  - JOUR\nAU  - Diop, A.\nER  - "
    assert first.id == "pmid:39000002" and third.title == "A letter"


@pytest.mark.parametrize(
    ("dates", "wanted"),
    [
        ("PY  - 2020", PartialDate(2020)),
        ("PY  - 2020///", PartialDate(2020)),
        ("Y1  - 2020/05/17/", PartialDate(2020, 5, 17)),
        ("PY  - 2020\nDA  - 2020/05/01", PartialDate(2020, 5, 1)),
        ("PY  - 2020\nDA  - 2021/05/01", PartialDate(2020)),
        ("PY  - 2020\nDA  - May", PartialDate(2020)),
        ("PY  - 2020/05/", PartialDate(2020, 5)),
        ("PY  - 2020 Spring", PartialDate(2020, 3, None, "2020 Spring")),
        ("PY  - in press", PartialDate(text="in press")),
        ("AU  - Diop, A.", PartialDate()),
    ],
)
def test_dates(tmp_path, dates, wanted):
    (found,) = read(tmp_path, f"TY  - JOUR\nTI  - A title\n{dates}\nER  - \n")
    assert found.published == wanted


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("Smith, John A.", Author("Smith", "John A.", "JA")),
        ("Smith, J.A.", Author("Smith", "J.A.", "JA")),
        ("Smith, JA", Author("Smith", "JA", "JA")),
        ("Smith, John, III", Author("Smith", "John", "J", "III")),
        ("Smith JA", Author("Smith", "JA", "JA")),
        ("de la Cruz M", Author("de la Cruz", "M", "M")),
        ("Ван дер Берг И.П.", Author("Ван дер Берг", "И.П.", "ИП")),
        ("Aristotle", Author("Aristotle")),
        ("田中太郎", Author("田中太郎")),
        ("European Society of Cardiology", Author(collective_name="European Society of Cardiology")),
        ("Al-Sayed, محمد", Author("Al-Sayed", "محمد", "م")),
    ],
)
def test_names(tmp_path, name, wanted):
    (found,) = read(tmp_path, f"TY  - JOUR\nTI  - A title\nAU  - {name}\nER  - \n")
    assert found.authors == (wanted,)


@pytest.mark.parametrize(
    ("language", "wanted"),
    [
        ("eng", ("en",)),
        ("English; Español", ("en", "es")),
        ("pt-BR", ("pt",)),
        ("中文", ("zh",)),
        ("Engl\x00ish", ("engl\x00ish",)),
        ("\U0001f600 smile", ("\U0001f600 smile",)),
        ("no such language", ("no such language",)),
    ],
)
def test_languages_by_code_or_name_and_what_is_none(tmp_path, language, wanted):
    (found,) = read(tmp_path, f"TY  - JOUR\nTI  - A title\nLA  - {language}\nER  - \n")
    assert found.languages == wanted
