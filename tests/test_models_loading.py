import subprocess
import sys
import time

import pytest
from tiny_model import write_tiny_model

from models import loading
from models.encoder import EncoderSettings
from models.errors import ModelError, UsageError
from models.loading import find_model, load_encoder


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (EncoderSettings(precision="int3"), "precision 'int3' is not known: name one of auto, float32"),
        (EncoderSettings(max_tokens=-5), "max_tokens is -5, expected 1 or more"),
        (EncoderSettings(max_tokens=0), "max_tokens is 0, expected 1 or more"),
        (EncoderSettings(dimensions=0), "dimensions is 0, expected 1 or more"),
        (EncoderSettings(model="./no/such/folder"), "model folder './no/such/folder' does not exist"),
        (EncoderSettings(model="/no/such/folder"), "model folder '/no/such/folder' does not exist"),
        (EncoderSettings(model="e5-smal"), "did you mean e5-small?"),
        (EncoderSettings(model=""), "model '' is not known"),
    ],
)
def test_what_cannot_be_is_one_clear_line(settings, message):
    with pytest.raises(UsageError) as caught:
        load_encoder(settings)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_is_not_a_model(tmp_path):
    file = tmp_path / "model.bin"
    file.write_text("", encoding="utf-8")
    with pytest.raises(UsageError, match="is a file, expected a sentence-transformers folder"):
        load_encoder(EncoderSettings(model=str(file)))


def test_a_folder_without_a_model_says_what_is_missing(tmp_path):
    with pytest.raises(ModelError, match=r"neither modules\.json .* nor config\.json"):
        load_encoder(EncoderSettings(model=str(tmp_path)))


def test_damaged_weights_are_one_clear_line(tmp_path):
    folder = write_tiny_model(tmp_path / "tiny")
    (folder / "model.safetensors").write_bytes(b"not weights")
    with pytest.raises(ModelError, match=r"tiny cannot be loaded: ") as caught:
        load_encoder(EncoderSettings(model=str(folder)))
    assert "\n" not in str(caught.value)


def test_a_model_with_code_of_its_own_is_refused(tmp_path):
    folder = write_tiny_model(tmp_path / "tiny")
    (folder / "config.json").write_text(
        '{"model_type": "own", "auto_map": {"AutoConfig": "own.Config", "AutoModel": "own.Model"}}',
        encoding="utf-8",
    )
    (folder / "own.py").write_text("raise SystemExit('code was run')", encoding="utf-8")
    with pytest.raises(ModelError, match="code of its own, which bioglot never runs"):
        load_encoder(EncoderSettings(model=str(folder)))


def test_an_unreachable_hub_is_said_quickly_in_one_line():
    program = (
        "from models.loading import find_model\n"
        "from models.errors import ModelError\n"
        "try:\n"
        "    find_model('nobody/no-such-model')\n"
        "except ModelError as error:\n"
        "    print(error)\n"
    )
    started = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"HF_HUB_OFFLINE": "1", "PATH": "/usr/bin", "HOME": "/nonexistent"},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout == (
        "model 'nobody/no-such-model' is not on this machine and the Hugging Face hub cannot be reached: "
        "connect to it, or name a local sentence-transformers folder, or use bioglot-small, which needs no "
        "hub\n"
    )
    assert time.monotonic() - started < 60


def test_without_the_wheel_the_default_comes_from_the_hub(monkeypatch, tmp_path):
    asked = []

    def hub_folder(name):
        asked.append(name)
        return tmp_path

    monkeypatch.setattr(loading, "converted_folder", lambda: None)
    monkeypatch.setattr(loading, "hub_folder", hub_folder)
    files = find_model("e5-small")
    assert asked == ["intfloat/multilingual-e5-small"]
    assert files.preset is not None
    assert files.preset.query_prompt == "query: "


def test_importing_is_light():
    program = "import sys, models.loading; print([n for n in ('torch', 'transformers') if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout == "[]\n"
