"""Bring passages.lance in line with citations.lance: embed what is missing, drop what is stale.

The difference of the two tables is all the state there is, so a run that was killed is gone on with by
running again. Citations are taken in a fixed order and committed in chunks: a resumed run forms the same
batches as an unbroken one, and the vectors are equal to the bit.
"""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from indexer.library import Library, chunks, delete_where_in, in_list, merge
from indexer.memory import release_memory
from indexer.passages import Passage, citation_text, cut, text_hash
from indexer.progress import Progress
from indexer.tables import passage_rows
from models.encoder import Encoder, Vectors

CHUNK = 512
"""Citations a commit: about a minute of work on two slow cores, and all that a kill can lose."""
STEP = 64
"""Passages between two advances of the progress bar."""
STEPS_AT_ONCE = 2
"""One is tokenised and waits while the other is embedded, so that no core is idle in between."""


@dataclass(frozen=True, slots=True)
class EmbedReport:
    embedded: int
    reused: int
    deleted: int
    seconds: float


def embed_pending(library: Library, encoder: Encoder, progress: Progress) -> EmbedReport:
    """Embed the text of every citation that has no passages for it yet. Call inside `writing`."""
    begun = time.perf_counter()
    pending = pending_citations(library)
    embedded = reused = 0
    progress.start("embedding", len(pending), "citations")
    for first in range(0, len(pending), CHUNK):
        ids = pending[first : first + CHUNK]
        new, old = embed_chunk(library, encoder, ids, progress)
        embedded, reused = embedded + new, reused + old
        release_memory()
    progress.finish()
    deleted = delete_stale(library)
    return EmbedReport(embedded, reused, deleted, time.perf_counter() - begun)


def pending_citations(library: Library) -> list[str]:
    """Ids of citations whose text has no passages, in order of id; those without any text are not pending."""
    empty = text_hash("")
    wanted = library.citations().to_table(columns=["id", "text"], filter=f"text != {empty}")
    held = library.passages().to_table(columns=["citation_id", "source"])
    held = held.rename_columns(["id", "text"])
    missing = wanted.join(held, keys=["id", "text"], join_type="left anti")
    return sorted(missing["id"].to_pylist(), key=id_order)


def id_order(citation_id: str) -> tuple[str, int, str]:
    """Sort key: by source, then by number where the id has one, so that pmid:9 stands before pmid:10."""
    source, _, value = citation_id.partition(":")
    return source, int(value) if value.isdecimal() else 0, value


def embed_chunk(
    library: Library, encoder: Encoder, ids: Sequence[str], progress: Progress
) -> tuple[int, int]:
    """Commit the passages of these citations; returns how many were embedded and how many reused."""
    records = library.read(ids)
    texts = [(item, citation_text(records[item])) for item in ids]
    sources = {item: text_hash(text) for item, text in texts}
    passages = [passage for group in cut(texts, encoder) for passage in group]
    table = library.passages()
    held = table.to_table(
        columns=["key", "text", "fingerprint", "vector"], filter=in_list("citation_id", ids)
    )
    advances = shares(len(ids), progress)
    vectors, embedded = passage_vectors(passages, reusable(held, encoder.fingerprint), encoder, advances)
    rows = passage_rows(
        passages,
        [sources[passage.citation_id] for passage in passages],
        vectors,
        encoder.fingerprint,
        table.schema,
    )
    merge(table, "key", rows)
    surplus = set(held["key"].to_pylist()) - {passage.key for passage in passages}
    delete_where_in(library.passages(), "key", sorted(surplus))
    return embedded, len(passages) - embedded


def reusable(held: pa.Table, fingerprint: str) -> dict[int, Vectors]:
    """Vectors of stored passages by the hash of their text, of this encoder only."""
    return {
        row["text"]: np.asarray(row["vector"], np.float32)
        for row in held.to_pylist()
        if row["fingerprint"] == fingerprint
    }


def passage_vectors(
    passages: Sequence[Passage],
    known: dict[int, Vectors],
    encoder: Encoder,
    advance: Callable[[float], None],
) -> tuple[Vectors, int]:
    """(n, dimensions) vectors of the passages, and how many of them had to be embedded.

    advance is told the share that is done, from 0 to 1.
    """
    hashes = [text_hash(passage.text) for passage in passages]
    # Texts of like length go together, so that little of a batch is padding.
    new = sorted(
        (index for index, value in enumerate(hashes) if value not in known),
        key=lambda index: (len(passages[index].text), index),
    )
    vectors = np.empty((len(passages), encoder.dimensions), np.float32)
    for index, value in enumerate(hashes):
        if value in known:
            vectors[index] = known[value]
    steps = [new[first : first + STEP] for first in range(0, len(new), STEP)]
    texts = ([passages[index].text for index in step] for step in steps)
    done = 0
    with ThreadPoolExecutor(STEPS_AT_ONCE) as ahead:
        for step, found in zip(steps, ahead.map(encoder.encode_passages, texts), strict=True):
            vectors[step] = found
            done += len(step)
            advance(done / len(new))
    advance(1.0)
    return vectors, len(new)


def shares(total: int, progress: Progress) -> Callable[[float], None]:
    """A function that advances progress through `total` by the share that is done."""
    told = 0

    def advance(share: float) -> None:
        nonlocal told
        reached = int(total * share)
        progress.advance(reached - told)
        told = reached

    return advance


def delete_stale(library: Library) -> int:
    """Delete passages whose citation is gone or has another text; returns how many."""
    table = library.passages()
    held = table.to_table(columns=["key", "citation_id", "source"])
    wanted = library.citations().to_table(columns=["id", "text"])
    wanted = wanted.rename_columns(["citation_id", "source"])
    stale = held.join(wanted, keys=["citation_id", "source"], join_type="left anti")
    return sum(delete_where_in(library.passages(), "key", keys) for keys in chunks(stale["key"].to_pylist()))
