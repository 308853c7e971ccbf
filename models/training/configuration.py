"""What a training run is told: one TOML file, checked as a whole before anything is loaded."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec
from msgspec.structs import replace

from models.encoder import DEFAULT, EncoderSettings
from models.errors import UsageError
from models.loading import check_settings


class Section(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of the file: a name that it does not have is an error, not ignored."""


class ModelSection(Section, frozen=True, kw_only=True):
    """The model to begin with, by the four settings that choose an encoder everywhere.

    max_tokens: what a text is cut to while training. from_scratch: take only the architecture and the
    tokenizer, and draw the weights at random.
    """

    model: str = DEFAULT
    dimensions: int | None = None
    max_tokens: int | None = None
    precision: str = "auto"
    from_scratch: bool = False

    @property
    def settings(self) -> EncoderSettings:
        return EncoderSettings(self.model, self.dimensions, self.max_tokens, self.precision)


class AdapterSection(Section, frozen=True, kw_only=True):
    """What of the model is trained.

    kind: "full" for every weight; "rows" for the word vectors alone; "lora" for low-rank matrices beside the
    linear layers, with the word vectors held; "lora+rows" for both.
    rank, alpha: of the low-rank matrices (Hu et al., 2022); their product is scaled by alpha / rank.
    """

    kind: Literal["full", "rows", "lora", "lora+rows"] = "full"
    rank: int = 16
    alpha: int = 32

    @property
    def rows(self) -> bool:
        """Whether rows of the word vectors are trained apart from the rest."""
        return self.kind in ("rows", "lora+rows")


class VocabularySection(Section, frozen=True, kw_only=True):
    """New tokens, for languages that the tokenizer takes to pieces.

    languages: codes as in the data, whose text is read for them. characters: how often a character unknown to
    the tokenizer must occur to become a token. pieces: at most so many new pieces a language, each seen at
    least min_count times. translations: start a piece from the English words that stand with it.
    """

    languages: tuple[str, ...] = ()
    characters: int = 3
    pieces: int = 0
    min_count: int = 5
    translations: bool = True


class DataSection(Section, frozen=True, kw_only=True):
    """Pairs: a file (JSONL, TSV or TMX, .xz and .gz too) or a library.

    library: folder of a library; `pairs` says which of its pairs to take.
    hold: in place of two texts take the passage twice, or the query, which shall keep the teacher's vector.
    joined: so many pairs of one language as one, their texts with commas between: lists where there are
    only words, as in a dictionary.
    languages: take pairs of these alone, if any is named. language: of a file that does not name it.
    licence: of the data, for the model card.
    """

    path: str = ""
    library: str = ""
    pairs: tuple[str, ...] = ("title-abstract",)
    licence: str = ""
    hold: Literal["", "passage", "query"] = ""
    joined: int = 1
    languages: tuple[str, ...] = ()
    language: str = ""
    limit: int | None = None


class ObjectiveSection(Section, frozen=True, kw_only=True):
    """One thing to learn, from its own data, with its share of the batches (weight).

    prompt: which of the encoder's prompts the learnt text takes.
    language_temperature: languages are drawn in proportion to (their pairs) ** (1 / temperature): 1 as they
    come, a high one all alike.
    favour: how many times as often a language is drawn as that gives.
    temperature: of the contrast (cosines are divided by it).
    contrastive. negatives: mined hard negatives for each query. gather: negatives from every process.
    cached: texts that go through the network at once in gradient caching (Gao et al., 2021), 0 for all.
    distill. teacher: the model whose vectors are learnt, by default the one that training begins with.
    teacher_prompts: the teacher's vectors of the English text that are learnt. contrast: weight of telling
    the teacher's vector of the twin from those of `bank` other texts.
    matryoshka: shorter dimensions that are trained too.
    mlm. masked: share of tokens.
    """

    kind: Literal["contrastive", "distill", "mlm"]
    data: tuple[DataSection, ...]
    name: str = ""
    weight: float = 1.0
    prompt: Literal["query", "passage", "none"] = "query"
    language_temperature: float = 1.0
    favour: dict[str, float] = {}
    temperature: float = 0.05
    negatives: int = 0
    gather: bool = True
    cached: int = 0
    teacher: str = ""
    teacher_prompts: tuple[Literal["query", "passage"], ...] = ("query",)
    contrast: float = 0.0
    bank: int = 1024
    matryoshka: tuple[int, ...] = ()
    masked: float = 0.15


class BatchSection(Section, frozen=True, kw_only=True):
    """size: pairs of one step, over all processes. at_once: pairs that one process takes at once."""

    size: int = 64
    at_once: int = 64


class StepsSection(Section, frozen=True, kw_only=True):
    """How long and how fast. Lengths are in steps; rows_learning_rate is that of the word vectors."""

    steps: int
    learning_rate: float = 1e-4
    rows_learning_rate: float | None = None
    warmup: int = 0
    schedule: Literal["constant", "linear", "cosine"] = "linear"
    weight_decay: float = 0.0
    clip: float = 1.0
    checkpoint_every: int = 500
    keep: int = 2
    log_every: int = 10


