"""Records of several sources, versions and files in one library, in any order."""

from dataclasses import replace
from itertools import permutations

import pytest

from indexer.citation import ArticleId, Keyword, PartialDate
from indexer.library import create_library
from indexer.merging import Part, merge
from indexer.tables import decode_parts
from indexer.upsert import UpsertCounts, upsert, withdraw
from tests.citations import citation
from tests.hash_encoder import HashEncoder
from tests.test_indexer_merging import DOI, PUBMED, RIS, TITLE

NEXT = Part(PUBMED, "pubmed26n0002.xml.gz", release=2_600_002)
MINE = Part(RIS, "mine.ris")
WORDS = Part(
    replace(RIS, id="words:1", source="bibtex", article_ids=(), keywords=(Keyword("bib"),)), "mine.bib"
)


@pytest.fixture
def library(tmp_path):
    return create_library(tmp_path / "library", HashEncoder())


def held(library):
    """Every record in the library and what it was made of."""
    table = library.citations().to_table().sort_by("id")
    return {row["id"]: decode_parts(row) for row in table.to_pylist()}


@pytest.mark.parametrize("parts", list(permutations([NEXT, MINE, WORDS])))
@pytest.mark.parametrize("together", [False, True], ids=["one by one", "one batch"])
def test_records_of_one_work_become_one_citation_in_any_order(library, parts, together):
    for batch in [parts] if together else [[part] for part in parts]:
        upsert(library, batch)
    [(id, found)] = held(library).items()
    assert id == "pmid:7"
    assert sorted(part.file for part in found) == ["mine.bib", "mine.ris", "pubmed26n0002.xml.gz"]
    assert library.read([id]) == {id: merge(found)}
    version = library.citations().version
    assert upsert(library, parts) == UpsertCounts(unchanged=3)
    assert library.citations().version == version


def test_counts_tell_what_joined(library):
    assert upsert(library, [MINE]) == UpsertCounts(added=1)
    assert upsert(library, [NEXT, WORDS]) == UpsertCounts(updated=2, merged=2)


def test_the_newer_record_of_a_source_replaces_the_older_and_others_stay(library):
    upsert(library, [MINE, NEXT])
    revised = replace(PUBMED, title=f"{TITLE}, revised", revised=PartialDate(2026, 2, 1))
    assert upsert(library, [Part(revised, "pubmed26n0900.xml.gz", release=2_600_900)]) == UpsertCounts(
        updated=1
    )
    assert upsert(library, [NEXT]) == UpsertCounts(superseded=1)
    mended = replace(RIS, keywords=(Keyword("mended"),))
    assert upsert(library, [Part(mended, "mine.ris")]) == UpsertCounts(updated=1)
    [citation] = library.read(["pmid:7"]).values()
    assert (citation.title, citation.keywords) == (revised.title, mended.keywords)
    assert len(held(library)["pmid:7"]) == 2


def test_the_same_record_under_another_name_is_not_kept_twice(library):
    upsert(library, [MINE])
    assert upsert(library, [Part(RIS, "copy of mine.ris")]) == UpsertCounts(unchanged=1)
    assert held(library) == {RIS.id: [MINE]}


def test_two_records_of_one_work_in_one_file_are_both_kept_and_stay_as_they_are(library):
    other = replace(RIS, notes=("from Scopus",))
    parts = [MINE, Part(other, "mine.ris", nth=1)]
    upsert(library, parts)
    assert held(library) == {RIS.id: parts}
    assert upsert(library, parts) == UpsertCounts(unchanged=2)


def test_two_records_of_pubmed_never_become_one(library):
    twin = replace(PUBMED, id="pmid:8", article_ids=(ArticleId("pubmed", "8"), DOI))
    assert upsert(library, [PUBMED, twin, MINE]).added == 2
    assert {id: len(parts) for id, parts in held(library).items()} == {"pmid:7": 2, "pmid:8": 1}


def test_a_record_that_ties_two_others_joins_all_three(library):
    number = replace(RIS, id="pmc:PMC9", source="jats", article_ids=(ArticleId("pmc", "PMC9"),), title="Otro")
    tie = replace(RIS, source="table", id="pmc:PMC9", article_ids=(ArticleId("pmc", "PMC9"), DOI))
    upsert(library, [MINE, Part(number, "a.xml")])
    assert len(held(library)) == 2
    assert upsert(library, [Part(tie, "a.csv")]) == UpsertCounts(updated=1, merged=1)
    assert [(id, len(parts)) for id, parts in held(library).items()] == [("pmc:PMC9", 3)]


def test_rows_that_a_kill_left_apart_are_joined_by_the_next_run(library):
    upsert(library, [MINE])
    before = library.citations().to_table()
    upsert(library, [NEXT])
    [whole] = held(library).values()
    library.citations().merge_insert("id").when_not_matched_insert_all().execute(before)
    assert len(held(library)) == 2
    assert upsert(library, [NEXT]) == UpsertCounts(unchanged=1)
    assert held(library) == {"pmid:7": whole}


def test_the_number_of_a_file_goes_before_the_date_of_revision(library):
    later = replace(PUBMED, title="Later", revised=PartialDate(2026, 5, 1))
    upsert(library, [Part(later, "pubmed26n0001.xml.gz", release=2_600_001)])
    assert upsert(library, [NEXT]) == UpsertCounts(updated=1)
    assert upsert(library, [Part(later, "efetch.xml")]) == UpsertCounts(updated=1)


def test_an_unchanged_record_in_a_later_file_guards_against_one_between(library):
    upsert(library, [NEXT])
    assert upsert(library, [Part(PUBMED, "pubmed26n0009.xml.gz", release=2_600_009)]) == UpsertCounts(
        unchanged=1
    )
    between = replace(PUBMED, title="Between")
    counts = upsert(library, [Part(between, "pubmed26n0005.xml.gz", release=2_600_005)])
    assert counts == UpsertCounts(superseded=1)
    assert held(library)["pmid:7"][0].release == 2_600_009


def test_what_pubmed_withdraws_stays_where_others_tell_of_it(library):
    upsert(library, [NEXT, citation(8, "Another"), MINE])
    assert withdraw(library, ["pmid:7", "pmid:8", "pmid:9"], 2_600_003) == 2
    assert held(library) == {RIS.id: [MINE]}
    assert withdraw(library, [RIS.id], 2_600_003) == 0


def test_what_is_left_joins_pubmeds_other_record_of_the_work(library):
    twin = replace(PUBMED, id="pmid:8", article_ids=(ArticleId("pubmed", "8"), DOI))
    upsert(library, [PUBMED, MINE, twin])
    assert withdraw(library, ["pmid:7"]) == 1
    assert held(library) == {"pmid:8": [Part(twin), MINE]}


def test_a_deletion_does_not_reach_what_came_later(library):
    upsert(library, [NEXT])
    assert withdraw(library, ["pmid:7"], 2_600_001) == 0
    assert withdraw(library, ["pmid:7"], 2_600_002) == 1
