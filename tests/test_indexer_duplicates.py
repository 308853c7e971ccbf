"""Which records are of one article, and which only look alike."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pyarrow as pa
import pytest

from indexer.citation import Author, Citation, Correction, Journal, OtherAbstract, PartialDate, Section, Term
from indexer.duplicates import MOST_CANDIDATES, duplicate_keys, same_article, write_groups
from tests.citations import citation

TEXT = (
    "We followed 214 children with coeliac disease for two years. Adherence to the gluten-free diet was good "
    "in 70 % and worse among adolescents. A dietician's visit every six months went with better adherence."
)
AUTHORS = tuple(Author(last_name=name) for name in ("Díaz", "Ōe", "Krüger", "N'Diaye"))
PREPRINT = (Term("Preprint"),)


def paper(pmid: int, title: str, abstract: str = TEXT, journal: str = "J1", **fields: object) -> Citation:
    values = {"authors": AUTHORS, "volume": "94", "issue": "6", "pages": "377-84", **fields}
    return citation(pmid, title, abstract, journal=Journal(title=journal, nlm_id=journal), **values)


ENGLISH = paper(11, "Adherence to the gluten-free diet in coeliac children.", journal="Ann Ped (Engl Ed)")
FRENCH = paper(
    12,
    "Study of adherence to the gluten-free diet in coeliac children",
    journal="Ann Ped",
    title_translated=True,
    vernacular_title="Étude de l'observance du régime sans gluten chez les enfants cœliaques.",
    languages=("fr",),
    other_abstracts=(OtherAbstract("fr", "Publisher", (Section("Nous avons suivi 214 enfants."),)),),
)


def groups(tmp_path, records):
    """Sets of ids of more than one record, as they would be published."""
    ordered = sorted(records, key=lambda record: record.id)
    ids = [record.id for record in ordered]
    keys = pa.chunked_array([pa.array(map(duplicate_keys, ordered), pa.list_(pa.int64()))])
    by_id = {record.id: record for record in ordered}
    table = pa.table({"id": ids, "duplicate_keys": keys})
    write_groups(tmp_path, table, lambda wanted: {id: by_id[id] for id in wanted})
    numbers = np.load(tmp_path / "groups.npy")
    assert numbers.dtype == np.int32
    members = [{ids[number] for number in np.flatnonzero(numbers == group)} for group in np.unique(numbers)]
    assert all(ids[group] == min(found) for group, found in zip(np.unique(numbers), members, strict=True))
    return [found for found in members if len(found) > 1]


@pytest.mark.parametrize(
    "records",
    [
        (ENGLISH, FRENCH),
        (ENGLISH, replace(FRENCH, abstract=(), other_abstracts=())),
        (ENGLISH, replace(ENGLISH, id="pmid:99")),
        (
            ENGLISH,
            replace(
                ENGLISH,
                id="pmid:99",
                authors=(Author(last_name="Diaz"), *AUTHORS[1:3], Author(last_name="Ndiaye")),
            ),
        ),
        (ENGLISH, replace(ENGLISH, id="pmid:99", volume="", issue="", pages="")),
        (
            paper(21, "Gluten in infancy.", corrections=(Correction("UpdateOf", "bioRxiv", "22"),)),
            paper(
                22,
                "Early gluten",
                "Another text.",
                "bioRxiv",
                volume="",
                pages="",
                publication_types=PREPRINT,
                corrections=(Correction("UpdateIn", "J1", "21"),),
            ),
        ),
        (
            paper(31, "Thirst", corrections=(Correction("RepublishedIn", "J2", "32"),)),
            paper(
                32, "On thirst", "", "J2", pages="1", corrections=(Correction("RepublishedFrom", "J1", "31"),)
            ),
        ),
        (
            paper(41, "心筋梗塞後の心臓リハビリテーション", ""),
            paper(42, "心筋梗塞後の心臓リハビリテーション。", ""),
        ),
    ],
    ids=[
        "English and translation",
        "no abstract",
        "twice",
        "names spelled otherwise",
        "ahead of print",
        "preprint",
        "reprint",
        "Japanese",
    ],
)
def test_records_of_one_article_are_found(tmp_path, records):
    for first, second in permutations(records, 2):
        assert same_article(first, second)
    assert groups(tmp_path, records) == [{record.id for record in records}]


def part(pmid, number, **fields):
    return paper(pmid, f"A pictorial history of dentistry. Part {number}", "", **fields)


@pytest.mark.parametrize(
    "records",
    [
        (part(1, "I", pages="11-3"), part(2, "II", pages="14-9")),
        (part(1, "VIII", issue="9"), part(2, "IX", issue="10")),
        (part(1, "I", volume="", pages=""), part(2, "II", volume="", pages="")),
        (ENGLISH, replace(ENGLISH, id="pmid:99", authors=(Author(last_name="Wang"),))),
        (ENGLISH, replace(ENGLISH, id="pmid:99", pages="385", abstract=())),
        (ENGLISH, replace(ENGLISH, id="pmid:99", pages="385", abstract=(Section(TEXT[:90]),))),
        (paper(1, "Enhancing fetal haemoglobin.", ""), paper(2, "New target for anorexia.", "")),
        (paper(1, "Reply.", "", pages="1"), paper(2, "Reply.", "", pages="2")),
        (paper(1, "Introduction", ""), paper(2, "Introduction", "", authors=(Author(last_name="Wang"),))),
        (paper(1, "", "", volume="", pages=""), paper(2, "", "", volume="", pages="")),
        (paper(1, "Annual report", "", authors=()), paper(2, "Annual report", "", authors=())),
        (ENGLISH, replace(ENGLISH, id="pmid:99", publication_types=(Term("Published Erratum"),))),
        (ENGLISH, replace(ENGLISH, id="pmid:99", publication_types=(Term("Retracted Publication"),))),
        (ENGLISH, replace(ENGLISH, id="pmid:99", corrections=(Correction("CommentOn", "J", "11"),))),
        (ENGLISH, replace(ENGLISH, id="pmid:99", corrections=(Correction("UpdateOf", "J", "11"),))),
        (
            ENGLISH,
            replace(
                ENGLISH, id="pmid:99", corrections=(Correction("CorrectedandRepublishedFrom", "J", "11"),)
            ),
        ),
    ],
    ids=[
        "parts on other pages",
        "parts in other issues",
        "parts without pages",
        "other authors",
        "other pages, no abstract",
        "other pages, another abstract",
        "news on one page",
        "replies",
        "introductions by others",
        "nothing to tell by",
        "no authors",
        "its erratum",
        "a retracted one",
        "a comment",
        "an update",
        "the corrected one",
    ],
)
def test_what_looks_alike_stays_apart(tmp_path, records):
    for first, second in permutations(records, 2):
        assert not same_article(first, second)
    assert groups(tmp_path, records) == []


def test_a_chain_is_one_group_named_by_its_first(tmp_path):
    ahead = replace(ENGLISH, id="pmid:10", volume="", issue="", pages="")
    alone = citation(13, "Another matter", published=PartialDate(2020))
    assert groups(tmp_path, [FRENCH, alone, ENGLISH, ahead]) == [{"pmid:10", "pmid:11", "pmid:12"}]


def test_a_key_that_very_many_share_is_a_coincidence(tmp_path):
    copies = [replace(ENGLISH, id=f"pmid:{1000 + number}") for number in range(MOST_CANDIDATES + 1)]
    assert groups(tmp_path, copies) == []
    assert groups(tmp_path, copies[:-1]) == [{copy.id for copy in copies[:-1]}]


def test_no_records_are_no_groups(tmp_path):
    assert groups(tmp_path, []) == []
