"""New tokens for languages that a tokenizer takes to pieces or does not know: characters, then pieces.

For Unigram tokenizers (XLM-R, e5, bge-m3 and their kin). A new piece gets a score that is its old pieces'
together and a bonus for each token that it saves, so that it wins where it fits and other words are cut as
before.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from models.errors import ModelError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

SAVED = 2.0
"""Score for each token saved: in nats, as Unigram scores are."""
CHARACTER_SCORE = -10.0
"""Between frequent and rare pieces of XLM-R's vocabulary, whose scores are 0 to -17."""
SPACE = "\u2581"
ELSEWHERE = 1 / 3
"""A piece that some other language uses so many times as often, or more, is not a language's own."""


@dataclass(frozen=True, slots=True)
class NewPiece:
    """A token to add. parts: the old tokens that it stood for; none if they were unknown."""

    text: str
    score: float
    parts: tuple[int, ...]


def unknown_characters(tokenizer: "Tokenizer", texts: Iterable[str], at_least: int) -> list[str]:
    """Characters in no token of the vocabulary, by falling frequency; SPACE joined to none of them."""
    normalise = tokenizer.normalizer.normalize_str if tokenizer.normalizer else str
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(normalise(text))
    known = {character for piece in tokenizer.get_vocab() for character in piece}
    return [
        character
        for character, count in counts.most_common()
        if count >= at_least and character not in known and not character.isspace()
    ]


def frequent_pieces(
    tokenizer: "Tokenizer", texts: Sequence[str], limit: int, at_least: int
) -> list[tuple[str, int]]:
    """Pieces that a tokenizer made for these texts would use, and how often; those saving most first."""
    from tokenizers import Tokenizer, models, trainers

    own = Tokenizer(models.Unigram())
    own.normalizer, own.pre_tokenizer = tokenizer.normalizer, tokenizer.pre_tokenizer
    trainer = trainers.UnigramTrainer(
        vocab_size=4 * limit, show_progress=False, special_tokens=["<unk>"], unk_token="<unk>"
    )
    own.train_from_iterator(texts, trainer)
    encodings = own.encode_batch(list(texts), add_special_tokens=False)
    counts = Counter(token for encoding in encodings for token in encoding.tokens)
    known = tokenizer.get_vocab()
    saved = {
        piece: count * (len(tokenizer.model.tokenize(piece)) - 1)
        for piece, count in counts.items()
        if count >= at_least and piece not in known and piece != "<unk>"
    }
    best = sorted((piece for piece in saved if saved[piece] > 0), key=lambda piece: (-saved[piece], piece))
    return [(piece, counts[piece]) for piece in best[:limit]]


def seldom_elsewhere(
    tokenizer: "Tokenizer",
    counts: Mapping[str, int],
    others: Iterable[Sequence[str]],
    first: int,
    at_least: int,
) -> list[str]:
    """The pieces that no other language would be cut by, so that what is known of it stays known.

    counts: the pieces and how often their own language uses them. others: texts of each other language.
    first: number of rows that the model has. at_least: fewer uses than that are chance.
    """
    pieces = list(counts)
    wider = extended(tokenizer, new_pieces(tokenizer, pieces), first)
    shared: set[str] = set()
    for texts in others:
        encodings = wider.encode_batch_fast(list(texts), add_special_tokens=False)
        used = Counter(
            pieces[token - first] for encoding in encodings for token in encoding.ids if token >= first
        )
        shared.update(p for p, count in used.items() if count >= max(at_least, ELSEWHERE * counts[p]))
    return [piece for piece in pieces if piece not in shared]


def new_pieces(tokenizer: "Tokenizer", pieces: Iterable[str]) -> list[NewPiece]:
    """The pieces with their scores and the tokens that they stand for."""
    scores = dict(_unigram(tokenizer)["vocab"])
    unknown = tokenizer.model.token_to_id("<unk>")
    found = []
    for piece in pieces:
        tokens = [token for token in tokenizer.model.tokenize(piece) if token.id != unknown]
        parts = tuple(token.id for token in tokens)
        score = sum(scores[token.value] for token in tokens) + SAVED * (len(tokens) - 1)
        found.append(NewPiece(piece, score if parts else CHARACTER_SCORE, parts))
    return found


def extended(tokenizer: "Tokenizer", pieces: Sequence[NewPiece], first: int) -> "Tokenizer":
    """A copy with the pieces numbered from `first`, the number of rows that the model has.

    Raises ModelError for a tokenizer that is not Unigram.
    """
    from tokenizers import Tokenizer

    content = json.loads(tokenizer.to_str())
    vocabulary = _unigram(tokenizer, content)["vocab"]
    gap = [[f"<unused{number}>", -100.0] for number in range(len(vocabulary), first)]
    vocabulary += [*gap, *([piece.text, piece.score] for piece in pieces)]
    return Tokenizer.from_str(json.dumps(content, ensure_ascii=False))


def _unigram(tokenizer: "Tokenizer", content: Mapping[str, Any] | None = None) -> Any:  # noqa: ANN401
    model = (content or json.loads(tokenizer.to_str()))["model"]
    if model["type"] != "Unigram":
        raise ModelError(
            f"the tokenizer is {model['type']}, expected Unigram (XLM-R and its kin): leave [vocabulary] out"
        )
    return model
