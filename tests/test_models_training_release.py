import logging

import pytest
import torch

from models.errors import UsageError
from models.training.configuration import (
    BatchSection,
    Configuration,
    DataSection,
    MemorySection,
    ModelSection,
    ObjectiveSection,
    StepsSection,
)
from models.training.release import (
    build_optimizer,
    check_memory,
    compute_layers_again,
    fsdp_arguments,
    parameter_groups,
    release_gradients,
)

STEPS = StepsSection(steps=10, learning_rate=1e-2)
RELEASED = MemorySection(optimizer="adafactor", release_gradients=True)


def tiny_model(seed: int = 5, words: int = 50) -> torch.nn.Module:
    """An XLM-R with a masked-language head whose output is tied to its word vectors."""
    from transformers import XLMRobertaConfig, XLMRobertaForMaskedLM

    torch.manual_seed(seed)
    configuration = XLMRobertaConfig(
        vocab_size=words,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=40,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    return XLMRobertaForMaskedLM(configuration)


def batch(number: int, rows: int = 4) -> dict[str, torch.Tensor]:
    drawn = torch.Generator().manual_seed(number)
    ids = torch.randint(3, 50, (rows, 16), generator=drawn)
    return {"input_ids": ids, "labels": ids.clone()}


def weights(model: torch.nn.Module) -> list[torch.Tensor]:
    return [weight.detach().clone() for weight in model.parameters()]


@pytest.mark.parametrize("name", ["adafactor", "adamw"])
def test_released_gradients_move_the_weights_as_kept_ones_do(name):
    models = [tiny_model() for _ in range(2)]
    optimizers = [
        build_optimizer(
            parameter_groups(model, StepsSection(steps=10, learning_rate=1e-2, weight_decay=0.1)),
            MemorySection(optimizer=name, release_gradients=released),
        )
        for model, released in zip(models, (False, True), strict=True)
    ]
    start = weights(models[0])
    for number in range(5):
        losses = []
        for model, optimizer in zip(models, optimizers, strict=True):
            loss = model(**batch(number)).loss
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            losses.append(loss.item())
        assert losses[0] == losses[1]
        for kept, released in zip(weights(models[0]), weights(models[1]), strict=True):
            assert torch.equal(kept, released)
    assert not any(torch.equal(old, new) for old, new in zip(start, weights(models[1]), strict=True))


def test_no_two_gradients_are_held_at_once():
    model = tiny_model()
    optimizer = build_optimizer(parameter_groups(model, STEPS), MemorySection())
    held = []
    apply = optimizer.step

    def counting():
        held.append(sum(weight.grad is not None for weight in model.parameters()))
        apply()

    optimizer.step = counting
    release_gradients(optimizer)
    model(**batch(1)).loss.backward()
    assert held == [1] * sum(1 for _ in model.parameters())
    assert all(weight.grad is None for weight in model.parameters())


def test_a_layer_computed_again_gives_the_same_steps():
    ends = []
    for again in (False, True):
        model = tiny_model()
        if again:
            compute_layers_again(model)
            assert model.base_model.encoder.layer[0].gradient_checkpointing
        model.train()
        build_optimizer(parameter_groups(model, STEPS), RELEASED)
        for number in range(3):
            model(**batch(number)).loss.backward()
        ends.append(weights(model))
    assert all(torch.equal(kept, again) for kept, again in zip(*ends, strict=True))


def train(output, memory: MemorySection, *, resume=None, **arguments: object):
    from transformers import Trainer, TrainingArguments

    model = tiny_model()
    compute_layers_again(model)
    trainer = Trainer(
        model=model,
        args=TrainingArguments(
            output_dir=str(output),
            max_steps=8,
            per_device_train_batch_size=4,
            lr_scheduler_type="linear",
            warmup_steps=2,
            train_sampling_strategy="sequential",
            max_grad_norm=0.0,
            logging_steps=1,
            report_to="none",
            disable_tqdm=True,
            use_cpu=True,
            dataloader_pin_memory=False,
            **{"save_strategy": "no", **arguments},
        ),
        train_dataset=[{name: value[0] for name, value in batch(i, 1).items()} for i in range(32)],
        optimizers=(build_optimizer(parameter_groups(model, STEPS), memory), None),
    )
    trainer.train(resume_from_checkpoint=resume)
    return trainer


def logged(trainer, name: str) -> list[float]:
    return [entry[name] for entry in trainer.state.log_history if name in entry]


def test_the_trainer_follows_its_schedule_and_resumes_exactly(tmp_path):
    kept = train(tmp_path / "kept", MemorySection(optimizer="adafactor"))
    whole = train(tmp_path / "whole", RELEASED, save_strategy="steps", save_steps=3)
    assert logged(whole, "learning_rate") == pytest.approx(
        [0, 0.005, 0.01, *(0.01 * (6 - i) / 6 for i in range(1, 6))]
    )
    assert logged(whole, "loss") == logged(kept, "loss")
    assert all(torch.equal(a, b) for a, b in zip(weights(whole.model), weights(kept.model), strict=True))

    resumed = train(tmp_path / "resumed", RELEASED, resume=str(tmp_path / "whole/checkpoint-3"))
    assert logged(resumed, "loss") == logged(whole, "loss")
    assert all(torch.equal(a, b) for a, b in zip(weights(whole.model), weights(resumed.model), strict=True))
    state = resumed.optimizer.state_dict()["state"]
    assert len(state) == sum(1 for _ in resumed.model.parameters())
    assert {entry["step"] for entry in state.values()} == {8}


def test_word_vectors_learn_at_a_rate_of_their_own_and_vectors_do_not_decay():
    model = tiny_model()
    steps = StepsSection(steps=1, learning_rate=1e-4, rows_learning_rate=1e-3, weight_decay=0.1)
    groups = parameter_groups(model, steps)
    rows = [group for group in groups if group["lr"] == 1e-3]
    assert [[weight.shape for weight in group["params"]] for group in rows] == [[(50, 32)]]
    assert rows[0]["weight_decay"] == 0.1
    assert {weight.dim() for group in groups if not group["weight_decay"] for weight in group["params"]} == {
        1
    }
    assert sum(len(group["params"]) for group in groups) == sum(1 for _ in model.parameters())


def test_what_is_frozen_is_in_no_group():
    model = tiny_model()
    model.base_model.requires_grad_(False)
    held = [weight for group in parameter_groups(model, STEPS) for weight in group["params"]]
    assert {id(weight) for weight in held} == {
        id(weight) for weight in model.parameters() if weight.requires_grad
    }


def configuration(
    memory: MemorySection, *, size: int = 8, at_once: int = 8, cached: int = 0
) -> Configuration:
    objective = ObjectiveSection(
        kind="contrastive", name="pairs", data=(DataSection(path="pairs.tsv"),), cached=cached
    )
    return Configuration(
        name="run",
        folder="run",
        objectives=(objective,),
        training=STEPS,
        batch=BatchSection(size=size, at_once=at_once),
        memory=memory,
        model=ModelSection(),
    )


@pytest.mark.parametrize(
    ("settings", "machine", "message"),
    [
        ({"size": 16}, {}, r"batch\.size is 16 and batch\.at_once 8: make them equal"),
        ({"cached": 4}, {}, r"objective pairs is cached.*set its cached to 0"),
        ({"size": 16}, {"processes": 2}, "is for one process"),
        ({}, {"precision": "float16"}, r"set model\.precision to bfloat16 or float32"),
    ],
)
def test_what_released_gradients_cannot_do_is_an_error(settings, machine, message):
    with pytest.raises(UsageError, match=message):
        check_memory(
            configuration(RELEASED, **settings),
            **{"processes": 1, "device": "cpu", "precision": "float32", **machine},
        )


def test_what_they_can_do_is_none():
    check_memory(configuration(RELEASED), processes=1, device="cpu", precision="bfloat16")
    kept = configuration(MemorySection(), size=16, cached=4)
    check_memory(kept, processes=2, device="cpu", precision="float16")


def test_sharding_needs_a_gpu():
    memory = MemorySection(fsdp=True)
    with pytest.raises(UsageError, match="PyTorch sees none here: set it to false"):
        check_memory(configuration(memory), processes=1, device="cpu", precision="float32")
    check_memory(configuration(memory), processes=1, device="cuda", precision="float32")


def test_sharding_reaches_accelerate(tmp_path, caplog, monkeypatch):
    monkeypatch.setenv("FSDP_CPU_RAM_EFFICIENT_LOADING", "false")  # transformers sets it: back afterwards
    from transformers import TrainingArguments

    memory = MemorySection(fsdp=True, checkpointing=True)
    assert fsdp_arguments(tiny_model(), MemorySection()) == {}
    with caplog.at_level(logging.WARNING, logger="transformers"):
        arguments = TrainingArguments(
            output_dir=str(tmp_path), report_to="none", **fsdp_arguments(tiny_model(), memory)
        )
    assert caplog.records == []
    assert arguments.fsdp_plugin_args == {
        "fsdp_version": 2,
        "cpu_offload": True,
        "auto_wrap_policy": "TRANSFORMER_BASED_WRAP",
        "transformer_cls_names_to_wrap": "XLMRobertaLayer",
        "cpu_ram_efficient_loading": False,
        "state_dict_type": "FULL_STATE_DICT",
        "activation_checkpointing": True,
        "reshard_after_forward": True,
    }
