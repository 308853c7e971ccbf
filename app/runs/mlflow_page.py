"""MLflow's own page over a store, for this machine alone."""

import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator

from models.training.store import QUIET, StoreError, open_client, tracking_uri
from models.training.termination import exit_on_termination

HOST = "127.0.0.1"
OPTIONS = {"--host": HOST, "--workers": "1", "--uvicorn-opts": "--log-level=warning"}
ENVIRONMENT = {"MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false", "PYTHONWARNINGS": "ignore"}


@contextlib.contextmanager
def served_page(store: str, port: int) -> Iterator["subprocess.Popen[bytes]"]:
    """MLflow's server over the store, in a process that answers inside and ends after. Raises StoreError."""
    open_client(store)
    uri = tracking_uri(store)
    options = OPTIONS | {"--backend-store-uri": uri, "--registry-store-uri": uri, "--port": str(port)}
    words = [word for option in options.items() for word in option]
    command = [sys.executable, "-m", "mlflow", "server", *words]
    # In a session of its own, Ctrl-C does not reach it too, which it would answer with a traceback.
    with (
        exit_on_termination(),
        subprocess.Popen(command, env=QUIET | ENVIRONMENT | os.environ, start_new_session=True) as process,
    ):
        try:
            while not answers(port):
                if process.poll() is not None:
                    raise StoreError(f"MLflow's server over {uri} ended with code {process.returncode}")
                time.sleep(0.2)
            yield process
        finally:
            process.terminate()


def answers(port: int) -> bool:
    """Whether somebody listens there."""
    try:
        socket.create_connection((HOST, port), timeout=1).close()
    except OSError:
        return False
    return True
