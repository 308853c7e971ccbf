"""Tokens per second of a training step: bioglot's run beside sentence-transformers' trainer as it comes.

Both distil the same pairs into the same encoder, all weights trained, in turns on one machine. Plain means
float32, dropout, PyTorch's own choice of attention, AdamW over everything, batches as they are drawn.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from machine import describe_machine

from indexer.progress import Silent
from models.loading import find_model
from models.training.configuration import Configuration, read_configuration
from models.training.encoder_run import build_trainer, load_model, read_materials, teacher_vectors
from models.training.material import distillation_dataset
from models.training.trainer import AtStepsCallback

CONFIGURATION = """
name = "speed"
folder = "run"
[model]
model = "{model}"
max_tokens = 128
precision = "{precision}"
[[objectives]]
name = "twins"
kind = "distill"
language_temperature = 100
data = [{{path = "{pairs}"}}]
[batch]
size = {size}
at_once = {size}
[training]
steps = {steps}
checkpoint_every = 1000000
"""
WARM_UP = 3
"""Steps before the clock runs: the first ones compile kernels."""


def main() -> int:
    """Prints a document with tokens per second of either way, turn by turn, and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", type=Path, help="parallel text, as docs/usage.md says")
    parser.add_argument("--model", default="e5-small")
    parser.add_argument("--precision", default="auto")
    parser.add_argument("--size", type=int, default=64)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--turns", type=int, default=2)
    arguments = parser.parse_args()
    speeds: dict[str, list[float]] = {"bioglot": [], "plain": []}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "speed.toml"
        path.write_text(
            CONFIGURATION.format(
                model=arguments.model,
                precision=arguments.precision,
                pairs=arguments.pairs.absolute(),
                size=arguments.size,
                steps=arguments.steps + WARM_UP,
            ),
            encoding="utf-8",
        )
        configuration = read_configuration(path)
        for _ in range(arguments.turns):
            speeds["bioglot"].append(speed(own_trainer(configuration)))
            speeds["plain"].append(speed(plain_trainer(configuration)))
    ratio = float(np.median(speeds["bioglot"]) / np.median(speeds["plain"]))
    json.dump(
        {"machine": describe_machine(), "tokens per second": speeds, "ratio": ratio}, sys.stdout, indent=2
    )
    print()
    return 0


def own_trainer(configuration: Configuration) -> Any:  # noqa: ANN401
    """The trainer of `bioglot train`."""
    materials = read_materials(configuration, no_library, Silent())
    return build_trainer(configuration, materials, load_model(configuration), Silent())


def plain_trainer(configuration: Configuration) -> Any:  # noqa: ANN401
    """sentence-transformers' trainer with its defaults and its loss for distillation, on the same vectors."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.losses import EmbedDistillLoss
    from sentence_transformers.sentence_transformer.trainer import SentenceTransformerTrainer
    from sentence_transformers.sentence_transformer.training_args import SentenceTransformerTrainingArguments

    from models.loading import load_encoder

    class Counting(SentenceTransformerTrainer):  # type: ignore[misc]
        tokens = 0

        def compute_loss(self, model: Any, inputs: dict[str, Any], *rest: Any, **named: Any) -> Any:  # noqa: ANN401
            self.tokens += int(inputs["query_attention_mask"].sum())
            return super().compute_loss(model, inputs, *rest, **named)

    (material,) = read_materials(configuration, no_library, Silent())
    dataset, texts = distillation_dataset(material)
    teacher = load_encoder(configuration.model.settings)
    vectors = teacher_vectors(teacher, texts, ["query"], Path(configuration.folder) / "teacher", Silent())
    dataset = dataset.map(
        lambda rows: {"label": np.asarray(vectors[rows["label"], 0], np.float32)}, batched=True
    )
    model = SentenceTransformer(str(find_model(configuration.model.model).folder), local_files_only=True)
    model.max_seq_length = configuration.model.max_tokens
    steps, size = configuration.training.steps, configuration.batch.size
    arguments = SentenceTransformerTrainingArguments(
        output_dir=configuration.folder,
        max_steps=steps,
        per_device_train_batch_size=size,
        use_cpu=True,
        save_strategy="no",
        report_to=[],
        disable_tqdm=True,
        prompts={"query": "query: "},
    )
    return Counting(model=model, args=arguments, train_dataset=dataset, loss=EmbedDistillLoss(model))


def speed(trainer: Any) -> float:  # noqa: ANN401
    """Tokens per second after the first steps, padding not counted."""
    seen: dict[str, float] = {}

    def look(step: int) -> None:
        if step == WARM_UP:
            seen.update(time=time.perf_counter(), tokens=trainer.tokens)

    trainer.add_callback(AtStepsCallback(1, look))
    trainer.train()
    return float((trainer.tokens - seen["tokens"]) / (time.perf_counter() - seen["time"]))


no_library: Callable[..., Any] = dict
"""Nothing here reads one."""

if __name__ == "__main__":
    sys.exit(main())
