"""One step of a run, taken to see how long steps are, before anything is read or written."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from models.backends.device import choose_device
from models.loading import find_model
from models.training.adapters import adapt, transformer
from models.training.configuration import Configuration
from models.training.encoder_run import load_model, optimizer_of
from models.training.meters import available_memory
from models.training.objectives.mlm import load_masked_model
from models.training.plan import Plan, plan_training
from models.training.release import build_optimizer, compute_layers_again, parameter_groups
from models.training.run import accumulation, precision, processes

if TYPE_CHECKING:
    import torch

LONGEST = 512
"""Tokens of a text where neither the configuration nor the model bounds them."""


def plan(configuration: Configuration) -> Plan:
    """What the run will do and need, its hours from a step over texts of full length."""
    folder = find_model(configuration.model.model).folder
    step, tokens = trial_step(configuration)
    return plan_training(
        configuration,
        folder,
        tokens=tokens,
        precision=precision(configuration),
        available=available_memory() // processes(),
        processes=processes(),
        step=step,
    )


def trial_step(configuration: Configuration) -> tuple[Callable[[], None], int]:
    """A function that takes one step of forward and backward passes, and how many tokens each text has."""
    import torch

    masked = configuration.objectives[0].kind == "mlm"
    network, optimizer, tokens = _masked(configuration) if masked else _encoder(configuration)
    if configuration.memory.checkpointing:
        compute_layers_again(network)
    device = choose_device()
    network.to(device)
    kind = getattr(torch, precision(configuration))
    size = configuration.batch.at_once
    ids = torch.randint(10, 1000, (size, tokens), device=device)

    def step() -> None:
        for _ in range(accumulation(configuration)):
            with torch.autocast(device, dtype=kind, enabled=kind != torch.float32):
                out = network(input_ids=ids, labels=ids) if masked else network(input_ids=ids)
            loss = out.loss if masked else out.last_hidden_state.float().mean(1).pow(2).sum()
            loss.backward()
        optimizer.step()
        optimizer.zero_grad()

    return step, tokens


def _encoder(configuration: Configuration) -> "tuple[Any, torch.optim.Optimizer, int]":
    model = load_model(configuration)
    adapt(model, configuration.adapter, range(1000) if configuration.adapter.rows else ())
    tokens = configuration.model.max_tokens or model.max_seq_length or LONGEST
    return transformer(model).train(), optimizer_of(configuration, model), tokens


def _masked(configuration: Configuration) -> "tuple[Any, torch.optim.Optimizer, int]":
    folder = find_model(configuration.model.model).folder
    model = load_masked_model(
        folder, configuration.seed, from_scratch=configuration.model.from_scratch
    ).train()
    optimizer = build_optimizer(parameter_groups(model, configuration.training), configuration.memory)
    return model, optimizer, configuration.model.max_tokens or LONGEST
