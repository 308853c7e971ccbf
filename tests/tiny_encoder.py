"""Model folders of random weights around the default encoder's own tokenizer."""

import json
import shutil
from pathlib import Path

HIDDEN = 32
MAX_TOKENS = 64
KINDS = ("bert", "xlm-roberta")
TEXTS = (
    "Heart failure in 40 % of patients after myocardial infarction",
    "Сердечная недостаточность у больных пожилого возраста",
    "قصور القلب عند المرضى المسنين",
    "रोगियों में हृदय गति रुकना",
    "患者的心力衰竭。",
    "ภาวะหัวใจล้มเหลวในผู้ป่วย",
    "გულის უკმარისობა",
    "Insuffisance cardiaque chez le sujet âgé",
    "심부전 환자의 재활",
)


def write_tiny_encoder(folder: Path, kind: str = "xlm-roberta", layers: int = 2) -> Path:
    """A sentence-transformers folder with mean pooling and E5's prompts, the same every time."""
    import torch
    from transformers import BertConfig, BertModel, XLMRobertaConfig, XLMRobertaModel

    from models.loading import find_model

    source = find_model("e5-small").folder
    configuration, architecture, first = {
        "bert": (BertConfig, BertModel, 0),
        "xlm-roberta": (XLMRobertaConfig, XLMRobertaModel, 2),
    }[kind]
    torch.manual_seed(7)
    architecture(
        configuration(
            vocab_size=250_037,
            hidden_size=HIDDEN,
            num_hidden_layers=layers,
            num_attention_heads=2,
            intermediate_size=64,
            max_position_embeddings=MAX_TOKENS + first,
            pad_token_id=1,
            bos_token_id=0,
            eos_token_id=2,
        )
    ).save_pretrained(folder)
    for name in ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"):
        shutil.copy(source / name, folder)
    (folder / "1_Pooling").mkdir()
    files = {
        "modules.json": [
            {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
            {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
        ],
        "1_Pooling/config.json": {"word_embedding_dimension": HIDDEN, "pooling_mode_mean_tokens": True},
        "sentence_bert_config.json": {"max_seq_length": MAX_TOKENS, "do_lower_case": False},
        "config_sentence_transformers.json": {"prompts": {"query": "query: ", "document": "passage: "}},
    }
    for name, content in files.items():
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
    return folder
