"""Embed a library again for another encoder, while the published set goes on serving.

The passages of the new encoder go into a table of their own beside the one in use. Until library.json names
it, nothing else looks at it; a run that was killed is gone on with by running again.
"""

import time
from dataclasses import dataclass
from pathlib import Path

from indexer.embed import EmbedReport, embed_pending
from indexer.files import write_json
from indexer.library import Library, create_passages, open_library, passage_tables
from indexer.pointer import REEMBEDDING, PublishedSet, Reembedding, unfinished
from indexer.progress import Progress
from indexer.publish import drop_table, publish
from indexer.published import published_pointer
from models.encoder import Encoder


@dataclass(frozen=True, slots=True)
class ReembedReport:
    """What one run did. dropped: the encoder of an unfinished re-embedding that was given up."""

    changed: bool
    model: str
    fingerprint: str
    previous_model: str
    previous_fingerprint: str
    dropped: str | None
    passages_embedded: int
    passages_reused: int
    embedding_seconds: float
    passages_per_second: float
    seconds: float
    citations: int
    passages: int
    library_version: int


def reembed(path: Path, encoder: Encoder, progress: Progress) -> ReembedReport:
    """Embed the library for this encoder and publish; vectors made before for the same one are kept.

    For the encoder that the library has, nothing is done, but an unfinished re-embedding is dropped.
    """
    begun = time.perf_counter()
    library = open_library(path)
    with library.writing():
        before = published_pointer(path)
        other = unfinished(path, library.table)
        if library.encoder.fingerprint == encoder.fingerprint:
            (path / REEMBEDDING).unlink(missing_ok=True)
            if other is not None and (path / other.table).exists():
                drop_table(path / other.table)
            embedded, published = EmbedReport(0, 0, 0, 0.0), before
        else:
            target = begin(library, encoder)
            embedded = embed_pending(target, encoder, progress)
            published = publish(target, progress)
            (path / REEMBEDDING).unlink()
    given_up = other.model if other is not None and other.table != published.table else None
    return report(before, published, embedded, given_up, time.perf_counter() - begun)


def begin(library: Library, encoder: Encoder) -> Library:
    """The library over a table for this encoder: one that is there already, or a new one."""
    held = (open_library(library.path, name) for name in passage_tables(library.path))
    table = next(
        (other.table for other in held if other.encoder.fingerprint == encoder.fingerprint),
        f"passages-{encoder.fingerprint}.lance",
    )
    # Written first, since a publication drops the tables that nothing names.
    write_json(library.path / REEMBEDDING, Reembedding(table, encoder.name))
    if not (library.path / table).exists():
        create_passages(library.path / table, encoder)
    return open_library(library.path, table)


def report(
    before: PublishedSet, published: PublishedSet, embedded: EmbedReport, dropped: str | None, seconds: float
) -> ReembedReport:
    """What a run did, from what its steps tell."""
    return ReembedReport(
        changed=before.fingerprint != published.fingerprint,
        model=published.model,
        fingerprint=published.fingerprint,
        previous_model=before.model,
        previous_fingerprint=before.fingerprint,
        dropped=dropped,
        passages_embedded=embedded.embedded,
        passages_reused=published.passages - embedded.embedded,
        embedding_seconds=embedded.seconds,
        passages_per_second=embedded.embedded / embedded.seconds if embedded.embedded else 0.0,
        seconds=seconds,
        citations=published.citations,
        passages=published.passages,
        library_version=published.number,
    )
