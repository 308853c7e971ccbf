"""From text to tree and back, and which texts are meant as queries."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.syntax.fields import UNANSWERED_NAMES, Field
from app.syntax.parse import describe, is_boolean, parse_boolean
from app.syntax.tree import And, DateLeaf, IdLeaf, Not, Or, TextLeaf, ValueLeaf
from indexer.citation import PartialDate
from models.errors import UsageError
from tests.query_trees import WORDS, leaves, trees

TIAB = Field.TITLE_ABSTRACT
A, B, C, D = (TextLeaf(Field.ALL, letter) for letter in "abcd")


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("a AND b AND c", And((A, B, C))),
        ("a OR b AND c", And((Or((A, B)), C))),
        ("a AND b OR c AND d", And((Or((And((A, B)), C)), D))),
        ("a OR (b AND c)", Or((A, And((B, C))))),
        ("a AND (b AND c)", And((A, B, C))),
        ("a NOT b", And((A, Not(B)))),
        ("a NOT b OR c", Or((And((A, Not(B))), C))),
        ("a AND NOT b", And((A, Not(B)))),
        ("a OR NOT b", Or((A, Not(B)))),
        ("NOT a OR b", Or((Not(A), B))),
        ("NOT (a OR b)", Not(Or((A, B)))),
        ("NOT NOT a", Not(Not(A))),
        ("a b", And((A, B))),
        ("c OR a b", Or((C, And((A, B))))),
        ("(a OR b) c OR d", Or((And((Or((A, B)), C)), D))),
        ("((((a))))", A),
        ("a AND(b)OR(c)", Or((And((A, B)), C))),
        ("a\nAND\tb", And((A, B))),
    ],
)
def test_operators(text, tree):
    assert parse_boolean(text) == tree


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("flu[tiab]", TextLeaf(TIAB, "flu")),
        ("flu [ TIAB ]", TextLeaf(TIAB, "flu")),
        ("flu[Title / Abstract]", TextLeaf(TIAB, "flu")),
        ("vaccin*[tiab]", TextLeaf(TIAB, "vaccin", prefix=True)),
        (
            "heart attac*[ti]",
            And((TextLeaf(Field.TITLE, "heart"), TextLeaf(Field.TITLE, "attac", prefix=True))),
        ),
        ('"heart attac*"[ti]', TextLeaf(Field.TITLE, "heart attac", phrase=True, prefix=True)),
        ('"heart  attack"', TextLeaf(Field.ALL, "heart attack", phrase=True)),
        ('"flu"', TextLeaf(Field.ALL, "flu", phrase=True)),
        ('"hip pain"[Title:~2]', TextLeaf(Field.TITLE, "hip pain", phrase=True, slop=2)),
        ("“heart attack”", TextLeaf(Field.ALL, "heart attack", phrase=True)),
        ("„Herzinfarkt nach“[ti]", TextLeaf(Field.TITLE, "Herzinfarkt nach", phrase=True)),
        ("« crise cardiaque »", TextLeaf(Field.ALL, "crise cardiaque", phrase=True)),
        ("「心筋梗塞」［ＴＩ］", TextLeaf(Field.TITLE, "心筋梗塞", phrase=True)),
        ("（a　ＯＲ　b）\u00a0AND\u200b\u00a0c", And((Or((A, B)), C))),
        ("O’Brien", TextLeaf(Field.ALL, "O’Brien")),
        ("اعتلال*[ti]", TextLeaf(Field.TITLE, "اعتلال", prefix=True)),
        ("HLA-B*57:01[tiab]", TextLeaf(TIAB, "HLA-B*57:01")),
        ("CYP2C19*2*[tiab]", TextLeaf(TIAB, "CYP2C19*2", prefix=True)),
        ("1,25(OH)2D3", TextLeaf(Field.ALL, "1,25(OH)2D3")),
        ('"[18F]FDG"[ti]', TextLeaf(Field.TITLE, "[18F]FDG", phrase=True)),
        ("ANDROGEN", TextLeaf(Field.ALL, "ANDROGEN")),
        ("and/or", TextLeaf(Field.ALL, "and/or")),
        ('"wit AND humor"', TextLeaf(Field.ALL, "wit AND humor", phrase=True)),
        ("Smith J[Author - First]", ValueLeaf(Field.FIRST_AUTHOR, "Smith J")),
        ("Smith*[au]", ValueLeaf(Field.AUTHOR, "Smith", prefix=True)),
        ('"Smith J"[au]', ValueLeaf(Field.AUTHOR, "Smith J")),
        ("asthma/drug therapy[mh]", ValueLeaf(Field.MESH, "asthma/drug therapy")),
        ("asthma[MeSH Terms:noexp]", ValueLeaf(Field.MESH_ALONE, "asthma")),
        ("asthma[MAJR:NoExp]", ValueLeaf(Field.MAJOR_TOPIC_ALONE, "asthma")),
        ("34092429[uid]", IdLeaf(Field.PMID, "34092429")),
        ("1 2,3[pmid]", Or(tuple(IdLeaf(Field.PMID, digit) for digit in "123"))),
        ("10.1016/S0140-6736(20)30183-5[doi]", IdLeaf(Field.ARTICLE_ID, "10.1016/S0140-6736(20)30183-5")),
    ],
)
def test_terms(text, tree):
    assert parse_boolean(text) == tree


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2019[dp]", PartialDate(2019), PartialDate(2019)),
        ("2019/3[dp]", PartialDate(2019, 3), PartialDate(2019, 3)),
        ("2020:2024[dp]", PartialDate(2020), PartialDate(2024)),
        ("2020 : 2024 [dp]", PartialDate(2020), PartialDate(2024)),
        ("2020/03:2021/06/30[dp]", PartialDate(2020, 3), PartialDate(2021, 6, 30)),
        ("2020/05:2020[dp]", PartialDate(2020, 5), PartialDate(2020)),
        ('"2020":"2024"[dp]', PartialDate(2020), PartialDate(2024)),
        ('"2020:2024"[pdat]', PartialDate(2020), PartialDate(2024)),
        (
            '"2020/01/01"[Date - Publication] : "3000"[Date - Publication]',
            PartialDate(2020, 1, 1),
            PartialDate(3000),
        ),
    ],
)
def test_dates(text, first, last):
    assert parse_boolean(text) == DateLeaf(Field.PUBLISHED, first, last)


def test_alternatives_with_filters():
    english = ValueLeaf(Field.LANGUAGE, "english")
    years = DateLeaf(Field.PUBLISHED, PartialDate(2020), PartialDate(2024))
    alternatives = Or((TextLeaf(Field.ALL, "flu"), TextLeaf(Field.ALL, "influenza")))
    tree = parse_boolean("(flu OR influenza) AND 2020:2024[dp] AND english[la]")
    assert tree == And((alternatives, years, english))


@pytest.mark.parametrize(
    ("text", "description"),
    [
        ("a OR b c", "a OR (b AND c)"),
        ("a AND NOT (b OR c) d", "a NOT (b OR c) AND d"),
        ("NOT (NOT a)", "NOT NOT a"),
        (
            "Smith J[Author] « heart attac* »[TITLE:~ 3]".replace("*", ""),
            '"Smith J"[au] AND "heart attac"[ti:~3]',
        ),
        ("2020/3/1 : 2020/03[Entry Date]", "2020/03/01:2020/03[edat]"),
        ("1[uid]", '"1"[pmid]'),
    ],
)
def test_descriptions(text, description):
    assert describe(parse_boolean(text)) == description


@given(trees(leaves))
def test_descriptions_parse_back(tree):
    assert parse_boolean(describe(tree)) == tree


@pytest.mark.parametrize(
    "text",
    [
        " OR ".join(f"w{number}" for number in range(1_250)),
        "(" * 200 + "a" + ")" * 200,
        "(" * 4_999 + "a" + ")" * 4_999,
        "".join(f"(w{number} {'AND' if number % 2 else 'OR'} " for number in range(200)) + "a" + ")" * 200,
        "a" + " OR b AND c" * 900,
        "NOT " * 2_499 + "a",
    ],
    ids=["wide", "brackets", "only brackets", "nested", "alternating", "negated"],
)
def test_long_and_deep_queries(text):
    description = describe(parse_boolean(text))
    assert describe(parse_boolean(description)) == description
    assert description.replace("(", "").replace(")", "") == text.replace("(", "").replace(")", "")


PIECES = [
    "AND",
    "OR",
    "NOT",
    "(",
    ")",
    '"',
    "[",
    "]",
    "[tiab]",
    "[dp]",
    "[pmid]",
    "[x]",
    "*",
    ":",
    "~",
    "2020",
    " ",
    "“",
    "）",
]


@given(
    st.one_of(
        st.text(),
        st.lists(st.sampled_from(PIECES + WORDS)).map(" ".join),
        st.lists(st.sampled_from(PIECES + WORDS)).map("".join),
    )
)
def test_any_text_is_read_or_refused(text):
    assert is_boolean(text) in (True, False)
    try:
        tree = parse_boolean(text)
    except UsageError as error:
        assert str(error).startswith(("query, character ", "the query is empty"))
        return
    assert parse_boolean(describe(tree)) == tree


@pytest.mark.parametrize("piece", ["a(", '"', "[", "a[b ", "NOT ", ": ", "a*", "[ti]", " ", "a OR "])
def test_long_nonsense_is_refused(piece):
    text = piece * (9_999 // len(piece))
    assert not is_boolean(text) or piece == "a OR "
    with pytest.raises(UsageError):
        parse_boolean(text)


FIELD_LIST = (
    "the fields are [tiab], [ti], [ab], [tw], [all], [tt], [au], [1au], [lastau], [cn], [mh], "
    "[mh:noexp], [majr], [majr:noexp], [sh], [nm], [rn], [ot], [ta], [la], [pt], [vi], [ip], [pg], [si], "
    "[gr], [dp], [edat], [pmid], [aid]"
)
LONE_COLON = (
    "a colon that stands apart joins two dates, and a tag follows them, such as 2020 : 2024[dp]; "
    'a text with one needs quotes, such as "a : b"'
)
STAR = "expected the star at the end of a word, such as cardi*"
NEAR = 'expected two or more words in quotes, none with a star, such as "hip pain"[tiab:~2]'
NO_TERM = (
    "expected a term before a field tag, such as flu[tiab]; "
    'square brackets of a text itself need quotes, such as "[18F]FDG"'
)
DATE = "expected a date or a range of dates, such as 2019[dp], 2019/03/15[dp] or 2019/03:2021[dp]"


@pytest.mark.parametrize(
    ("text", "place", "piece", "problem"),
    [
        ("flu AND", 5, "AND", "expected a term after it, such as flu AND vaccine"),
        ("(flu OR) x", 6, "OR", "expected a term after it, such as flu AND vaccine"),
        ("flu OR NOT", 8, "NOT", "expected a term after it, such as flu AND vaccine"),
        ("AND flu", 1, "AND", "expected a term before it, such as flu AND vaccine"),
        ("flu AND (OR x)", 10, "OR", "expected a term before it, such as flu AND vaccine"),
        ("flu AND OR x", 9, "OR", "expected a term before it, such as flu AND vaccine"),
        (
            "flu AND (a OR (b)",
            9,
            "(",
            "the bracket is not closed; expected a second, such as (flu OR influenza)",
        ),
        ("(flu", 1, "(", "the bracket is not closed; expected a second, such as (flu OR influenza)"),
        ("flu）", 4, ")", "no bracket is open here; expected one before, such as (flu OR influenza)"),
        ("flu AND ()", 9, "(", "nothing between the brackets; expected a term, such as (flu OR influenza)"),
        (
            'flu "heart attack',
            5,
            '"',
            'the quotation mark has no partner; a phrase stands between two, such as "heart attack"',
        ),
        ('""', 1, '""', "expected a letter or a digit in it, such as flu"),
        ("a & b", 3, "&", "expected a letter or a digit in it, such as flu"),
        ("flu[ti", 4, "[", "the square bracket is not closed; a field tag stands in two, such as flu[tiab]"),
        ("flu]", 4, "]", "no square bracket is open here; a field tag stands in two, such as flu[tiab]"),
        ("[18F]FDG AND PET", 1, "[18F]", NO_TERM),
        ("flu AND [ti]", 9, "[ti]", NO_TERM),
        ("flu[ti][ab]", 8, "[ab]", "a term has one field tag; repeat the term, such as flu[ti] OR flu[ab]"),
        (
            "(a OR b)[ti]",
            9,
            "[ti]",
            "a field tag belongs to one term, not to brackets, such as (flu[ti] OR influenza[ti])",
        ),
        (
            "flu[tiabs]",
            4,
            "[tiabs]",
            f'no such field; {FIELD_LIST}; square brackets of a text itself need quotes, such as "[18F]FDG"',
        ),
        ("humans[Filter]", 7, "[Filter]", f"a field of PubMed that cannot be searched here; {FIELD_LIST}"),
        ("cardi*vascular", 6, "*", STAR),
        ("*", 1, "*", STAR),
        ('a "heart* attack"', 9, "*", STAR),
        ("Smith* J[au]", 6, "*", STAR),
        ("a : b", 3, ":", LONE_COLON),
        ("2020 : 2021 AND x", 6, ":", LONE_COLON),
        ("a : b[ti]", 1, "a", LONE_COLON),
        (":2020[dp]", 1, ":", LONE_COLON),
        ("2020[dp] : 2021[edat]", 5, "[dp]", "expected the field of the other date, such as 2020[edat]"),
        ("x 2024:2020[dp]", 1, "x 2024:2020", DATE),
        ("(2024:2020[dp])", 2, "2024:2020", "expected the earlier date first, such as 2020:2024[dp]"),
        (
            "2020/02:2020/01/31[dp]",
            1,
            "2020/02:2020/01/31",
            "expected the earlier date first, such as 2020:2024[dp]",
        ),
        (
            "2021/02/30[dp]",
            1,
            "2021/02/30",
            "there is no date 2021/02/30; expected one such as 2019/03/15[dp]",
        ),
        ('"last 5 years"[dp]', 1, '"last 5 years"', DATE),
        ("2020:[dp]", 1, "2020:", DATE),
        ("PMC9[pmid]", 1, "PMC9", "expected a number, such as 34092429[pmid]"),
        ("10.5555/*[doi]", 1, "10.5555/*", "expected a whole id, without a star, such as 34092429[pmid]"),
        ("hip pain[tiab:~2]", 1, "hip pain", NEAR),
        ('"hip"[tiab:~2]', 1, '"hip"', NEAR),
        ('"hip pai*"[tiab:~2]', 1, '"hip pai*"', NEAR),
        ('"a b"[tiab:~x]', 6, "[tiab:~x]", 'expected 0 to 1,000 words between, such as "hip pain"[tiab:~2]'),
        (
            '"a b"[ti:~1001]',
            6,
            "[ti:~1001]",
            'expected 0 to 1,000 words between, such as "hip pain"[tiab:~2]',
        ),
        (
            '"a b"[mh:~2]',
            6,
            "[mh:~2]",
            'words near each other are found in [ti], [tiab], such as "hip pain"[tiab:~2]',
        ),
        ("x" * 50 + "[dp]", 1, "x" * 39 + "…", DATE),
    ],
)
def test_mistakes_are_named(text, place, piece, problem):
    with pytest.raises(UsageError) as caught:
        parse_boolean(text)
    assert str(caught.value) == f"query, character {place}, {piece!r}: {problem}"


def test_an_empty_query_is_refused():
    for text in ("", " \n"):
        with pytest.raises(UsageError) as caught:
            parse_boolean(text)
        assert str(caught.value) == "the query is empty: type at least one word"


QUERIES = [
    "flu[tiab]",
    "flu [Title/Abstract]",
    "Smith J［au］",
    '"hip pain"[tiab:~2]',
    "asthma[mh:noexp]",
    "humans[filter]",
    "NOT animals[mh]",
    "why flu?[ti]",
    "flu AND vaccine",
    "(flu OR influenza) vaccine",
    '"heart attack" AND rehabilitation',
    "asthma NOT children",
    "asthma AND NOT children",
    "HIV AND TB",
    "インフルエンザ AND ワクチン",
    "грипп ＡＮＤ вакцина",
    "cardi*",
    "ur*",
    "cancer[foo]",
    '("breast cancer"[tiabs]) AND 2020',
    "TGF-β*",
    "HLA-B*",
    "therapy of neoplasm*",
    '"heart attac*"',
    "リハビリ*",
    '"heart attack"',
    "“heart attack”",
    '"heart attack" "aspirin"',
]
QUESTIONS = [
    "flu vaccine in pregnancy",
    "What is the role of IL-6 AND why?",
    "ROLE OF IL-6 AND TNF IN SEPSIS",
    "[Article in French]",
    "[18F]FDG PET",
    "lung disease[COPD] and smoking",
    "benzo[a]pyrene and dibenz[a,h]anthracene",
    "[18F]FDG uptake and [11C]PiB",
    "intracellular [Ca2+] and pH",
    "salt and pepper or sugar",
    "AND gate",
    "flu AND",
    "NOT animals",
    "and/or AND/OR",
    "adjusted OR, 95% CI",
    "HLA-B*57:01 and abacavir",
    "A* search",
    "**bold** text",
    "p < 0.05 *",
    'the "heart attack" of the century',
    '"heart attack',
    '"We have four-month-old mice without diabetes that used to have it," he added.',
    '"Bu günlerde diabetsiz fareler var."',
    "「何も諦めていない。」",
    '"A text ""from a table"" that was quoted"',
    f'"{"a long quotation " * 7}"',
    '""',
    "(flu vaccine)",
    "ANDROGEN receptors",
    "vacuna contra la gripe (embarazo)",
    "心筋梗塞後のリハビリ",
    "",
]


@pytest.mark.parametrize("text", QUERIES)
def test_texts_meant_as_queries(text):
    assert is_boolean(text)


@pytest.mark.parametrize("text", QUESTIONS)
def test_texts_meant_as_questions(text):
    assert not is_boolean(text)


def test_tags_of_pubmed_that_are_not_answered_are_known():
    assert {"filter", "sb", "crdt", "date-create", "isbn", "subject-personal name"} <= UNANSWERED_NAMES
    for name in UNANSWERED_NAMES:
        assert is_boolean(f"x[{name}]")
        with pytest.raises(UsageError, match="a field of PubMed that cannot be searched here"):
            parse_boolean(f"x[{name}]")
