import gzip
import lzma

import numpy as np
import pytest

from models.encoder import Encoder
from models.errors import UsageError
from models.loading import find_model
from models.training.packing import (
    SHORTEST,
    SpecialTokens,
    attention,
    blocks,
    documents,
    file_texts,
    pack_texts,
    positions,
    token_ids,
)
from tests.tiny_encoder import TEXTS

SPECIAL = SpecialTokens(begin=0, end=2, pad=1)


@pytest.fixture(scope="module")
def tokenizer(encoder: Encoder):
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(find_model("e5-small").folder)


def packed(lengths: list[int], max_tokens: int) -> list[list[int]]:
    """Blocks of texts whose tokens are 100, 101 and so on for the first, 200 for the second."""
    texts = [list(range(100 * number, 100 * number + length)) for number, length in enumerate(lengths, 1)]
    return [block.tolist() for block in blocks(texts, SPECIAL, max_tokens)]


def test_short_texts_share_a_block():
    assert packed([3, 2], 24) == [[0, 100, 101, 102, 2, 0, 200, 201, 2, *[1] * 15]]


def test_a_text_that_does_not_fit_goes_on_in_the_next_block():
    first, second = packed([4, 30], 26)
    assert first == [0, *range(100, 104), 2, 0, *range(200, 218), 2]
    assert second == [0, *range(218, 230), 2, *[1] * 12]


def test_no_text_is_cut_to_fill_little_room():
    first, second = packed([10, 20], 12 + SHORTEST + 1)
    assert first == [0, *range(100, 110), 2, *[1] * (SHORTEST + 1)]
    assert second[:22] == [0, *range(200, 220), 2]


def test_every_token_is_there_once_and_in_order(tokenizer):
    texts = [text * times for times, text in enumerate(TEXTS * 3, 1)]
    ids = list(token_ids(texts, tokenizer))
    found = np.concatenate(list(blocks(ids, SPECIAL, 32)))
    assert found[~np.isin(found, (0, 1, 2))].tolist() == [token for text in ids for token in text]


def test_documents_positions_and_attention_of_a_block():
    block = np.array([0, 7, 2, 0, 8, 9, 2, 1], np.int32)
    assert documents(block, SPECIAL).tolist() == [1, 1, 1, 2, 2, 2, 2, 0]
    assert positions(block, SPECIAL)[:7].tolist() == [0, 1, 2, 0, 1, 2, 3]
    sees = attention(block, SPECIAL)
    assert sees[1].tolist() == [True, True, True, False, False, False, False, False]
    assert sees[4].tolist() == [False, False, False, True, True, True, True, False]
    assert sees[7].tolist() == [False] * 7 + [True]


def test_the_report_counts_what_a_text_a_row_would_waste(tokenizer, tmp_path):
    texts = ["heart", "heart " * 50, ""] * 3
    short, long, _ = (len(tokenizer(text)["input_ids"]) for text in texts[:3])
    done = pack_texts(texts, tokenizer, 64, tmp_path, limit=100, rows=2)
    assert (done.report.texts, done.report.blocks, done.blocks.shape[1]) == (6, len(done.blocks), 64)
    assert done.report.padding_alone == pytest.approx(1 - (short + long) / (2 * long))
    assert done.report.padding == pytest.approx(float((done.blocks == 1).mean()))
    assert done.report.tokens == int((done.blocks != 1).sum())


def test_reading_stops_when_there_are_blocks_enough(tokenizer, tmp_path):
    def endless():
        while True:
            yield "heart failure " * 20

    done = pack_texts(endless(), tokenizer, 64, tmp_path, limit=5)
    assert done.blocks.shape == (5, 64)
    assert done.report.texts < 10


def test_packed_texts_are_kept_for_a_run_that_goes_on(tokenizer, tmp_path):
    first = pack_texts(TEXTS, tokenizer, 64, tmp_path, limit=9)
    again = pack_texts(["another text"], tokenizer, 64, tmp_path, limit=9)
    assert np.array_equal(first.blocks, again.blocks)
    assert first.report == again.report


@pytest.mark.parametrize(
    ("texts", "max_tokens", "message"),
    [
        ([""], 64, "there is no text to train on: all texts are empty"),
        (["heart"], SHORTEST + 1, "max_tokens is 17, expected 18 or more to pack texts"),
    ],
)
def test_nothing_to_pack_is_an_error(tokenizer, tmp_path, texts, max_tokens, message):
    with pytest.raises(UsageError, match=message):
        pack_texts(texts, tokenizer, max_tokens, tmp_path, limit=9)


def test_a_tokenizer_without_a_mask_is_refused(tokenizer, tmp_path):
    from transformers import PreTrainedTokenizerFast

    bare = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer.backend_tokenizer, cls_token="<s>", sep_token="</s>", pad_token="<pad>"
    )
    with pytest.raises(UsageError, match="has no mask_token"):
        pack_texts(TEXTS, bare, 64, tmp_path, limit=9)


@pytest.mark.parametrize(
    ("name", "packer"), [("t.txt", bytes), ("t.gz", gzip.compress), ("t.xz", lzma.compress)]
)
def test_each_line_of_a_file_is_a_text(tmp_path, name, packer):
    (tmp_path / name).write_bytes(packer("心不全\n\n Сердце \nHeart".encode()))
    assert list(file_texts(tmp_path / name)) == ["心不全", "Сердце", "Heart"]


@pytest.mark.parametrize(
    ("name", "content"), [("gone.txt", None), ("t.txt", b"\xff"), ("t.gz", b"no"), ("t.xz", b"no")]
)
def test_a_file_that_cannot_be_read_is_an_error(tmp_path, name, content):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(UsageError, match=f"text file .*{name} cannot be read: "):
        list(file_texts(tmp_path / name))
