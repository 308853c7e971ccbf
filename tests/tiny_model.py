"""Model folders of a few kilobytes: random BERT, own tokenizer."""

import json
from pathlib import Path

DIMENSIONS = 16
MAX_TOKENS = 24
WORDS = "heart attack liver fever query : passage . the of in a b c d e".split()
TOKENIZER = {
    "tokenizer_class": "PreTrainedTokenizerFast",
    "pad_token": "[PAD]",
    "unk_token": "[UNK]",
    "cls_token": "[CLS]",
    "sep_token": "[SEP]",
    "model_max_length": MAX_TOKENS,
}


def write_tiny_model(folder: Path, **configuration: object) -> Path:
    """Write the model; keywords become entries of config_sentence_transformers.json."""
    from transformers import BertModel

    _write_transformer(folder, BertModel)
    modules = [
        {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
        {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
    ]
    (folder / "1_Pooling").mkdir()
    files = {
        "modules.json": modules,
        "1_Pooling/config.json": {"word_embedding_dimension": DIMENSIONS, "pooling_mode_mean_tokens": True},
        "sentence_bert_config.json": {"max_seq_length": MAX_TOKENS, "do_lower_case": False},
        "tokenizer_config.json": TOKENIZER,
        "config_sentence_transformers.json": configuration,
    }
    for name, content in files.items():
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
    return folder


def write_tiny_cross_encoder(folder: Path, labels: int = 1) -> Path:
    """A transformers folder of a random BERT that gives each pair of texts as many scores as labels."""
    from transformers import BertForSequenceClassification

    _write_transformer(folder, BertForSequenceClassification, num_labels=labels)
    (folder / "tokenizer_config.json").write_text(json.dumps(TOKENIZER), encoding="utf-8")
    return folder


def _write_transformer(folder: Path, architecture: type, **configuration: object) -> None:
    """Random weights, the same every time, and the tokenizer."""
    import torch
    from transformers import BertConfig

    torch.manual_seed(7)
    vocabulary = {token: i for i, token in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS])}
    shape = {"hidden_size": DIMENSIONS, "num_hidden_layers": 2, "num_attention_heads": 2}
    settings = BertConfig(
        vocab_size=len(vocabulary),
        intermediate_size=32,
        max_position_embeddings=MAX_TOKENS,
        **shape,
        **configuration,
    )
    architecture(settings).save_pretrained(folder)
    _tokenizer(vocabulary).save(str(folder / "tokenizer.json"))


def _tokenizer(vocabulary: dict[str, int]):
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    return tokenizer
