"""Where relevant and random pairs of query and passage lie: by cosine, and by deviations above the mean.

The cut-off of an encoder's preset comes from this. COLLECTION is a folder in BEIR form: corpus.jsonl,
queries.jsonl and qrels/test.tsv.
"""

import argparse
import json
import sys
from pathlib import Path

import numpy as np
from machine import describe_machine
from numpy.typing import NDArray

from models.encoder import EncoderSettings
from models.loading import load_encoder

COSINES = (0.78, 0.79, 0.8, 0.81, 0.82, 0.83, 0.84, 0.85)
DEVIATIONS = (1.0, 1.5, 2.0, 2.5, 3.0)


def main() -> None:
    """Print one JSON document: for each cut-off the share of relevant and of random pairs at or above it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("collection", type=Path, metavar="COLLECTION")
    parser.add_argument("--model", default=EncoderSettings().model)
    parser.add_argument("--others", type=int, default=325, help="abstracts beside the relevant ones")
    arguments = parser.parse_args()
    relevant, texts, queries = read_collection(arguments.collection, arguments.others)
    encoder = load_encoder(EncoderSettings(model=arguments.model))
    print(f"encoding {len(queries)} queries and {len(texts)} abstracts", file=sys.stderr)
    cosines = encoder.encode_queries(queries) @ encoder.encode_passages(texts).T
    others = cosines[:, -arguments.others :]
    deviations = (cosines - others.mean(axis=1, keepdims=True)) / others.std(axis=1, keepdims=True)
    document = {
        "model": encoder.name,
        "fingerprint": encoder.fingerprint,
        "collection": arguments.collection.name,
        "relevant_pairs": int(relevant.sum()),
        "cosine": shares(cosines, relevant, arguments.others, COSINES),
        "deviations": shares(deviations, relevant, arguments.others, DEVIATIONS),
        "machine": describe_machine(),
    }
    print(json.dumps(document, indent=2, ensure_ascii=False))


def read_collection(folder: Path, others: int) -> tuple[NDArray[np.bool_], list[str], list[str]]:
    """(queries, texts) relevance, the abstracts (judged ones first, then `others` at random), the queries."""
    lines = (folder / "qrels" / "test.tsv").read_text(encoding="utf-8").splitlines()[1:]
    judged = [(query, text) for query, text, score in (line.split("\t") for line in lines) if int(score) > 0]
    corpus = {item["_id"]: f"{item['title']}\n{item['text']}" for item in read_lines(folder / "corpus.jsonl")}
    wanted = {item["_id"]: item["text"] for item in read_lines(folder / "queries.jsonl")}
    query_ids = sorted({query for query, _ in judged})
    text_ids = sorted({text for _, text in judged})
    rest = np.random.default_rng(0).permutation(sorted(set(corpus) - set(text_ids)))[:others]
    places = {text: place for place, text in enumerate(text_ids)}
    relevant = np.zeros((len(query_ids), len(text_ids) + len(rest)), np.bool_)
    for query, text in judged:
        relevant[query_ids.index(query), places[text]] = True
    return relevant, [corpus[text] for text in [*text_ids, *rest]], [wanted[query] for query in query_ids]


def read_lines(path: Path) -> list[dict[str, str]]:
    """The records of a JSONL file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def shares(
    scores: NDArray[np.float32], relevant: NDArray[np.bool_], others: int, cut_offs: tuple[float, ...]
) -> list[dict[str, float]]:
    """For each cut-off the share of relevant pairs, and of pairs with a random abstract, at or above it."""
    return [
        {
            "cut_off": cut_off,
            "relevant": round(float((scores[relevant] >= cut_off).mean()), 4),
            "random": round(float((scores[:, -others:] >= cut_off).mean()), 4),
        }
        for cut_off in cut_offs
    ]


if __name__ == "__main__":
    main()
