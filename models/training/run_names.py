"""How a run is laid out in MLflow's parameters, tags and metrics; writing and reading share it."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping

DATA = "bioglot.data."
"""How the parameters begin that name data files."""

CODE, MACHINE, CHECKPOINT, RESUMED = (
    "bioglot.code.",
    "bioglot.machine.",
    "bioglot.checkpoint.",
    "bioglot.resumed.",
)
"""How tags begin."""

REPEATS = "bioglot.repeats"
"""The tag that runs share if they differ in nothing but their seeds."""

LANGUAGE = "languages/"
"""How the metrics begin that are a language's accuracy@1."""

ACCURACY = "accuracy@1"

APART = ("seed", "name", "folder")
"""Last parts of configuration keys in which repeats of a run differ."""

LONGEST = 5_000
"""Characters of a parameter's value; MLflow takes 6,000."""


def flatten(configuration: Mapping[str, object], above: str = "") -> Iterator[tuple[str, str]]:
    """Dotted keys and values as text: strings as they are, everything else as JSON."""
    for name, value in configuration.items():
        key = above + _allowed(str(name))
        if isinstance(value, Mapping) and value:
            yield from flatten(value, f"{key}.")
        else:
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
            yield key, _shortened(text)


def repeats_key(parameters: Mapping[str, str], code: Mapping[str, str]) -> str:
    """A hash of parameters and code version, apart from what differs between repeats with other seeds."""
    kept = {key: value for key, value in parameters.items() if key.rpartition(".")[2] not in APART}
    document = json.dumps([kept, code], sort_keys=True)
    return hashlib.sha256(document.encode()).hexdigest()[:16]


def metric_name(measure: str) -> str:
    """The measure's name with the characters that MLflow allows: nDCG@10 becomes nDCG_at_10."""
    return _allowed(measure.replace("@", "_at_"))


def measure_name(metric: str) -> str:
    """What metric_name made, read back."""
    return re.sub(r"_at_(?=\d)", "@", metric)


def _allowed(name: str) -> str:
    return re.sub(r"[^\w.\-/ ]", "_", name)[:250]


def _shortened(text: str) -> str:
    """A value that is too long ends in a hash of all of it, so that two of them still differ."""
    if len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST]} … sha256 {hashlib.sha256(text.encode()).hexdigest()}"
