"""What a trained model differs in, written small and put back."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file
from tiny_encoder import write_tiny_encoder

from models.delta import apart, apply_delta, paired, quantised, write_delta
from models.encoder import EncoderSettings
from models.errors import ModelError
from models.loading import load_encoder

WORDS = "embeddings.word_embeddings.weight"
LINEAR = "encoder.layer.0.output.dense.weight"
BIAS = "encoder.layer.1.output.dense.bias"
TEXT = "ᱦᱤᱨᱫᱟᱹ رئة lung"


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_encoder(tmp_path_factory.mktemp("delta") / "base")


@pytest.fixture(scope="module")
def trained(base: Path) -> Path:
    """A copy with three rows, a matrix and a bias changed, and two letters of Ol Chiki more."""
    folder = base.parent / "trained"
    shutil.copytree(base, folder)
    random = np.random.default_rng(3)
    weights = load_file(folder / "model.safetensors")
    weights[WORDS][[8, 501]] *= np.float32(1.02)  # too little to be kept
    weights[WORDS][[7, 500, 90_000]] += random.normal(size=(3, 32)).astype(np.float32)
    new = random.normal(size=(2, 32)).astype(np.float32)
    weights[WORDS] = np.concatenate([weights[WORDS], new])
    weights[LINEAR] += random.normal(size=weights[LINEAR].shape).astype(np.float32)
    weights[BIAS] += np.float32(0.25)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    content = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    vocabulary = content["model"]["vocab"]
    vocabulary += [[f"<unused{number}>", -100.0] for number in range(250_037 - len(vocabulary))]
    vocabulary += [["ᱦ", -10.0], ["ᱤ", -10.0]]
    (folder / "tokenizer.json").write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    configuration = json.loads((folder / "config.json").read_text(encoding="utf-8")) | {"vocab_size": 250_039}
    (folder / "config.json").write_text(json.dumps(configuration), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def restored(base: Path, trained: Path) -> Path:
    write_delta(base, trained, base.parent / "delta")
    apply_delta(base, base.parent / "delta", base.parent / "restored")
    return base.parent / "restored"


def test_the_restored_model_encodes_like_the_trained_one(base: Path, trained: Path, restored: Path) -> None:
    before, wanted, found = (load_encoder(EncoderSettings(str(path))) for path in (base, trained, restored))
    cosine = float(wanted.encode_queries([TEXT])[0] @ found.encode_queries([TEXT])[0])
    assert cosine > 0.9999
    assert float(wanted.encode_queries([TEXT])[0] @ before.encode_queries([TEXT])[0]) < 0.99
    for one, other in zip(wanted.token_spans([TEXT]), found.token_spans([TEXT]), strict=True):
        assert one.tolist() == other.tolist()


def test_a_delta_holds_what_changed_alone(base: Path, restored: Path) -> None:
    kept = load_file(base.parent / "delta" / "delta.safetensors")
    assert kept[f"{WORDS}.rows"].tolist() == [7, 500, 90_000]
    assert kept[f"{WORDS}.pairs"].shape == (3, 16) and kept[f"{WORDS}.new.numbers"].shape == (2, 32)
    matrices = {name.removesuffix(".numbers") for name in kept if name.endswith(".numbers")}
    assert matrices == {f"{WORDS}.new", LINEAR}
    assert np.allclose(kept[BIAS], 0.25)
    size = sum(path.stat().st_size for path in (base.parent / "delta").iterdir())
    assert size < 20_000


def test_numbers_in_four_bits_come_back_as_they_were() -> None:
    numbers = np.random.default_rng(2).integers(-7, 8, (30, 16)).astype(np.int8)
    assert paired(numbers).dtype == np.uint8 and paired(numbers).shape == (30, 8)
    assert np.array_equal(apart(paired(numbers)), numbers)


def test_a_row_is_off_by_half_a_level_at_most() -> None:
    rows = np.random.default_rng(1).normal(size=(50, 64)).astype(np.float32)
    rows[3] = 0
    numbers, scales = quantised(rows)
    assert numbers.dtype == np.int8
    assert (np.abs(numbers * scales - rows) <= scales / 2 + 1e-7).all()


def test_another_base_is_refused(base: Path, trained: Path, restored: Path) -> None:
    with pytest.raises(ModelError, match="was made for another model"):
        apply_delta(trained, base.parent / "delta", base.parent / "wrong")
    assert not (base.parent / "wrong").exists()


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"sha256": "0"}', b"\xff"])
def test_a_damaged_description_is_named(base: Path, restored: Path, tmp_path: Path, content: bytes) -> None:
    damaged = tmp_path / "delta"
    shutil.copytree(base.parent / "delta", damaged)
    (damaged / "delta.json").write_bytes(content)
    with pytest.raises(ModelError, match=r"delta\.json is damaged"):
        apply_delta(base, damaged, tmp_path / "wrong")
    assert not (tmp_path / "wrong").exists()


def test_a_model_of_another_architecture_is_refused(base: Path, tmp_path: Path) -> None:
    other = write_tiny_encoder(tmp_path / "other", layers=1)
    with pytest.raises(ModelError, match=r"only one of them has encoder\.layer\.1"):
        write_delta(base, other, tmp_path / "delta")