class MemorySection(Section, frozen=True, kw_only=True):
    """What makes a large model fit.

    checkpointing: keep no activations inside a layer, compute them again. optimizer: "adafactor" keeps row
    and column sums in place of two numbers for each weight (Shazeer and Stern, 2018). release_gradients:
    apply each gradient as soon as it is there and drop it. fsdp: shard over GPUs, weights in main memory.
    """

    checkpointing: bool = False
    optimizer: Literal["adamw", "adafactor"] = "adamw"
    release_gradients: bool = False
    fsdp: bool = False


class EvaluationSection(Section, frozen=True, kw_only=True):
    """languages: a file as `bioglot evaluate --languages` takes. every: steps between two measurements."""

    languages: str = ""
    every: int = 0


class RecordSection(Section, frozen=True, kw_only=True):
    """Where the run is recorded. trackers: others beside MLflow, by name."""

    store: str = ""
    experiment: str = "bioglot"
    trackers: tuple[str, ...] = ()


class Configuration(Section, frozen=True, kw_only=True):
    """The whole file. folder: where the run keeps its checkpoints and the trained model."""

    name: str
    folder: str
    objectives: tuple[ObjectiveSection, ...]
    training: StepsSection
    seed: int = 1
    model: ModelSection = ModelSection()
    adapter: AdapterSection = AdapterSection()
    vocabulary: VocabularySection = VocabularySection()
    batch: BatchSection = BatchSection()
    memory: MemorySection = MemorySection()
    evaluation: EvaluationSection = EvaluationSection()
    record: RecordSection = RecordSection()


def read_configuration(path: Path) -> Configuration:
    """The file, checked; its paths start from its folder. Raises UsageError that names file and key."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"configuration {path} cannot be read: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"configuration {path} is not TOML: {error}") from error
    try:
        configuration = msgspec.convert(content, Configuration, strict=False)
    except msgspec.ValidationError as error:
        raise UsageError(f"configuration {path}: {error}") from error
    _check(path, configuration)
    return _with_paths(path.parent, configuration)


def _check(path: Path, configuration: Configuration) -> None:
    """Raise UsageError for what is each for itself well formed and together cannot be."""
    wrong = next(_contradictions(configuration), None)
    if wrong:
        raise UsageError(f"configuration {path}: {wrong}")
    check_settings(configuration.model.settings)


def _contradictions(configuration: Configuration) -> Iterator[str]:
    kinds = {objective.kind for objective in configuration.objectives}
    if not kinds:
        yield "it has no objective: add [[objectives]] with kind and data"
    if "mlm" in kinds and len(configuration.objectives) > 1:
        yield "mlm trains a language-model head and stands alone: give it a run of its own"
    if "mlm" in kinds and configuration.evaluation.languages:
        yield "evaluation.languages measures encoders, and mlm trains none: leave it out"
    if configuration.model.from_scratch and kinds != {"mlm"}:
        yield "model.from_scratch draws weights at random, which is for mlm: set it to false"
    size, at_once = configuration.batch.size, configuration.batch.at_once
    if at_once < 1 or size % at_once:
        yield f"batch.size is {size}, expected a multiple of batch.at_once ({at_once})"
    if configuration.training.steps < 1:
        yield f"training.steps is {configuration.training.steps}, expected 1 or more"
    for number, objective in enumerate(configuration.objectives, 1):
        for wrong in _objective_contradictions(objective):
            yield f"objective {objective.name or number}: {wrong}"
    names = [objective.name for objective in configuration.objectives if objective.name]
    if len(set(names)) < len(names):
        yield f"objectives need names of their own, these are {', '.join(names)}"


def _objective_contradictions(objective: ObjectiveSection) -> Iterator[str]:
    if not objective.data:
        yield "it has no data"
    for name in ("weight", "temperature", "language_temperature"):
        if getattr(objective, name) <= 0:
            yield f"{name} is {getattr(objective, name)}, expected more than 0"
    for data in objective.data:
        if bool(data.path) == bool(data.library):
            yield "give each of its data either path or library"
        if data.joined < 1:
            yield f"joined is {data.joined}, expected 1 or more"


def _with_paths(start: Path, configuration: Configuration) -> Configuration:
    """With names for all objectives, and relative paths starting from the file's folder."""

    def placed(path: str) -> str:
        return str(start / Path(path).expanduser()) if path else ""

    objectives = tuple(
        replace(
            objective,
            name=objective.name or f"{objective.kind}-{number}",
            data=tuple(
                replace(data, path=placed(data.path), library=placed(data.library)) for data in objective.data
            ),
        )
        for number, objective in enumerate(configuration.objectives, 1)
    )
    evaluation = configuration.evaluation
    return replace(
        configuration,
        folder=placed(configuration.folder),
        objectives=objectives,
        evaluation=replace(evaluation, languages=placed(evaluation.languages)),
    )
