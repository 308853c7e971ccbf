"""What the objectives learn from: pairs read once, counted by language, with the teacher's vectors."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from models.encoder import Encoder
from models.errors import UsageError
from models.training.configuration import DataSection, ObjectiveSection
from models.training.mixture import Share, language_chances
from models.training.negatives import mine_negatives
from models.training.pairs import Pair, read_pairs
from models.training.tags import language_key
from models.training.told import Told

if TYPE_CHECKING:
    from datasets import Dataset
    from tokenizers import Tokenizer

ReadLibrary = Callable[[Path, Sequence[str]], Iterator[Pair]]
"""The pairs of those kinds from a library's folder."""


TEXTS_AT_ONCE = 2048


@dataclass(frozen=True, slots=True)
class Material:
    """All pairs of one objective. counts: pairs by language key."""

    objective: ObjectiveSection
    pairs: list[Pair]
    counts: dict[str, int]

    def share(self, tokenizer: "Tokenizer") -> Share:
        """The pairs as the mixture draws them, their lengths in tokens."""
        numbers = {language: number for number, language in enumerate(self.counts)}
        keys = [language_key(pair.language) for pair in self.pairs]
        passages: dict[str, int] = {}
        return Share(
            weight=self.objective.weight,
            languages=np.array([numbers[key] for key in keys], np.int32),
            passages=np.array([passages.setdefault(pair.passage, len(passages)) for pair in self.pairs]),
            lengths=np.fromiter(_lengths(tokenizer, self.pairs), np.int32, len(self.pairs)),
            chances=language_chances(self.counts, self.objective.language_temperature, self.objective.favour),
            distinct=self.objective.kind == "contrastive",
        )


def read_material(objective: ObjectiveSection, read_library: ReadLibrary) -> Material:
    """Every pair of an objective. Raises UsageError if it, or a language that it favours, has none."""
    pairs = [pair for data in objective.data for pair in _pairs(data, read_library)]
    if not pairs:
        raise UsageError(f"objective {objective.name} has no pairs: check its data")
    counts = dict(Counter(language_key(pair.language) for pair in pairs))
    if unknown := sorted(set(objective.favour) - set(counts)):
        raise UsageError(
            f"objective {objective.name} favours {', '.join(unknown)}, of which its data has nothing; "
            f"it has {', '.join(sorted(counts))}"
        )
    return Material(objective, pairs, counts)


def _pairs(data: DataSection, read_library: ReadLibrary) -> Iterator[Pair]:
    if data.library:
        pairs = read_library(Path(data.library), data.pairs)
    else:
        pairs = read_pairs(Path(data.path), data.language)
    if data.languages:
        pairs = (pair for pair in pairs if language_key(pair.language) in data.languages)
    if data.joined > 1:
        pairs = joined(pairs, data.joined)
    return (_held(pair, data.hold) for pair in islice(pairs, data.limit))


def _held(pair: Pair, side: str) -> Pair:
    match side:
        case "passage":
            return replace(pair, query=pair.passage)
        case "query":
            return replace(pair, passage=pair.query)
    return pair


def joined(pairs: Iterable[Pair], size: int) -> Iterator[Pair]:
    """Lists of so many pairs of a language each, which ones by chance, the same every time; no negatives."""
    languages: dict[str, list[Pair]] = {}
    for pair in pairs:
        languages.setdefault(pair.language, []).append(pair)
    for language, own in languages.items():
        np.random.default_rng(size).shuffle(own)
        for first in range(0, len(own) - size + 1, size):
            part = own[first : first + size]
            queries, passages = (pair.query for pair in part), (pair.passage for pair in part)
            yield Pair(language, ", ".join(queries), ", ".join(passages))


def by_language(materials: Iterable[Material]) -> dict[str, list[Pair]]:
    """All pairs by language key, those that several objectives learn from once."""
    found: dict[str, dict[Pair, None]] = {}
    for material in materials:
        for pair in material.pairs:
            found.setdefault(language_key(pair.language), {})[pair] = None
    return {language: list(pairs) for language, pairs in found.items()}


