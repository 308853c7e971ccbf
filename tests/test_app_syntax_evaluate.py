"""A query over small records: set algebra against a reading of each record by itself."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.syntax.evaluate import evaluate, positive_text
from app.syntax.fields import Field
from app.syntax.parse import parse_boolean
from app.syntax.tree import And, DateLeaf, IdLeaf, Not, Or, TextLeaf, ValueLeaf
from indexer.citation import PartialDate
from tests.citations import LIBRARY
from tests.query_trees import trees

FIRST_DAY, LAST_DAY = (1, 1), (12, 31)


def holds(leaf, citation):
    """Whether a leaf holds for one citation, read naively from the record."""
    match leaf:
        case TextLeaf(text=text):
            spoken = " ".join([citation.title, *(section.text for section in citation.abstract)]).casefold()
            words = spoken.replace(".", " ").split()
            wanted = text.casefold()
            return any(word.startswith(wanted) if leaf.prefix else word == wanted for word in words)
        case ValueLeaf(field=Field.LANGUAGE, value=value):
            return value in citation.languages
        case ValueLeaf(value=value):
            return value.casefold() in {heading.name.casefold() for heading in citation.mesh}
        case DateLeaf(first=first, last=last):
            year, month, day = citation.published.year, citation.published.month, citation.published.day
            start = (first.year, first.month or 1, first.day or 1)
            end = (last.year, last.month or 12, last.day or 31)
            return start <= (year, month or 1, day or 1) <= end
        case IdLeaf(value=value):
            return citation.pmid == value


class BruteForce:
    """A matcher that reads every record for every leaf."""

    def __init__(self, gone=()):
        self.gone = gone

    def everything(self):
        return np.array([citation.pmid not in self.gone for citation in LIBRARY])

    def _mask(self, leaf):
        return self.everything() & np.array([holds(leaf, citation) for citation in LIBRARY])

    text = value = date = id = _mask


def found(query, matcher=None):
    mask = evaluate(parse_boolean(query), matcher or BruteForce())
    assert mask.dtype == np.bool_
    return [citation.pmid for citation, hit in zip(LIBRARY, mask.tolist(), strict=True) if hit]


@pytest.mark.parametrize(
    ("query", "pmids"),
    [
        ("vaccin*", ["101"]),
        ("heart OR malaria", ["102", "103"]),
        ("screening NOT cancer", ["106"]),
        ("NOT english[la] NOT en[la]", ["105"]),
        ("NOT en[la]", ["105"]),
        ("NOT (en[la] OR fr[la])", []),
        ("influenza vaccines[mh] OR 2018[dp]", ["101", "102"]),
        ("(malaria OR heart) AND 2010:3000[dp]", ["102"]),
        ("malaria OR heart AND 2010:3000[dp]", ["102"]),
        ("malaria OR (heart AND 2010:3000[dp])", ["102", "103"]),
        ("2021/03:2021/04/30[dp]", ["108"]),
        ("101 109[pmid] NOT flu", ["109"]),
    ],
)
def test_queries_over_the_small_library(query, pmids):
    assert found(query) == pmids


def test_not_leaves_out_what_is_not_in_the_library():
    assert found("NOT en[la]", BruteForce(gone=("105",))) == []
    assert len(found("NOT zz[la]", BruteForce(gone=("105", "110")))) == len(LIBRARY) - 2


def test_masks_of_the_matcher_are_left_alone():
    class Remembering(BruteForce):
        kept = np.zeros(len(LIBRARY), np.bool_)

        def text(self, leaf):
            return self.kept

    found("a OR (NOT b) OR 101[pmid] AND c", Remembering())
    assert not Remembering.kept.any()


def naive(node, citation):
    """A tree read for one citation alone, by its definition."""
    if isinstance(node, And):
        return all(naive(part, citation) for part in node.parts)
    if isinstance(node, Or):
        return any(naive(part, citation) for part in node.parts)
    if isinstance(node, Not):
        return not naive(node.part, citation)
    return holds(node, citation)


small_leaves = st.sampled_from(
    [
        TextLeaf(Field.ALL, "in"),
        TextLeaf(Field.ALL, "of"),
        TextLeaf(Field.ALL, "screen", prefix=True),
        TextLeaf(Field.ALL, "the"),
        ValueLeaf(Field.LANGUAGE, "fr"),
        ValueLeaf(Field.MESH, "Pregnancy"),
        DateLeaf(Field.PUBLISHED, PartialDate(2005), PartialDate(2020, 4)),
        IdLeaf(Field.PMID, "104"),
    ]
)


@given(trees(small_leaves))
def test_set_algebra_equals_reading_each_record(tree):
    expected = [naive(tree, citation) for citation in LIBRARY]
    assert evaluate(tree, BruteForce()).tolist() == expected


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("(flu OR Influenza) AND vaccin*[tiab] AND 2020:2024[dp]", "flu Influenza vaccin"),
        ('"heart attack"[ti] AND rehabilitation NOT (review[pt] OR mice)', "heart attack rehabilitation"),
        ("flu[ti] OR vaccine OR FLU[ab]", "flu vaccine"),
        ("心筋梗塞 AND リハビリ*", "心筋梗塞 リハビリ"),
        ("asthma[mh] AND Diop A[au] AND 12[vi]", ""),
        ("NOT animals", ""),
        ("a OR NOT NOT b", "a"),
    ],
)
def test_positive_text(query, text):
    assert positive_text(parse_boolean(query)) == text


def test_deep_trees_are_evaluated():
    deep = "heart" + " OR malaria AND in" * 500
    assert found(deep) == found("(heart OR malaria) AND in")
    assert positive_text(parse_boolean(deep)) == "heart malaria in"
