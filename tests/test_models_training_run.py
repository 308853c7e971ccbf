"""Training runs of a tiny model, for real: what they learn, whatever kills them or shares them."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from parallel_text import sentences, write_pairs
from safetensors.numpy import load_file
from tiny_encoder import write_tiny_encoder

from models.encoder import EncoderSettings
from models.errors import ModelError, UsageError
from models.loading import load_encoder
from models.training.checkpoints import newest_whole
from models.training.configuration import read_configuration
from models.training.encoder_run import read_materials, train_encoder
from models.training.pairs import Pair
from models.training.run import MODEL, Finished
from models.training.told import Silent
from models.training.trainer import AtStepsCallback

RUN = """
import json, sys
from pathlib import Path
from models.training.configuration import read_configuration
from models.training.encoder_run import read_materials, train_encoder
from models.training.told import Silent
from models.training.trainer import AtStepsCallback
configuration = read_configuration(Path(sys.argv[1]))
finished = train_encoder(configuration, read_materials(configuration, None, Silent()), Silent())
print(json.dumps([finished.step, finished.whole, finished.losses]))
"""
OBJECTIVES = """
[[objectives]]
name = "languages"
kind = "distill"
contrast = 0.1
bank = 16
language_temperature = 5
favour = {{sat_Olck = 2}}
data = [{{path = "pairs.tsv"}}]
[[objectives]]
name = "pairs"
kind = "contrastive"
weight = 0.5
gather = false
data = [{{path = "pairs.tsv"}}]
"""
TEMPLATE = """
name = "tiny"
folder = "{folder}"
[model]
model = "{model}"
max_tokens = 32
precision = "float32"
{objectives}
[batch]
size = 16
at_once = {at_once}
[training]
steps = {steps}
learning_rate = 1e-3
rows_learning_rate = 1e-2
checkpoint_every = {every}
log_every = 1
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("training")
    write_tiny_encoder(folder / "encoder")
    write_pairs(folder / "pairs.tsv")
    return folder


def configure(
    place: Path, name: str, *, steps: int = 20, at_once: int = 16, every: int = 1000, more: str = ""
) -> Path:
    path = place / f"{name}.toml"
    text = TEMPLATE.format(
        folder=name,
        model=place / "encoder",
        at_once=at_once,
        steps=steps,
        every=every,
        objectives=OBJECTIVES.format(),
    )
    path.write_text(text + more, encoding="utf-8")
    return path


def run(place: Path, name: str, **settings: object) -> Finished:
    return go(configure(place, name, **settings))  # type: ignore[arg-type]


def go(path: Path) -> Finished:
    configuration = read_configuration(path)
    return train_encoder(configuration, read_materials(configuration, no_library, Silent()), Silent())


def no_library(folder: Path, kinds: Sequence[str]) -> Iterator[Pair]:
    raise AssertionError(folder)


@pytest.fixture(scope="module")
def uninterrupted(place: Path) -> Finished:
    return run(place, "uninterrupted")


def weights(finished: Path) -> dict[str, np.ndarray]:
    return load_file(finished / MODEL / "model.safetensors")


def test_texts_come_nearer_to_the_teachers_vector_of_their_twin(place: Path) -> None:
    finished = run(place, "long", steps=60)
    teacher = load_encoder(EncoderSettings(str(place / "encoder")))
    student = load_encoder(EncoderSettings(str(finished.folder / MODEL)))
    english = teacher.encode_queries(sentences("eng_Latn"))
    for language in ("spa_Latn", "hin_Deva", "zho_Hans"):
        texts = sentences(language)
        before = (teacher.encode_queries(texts) @ english.T).argmax(1) == np.arange(36)
        after = (student.encode_queries(texts) @ english.T).argmax(1) == np.arange(36)
        assert after.mean() > 0.6 > before.mean()
    assert finished.whole and finished.step == 60


def test_every_step_is_logged_and_the_run_is_the_same_each_time(place: Path, uninterrupted: Finished) -> None:
    again = run(place, "again")
    assert [step for step, _ in again.losses] == list(range(1, 21))
    assert again.losses == uninterrupted.losses
    one, other = weights(again.folder), weights(uninterrupted.folder)
    assert all(np.array_equal(one[name], other[name]) for name in other)


def test_a_killed_run_goes_on_as_if_never_killed(place: Path, uninterrupted: Finished) -> None:
    path = configure(place, "killed", every=5)
    process = subprocess.Popen([sys.executable, "-c", RUN, str(path)], stderr=subprocess.DEVNULL)
    while not (place / "killed" / "checkpoint-5" / "whole.json").is_file():
        assert process.poll() is None
        time.sleep(0.02)
    process.kill()
    process.wait()
    begun = newest_whole(place / "killed")
    assert begun is not None
    finished = go(path)
    first = int(begun.name.removeprefix("checkpoint-"))
    assert finished.losses == uninterrupted.losses
    assert first >= 5
    one, other = weights(finished.folder), weights(uninterrupted.folder)
    assert all(np.array_equal(one[name], other[name]) for name in other)


def test_a_run_told_to_end_saves_the_step_that_it_is_at(place: Path, uninterrupted: Finished) -> None:
    path = configure(place, "stopped", every=5)
    process = subprocess.Popen([sys.executable, "-c", RUN, str(path)], stdout=subprocess.PIPE, text=True)
    while not (place / "stopped" / "checkpoint-5" / "whole.json").is_file():
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    out, _ = process.communicate(timeout=120)
    step, whole, _ = json.loads(out.splitlines()[-1])
    assert process.returncode == 0
    if not whole:  # the run may have reached its end before the signal came
        assert newest_whole(place / "stopped") == place / "stopped" / f"checkpoint-{step}"
        finished = go(path)
        assert finished.losses == uninterrupted.losses


