import dataclasses
import math

import pytest

from models.training.configuration import (
    AdapterSection,
    BatchSection,
    Configuration,
    DataSection,
    MemorySection,
    ObjectiveSection,
    StepsSection,
)
from models.training.memory import PROCESS, StepShape, estimate_memory, outline, trained_shapes
from models.training.plan import Plan, plan_lines, plan_training
from tests.tiny_encoder import HIDDEN, write_tiny_encoder

WORDS = 250_037 * HIDDEN
LAYER = [(HIDDEN, HIDDEN)] * 4 + [(64, HIDDEN), (HIDDEN, 64)]
GB = 10**9


@pytest.fixture(scope="module")
def folder(encoder, tmp_path_factory):
    return write_tiny_encoder(tmp_path_factory.mktemp("tiny") / "model")


@pytest.fixture
def model(folder):
    return outline(folder, masked=False)


def configuration(
    *objectives: ObjectiveSection,
    batch: BatchSection | None = None,
    memory: MemorySection | None = None,
    adapter: AdapterSection | None = None,
) -> Configuration:
    return Configuration(
        name="run",
        folder="run",
        objectives=objectives or (objective("contrastive"),),
        training=StepsSection(steps=100),
        batch=batch or BatchSection(size=32, at_once=8),
        memory=memory or MemorySection(),
        adapter=adapter or AdapterSection(),
    )


def objective(kind: str, **settings: object) -> ObjectiveSection:
    return ObjectiveSection(kind=kind, data=(DataSection(path="pairs.tsv"),), **settings)


def plan(folder, told: Configuration | None = None, **machine: object) -> Plan:
    values = {"tokens": 64, "precision": "float32", "available": 100 * GB, **machine}
    return plan_training(told or configuration(), folder, **values)


def test_an_outline_has_the_shapes_and_no_numbers(folder, model):
    from transformers import AutoModel

    real = AutoModel.from_pretrained(folder)
    assert [tuple(weight.shape) for weight in model.parameters()] == [
        tuple(weight.shape) for weight in real.parameters()
    ]
    assert {weight.device.type for weight in model.parameters()} == {"meta"}
    masked = outline(folder, masked=True)
    assert masked.get_output_embeddings().weight is masked.get_input_embeddings().weight


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("rows", [(250_037, HIDDEN)]),
        ("lora", [pair for out, into in LAYER * 2 for pair in ((4, into), (out, 4))]),
        ("lora+rows", [(250_037, HIDDEN), *[p for out, into in LAYER * 2 for p in ((4, into), (out, 4))]]),
    ],
)
def test_what_each_adapter_trains(model, kind, expected):
    assert trained_shapes(model, AdapterSection(kind=kind, rank=4)) == expected


def test_a_full_training_trains_every_parameter(model):
    shapes = trained_shapes(model, AdapterSection())
    assert sum(map(math.prod, shapes)) == sum(weight.numel() for weight in model.parameters())


@pytest.mark.filterwarnings("ignore:.is_gradient_checkpointing. is deprecated:FutureWarning")  # peft's call
def test_low_rank_matrices_are_those_that_peft_makes(folder):
    import peft
    from transformers import AutoModel

    settings = peft.LoraConfig(
        r=4, target_modules=["query", "key", "value", "dense"], exclude_modules=r".*pooler.*"
    )
    adapted = peft.get_peft_model(AutoModel.from_pretrained(folder), settings)
    shapes = trained_shapes(outline(folder, masked=False), AdapterSection(kind="lora", rank=4))
    trained = [tuple(weight.shape) for weight in adapted.parameters() if weight.requires_grad]
    assert sorted(trained) == sorted(shapes)


def test_weights_gradients_and_states_are_counted_to_the_byte(model):
    shapes = trained_shapes(model, AdapterSection())
    parameters = sum(map(math.prod, shapes))
    step = StepShape(rows=4, tokens=16)
    plain = estimate_memory(model, shapes, MemorySection(), step)
    assert (plain.process, plain.weights, plain.gradients) == (PROCESS, 4 * parameters, 4 * parameters)
    assert (plain.optimizer, plain.update) == (8 * parameters, 0)
    assert plain.total == sum(dataclasses.astuple(plain))

    lean = estimate_memory(
        model, shapes, MemorySection(optimizer="adafactor", release_gradients=True, checkpointing=True), step
    )
    assert (lean.weights, lean.gradients, lean.update) == (4 * parameters, 4 * WORDS, 8 * WORDS)
    inside = 48 * HIDDEN + 8 * 64 + 12 * 2 * 16
    assert plain.activations == 64 * (2 + 3) * inside
    assert lean.activations == 64 * (2 * 4 * HIDDEN + 4 * inside)


