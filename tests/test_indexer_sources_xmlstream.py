"""Files that are broken, hostile, huge or in other encodings."""

import gzip
import subprocess
import sys

import pytest
from pubmed_records import RECORDS, Record, article_xml, pubmed_xml, write_pubmed

from indexer.sources.errors import SourceError
from indexer.sources.pubmed import read_pubmed

XML = pubmed_xml(map(article_xml, RECORDS))
IDS = [f"pmid:{record.pmid}" for record in RECORDS]


def read_until_fault(path):
    """The ids read, and the SourceError after them."""
    ids = []
    with pytest.raises(SourceError) as caught:
        for record in read_pubmed(path):
            ids.append(record.id)
    return ids, caught.value


def write(tmp_path, data, name="records.xml"):
    path = tmp_path / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode("utf-8"))
    return path


def test_cut_off_text_gives_what_stands_before(tmp_path):
    data = XML.encode("utf-8")
    cut = data.index(b"30000006</PMID>")
    ids, fault = read_until_fault(write(tmp_path, data[:cut]))
    assert ids == IDS[:5]
    assert (fault.offset, fault.packed_offset, fault.last_id) == (cut, None, "pmid:30000005")
    assert str(fault).startswith(f"{tmp_path}/records.xml: broken near byte {cut:,}: ")
    assert str(fault).endswith("the last record read is pmid:30000005. Get the file again, or repair it.")


def test_a_wrong_tag_is_found_to_the_byte(tmp_path):
    broken = XML.replace('<PMID Version="1">30000009</PMID>', '<PMID Version="1">30000009</PMIX>')
    ids, fault = read_until_fault(write(tmp_path, broken))
    assert ids == IDS[:8]
    assert abs(fault.offset - broken.encode("utf-8").index(b"</PMIX>")) <= len("</PMIX>")
    assert "PMID" in fault.reason


def test_a_wrong_tag_far_into_a_file_is_found_to_the_byte(tmp_path):
    article = article_xml(RECORDS[0])
    pieces = [article] * 200 + [article.replace("</Title>", "</Titel>")] + [article] * 10
    data = pubmed_xml(pieces).encode("utf-8")
    ids, fault = read_until_fault(write(tmp_path, data))
    assert len(ids) == 200
    assert abs(fault.offset - data.index(b"</Titel>")) <= len("</Titel>")


def test_cut_off_gzip_gives_what_can_be_unpacked(tmp_path):
    data = gzip.compress(
        pubmed_xml([article_xml(record) for record in RECORDS] * 50).encode("utf-8"), mtime=0
    )
    ids, fault = read_until_fault(write(tmp_path, data[: len(data) // 2], "records.xml.gz"))
    assert 100 < len(ids) < 700
    assert ids == (IDS * 50)[: len(ids)]
    assert fault.packed_offset == len(data) // 2
    assert fault.last_id == ids[-1]
    assert fault.reason.startswith("broken gzip: ")
    assert f"(byte {len(data) // 2:,} of the compressed file)" in str(fault)


def test_a_wrong_checksum_of_gzip_is_told_after_all_records(tmp_path):
    data = bytearray(gzip.compress(XML.encode("utf-8"), mtime=0))
    data[-8] ^= 1
    ids, fault = read_until_fault(write(tmp_path, bytes(data), "records.xml.gz"))
    assert ids == IDS
    assert "CRC" in fault.reason


def test_damaged_gzip(tmp_path):
    data = bytearray(gzip.compress(XML.encode("utf-8"), mtime=0))
    data[200:300] = bytes(100)
    ids, fault = read_until_fault(write(tmp_path, bytes(data), "records.xml.gz"))
    assert ids == IDS[: len(ids)]
    assert fault.packed_offset is not None


def test_gzip_is_told_by_content(tmp_path):
    assert [r.id for r in read_pubmed(write(tmp_path, XML, "plain.xml.gz"))] == IDS
    packed = gzip.compress(XML.encode("utf-8"))
    assert [r.id for r in read_pubmed(write(tmp_path, packed, "packed.xml"))] == IDS


def test_gzip_of_several_members(tmp_path):
    data = XML.encode("utf-8")
    members = gzip.compress(data[:5000]) + gzip.compress(data[5000:])
    assert [r.id for r in read_pubmed(write(tmp_path, members, "members.xml.gz"))] == IDS


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "the file is empty, expected XML"),
        (gzip.compress(b""), "the file is empty, expected XML"),
        (b"  \n", "Start tag expected"),
        (b"PMID- 30000001\nTI  - Not XML\n", "Start tag expected"),
        (
            b"<html><body>Service unavailable</body></html>",
            "its root element is html, expected PubmedArticleSet",
        ),
        (b"<PubmedArticleSet", "Couldn't find end of Start Tag"),
        (bytes(range(256)), "Start tag expected"),
    ],
)
def test_what_is_no_pubmed_file(tmp_path, data, reason):
    ids, fault = read_until_fault(write(tmp_path, data))
    assert ids == []
    assert reason in str(fault)


def test_a_set_without_records(tmp_path):
    assert list(read_pubmed(write(tmp_path, "<PubmedArticleSet/>"))) == []


