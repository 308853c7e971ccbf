"""What it takes to train a large model on one device: seconds and peak memory of masked-language steps.

The model has the shape named, weights at random and the default encoder's tokenizer.
"""

import argparse
import json
import logging
import random
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from machine import describe_machine

SHAPES = {
    "e5-small": {"hidden": 384, "layers": 12, "heads": 12, "inner": 1536, "vocabulary": 250_037},
    "xlm-r-base": {"hidden": 768, "layers": 12, "heads": 12, "inner": 3072, "vocabulary": 250_002},
    "xlm-r-large": {"hidden": 1024, "layers": 24, "heads": 16, "inner": 4096, "vocabulary": 250_002},
}
MASKED = 0.15
MEASURES = ("checkpointing", "optimizer", "release_gradients")
WORDS = (
    "heart failure stroke vaccine trial dose risk mortality therapy lung liver kidney screening infants "
    "cohort insuffisance cardiaque vaccin enfants Herzinfarkt Behandlung Leber vacuna riesgo ensayo pulmón "
    "лечение печень вакцина 心不全 治療 疫苗 糖尿病 علاج القلب रोगी उपचार 백신 치료 การรักษา"
).split()


def main() -> int:
    """Prints the measurement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shape", choices=SHAPES, default="xlm-r-large")
    parser.add_argument("--optimizer", choices=("adamw", "adafactor"), default="adafactor")
    parser.add_argument("--keep-gradients", action="store_true", help="release none")
    parser.add_argument("--keep-activations", action="store_true", help="compute no layer again")
    parser.add_argument("--precision", choices=("auto", "float32", "bfloat16"), default="auto")
    parser.add_argument("--batch", type=int, default=4, metavar="N", help="blocks of a step; 4")
    parser.add_argument("--tokens", type=int, default=256, metavar="N", help="of a block; 256")
    parser.add_argument("--steps", type=int, default=5, metavar="N", help="5")
    parser.add_argument("--learning-rate", type=float, default=1e-4, metavar="RATE")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, stream=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        json.dump(measure(arguments, Path(folder)), sys.stdout, ensure_ascii=False, indent=2)
    print()
    return 0


def measure(arguments: argparse.Namespace, folder: Path) -> dict[str, object]:
    """Train, and tell what was estimated and what came."""
    from models.backends.device import choose_device, choose_precision
    from models.training.configuration import AdapterSection, MemorySection
    from models.training.memory import StepShape, estimate_memory, trained_shapes
    from models.training.objectives.mlm import masked_task

    precision = choose_precision(arguments.precision, choose_device())
    memory = MemorySection(
        checkpointing=not arguments.keep_activations,
        optimizer=arguments.optimizer,
        release_gradients=not arguments.keep_gradients,
    )
    begun = time.perf_counter()
    task = masked_task(
        write_shape(folder / "shape", SHAPES[arguments.shape], arguments.tokens),
        texts(),
        folder / "packed",
        max_tokens=arguments.tokens,
        examples=arguments.steps * arguments.batch,
        masked=MASKED,
        seed=1,
        from_scratch=True,
    )
    loaded = time.perf_counter() - begun
    shape = StepShape(arguments.batch, arguments.tokens, precision, MASKED)
    estimate = estimate_memory(task.model, trained_shapes(task.model, AdapterSection()), memory, shape)
    resident_loaded = peak_resident()
    estimated = {**asdict(estimate), "total": estimate.total}
    losses, seconds = train(arguments, task, memory, precision, folder)
    return {
        "machine": describe_machine(),
        "shape": {"name": arguments.shape, **SHAPES[arguments.shape]},
        "parameters": sum(weight.numel() for weight in task.model.parameters()),
        "precision": precision,
        "memory": {
            name: getattr(memory, name) for name in ("checkpointing", "optimizer", "release_gradients")
        },
        "batch": arguments.batch,
        "tokens": arguments.tokens,
        "load_seconds": round(loaded, 1),
        "losses": losses,
        "step_seconds": seconds,
        "peak_resident_gb": {"loaded": resident_loaded, "trained": peak_resident()},
        "estimated_gb": {name: round(value / 1e9, 2) for name, value in estimated.items()},
    }


def write_shape(folder: Path, shape: dict[str, int], tokens: int) -> Path:
    """A model folder with configuration and tokenizer, and no weights."""
    from transformers import AutoTokenizer, XLMRobertaConfig

    from models.loading import find_model

    XLMRobertaConfig(
        vocab_size=shape["vocabulary"],
        hidden_size=shape["hidden"],
        num_hidden_layers=shape["layers"],
        num_attention_heads=shape["heads"],
        intermediate_size=shape["inner"],
        max_position_embeddings=max(514, tokens + 2),
        type_vocab_size=1,
    ).save_pretrained(folder)
    AutoTokenizer.from_pretrained(find_model("e5-small").folder).save_pretrained(folder)
    return folder


def texts() -> Iterator[str]:
    """Endless sentences of words in many scripts."""
    drawn = random.Random(1)
    while True:
        yield " ".join(drawn.choices(WORDS, k=drawn.randint(20, 200)))


def train(arguments: argparse.Namespace, task, memory, precision: str, folder: Path):  # noqa: ANN001, ANN201
    """The losses, and the seconds of each step."""
    from transformers import Trainer, TrainerCallback, TrainingArguments

    from models.backends.device import choose_device
    from models.training.configuration import StepsSection
    from models.training.release import (
        build_optimizer,
        compute_layers_again,
        parameter_groups,
        without_kept_casts,
    )

    seconds: list[float] = []

    class Clock(TrainerCallback):
        def on_step_begin(self, *_: object, **__: object) -> None:
            self.begun = time.perf_counter()

        def on_step_end(self, *_: object, **__: object) -> None:
            seconds.append(round(time.perf_counter() - self.begun, 2))
            print(f"step {len(seconds)}: {seconds[-1]} s, {peak_resident()} GB", file=sys.stderr)

    if memory.checkpointing:
        compute_layers_again(task.model)
    steps = StepsSection(steps=arguments.steps, learning_rate=arguments.learning_rate)
    trainer = Trainer(
        model=task.model,
        args=TrainingArguments(
            output_dir=str(folder / "run"),
            per_device_train_batch_size=arguments.batch,
            max_steps=arguments.steps,
            train_sampling_strategy="sequential",
            lr_scheduler_type="constant",
            bf16=precision == "bfloat16",
            use_cpu=choose_device() == "cpu",
            max_grad_norm=0.0,
            logging_steps=1,
            save_strategy="no",
            report_to="none",
            disable_tqdm=True,
        ),
        train_dataset=task.dataset,
        optimizers=(build_optimizer(parameter_groups(task.model, steps), memory), None),
        callbacks=[Clock()],
    )
    without_kept_casts(trainer)
    trainer.train()
    losses = [round(entry["loss"], 4) for entry in trainer.state.log_history if "loss" in entry]
    return losses, seconds


def peak_resident() -> float:
    """The most memory that the process has held so far, in GB (1e9 bytes)."""
    unit = 1 if sys.platform == "darwin" else 1024
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e9, 2)


if __name__ == "__main__":
    sys.exit(main())
