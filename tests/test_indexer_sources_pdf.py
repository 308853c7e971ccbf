"""PDF: title, numbers and running text of files as programs write them."""

import gzip
import io
import logging

import pytest
from pdf_files import PICTURE, Print, page, whole, write_pdf
from pypdf import PdfReader, PdfWriter

from indexer.citation import ArticleId, Author, Citation, Journal, Keyword, PartialDate, Section, TextPart
from indexer.sources import pdf
from indexer.sources.detect import detect_source, find_files, read_file
from indexer.sources.errors import Remark, SourceError

XMP = """<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 xmlns:dc="http://dc.example/" xmlns:prism="http://prism.example/">
<rdf:Description rdf:about="" prism:doi="10.5555/Fj.7" prism:volume="7">
<dc:title><rdf:Alt><rdf:li xml:lang="de">Fieber</rdf:li>
<rdf:li xml:lang="x-default">Fever at sea</rdf:li></rdf:Alt></dc:title>
<dc:creator><rdf:Seq><rdf:li>Awa Diop</rdf:li><rdf:li>van der Berg, Jan</rdf:li></rdf:Seq></dc:creator>
<dc:subject><rdf:Bag><rdf:li>fever</rdf:li><rdf:li>sailors</rdf:li></rdf:Bag></dc:subject>
<prism:publicationName>Fict J</prism:publicationName><prism:startingPage>1</prism:startingPage>
<prism:endingPage>9</prism:endingPage><prism:coverDate>2020-05-01</prism:coverDate>
</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>"""


def read(tmp_path, content):
    path = tmp_path / "paper.pdf"
    path.write_bytes(content)
    return list(read_file(path))


def one(tmp_path, *pages, **options):
    (found,) = read(tmp_path, write_pdf(pages, **options))
    return found


def body(citation):
    return " | ".join(part.text for part in citation.body)


def test_what_xmp_says(tmp_path):
    found = one(tmp_path, page("Some words."), xmp=XMP, language="en-GB", info={"Title": "Not this one"})
    assert found == Citation(
        id="doi:10.5555/fj.7",
        source="pdf",
        title="Fever at sea",
        body=(TextPart("Some words."),),
        languages=("en",),
        journal=Journal("Fict J"),
        volume="7",
        pages="1-9",
        published=PartialDate(2020, 5, 1),
        authors=(Author("Diop", "Awa", "A"), Author("van der Berg", "Jan", "J")),
        keywords=(Keyword("fever"), Keyword("sailors")),
        article_ids=(ArticleId("doi", "10.5555/Fj.7"),),
    )


@pytest.mark.parametrize("xmp", ["", "<x", "<a>" * 5_000, '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'])
def test_what_info_says(tmp_path, xmp):
    info = {
        "Title": "Лихорадка у детей",
        "Author": "Awa Diop, Jan van der Berg and Ibra Sow",
        "CreationDate": "D:20210301120000+02'00'",
        "Subject": "Fict J, 7 (2021) 1-9. doi:10.5555/fj.8",
        "Keywords": "fever; sailors",
    }
    found = one(tmp_path, page("Some words."), info=info, xmp=xmp)
    assert (found.title, found.id, found.published) == (
        info["Title"],
        "doi:10.5555/fj.8",
        PartialDate(2021, 3, 1),
    )
    assert [author.last_name for author in found.authors] == ["Diop", "van der Berg", "Sow"]
    assert found.keywords == (Keyword("fever"), Keyword("sailors"))


@pytest.mark.parametrize(
    "title",
    [
        *(
            "",
            "Microsoft Word - paper.docx",
            "untitled",
            "Untitled-1",
            "paper_final.tex",
            "main.dvi",
            "10.5555/x",
        ),
        *("10.5555/x", "C:\\papers\\x", "无标题", "S0140-6736(20)12345-6", "\ufffd\ufffd\ufffd"),
    ],
)
def test_a_title_that_is_none_gives_way_to_the_largest_print(tmp_path, title):
    first = [
        Print(("FJ",), 30, 780),
        Print(("arXiv:2101.00001v1",), 25, up=True),
        Print(("Fièvre et voyage:", "une étude ﬁctive"), 18, 740),
        Print(("Awa Diop", "Long text that says much."), 10, 600),
    ]
    assert one(tmp_path, first, info={"Title": title}).title == "Fièvre et voyage: une étude fictive"


@pytest.mark.parametrize(
    ("largest", "title"),
    [
        (("心筋梗塞後の", "運動療法"), "心筋梗塞後の運動療法"),
        (("Πυρετός στη", "θάλασσα"), "Πυρετός στη θάλασσα"),
        ((), "Text"),
    ],
)
def test_titles_in_other_scripts_or_of_the_first_line(tmp_path, largest, title):
    assert one(tmp_path, [Print(largest, 16), Print(("Text", "and more"), 10, 500)]).title == title


def test_running_text(tmp_path):
    texts = [
        ("Title of the text", "A well-known way of treat-"),
        ("ment is the pre-", "and post-natal one, as well-"),
        ("known from COVID-", "19 and the ﬁrst Diop-", "Sow study."),
        ("心筋", "梗塞 4 of", "12"),
    ]
    pages = [
        page(f"Fict J {number} — page {number}", *text, str(number)) for number, text in enumerate(texts)
    ]
    assert body(one(tmp_path, *pages)) == (
        "Title of the text A well-known way of treatment is the pre- and post-natal one, as well-known from "
        "COVID-19 and the first Diop-Sow study. 心筋梗塞 4 of"
    )


