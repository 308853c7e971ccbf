"""Records that cannot be read are kept with the library, and read again when they can be."""

import json

import pytest

from indexer.errors import LibraryError
from indexer.job import index_files, retry_quarantine
from indexer.library import open_library
from indexer.progress import Silent
from indexer.published import library_info
from indexer.quarantine import NAME, Quarantine, read_entries
from indexer.sources.errors import SetAside
from tests.hash_encoder import HashEncoder
from tests.medline_records import BOOK, OLD, STRUCTURED
from tests.pubmed_records import RECORDS, article_xml, pubmed_xml, write_xml
from tests.ris_records import BARE, ZOTERO

BAD_XML = article_xml(RECORDS[1]).replace(f">{RECORDS[1].pmid}</PMID>", "></PMID>", 1)
BAD_TEXT = OLD.replace("PMID- 5000002", "PMID- 5OOOOO2")
BAD_RIS = "TY  - JOUR\nAU  - Диоп, А.\nER  - \n"


@pytest.fixture
def files(tmp_path):
    (tmp_path / "set.nbib").write_text("\n".join([STRUCTURED, BAD_TEXT, BOOK]), encoding="utf-16")
    (tmp_path / "export.ris").write_text(ZOTERO + BAD_RIS + BARE, encoding="utf-8")
    xml = pubmed_xml([article_xml(RECORDS[0]), BAD_XML, article_xml(RECORDS[3])])
    return [write_xml(tmp_path / "records.xml", xml), tmp_path / "set.nbib", tmp_path / "export.ris"]


@pytest.fixture
def library(tmp_path):
    return tmp_path / "library"


def index(files, library, **options):
    return index_files(files, library, HashEncoder(), Silent(), **options)


def ids(library):
    return set(open_library(library).citations().to_table(columns=["id"])["id"].to_pylist())


def test_bad_records_are_kept_whole_and_the_others_go_in(files, library):
    report = index(files, library)
    assert (report.read, report.added, len(report.faults)) == (6, 6, 3)
    xml, text, ris = read_entries(library)
    assert [(entry.file, entry.position, entry.source) for entry in (xml, text, ris)] == [
        (str(files[0]), 2, "pubmed"),
        (str(files[1]), 2, "medline"),
        (str(files[2]), 2, "ris"),
    ]
    assert xml.raw.startswith("<PubmedArticle") and RECORDS[1].title in xml.raw
    assert text.raw == BAD_TEXT
    assert ris.raw == BAD_RIS.rstrip("\n")
    assert text.reason == "its PMID is '5OOOOO2', expected a positive number"
    assert xml.when.endswith("+00:00")
    assert library_info(library).set_aside == 3


def test_indexing_again_keeps_each_once(files, library):
    index(files, library)
    report = index(files, library)
    assert len(report.faults) == 3
    assert len(read_entries(library)) == 3


def test_mended_records_go_in_and_the_rest_stays(files, library):
    index(files, library)
    before = ids(library)
    path = library / NAME
    path.write_text(path.read_text(encoding="utf-8").replace("5OOOOO2", "5000002"), encoding="utf-8")
    report = retry_quarantine(library, HashEncoder(), Silent())
    assert (report.files, report.read, report.added) == (0, 1, 1)
    assert ids(library) - before == {"pmid:5000002"}
    assert [entry.source for entry in read_entries(library)] == ["pubmed", "ris"]
    assert report.faults == (
        f"{files[0]}: record 2 was set aside: its PMID is '', expected a positive number",
        f"{files[2]}: record 2 was set aside: it has no title and no abstract",
    )
    again = retry_quarantine(library, HashEncoder(), Silent())
    assert (again.read, again.library_version) == (0, report.library_version)


def test_nothing_left_leaves_no_file(files, library):
    index(files[1:2], library)
    path = library / NAME
    path.write_text(path.read_text(encoding="utf-8").replace("5OOOOO2", "5000002"), encoding="utf-8")
    retry_quarantine(library, HashEncoder(), Silent())
    assert not path.exists()
    assert library_info(library).set_aside == 0


def test_a_record_that_is_no_file_any_more_stays(files, library):
    index(files, library)
    path = library / NAME
    entries = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    entries[0]["raw"], entries[1]["raw"] = "<PubmedArticle><PMID>7", ""
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")
    report = retry_quarantine(library, HashEncoder(), Silent())
    assert report.read == 0
    assert len(read_entries(library)) == 3


def test_a_line_that_was_not_finished_spoils_no_other(files, library):
    index(files[1:2], library)
    path = library / NAME
    whole = path.read_bytes()
    path.write_bytes(whole + whole[: len(whole) // 2])
    assert len(read_entries(library)) == 1
    Quarantine(library).add(SetAside(files[0], 5, "", "no reason", "raw", "pubmed"))
    assert [entry.raw for entry in read_entries(library)] == [BAD_TEXT, "raw"]
    assert len(path.read_bytes().splitlines()) == 2


def test_a_slip_in_mending_by_hand_loses_no_record(files, library):
    index(files, library)
    path = library / NAME
    first, *others = path.read_bytes().splitlines(keepends=True)
    slipped = first.replace(b'"raw":', b'"raw"')
    path.write_bytes(slipped + others[0].replace(b"5OOOOO2", b"5000002") + others[1])
    report = retry_quarantine(library, HashEncoder(), Silent())
    assert report.added == 1
    assert report.faults[0] == "quarantine.jsonl: line 1 is not a record: mend or delete it"
    assert path.read_bytes() == slipped + others[1]


def test_the_newest_alone_still_keep_what_is_set_aside(files, library):
    report = index(files, library, limit=1, newest_first=True)
    assert report.read == 1
    assert len(read_entries(library)) == len(report.faults) == 3


def test_there_must_be_a_library(library):
    with pytest.raises(LibraryError, match="no library at"):
        retry_quarantine(library, HashEncoder(), Silent())
    assert not library.exists()
