"""How long work tells whoever waits for it where it stands."""

from typing import Protocol


class Progress(Protocol):
    """Told by the worker, in the order start, advance ..., finish; one task at a time."""

    def start(self, what: str, total: int | None, unit: str) -> None:
        """Begin `what`, which takes `total` units (None if unknown) such as "records" or "bytes"."""
        ...

    def advance(self, n: int = 1) -> None: ...

    def finish(self) -> None: ...

    def note(self, message: str) -> None:
        """Say one line that stays, such as a file that was set aside; allowed at any time."""
        ...


class Silent:
    """A Progress that tells nobody."""

    def start(self, what: str, total: int | None, unit: str) -> None: ...

    def advance(self, n: int = 1) -> None: ...

    def finish(self) -> None: ...

    def note(self, message: str) -> None: ...
