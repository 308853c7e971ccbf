"""Titles and abstracts that a record gives in several languages."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from indexer.citation import OtherAbstract, Section
from indexer.sources.html_text import plain
from indexer.sources.pubmed_fields import language_tag, read_title
from indexer.sources.sections import read_sections

LANGUAGES = ("en", "es", "fr", "pt")
"""Those of the databases of Latin America, for texts whose language they do not say."""
_MARKUP = re.compile(r"</?(?:i|b|u|em|strong|sup|sub|p|br|h[1-6]|span|div|font)\b[^<>]*>", re.IGNORECASE)
_ENTITY = re.compile(r"&#?\w+;")


@dataclass(frozen=True, slots=True)
class Wording:
    """A title or an abstract. language: BCP 47 primary tag, "" if nobody knows."""

    language: str
    text: str


@dataclass(frozen=True, slots=True)
class Titles:
    """title: the English one, else the paper's own. vernacular: its own beside an English one."""

    title: str
    translated: bool
    vernacular: str
    others: tuple[Wording, ...]


def wording(text: str, language: str = "", among: Collection[str] | None = None) -> Wording:
    """A text in the language that is said, or else that it seems to be in, one of `among`."""
    from models.language import identify

    text = cleaned(text)
    return Wording(language_tag(language) if language else identify(text, among).language or "", text)


def cleaned(text: str) -> str:
    """The text single-spaced, without HTML if there is some; a mere "<" stays."""
    return plain(text) if _MARKUP.search(text) or _ENTITY.search(text) else " ".join(text.split())


def distinct(wordings: Iterable[Wording]) -> list[Wording]:
    """Each text once, in order; empty ones are left out."""
    return list({item.text: item for item in wordings if item.text}.values())


def titles_of(wordings: Sequence[Wording], languages: Sequence[str]) -> Titles:
    """Which title is which. languages: of the paper."""
    english = next((item for item in wordings if item.language == "en"), None)
    foreign = [item for item in wordings if item.language != "en"]
    own = next((item for tag in languages for item in foreign if item.language == tag), None)
    if own is None and (english is None or "en" not in languages):
        own = next(iter(foreign), None)
    main = english or own
    title, translated = read_title(main.text if main else "")
    others = tuple(item for item in wordings if item not in (english, own))
    return Titles(title, translated, own.text if english and own else "", others)


def abstracts_of(wordings: Sequence[Wording]) -> tuple[tuple[Section, ...], tuple[OtherAbstract, ...]]:
    """The English abstract, and those in other languages, alone if there is no English one, as in PubMed."""
    english = next((item for item in wordings if item.language == "en"), None)
    others = tuple(
        OtherAbstract(item.language or "und", "", read_sections(item.text))
        for item in wordings
        if item is not english
    )
    return read_sections(english.text if english else ""), others
