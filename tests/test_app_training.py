"""bioglot train and its record: one run, however often interrupted, with the languages measured."""

import json
import lzma
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from parallel_text import LANGUAGES, sentences, write_pairs
from tiny_encoder import write_tiny_encoder

from app.cli.main import run
from app.evaluation.languages import evaluate_languages
from app.evaluation.sentences import read_sentences
from indexer.progress import Silent
from models.encoder import EncoderSettings
from models.loading import load_encoder

CONFIGURATION = """
name = "liver"
folder = "liver"
seed = {seed}
[model]
model = "encoder"
[[objectives]]
name = "twins"
kind = "distill"
contrast = 0.1
bank = 16
data = [{{path = "pairs.tsv", licence = "CC0"}}]
[batch]
size = 16
at_once = 16
[training]
steps = {steps}
learning_rate = 1e-3
rows_learning_rate = 1e-2
checkpoint_every = 5
log_every = 1
[evaluation]
languages = "languages.tsv.xz"
every = {steps}
"""
COMMAND = "import sys; from app.cli.main import run; sys.exit(run(sys.argv[1:]))"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_tiny_encoder(tmp_path / "encoder")
    write_pairs(tmp_path / "pairs.tsv")
    with lzma.open(tmp_path / "languages.tsv.xz", "wt", encoding="utf-8") as file:
        for language in ("eng_Latn", *LANGUAGES):
            for number, text in enumerate(sentences(language)):
                file.write(f"{number}\t{language}\thealth\t{text}\n")
    monkeypatch.setenv("BIOGLOT_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def configure(place: Path, steps: int, seed: int = 1) -> Path:
    path = place / "liver.toml"
    path.write_text(CONFIGURATION.format(steps=steps, seed=seed), encoding="utf-8")
    return path


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    capsys.readouterr()
    assert run([*arguments, "--json"]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_a_run_is_on_record_with_what_it_read_learnt_and_measured(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = configure(place, steps=12)
    assert run(["train", "--config", str(path)]) == 0
    assert "trained 12 steps; the model is in" in capsys.readouterr().out
    check_export(place, capsys)
    document = shown(capsys, "runs", "show", "liver")
    text = json.dumps(document)
    for expected in (
        "FINISHED",
        "pairs.tsv",
        "learning_rate",
        "checkpoint-12",
        "loss/twins",
        "tokens_per_second",
    ):
        assert expected in text
    for language in LANGUAGES:
        assert language in text


def check_export(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The model gets a name, a card and a preset, and encodes like the folder of the run."""
    named = ["models", "export", "liver", "--name", "tiny-liver", "--licence", "MIT", "--cut-off", "2.5"]
    assert run(named) == 0
    card = (place / "home" / "models" / "tiny-liver" / "README.md").read_text(encoding="utf-8")
    for expected in ("| pairs.tsv | 180 | CC0 |", "| sat_Olck | ", "12 steps", "licence of the weights: MIT"):
        assert expected in card
    document = shown(capsys, "models", "show", "tiny-liver")
    summary = json.loads((place / "liver" / "summary.json").read_text(encoding="utf-8"))
    assert document["languages"] == summary["languages"] and set(document["languages"]) == set(LANGUAGES)
    assert (document["dimensions"], document["cut_off"], document["query_prompt"]) == (32, 2.5, "query: ")
    own, folder = (
        load_encoder(EncoderSettings(name)) for name in ("tiny-liver", str(place / "liver" / "model"))
    )
    assert np.array_equal(own.encode_queries(["liver"]), folder.encode_queries(["liver"]))
    assert own.cut_off == 2.5
    from sentence_transformers import SentenceTransformer

    plain = SentenceTransformer(str(place / "home" / "models" / "tiny-liver"), local_files_only=True)
    vector = plain.encode(["query: liver"], normalize_embeddings=True)[0]
    assert float(vector @ own.encode_queries(["liver"])[0]) > 0.999
    assert run(["models", "export", "liver", "--name", "e5-small", "--licence", "MIT"]) == 2
    assert run(["models", "export", "home", "--name", "other", "--licence", "MIT"]) == 2
    assert "expected summary.json" in capsys.readouterr().err


def test_a_run_told_to_end_goes_on_as_the_same_run(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = configure(place, steps=400)
    process = subprocess.Popen([sys.executable, "-c", COMMAND, "train", "--config", str(path)])
    while not (place / "liver" / "checkpoint-5" / "whole.json").is_file():
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=120) == 130
    assert len(shown(capsys, "runs", "list")["runs"]) == 1  # type: ignore[arg-type]
    assert "KILLED" in json.dumps(shown(capsys, "runs", "show", "liver"))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("steps = 12", "stepz = 12", "unknown field `stepz` - at `$.training`"),
        ('kind = "distill"', 'kind = "distil"', "Invalid enum value 'distil'"),
        ("size = 16", "size = 17", "batch.size is 17, expected a multiple of batch.at_once (16)"),
        ('path = "pairs.tsv"', 'path = "pears.tsv"', "pears.tsv"),
        ("contrast = 0.1", "favour = {wol_Latn = 2}", "favours wol_Latn, of which its data has nothing"),
        ("seed = 1", 'seed = "x"', "Expected `int`, got `str` - at `$.seed`"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(
    place: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, expected: str
) -> None:
    path = configure(place, steps=12)
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    assert run(["train", "--config", str(path)]) in (1, 2)
    error = capsys.readouterr().err.strip().splitlines()[-1]
    assert error.startswith("bioglot: ") and expected in error


def test_a_dry_run_tells_what_it_would_take(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = configure(place, steps=12)
    assert run(["train", "--config", str(path), "--dry-run"]) == 0
    lines = capsys.readouterr().out
    assert "batch: 16 = 16 at once x 1 accumulated x 1 processes" in lines
    assert "steps: 12" in lines and "time: about 0." in lines
    assert not (place / "liver").exists()
    document = shown(capsys, "train", "--config", str(path), "--dry-run")
    assert document["steps"] == 12 and document["parameters"] == document["trained"]


def test_hidden_tokens_are_learnt_from_plain_text_and_the_model_stays_an_encoder(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [text for language in LANGUAGES for text in sentences(language)]
    (place / "texts.txt").write_text("\n".join(lines), encoding="utf-8")
    text = CONFIGURATION.format(steps=30, seed=1).split("[evaluation]")[0]
    text = text.replace('kind = "distill"\ncontrast = 0.1\nbank = 16', 'kind = "mlm"').replace(
        "pairs.tsv", "texts.txt"
    )
    path = place / "masked.toml"
    path.write_text(text, encoding="utf-8")
    document = shown(capsys, "train", "--config", str(path))
    losses = [loss for _, loss in document["losses"]]  # type: ignore[attr-defined]
    assert len(losses) == 30 and losses[-1] < losses[0] - 1
    encoder = load_encoder(EncoderSettings(str(document["model"])))
    assert encoder.encode_queries(["heart"]).shape == (1, 32)


def test_missing_packages_are_named_with_the_remedy(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.cli.training.NEEDED", ("datasets", "a_package_that_is_not_there"))
    assert run(["train", "--config", str(configure(place, steps=12))]) == 2
    expected = "bioglot: training needs a_package_that_is_not_there: pip install 'bioglot[training]'\n"
    assert capsys.readouterr().err == expected


def test_languages_are_measured_with_what_an_adapter_has_learnt_and_kept_when_run_again(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = configure(place, steps=12)
    path.write_text(path.read_text(encoding="utf-8") + '[adapter]\nkind = "lora"\n', encoding="utf-8")
    assert run(["train", "--config", str(path)]) == 0
    encoder = load_encoder(EncoderSettings(str(place / "liver" / "model")))
    sentences_file = read_sentences(place / "languages.tsv.xz")
    found = evaluate_languages(sentences_file, encoder, Silent(), home=place)
    expected = {row.language: row.accuracy for row in found.languages}
    summary = place / "liver" / "summary.json"
    assert json.loads(summary.read_text(encoding="utf-8"))["languages"] == expected
    before = summary.read_bytes()
    assert run(["train", "--config", str(path)]) == 0
    assert summary.read_bytes() == before