def test_two_processes_learn_what_one_with_accumulation_does(place: Path) -> None:
    alone = run(place, "alone", steps=8, at_once=8)
    compare_with_two_processes(place, alone, configure(place, "together", steps=8, at_once=8))


def test_negatives_come_from_every_process(place: Path) -> None:
    """Two processes with eight pairs each have the negatives, and so the losses, of one with sixteen."""
    apart, together = (
        contrastive_alone(configure(place, name, steps=8, at_once=at_once), "gather = true")
        for name, at_once in (("at once", 16), ("gathered", 8))
    )
    compare_with_two_processes(place, go(apart), together)


def contrastive_alone(path: Path, setting: str) -> Path:
    """The configuration with the second objective only, and another setting in place of gather."""
    head, _, pairs = path.read_text(encoding="utf-8").split("[[objectives]]")
    text = f"{head}[[objectives]]{pairs.replace('gather = false', setting)}"
    path.write_text(text, encoding="utf-8")
    return path


def compare_with_two_processes(place: Path, alone: Finished, path: Path) -> None:
    script = place / "run.py"
    script.write_text(RUN, encoding="utf-8")
    launch = [sys.executable, "-m", "torch.distributed.run", "--nproc_per_node=2", "--master_port=29611"]
    done = subprocess.run(
        [*launch, str(script), str(path)],
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    documents = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[")]
    losses = np.array([loss for _, loss in alone.losses])
    for step, whole, _ in documents:
        assert (step, whole) == (8, True)
    main = next(found for _, _, found in documents if found)
    np.testing.assert_allclose([loss for _, loss in main], losses, rtol=2e-4)
    one, other = weights(place / path.stem), weights(alone.folder)
    assert max(float(np.abs(one[name] - other[name]).max()) for name in other) < 2e-3


def test_gradient_caching_changes_memory_and_not_what_is_learnt(place: Path) -> None:
    plain, cached = (
        go(contrastive_alone(configure(place, name, steps=6), setting))
        for name, setting in (("plain", ""), ("cached", "cached = 4"))
    )
    expected = [loss for _, loss in plain.losses]
    np.testing.assert_allclose([loss for _, loss in cached.losses], expected, rtol=1e-3)


@pytest.mark.parametrize("kind", ["rows", "lora", "lora+rows"])
def test_an_adapter_is_learnt_kept_over_a_kill_and_merged(place: Path, kind: str) -> None:
    adapter = f'\n[adapter]\nkind = "{kind}"\nrank = 4\n'
    finished = go(configure(place, f"whole {kind}", more=adapter))
    path = configure(place, f"cut {kind}", more=adapter, every=5)
    configuration = read_configuration(path)
    materials = read_materials(configuration, no_library, Silent())
    with pytest.raises(RuntimeError, match="cut at 12"):
        train_encoder(configuration, materials, Silent(), lambda _: [AtStepsCallback(12, cut)])
    assert go(path).losses == finished.losses
    before, after = load_file(place / "encoder" / "model.safetensors"), weights(finished.folder)
    assert before.keys() == after.keys()
    changed = {name for name in before if not np.array_equal(before[name], after[name])}
    rows = "embeddings.word_embeddings.weight"
    assert (rows in changed) == (kind != "lora")
    assert ("encoder.layer.0.output.dense.weight" in changed) == (kind != "rows")
    assert not any("LayerNorm" in name or "pooler" in name for name in changed)
    other = weights(place / f"cut {kind}")
    assert all(np.array_equal(after[name], other[name]) for name in after)


def cut(step: int) -> None:
    raise RuntimeError(f"cut at {step}")


def test_new_letters_are_learnt_and_the_model_loads_by_its_folder(place: Path) -> None:
    vocabulary = '\n[vocabulary]\nlanguages = ["sat_Olck"]\npieces = 20\nmin_count = 2\ncharacters = 1\n'
    finished = run(place, "lettered", steps=40, more=vocabulary)
    teacher = load_encoder(EncoderSettings(str(place / "encoder")))
    student = load_encoder(EncoderSettings(str(finished.folder / MODEL)))
    english = teacher.encode_queries(sentences("eng_Latn"))
    found = (student.encode_queries(sentences("sat_Olck")) @ english.T).argmax(1)
    assert (found == np.arange(36)).mean() > 0.6
    rows = weights(finished.folder)["embeddings.word_embeddings.weight"]
    assert len(rows) > 250_037
    text = "ᱦᱤᱨᱫᱟᱹ ᱵᱮᱥ"
    spans = student.token_spans([text])[0]
    assert (spans[0][0], spans[-1][1]) == (0, len(text))


def test_a_folder_of_another_run_is_refused(place: Path, uninterrupted: Finished) -> None:
    path = configure(place, "uninterrupted", steps=21)
    with pytest.raises(ModelError, match="holds a run with another configuration"):
        go(path)


def test_a_batch_that_processes_cannot_share_is_refused(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORLD_SIZE", "3")
    with pytest.raises(UsageError, match=r"batch.size is 16, expected a multiple .* times 3 processes"):
        run(place, "three", at_once=8)
