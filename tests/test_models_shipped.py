"""The encoder that comes with bioglot: whole, small, and better at the languages that it was made for."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from safetensors import safe_open

from models import shipped
from models.delta import TENSORS
from models.encoder import DEFAULT, Encoder, EncoderSettings
from models.errors import ModelError
from models.loading import find_model, load_encoder
from models.measured import measured_languages
from models.presets import find_preset
from models.shipped import merged_folder, shipped_folder

LIMIT = 60_000_000
"""Bytes of what is shipped of an encoder."""
ENGLISH = (
    "The child has a fever and a cough.",
    "The vaccine protects against measles.",
    "Insulin lowers the sugar in the blood.",
    "The kidneys no longer work.",
)
TWINS = {
    "Somali": ("Insulin waxay hoos u dhigtaa sonkorta dhiigga.", 2),
    "Turkmen": ("Böwrekler indi işlemeýär.", 3),
    "Swahili": ("Chanjo hiyo hukinga dhidi ya surua.", 1),
    "Spanish": ("Los riñones ya no funcionan.", 3),
    "Japanese": ("インスリンは血液中の糖を下げる。", 2),
}


def test_the_default_comes_with_bioglot(encoder: Encoder) -> None:
    assert DEFAULT == encoder.name == "bioglot-small"
    folder = shipped_folder("bioglot-small")
    assert sum(path.stat().st_size for path in folder.iterdir()) < LIMIT
    assert {"README.md", "run.json", "training.toml"} <= {path.name for path in folder.iterdir()}
    assert json.loads((folder / "run.json").read_text(encoding="utf-8"))["run"]["status"] == "FINISHED"


@pytest.mark.parametrize("language", TWINS)
def test_a_sentence_finds_its_english_twin(encoder: Encoder, language: str) -> None:
    text, twin = TWINS[language]
    scores = encoder.encode_queries([text]) @ encoder.encode_passages(ENGLISH).T
    assert int(scores.argmax()) == twin


def test_letters_that_the_base_does_not_know_are_told_apart(encoder: Encoder) -> None:
    base = load_encoder(EncoderSettings("e5-small"))
    texts = ["ᱦᱤᱨᱫᱟᱹ", "ᱢᱟᱭᱟᱢ"]
    before, now = (float(np.prod(each.encode_queries(texts), axis=0).sum()) for each in (base, encoder))
    assert before > 0.999 > now


def test_it_was_measured_in_every_language_of_flores() -> None:
    preset = find_preset("bioglot-small")
    assert preset is not None
    accuracy = measured_languages(preset)
    assert len(accuracy) == 204
    assert all(0 < value <= 1 for value in accuracy.values())


def test_it_is_merged_once_and_loads_in_sentence_transformers(encoder: Encoder) -> None:
    from sentence_transformers import SentenceTransformer

    folder = find_model("bioglot-small").folder
    assert find_model("bioglot-small").folder == folder
    plain = SentenceTransformer(str(folder), local_files_only=True)
    vector = plain.encode([f"query: {ENGLISH[0]}"], normalize_embeddings=True)[0]
    assert float(vector @ encoder.encode_queries([ENGLISH[0]])[0]) > 0.999
    with safe_open(folder / "model.safetensors", "np") as weights:
        rows = weights.get_slice("embeddings.word_embeddings.weight").get_shape()[0]
    assert rows > 250_037


def test_a_damaged_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(shipped_folder("bioglot-small"), tmp_path / "bioglot-small")
    path = tmp_path / "bioglot-small" / TENSORS
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    monkeypatch.setattr(shipped, "WEIGHTS", tmp_path)
    monkeypatch.setenv("BIOGLOT_CACHE", str(tmp_path / "cache"))
    with pytest.raises(ModelError, match="is damaged"):
        merged_folder("bioglot-small", Path("nowhere"))
    assert not list((tmp_path / "cache").glob("bioglot-small*"))
    (path.parent / "delta.json").unlink()
    with pytest.raises(ModelError, match=r"delta\.json cannot be read"):
        merged_folder("bioglot-small", Path("nowhere"))
