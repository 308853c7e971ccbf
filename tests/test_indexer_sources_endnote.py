"""EndNote's XML and its tagged export, from several programs, and files of them that are damaged."""

import pytest
from endnote_records import ARABIC, CHINESE, ENDNOTE, ENW, ZOTERO, export, record, styled

from indexer.citation import ArticleId, Author, Book, Citation, Journal, Keyword, PartialDate, Section, Term
from indexer.sources.archive import Text
from indexer.sources.detect import Hints, detect_source, find_files, read_file
from indexer.sources.errors import Remark, SetAside, SourceError

IDS = ["pmid:39000001", "words", "words", "pmid:39000002"]


def read(text, **hints):
    return list(read_file(Text("x", text), Hints(**hints)))


def ids(found):
    return [item.id.partition(":")[0] if item.id.startswith("words") else item.id for item in found]


def test_what_endnote_writes():
    assert detect_source(Text("x", export(ENDNOTE))) == "endnote"
    (found,) = read(export(ENDNOTE))
    assert found == Citation(
        id="pmid:39000001",
        source="endnote",
        title="Heart CO₂ and Ca²⁺ < 5",
        abstract=(Section("To see.", "AIM"), Section("Seen.", "RESULTS")),
        languages=("en",),
        journal=Journal("Journal of fictional cardiology", "Fict. Cardiol.", issn="1234-5660"),
        volume="12",
        issue="3",
        pages="101-9",
        published=PartialDate(2023, 1, 10),
        authors=(
            Author("Núñez-Pérez", "María José", "MJ", affiliations=("Hospital del Sur, Lima, Peru.",)),
            Author(collective_name="World Health Organization"),
        ),
        publication_types=(Term("Journal Article"),),
        keywords=(Keyword("Heart Failure", True), Keyword("Aged"), Keyword("Ions")),
        article_ids=(
            ArticleId("pubmed", "39000001"),
            ArticleId("doi", "10.5555/hfx.2023.001"),
            ArticleId("pmc", "PMC9999991"),
            ArticleId("url", "https://journal.example/a?b=1&c=2"),
        ),
        notes=(
            "translated-authors: Doe, J.",
            "1234-5679 Núñez-Pérez, María José",
            "custom1: For the review",
            "research-notes: Read me",
        ),
    )


def test_chinese_and_arabic():
    chinese, arabic = read(export(CHINESE, ARABIC))
    assert chinese == Citation(
        id=chinese.id,
        source="endnote",
        title="虚构心力衰竭的研究",
        abstract=(Section("目的 观察。"),),
        languages=("zh",),
        journal=Journal("虚构医学杂志"),
        published=PartialDate(2021),
        authors=(Author("王小明"), Author("李华")),
        publication_types=(Term("Journal Article"),),
        keywords=(Keyword("心力衰竭"), Keyword("钙")),
        notes=("custom2: read twice",),
    )
    assert arabic == Citation(
        id=arabic.id,
        source="endnote",
        title="فصل عن قصور القلب",
        languages=("ar",),
        pages="5-9",
        published=PartialDate(2019),
        authors=(Author("السيد", "محمد", "م"),),
        publication_types=(Term("Book Chapter"),),
        book=Book(
            "كتاب الطب الخيالي",
            "دار الخيال",
            "القاهرة",
            isbns=("9780000000002",),
            editors=(Author("Haddad", "L.", "L"),),
        ),
    )


def test_a_type_that_is_unknown_stays_the_records_own():
    (found,) = read(export(ZOTERO))
    assert (found.id, found.published) == ("pmid:39000002", PartialDate(2020, 3, 5))
    assert found.publication_types == (Term("Web Page"),)
    (numbered,) = read(export("<record><ref-type>17</ref-type><titles><title>T</title></titles></record>"))
    assert numbered.publication_types == (Term("Journal Article"),)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "gb18030"])
def test_encodings_and_files_without_a_declaration(tmp_path, encoding):
    text = export(ENDNOTE, CHINESE, ARABIC, ZOTERO)
    text = text.replace("UTF-8", "GB2312") if encoding == "gb18030" else text.partition("?>")[2]
    path = tmp_path / "library.xml"
    path.write_bytes(f"\n{text}".encode(encoding))
    assert find_files([tmp_path]) == [path]
    assert ids(read_file(path)) == IDS


@pytest.mark.parametrize(
    "wrong", ["&#x0B;", "&#11;", "\x0b", "\x00", "&#x1F;", "&#xFFFF;", "&#xD800;", "\ufffe"]
)
def test_characters_that_no_xml_may_hold_are_spaces(wrong):
    bad = record(f"<titles><title>{styled(f'One{wrong}two &amp; &#945;')}</title></titles>")
    one, two, remark = read(export(bad, ENDNOTE), source="endnote")
    assert (one.title, two.id) == ("One two & α", "pmid:39000001")
    assert str(remark) == (
        "x: 1 of its records held control characters or a bare &, which XML may not have: "
        "read as spaces and as &"
    )


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("A & B &C; &nbsp;&alpha;&LT;i", "A & B &C; α<i"),
        ("&#x41;&#9;&#xZ; &#99999999;", "A &#xZ; &#99999999;"),
        ("<![CDATA[A & B <i>\x0b]]>", "A & B <i>"),
    ],
)
def test_references_that_no_xml_knows(text, wanted):
    found, *_ = read(export(record(f"<titles><title>{text}</title></titles>")))
    assert found.title == wanted


