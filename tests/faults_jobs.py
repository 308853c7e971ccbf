"""The jobs that are killed, the libraries that they begin with, and what a reader sees of a library."""

import datetime
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

import app.engine
import app.query
import indexer.compact
import indexer.embed
import indexer.errors
import indexer.intake
import indexer.job
import indexer.library
import indexer.manifest
import indexer.pointer
import indexer.progress
import indexer.publish
import indexer.published
import indexer.quarantine
import indexer.reembed
import indexer.releases
import indexer.tables
from indexer.citation import Citation, Keyword
from indexer.exports.formats import write_citations
from indexer.merging import Part
from indexer.sources.detect import read_file
from models.language import identify
from tests.citations import citation
from tests.hash_encoder import HashEncoder
from tests.pubmed_records import RECORDS, article_xml, pubmed_xml, write_pubmed, write_xml

QUESTIONS = ("heart failure in older adults", "malaria vaccine infants", "心筋梗塞", "Revised")
BAD = article_xml(RECORDS[1]).replace(f">{RECORDS[1].pmid}</PMID>", "></PMID>", 1)
WORSE = article_xml(RECORDS[2]).replace(f">{RECORDS[2].pmid}</PMID>", "></PMID>", 1)
FIRST, SECOND, UPDATE, LATE = (f"pubmed26n{number:04}.xml" for number in range(1, 5))
UNPUBLISHED = ("no library at", "has never been published")
"""What a reader is told before the first publication."""
SILENT = indexer.progress.Silent()


@dataclass(frozen=True)
class Job:
    """start makes the library that the job begins with; run is what is killed; encoder: that of the end."""

    name: str
    start: Callable[[Path, Path], None]
    run: Callable[[Path, Path], None]
    encoder: Callable[[], HashEncoder]


def old_encoder() -> HashEncoder:
    return HashEncoder()


def other_encoder() -> HashEncoder:
    """Another width and shorter passages."""
    return HashEncoder("other", dimensions=32, passage_tokens=20)


def warm_up() -> None:
    """Load what every process would load for itself, without a thread of Lance's."""
    import faiss  # noqa: F401
    import lance  # noqa: F401

    indexer.tables.citation_rows([Part(citation(1, text, text))] for text in QUESTIONS)
    for text in QUESTIONS:
        identify(text)


def small_steps(fragments: int = 2) -> None:
    """Many commits, and fragments merged, in a job over a few records."""
    indexer.embed.CHUNK, indexer.intake.BATCH, indexer.publish.FRAGMENTS = 6, 8, fragments


def prepare_inputs(folder: Path) -> Path:
    """The files that the jobs read: two to begin with, an update with deletions, one to follow."""
    inputs = folder / "inputs"
    inputs.mkdir(parents=True, exist_ok=True)
    base = [replace(record, doi="") for record in RECORDS]
    changed = [replace(record, title=f"{record.title} Revised", version=2) for record in base[:3]]
    more = [replace(record, pmid=record.pmid + 5000) for record in base[3:7]]
    write_xml(inputs / FIRST, pubmed_xml([*map(article_xml, base[:7]), BAD, WORSE]))
    write_pubmed(inputs / SECOND, base[7:])
    articles = [*map(article_xml, [*changed, *more]), WORSE.replace("Stroke", "Strokes")]
    write_xml(inputs / UPDATE, pubmed_xml(articles, [record.pmid for record in base[5:9]]))
    write_pubmed(inputs / LATE, [replace(base[4], pmid=39000000, title="A late one")])
    held = [item for item in read_file(inputs / FIRST) if isinstance(item, Citation)]
    mine = [replace(item, id="", abstract=(), keywords=(Keyword("mine"),)) for item in held[:6]]
    mine += [replace(item, article_ids=()) for item in mine[3:]]  # Known by title, author and year alone.
    (inputs / "mine.ris").write_text("".join(write_citations(mine, "ris")), encoding="utf-8")
    return inputs


def take(library: Path, inputs: Path, *names: str, encoder: Callable[[], HashEncoder] = old_encoder) -> None:
    """Index these files."""
    indexer.job.index_files([inputs / name for name in names], library, encoder(), SILENT)


def nothing(library: Path, inputs: Path) -> None:
    """Begin without a library."""


def index(library: Path, inputs: Path) -> None:
    take(library, inputs, FIRST, SECOND)


def update(library: Path, inputs: Path) -> None:
    take(library, inputs, UPDATE)


def join(library: Path, inputs: Path) -> None:
    """What others say of works that are there, and an update of PubMed's records of the same works."""
    take(library, inputs, "mine.ris", UPDATE)


def follow(library: Path, inputs: Path, encoder: Callable[[], HashEncoder] = old_encoder) -> None:
    """One more publication, as a user's next file gives it."""
    take(library, inputs, LATE, encoder=encoder)


def mend(library: Path, inputs: Path) -> None:
    """A library with two records set aside, of which one is mended by hand."""
    index(library, inputs)
    path = library / indexer.quarantine.NAME
    first, second = path.read_text(encoding="utf-8").splitlines()
    entry = json.loads(first)
    raw = entry["raw"].replace('<PMID Version="1"/>', '<PMID Version="1">38000000</PMID>', 1)
    path.write_text(f"{json.dumps({**entry, 'raw': raw})}\n{second}\n", encoding="utf-8")


