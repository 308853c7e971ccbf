"""The words of a library and how many citations have each: for truncation and for spelling."""

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

WORDS, COUNTS = "words.json", "words.counts.npy"


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """words: as models.analysis.words makes them, sorted; counts: (n,) int32, citations that have each."""

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
        return [self.words[place] for place in self.places(prefix)]


def write_vocabulary(folder: Path, citations: "lance.LanceDataset") -> None:
    """Count the words of every citation."""
    counts: Counter[str] = Counter()
    for batch in citations.scanner(columns=["words"]).to_batches():
        for words in batch["words"].to_pylist():
            counts.update(words.split())
    words = sorted(counts)
    write_json(folder / WORDS, words)
    np.save(folder / COUNTS, np.array([counts[word] for word in words], np.int32))


def read_vocabulary(folder: Path) -> Vocabulary:
    """What `write_vocabulary` wrote."""
    words = msgspec.json.decode((folder / WORDS).read_bytes(), type=tuple[str, ...])
    return Vocabulary(words, read_array(folder / COUNTS))
