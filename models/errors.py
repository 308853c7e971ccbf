"""The base of every error that bioglot raises on purpose.

A user sees the message alone, never a traceback, so a message names the thing, its value, what was
expected and what to do.
"""


class BioglotError(Exception):
    """An expected failure; `exit_code` is the command's, `http_status` the API's."""

    exit_code = 1
    http_status = 500


class UsageError(BioglotError):
    """The caller asked for something that cannot be: a wrong option, value or name."""

    exit_code = 2
    http_status = 422


class ModelError(BioglotError):
    """A model cannot be found, loaded or used as asked."""

    http_status = 503
