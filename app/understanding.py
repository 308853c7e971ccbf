"""What kind of query a text is: identifiers, a Boolean query, keywords or a question, in English or not."""

import re
import unicodedata
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

SITES = r"https?://(?:(?:dx\.|www\.)?doi\.org|pubmed\.ncbi\.nlm\.nih\.gov|pmc\.ncbi\.nlm\.nih\.gov/articles)/"
IDENTIFIER = re.compile(rf"(?i)(?:{SITES}|(?:dx\.|www\.)?doi\.org/|doi:|pmc?id:?)?(.*[0-9].*?)/?")
CERTAIN = re.compile(r"(?i)[0-9]{7,8}|10\.[0-9]{4,9}/\S+|PMC[0-9]+|NCT[0-9]{8}")
"""What can only be an identifier: it is not searched as text if the library does not have it."""
LABELS = frozenset({"", "pmid", "pmid:", "pmcid", "pmcid:", "doi", "doi:", "and", "or"})
"""Words that stand between identifiers and mean nothing."""
LEAST_LETTERS = 5
"""Shorter words with a digit are names, such as CD4."""


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
    missing: identifiers that the library does not have.
    """

    kind: Kind
    text: str
    language: str | None
    tree: Node | None = None
    numbers: NDArray[np.int64] | None = None
    missing: tuple[str, ...] = ()


def understand(query: Query, published: Published) -> Understood:
    """Raises UsageError, which names the place, for a Boolean query that cannot be understood."""
    text = query.text.strip()
    if is_boolean(text):
        tree = parse_boolean(text)
        positive = positive_text(tree)
        return Understood(Kind.BOOLEAN, positive, identify(positive).language if positive else None, tree)
    if (asked := named_citations(text, published)) is not None:
        return asked
    language = identify(text).language
    if language not in (None, "en"):
        return Understood(Kind.OTHER_LANGUAGE, text, language)
    few = len(content_words(text, language).split()) <= KEYWORDS and not text.endswith("?")
    return Understood(Kind.KEYWORDS if few else Kind.QUESTION, text, language)


def named_citations(text: str, published: Published) -> Understood | None:
    """The citations that a text of identifiers alone names; None if it is other text.

    It is other text if a word of it is no identifier of the library and might be something else.
    """
    pieces = [piece.strip(".,;()") for piece in re.split(r"[\s]+", unicodedata.normalize("NFKC", text))]
    pieces = [piece for piece in pieces if piece.lower() not in LABELS]
    if not pieces or not all(map(IDENTIFIER.fullmatch, pieces)):
        return None
    found: list[int] = []
    missing = []
    for piece in pieces:
        numbers = named(piece, published)
        if not numbers and not CERTAIN.fullmatch(plain_identifier(piece)):
            return None
        missing += [] if numbers else [piece]
        found += [number for number in numbers if number not in found]
    return Understood(Kind.IDENTIFIER, text, None, numbers=np.array(found, np.int64), missing=tuple(missing))


def plain_identifier(text: str) -> str:
    """The identifier without the address or the label before it."""
    match = IDENTIFIER.fullmatch(text)
    return text if match is None else match[1]


def named(identifier: str, published: Published) -> list[int]:
    """Numbers of the citations with this PMID, id, DOI, PMCID or accession number."""
    value = plain_identifier(identifier)
    key = f"pmid:{value}" if value.isdecimal() else identifier
    numbers = [number for number in published.columns.numbers([key]).tolist() if number >= 0]
    if numbers or value.isdecimal() or len(value) < LEAST_LETTERS:
        return numbers
    mask = published.columns.fields["identifiers"].mask([value], len(published.columns.ids))
    return np.flatnonzero(mask).tolist()
