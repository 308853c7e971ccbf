"""Dates of PubMed records, from plain ones to "1998 Dec-1999 Jan" and "Winter 1978"."""

import re
from collections.abc import Mapping
from datetime import date
from functools import lru_cache

from lxml import etree

from indexer.citation import PartialDate

_MONTH_NAMES = "january february march april may june july august september october november december".split()
MONTHS = tuple(name[:3].capitalize() for name in _MONTH_NAMES)
"""As PubMed writes them."""

_MONTHS = {
    name[:length]: number for number, name in enumerate(_MONTH_NAMES, 1) for length in range(3, len(name) + 1)
}
"""English months by any abbreviation of three letters or more."""

_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 1}
"""The month in which a season begins for the order of dates. "Winter 1978" is the first issue of that year
for some journals and its last for others (about half each in NLM's files); the earlier is taken."""

_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
_NAMED = re.compile(r"([A-Za-z]+)\.?(?:\s+(\d{1,2})(?!\d))?")
_DAY = re.compile(r"(\d{4})(?:[ /-]([A-Za-z]{3,9}|\d{1,2})(?:[ /-](\d{1,2}))?)?/*")
_QUARTER = re.compile(r"\b([1-4])(?:st|nd|rd|th)\s+quart", re.IGNORECASE)


def read_date(element: etree._Element | None) -> PartialDate:
    """A date from Year, Month, Day, Season or MedlineDate; a part that makes no sense stays in `text`."""
    if element is None:
        return PartialDate()
    return date_of({child.tag: (child.text or "").strip() for child in element})


def date_of(parts: Mapping[str, str]) -> PartialDate:
    """A date from the texts of its elements, by their names."""
    if "MedlineDate" in parts or "Season" in parts:
        names = ("MedlineDate", "Year", "Month", "Season", "Day")
        return parse_wording(" ".join(" ".join(parts.get(name, "") for name in names).split()))
    return _parse_date(parts.get("Year", ""), parts.get("Month", ""), parts.get("Day", ""))


@lru_cache(maxsize=20_000)
def _parse_date(year: str, month: str, day: str) -> PartialDate:
    year_number = _number(year, 1, 9999)
    month_number = _month_number(month) if year_number else None
    day_number = _day_number(day, year_number, month_number)
    given = sum(map(bool, (year, month, day)))
    understood = sum(part is not None for part in (year_number, month_number, day_number))
    text = "" if given == understood else " ".join(filter(None, (year, month, day)))
    return PartialDate(year_number, month_number, day_number, text)


def parse_day(text: str) -> PartialDate:
    """A date such as "2006 Mar 1", "2006 Mar", "2006/03/01/" or "2006"; anything else is a wording."""
    found = _DAY.fullmatch(text)
    if found is None or (found[2] and _month_number(found[2]) is None):
        return date_of({"MedlineDate": text}) if text else PartialDate()
    return _parse_date(*(part or "" for part in found.groups()))


def parse_wording(text: str) -> PartialDate:
    """The start of what a date in words covers, together with the words."""
    found = _YEAR.search(text)
    if found is None:
        return PartialDate(text=text)
    year = int(found[1])
    month, day = _start(text)
    return PartialDate(year, month, _day_number(day, year, month), text)


def _start(text: str) -> tuple[int | None, str]:
    """Month and day of the first month, season or quarter that the text names."""
    for named in _NAMED.finditer(text):
        word = named[1].lower()
        if word in _MONTHS:
            return _MONTHS[word], named[2] or ""
        if word in _SEASONS:
            return _SEASONS[word], ""
    quarter = _QUARTER.search(text)
    return (3 * int(quarter[1]) - 2 if quarter else None), ""


def _month_number(text: str) -> int | None:
    return _MONTHS.get(text.lower().removesuffix(".")) or _number(text, 1, 12)


def _day_number(text: str, year: int | None, month: int | None) -> int | None:
    day = _number(text, 1, 31)
    if day is None or year is None or month is None:
        return None
    try:
        return date(year, month, day).day
    except ValueError:
        return None


def _number(text: str, least: int, most: int) -> int | None:
    if not (text.isascii() and text.isdigit() and len(text) <= 4):
        return None
    number = int(text)
    return number if least <= number <= most else None
