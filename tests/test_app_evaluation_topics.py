import json

import pytest

from app.cli.main import run as bioglot
from app.evaluation.collection import read_collection
from app.evaluation.topics import read_topics
from indexer.job import index_files
from indexer.progress import Silent
from models.errors import UsageError
from tests.pubmed_records import RECORDS, write_pubmed

CLASSIC = """
<top>
<num> Number: 301
<title> Malaria &amp; travel

<desc> Description:
What protects travellers (stays < 30 days) from
malaria?
<narr> Narrative:
Relevant: prophylaxis.
</top>
<TOP><NUM>302</NUM><TITLE>はしかのワクチン</TITLE></TOP>
"""
COVID = """<?xml version="1.0" encoding="UTF-8"?>
<topics task="COVIDSearch 2020">
  <topic number="1"><query>coronavirus origin</query><question>what is its origin?</question></topic>
  <topic number="2"><query>weather
    and spread</query><question>¿afecta el clima?</question></topic>
</topics>
"""
MEDICINE = (
    """<topics><topic number="7"><disease>Melanoma</disease><gene>BRAF (V600E)</gene></topic></topics>"""
)
TRIALS = """<topics task="2021"><topic number="1">\nA 40-year-old with <b>asthma</b> &lt; 5 years.\n</topic>
<topic number="2">A child.</topic></topics>"""
SUPPORT = """<topics><topic number="4" type="test"><note>long</note><description>longer</description>
<summary>Short of breath</summary></topic></topics>"""
GENOMICS = """<TOPICS><TOPIC><ID>9</ID><TITLE>mutY</TITLE><NEED>Find articles</NEED></TOPIC></TOPICS>"""


@pytest.mark.parametrize(
    ("text", "fields", "queries"),
    [
        (CLASSIC, (), {"301": "Malaria & travel", "302": "はしかのワクチン"}),
        (COVID, (), {"1": "coronavirus origin", "2": "weather and spread"}),
        (COVID, ("question",), {"1": "what is its origin?", "2": "¿afecta el clima?"}),
        (COVID, ("question", "query"), {"1": "what is its origin? coronavirus origin"}),
        (MEDICINE, (), {"7": "Melanoma BRAF (V600E)"}),
        (MEDICINE, ("gene",), {"7": "BRAF (V600E)"}),
        (TRIALS, (), {"1": "A 40-year-old with asthma < 5 years.", "2": "A child."}),
        (SUPPORT, (), {"4": "Short of breath"}),
        (GENOMICS, (), {"9": "mutY"}),
    ],
)
def test_topics_of_every_track_give_queries(tmp_path, text, fields, queries):
    path = tmp_path / "topics.xml"
    path.write_text(text, encoding="utf-8")
    found = read_topics(path, fields)
    assert {number: found[number] for number in queries} == queries


def test_a_field_of_a_classic_topic(tmp_path):
    path = tmp_path / "topics.txt"
    path.write_text(CLASSIC.partition("</top>")[0], encoding="utf-8")
    assert read_topics(path, ["desc"]) == {"301": "What protects travellers (stays < 30 days) from malaria?"}


@pytest.mark.parametrize(
    ("text", "fields", "message"),
    [
        (b"", (), "neither tagged text with <top> nor XML"),
        (b"<topics><topic number='1'>", (), "neither tagged text with <top> nor XML"),
        (b"<topics/>", (), "no topic; expected <top> or <topic number=...>"),
        (b"<topics><topic>x</topic></topics>", (), "topic 1 has no number"),
        (b"<top><title> x</top>", (), "topic 1 has no number"),
        (b"<top><num> Number: \xff</top>", (), "not UTF-8"),
        (b"<topics><topic number='1'> </topic></topics>", (), "topic 1 is empty"),
        (b"<topics><topic number='1'>a</topic><topic number='1'>b</topic></topics>", (), "1 stands twice"),
        (COVID.encode(), ("gene",), "topic 1 has no field 'gene'; it has query, question"),
        (TRIALS.encode(), ("gene",), "topic 1 has no field 'gene'; it has none"),
    ],
)
def test_wrong_topics_are_named(tmp_path, text, fields, message):
    path = tmp_path / "topics.xml"
    path.write_bytes(text)
    with pytest.raises(UsageError, match=message):
        read_topics(path, fields)


