"""Pairs to train an encoder on, from a library's own records."""

import heapq
import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from indexer.citation import Citation, OtherAbstract, Section
from indexer.library import open_library
from indexer.passages import section_text
from indexer.published import published_pointer
from indexer.signals import SignalKind, signals
from indexer.tables import decode_record, is_major
from models.errors import UsageError
from models.language import identify
from models.training.pairs import Pair
from models.training.tags import is_english, language_key

if TYPE_CHECKING:
    import lance

BLOCK = 10_000
"""Citations held at a time; related ones are looked for among these."""

SHARED = 3
"""Major MeSH descriptors that two related citations have in common.

With two, often one stands above the other in the tree (Haplorhini, Galago), and the papers share an animal or
a method alone.
"""

RELATED = 1
"""Related citations of each."""

SHORTEST_TITLE = 2
"""Words; a shorter title ("Introduction", "Reply") says too little to be a query."""

SHORTEST = 40
"""Bytes of UTF-8; a shorter abstract or section is "Not available." or the like."""

UNNAMED = {"", "UNASSIGNED"}
"""Categories of sections that NLM has no name for."""

KEYWORDS = range(2, 13)
"""One keyword says too little, and long lists are of abbreviations."""

NOTICES = {SignalKind.RETRACTION_NOTICE, SignalKind.CONCERN_NOTICE, SignalKind.ERRATUM_NOTICE}
"""Their titles are those of other papers."""

REMARK = re.compile(
    r"\s*[(\[](author'?s transl|proceedings|editorial|letter|review)[)\]]+\.?$", re.IGNORECASE
)
"""What NLM wrote behind titles in the seventies."""


@dataclass(frozen=True, slots=True)
class _Article:
    """What pairs are made of; languages are BCP 47 tags. original: that of the vernacular title."""

    title: str
    vernacular_title: str
    original: str
    abstract: tuple[Section, ...]
    other_abstracts: tuple[OtherAbstract, ...]
    keywords: tuple[str, ...]
    major: frozenset[str]


def library_pairs(folder: Path, kinds: Sequence[str]) -> Iterator[Pair]:
    """Pairs of these kinds from a library's published set, block by block in the order of its table.

    Notices of errata and retractions give none. Raises UsageError for an unknown kind, LibraryError if there
    is no published library.
    """
    if unknown := [kind for kind in kinds if kind not in KINDS]:
        raise UsageError(f"unknown kind of pairs {unknown[0]}, expected some of {', '.join(KINDS)}")
    library = open_library(folder)
    citations = library.citations(published_pointer(folder).tag)
    articles = _articles(citations.scanner(columns=["record"], batch_size=1024))
    return (pair for block in _blocks(articles) for kind in kinds for pair in KINDS[kind](block))


def _articles(scanner: "lance.LanceScanner") -> Iterator[_Article]:
    for batch in scanner.to_batches():
        for record in batch["record"].to_pylist():
            citation = decode_record(record)
            if not NOTICES & {signal.kind for signal in signals(citation)}:
                yield _article(citation)


def _blocks(articles: Iterator[_Article]) -> Iterator[list[_Article]]:
    while block := list(islice(articles, BLOCK)):
        yield block


def _article(citation: Citation) -> _Article:
    own = citation.vernacular_title
    original = next((tag for tag in citation.languages if not is_english(tag)), "")
    return _Article(
        title=_title(citation.title),
        vernacular_title=_title(own),
        original=original or (own and identify(own).language) or "",
        abstract=citation.abstract,
        other_abstracts=citation.other_abstracts,
        keywords=tuple(keyword.text for keyword in citation.keywords),
        major=frozenset(heading.name for heading in citation.mesh if is_major(heading)),
    )


def _title(text: str) -> str:
    """The title without remarks, and without the bracket that NLM closed and did not open."""
    text = REMARK.sub("", text)
    return text.rstrip("].") if text.count("]") > text.count("[") else text


def title_abstract(block: Sequence[_Article]) -> Iterator[Pair]:
    """The title, and the abstract that it stands over."""
    for article in block:
        abstract = _text(article.abstract)
        if _says_something(article.title) and abstract:
            yield Pair("en", article.title, abstract)


