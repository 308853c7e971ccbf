"""Who hears how a run advances."""

from typing import Protocol


class Told(Protocol):
    """Hears how preparation and training advance, as the rest of bioglot tells it."""

    def start(self, what: str, total: int | None, unit: str) -> None: ...

    def advance(self, n: int = 1) -> None: ...

    def finish(self) -> None: ...


class Silent:
    """Hears and says nothing."""

    def start(self, what: str, total: int | None, unit: str) -> None: ...

    def advance(self, n: int = 1) -> None: ...

    def finish(self) -> None: ...
