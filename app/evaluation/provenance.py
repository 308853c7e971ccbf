"""What an evaluation was made with, so that it can be repeated to the digit."""

import datetime
import importlib.metadata
from dataclasses import dataclass

from models.encoder import Encoder


@dataclass(frozen=True, slots=True)
class Provenance:
    """encoder: its name. date: in UTC, ISO 8601."""

    encoder: str
    fingerprint: str
    dimensions: int
    max_tokens: int
    bioglot: str
    date: str

    def __str__(self) -> str:
        return f"{self.encoder} ({self.fingerprint}), bioglot {self.bioglot}, {self.date}"


def provenance(encoder: Encoder) -> Provenance:
    """The encoder, this version of bioglot, and today."""
    return Provenance(
        encoder=encoder.name,
        fingerprint=encoder.fingerprint,
        dimensions=encoder.dimensions,
        max_tokens=encoder.max_tokens,
        bioglot=importlib.metadata.version("bioglot"),
        date=datetime.datetime.now(datetime.UTC).date().isoformat(),
    )
