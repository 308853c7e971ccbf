"""Writes points of curves and tags in batches, so that training does not wait for a disk or a server."""

import logging
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mlflow import MlflowClient
    from mlflow.entities import Metric, RunTag

SECONDS = 2.0
"""From one batch to the next: what a killed process may lose."""
BATCH = 900
"""Fewer metrics than the 1,000 items that MLflow takes at once."""
TAGS = 100
"""As many tags as MLflow takes at once."""

logger = logging.getLogger(__name__)


class RunWriter:
    """What is on its way to the store, in a thread of its own; what fails is kept for the next batch."""

    def __init__(self, client: "MlflowClient", run_id: str) -> None:
        self._client = client
        self._run_id = run_id
        self._lock = threading.Lock()
        self._metrics: list[Metric] = []
        self._tags: list[RunTag] = []
        self._written = time.monotonic()
        self._thread = ThreadPoolExecutor(1, "runs")
        self._writing: Future[None] | None = None
        self._warned = False

    def add(self, metrics: "Sequence[Metric]" = (), tags: "Sequence[RunTag]" = ()) -> None:
        """Takes them and, every two seconds, sends off what has come together."""
        with self._lock:
            self._metrics += metrics
            self._tags += tags
        idle = self._writing is None or self._writing.done()
        if idle and time.monotonic() - self._written >= SECONDS:
            self._written = time.monotonic()
            self._writing = self._thread.submit(self._write)

    def close(self) -> None:
        """Writes the rest; tells how much the store did not take."""
        self._thread.shutdown(wait=True)
        self._write()
        if left := len(self._metrics) + len(self._tags):
            logger.warning("run %s: %d points and tags were not recorded", self._run_id, left)

    def _write(self) -> None:
        while self._metrics or self._tags:
            metrics, tags = self._metrics[:BATCH], self._tags[:TAGS]
            try:
                self._client.log_batch(self._run_id, metrics=metrics, tags=tags)
            except Exception as error:  # those of MLflow, SQLAlchemy and requests share no base class
                if not self._warned:
                    logger.warning("run %s cannot be written now, will try again: %s", self._run_id, error)
                self._warned = True
                return
            with self._lock:
                del self._metrics[: len(metrics)], self._tags[: len(tags)]