def test_a_record_that_is_no_xml_is_set_aside_and_the_others_stay():
    broken = ENDNOTE.replace("</titles>", "")
    unended = ZOTERO.replace("</record>", "")
    empty = record("<titles><title> </title></titles>")
    found = read(export(ENDNOTE, broken, CHINESE, unended, empty, ZOTERO))
    assert ids(found) == [IDS[0], "", "words", "", "", IDS[3]]
    aside = [item for item in found if isinstance(item, SetAside)]
    assert [item.position for item in aside] == [2, 4, 5]
    assert [item.raw for item in aside] == [broken, unended, empty]
    assert aside[0].reason.startswith("broken XML: Opening and ending tag mismatch: titles")
    assert aside[2].reason == "it has no title and no abstract"
    mended = aside[0].raw.replace("<periodical>", "</titles><periodical>")
    assert ids(read(mended, source="endnote")) == ["pmid:39000001"]


def test_a_file_that_breaks_off(tmp_path):
    path, found = tmp_path / "library.xml", []
    path.write_text(export(ENDNOTE, CHINESE)[:-300], encoding="utf-8")
    with pytest.raises(SourceError, match=r"within a record; the last record read is pmid:39000001\."):
        for item in read_file(path):
            found.append(item)
    assert ids(found) == ["pmid:39000001", ""]
    assert (found[1].reason, found[1].raw) == (
        "the file breaks off in it",
        export(CHINESE)[export(CHINESE).index("<record>") : -300],
    )


def test_bytes_that_are_no_utf_8_are_told(tmp_path):
    path = tmp_path / "library.xml"
    path.write_bytes(export(CHINESE, ZOTERO).encode().replace("钙".encode(), b"\xff"))
    first, _, remark = read_file(path)
    assert first.keywords[1] == Keyword("\ufffd")
    assert isinstance(remark, Remark)
    assert (
        remark.text == "1 of its characters are not utf-8, shown as \ufffd (--encoding NAME if it is another)"
    )


def test_nothing_before_the_first_record_is_read():
    bomb = '<!DOCTYPE xml [<!ENTITY a "aaaa"><!ENTITY b SYSTEM "file:///etc/passwd">]>'
    text = export(record("<titles><title>T&a;&b;</title></titles>")).replace("<xml>", f"{bomb}<xml>")
    assert read(text)[0].title == "T&a;&b;"


def test_records_in_any_number_are_read_as_they_come(tmp_path):
    path = tmp_path / "library.xml"
    path.write_text(export(*[ENDNOTE, CHINESE, ARABIC, ZOTERO] * 300), encoding="utf-8")
    assert ids(read_file(path)) == IDS * 300


def test_the_tagged_export(tmp_path):
    path = tmp_path / "library.enw"
    path.write_text(f"\ufeff{ENW}", encoding="utf-8")
    assert find_files([tmp_path]) == [path]
    assert detect_source(path) == "enw"
    english, chinese, arabic = read_file(path)
    assert english == Citation(
        id="doi:10.5555/hfx.2023.001",
        source="enw",
        title="Heart failure after influenza",
        abstract=(Section("AIM: To see. % of them: seen."),),
        journal=Journal("Journal of fictional cardiology", "J Fict Cardiol", issn="1234-5660"),
        volume="12",
        issue="3",
        pages="101-9",
        published=PartialDate(2023, 1, 10),
        authors=(
            Author("Núñez-Pérez", "María José", "MJ"),
            Author(collective_name="World Health Organization"),
        ),
        publication_types=(Term("Journal Article"),),
        keywords=(Keyword("Heart Failure", True), Keyword("Aged")),
        article_ids=(
            ArticleId("doi", "10.5555/hfx.2023.001"),
            ArticleId("wos", "WOS:000000000000001"),
            ArticleId("url", "https://journal.example/a"),
        ),
        notes=("custom1: For the review",),
    )
    assert chinese.authors == (Author("王小明", affiliations=("虚构医院",)), Author("李华"))
    assert chinese.keywords == (Keyword("心力衰竭"), Keyword("钙"))
    assert chinese.notes == ("call-num: 11-0000/R",)
    assert (arabic.title, arabic.languages, arabic.year) == ("رسالة عن قصور القلب", ("ar",), 2018)
    assert arabic.publication_types == (Term("Academic Dissertation"),)
    (aside,) = read("%0 Book\n%D 2020\n")
    assert (aside.reason, aside.raw) == ("it has no title and no abstract", "%0 Book\n%D 2020")
