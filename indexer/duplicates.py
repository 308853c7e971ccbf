"""Records of one article: entered twice, published in two languages, or as a preprint and in a journal.

Each record has a few keys, made when it is stored; records that share one are candidates, and `same_article`
decides on each pair. Text alone does not tell: the parts of a series, a letter and its reply, and a yearly
report resemble each other as much as translations do. Authors, title and printed place do.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from indexer.citation import Citation
from indexer.passages import text_hash
from indexer.signals import SignalKind, signals
from models.analysis import analyse

Read = Callable[[Sequence[str]], dict[str, Citation]]
Pair = tuple[int, int]

UPDATES = {"UpdateIn", "UpdateOf"}
REPRINTS = {"RepublishedIn", "RepublishedFrom", "ReprintIn", "ReprintOf"}
ALONE = {
    SignalKind.RETRACTED,
    SignalKind.RETRACTION_NOTICE,
    SignalKind.CONCERN_NOTICE,
    SignalKind.ERRATUM_NOTICE,
}
"""Papers that are shown by themselves."""

TITLE_TERMS = 4
"""Titles of fewer terms ("Reply", "Introduction") are no key by themselves."""

MOST_CANDIDATES = 50
"""Records that share a key; more of them are a coincidence, and not looked at."""

SAME_AUTHORS = 0.5
"""Share of the shorter list of surnames: spellings differ ("Adán", "Adam"), and groups have two names."""

SAME_TITLE = 0.5
SAME_TITLE_IN_JOURNAL = 0.7
"""Jaccard index of the terms of two titles at one printed place, in two journals and in one."""

SAME_ABSTRACT = 0.9
"""Jaccard index of the terms of two abstracts."""

PAIRS = 500
"""Pairs whose records are read at a time."""


def duplicate_keys(citation: Citation) -> list[int]:
    """Signed 64-bit hashes; two records of one article have at least one in common."""
    title = " ".join(sorted(title_terms(citation)))
    author = next(iter(surnames(citation)), "")
    volume, pages = place(citation)
    others = [item.pmid for item in citation.corrections if item.pmid and item.type in UPDATES | REPRINTS]
    texts = [f"link {' '.join(sorted((other, citation.pmid or '')))}" for other in others]
    if volume and pages and author:
        texts.append(f"place {volume} {pages} by {author}")
    if volume and pages and title:
        texts.append(f"place {volume} {pages} titled {title}")
    if author and title.count(" ") >= TITLE_TERMS - 1:
        texts.append(f"title {title} by {author}")
    return [text_hash(text) for text in texts]


def same_article(first: Citation, second: Citation) -> bool:
    """Whether two records that share a key are of one article; notices and retracted papers stand alone."""
    kinds = [{signal.kind for signal in signals(citation)} for citation in (first, second)]
    if ALONE & (kinds[0] | kinds[1]):
        return False
    if types := link_types(first, second) | link_types(second, first):
        # What updates or comments on a paper is another one; what updates a preprint is its publication.
        return bool(types & REPRINTS or (types & UPDATES and SignalKind.PREPRINT in kinds[0] | kinds[1]))
    names, others = set(surnames(first)), set(surnames(second))
    if not names or len(names & others) < SAME_AUTHORS * min(len(names), len(others)):
        return False
    title = jaccard(title_terms(first), title_terms(second))
    if not same_place(first, second):
        return title == 1 and jaccard(abstract_terms(first), abstract_terms(second)) >= SAME_ABSTRACT
    within = first.journal.nlm_id == second.journal.nlm_id
    return title >= (SAME_TITLE_IN_JOURNAL if within else SAME_TITLE)


def link_types(citation: Citation, other: Citation) -> set[str]:
    """How NLM links a record to the other one."""
    return {item.type for item in citation.corrections if item.pmid and item.pmid == other.pmid}


def surnames(citation: Citation) -> list[str]:
    """Surnames and groups' names in the order of the authors, case and accents folded."""
    names = [author.last_name or author.collective_name for author in citation.authors]
    return [name for name in (" ".join(analyse(name)) for name in names) if name]


def title_terms(citation: Citation) -> set[str]:
    """The terms of the title, which PubMed gives in English."""
    return set(analyse(citation.title, "en"))


def abstract_terms(citation: Citation) -> set[str]:
    """The terms of the abstract."""
    return {term for section in citation.abstract for term in analyse(section.text, "en")}


def place(citation: Citation) -> tuple[str, str]:
    """Volume and pages, case and spaces ignored."""
    return "".join(citation.volume.casefold().split()), "".join(citation.pages.casefold().split())


