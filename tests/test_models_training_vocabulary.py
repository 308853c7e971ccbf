"""New tokens: unknown letters and pieces that save tokens, and nothing else cut anew."""

import numpy as np
import pytest
from tokenizers import Tokenizer, models

from models.errors import ModelError
from models.loading import find_model
from models.training.vocabulary import (
    extended,
    frequent_pieces,
    new_pieces,
    seldom_elsewhere,
    unknown_characters,
)

SANTALI = "ᱦᱤᱨᱫᱟᱹ ᱵᱮᱥ ᱜᱮᱭᱟ"
SYLLABLES = ("kɛ", "kui̱", "nɛy", "mi̱", "la̱th", "puɔ̱ny", "dɛ", "tëë", "diaal", "ɣöö")
RANDOM = np.random.default_rng(4)
WORDS = ["".join(RANDOM.choice(SYLLABLES, 2)) for _ in range(40)]
NUER = [" ".join(RANDOM.choice(WORDS, 8)) for _ in range(300)]
"""Sentences in the letters of Nuer, of words that its tokenizer does not have."""
OTHERS = ("the heart and its vessels", "сердце и сосуды", "قصور القلب", "心脏病的治疗", "kui bono")


@pytest.fixture(scope="module")
def base() -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(find_model("e5-small").folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def tokens(tokenizer: Tokenizer, text: str) -> list[str]:
    found: list[str] = tokenizer.encode(text, add_special_tokens=False).tokens
    return found


def test_letters_of_an_unknown_script_become_tokens(base: Tokenizer) -> None:
    letters = unknown_characters(base, [SANTALI], 1)
    assert set(letters) == set(SANTALI) - {" "}
    assert unknown_characters(base, [SANTALI], 2) == [c for c in letters if SANTALI.count(c) > 1]
    assert unknown_characters(base, OTHERS, 1) == []
    wider = extended(base, new_pieces(base, letters), 250_037)
    unknown = base.token_to_id("<unk>")
    assert unknown not in wider.encode(SANTALI).ids
    assert wider.token_to_id(letters[0]) == 250_037
    assert unknown in base.encode(SANTALI).ids


def test_frequent_pieces_shorten_their_language_and_leave_others_alone(base: Tokenizer) -> None:
    pieces = [piece for piece, _ in frequent_pieces(base, NUER, 60, 5)]
    assert pieces and all(len(base.model.tokenize(piece)) > 1 for piece in pieces)
    wider = extended(base, new_pieces(base, pieces), 250_037)
    assert len(tokens(wider, NUER[0])) < 0.8 * len(tokens(base, NUER[0]))
    for text in OTHERS:
        assert tokens(wider, text) == tokens(base, text)


def test_a_piece_knows_what_it_stood_for(base: Tokenizer) -> None:
    (piece,) = new_pieces(base, ["▁nɛy"])
    assert "".join(base.id_to_token(part) for part in piece.parts) == "▁nɛy"
    (letter,) = new_pieces(base, ["ᱦ"])
    assert letter.parts == ()


def test_a_tokenizer_of_another_kind_is_refused() -> None:
    other = Tokenizer(models.WordPiece({"[UNK]": 0, "a": 1}, unk_token="[UNK]"))
    with pytest.raises(ModelError, match="the tokenizer is WordPiece, expected Unigram"):
        extended(other, [], 2)


def test_a_piece_that_another_language_uses_as_well_is_left_out(base: Tokenizer) -> None:
    pieces = {"▁nɛy": 30, "▁kui̱": 30, "▁tëë": 4}
    once, often = ["kui̱ dɛ"], ["nɛy dɛ", "nɛy"] * 5
    kept = seldom_elsewhere(base, pieces, [OTHERS, once, often], 250_037, 5)
    assert kept == ["▁kui̱", "▁tëë"]
    assert seldom_elsewhere(base, pieces, [once * 10, often[:6]], 250_037, 5) == ["▁nɛy", "▁tëë"]
    assert seldom_elsewhere(base, {"▁nɛy": 31}, [often], 250_037, 5) == ["▁nɛy"]
