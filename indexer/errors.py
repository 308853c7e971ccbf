"""Errors of the library on disk."""

from models.errors import BioglotError


class LibraryError(BioglotError):
    """The library is missing, damaged, in use or of another encoder."""

    http_status = 503


class LibraryBusy(LibraryError):
    """Another process is writing to the library."""
