"""Texts packed into blocks of one length, so that no step is spent on padding.

A block holds documents one after another, each between the tokenizer's two special tokens. Attention stays
within a document and positions start again with each, so that it is read as it would be alone.
"""

import gzip
import itertools
import lzma
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from models.errors import UsageError

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

Block = NDArray[np.int32]
TOKENISED_AT_ONCE = 1000
"""Texts: bounds the memory that token ids take before they are packed."""
SHORTEST = 16
"""Tokens. A text is not cut to fill less room than this; the end of the block is padded."""


@dataclass(frozen=True, slots=True)
class SpecialTokens:
    """Ids of the tokens that begin and end a document, and of padding."""

    begin: int
    end: int
    pad: int


@dataclass(frozen=True, slots=True)
class PackingReport:
    """What was packed. tokens: those of the texts and the special ones.

    padding, padding_alone: share of all positions that are padding in the blocks, and that would be with a
    text a row, cut to the length of a block and padded to the longest of `rows` texts in a row.
    """

    texts: int
    tokens: int
    blocks: int
    rows: int
    padding: float
    padding_alone: float


@dataclass(frozen=True, slots=True)
class PackedTexts:
    """blocks: (n, max_tokens) int32, mapped from a file."""

    blocks: NDArray[np.int32]
    special: SpecialTokens
    report: PackingReport


def pack_texts(
    texts: Iterable[str],
    tokenizer: "PreTrainedTokenizerBase",
    max_tokens: int,
    folder: Path,
    *,
    limit: int,
    rows: int = 32,
) -> PackedTexts:
    """The texts in blocks, at most limit of them, kept in folder; what it holds already is not made again.

    So a run that goes on sees the same blocks, whatever has become of the texts. Raises UsageError if no text
    has a token or max_tokens is too small.
    """
    special = special_tokens(tokenizer)
    if max_tokens < SHORTEST + 2:
        raise UsageError(f"max_tokens is {max_tokens}, expected {SHORTEST + 2} or more to pack texts")
    kept = folder / f"blocks-{max_tokens}.int32"
    described = kept.with_suffix(".json")
    if not described.exists():
        lengths: list[int] = []
        ids = _noted(token_ids(texts, tokenizer), lengths)
        written = _write(itertools.islice(blocks(ids, special, max_tokens), limit), kept)
        if not written:
            raise UsageError("there is no text to train on: all texts are empty")
        described.write_bytes(msgspec.json.encode(_report(lengths, kept, special, max_tokens, rows)))
    report = msgspec.json.decode(described.read_bytes(), type=PackingReport)
    return PackedTexts(_mapped(kept, max_tokens), special, report)


def file_texts(path: Path) -> Iterator[str]:
    """The lines of a text file, each a text; .gz and .xz are unpacked.

    Raises UsageError if it cannot be read.
    """
    opened: dict[str, Any] = {".gz": gzip.open, ".xz": lzma.open}
    try:
        with opened.get(path.suffix, open)(path, "rt", encoding="utf-8") as lines:
            yield from filter(None, map(str.strip, lines))
    except (OSError, EOFError, UnicodeDecodeError, lzma.LZMAError, zlib.error) as error:
        raise UsageError(f"text file {path} cannot be read: {error}") from error


def special_tokens(tokenizer: "PreTrainedTokenizerBase") -> SpecialTokens:
    """The tokenizer's; raises UsageError if it lacks one that masked-language training needs."""
    names = ("cls_token_id", "sep_token_id", "pad_token_id", "mask_token_id")
    missing = [name.removesuffix("_id") for name in names if getattr(tokenizer, name) is None]
    if missing:
        raise UsageError(
            f"the tokenizer of {tokenizer.name_or_path} has no {', '.join(missing)}: "
            "masked-language training needs a model of the BERT or XLM-R class"
        )
    return SpecialTokens(*(int(getattr(tokenizer, name)) for name in names[:3]))


def token_ids(texts: Iterable[str], tokenizer: "PreTrainedTokenizerBase") -> Iterator[list[int]]:
    """The token ids of each text that has any, no special ones."""
    stream = iter(texts)
    while chunk := list(itertools.islice(stream, TOKENISED_AT_ONCE)):
        encoded = tokenizer(chunk, add_special_tokens=False, return_attention_mask=False, verbose=False)
        yield from filter(None, encoded["input_ids"])


def blocks(ids: Iterable[list[int]], special: SpecialTokens, max_tokens: int) -> Iterator[Block]:
    """Blocks of max_tokens ids, in the order of the texts; one that does not fit goes on in the next."""
    block: list[int] = []
    for text in ids:
        start = 0
        while start < len(text):
            room = max_tokens - len(block) - 2
            block += [special.begin, *text[start : start + room], special.end]
            start += room
            if max_tokens - len(block) < SHORTEST + 2:
                yield _padded(block, special.pad, max_tokens)
                block = []
    if block:
        yield _padded(block, special.pad, max_tokens)


def documents(block: Block, special: SpecialTokens) -> NDArray[np.int64]:
    """For each position the number of its document from 1, or 0 for padding."""
    return np.where(block == special.pad, 0, np.cumsum(block == special.begin))


def positions(block: Block, special: SpecialTokens) -> NDArray[np.int64]:
    """For each position its place in its document, from 0."""
    places = np.arange(len(block))
    return places - np.maximum.accumulate(np.where(block == special.begin, places, 0))


def attention(block: Block, special: SpecialTokens) -> NDArray[np.bool_]:
    """(max_tokens, max_tokens): whether the one position sees the other, which both are of one document.

    Padding sees padding: a position that saw nothing would come out as no number.
    """
    numbers = documents(block, special)
    return np.equal.outer(numbers, numbers)


def _noted(ids: Iterable[list[int]], lengths: list[int]) -> Iterator[list[int]]:
    for text in ids:
        lengths.append(len(text) + 2)
        yield text


def _padded(block: list[int], pad: int, max_tokens: int) -> Block:
    return np.array(block + [pad] * (max_tokens - len(block)), np.int32)


def _write(packed: Iterable[Block], path: Path) -> int:
    """Write the blocks one after another; returns how many. The file is there whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    count = 0
    with part.open("wb") as file:
        for block in packed:
            file.write(block.tobytes())
            count += 1
    part.replace(path)
    return count


def _mapped(path: Path, max_tokens: int) -> NDArray[np.int32]:
    return np.memmap(path, np.int32, "r").reshape(-1, max_tokens)


def _report(
    lengths: list[int], path: Path, special: SpecialTokens, max_tokens: int, rows: int
) -> PackingReport:
    packed = _mapped(path, max_tokens)
    tokens = sum(int((block != special.pad).sum()) for block in packed)
    alone = np.minimum(np.array(lengths), max_tokens)
    widths = np.maximum.reduceat(alone, np.arange(0, len(alone), rows))
    sizes = np.diff([*range(0, len(alone), rows), len(alone)])
    return PackingReport(
        texts=len(lengths),
        tokens=tokens,
        blocks=len(packed),
        rows=rows,
        padding=1 - tokens / packed.size,
        padding_alone=1 - float(alone.sum() / (widths * sizes).sum()),
    )