def test_topics_read_no_other_file(tmp_path):
    (tmp_path / "secret").write_text("hidden", encoding="utf-8")
    path = tmp_path / "topics.xml"
    path.write_text(
        f'<!DOCTYPE topics [<!ENTITY a SYSTEM "{tmp_path / "secret"}">]>'
        "<topics><topic number='1'>seen &a;</topic></topics>",
        encoding="utf-8",
    )
    assert "hidden" not in read_topics(path)["1"]


@pytest.fixture
def folder(tmp_path):
    """A TREC collection of two judged topics and one that nobody judged."""
    folder = tmp_path / "trec"
    folder.mkdir()
    queries = ("metformin and the ageing heart", "乳児のマラリアワクチン", "unjudged")
    topics = "".join(
        f"<topic number='{number}'><query>{text}</query></topic>" for number, text in enumerate(queries, 1)
    )
    (folder / "topics-rnd5.xml").write_text(f"<topics>{topics}</topics>", encoding="utf-8")
    judged = "1 0 30000001 2\n1 0 30000002 0\n2 4.5 30000002 1\n2 0 99 1\n1 0 30000003 -1\n"
    (folder / "qrels.txt").write_text(judged, encoding="utf-8")
    return folder


@pytest.fixture
def library(tmp_path, encoder):
    """A library of three PubMed records."""
    path = tmp_path / "pubmed.xml"
    write_pubmed(path, RECORDS[:3])
    index_files([path], tmp_path / "library", encoder, Silent())
    return tmp_path / "library"


def test_trec_topics_are_searched_in_a_library(folder, library, capsys):
    assert bioglot(["evaluate", str(folder), "--library", str(library), "--mode", "dense", "--json"]) == 0
    printed = capsys.readouterr()
    document = json.loads(printed.out)
    assert (document["collection"], document["split"]) == ("trec", "qrels")
    assert (document["queries"], document["documents"]) == (2, 3)
    assert document["measures"]["Success@1"] == 1
    assert document["measures"]["R@10"] == pytest.approx(0.75)  # Of topic 2, document 99 is nowhere.
    assert "1 of 3 relevant documents are not in the library" in printed.err


def test_trec_topics_with_a_corpus_of_their_own(folder, tmp_path, capsys):
    texts = {"30000001": "Metformin and the heart", "30000002": "Vaccination against malaria"}
    lines = [{"_id": id, "text": text} for id, text in texts.items()]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "corpus.jsonl").write_text(text, encoding="utf-8")
    arguments = ["evaluate", str(folder), "--library", str(tmp_path / "own"), "--mode", "lexical", "--json"]
    assert bioglot(arguments) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["measures"]["Success@1"] == 0.5  # No word of the Japanese topic is in the corpus.


def test_a_library_without_the_judged_documents_is_refused(folder, library, capsys):
    (folder / "qrels.txt").write_text("1 0 NCT01 2\n", encoding="utf-8")
    assert bioglot(["evaluate", str(folder), "--library", str(library)]) == 2
    assert "none of the 1 relevant documents of trec is in library" in capsys.readouterr().err


def test_a_collection_without_documents_needs_a_library(folder, tmp_path, capsys):
    assert bioglot(["evaluate", str(folder), "--library", str(tmp_path / "none")]) == 2
    assert "trec has no corpus.jsonl, and there is no library at" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1 0 11\n", r"qrels\.txt, line 6: \['1', '0', '11'\], expected query, iteration, document, grade"),
        ("1 0 11 2 0.5\n", r"qrels\.txt, line 6"),
        ("1 0 11 yes\n", r"qrels\.txt, line 6"),
        ("8 0 11 1\n", r"qrels\.txt: query '8' is not in topics-rnd5\.xml"),
    ],
)
def test_a_wrong_judgement_is_named(folder, line, message):
    with (folder / "qrels.txt").open("a", encoding="utf-8") as out:
        out.write(line)
    with pytest.raises(UsageError, match=message):
        read_collection(folder)


def test_which_of_several_files_is_not_guessed(folder):
    (folder / "qrels-2.txt").write_text("1 0 11 2\n", encoding="utf-8")
    with pytest.raises(
        UsageError, match=r"several files with 'qrels' in their names.*qrels-2\.txt, qrels\.txt"
    ):
        read_collection(folder)
    for file in folder.glob("qrels*"):
        file.unlink()
    with pytest.raises(UsageError, match="no file with 'qrels' in its name"):
        read_collection(folder)
