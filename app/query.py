"""What a user asks: text, mode, filters and page, validated once."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum

from indexer.signals import SignalKind
from models.errors import UsageError

MAX_LIMIT = 1_000
MAX_QUERY_CHARACTERS = 10_000


class Mode(StrEnum):
    HYBRID = "hybrid"
    DENSE = "dense"
    LEXICAL = "lexical"


class Sort(StrEnum):
    """Date: newest first. Author: the first one's name. Ties in relevance, date and name fall to the id."""

    RELEVANCE = "relevance"
    DATE = "date"
    AUTHOR = "author"
    JOURNAL = "journal"


class Prior(StrEnum):
    """What moves a paper up a little, whatever the question; see app.prior."""

    NONE = "none"
    RECENT = "recent"
    EVIDENCE = "evidence"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class Filters:
    """Every field that is set must hold; within one field any of the values will do.

    years: first and last year, both included, either may be None.
    languages: BCP 47 primary tags.
    journals: title or abbreviation, letter case ignored.
    publication_types, mesh: names, letter case ignored.
    signals: records that have any of them; without: records that have none of them.
    """

    years: tuple[int | None, int | None] = (None, None)
    languages: tuple[str, ...] = ()
    journals: tuple[str, ...] = ()
    publication_types: tuple[str, ...] = ()
    mesh: tuple[str, ...] = ()
    signals: tuple[SignalKind, ...] = ()
    without: tuple[SignalKind, ...] = ()
    has_abstract: bool | None = None


@dataclass(frozen=True, slots=True)
class Query:
    """One question; raises UsageError for values out of range.

    rerank: the reranker that reads the best hits anew, one of those that the engine was opened with.
    """

    text: str
    mode: Mode = Mode.HYBRID
    filters: Filters = field(default_factory=Filters)
    limit: int = 10
    offset: int = 0
    sort: Sort = Sort.RELEVANCE
    prior: Prior = Prior.NONE
    collapse: bool = True
    """Whether records of one article count as one hit."""
    rerank: str | None = None

    def __post_init__(self) -> None:
        check_text(self.text, "the query")
        if not self.text.strip():
            raise UsageError("the query is empty: type at least one word")
        if len(self.text) > MAX_QUERY_CHARACTERS:
            raise UsageError(
                f"the query has {len(self.text):,} characters, {MAX_QUERY_CHARACTERS:,} are allowed"
            )
        if not 1 <= self.limit <= MAX_LIMIT:
            raise UsageError(f"limit is {self.limit}, expected 1 to {MAX_LIMIT}")
        if self.rerank is not None and self.sort is not Sort.RELEVANCE:
            raise UsageError(f"sort is {self.sort.value}, and a reranker orders by relevance: leave out one")
        if self.offset < 0:
            raise UsageError(f"offset is {self.offset}, expected 0 or more")


@dataclass(frozen=True, slots=True)
class FilterField:
    """One name that a filter item may begin with."""

    name: str
    attribute: str
    """The field of Filters that it sets."""
    example: str
    parse: Callable[[str], object]
    repeatable: bool = True
    """Further items add values; otherwise a second one is an error."""


def parse_filters(items: Iterable[str]) -> Filters:
    """Filters from FIELD=VALUE items; a field may be repeated. Raises UsageError naming the item."""
    values: dict[str, list[object]] = {}
    for item in items:
        entry, value = _split_item(item)
        found = values.setdefault(entry.attribute, [])
        if found and not entry.repeatable:
            raise UsageError(
                f"filter {item!r}: {entry.name} is given twice; give it once, as {entry.example}"
            )
        if value not in found:
            found.append(value)
    single = {entry.attribute for entry in FILTER_FIELDS.values() if not entry.repeatable}
    merged = {name: found[0] if name in single else tuple(found) for name, found in values.items()}
    return replace(Filters(), **merged)  # type: ignore[arg-type]


def check_text(text: str, name: str) -> None:
    """Raises UsageError for halves of characters (lone surrogates), which no output can show."""
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise UsageError(
            f"{name} {text[:100]!r} is not text: it holds bytes that are not UTF-8, or half a character"
        )


def _split_item(item: str) -> tuple[FilterField, object]:
    """The field that an item names, and its value checked."""
    check_text(item, "a filter")
    name, equals, text = item.partition("=")
    entry = FILTER_FIELDS.get(name.strip().lower())
    if not equals:
        raise UsageError(f"filter {item!r}: expected FIELD=VALUE, such as {FILTER_FIELDS['year'].example}")
    if entry is None:
        raise UsageError(
            f"filter {item!r}: no field {name.strip()!r}; the fields are {', '.join(FILTER_FIELDS)}"
        )
    if not text.strip():
        raise UsageError(f"filter {item!r}: no value; expected one such as {entry.example}")
    try:
        return entry, entry.parse(text.strip())
    except ValueError as error:
        raise UsageError(f"filter {item!r}: {error}, such as {entry.example}") from None


def _years(text: str) -> tuple[int | None, int | None]:
    """Both ends of 2020, 2019:2021, 2019: or :1980; None where open."""
    first, colon, last = (part.strip() for part in text.partition(":"))
    years = (_year(first), _year(last) if colon else _year(first))
    if years == (None, None):
        raise ValueError("expected a year or a range of years")
    if None not in years and years[0] > years[1]:  # type: ignore[operator]
        raise ValueError("expected the first year before the last")
    return years


def _year(text: str) -> int | None:
    if text and not (text.isascii() and text.isdigit() and len(text) == 4):
        raise ValueError("expected a year of four digits or a range of years")
    return int(text) if text else None


def language_tag(text: str) -> str:
    """The BCP 47 primary tag of a language given as a tag, as PubMed's code ("fre") or by its English name.

    Raises ValueError.
    """
    from langcodes import find, tag_is_valid
    from langcodes import standardize_tag as standard

    try:
        tag = text if tag_is_valid(text) else str(find(text))
    except LookupError:
        raise ValueError("expected a language, as a tag, a code of PubMed or an English name") from None
    return standard(tag, macro=False).partition("-")[0]


def _truth(text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise ValueError("expected true or false")
    return text.lower() == "true"


def _signal(text: str) -> SignalKind:
    try:
        return SignalKind(text.lower())
    except ValueError:
        raise ValueError(f"expected one of {', '.join(SignalKind)}") from None


FILTER_FIELDS = {
    entry.name: entry
    for entry in (
        FilterField("year", "years", "year=2019:2021", _years, repeatable=False),
        FilterField("language", "languages", "language=fr", language_tag),
        FilterField("journal", "journals", "journal=Lancet", str),
        FilterField("type", "publication_types", "type=Review", str),
        FilterField("mesh", "mesh", "mesh=Influenza Vaccines", str),
        FilterField("signal", "signals", "signal=retracted", _signal),
        FilterField("without", "without", "without=retracted", _signal),
        FilterField("abstract", "has_abstract", "abstract=true", _truth, repeatable=False),
    )
}
