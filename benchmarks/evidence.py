"""How often the sentence that is marked is one that annotators chose, beside simpler choices.

CLAIMS is SciFact's claims_dev.jsonl or claims_train.jsonl, CORPUS its corpus.jsonl. A corpus in BEIR form
does too: its abstracts are not cut into sentences, so they are cut here, and then some numbers do not fit.
"""

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from machine import describe_machine

from app.evidence import MARGIN, Sentence, scored, share
from app.matching import query_terms
from models.encoder import EncoderSettings
from models.loading import load_encoder
from models.sentences import sentence_spans


@dataclass(frozen=True, slots=True)
class Case:
    """A claim, an abstract that proves or refutes it, and the numbers of the sentences that do."""

    claim: str
    sentences: list[Sentence]
    chosen: set[int]


def main() -> None:
    """Print one JSON document: for each way to choose, how often its first and first two are right."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("claims", type=Path, metavar="CLAIMS")
    parser.add_argument("corpus", type=Path, metavar="CORPUS")
    parser.add_argument("--model", default=EncoderSettings().model)
    arguments = parser.parse_args()
    cases = read_cases(arguments.claims, arguments.corpus)
    encoder = load_encoder(EncoderSettings(model=arguments.model))
    texts = sorted({sentence.text for case in cases for sentence in case.sentences})
    print(f"encoding {len(cases)} claims and {len(texts)} sentences", file=sys.stderr)
    vectors = dict(zip(texts, encoder.encode_passages(texts), strict=True))
    queries = encoder.encode_queries([case.claim for case in cases])
    right: dict[str, list[list[bool]]] = {}
    seconds = []
    for case, query in zip(cases, queries, strict=True):
        cosines = [float(vectors[sentence.text] @ query) for sentence in case.sentences]
        for way, scores in choices(case, cosines).items():
            order = np.argsort(-np.array(scores), kind="stable")[:2].tolist()
            right.setdefault(way, []).append([number in case.chosen for number in order])
            if way == "evidence" and len(order) > 1 and scores[order[1]] >= scores[order[0]] - MARGIN:
                seconds.append(order[1] in case.chosen)
    chance = float(np.mean([len(case.chosen) / len(case.sentences) for case in cases]))
    document = {
        "model": encoder.name,
        "claims": arguments.claims.name,
        "cases": len(cases),
        "random": round(chance, 3),
        "right": {
            way: {
                "first": round(float(np.mean([found[0] for found in rows])), 3),
                "one_of_two": round(float(np.mean([any(found) for found in rows])), 3),
            }
            for way, rows in right.items()
        },
        "second_shown": round(len(seconds) / len(cases), 3),
        "second_right": round(float(np.mean(seconds)), 3),
        "machine": describe_machine(),
    }
    print(json.dumps(document, indent=2, ensure_ascii=False))


def choices(case: Case, cosines: list[float]) -> dict[str, list[float]]:
    """Scores of the sentences by each way to choose."""
    terms = frozenset(query_terms(case.claim))
    places = list(range(len(cosines)))
    words = [share(sentence, terms) for sentence in case.sentences]
    return {
        "first sentence": [-float(place) for place in places],
        "last sentence": [float(place) for place in places],
        "most words": words,
        "cosine": cosines,
        "evidence": scored(case.sentences, cosines, terms),
    }


def read_cases(claims: Path, corpus: Path) -> list[Case]:
    """Every pair of a claim and an abstract with chosen sentences."""
    abstracts = {}
    for item in read_lines(corpus):
        texts = item.get("abstract") or [
            item["text"][start:end] for start, end in sentence_spans(item["text"], "en")
        ]
        abstracts[str(item.get("doc_id", item.get("_id")))] = [Sentence(0, 0, text, "en") for text in texts]
    return [
        Case(item["claim"], abstracts[document], {place for one in chosen for place in one["sentences"]})
        for item in read_lines(claims)
        for document, chosen in item["evidence"].items()
    ]


def read_lines(path: Path) -> list[dict]:
    """The records of a JSONL file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


if __name__ == "__main__":
    main()