@pytest.mark.parametrize(
    ("heading", "end"),
    [
        ("Abstract", "Keywords: x"),
        ("RESUMEN:", "Palabras clave: x"),
        ("摘要", "关键词：x"),
        ("Résumé.", "1. Introduction"),
    ],
)
def test_the_abstract_by_its_heading(tmp_path, heading, end):
    text = ("Whoever reads this knows what has", "been found, and in how many people.")
    found = one(tmp_path, page("A title", heading, *text, end, "The rest.", "And more.", "Of it."))
    assert found.abstract == (
        Section("Whoever reads this knows what has been found, and in how many people."),
    )
    assert found.body == (TextPart(f"A title {end} The rest. And more. Of it."),)


@pytest.mark.parametrize(
    ("lines", "id"),
    [
        (("https://doi.org/10.5555/FJ.9.", "PMID 1"), "pmid:1"),
        (("(doi: 10.5555/fj.9)", "again 10.5555/fj.9"), "doi:10.5555/fj.9"),
        (("10.5555/fj.9", "10.5555/fj.10"), ""),
        (("doi:10.5555/fj.", "9 and so on"), ""),
    ],
)
def test_numbers_that_are_printed(tmp_path, lines, id):
    found = one(tmp_path, page("A title", *lines, "Text."))
    assert found.id == id or (not id and found.id.startswith("words:"))


def test_documents_of_one_title_stay_apart(tmp_path):
    first, second = (one(tmp_path, page(text), info={"Title": "Introduction"}) for text in ("One", "Two"))
    assert first.title == second.title
    assert first.id != second.id


def test_scans_are_told(tmp_path):
    remark, found = read(tmp_path, write_pdf([page("Words"), [PICTURE], [], [PICTURE], [PICTURE]]))
    assert isinstance(remark, Remark)
    assert remark.text == "no text can be read on pages 2, 4-5 of 5, as in scans: ocrmypdf, for one, adds it"
    assert body(found) == "Words"
    with pytest.raises(SourceError, match=r"no text can be read on pages 1-2 of 2, as in scans: ocrmypdf"):
        read(tmp_path, write_pdf([[PICTURE], [PICTURE]]))
    senseless = page("\ue000\ue001\ue002 \ue003")
    with pytest.raises(SourceError, match="no text can be read on page 1 of 1"):
        read(tmp_path, write_pdf([senseless]))


def locked(password):
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(write_pdf([page("Secret words")]))))
    writer.encrypt(password, owner_password="owner", algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def test_locked_files(tmp_path):
    assert body(read(tmp_path, locked(""))[0]) == "Secret words"
    with pytest.raises(SourceError, match="it is locked: save it without a password"):
        read(tmp_path, locked("password"))


def test_damage_and_what_pypdf_says_of_it(tmp_path, capfd, caplog):
    content = write_pdf([page("Words")])
    for damaged in (content[:-2], b"\n\n" + content, content.replace(b" 00000 n", b" 00001 n")):
        assert body(read(tmp_path, damaged)[0]) == "Words"
    broken = (b"%PDF-1.7\n", content[:40], whole([b"<< /Type /Catalog >>"]), write_pdf([]))
    for damaged in broken:
        with pytest.raises(SourceError, match=r"paper.pdf: (?:cannot be read as PDF|it has no pages)"):
            read(tmp_path, damaged)
    assert (*capfd.readouterr(), caplog.text) == ("", "", "")
    assert logging.getLogger("pypdf").level == logging.NOTSET


def test_a_cut_file_gives_the_pages_before(tmp_path):
    path = tmp_path / "cut.pdf"
    content = write_pdf([page(f"Page {number}") for number in "ABC"])
    path.write_bytes(content[: content.index(b"12 0 obj")])
    found = []
    with pytest.raises(SourceError, match=r"cut.pdf: its end is missing or damaged: Stream has ended"):
        for record in read_file(path):
            found.append(record)
    assert [body(record) for record in found] == ["Page A Page B"]


def test_a_bomb_costs_its_page_alone(tmp_path):
    path = tmp_path / "bomb.pdf"
    path.write_bytes(write_pdf([page("One"), [b" " * 30_000_000], page("Three")]))
    found = []
    with pytest.raises(SourceError, match="page 2 of 3 cannot be read: Limit reached"):
        for record in read_file(path):
            found.append(record)
    assert [body(record) for record in found] == ["One Three"]


def test_what_takes_too_long_is_given_up(tmp_path, monkeypatch):
    path = tmp_path / "long.pdf"
    path.write_bytes(write_pdf([page("One"), page("Two")]))
    monkeypatch.setattr(pdf, "PAGE_SECONDS", -1.0)
    with pytest.raises(SourceError, match="it takes too long to read"):
        list(read_file(path))
    monkeypatch.setattr(pdf, "SECONDS", -1.0)
    with pytest.raises(SourceError, match="it takes longer than -1 seconds to read"):
        list(read_file(path))


def test_files_are_told_by_their_content(tmp_path):
    content = write_pdf([page("Words")])
    for name, data in {
        "a.pdf": content,
        "b.pdf.gz": gzip.compress(content),
        "c.dat": b"junk\n" + content,
    }.items():
        (tmp_path / name).write_bytes(data)
        assert detect_source(tmp_path / name) == "pdf"
    assert [file.name for file in find_files([tmp_path])] == ["a.pdf", "b.pdf.gz"]
    assert len({record.id for file in find_files([tmp_path]) for record in read_file(file)}) == 1