def test_the_states_are_those_that_the_optimizer_makes(folder):
    import torch
    from transformers import AutoModel

    from models.training.release import build_optimizer, parameter_groups

    for name in ("adafactor", "adamw"):
        real = AutoModel.from_pretrained(folder)
        memory = MemorySection(optimizer=name)
        optimizer = build_optimizer(parameter_groups(real, StepsSection(steps=1)), memory)
        for weight in real.parameters():
            weight.grad = torch.ones_like(weight)
        optimizer.step()
        held = [value for state in optimizer.state.values() for value in state.values()]
        found = sum(value.nbytes for value in held if torch.is_tensor(value) and value.dim())
        shapes = trained_shapes(real, AdapterSection())
        assert estimate_memory(real, shapes, memory, StepShape(1, 8)).optimizer == found


def test_a_head_that_tells_words_is_counted(folder):
    masked = outline(folder, masked=True)
    shapes = trained_shapes(masked, AdapterSection())
    bare, told = (
        estimate_memory(masked, shapes, MemorySection(), StepShape(4, 50, masked=share))
        for share in (0.0, 0.25)
    )
    assert told.activations - bare.activations == 12 * 50 * 250_037


def test_the_plan_counts_batches_and_tokens(folder):
    found = plan(folder, configuration(objective("contrastive", negatives=2)), processes=2)
    assert (found.batch, found.at_once, found.accumulation, found.processes) == (32, 8, 2, 2)
    assert (found.tokens_a_step, found.tokens) == (32 * 4 * 64, 32 * 4 * 64 * 100)
    assert found.hours is None
    assert plan(folder, configuration(objective("distill"))).tokens_a_step == 32 * 64
    assert plan(folder, configuration(objective("mlm"))).tokens_a_step == 32 * 64


def test_gradient_caching_bounds_the_texts_held(folder):
    whole, cached = (
        plan(folder, configuration(objective("contrastive", cached=cached))).memory.activations
        for cached in (0, 4)
    )
    assert whole == 4 * cached


def test_time_is_that_of_a_second_step(folder, monkeypatch):
    clock = iter([100.0, 136.0])
    monkeypatch.setattr("models.training.plan.time.perf_counter", lambda: next(clock))
    taken = []
    assert plan(folder, step=lambda: taken.append(1)).hours == 1.0
    assert len(taken) == 2


def test_measures_are_told_with_their_reason(folder):
    memory = MemorySection(checkpointing=True, optimizer="adafactor", release_gradients=True, fsdp=True)
    found = plan(folder, configuration(memory=memory))
    assert [line.split(":")[0] for line in found.measures] == [
        "memory.checkpointing",
        "memory.optimizer",
        "memory.release_gradients",
        "memory.fsdp",
    ]
    assert plan(folder).measures == ()


def test_what_does_not_fit_names_the_settings_to_change(folder):
    need = plan(folder).memory.total
    assert plan(folder, available=need).advice == ()
    found = plan(folder, available=need - 1).advice
    assert found[0].startswith("this does not fit: ")
    assert [line.split(" (")[0] for line in found[1:]] == ["set memory.checkpointing = true"]
    hopeless = plan(folder, available=PROCESS).advice
    assert [line.split(" (")[0] for line in hopeless[1:]] == [
        "set memory.checkpointing = true",
        'set memory.optimizer = "adafactor"',
        "set memory.release_gradients = true",
        'that is not enough: lower batch.at_once or model.max_tokens, or set adapter.kind = "lora"',
    ]


def test_the_plan_reads_as_lines(folder):
    told = configuration(batch=BatchSection(size=4, at_once=4), adapter=AdapterSection(kind="rows"))
    found = dataclasses.replace(plan(folder, told), hours=2.04)
    lines = plan_lines(found)
    assert lines[0] == f"parameters: {found.parameters:,}, trained: 8,001,184"
    assert lines[1] == "batch: 4 = 4 at once x 1 accumulated x 1 processes"
    assert lines[2] == "steps: 100, tokens: at most 512 a step, 51,200 in all"
    assert lines[3].startswith(
        f"memory: {found.memory.total / 1e9:.2f} GB of 100.00, estimated (process 0.90, "
    )
    assert lines[-1] == "time: about 2.0 hours"