def _lengths(tokenizer: "Tokenizer", pairs: Sequence[Pair]) -> Iterator[int]:
    for first in range(0, len(pairs), TEXTS_AT_ONCE):
        texts = [pair.query for pair in pairs[first : first + TEXTS_AT_ONCE]]
        yield from (len(encoding.ids) for encoding in tokenizer.encode_batch_fast(texts))


def contrastive_dataset(material: Material) -> "Dataset":
    """Columns query, passage, and a column for each of the objective's negatives."""
    from datasets import Dataset

    columns: dict[str, list[Any]] = {
        "query": [pair.query for pair in material.pairs],
        "passage": [pair.passage for pair in material.pairs],
    }
    for number in range(material.objective.negatives):
        columns[f"negative_{number + 1}"] = [pair.negatives[number] for pair in material.pairs]
    return Dataset.from_dict(columns)


def with_negatives(pairs: Sequence[Pair], encoder: Encoder, count: int, seed: int) -> list[Pair]:
    """The pairs with so many negatives each: those that they have, then mined ones, then any passages.

    Raises UsageError where all passages are the same.
    """
    if any(len(pair.negatives) < count for pair in pairs):
        mined = mine_negatives(pairs, encoder, count)
        own = zip(pairs, mined, strict=True)
        pairs = [
            replace(pair, negatives=(*pair.negatives, *set_apart(found.negatives, pair.negatives)))
            for pair, found in own
        ]
    random = np.random.default_rng(seed)
    passages = list(dict.fromkeys(pair.passage for pair in pairs))
    if len(passages) == 1:
        raise UsageError("all pairs have the same passage, so that none has a negative: set negatives to 0")
    return [replace(pair, negatives=_filled(pair, passages, count, random)) for pair in pairs]


def set_apart(found: Sequence[str], known: Sequence[str]) -> Iterator[str]:
    """Those found that are not known."""
    return (text for text in found if text not in known)


def _filled(pair: Pair, passages: Sequence[str], count: int, random: np.random.Generator) -> tuple[str, ...]:
    """passages: distinct, at least two."""
    negatives = list(pair.negatives[:count])
    while len(negatives) < count:
        other = passages[int(random.integers(len(passages)))]
        if other != pair.passage:
            negatives.append(other)
    return tuple(negatives)


def distillation_dataset(material: Material) -> "tuple[Dataset, list[str]]":
    """Columns query and label, and the English texts that labels number."""
    from datasets import Dataset

    numbers: dict[str, int] = {}
    labels = [numbers.setdefault(pair.passage, len(numbers)) for pair in material.pairs]
    queries = [pair.query for pair in material.pairs]
    return Dataset.from_dict({"query": queries, "label": labels}), list(numbers)


def teacher_vectors(
    teacher: Encoder,
    texts: Sequence[str],
    prompts: Sequence[str],
    cache: Path,
    told: Told,
) -> NDArray[np.float16]:
    """(texts, prompts, dimensions) float16 unit rows; kept in the folder cache, to be made only once."""
    identity = "\n".join([teacher.fingerprint, *prompts, *texts])
    path = cache / f"teacher-{hashlib.sha256(identity.encode()).hexdigest()[:16]}.npy"
    if path.is_file():
        kept: NDArray[np.float16] = np.load(path, mmap_mode="r", allow_pickle=False)
        return kept
    vectors = np.empty((len(texts), len(prompts), teacher.dimensions), np.float16)
    told.start("encoding for the teacher", len(texts) * len(prompts), "texts")
    for number, prompt in enumerate(prompts):
        encode = teacher.encode_queries if prompt == "query" else teacher.encode_passages
        for first in range(0, len(texts), TEXTS_AT_ONCE):
            part = texts[first : first + TEXTS_AT_ONCE]
            vectors[first : first + len(part), number] = encode(part)
            told.advance(len(part))
    told.finish()
    cache.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".draft")
    with draft.open("wb") as file:
        np.save(file, vectors, allow_pickle=False)
    draft.replace(path)
    return vectors
