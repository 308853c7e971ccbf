import numpy as np
import pyarrow as pa
import pytest

from indexer.columns import read_columns, write_columns
from indexer.merging import Part
from indexer.tables import CITATIONS, MULTIVALUED, citation_rows
from tests.citations import LIBRARY


@pytest.fixture
def columns(tmp_path):
    rows = citation_rows([Part(record)] for record in LIBRARY[::-1])
    row_ids = pa.array(np.arange(50, 50 + len(LIBRARY), dtype=np.uint64))
    write_columns(tmp_path, rows.append_column("_rowid", row_ids))
    return read_columns(tmp_path)


def ids(columns, mask):
    return {columns.id(number) for number in np.flatnonzero(mask)}


def test_ids_are_sorted_and_numbered(columns):
    assert columns.ids.tolist() == sorted(record.id.encode() for record in LIBRARY)
    assert columns.numbers(["pmid:103", "pmid:1", "pmid:999", "pmid:101"]).tolist() == [2, -1, -1, 0]
    assert columns.numbers([]).tolist() == []


@pytest.mark.parametrize(
    ("field", "values", "want"),
    [
        ("languages", ["fr"], {"pmid:105"}),
        ("languages", ["xx"], set()),
        ("journals", ["diabetes notes"], {"pmid:104"}),
        ("journals", ["Diab Notes"], {"pmid:104"}),
        ("publication_types", ["randomized controlled trial"], {"pmid:102"}),
        ("mesh", ["Pregnancy", "Myocardial Infarction"], {"pmid:101", "pmid:102"}),
    ],
)
def test_a_field_selects_by_any_of_its_values(columns, field, values, want):
    assert ids(columns, columns.fields[field].mask(values, len(columns.ids))) == want


def test_row_ids_lead_to_numbers(columns):
    last = 50 + len(LIBRARY) - 1
    numbers = columns.numbers_of_rows(np.array([last, 50], np.uint64))
    assert [columns.id(number) for number in numbers] == ["pmid:101", "pmid:110"]


def test_counts_are_by_citation_most_frequent_first(columns):
    assert columns.fields["languages"].counts() == {"en": 9, "fr": 1}
    assert list(columns.fields["languages"].counts()) == ["en", "fr"]


def test_years_and_abstracts_follow_the_ids(columns):
    by_id = dict(zip(columns.ids.tolist(), columns.years.tolist(), strict=True))
    assert by_id[b"pmid:105"] == 1979
    assert by_id[b"pmid:101"] == 2020
    assert ids(columns, ~columns.has_abstract) == {"pmid:105"}


def test_an_empty_table_has_empty_columns(tmp_path):
    write_columns(tmp_path, CITATIONS.append(pa.field("_rowid", pa.uint64())).empty_table())
    columns = read_columns(tmp_path)
    assert columns.numbers(["pmid:1"]).tolist() == [-1]
    assert [columns.fields[name].counts() for name in MULTIVALUED] == [{}] * len(MULTIVALUED)