def vernacular(block: Sequence[_Article]) -> Iterator[Pair]:
    """The title in the paper's language, and NLM's English for it."""
    for article in block:
        own = article.vernacular_title
        if own and article.title and _letters(own) != _letters(article.title):
            yield Pair(_language(article.original, own), own, article.title)


def abstracts(block: Sequence[_Article]) -> Iterator[Pair]:
    """An abstract in another language and the English one, by sections where both name the same ones."""
    for article in block:
        for other in article.other_abstracts:
            if not is_english(other.language):
                for text, english in _twin_texts(other.sections, article.abstract):
                    yield Pair(_language(other.language, text), text, english)


def keywords(block: Sequence[_Article]) -> Iterator[Pair]:
    """The keywords, and the paper that they were given to."""
    for article in block:
        abstract = _text(article.abstract)
        if len(article.keywords) in KEYWORDS and abstract:
            yield Pair("en", ", ".join(article.keywords), f"{article.title}\n{abstract}")


def related(block: Sequence[_Article]) -> Iterator[Pair]:
    """A title, and another paper of the block on the same major MeSH descriptors, the rarest ones first."""
    holders: dict[str, list[int]] = defaultdict(list)
    for number, article in enumerate(block):
        for name in article.major:
            holders[name].append(number)
    for number, article in enumerate(block):
        if _says_something(article.title):
            for other in _most_related(number, block, holders):
                passage = "\n".join(filter(None, (block[other].title, _text(block[other].abstract))))
                yield Pair("en", article.title, passage)


def _most_related(number: int, block: Sequence[_Article], holders: dict[str, list[int]]) -> list[int]:
    """The RELATED articles that share the most information with this one; ties go to the earlier."""
    shared: dict[int, int] = defaultdict(int)
    weight: dict[int, float] = defaultdict(float)
    for name in sorted(block[number].major):
        rarity = math.log(len(block) / len(holders[name]))
        for other in holders[name]:
            shared[other] += 1
            weight[other] += rarity
    own = _letters(block[number].title)
    others = (
        other
        for other, count in shared.items()
        if count >= SHARED and block[other].title and _letters(block[other].title) != own
    )
    return heapq.nsmallest(RELATED, others, key=lambda other: (-weight[other], other))


def _twin_texts(own: Sequence[Section], english: Sequence[Section]) -> Iterator[tuple[str, str]]:
    """Texts of the sections that NLM puts in one category, else of the whole abstracts."""
    both = {section.category for section in own} & {section.category for section in english}
    named = [name for name in dict.fromkeys(section.category for section in own) if name in both - UNNAMED]
    sides = [(_of_category(own, name), _of_category(english, name)) for name in named] or [(own, english)]
    for side, other in sides:
        text, twin = _text(side), _text(other)
        if text and twin:
            yield text, twin


def _of_category(sections: Sequence[Section], name: str) -> Sequence[Section]:
    return [section for section in sections if section.category == name]


def _text(sections: Sequence[Section]) -> str:
    """The sections behind their labels, a line each; "" if that is too short to say something."""
    text = "\n".join(map(section_text, sections))
    return text if len(text.encode("utf-8", "surrogatepass")) >= SHORTEST else ""


def _says_something(title: str) -> bool:
    return len(title.split()) >= SHORTEST_TITLE


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


def _language(tag: str, text: str) -> str:
    """The tag, with its script if the text is romanised, as NLM wrote Russian and Japanese titles."""
    letters = [letter for letter in text if letter.isalpha()]
    latin = sum(letter < "\u0250" for letter in letters) > len(letters) / 2
    return f"{tag}-Latn" if tag and latin and not language_key(tag).endswith("_Latn") else tag


KINDS: dict[str, Callable[[Sequence[_Article]], Iterator[Pair]]] = {
    "title-abstract": title_abstract,
    "vernacular": vernacular,
    "abstracts": abstracts,
    "mesh": related,
    "keywords": keywords,
}
