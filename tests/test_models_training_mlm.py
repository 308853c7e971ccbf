import logging
from pathlib import Path

import numpy as np
import pytest

from models.encoder import EncoderSettings
from models.errors import UsageError
from models.loading import load_encoder
from models.training.objectives.mlm import MaskedTask, load_masked_model, masked_task, save_encoder
from tests.tiny_encoder import HIDDEN, KINDS, MAX_TOKENS, TEXTS, write_tiny_encoder


def make(folder: Path, kept: Path, *, examples: int = 24, seed: int = 3, **settings: object) -> MaskedTask:
    values = {"max_tokens": MAX_TOKENS, "masked": 0.3, **settings}
    return masked_task(folder, TEXTS, kept, examples=examples, seed=seed, **values)


@pytest.fixture(scope="module")
def folders(encoder, tmp_path_factory) -> dict[str, Path]:
    return {kind: write_tiny_encoder(tmp_path_factory.mktemp(kind) / "model", kind) for kind in KINDS}


@pytest.fixture(scope="module")
def tasks(folders, tmp_path_factory) -> dict[str, MaskedTask]:
    """For tests that train nothing: loading a tokenizer takes seconds."""
    return {kind: make(folders[kind], tmp_path_factory.mktemp("packed")) for kind in KINDS}


@pytest.mark.parametrize("kind", KINDS)
def test_a_document_in_a_block_is_read_as_it_is_alone(tasks, kind):
    import torch

    task = tasks[kind]
    model = task.model.eval()
    example = task.dataset[0]
    ids, places = example["input_ids"], example["position_ids"]
    starts = [i for i in range(len(ids)) if places[i] == places[0]]
    assert len(starts) > 1
    with torch.inference_mode():
        packed = model(**{name: value[None] for name, value in example.items() if name != "labels"}).logits[0]
        for start, end in zip(starts, [*starts[1:], len(ids)], strict=True):
            end = min(end, int((task.packed.blocks[0] != 1).sum())) if start == starts[-1] else end
            alone = model(input_ids=ids[None, start:end]).logits[0]
            assert torch.allclose(packed[start:end], alone, atol=1e-5)


def test_an_example_is_told_by_its_number_and_the_seed(tasks, folders, tmp_path):
    one, again, other = (
        tasks["bert"].dataset,
        *(make(folders["bert"], tmp_path, seed=s).dataset for s in (3, 4)),
    )
    one[7]  # whatever was asked for before
    for name in one[5]:
        assert bool((one[5][name] == again[5][name]).all())
    assert not bool((one[5]["labels"] == other[5]["labels"]).all())


def test_each_turn_takes_every_block_once_with_other_tokens_hidden(tasks):
    task = tasks["bert"]
    count = len(task.packed.blocks)
    assert 2 <= count <= 8

    def original(number: int) -> tuple[int, ...]:
        example = task.dataset[number]
        ids, labels = example["input_ids"].numpy(), example["labels"].numpy()
        return tuple(np.where(labels == -100, ids, labels).tolist())

    blocks = {tuple(block.tolist()) for block in task.packed.blocks}
    for turn in range(2):
        assert {original(turn * count + i) for i in range(count)} == blocks
    hidden = [task.dataset[number]["labels"] for number in range(2 * count)]
    twin = next(i for i in range(count, 2 * count) if original(i) == original(0))
    assert not bool((hidden[0] == hidden[twin]).all())
    with pytest.raises(IndexError):
        task.dataset[24]


def test_about_the_share_asked_for_is_hidden_and_no_special_token(tasks):
    task = tasks["bert"]
    labels = np.concatenate([task.dataset[i]["labels"].numpy() for i in range(len(task.dataset))])
    assert not set(labels.tolist()) & {0, 1, 2}
    tokens = len(labels) * float(np.isin(task.packed.blocks, (0, 1, 2), invert=True).mean())
    assert (labels != -100).sum() / tokens == pytest.approx(0.3, abs=0.05)


def test_the_loss_over_the_hidden_alone_is_that_over_all(tasks):
    import torch

    task = tasks["xlm-roberta"]
    model = task.model.eval()
    batch = {name: torch.stack([task.dataset[i][name] for i in (0, 1)]) for name in task.dataset[0]}
    labels = batch.pop("labels")
    with torch.inference_mode():
        logits = model(**batch).logits
        told = model(**batch, labels=labels)
    whole = torch.nn.functional.cross_entropy(logits.view(-1, logits.shape[-1]), labels.view(-1))
    assert logits.shape[:2] == labels.shape
    assert len(told.logits) == int((labels != -100).sum())
    assert float(told.loss) == pytest.approx(float(whole), abs=1e-5)


