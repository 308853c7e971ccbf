"""docs/search-syntax.md says what the syntax is."""

import re

import pytest

from app.syntax.fields import FIELD_NAMES, FIELDS, Field, plain_name
from app.syntax.parse import describe, is_boolean, parse_boolean
from app.syntax.tree import fold
from tests.repository import ROOT

TEXT = (ROOT / "docs/search-syntax.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `\[([^]]+)\]` \| (.+?) \| .+? \| `(.+?)` \|$", TEXT, re.MULTILINE)
QUERIES = "\n".join(re.findall(r"^```query\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)).splitlines()
EQUALITIES = re.findall(r"`([^`]+)` is\s+`([^`]+)`", TEXT)


def test_every_field_has_a_row_with_its_names():
    assert [row[0] for row in ROWS] == list(FIELDS)
    for tag, names, _ in ROWS:
        documented = {plain_name(name) for name in names.split(", ")}
        assert documented == {name for name, field in FIELD_NAMES.items() if field == tag and name != tag}


@pytest.mark.parametrize(("tag", "names", "example"), ROWS)
def test_the_example_of_a_field_asks_for_that_field(tag, names, example):
    node = parse_boolean(example)
    fields = fold(node, lambda leaf: {leaf.field}, lambda part: part, lambda _, left, right: left | right)
    assert fields == {Field(tag)}


def test_documented_queries_are_read():
    assert len(QUERIES) == 4
    for query in QUERIES:
        assert is_boolean(query)
        assert parse_boolean(describe(parse_boolean(query))) == parse_boolean(query)


@pytest.mark.parametrize(("written", "meant"), EQUALITIES)
def test_what_is_said_to_be_equal_is(written, meant):
    assert parse_boolean(written) == parse_boolean(meant)


def test_all_equalities_were_found():
    assert [written for written, _ in EQUALITIES] == ["heart attack[ti]", "a OR b AND c", "a NOT b"]


def test_documented_questions_are_none():
    questions = re.findall(r'"([^"]+)"', TEXT.split("Anything else")[1].split("##")[0])
    assert len(questions) == 4
    assert [question for question in questions if is_boolean(" ".join(question.split()))] == []
