"""Where training runs are recorded: an MLflow store, an SQLite file unless a server is named."""

import contextlib
import logging
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock

from models.errors import BioglotError, UsageError
from models.home import data_home

if TYPE_CHECKING:
    from mlflow import MlflowClient

SQLITE = "sqlite:///"
FILE_NAME = "runs.db"
MISREAD = frozenset("%?")
"""What SQLAlchemy takes for something else in the path of a file."""
LONGEST_REASON = 300
QUIET = {
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "DO_NOT_TRACK": "true",
    "MLFLOW_LOGGING_LEVEL": "WARNING",
    "GIT_PYTHON_REFRESH": "quiet",
    # Two minutes and seven attempts, MLflow's own limits, are too long to wait for a server that is away.
    "MLFLOW_HTTP_REQUEST_TIMEOUT": "20",
    "MLFLOW_HTTP_REQUEST_MAX_RETRIES": "2",
}


class StoreError(BioglotError):
    """The store of runs cannot be reached, read or written."""

    http_status = 503


def tracking_uri(store: str) -> str:
    """MLflow's address of a store: the same, or runs.db in the folder that it names ("": the home).

    Raises UsageError for a folder that an address cannot hold.
    """
    if "://" in store:
        return store
    folder = Path(store).expanduser().absolute() if store else data_home(os.environ).absolute()
    if not MISREAD.isdisjoint(str(folder)):
        raise UsageError(f"the folder of runs is {str(folder)!r}, expected a path without % and ?")
    return f"{SQLITE}{folder / FILE_NAME}"


def sqlite_file(uri: str) -> Path | None:
    """The file of an SQLite store, None for others."""
    return Path(uri.removeprefix(SQLITE)) if uri.startswith(SQLITE) else None


def files_location(uri: str) -> str | None:
    """Where files of runs are kept: in a folder beside an SQLite file, else where the server says."""
    file = sqlite_file(uri)
    return None if file is None else (file.absolute().parent / f"{file.stem}-files").as_uri()


def keep_quiet() -> None:
    """Telemetry and chatter off and short time limits, unless the user's environment says otherwise.

    MLflow reads its environment when it is first imported, so call this before.
    """
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)
    logging.getLogger("alembic").setLevel(logging.WARNING)


def open_client(store: str) -> "MlflowClient":
    """A client of the store, made if need be. Raises UsageError without MLflow, and StoreError."""
    keep_quiet()
    try:
        from mlflow import MlflowClient
    except ImportError:
        raise UsageError("the record of runs needs mlflow: pip install 'bioglot[training]'") from None
    uri = tracking_uri(store)
    try:
        with making(uri):
            client = MlflowClient(tracking_uri=uri)
            client.search_experiments(max_results=1)
    except Exception as error:  # those of MLflow, SQLAlchemy and requests share no base class
        raise unreachable(uri, error) from error
    return client


@contextlib.contextmanager
def making(uri: str) -> Iterator[None]:
    """Keeps two processes from making the tables of one SQLite file at once, at which MLflow fails."""
    if (file := sqlite_file(uri)) is None:
        yield
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(file.with_suffix(".lock")):
        yield


def unreachable(uri: str, error: Exception) -> StoreError:
    """What to tell a user whose store fails."""
    reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
    if len(reason) > LONGEST_REASON:
        reason = f"{reason[:LONGEST_REASON]} …"
    return StoreError(
        f"the runs at {uri} cannot be reached: {reason}; expected a folder, an SQLite file as "
        f"{SQLITE}/PATH or the address of an MLflow server"
    )
