from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.citation import OtherAbstract, Section
from indexer.passages import citation_text, cut, text_hash, windows
from tests.citations import LIBRARY, citation
from tests.hash_encoder import HashEncoder

WORDS = st.lists(st.text("abcé中 ", min_size=1, max_size=12), max_size=300).map(" ".join)


def test_text_has_title_vernacular_title_and_every_section_with_its_label():
    record = citation(
        1,
        "Title.",
        vernacular_title="Titre.",
        abstract=(Section("Aim text.", "AIM", "OBJECTIVE"), Section("Free text.")),
        other_abstracts=(OtherAbstract("fr", "Publisher", (Section("Autre."),)),),
    )
    assert citation_text(record) == "Title.\nTitre.\nAIM: Aim text.\nFree text."


def test_other_abstract_stands_in_for_a_missing_one():
    record = citation(1, "Title.", other_abstracts=(OtherAbstract("fr", "Publisher", (Section("Autre."),)),))
    assert citation_text(record) == "Title.\nAutre."


def test_a_text_that_fits_is_one_passage():
    [passages] = cut([("pmid:1", "one two three")], HashEncoder(passage_tokens=3))
    assert [(p.key, p.start, p.end, p.text) for p in passages] == [("pmid:1#0", 0, 13, "one two three")]


def test_an_empty_text_has_no_passage():
    assert list(cut([("pmid:1", ""), ("pmid:2", " \n")], HashEncoder())) == [[], []]


@given(WORDS, st.integers(20, 80))
def test_windows_cover_the_text_overlap_and_fit(text, size):
    tokens = HashEncoder().token_spans([text])[0]
    spans = windows(text, tokens, size)
    if not text.strip():
        assert spans == []
        return
    assert spans[0][0] == 0
    assert spans[-1][1] == len(text)
    for start, end in spans:
        assert len(HashEncoder().token_spans([text[start:end]])[0]) <= size
    for (_, end), (start, _) in pairwise(spans):
        assert start < end


def test_windows_begin_at_words_even_if_tokens_do_not():
    text = "abcdef " * 200
    tokens = np.array([(i * 7 + j, i * 7 + j + 3) for i in range(200) for j in (0, 3)], np.int32)
    spans = windows(text, tokens, 60)
    assert len(spans) > 5
    assert {start % 7 for start, _ in spans} == {0}


@pytest.mark.parametrize("record", LIBRARY, ids=lambda record: record.id)
def test_real_tokens_never_exceed_the_encoder(record, encoder):
    [passages] = cut([(record.id, citation_text(record))], encoder)
    counts = [len(spans) for spans in encoder.token_spans([passage.text for passage in passages])]
    assert max(counts) <= encoder.passage_tokens
    assert len(passages) == (1 if record.id != "pmid:108" else len(passages))
    if record.id == "pmid:108":
        assert len(passages) > 1


def test_text_hash_is_signed_64_bits_and_stable():
    assert text_hash("") == text_hash("")
    assert text_hash("a") != text_hash("b")
    assert all(-(2**63) <= text_hash(str(i)) < 2**63 for i in range(1000))
    assert min(text_hash(str(i)) for i in range(1000)) < 0
