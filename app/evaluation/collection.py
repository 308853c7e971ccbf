"""A test collection, in the form of BEIR or of TREC: queries, and which documents answer them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from app.evaluation.topics import read_topics
from indexer.sources.beir import CORPUS
from models.errors import UsageError

QUERIES = "queries.jsonl"
Qrels = dict[str, dict[str, int]]
"""Query id to document id to grade; 0 and less is not relevant."""


class QueryLine(msgspec.Struct):
    """One line of queries.jsonl."""

    id: str | int = msgspec.field(name="_id")
    text: str


@dataclass(frozen=True, slots=True)
class Collection:
    """queries: the judged ones only, by id; every one of them has an entry in qrels.

    split: which judgements; for TREC the name of their file.
    corpus: None if the documents are those of a library, known by their ids without the prefix: PMIDs.
    """

    name: str
    split: str
    corpus: Path | None
    queries: dict[str, str]
    qrels: Qrels


def read_collection(folder: Path, split: str = "test", fields: Sequence[str] = ()) -> Collection:
    """Read a folder: queries.jsonl and qrels/<split>.tsv as in BEIR, or else TREC topics and qrels.

    fields: which of a TREC topic's make its query (see read_topics). Raises UsageError.
    """
    if not folder.is_dir():
        raise UsageError(f"{folder}: no such folder")
    file = folder / QUERIES
    if file.is_file():
        if fields:
            raise UsageError(f"{file}: a query there has no fields; --field is for TREC topics")
        grades = folder / "qrels" / f"{split}.tsv"
        if not grades.is_file():
            splits = ", ".join(sorted(other.stem for other in grades.parent.glob("*.tsv")))
            raise UsageError(f"{folder}: no file qrels/{split}.tsv; the splits there are {splits or 'none'}")
        queries, qrels = read_queries(file), read_qrels(grades)
    else:
        file, grades = named_file(folder, "topics"), named_file(folder, "qrels")
        queries, qrels, split = read_topics(file, fields), read_trec_qrels(grades), grades.stem
    unknown = sorted(set(qrels) - set(queries))
    if unknown:
        raise UsageError(f"{grades}: query {unknown[0]!r} is not in {file.name} ({len(unknown)} such)")
    judged = {query: queries[query] for query in sorted(qrels)}
    corpus = folder / CORPUS
    return Collection(folder.resolve().name, split, corpus if corpus.is_file() else None, judged, qrels)


def named_file(folder: Path, word: str) -> Path:
    """The one file of a TREC collection with the word in its name. Raises UsageError."""
    found = sorted(file for file in folder.iterdir() if word in file.name.lower() and file.is_file())
    if not found:
        raise UsageError(
            f"{folder}: no file with {word!r} in its name, nor {QUERIES}; expected TREC topics and qrels, or "
            f"{QUERIES} and qrels/test.tsv as in BEIR"
        )
    if len(found) > 1:
        names = ", ".join(file.name for file in found)
        raise UsageError(f"{folder}: several files with {word!r} in their names, keep one: {names}")
    return found[0]


def read_queries(path: Path) -> dict[str, str]:
    """Query id to text."""
    queries = {}
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        if line.strip():
            try:
                query = msgspec.json.decode(line, type=QueryLine)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise UsageError(f"{path}, line {number}: {error}") from None
            queries[str(query.id)] = query.text
    return queries


def read_qrels(path: Path) -> Qrels:
    """Grades from tab-separated lines: query, document, grade, below a heading. Raises UsageError."""
    lines = [(number, line.split("\t")) for number, line in read_lines(path)]
    if lines and lines[0][1][-1] == "score":
        del lines[0]
    return _grades(path, lines, ("query", "document", "grade"))


def read_trec_qrels(path: Path) -> Qrels:
    """Grades from TREC's lines of four fields. Raises UsageError."""
    lines = [(number, line.split()) for number, line in read_lines(path)]
    return _grades(path, lines, ("query", "iteration", "document", "grade"))


def _grades(path: Path, lines: Iterable[tuple[int, list[str]]], expected: Sequence[str]) -> Qrels:
    qrels: Qrels = {}
    for number, fields in lines:
        try:
            row = dict(zip(expected, fields, strict=True))
            qrels.setdefault(row["query"], {})[row["document"]] = int(row["grade"])
        except ValueError:
            names = ", ".join(expected)
            raise UsageError(
                f"{path}, line {number}: {fields}, expected {names}, the grade a whole number"
            ) from None
    if not qrels:
        raise UsageError(f"{path}: no judgement in this file")
    return qrels


def read_lines(path: Path) -> list[tuple[int, str]]:
    """Number, from 1, and text of every line that is not blank. Raises UsageError if it is not UTF-8."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: not UTF-8: {error.reason} at byte {error.start:,}") from None
    lines = enumerate(text.split("\n"), 1)
    return [(number, line.removesuffix("\r")) for number, line in lines if line.strip()]