def retry(library: Path, inputs: Path) -> None:
    indexer.job.retry_quarantine(library, old_encoder(), SILENT)


def scattered(library: Path, inputs: Path) -> None:
    """A library of many fragments."""
    small_steps(fragments=100)
    index(library, inputs)
    update(library, inputs)


def rebuild(library: Path, inputs: Path) -> None:
    indexer.publish.rebuild(library, SILENT)


def let_go(library: Path) -> None:
    """Compact as if all versions were old: Lance deletes some files only together with an old version."""
    indexer.compact.GRACE = datetime.timedelta(0)
    indexer.compact.compact_library(library, SILENT)


def compact(library: Path, inputs: Path) -> None:
    indexer.compact.compact_library(library, SILENT)


def reembed(library: Path, inputs: Path) -> None:
    indexer.reembed.reembed(library, other_encoder(), SILENT)


def older(library: Path, inputs: Path) -> None:
    """A library as the format before had it: without some columns, the seal, and what is known of files."""
    index(library, inputs)
    names = ["source", "release", "file", "parts", indexer.tables.DERIVED[-1]]
    indexer.library.open_library(library).citations().drop_columns(names)
    (library / indexer.releases.NAME).unlink()
    path = library / indexer.pointer.POINTER
    pointer = json.loads(path.read_text(encoding="utf-8"))
    pointer |= {"format": indexer.library.FORMAT - 1, "seal": ""}
    path.write_text(json.dumps(pointer), encoding="utf-8")


JOBS = {
    job.name: job
    for job in (
        Job("index", nothing, index, old_encoder),
        Job("update", index, update, old_encoder),
        Job("join", index, join, old_encoder),
        Job("retry", mend, retry, old_encoder),
        Job("rebuild", scattered, rebuild, old_encoder),
        Job("compact", scattered, compact, old_encoder),
        Job("reembed", index, reembed, other_encoder),
        Job("migrate", older, rebuild, old_encoder),
        Job("update-older", older, update, old_encoder),
    )
}


def answers(library: Path) -> object:
    """The whole pages that readers get, or what they are told instead."""
    try:
        published = indexer.published.open_published(library)
    except indexer.errors.LibraryError as error:
        told = str(error).replace(str(library), "LIBRARY")
        return UNPUBLISHED if any(text in told for text in UNPUBLISHED) else told
    encoders = {made.fingerprint: made for made in (old_encoder(), other_encoder())}
    engine = app.engine.SearchEngine(library, encoders[published.set.fingerprint])
    return [engine.search(app.query.Query(text, mode)).hits for text in QUESTIONS for mode in app.query.Mode]


def contents(library: Path) -> dict[str, object]:
    """All that readers see of the published set, row by row, and what is set aside."""
    published = indexer.published.open_published(library)
    tag = published.set.tag
    passages = published.library.passages(tag).to_table().sort_by("key")
    columns = published.columns
    alive = np.flatnonzero(published.dense.alive)
    spans = [(int(published.owners[place]), *published.spans[place].tolist(), place) for place in alive]
    places = np.array([place for *_, place in sorted(spans)], np.int64)
    return {
        "citations": published.citations.to_table().sort_by("id").to_pylist(),
        "passages": passages.to_pylist(),
        "ids": columns.ids.tolist(),
        "columns": {
            name: np.asarray(getattr(columns, name)).tolist()
            for name in ("years", "published", "entered", "authors", "journals", "has_abstract")
        },
        "fields": {
            name: (field.values, field.offsets.tolist(), field.numbers.tolist())
            for name, field in columns.fields.items()
        },
        "groups": published.groups.tolist(),
        "places": [span[:3] for span in sorted(spans)],
        "dense vectors": published.dense.vectors(places).tolist(),
        "answers": answers(library),
        "quarantine": [(item.file, item.raw) for item in indexer.quarantine.read_entries(library)],
        "set": (published.set.model, published.set.citations, published.set.passages),
    }


def leftovers(library: Path) -> list[str]:
    """Files of a library that no set, version of a table or name accounts for."""
    import lance

    pointer = indexer.pointer.read_pointer(library)
    known = {"library.json", "writer.lock", "create.lock", "quarantine.jsonl", "releases.json"}
    manifests = sorted(library.glob("sets/*/manifest.json"))[-2:]
    for manifest in manifests:
        known |= {manifest.relative_to(library).as_posix(), *indexer.manifest.read_manifest(manifest)}
    for name in ("citations.lance", pointer.table):
        for version in lance.dataset(library / name).versions():
            table = lance.dataset(library / name, version=version["version"])
            known |= {file.relative_to(library).as_posix() for file in indexer.manifest.table_files(table)}
    files = [file.relative_to(library).as_posix() for file in library.rglob("*") if file.is_file()]
    versions = re.compile(r"\.lance/_(versions|transactions|refs)/(?!.*\.tmp)")
    return sorted(name for name in files if name not in known and not versions.search(name))