def same_place(first: Citation, second: Citation) -> bool:
    """Whether both stand at one printed place, whatever the journals are called."""
    issues = {"".join(citation.issue.casefold().split()) for citation in (first, second)} - {""}
    return all(place(first)) and place(first) == place(second) and len(issues) < 2


def jaccard(first: set[str], second: set[str]) -> float:
    """What two sets share of their union; 0 if both are empty."""
    return len(first & second) / len(first | second) if first or second else 0.0


def write_groups(folder: Path, citations: pa.Table, read: Read, judged: "Judged | None" = None) -> None:
    """Write for each citation the number of the first record of its article, its own if it stands alone.

    citations: id and duplicate_keys, in order of id. read: gives whole records by id. judged: pairs that need
    not be looked at again.
    """
    ids = citations["id"].to_pylist()
    found = sorted(candidate_pairs(citations["duplicate_keys"].combine_chunks()))
    pairs = np.array(found, np.int32).reshape(-1, 2)
    known, same = judged.outcomes(pairs) if judged else np.zeros((2, len(pairs)), np.bool_)
    new = np.flatnonzero(~known)
    for begin in range(0, len(new), PAIRS):
        some = new[begin : begin + PAIRS]
        records = read([ids[number] for number in np.unique(pairs[some])])
        for place, (first, second) in zip(some, pairs[some].tolist(), strict=True):
            same[place] = same_article(records[ids[first]], records[ids[second]])
    parents: dict[int, int] = {}
    for first, second in pairs[same].tolist():
        low, high = sorted((root(parents, first), root(parents, second)))
        if low != high:
            parents[high] = low
    groups = np.arange(len(ids), dtype=np.int32)
    for number in parents:
        groups[number] = root(parents, number)
    np.save(folder / "groups.npy", groups)
    np.save(folder / "pairs.npy", pairs)
    np.save(folder / "pairs.same.npy", same)


class Judged:
    """Pairs of a set before, in the numbers of the set that is made, without those of a changed record."""

    def __init__(self, before: Path, ids: NDArray[np.bytes_], changed: Iterable[str]) -> None:
        pairs, same = (np.load(before / name, allow_pickle=False) for name in ("pairs.npy", "pairs.same.npy"))
        held = np.load(before / "ids.npy", mmap_mode="r", allow_pickle=False)
        places = np.minimum(np.searchsorted(ids, held), max(len(ids) - 1, 0)) if len(ids) else np.array([])
        fresh = np.array([id.encode() for id in changed], np.bytes_)
        kept = (ids[places] == held) & ~np.isin(held, fresh) if len(ids) else np.zeros(len(held), np.bool_)
        usable = kept[pairs].all(axis=1)
        self._size = len(ids)
        codes = self._codes(places[pairs[usable]])
        order = np.argsort(codes)
        self._codes_held, self._same = codes[order], same[usable][order]

    def outcomes(self, pairs: NDArray[np.int32]) -> NDArray[np.bool_]:
        """(2, n) bool: whether each pair was judged, and whether it is of one article."""
        codes = self._codes(pairs)
        if not len(self._codes_held):
            return np.zeros((2, len(pairs)), np.bool_)
        places = np.minimum(np.searchsorted(self._codes_held, codes), len(self._codes_held) - 1)
        known = self._codes_held[places] == codes
        return np.stack([known, known & self._same[places]])

    def _codes(self, pairs: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
        return pairs[:, 0].astype(np.int64) * self._size + pairs[:, 1]


def root(parents: dict[int, int], number: int) -> int:
    """The smallest number that a record is joined to."""
    while parents.get(number, number) != number:
        number = parents[number]
    return number


def candidate_pairs(keys: pa.ListArray) -> set[Pair]:
    """Pairs of numbers, the smaller first, that share a key."""
    values = keys.flatten().to_numpy()
    owners = np.repeat(np.arange(len(keys)), keys.value_lengths().to_numpy())
    order = np.argsort(values, kind="stable")
    starts = np.flatnonzero(np.diff(values[order], prepend=values[order][:1] - 1))
    sizes = np.diff(starts, append=len(values))
    some = (sizes > 1) & (sizes <= MOST_CANDIDATES)
    pairs: set[Pair] = set()
    for start, size in zip(starts[some].tolist(), sizes[some].tolist(), strict=True):
        pairs.update(combinations(sorted(set(owners[order[start : start + size]].tolist())), 2))
    return pairs