def test_a_file_that_is_not_there(tmp_path):
    ids, fault = read_until_fault(tmp_path / "none.xml")
    assert ids == []
    assert str(fault) == f"{tmp_path}/none.xml: cannot be read: No such file or directory"


def test_a_folder_is_no_file(tmp_path):
    assert "cannot be read: Is a directory" in str(read_until_fault(tmp_path)[1])


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-8-sig", "iso-8859-1", "gb18030"])
def test_other_encodings(tmp_path, encoding):
    declared = encoding.removesuffix("-sig").removesuffix("-le")
    latin = Record(5, "Fièvre à l'hôpital.", ())
    records = [latin] if encoding == "iso-8859-1" else [latin, *RECORDS]
    text = pubmed_xml(map(article_xml, records)).replace('encoding="utf-8"', f'encoding="{declared}"')
    data = text.encode(encoding)
    path = write(tmp_path, b"\xff\xfe" + data if encoding == "utf-16-le" else data)
    assert [citation.title for citation in read_pubmed(path)] == [record.title for record in records]


def test_bytes_that_are_not_in_the_declared_encoding(tmp_path):
    records = [Record(4, "Fever", ()), Record(5, "Fi\u00e8vre", ())]
    data = pubmed_xml(map(article_xml, records)).encode("iso-8859-1")
    ids, fault = read_until_fault(write(tmp_path, data))
    assert ids == ["pmid:4"]
    assert abs(fault.offset - data.index(b"\xe8vre")) < 10


def _with_doctype(doctype, title):
    article = article_xml(Record(5, "TITLE", ())).replace("TITLE", title)
    return f"{doctype}<PubmedArticleSet>{article}</PubmedArticleSet>"


def test_entities_bring_nothing_from_other_files(tmp_path):
    secret = write(tmp_path, "topsecret", "secret.txt")
    doctype = f'<!DOCTYPE PubmedArticleSet [<!ENTITY steal SYSTEM "{secret.as_uri()}">]>'
    path = write(tmp_path, _with_doctype(doctype, "A &steal; title"))
    assert [citation.title for citation in read_pubmed(path)] == ["A &steal; title"]


@pytest.mark.parametrize("reference", ["{path}", "{uri}", "http://localhost:9/x.dtd"])
def test_the_dtd_is_not_read(tmp_path, reference):
    dtd = write(tmp_path, '<!ENTITY steal "topsecret"><!ATTLIST PMID Version CDATA "9">', "own.dtd")
    system = reference.format(path=dtd, uri=dtd.as_uri())
    doctype = f'<!DOCTYPE PubmedArticleSet SYSTEM "{system}">'
    path = write(tmp_path, _with_doctype(doctype, "A &steal; title"))
    assert [(citation.title, citation.version) for citation in read_pubmed(path)] == [("A &steal; title", 1)]


def test_names_of_characters_are_known_without_a_dtd(tmp_path):
    path = write(tmp_path, _with_doctype('<!DOCTYPE PubmedArticleSet SYSTEM "x.dtd">', "&alpha;&nbsp;&beta;"))
    assert [citation.title for citation in read_pubmed(path)] == ["α β"]


def _laughs(depth=12):
    lines = [f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, depth)]
    return f'<!DOCTYPE PubmedArticleSet [<!ENTITY l0 "ha">{"".join(lines)}]>'


@pytest.mark.parametrize(
    ("old", "new"),
    [("A title", "A &l11; title"), ('Owner="NLM"', 'Owner="&l11;"')],
    ids=["text", "attribute"],
)
def test_entities_do_not_explode(tmp_path, old, new):
    xml = _with_doctype(_laughs(), "A title").replace(old, new)
    ids, fault = read_until_fault(write(tmp_path, xml))
    assert ids == []
    assert "amplification" in fault.reason


def test_declared_entities_are_not_expanded(tmp_path):
    path = write(tmp_path, _with_doctype(_laughs(2), "A &l1; title"))
    assert [citation.title for citation in read_pubmed(path)] == ["A &l1; title"]


def test_elements_nested_without_end(tmp_path):
    ids, fault = read_until_fault(write(tmp_path, _with_doctype("", "<i>" * 100_000)))
    assert ids == []
    assert "depth" in fault.reason


def test_markup_as_deep_as_the_parser_allows(tmp_path):
    path = write(tmp_path, _with_doctype("", "<i>" * 240 + "deep" + "</i>" * 240))
    assert [citation.title for citation in read_pubmed(path)] == ["deep"]


MEASURE = """
import resource, sys
from pathlib import Path
from indexer.sources.pubmed import read_pubmed
path = Path(sys.argv[1])
peaks = []
for number, _ in enumerate(read_pubmed(path), 1):
    if number in (1_000, 10_000):
        peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
print(number, *peaks)
"""


def test_memory_does_not_grow_with_the_file(tmp_path):
    path = tmp_path / "long.xml.gz"
    write_pubmed(path, (Record(number, "A title " * 50, ()) for number in range(1, 10_001)))
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, str(path)], capture_output=True, encoding="utf-8", check=True
    )
    count, early, late = map(int, done.stdout.split())
    assert count == 10_000
    assert late - early < 4 * 1024, "kilobytes"
