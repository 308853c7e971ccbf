"""Filter items and the limits of a query."""

import pytest

from app.query import FILTER_FIELDS, MAX_LIMIT, MAX_QUERY_CHARACTERS, Filters, Mode, Query, parse_filters
from indexer.signals import SignalKind
from models.errors import UsageError


@pytest.mark.parametrize(
    ("item", "years"),
    [
        ("year=2020", (2020, 2020)),
        ("year=2019:2021", (2019, 2021)),
        ("year=2019:", (2019, None)),
        ("year=:1980", (None, 1980)),
        ("YEAR = 2019 : 2021", (2019, 2021)),
    ],
)
def test_years(item, years):
    assert parse_filters([item]) == Filters(years=years)


def test_every_field_sets_its_own():
    items = ["language=FR", "journal=Lancet", "type=Review", "mesh=Influenza Vaccines", "abstract=true"]
    items += ["signal=Preprint", "without=retracted", "without=retraction-notice"]
    assert parse_filters([*items, "year=2020"]) == Filters(
        years=(2020, 2020),
        languages=("fr",),
        journals=("Lancet",),
        publication_types=("Review",),
        mesh=("Influenza Vaccines",),
        signals=(SignalKind.PREPRINT,),
        without=(SignalKind.RETRACTED, SignalKind.RETRACTION_NOTICE),
        has_abstract=True,
    )


def test_repeated_items_add_values_once_and_in_order():
    assert parse_filters(["language=sw", "language=ja", "language=sw"]).languages == ("sw", "ja")


def test_a_value_may_hold_signs_commas_and_any_script():
    filters = parse_filters(["journal=Revista, serie A=B", "mesh=心筋梗塞"])
    assert filters.journals == ("Revista, serie A=B",)
    assert filters.mesh == ("心筋梗塞",)


def test_no_items_are_no_filters():
    assert parse_filters([]) == Filters()


@pytest.mark.parametrize(
    ("items", "message"),
    [
        (
            ["colour=red"],
            "filter 'colour=red': no field 'colour'; "
            "the fields are year, language, journal, type, mesh, signal, without, abstract",
        ),
        (["french"], "filter 'french': expected FIELD=VALUE, such as year=2019:2021"),
        (["language="], "filter 'language=': no value; expected one such as language=fr"),
        (
            ["year=2019", "year=2020"],
            "filter 'year=2020': year is given twice; give it once, as year=2019:2021",
        ),
        (
            ["year=2021:2019"],
            "filter 'year=2021:2019': expected the first year before the last, such as year=2019:2021",
        ),
        (["year=:"], "filter 'year=:': expected a year or a range of years, such as year=2019:2021"),
        (
            ["year=20x0"],
            "filter 'year=20x0': expected a year of four digits or a range of years, such as year=2019:2021",
        ),
        (
            ["year=٢٠٢٠"],
            "filter 'year=٢٠٢٠': expected a year of four digits or a range of years, such as year=2019:2021",
        ),
        (
            ["without=retraced"],
            "filter 'without=retraced': expected one of retracted, concern, corrected, superseded, preprint, "
            "retraction-notice, concern-notice, erratum-notice, such as without=retracted",
        ),
        (["abstract=maybe"], "filter 'abstract=maybe': expected true or false, such as abstract=true"),
    ],
)
def test_a_wrong_item_is_named(items, message):
    with pytest.raises(UsageError) as caught:
        parse_filters(items)
    assert str(caught.value) == message


def test_every_example_is_valid():
    for entry in FILTER_FIELDS.values():
        assert parse_filters([entry.example]) != Filters()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"text": " \n"}, "the query is empty: type at least one word"),
        ({"text": "x" * (MAX_QUERY_CHARACTERS + 1)}, "the query has 10,001 characters, 10,000 are allowed"),
        ({"text": "x", "limit": 0}, f"limit is 0, expected 1 to {MAX_LIMIT}"),
        ({"text": "x", "limit": 1001}, "limit is 1001, expected 1 to 1000"),
        ({"text": "x", "offset": -1}, "offset is -1, expected 0 or more"),
    ],
)
def test_a_query_out_of_range_is_refused(values, message):
    with pytest.raises(UsageError) as caught:
        Query(**values)
    assert str(caught.value) == message


def test_a_query_has_defaults():
    assert Query("उच्च रक्तचाप") == Query("उच्च रक्तचाप", Mode.HYBRID, Filters(), 10, 0)


@pytest.mark.parametrize("make", [lambda text: Query(text), lambda text: parse_filters([f"journal={text}"])])
def test_half_characters_are_refused(make):
    with pytest.raises(UsageError, match="half a character"):
        make("flu \ud800")
