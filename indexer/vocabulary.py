"""The words and terms of a library, and how many citations have each."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from indexer.changes import Changes
from indexer.columns import LAST, read_array
from indexer.files import write_json


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """words: sorted; counts: (n,) int32, citations that have each."""

    words: tuple[str, ...]
    counts: NDArray[np.int32]

    def count(self, word: str) -> int:
        """How many citations have the word."""
        place = bisect_left(self.words, word)
        found = place < len(self.words) and self.words[place] == word
        return int(self.counts[place]) if found else 0

    def places(self, prefix: str) -> range:
        """Where the words that begin with the prefix stand."""
        first = bisect_left(self.words, prefix)
        return range(first, bisect_left(self.words, f"{prefix}{LAST}", lo=first))

    def starting_with(self, prefix: str) -> list[str]:
        """Every word that begins with the prefix."""
        places = self.places(prefix)
        return list(self.words[places.start : places.stop])


def write_vocabulary(folder: Path, columns: Sequence[str], counts: Counter[str]) -> None:
    """Write words and counts, under the name of the first column."""
    words = sorted(word for word, count in counts.items() if count)
    write_json(folder / f"{columns[0]}.vocabulary.json", words)
    np.save(folder / f"{columns[0]}.counts.npy", np.array([counts[word] for word in words], np.int32))


def count_words(batches: Iterable[pa.RecordBatch], columns: Sequence[str]) -> Counter[str]:
    """In how many rows each word of any of the columns stands; spaces part words."""
    counts: Counter[str] = Counter()
    for batch in batches:
        for texts in zip(*(batch[name].to_pylist() for name in columns), strict=True):
            counts.update({word for text in texts if text for word in text.split()})
    return counts


def changed_counts(before: Path, columns: Sequence[str], changed: Changes) -> Counter[str]:
    """The counts of a set before, without the rows that are gone and with those that have come."""
    held = read_vocabulary(before, columns[0])
    counts = Counter(dict(zip(held.words, held.counts.tolist(), strict=True)))
    counts.subtract(count_words(changed.rows_gone(columns), columns))
    counts.update(count_words(changed.rows_come(columns), columns))
    return counts


def read_vocabulary(folder: Path, column: str) -> Vocabulary:
    """What `write_vocabulary` wrote."""
    words = msgspec.json.decode((folder / f"{column}.vocabulary.json").read_bytes(), type=tuple[str, ...])
    return Vocabulary(words, read_array(folder / f"{column}.counts.npy"))
