"""Which records are of one work: they share a PMID, PMCID or DOI, or agree in title, author and year."""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from pyarrow.compute import list_parent_indices

from indexer.citation import Citation
from indexer.duplicates import duplicate_keys, place, surnames
from indexer.passages import text_hash
from indexer.tables import identifiers

if TYPE_CHECKING:
    from indexer.library import Library

SAME_TITLE = 92
"""Least ratio of rapidfuzz between two titles, of 100."""
SAME_SURNAME = 80
MOST_CANDIDATES = 50
"""Rows that share a key; of more, none is looked at, unless the key is an identifier."""

_KNOWN = re.compile(r"10\.\d{4,9}/\S+|pmc\d+")
_NUMBER = re.compile(r"\d+|\b[ivx]+\b")


class Works:
    """The rows of a library by what they are known by; to be used by its one writer.

    Two records of PubMed are never of one work, so where all come from there, nothing is read.
    """

    def __init__(self, library: "Library") -> None:
        self._library = library
        self._foreign = _Keys(library, "id NOT LIKE 'pmid:%'")
        self._all: _Keys | None = None
        self._fresh: dict[int, dict[str, None]] = {}

    def candidates(self, citation: Citation) -> list[str]:
        """Ids of the rows that may be of the same work, its own aside."""
        if citation.pmid and not len(self._foreign) and not self._fresh:
            return []
        if citation.pmid is None and self._all is None:
            self._all = _Keys(self._library, None)
        held = self._foreign if citation.pmid or self._all is None else self._all
        known = [f"pmid:{item.value}" for item in citation.article_ids if item.type == "pubmed"]
        found = dict.fromkeys(known)
        for key in work_keys(citation):
            found |= dict.fromkeys(held.find(key)) | self._fresh.get(key, {})
        return [id for id in found if id != citation.id]

    def add(self, citation: Citation) -> None:
        """Let a row that was just made be found, unless it can only match records of its own PMID."""
        if self._all is not None or not citation.pmid:
            for key in work_keys(citation):
                self._fresh.setdefault(key, {})[citation.id] = None


class _Keys:
    """Keys of rows as they are now, sorted."""

    def __init__(self, library: "Library", rows: str | None) -> None:
        table = library.citations().to_table(columns=["id", "identifiers", "duplicate_keys"], filter=rows)
        self._ids = table["id"].combine_chunks()
        keys = [np.empty(0, np.int64)]
        owners = [np.empty(0, np.int64)]
        for name in ("identifiers", "duplicate_keys"):
            column = table[name].combine_chunks()
            values, places = column.flatten(), np.asarray(list_parent_indices(column))
            if name == "identifiers":
                known = [_identifier_key(value) for value in values.to_pylist()]
                kept = np.array([key is not None for key in known], bool)
                keys.append(np.array([key for key in known if key is not None], np.int64))
                owners.append(places[kept])
            else:
                keys.append(values.to_numpy(zero_copy_only=False))
                owners.append(places)
        order = np.argsort(joined := np.concatenate(keys), kind="stable")
        self._keys: NDArray[np.int64] = joined[order]
        self._owners: NDArray[np.int64] = np.concatenate(owners)[order]

    def __len__(self) -> int:
        return len(self._ids)

    def find(self, key: int) -> Iterator[str]:
        first, last = np.searchsorted(self._keys, key, "left"), np.searchsorted(self._keys, key, "right")
        if last - first <= MOST_CANDIDATES:
            for owner in self._owners[first:last].tolist():
                yield self._ids[owner].as_py()


def work_keys(citation: Citation) -> Iterator[int]:
    """Hashes of what a work is known by; two records of one have one in common."""
    for value in identifiers(citation):
        key = _identifier_key(value)
        if key is not None:
            yield key
    yield from duplicate_keys(citation)


def _identifier_key(value: str) -> int | None:
    return text_hash(f"known as {value}") if _KNOWN.fullmatch(value) else None


def same_work(first: Citation, second: Citation) -> bool:
    """Whether two records are of one work; neither side may contradict the other in a PMID, PMCID or DOI."""
    told = list(_agreements(first, second))
    return told[0] if told else _same_words(first, second)


def _agreements(first: Citation, second: Citation) -> Iterator[bool]:
    """Whether they agree in each of PMID, PMCID and DOI that both have."""
    for kind in ("pubmed", "pmc", "doi"):
        one, other = _known(first, kind), _known(second, kind)
        if one and other:
            yield one == other


def _known(citation: Citation, kind: str) -> str:
    if kind == "pubmed" and citation.pmid:
        return citation.pmid
    return (citation.article_id(kind) or "").lower()


def _same_words(first: Citation, second: Citation) -> bool:
    from rapidfuzz import fuzz

    titles = [_plain(citation.title) for citation in (first, second)]
    if not all(titles) or fuzz.ratio(*titles) < SAME_TITLE or len({_numbers(title) for title in titles}) > 1:
        return False
    names = [next(iter(surnames(citation)), "") for citation in (first, second)]
    if not all(names) or fuzz.ratio(*names) < SAME_SURNAME:
        return False
    if first.year and second.year and abs(first.year - second.year) > 1:
        return False
    (volume, pages), (other_volume, other_pages) = place(first), place(second)
    return _agree(volume, other_volume) and _agree(pages.partition("-")[0], other_pages.partition("-")[0])


def _plain(title: str) -> str:
    """Letters and digits alone, case folded, a space between words."""
    return " ".join(re.findall(r"\w+", title.casefold()))


def _numbers(title: str) -> tuple[str, ...]:
    """What tells the parts of a series apart."""
    return tuple(_NUMBER.findall(title))


def _agree(one: str, other: str) -> bool:
    return not one or not other or one == other


def of_one_work(citation: Citation, others: Iterable[Citation]) -> list[Citation]:
    """Those of the same work that do not contradict each other; of PubMed's that of the lowest PMID."""
    found: list[Citation] = []
    for other in sorted(others, key=lambda other: (int(other.pmid or 0), other.id)):
        if same_work(citation, other) and all(all(_agreements(other, held)) for held in found):
            found.append(other)
    return found
