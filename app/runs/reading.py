"""Reading the record of training runs."""

import contextlib
import difflib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from app.runs.listing import list_database
from app.runs.summary import RunDetails, RunSummary, as_measured, details, summary
from models.errors import BioglotError, UsageError
from models.training.run_names import REPEATS, metric_name
from models.training.store import open_client, sqlite_file, tracking_uri, unreachable

if TYPE_CHECKING:
    from mlflow.entities import Experiment, Run

NAMED = 10
"""How many runs an error names."""
PAGE = 1_000
"""How many runs to ask for at once."""


class NoRunsError(UsageError):
    """Nothing was recorded here yet."""


@dataclass(frozen=True, slots=True)
class Curve:
    """A measure by step, in order, one value a step: the one that was written last."""

    steps: tuple[int, ...]
    values: tuple[float, ...]


class RunStore:
    """The runs in a store of MLflow. Raises NoRunsError for a file that does not exist; it is not made."""

    def __init__(self, store: str) -> None:
        self.uri = tracking_uri(store)
        if not any_runs(store):
            raise NoRunsError(f"no training runs are recorded in {self.uri} yet")
        self._client = open_client(store)

    def newest(self, experiment: str | None = None, limit: int | None = None) -> tuple[RunSummary, ...]:
        """Runs of an experiment, or of all, the newest first. Raises UsageError if there is no such one."""
        from mlflow.store.tracking.sqlalchemy_store import SqlAlchemyStore
        from mlflow.tracking._tracking_service.utils import _get_store

        with self._reaching():
            names = self._experiments(experiment)
            store = _get_store(self.uri)  # type: ignore[no-untyped-call]
            if isinstance(store, SqlAlchemyStore):
                return tuple(list_database(store, names, limit))
            return tuple(
                summary(run, names[run.info.experiment_id]) for run in self._search(names, limit=limit)
            )

    def find(self, wanted: str) -> RunDetails:
        """The run of that name or id, which may be cut short. Raises UsageError if none or several are."""
        found = {run.id: run for condition in conditions(wanted) for run in self._details(condition)}
        if not found:
            recent = self.newest(limit=PAGE)
            names = {run.name: run for run in reversed(recent)}
            near = [names[name] for name in difflib.get_close_matches(wanted, names, NAMED)]
            known = in_words(near or recent) or "none"
            raise UsageError(f"there is no run {wanted!r} in {self.uri}; there are: {known}")
        if len(found) > 1:
            raise UsageError(f"several runs are {wanted!r}: {in_words(found.values())}; name one by its id")
        return next(iter(found.values()))

    def repeats(self, run: RunDetails) -> list[RunDetails]:
        """Finished runs that differ from it in nothing but their seeds; itself among them if finished."""
        if not run.repeats:
            return []
        return self._details(f"tags.`{REPEATS}` = '{run.repeats}' AND attributes.status = 'FINISHED'")

    def curves(self, run: RunDetails) -> dict[str, Curve]:
        """Every measure that was written at several steps; not those of single languages."""
        curves = {measure: self._curve(run, measure) for measure in run.measures}
        return {measure: curve for measure, curve in curves.items() if len(curve.steps) > 1}

    def _curve(self, run: RunDetails, measure: str) -> Curve:
        with self._reaching():
            points = self._client.get_metric_history(run.id, metric_name(measure))
        ordered = sorted(points, key=lambda point: (point.step, point.timestamp))
        latest = {point.step: as_measured(point.value) for point in ordered}
        return Curve(tuple(latest), tuple(latest.values()))

    def _details(self, condition: str) -> list[RunDetails]:
        with self._reaching():
            names = self._experiments()
            return [details(run, names[run.info.experiment_id]) for run in self._search(names, condition)]

    def _experiments(self, wanted: str | None = None) -> dict[str, str]:
        """Names by id, of all experiments or of the one that is wanted."""
        experiments: Iterator[Experiment] = pages(self._client.search_experiments)
        found = {item.experiment_id: item.name for item in experiments}
        chosen = {key: name for key, name in found.items() if wanted in (None, name)}
        if not chosen:
            known = ", ".join(sorted(found.values()))
            raise UsageError(f"there is no experiment {wanted!r} in {self.uri}; there are: {known}")
        return chosen

    def _search(
        self, experiments: Iterable[str], condition: str = "", limit: int | None = None
    ) -> "Iterator[Run]":
        """Runs that meet a condition in MLflow's grammar, the newest first."""
        at_once = min(limit or PAGE, PAGE)
        search = partial(self._client.search_runs, list(experiments), condition, max_results=at_once)
        return islice(pages(search), limit)

    @contextlib.contextmanager
    def _reaching(self) -> Iterator[None]:
        try:
            yield
        except BioglotError:
            raise
        except Exception as error:  # those of MLflow, SQLAlchemy and requests share no base class
            raise unreachable(self.uri, error) from error


def any_runs(store: str) -> bool:
    """Whether there are runs to read, as far as can be told without MLflow: a file, or a server's address."""
    file = sqlite_file(tracking_uri(store))
    return file is None or file.is_file()


def pages(fetch: Callable[..., Any]) -> Iterator[Any]:
    """The items of all pages of an answer of MLflow."""
    page = fetch()
    yield from page
    while page.token:
        page = fetch(page_token=page.token)
        yield from page


def conditions(wanted: str) -> Iterator[str]:
    """What to look for in MLflow's grammar, which has no "or" and no way to escape a quote."""
    quote = "'" if '"' in wanted else '"'
    if quote not in wanted:
        yield f"attributes.run_name = {quote}{wanted}{quote}"
    if re.fullmatch(r"[0-9a-f]{1,32}", wanted):
        yield f"attributes.run_id LIKE '{wanted}%'"


def in_words(runs: Iterable[RunSummary]) -> str:
    """The first few runs, for an error."""
    return ", ".join(run.label for run in islice(runs, NAMED))
