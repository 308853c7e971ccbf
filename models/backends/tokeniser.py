"""A model's fast tokenizer, used directly: token ids without padding, and where tokens lie in the text."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

TokenIds = NDArray[np.int32]
SURROGATE = re.compile("[\ud800-\udfff]")
"""Halves of a character, which JSON can spell and UTF-8 cannot; each becomes one U+FFFD."""


class Tokeniser:
    """Wraps a `tokenizers.Tokenizer`, whose truncation and padding are switched off."""

    def __init__(self, tokenizer: "Tokenizer", pad: int) -> None:
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._tokenizer = tokenizer
        self.pad = pad
        mask = tokenizer.encode("a").special_tokens_mask
        self._closing = mask[::-1].index(0) if 0 in mask else 0

    def token_ids(self, texts: Sequence[str], prompt: str, limit: int) -> tuple[list[TokenIds], int]:
        """Ids of prompt and text with the special tokens, at most limit; and how many texts were cut."""
        rows, cut = [], 0
        for encoding in self._encode([prompt + text for text in texts], special=True):
            ids = np.array(encoding.ids or [self.pad], np.int32)
            if len(ids) > limit:
                cut += 1
                ids = self._shortened(ids, limit)
            rows.append(ids)
        return rows, cut

    def spans(self, texts: Sequence[str]) -> list[NDArray[np.int32]]:
        """For each text (n, 2) character offsets of its tokens, no special ones; leading spaces left out.

        Starts never decrease. Several tokens of one character share its span; a token that stands
        for spaces alone has an empty one.
        """
        encodings = self._encode(list(texts), special=False)
        return [_spans(encoding.offsets, text) for encoding, text in zip(encodings, texts, strict=True)]

    def overhead(self, prompt: str) -> int:
        """Tokens that the prompt and the special tokens take beside a text."""
        whole, text = self._encode([prompt + "a"], special=True)[0], self._encode(["a"], special=False)[0]
        return len(whole.ids) - len(text.ids)

    def own(self, prompt: str) -> slice:
        """Which of the ids that token_ids gives are the text's: the prompt and the special ones are not."""
        return slice(self.overhead(prompt) - self._closing, -self._closing or None)

    def _shortened(self, ids: TokenIds, limit: int) -> TokenIds:
        end = len(ids) - self._closing
        return np.concatenate([ids[: limit - self._closing], ids[end:]])

    def _encode(self, texts: list[str], *, special: bool) -> "list[Encoding]":
        try:
            return self._tokenizer.encode_batch(texts, add_special_tokens=special)
        except (UnicodeError, TypeError):
            whole = [SURROGATE.sub("\ufffd", text) for text in texts]
            return self._tokenizer.encode_batch(whole, add_special_tokens=special)


def _spans(offsets: list[tuple[int, int]], text: str) -> NDArray[np.int32]:
    spans = np.array(offsets, np.int32).reshape(-1, 2)
    starts, ends = spans.T
    np.minimum(_next_without(text, str.isspace)[starts], ends, out=starts)
    np.maximum.accumulate(starts, out=starts)
    if not text.isascii():  # the tokenizer composes letters and then leaves their marks outside the span
        marks_end = _next_without(text, _is_mark)[ends]
        np.maximum(ends, np.minimum(marks_end, np.append(starts[1:], len(text))), out=ends)
    np.maximum(ends, starts, out=ends)
    return spans


def _next_without(text: str, trait: Callable[[str], bool]) -> NDArray[np.int32]:
    """For each position of the text, and its end, the next whose character lacks the trait."""
    size = len(text)
    positions = np.arange(size + 1, dtype=np.int32)
    having = np.fromiter(map(trait, text), bool, size)
    positions[:size][having] = size
    return np.minimum.accumulate(positions[::-1])[::-1]


def _is_mark(character: str) -> bool:
    return unicodedata.combining(character) > 0
