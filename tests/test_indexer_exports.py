"""What is written in a format and read again is the same citation, in any script."""

from dataclasses import replace

import pytest
from citation_strategies import ANY_TEXT, FEW, PEOPLE, WORDS, citations, dates
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from medline_records import RECORDS as TEXT
from ris_records import BARE, EMBASE, ENDNOTE, OVID, SCOPUS, ZOTERO

from indexer.citation import ArticleId, Citation, Journal, Section, Term
from indexer.exports.formats import WRITERS, write_citations
from indexer.exports.medline import folded
from indexer.sources.archive import Text
from indexer.sources.detect import detect_source, read_file
from models.errors import UsageError

MANY = settings(max_examples=300, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))


def again(format, *records):
    """Records written in a format and read from that text, whose form is told by its content."""
    text = Text("export", "".join(write_citations(records, format)))
    return list(read_file(text))


@given(st.lists(citations(ANY_TEXT), min_size=1, max_size=2))
@MANY
def test_json_holds_everything(records):
    assert again("jsonl", *records) == records


@pytest.mark.parametrize("format", ["nbib", "ris", "bibtex", "csv"])
@given(citations(FEW))
@MANY
def test_what_a_format_held_it_holds_again(format, record):
    (first,) = again(format, record)
    assert again(format, first) == [first]


PLAIN = st.builds(
    Citation,
    id=st.integers(1, 10**8 - 1).map(lambda number: f"pmid:{number}"),
    title=WORDS,
    vernacular_title=WORDS,
    title_translated=st.booleans(),
    abstract=st.one_of(
        st.just(()),
        WORDS.map(lambda text: (Section(text),)),
        st.tuples(WORDS, WORDS).map(lambda t: (Section(f"{t[0]}.", "AIM"), Section(f"{t[1]}.", "RESULTS"))),
    ),
    languages=st.lists(st.sampled_from(["en", "fr", "zh", "wo", "sat"]), unique=True, max_size=2).map(tuple),
    journal=st.builds(Journal, title=WORDS),
    volume=WORDS,
    issue=WORDS,
    pages=st.sampled_from(["1-9", "e12", "101-9", ""]),
    published=dates(),
    authors=st.lists(PEOPLE, max_size=3).map(tuple),
    publication_types=st.just((Term("Journal Article"),)),
)


@pytest.mark.parametrize("format", ["nbib", "ris", "bibtex", "csv"])
@given(PLAIN)
@MANY
def test_the_fields_that_every_format_has_stay_as_they_were(format, record):
    record = replace(
        record,
        source={"nbib": "medline", "csv": "table"}.get(format, format),
        article_ids=(ArticleId("pubmed", record.pmid), ArticleId("doi", f"10.5555/{record.pmid}")),
    )
    (found,) = again(format, record)
    url = ArticleId("url", f"https://pubmed.ncbi.nlm.nih.gov/{record.pmid}/")
    ids = tuple(item for item in found.article_ids if item != url)
    assert replace(found, article_ids=ids) == record


@pytest.mark.parametrize("format", ["nbib", "ris"])
def test_records_of_a_format_come_back_as_they_were(format):
    source = {"nbib": "\n".join(TEXT), "ris": ENDNOTE + ZOTERO + OVID + EMBASE + SCOPUS + BARE}[format]
    records = list(read_file(Text("original", source)))
    assert len(records) > 2
    for record, found in zip(records, again(format, *records), strict=True):
        assert found.id == record.id
        for name in ("title", "abstract", "authors", "published", "languages", "volume", "pages", "book"):
            assert getattr(found, name) == getattr(record, name), name


def test_long_fields_are_folded_between_words():
    text = folded("AB", "word " * 40 + "x" * 100 + " end")
    lines = text.splitlines()
    assert lines[0].startswith("AB  - word word")
    assert all(line.startswith("      ") for line in lines[1:])
    assert all(len(line) <= 88 for line in lines if "xxx" not in line)


def test_forms_are_told_apart():
    record = Citation("pmid:7", title="A title", article_ids=(ArticleId("pubmed", "7"),))
    told = {
        format: detect_source(Text("x", "".join(write_citations([record], format)))) for format in WRITERS
    }
    assert told == {"nbib": "medline", "ris": "ris", "bibtex": "bibtex", "csv": "table", "jsonl": "jsonl"}


def test_unknown_format():
    with pytest.raises(UsageError, match="unknown format 'docx', expected ris, nbib, bibtex, csv, jsonl"):
        write_citations([], "docx")
