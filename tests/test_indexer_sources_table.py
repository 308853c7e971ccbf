"""Tables with headings in any language and dialect, and spreadsheets."""

import contextlib
import csv
import io
import zipfile

import openpyxl
import pytest

from indexer.citation import (
    ArticleId,
    Author,
    Book,
    Citation,
    Journal,
    Keyword,
    MeshHeading,
    PartialDate,
    Term,
)
from indexer.exports.table import guarded
from indexer.sources.archive import FREE, Text
from indexer.sources.columns import find_columns, read_choices
from indexer.sources.detect import Hints, detect_source, find_files, read_file
from indexer.sources.errors import Remark, SetAside, SourceError
from indexer.sources.table import read_table
from models.errors import UsageError

PUBMED = (
    ("PMID", "39000001"),
    ("Title", "Heart failure, after influenza."),
    ("Authors", "Núñez M, van der Berg JP."),
    ("Citation", "J Fict. 2023."),
    ("First Author", "Núñez M"),
    ("Journal/Book", "J Fict"),
    ("Publication Year", "2023"),
    ("Create Date", "2023/01/10"),
    ("PMCID", "PMC9999991"),
    ("NIHMS ID", ""),
    ("DOI", "10.5555/hfx.1"),
)
"""Headings and what stands below them in what PubMed saves."""

SCOPUS = (
    ("Authors", "Okafor C.; Diallo A."),
    ("Author full names", "Okafor, Chidi (57000000001); Diallo, Awa (57000000002)"),
    ("Author(s) ID", "1; 2"),
    ("Title", "Malaria in pregnancy"),
    ("Year", "2022"),
    ("Source title", "Fict J"),
    ("Volume", "7"),
    ("Issue", "2"),
    ("Art. No.", ""),
    ("Page start", "200"),
    ("Page end", "230"),
    ("Page count", ""),
    ("Cited by", "3"),
    ("DOI", "10.5555/fj.7"),
    ("Link", "https://www.scopus.example/x"),
    ("Abstract", "A study."),
    ("Author Keywords", "malaria; pregnancy"),
    ("Index Keywords", "Humans; *Malaria"),
    ("ISSN", "12345679"),
    ("PubMed ID", "39000004"),
    ("Language of Original Document", "English; French"),
    ("Document Type", "Article"),
    ("EID", "2-s2.0-85000000001"),
)


def read(text, **hints):
    return list(read_file(Text("x.csv", text), Hints(**hints)))


def table(headings, *rows, mark=","):
    text = io.StringIO()
    csv.writer(text, delimiter=mark).writerows([headings, *rows])
    return text.getvalue()


def test_what_pubmed_saves():
    (found,) = read(table(*zip(*PUBMED, strict=True)))
    assert found == Citation(
        id="pmid:39000001",
        source="table",
        title="Heart failure, after influenza.",
        journal=Journal("J Fict"),
        published=PartialDate(2023),
        authors=(Author("Núñez", "M", "M"), Author("van der Berg", "JP", "JP")),
        article_ids=(
            ArticleId("pubmed", "39000001"),
            ArticleId("pmc", "PMC9999991"),
            ArticleId("doi", "10.5555/hfx.1"),
        ),
    )


def test_what_scopus_saves():
    (found,) = read(table(*zip(*SCOPUS, strict=True)))
    assert found.id == "pmid:39000004"
    assert found.authors == (Author("Okafor", "Chidi", "C"), Author("Diallo", "Awa", "A"))
    assert (found.pages, found.volume, found.issue) == ("200-230", "7", "2")
    assert found.languages == ("en", "fr")
    assert found.keywords == (Keyword("malaria"), Keyword("pregnancy"))
    assert found.mesh == (MeshHeading("Humans"), MeshHeading("Malaria", major=True))
    assert found.publication_types == (Term("Article"),)
    assert found.article_id("scopus") == "2-s2.0-85000000001"


@pytest.mark.parametrize(
    ("headings", "row"),
    [
        (["Título", "Autores", "Año", "Revista", "Resumen"], ["T", "Núñez, María", "2020", "R", "A"]),
        (["TITRE", "Auteurs", "Année", "Revue", "Résumé"], ["T", "Núñez, María", "2020", "R", "A"]),
        (
            ["Titel", "Autoren", "Jahr", "Zeitschrift", "Zusammenfassung"],
            ["T", "Núñez, María", "2020", "R", "A"],
        ),
        (["название", "Авторы", "Год", "Журнал", "Аннотация"], ["T", "Núñez, María", "2020", "R", "A"]),
        (["标题", "作者", "年份", "期刊", "摘要"], ["T", "Núñez, María", "2020", "R", "A"]),
        (["タイトル", "著者", "発行年", "雑誌名", "抄録"], ["T", "Núñez, María", "2020", "R", "A"]),
        (["العنوان", "المؤلف", "السنة", "المجلة", "الملخص"], ["T", "Núñez, María", "2020", "R", "A"]),
        (["Kichwa", "Mwandishi", "Mwaka", "Jarida", "Muhtasari"], ["T", "Núñez, María", "2020", "R", "A"]),
    ],
)
@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_headings_in_many_languages_and_any_mark(headings, row, mark):
    text = table(headings, row, mark=mark)
    assert detect_source(Text("x", text)) == "table"
    (found,) = read(text)
    assert (found.title, found.year, found.journal.title) == ("T", 2020, "R")
    assert found.authors == (Author("Núñez", "María", "M"),)
    assert found.abstract[0].text == "A"


