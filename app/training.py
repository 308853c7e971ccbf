"""A training run with all around it: pairs of libraries, languages measured, everything on record."""

import contextlib
import hashlib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

import msgspec

from app.evaluation.languages import evaluate_languages
from app.evaluation.sentences import Sentences, read_sentences
from app.evaluation.temporary import temporary_folder
from indexer.pairs import library_pairs
from indexer.progress import Progress, Silent
from indexer.texts import library_texts
from models.encoder import EncoderSettings
from models.loading import load_encoder
from models.training.adapters import merged
from models.training.checkpoints import alone_in, check_same_run, write_whole
from models.training.configuration import Configuration
from models.training.encoder_run import read_materials, train_encoder
from models.training.export import SUMMARY, Summary, write_summary
from models.training.masked_run import train_masked
from models.training.material import Material
from models.training.provenance import code_version
from models.training.record import DataFile, RecordSettings, RunRecord, record_callback, recorded_run
from models.training.run import Finished

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer
    from transformers import TrainerCallback

    from models.training.trainer import KeptWhole

RUN_ID = "run-id"
"""File in the run's folder with the id that the record knows it by."""
MEASURED = "languages.json"
"""File in the run's folder with the languages' accuracy as last measured."""
LIBRARY_STATE = "library.json"
"""File of a library that names all others by their checksums."""


def train_recorded(configuration: Configuration, store: str, progress: Progress) -> Finished:
    """Train and record; a run that was interrupted goes on, in its folder and in its record.

    A run that is finished is left as it is. store: where it is recorded unless the configuration says so.
    Raises KeyboardInterrupt for a run that was told to end, once its checkpoint is saved.
    """
    folder = Path(configuration.folder)
    first = os.environ.get("RANK", "0") == "0"
    with alone_in(folder) if first else contextlib.nullcontext():
        if (folder / SUMMARY).is_file():
            check_same_run(folder, msgspec.json.encode(configuration).decode())
            return Finished(folder, configuration.training.steps, True, ())
        return _train_recorded(configuration, store, progress)


def _train_recorded(configuration: Configuration, store: str, progress: Progress) -> Finished:
    masked = configuration.objectives[0].kind == "mlm"
    sentences = _sentences(configuration)
    materials = [] if masked else read_materials(configuration, library_pairs, progress)
    files = list(data_files(configuration, materials))
    folder = Path(configuration.folder)
    with recorded_run(
        record_settings(configuration, store),
        msgspec.to_builtins(configuration),
        data=files,
        resume=_known_run(folder),
    ) as record:
        if record.run_id:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / RUN_ID).write_text(record.run_id, encoding="utf-8")
        hear = partial(_callbacks, configuration, record, sentences)
        finished = (
            train_masked(configuration, library_texts, progress, hear)
            if masked
            else train_encoder(configuration, materials, progress, hear)
        )
        if not finished.whole:
            raise KeyboardInterrupt
        if record.run_id:  # of the first process alone
            measured = read_measured(folder)
            summary = Summary(finished.step, tuple(files), measured, code_version(), record.run_id)
            write_summary(folder, summary)
    return finished


def record_settings(configuration: Configuration, store: str) -> RecordSettings:
    """Where and under which name the run is recorded."""
    record = configuration.record
    return RecordSettings(record.store or store, record.experiment, configuration.name, record.trackers)


def _known_run(folder: Path) -> str | None:
    path = folder / RUN_ID
    return path.read_text(encoding="utf-8") if path.is_file() else None


def _callbacks(
    configuration: Configuration, record: RunRecord, sentences: Sentences | None, trainer: "KeptWhole"
) -> "list[TrainerCallback]":
    heard = [record_callback(record, lambda: trainer.tokens)]
    if sentences is not None:

        def keep(step: int, accuracy: dict[str, float]) -> None:
            write_whole(Path(configuration.folder) / MEASURED, json.dumps(accuracy))
            record.log_languages(step, accuracy)

        heard.append(language_callback(configuration, sentences, trainer, keep))
    return heard


def _sentences(configuration: Configuration) -> Sentences | None:
    """What languages are measured on, read before anything that takes long."""
    file = configuration.evaluation.languages
    return read_sentences(Path(file)) if file else None


def read_measured(folder: Path) -> dict[str, float]:
    """accuracy@1 by language as the run last measured it, also before it was interrupted."""
    path = folder / MEASURED
    found: dict[str, float] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return found


def data_files(configuration: Configuration, materials: Sequence[Material]) -> Iterator[DataFile]:
    """Each file and library once, with its checksum and the pairs of its objective; 0 for plain text."""
    pairs = {material.objective.name: len(material.pairs) for material in materials}
    seen: set[Path] = set()
    for objective in configuration.objectives:
        for data in objective.data:
            path = Path(data.path or data.library)
            if path not in seen:
                seen.add(path)
                source = path / LIBRARY_STATE if data.library else path
                with source.open("rb") as file:
                    digest = hashlib.file_digest(file, "sha256").hexdigest()
                yield DataFile(str(path), digest, pairs.get(objective.name, 0))


def language_callback(
    configuration: Configuration,
    sentences: Sentences,
    trainer: "KeptWhole",
    log: Callable[[int, dict[str, float]], None],
) -> "TrainerCallback":
    """Measures every language at the steps that the configuration names, and at the end."""
    from models.training.trainer import AtStepsCallback

    def measure(step: int) -> None:
        model = merged(cast("SentenceTransformer", trainer.model))
        with temporary_folder(Path(configuration.folder)) as folder:
            model.save_pretrained(str(folder / "model"), create_model_card=False)
            encoder = load_encoder(EncoderSettings(str(folder / "model")))
            found = evaluate_languages(sentences, encoder, Silent(), home=folder)
        log(step, {row.language: row.accuracy for row in found.languages})

    return AtStepsCallback(configuration.evaluation.every, measure)
