"""What kind of query a text is: identifiers, a Boolean query, keywords or a question, in English or not."""

import re
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from app.query import Query
from app.syntax.evaluate import positive_text
from app.syntax.parse import is_boolean, parse_boolean
from app.syntax.tree import Node
from indexer.published import Published
from models.language import identify
from models.stopwords import content_words

KEYWORDS = 3
"""Up to so many content words are keywords; more are a question."""

IDENTIFIER = re.compile(r"(?=.*[0-9])\S{5,}|[0-9]+")
PREFIX = re.compile(r"(?i)(?:https?://(?:dx\.)?doi\.org/|doi:|pmid:)?(.+)")


class Kind(StrEnum):
    IDENTIFIER = "identifier"
    BOOLEAN = "boolean"
    KEYWORDS = "keywords"
    QUESTION = "question"
    OTHER_LANGUAGE = "other language"


@dataclass(frozen=True, slots=True)
class Understood:
    """text: what ranking sees, "" if there is nothing to rank by. language: None where it is not clear.

    tree: of a Boolean query. numbers: (n,) of the citations that identifiers name, in the order given.
    """

    kind: Kind
    text: str
    language: str | None
    tree: Node | None = None
    numbers: NDArray[np.int64] | None = None


def understand(query: Query, published: Published) -> Understood:
    """Raises UsageError, which names the place, for a Boolean query that cannot be understood."""
    text = query.text.strip()
    if is_boolean(text):
        tree = parse_boolean(text)
        positive = positive_text(tree)
        return Understood(Kind.BOOLEAN, positive, identify(positive).language if positive else None, tree)
    if (numbers := named_citations(text, published)) is not None:
        return Understood(Kind.IDENTIFIER, text, None, numbers=numbers)
    language = identify(text).language
    if language not in (None, "en"):
        return Understood(Kind.OTHER_LANGUAGE, text, language)
    few = len(content_words(text, language).split()) <= KEYWORDS and not text.endswith("?")
    return Understood(Kind.KEYWORDS if few else Kind.QUESTION, text, language)


def named_citations(text: str, published: Published) -> NDArray[np.int64] | None:
    """Numbers of the citations that a text of identifiers alone names; None unless every one is known."""
    words = [word.strip(".,;()") for word in re.split(r"[\s,;]+", text)]
    words = [word for word in words if word.lower() not in ("", "pmid", "pmid:", "doi", "doi:")]
    if not words or not all(map(IDENTIFIER.fullmatch, words)):
        return None
    found: list[int] = []
    for word in words:
        numbers = named(word, published)
        if not numbers:
            return None
        found += [number for number in numbers if number not in found]
    return np.array(found, np.int64)


def named(identifier: str, published: Published) -> list[int]:
    """Numbers of the citations with this PMID, id, DOI, PMCID or accession number."""
    plain = PREFIX.fullmatch(identifier)
    value = identifier if plain is None else plain[1]
    key = f"pmid:{value}" if value.isdecimal() else identifier
    numbers = [number for number in published.columns.numbers([key]).tolist() if number >= 0]
    if numbers or value.isdecimal():
        return numbers
    mask = published.columns.fields["identifiers"].mask([value], len(published.columns.ids))
    return np.flatnonzero(mask).tolist()
