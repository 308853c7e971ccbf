"""The record of a search: all that is needed to report it and to repeat it."""

import importlib.metadata
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import msgspec

from app.query import Filters, Prior, Query, Sort
from app.syntax.evaluate import fields_asked
from app.syntax.fields import HEADING_FIELDS
from app.syntax.parse import describe
from app.understanding import Understood
from indexer.mesh import MeshTree
from indexer.published import Published
from models.errors import UsageError


@dataclass(frozen=True, slots=True)
class SearchRecord:
    """The items that PRISMA-S (Rethlefsen and others, Systematic Reviews 10, 2021) asks of a search.

    understood: a Boolean query as it was read, otherwise the text that was ranked by; kind: of the query.
    date: when it was run, UTC. citations: how many the library holds. total: size of the matched set, a lower
    bound unless total_exact. ids: those shown, in order. mesh: the edition by which the headings of the query
    were looked up, None if there are none or there was no edition.
    """

    query: Query
    kind: str
    understood: str
    language: str | None
    bioglot: str
    date: str
    library: str
    library_version: int
    library_published: str
    citations: int
    encoder: str
    fingerprint: str
    analysis: int
    total: int
    total_exact: bool
    ids: tuple[str, ...]
    mesh: str | None = None


def search_record(
    published: Published,
    query: Query,
    asked: Understood,
    total: int,
    total_exact: bool,
    ids: tuple[str, ...],
    mesh: MeshTree | None = None,
) -> SearchRecord:
    """The record of a search that was just run."""
    held = published.set
    headings = asked.tree is not None and fields_asked(asked.tree) & HEADING_FIELDS
    return SearchRecord(
        query=query,
        kind=asked.kind.value,
        understood=asked.text if asked.tree is None else describe(asked.tree),
        language=asked.language,
        bioglot=bioglot_version(),
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        library=published.library.path.resolve().name,
        library_version=held.number,
        library_published=held.created,
        citations=held.citations,
        encoder=held.model,
        fingerprint=held.fingerprint,
        analysis=held.analysis_version,
        total=total,
        total_exact=total_exact,
        ids=ids,
        mesh=mesh.edition if mesh is not None and headings else None,
    )


def record_json(record: SearchRecord) -> bytes:
    """The record as indented JSON, with the search in words as "methods"; `read_record` reads it."""
    document = {**msgspec.to_builtins(record), "methods": methods(record)}
    return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"


@cache
def bioglot_version() -> str:
    """The version of this installation."""
    return importlib.metadata.version("bioglot")


def read_record(path: Path) -> SearchRecord:
    """The record in a JSON file, alone or in a document of `bioglot search --json`. Raises UsageError."""
    try:
        content = path.read_bytes()
        whole = msgspec.json.decode(content, type=dict[str, msgspec.Raw])
        return msgspec.json.decode(whole.get("record", content), type=SearchRecord)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, UsageError) as error:
        raise UsageError(
            f"{path}: not the record of a search ({error}); expected a file of `bioglot search --record`"
        ) from None


def changes(before: SearchRecord, now: SearchRecord) -> list[str]:
    """What is different in a repeated search, a line each; none if it gave the same list."""
    if before.ids == now.ids and (before.total, before.total_exact) == (now.total, now.total_exact):
        return []
    names = [field.name for field in fields(SearchRecord) if field.name not in ("date", "ids")]
    found = [
        f"{name.replace('_', ' ')}: {getattr(before, name)} before, {getattr(now, name)} now"
        for name in names
        if getattr(before, name) != getattr(now, name)
    ]
    gone = [id for id in before.ids if id not in now.ids]
    new = [id for id in now.ids if id not in before.ids]
    found += [f"no longer listed: {', '.join(gone)}"] if gone else []
    found += [f"newly listed: {', '.join(new)}"] if new else []
    kept = [id for id in before.ids if id in now.ids]
    if kept != [id for id in now.ids if id in before.ids]:
        found.append("the order of those listed both times is another")
    return found


def methods(record: SearchRecord) -> str:
    """The search in words, for a methods section."""
    query = record.query
    limits = "; ".join(limit_texts(query.filters)) or "none"
    total = f"{record.total:,}" if record.total_exact else f"more than {record.total:,}"
    order = "" if query.sort is Sort.RELEVANCE else f", sorted by {query.sort.value}"
    order += "" if query.prior is Prior.NONE else f", prior {query.prior.value}"
    headings = "" if record.mesh is None else f"; headings by MeSH {record.mesh}"
    return (
        f"Library {record.library} (version {record.library_version}, published {record.library_published}, "
        f"{record.citations:,} citations) was searched on {record.date} with bioglot {record.bioglot} "
        f"(encoder {record.encoder}, fingerprint {record.fingerprint}; {query.mode.value} search{order}). "
        f"Search strategy: {query.text} (understood as {record.kind}: {record.understood}{headings}). "
        f"Limits: {limits}. Records found: {total}."
    )


def limit_texts(filters: Filters) -> list[str]:
    """Each filter that is set, in words."""
    found = []
    for name in (field.name for field in fields(filters)):
        value = getattr(filters, name)
        if name == "years" and value != (None, None):
            found.append(f"years {value[0] or ''}-{value[1] or ''}")
        elif name != "years" and value not in (None, ()):
            text = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value).lower()
            found.append(f"{name.replace('_', ' ')} {text}")
    return found
