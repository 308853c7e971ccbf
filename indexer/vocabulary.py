"""The words and terms of a library, and how many citations have each."""

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np
from numpy.typing import NDArray

from indexer.columns import LAST, read_array
from indexer.files import write_json

if TYPE_CHECKING:
    import lance


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


def write_vocabulary(folder: Path, citations: "lance.LanceDataset", column: str, *more: str) -> None:
    """Count in how many citations each word of a column, or of one of more, stands; spaces part words."""
    counts: Counter[str] = Counter()
    for batch in citations.scanner(columns=[column, *more]).to_batches():
        for texts in zip(*(batch[name].to_pylist() for name in (column, *more)), strict=True):
            counts.update({word for text in texts if text for word in text.split()})
    words = sorted(counts)
    write_json(folder / f"{column}.vocabulary.json", words)
    np.save(folder / f"{column}.counts.npy", np.array([counts[word] for word in words], np.int32))


def read_vocabulary(folder: Path, column: str) -> Vocabulary:
    """What `write_vocabulary` wrote."""
    words = msgspec.json.decode((folder / f"{column}.vocabulary.json").read_bytes(), type=tuple[str, ...])
    return Vocabulary(words, read_array(folder / f"{column}.counts.npy"))
