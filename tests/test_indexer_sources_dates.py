"""Dates of PubMed records."""

import pytest
from lxml import etree

from indexer.citation import PartialDate
from indexer.sources.dates import parse_wording, read_date


@pytest.mark.parametrize(
    ("inner", "date"),
    [
        ("<Year>2021</Year><Month>06</Month><Day>07</Day>", PartialDate(2021, 6, 7)),
        ("<Year>2021</Year><Month>Jun</Month><Day>7</Day>", PartialDate(2021, 6, 7)),
        ("<Year> 2021 </Year><Month>September</Month>", PartialDate(2021, 9)),
        ("<Year>2021</Year>", PartialDate(2021)),
        ("<Year>1999</Year><Season>Fall</Season>", PartialDate(1999, 9, None, "1999 Fall")),
        ("<MedlineDate>1998 Dec-1999 Jan</MedlineDate>", PartialDate(1998, 12, None, "1998 Dec-1999 Jan")),
        ("<Year>2021</Year><Month>02</Month><Day>30</Day>", PartialDate(2021, 2, None, "2021 02 30")),
        ("<Year>2021</Year><Month>13</Month>", PartialDate(2021, None, None, "2021 13")),
        ("<Year>soon</Year>", PartialDate(None, None, None, "soon")),
        ("<Year>٢٠٢١</Year>", PartialDate(None, None, None, "٢٠٢١")),
        ("<Year/>", PartialDate()),
        ("", PartialDate()),
    ],
)
def test_date(inner, date):
    assert read_date(etree.fromstring(f"<PubDate>{inner}</PubDate>")) == date


def test_no_date():
    assert read_date(None) == PartialDate()


@pytest.mark.parametrize(
    ("text", "year", "month", "day"),
    [
        ("1998 Dec-1999 Jan", 1998, 12, None),
        ("1999-2000", 1999, None, None),
        ("2001 Spring", 2001, 3, None),
        ("2001 Summer-Fall", 2001, 6, None),
        ("Autumn 2003", 2003, 9, None),
        ("Winter 1978", 1978, 1, None),
        ("1979-1980 Fall", 1979, 9, None),
        ("1999 Apr 10-17", 1999, 4, 10),
        ("1999 Aug 30-Sep 5", 1999, 8, 30),
        ("1999 Apr-Jun 12", 1999, 4, None),
        ("Jul-Oct 1987", 1987, 7, None),
        ("Sept 1987", 1987, 9, None),
        ("2008 3rd Quarter", 2008, 7, None),
        ("1st Quart 1990", 1990, 1, None),
        ("1999 Feb 30-31", 1999, 2, None),
        ("1976Jan-Feb", 1976, 1, None),
        ("mayor of 1976", 1976, None, None),
        ("12345", None, None, None),
        ("undated", None, None, None),
    ],
)
def test_date_in_words(text, year, month, day):
    assert parse_wording(text) == PartialDate(year, month, day, text)
