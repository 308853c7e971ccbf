"""Make a test collection of known items from PubMed files, in BEIR form: a query looks for one record.

Split "vernacular": titles in the language of the paper, up to 50 of each language. Split "keywords": the
authors' keywords of an English paper. The documents are the English titles and abstracts of these records and
of others taken at random; neither the vernacular titles nor the keywords stand in them.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TypeVar

import numpy as np
from indexing import sample_files

from indexer.citation import Citation
from indexer.passages import section_text
from indexer.sources.pubmed import read_pubmed

LEAST_KEYWORDS = 3
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Item:
    """A query and the record that it looks for."""

    split: str
    language: str
    text: str
    target: Citation

    @property
    def id(self) -> str:
        return f"{self.split}-{self.language}-{self.target.pmid}"


def main() -> int:
    """Writes the folder and prints what is in it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*", type=Path, help="PubMed files; the sample if there is none")
    parser.add_argument("--to", type=Path, required=True, metavar="DIR", help="the folder to write")
    parser.add_argument("--documents", type=int, default=5_000, metavar="N", help="size of the corpus; 5,000")
    parser.add_argument("--titles", type=int, default=50, metavar="N", help="titles of a language; 50")
    parser.add_argument("--keywords", type=int, default=300, metavar="N", help="queries of keywords; 300")
    arguments = parser.parse_args()
    chance = np.random.default_rng(0)
    records = read_records(arguments.paths or sample_files())
    items = [
        *vernacular_items(records, arguments.titles, chance),
        *keyword_items(records, arguments.keywords, chance),
    ]
    targets = {item.target.id: item.target for item in items}
    others = [record for record in records if record.id not in targets]
    more = max(0, arguments.documents - len(targets))
    corpus = [*targets.values(), *take(others, more, chance)]
    write_collection(arguments.to, corpus, items)
    counts = {split: sum(item.split == split for item in items) for split in ("vernacular", "keywords")}
    languages = len({item.language for item in items if item.split == "vernacular"})
    json.dump({"documents": len(corpus), **counts, "languages": languages}, sys.stdout)
    print()
    return 0


def read_records(paths: Iterable[Path]) -> list[Citation]:
    """Every citation with a title, its last version, by PMID."""
    records = {}
    for path in paths:
        for record in read_pubmed(path):
            if isinstance(record, Citation) and record.title and record.pmid:
                records[record.id] = record
    return sorted(records.values(), key=lambda record: int(record.pmid or 0))


def vernacular_items(records: Sequence[Citation], most: int, chance: np.random.Generator) -> list[Item]:
    """Up to so many titles of each language but English, of papers in one language."""
    items = [
        Item("vernacular", record.languages[0], record.vernacular_title, record)
        for record in records
        if record.vernacular_title and len(record.languages) == 1 and record.languages[0] != "en"
    ]
    items.sort(key=lambda item: (item.language, item.id))
    groups = [list(found) for _, found in groupby(items, key=lambda item: item.language)]
    return [item for found in groups for item in take(found, most, chance)]


def keyword_items(records: Sequence[Citation], most: int, chance: np.random.Generator) -> list[Item]:
    """So many lists of keywords of English papers with an abstract."""
    items = [
        Item("keywords", "en", " ".join(keyword.text for keyword in record.keywords), record)
        for record in records
        if record.languages == ("en",) and record.abstract and len(record.keywords) >= LEAST_KEYWORDS
    ]
    return take(items, most, chance)


def take(values: Sequence[T], most: int, chance: np.random.Generator) -> list[T]:
    """At most so many of the values, at random, in their order."""
    if len(values) <= most:
        return list(values)
    return [values[place] for place in sorted(chance.choice(len(values), most, replace=False).tolist())]


def write_collection(folder: Path, corpus: Iterable[Citation], items: Sequence[Item]) -> None:
    """The collection in BEIR form."""
    (folder / "qrels").mkdir(parents=True, exist_ok=True)
    write_lines(folder / "corpus.jsonl", (document(record) for record in corpus))
    write_lines(folder / "queries.jsonl", ({"_id": item.id, "text": item.text} for item in items))
    for split, found in groupby(items, key=lambda item: item.split):
        judged = "".join(f"{item.id}\t{item.target.pmid}\t1\n" for item in found)
        text = "query-id\tcorpus-id\tscore\n" + judged
        (folder / "qrels" / f"{split}.tsv").write_text(text, encoding="utf-8")


def document(record: Citation) -> dict[str, str]:
    """English title and abstract of a record."""
    text = "\n".join(map(section_text, record.abstract))
    return {"_id": str(record.pmid), "title": record.title, "text": text}


def write_lines(path: Path, rows: Iterable[dict[str, str]]) -> None:
    """A JSON object a line."""
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