@pytest.mark.parametrize(
    ("cell", "names"),
    [
        ("Diop A, Sow IM.", [("Diop", "A"), ("Sow", "IM")]),
        ("Diop, A.", [("Diop", "A.")]),
        ("Diop, A.; Sow, I. M.", [("Diop", "A."), ("Sow", "I. M.")]),
        ("Sow B, J. A.;", [("Sow B", "J. A.")]),
    ],
)
def test_persons_in_one_cell(cell, names):
    (found,) = read(table(["Title", "Authors"], ["T", cell]))
    assert [(author.last_name, author.fore_name) for author in found.authors] == names


def test_columns_that_the_user_names():
    text = table(["Überschrift", "Wer", "2"], ["A title", "Diop A; Sow I", "7"])
    with pytest.raises(SourceError, match="none of its columns is a title"):
        read(text, source="table")
    columns = read_choices(["title=Überschrift", "authors=wer"])
    (found,) = read(text, source="table", columns=columns)
    assert (found.title, [author.last_name for author in found.authors]) == ("A title", ["Diop", "Sow"])
    with pytest.raises(UsageError, match=r"no column 'Was', the table has 'Überschrift', 'Wer', '2'"):
        read(text, source="table", columns={"title": "Was"})
    with pytest.raises(UsageError, match="column 'titel=x': expected FIELD=HEADING with one of title, "):
        read_choices(["titel=x"])


def test_a_row_that_says_nothing_is_set_aside_so_that_it_can_be_read_again():
    text = table(["Title", "Year"], ["One", "2020"], ["", "2021"], [], ["Two, or\nthree", "2022"])
    first, second, third = read(text)
    assert (first.title, third.title) == ("One", "Two, or three")
    assert isinstance(second, SetAside)
    assert (second.position, second.reason) == (2, "it has no title and no abstract")
    mended = second.raw.replace("\n,", "\nMended,")
    assert [record.title for record in read(mended)] == ["Mended"]


def test_rows_with_too_few_and_too_many_cells():
    short, long = read("Title,Year,DOI\nOne\nTwo,2020,10.5555/2,more,and more\n")
    assert (short.title, short.year) == ("One", None)
    assert (long.doi, long.year) == ("10.5555/2", 2020)


def test_formulae_are_kept_from_spreadsheets_and_read_as_they_were():
    for text in ("=1+1", "+1", "-1", "@x", "plain", "it's"):
        assert read(table(["Title", "Year"], [guarded(text), "2020"]))[0].title == text
    assert guarded("=1+1") == "'=1+1"


def test_encodings_of_spreadsheets(tmp_path):
    path = tmp_path / "x.csv"
    path.write_bytes(
        table(["Название", "Год"], ["Лечение сердечной недостаточности", "2020"]).encode("cp1251")
    )
    remark, found = read_file(path, Hints("table"))
    assert isinstance(remark, Remark)
    assert found.title == "Лечение сердечной недостаточности"


def book(path, *rows):
    workbook = openpyxl.Workbook()
    for row in rows:
        workbook.active.append(row)
    workbook.save(path)
    return path


def test_a_spreadsheet(tmp_path):
    path = book(
        tmp_path / "x.xlsx",
        ["Title", "Year", "PMID", "Document Type", "Journal", "ISBN"],
        ["心力衰竭", 2020, 39000001.0, "Book chapter", "A handbook", "978-0-00-000000-2"],
        [None, None, None],
        [None, 2021],
    )
    assert detect_source(path) == "table"
    assert find_files([tmp_path]) == [path]
    found, aside = read_file(path)
    assert (found.title, found.year, found.id) == ("心力衰竭", 2020, "pmid:39000001")
    assert found.book == Book("A handbook", isbns=("9780000000002",))
    assert isinstance(aside, SetAside) and aside.position == 3


def test_a_spreadsheet_that_is_broken_or_a_bomb(tmp_path):
    path = book(tmp_path / "x.xlsx", ["Title", "Year"], ["One", 2020])
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    for name, content, told in (
        ("xl/worksheets/sheet1.xml", b"<worksheet><sheetData><row>", "cannot be read: "),
        ("xl/workbook.xml", b"<", "cannot be read: "),
        ("xl/media/zeros", bytes(FREE + 1), "it would unpack to "),
    ):
        broken = tmp_path / "broken.xlsx"
        with zipfile.ZipFile(broken, "w", zipfile.ZIP_DEFLATED) as archive:
            for part, data in {**parts, name: content}.items():
                archive.writestr(part, data)
        with pytest.raises(SourceError, match=told):
            list(read_table(broken))


@pytest.mark.parametrize("part", ["xl/workbook.xml", "xl/worksheets/sheet1.xml"])
def test_entities_in_a_spreadsheet_do_not_explode(tmp_path, part):
    path = book(tmp_path / "x.xlsx", ["Title", "Year"], ["One", 2020])
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    doctype = f'<!DOCTYPE x [<!ENTITY l0 "ha">{laughs}]>'.encode()
    parts[part] = doctype + parts[part].replace(b"One", b"&l9;")
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    titles = []
    with contextlib.suppress(SourceError):
        titles = [record.title for record in read_table(path)]
    assert sum(map(len, titles)) < 10


def test_headings_are_found_whatever_their_case_accents_and_marks():
    assert find_columns(['\ufeff"TITULO"', "AÑO ", "pubmed_id", "Titre"], {}) == {
        "title": 0,
        "year": 1,
        "pmid": 2,
    }