def trainer(task: MaskedTask, output: Path, **arguments: object):
    from transformers import Trainer, TrainingArguments

    values = {"max_steps": 8, "per_device_train_batch_size": 2, "save_strategy": "no", **arguments}
    return Trainer(
        model=task.model,
        args=TrainingArguments(
            output_dir=str(output),
            train_sampling_strategy="sequential",
            learning_rate=1e-2,
            logging_steps=1,
            report_to="none",
            disable_tqdm=True,
            use_cpu=True,
            dataloader_pin_memory=False,
            seed=3,
            **values,
        ),
        train_dataset=task.dataset,
        processing_class=task.tokenizer,
    )


def losses(run) -> list[float]:
    return [entry["loss"] for entry in run.state.log_history if "loss" in entry]


def test_the_loss_falls_and_a_resumed_run_is_the_same(folders, tmp_path):
    kept = tmp_path / "packed"
    whole = trainer(make(folders["bert"], kept), tmp_path / "whole", save_strategy="steps", save_steps=3)
    whole.train()
    expected = losses(whole)
    assert len(expected) == 8
    assert expected[-1] < expected[0] - 1

    resumed = trainer(make(folders["bert"], kept), tmp_path / "resumed")
    resumed.train(resume_from_checkpoint=str(tmp_path / "whole/checkpoint-3"))
    assert losses(resumed) == expected
    trained = dict(whole.model.named_parameters())
    assert all(bool((trained[name] == weight).all()) for name, weight in resumed.model.named_parameters())


def test_accumulated_batches_learn_what_one_large_batch_does(folders, tmp_path):
    ends = []
    for size, accumulated in ((4, 1), (2, 2)):
        task = make(folders["bert"], tmp_path / "packed")
        for part in task.model.modules():
            part.p = 0.0 if hasattr(part, "p") else None
        run = trainer(
            task,
            tmp_path / "run",
            max_steps=1,
            per_device_train_batch_size=size,
            gradient_accumulation_steps=accumulated,
        )
        run.train()
        ends.append(losses(run)[0])
    assert ends[0] == pytest.approx(ends[1], rel=0.02)


def test_a_new_head_is_drawn_by_the_seed_and_said(folders, caplog, capfd):
    with caplog.at_level(logging.INFO, logger="models.training"):
        models = [load_masked_model(folders["bert"], seed) for seed in (1, 1, 2)]
    assert [record.message for record in caplog.records] == [
        f"{folders['bert']} has no head that tells hidden tokens: a new one is drawn"
    ] * 3
    assert capfd.readouterr().err == ""
    weights = [model.cls.predictions.transform.dense.weight for model in models]
    assert bool((weights[0] == weights[1]).all())
    assert not bool((weights[0] == weights[2]).all())


@pytest.mark.parametrize("kind", KINDS)
def test_the_output_is_tied_to_the_word_vectors(tasks, kind):
    model = tasks[kind].model
    assert model.get_output_embeddings().weight is model.get_input_embeddings().weight


def test_from_scratch_takes_the_architecture_alone(tasks, folders, tmp_path):
    held, drawn = tasks["bert"].model, make(folders["bert"], tmp_path, from_scratch=True).model
    assert held.config.hidden_size == drawn.config.hidden_size == HIDDEN
    assert not bool((held.get_input_embeddings().weight == drawn.get_input_embeddings().weight).all())


@pytest.mark.parametrize("kind", KINDS)
def test_the_trained_model_is_an_encoder_again(folders, tmp_path, kind):
    import torch

    task = make(folders[kind], tmp_path / "packed")
    with torch.no_grad():
        task.model.get_input_embeddings().weight.add_(1.0)
    target = tmp_path / "trained"
    save_encoder(task.model, folders[kind], target)
    before, after = (load_encoder(EncoderSettings(str(folder))) for folder in (folders[kind], target))
    assert (
        (after.dimensions, after.max_tokens) == (before.dimensions, before.max_tokens) == (HIDDEN, MAX_TOKENS)
    )
    assert after.fingerprint != before.fingerprint
    assert sorted(path.name for path in target.iterdir()) == sorted(
        path.name for path in folders[kind].iterdir()
    )
    assert not np.allclose(after.encode_queries(TEXTS[:2]), before.encode_queries(TEXTS[:2]), atol=1e-3)
    vector = task.model.base_model.eval()(torch.tensor([[0, 41, 2]])).last_hidden_state
    again = load_back(target)(torch.tensor([[0, 41, 2]])).last_hidden_state
    assert torch.allclose(vector, again, atol=1e-6)


def load_back(folder: Path):
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(folder), device="cpu")[0].auto_model.eval()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"max_tokens": 65}, "max_tokens is 65, but .* has positions for 64"),
        ({"masked": 0.0}, r"masked is 0\.0, expected a share of the tokens between 0 and 1"),
        ({"masked": 1.5}, r"masked is 1\.5, expected"),
    ],
)
def test_what_cannot_be_is_an_error(folders, tmp_path, settings, message):
    with pytest.raises(UsageError, match=message):
        make(folders["xlm-roberta"], tmp_path, **settings)
