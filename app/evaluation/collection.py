"""A test collection in BEIR form: queries, and which documents answer them."""

from dataclasses import dataclass
from pathlib import Path

import msgspec

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
    """queries: the judged ones only, by id; every one of them has an entry in qrels."""

    name: str
    split: str
    corpus: Path
    queries: dict[str, str]
    qrels: Qrels


def read_collection(folder: Path, split: str = "test") -> Collection:
    """Read a folder with corpus.jsonl, queries.jsonl and qrels/<split>.tsv. Raises UsageError."""
    grades = folder / "qrels" / f"{split}.tsv"
    for file in (folder / CORPUS, folder / QUERIES, grades):
        if not file.is_file():
            raise UsageError(f"{folder}: no file {file.relative_to(folder)}; {_expected(folder)}")
    qrels = read_qrels(grades)
    queries = read_queries(folder / QUERIES)
    unknown = sorted(set(qrels) - set(queries))
    if unknown:
        raise UsageError(f"{grades}: query {unknown[0]!r} is not in {QUERIES} ({len(unknown)} such)")
    judged = {query: queries[query] for query in sorted(qrels)}
    return Collection(folder.resolve().name, split, folder / CORPUS, judged, qrels)


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
    """Grades from tab-separated lines: query, document, grade, below a heading."""
    qrels: Qrels = {}
    for number, line in read_lines(path):
        fields = line.split("\t")
        if number == 1 and fields[-1] == "score":
            continue
        try:
            query, document, grade = fields
            qrels.setdefault(query, {})[document] = int(grade)
        except ValueError:
            raise UsageError(
                f"{path}, line {number}: {fields}, expected query, document and a whole number, "
                "separated by tabs"
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


def _expected(folder: Path) -> str:
    splits = sorted(file.stem for file in (folder / "qrels").glob("*.tsv"))
    if splits:
        return f"the splits there are {', '.join(splits)}"
    return f"expected {CORPUS}, {QUERIES} and qrels/test.tsv, the form of BEIR"
