import pytest

from indexer.errors import LibraryError
from indexer.library import create_library
from indexer.passages import citation_text
from indexer.texts import library_texts
from indexer.upsert import upsert, withdraw
from tests.citations import LIBRARY, citation
from tests.hash_encoder import HashEncoder


def test_every_citation_gives_its_title_and_abstract(tmp_path):
    library = create_library(tmp_path, HashEncoder())
    upsert(library, [*LIBRARY, citation(999, title="")])
    found = list(library_texts(tmp_path))
    assert sorted(found) == sorted(citation_text(record) for record in LIBRARY)
    assert all(found)


def test_deleted_citations_are_left_out(tmp_path):
    library = create_library(tmp_path, HashEncoder())
    upsert(library, [citation(1, "Herzinsuffizienz"), citation(2, "心不全")])
    withdraw(library, ["pmid:1"])
    assert list(library_texts(tmp_path)) == ["心不全"]


def test_a_folder_without_a_library_is_an_error(tmp_path):
    with pytest.raises(LibraryError, match="no library at"):
        list(library_texts(tmp_path))
