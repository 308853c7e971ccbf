"""Gives a model new tokens that start from the vectors of their old pieces and of the English beside them."""

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from models.training.alignment import align_words
from models.training.configuration import VocabularySection
from models.training.pairs import Pair
from models.training.told import Told
from models.training.vocabulary import (
    NewPiece,
    extended,
    frequent_pieces,
    new_pieces,
    seldom_elsewhere,
    unknown_characters,
)

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Rows = NDArray[np.float32]
UNLIKELY = 0.02
"""Below it a word is no translation, only one that stands in many sentences."""
NAME, VECTORS = "tokenizer.json", "new_rows.npy"

logger = logging.getLogger(__name__)


def extend(
    model: Any,  # noqa: ANN401
    pairs: Mapping[str, Sequence[Pair]],
    section: VocabularySection,
    folder: Path,
    told: Told,
) -> None:
    """Add the tokens that the section asks for to a sentence-transformers model; pairs by language.

    What was worked out once is kept in the folder, so that a run that goes on has the same tokens.
    """
    transformer = model[0]
    table = transformer.auto_model.get_input_embeddings().weight
    base = transformer.tokenizer.backend_tokenizer
    if not (folder / VECTORS).is_file():
        _work_out(base, table.detach().numpy(), pairs, section, folder, told)
    from tokenizers import Tokenizer

    rows = np.load(folder / VECTORS, allow_pickle=False)
    transformer.tokenizer._tokenizer = Tokenizer.from_file(str(folder / NAME))
    add_rows(model, rows)


def add_rows(model: Any, rows: Rows) -> None:  # noqa: ANN401
    """Append rows (n, width) to the model's word vectors."""
    import torch

    body = model[0].auto_model
    old = body.get_input_embeddings().num_embeddings
    body.resize_token_embeddings(old + len(rows), mean_resizing=False)
    with torch.no_grad():
        body.get_input_embeddings().weight[old:] = torch.from_numpy(rows)


def _work_out(
    base: "Tokenizer",
    table: Rows,
    pairs: Mapping[str, Sequence[Pair]],
    section: VocabularySection,
    folder: Path,
    told: Told,
) -> None:
    base.no_truncation()
    base.no_padding()
    chosen = {language: pairs[language] for language in section.languages}
    characters = unknown_characters(
        base, (pair.query for found in chosen.values() for pair in found), section.characters
    )
    letters = new_pieces(base, characters)
    lettered = extended(base, letters, len(table))
    words: Counter[str] = Counter()
    told.start("choosing new tokens", len(chosen), "languages")
    for language, found in chosen.items():
        texts = [pair.query for pair in found]
        own = frequent_pieces(lettered, texts, section.pieces, section.min_count) if section.pieces else []
        logger.info("%s: %d new pieces from %d texts", language, len(own), len(texts))
        words |= Counter(dict(own))  # of a piece's counts the highest
        told.advance()
    told.finish()
    others = [[pair.query for pair in found] for language, found in pairs.items() if language not in chosen]
    others.append(list({pair.passage for found in pairs.values() for pair in found}))
    own_words = seldom_elsewhere(lettered, words, others, len(table) + len(letters), section.min_count)
    logger.info("%d of %d new pieces kept: other languages use the rest", len(own_words), len(words))
    added = [*letters, *new_pieces(lettered, own_words)]
    tokenizer = extended(base, added, len(table))
    rows = _starting_rows(tokenizer, base, table, added, chosen if section.translations else {}, told)
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / NAME))
    draft = folder / f".{VECTORS}"
    with draft.open("wb") as file:
        np.save(file, rows, allow_pickle=False)
    draft.replace(folder / VECTORS)  # last: what is there afterwards is whole


def _starting_rows(
    tokenizer: "Tokenizer",
    base: "Tokenizer",
    table: Rows,
    added: Sequence[NewPiece],
    pairs: Mapping[str, Sequence[Pair]],
    told: Told,
) -> Rows:
    """(n, width): the directions of old pieces and English words, in equal parts, at the usual length.

    A piece without either gets the mean direction of the table.
    """
    usual = float(np.median(np.linalg.norm(table, axis=1)))
    translated = _translated_rows(tokenizer, base, table, pairs, len(added), told)
    mean = _units(table.mean(0))
    rows = np.empty((len(added), table.shape[1]), np.float32)
    parts = np.concatenate([table, rows])
    for number, piece in enumerate(added):
        old = _units(parts[list(piece.parts)].mean(0)) if piece.parts else np.zeros_like(mean)
        direction = old + translated[number]
        rows[number] = usual * _units(direction if direction.any() else mean)
        parts[len(table) + number] = rows[number]
    return rows


def _translated_rows(
    tokenizer: "Tokenizer",
    base: "Tokenizer",
    table: Rows,
    pairs: Mapping[str, Sequence[Pair]],
    count: int,
    told: Told,
) -> Rows:
    """(count, width) unit rows: the English tokens likely to stand for a new one; zero where none is known.

    Likelihoods are squared, so that a clear translation outweighs the words that stand everywhere.
    """
    found = np.zeros((count, table.shape[1]), np.float32)
    told.start("aligning words with English", len(pairs), "languages")
    for language_pairs in pairs.values():
        texts = _words(tokenizer, [pair.query for pair in language_pairs])
        english = _words(base, [pair.passage for pair in language_pairs])
        links = align_words(texts, english)
        new = (links.words >= len(table)) & (links.likelihoods > UNLIKELY)
        seen = np.bincount(np.concatenate(texts), minlength=len(table) + count)
        weights = seen[links.words[new]] * links.likelihoods[new] ** 2
        np.add.at(found, links.words[new] - len(table), weights[:, None] * table[links.counterparts[new]])
        told.advance()
    told.finish()
    return _units(found)


def _words(tokenizer: "Tokenizer", texts: list[str]) -> list[NDArray[np.int64]]:
    """Numbers of each text's distinct tokens."""
    encodings = tokenizer.encode_batch_fast(texts, add_special_tokens=False)
    return [np.unique(np.array(encoding.ids, np.int64)) for encoding in encodings]


def _units(rows: Rows) -> Rows:
    length = np.linalg.norm(rows, axis=-1, keepdims=True)
    units: Rows = np.divide(rows, length, out=np.zeros_like(rows), where=length > 0)
    return units
