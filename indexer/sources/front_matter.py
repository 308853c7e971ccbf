"""What stands before a Markdown text between lines of "---": YAML, as Pandoc, Jekyll and Obsidian have it."""

import re
from collections.abc import Iterator

import yaml

from indexer.citation import ArticleId, Author, Citation, Journal, Keyword, PartialDate, Section
from indexer.sources.dates import parse_day
from indexer.sources.document import unwrapped
from indexer.sources.identity import distinct, linked_pmid, normalise_doi, pmcid_in
from indexer.sources.languages import languages_in
from indexer.sources.names import read_name_as_said
from indexer.sources.people import normalise_orcid

LONGEST = 1 << 16
"""Characters; more are not taken for front matter."""
_BLOCK = re.compile(r"---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_LINE = re.compile(r"^([\w-]+):[ \t]+(.+)$", re.MULTILINE)
_PERSONS = re.compile(r";|\band\b|&")

Fields = dict[str, object]


def split(text: str) -> tuple[Fields, str, str]:
    """The fields by name in small letters, the text behind them, and what is wrong with them or "".

    Where they are not YAML, as with a colon in a title, its plain lines ("name: value") count.
    """
    found = _BLOCK.match(text, 0, LONGEST)
    if found is None:
        return {}, text, ""
    rest = text[found.end() :]
    try:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(found[1], yaml.BaseLoader)):
            raise yaml.YAMLError("it has an alias")
        # By this loader every scalar is the text that stands there, "no" and "2020-05-01" too.
        fields = yaml.load(found[1], yaml.BaseLoader)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        problem = getattr(error, "problem", None) or error
        return _lowered(dict(_LINE.findall(found[1]))), rest, f"its front matter is not YAML ({problem})"
    if not found[1].strip():
        return {}, rest, ""
    # A heading between two lines that divide a text is a comment to YAML.
    return (_lowered(fields), rest, "") if isinstance(fields, dict) else ({}, text, "")


def _lowered(fields: Fields) -> Fields:
    return {str(name).lower().replace("-", "_"): value for name, value in fields.items()}


def read_fields(fields: Fields, source: str) -> Citation:
    """What front matter says of a document."""
    title, below = _text(fields, "title"), _text(fields, "subtitle")
    return Citation(
        id="",
        source=source,
        title=f"{title}: {below}" if title and below else title,
        abstract=tuple(map(Section, filter(None, [_text(fields, "abstract", "summary", "description")]))),
        languages=tuple(languages_in(_text(fields, "lang", "language"))),
        journal=Journal(_text(fields, "journal", "container_title", "publication")),
        volume=_text(fields, "volume"),
        issue=_text(fields, "issue"),
        pages=_text(fields, "pages", "page"),
        published=_date(_text(fields, "date", "published", "year")),
        authors=tuple(_authors(fields.get("author") or fields.get("authors"))),
        keywords=tuple(map(Keyword, _list(fields.get("keywords") or fields.get("tags")))),
        article_ids=distinct(
            (
                ArticleId("pubmed", _pmid(_text(fields, "pmid"))),
                ArticleId("pmc", pmcid_in(_text(fields, "pmcid", "pmc")) or ""),
                ArticleId("doi", normalise_doi(_text(fields, "doi")) or ""),
            )
        ),
    )


def _text(fields: Fields, *names: str) -> str:
    """The first of the fields that has a text; of a mapping, what it is called."""
    return next(filter(None, (_said(fields.get(name)) for name in names)), "")


def _said(value: object) -> str:
    match value:
        case str():
            return unwrapped(value)
        case dict():
            return _text(value, "title", "name")
        case list():
            return " ".join(filter(None, map(_said, value)))
    return ""


def _list(value: object) -> list[str]:
    if isinstance(value, list):
        return list(filter(None, map(_said, value)))
    text = _said(value)
    parts = text.split(";" if ";" in text else ",")
    return [part.strip() for part in parts if part.strip()]


def _date(text: str) -> PartialDate:
    """A date; the time behind it does not count."""
    return parse_day(re.sub(r"(?<=\d\d)[T ]\d\d:\d\d.*", "", text))


def _pmid(text: str) -> str:
    return text.lstrip("0") if text.isascii() and text.isdigit() else linked_pmid(text) or ""


def _authors(value: object) -> Iterator[Author]:
    """Of a text, a list of them, or mappings with name, ORCID and affiliation."""
    if isinstance(value, str):
        value = [part.strip() for part in _PERSONS.split(value)]
    for item in value if isinstance(value, list) else [value]:
        name = _said(item)
        fields = _lowered(item) if isinstance(item, dict) else {}
        name = name or ", ".join(filter(None, (_text(fields, "family"), _text(fields, "given"))))
        if name:
            author = read_name_as_said(name)
            yield Author(
                author.last_name,
                author.fore_name,
                author.initials,
                author.suffix,
                author.collective_name,
                normalise_orcid(_text(fields, "orcid")) or "",
                tuple(_list_of(fields.get("affiliation") or fields.get("affiliations"))),
            )


def _list_of(value: object) -> list[str]:
    return list(filter(None, map(_said, value if isinstance(value, list) else [value])))
