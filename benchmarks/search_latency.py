"""How long a question takes over a library, step by step, in percentiles."""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from machine import describe_machine

if TYPE_CHECKING:
    from app.engine import SearchEngine
    from app.query import Query

QUESTIONS = (
    "influenza vaccination during pregnancy",
    "vacuna contra la gripe en embarazadas",
    "Herzinfarkt Rehabilitation",
    "traitement de l'insuffisance cardiaque chez le sujet âgé",
    "心筋梗塞後のリハビリ",
    "糖尿病患者的足部溃疡",
    "лечение туберкулёза с лекарственной устойчивостью",
    "علاج ارتفاع ضغط الدم أثناء الحمل",
    "बच्चों में कुपोषण की रोकथाम",
    "ภาวะซึมเศร้าหลังคลอด",
    "위암 조기 진단",
    "rastreamento do câncer de mama",
)
"""Questions of our own, in eleven languages beside English."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Milliseconds of one search; total is what the caller waited."""

    encode: float
    search: float
    rerank: float
    fetch: float
    total: float


def main() -> int:
    """Prints the measurement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", type=Path, required=True, metavar="DIR")
    parser.add_argument("--mode", choices=("hybrid", "dense", "lexical"), default="dense")
    parser.add_argument("--rerank", metavar="NAME", help="rerank the best 50 with this")
    parser.add_argument("--repeat", type=int, default=20, metavar="N", help="rounds over the questions; 20")
    parser.add_argument("--limit", type=int, default=10, metavar="N", help="hits of a page; 10")
    arguments = parser.parse_args()
    from app.engine import open_engine
    from app.query import Mode, Query

    begun = time.perf_counter()
    rerankers = [arguments.rerank] if arguments.rerank else []
    engine = open_engine(arguments.library, rerankers=rerankers)
    opened = time.perf_counter() - begun
    queries = [
        Query(text, Mode(arguments.mode), limit=arguments.limit, rerank=arguments.rerank)
        for text in QUESTIONS
    ]
    run_round(engine, queries)  # Maps and thread pools are made at the first questions.
    samples = [sample for _ in range(arguments.repeat) for sample in run_round(engine, queries)]
    info = engine.info()
    document = {
        "machine": describe_machine(),
        "encoder": info.model,
        "citations": info.citations,
        "passages": info.passages,
        "mode": arguments.mode,
        "rerank": arguments.rerank,
        "searches": len(samples),
        "open_seconds": round(opened, 2),
        "milliseconds": {name: percentiles([getattr(s, name) for s in samples]) for name in Sample.__slots__},
    }
    json.dump(document, sys.stdout, ensure_ascii=False, indent=2)
    print()
    return 0


def run_round(engine: "SearchEngine", queries: Sequence["Query"]) -> list[Sample]:
    """Each question once."""
    samples = []
    for query in queries:
        begun = time.perf_counter()
        timings = engine.search(query).timings
        total = 1000 * (time.perf_counter() - begun)
        samples.append(Sample(timings.encode, timings.search, timings.rerank, timings.fetch, total))
    return samples


def percentiles(values: Sequence[float]) -> dict[str, float]:
    """The median, 95th and 99th percentile, and the largest."""
    import numpy as np

    points = {"p50": 50, "p95": 95, "p99": 99, "max": 100}
    return {name: round(float(np.percentile(values, point)), 2) for name, point in points.items()}


if __name__ == "__main__":
    sys.exit(main())
