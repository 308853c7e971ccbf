"""Random query trees as the parser makes them, for property tests."""

from hypothesis import strategies as st

from app.syntax.fields import FIELDS, PROXIMITY_FIELDS, Field, Kind
from app.syntax.tree import DateLeaf, IdLeaf, Not, TextLeaf, ValueLeaf, all_of, any_of
from indexer.citation import PartialDate

WORDS = [
    "flu",
    "IL-6",
    "CO₂",
    "心筋梗塞",
    "сердце",
    "βήτα",
    "1,25(OH)2D3",
    "HLA-B*57:01",
    "ANDROGEN",
    "and",
    "O'Brien",
]


def fields(kind):
    return st.sampled_from([entry.field for entry in FIELDS.values() if entry.kind is kind])


words = st.sampled_from(WORDS)
phrases = st.lists(st.sampled_from([*WORDS, "(a", "[18F]FDG", "AND", ":"]), min_size=1, max_size=3).map(
    " ".join
)
spoken = phrases.filter(lambda text: any(map(str.isalnum, text)))
partial_dates = st.one_of(
    st.builds(PartialDate, st.integers(1, 9999)),
    st.builds(PartialDate, st.integers(1, 9999), st.integers(1, 12)),
    st.builds(PartialDate, st.integers(1, 9999), st.integers(1, 12), st.integers(1, 28)),
)


def start(date):
    return date.year, date.month or 1, date.day or 1


def date_leaf(field, one, other):
    return DateLeaf(field, *sorted((one, other), key=start))


leaves = st.one_of(
    st.builds(TextLeaf, fields(Kind.TEXT), words, prefix=st.booleans()),
    st.builds(TextLeaf, fields(Kind.TEXT), spoken, phrase=st.just(True), prefix=st.booleans()),
    st.builds(
        TextLeaf,
        st.sampled_from(sorted(PROXIMITY_FIELDS)),
        st.tuples(words, words).map(" ".join),
        phrase=st.just(True),
        slop=st.integers(0, 1_000),
    ),
    st.builds(ValueLeaf, fields(Kind.VALUE), spoken, st.booleans()),
    st.builds(date_leaf, fields(Kind.DATE), partial_dates, partial_dates),
    st.builds(IdLeaf, st.just(Field.PMID), st.integers(1, 10**8).map(str)),
    st.builds(IdLeaf, st.just(Field.ARTICLE_ID), words),
)


def trees(of_leaves):
    """Trees of up to some dozen leaves, as all_of and any_of make them."""
    return st.recursive(
        of_leaves,
        lambda nodes: st.one_of(
            nodes.map(Not),
            st.lists(nodes, min_size=1, max_size=4).map(all_of),
            st.lists(nodes, min_size=1, max_size=4).map(any_of),
        ),
        max_leaves=15,
    )
