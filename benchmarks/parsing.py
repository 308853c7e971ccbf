"""How many records a second each source gives, parsing alone; PubMed's beside pubmed_parser.

pubmed_parser is measured in its own environment, whose Python --peer names:
    python -m venv peer && peer/bin/pip install pubmed-parser==0.5.1
Both read the same file of the sample in turn. Of other sources, the small records of the tests are read many
times over.
"""

import argparse
import json
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import seeds
from indexing import sample_files
from machine import describe_machine

from indexer.citation import Citation
from indexer.sources.detect import Hints, read_file

PEER = """
import sys, time
import pubmed_parser
begun = time.perf_counter()
options = {"all": dict(year_info_only=False, nlm_category=True, author_list=True, reference_list=True)}
found = pubmed_parser.parse_medline_xml(sys.argv[1], **options.get(sys.argv[2], {}))
print(sum(1 for _ in found) / (time.perf_counter() - begun))
"""
TIMES = 40
"""So many times over are the records of the tests read."""


def main() -> None:
    """Prints the measurement."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--peer", metavar="PYTHON", help="interpreter that has pubmed_parser")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="of each measurement; 3")
    arguments = parser.parse_args()
    document: dict[str, object] = {
        "records_per_second": {source: rate for source, rate in small_rates(arguments.rounds)},
        "pubmed": against_peer(sample_files()[-1], arguments.peer, arguments.rounds),
        "machine": describe_machine(),
    }
    print(json.dumps(document, indent=2))


def small_rates(rounds: int) -> list[tuple[str, int]]:
    """Records a second of each source, the median of some rounds."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for source, files in seeds.records(TIMES).items():
            paths = []
            for number, data in enumerate(files):
                path = Path(folder) / f"{number}.{source}"
                path.write_bytes(data)
                paths.append(path)
            rate = statistics.median(read_rate(paths, source) for _ in range(rounds))
            found.append((source, round(rate)))
    return found


def read_rate(paths: list[Path], source: str) -> float:
    """Records a second, deletions counted as records."""
    begun = time.perf_counter()
    count = sum(1 for path in paths for _ in read_file(path, Hints(source)))
    return count / (time.perf_counter() - begun)


def against_peer(path: Path, peer: str | None, rounds: int) -> dict[str, object]:
    """Records a second of ours and theirs, in turn, and the ratios of each round's."""
    ours, theirs, full = [], [], []
    for _ in range(rounds):
        ours.append(citation_rate(path))
        if peer:
            theirs.append(peer_rate(peer, path, "default"))
            full.append(peer_rate(peer, path, "all"))
    document: dict[str, object] = {"file": path.name, "bioglot": round(statistics.median(ours))}
    for name, rates in (("pubmed_parser", theirs), ("pubmed_parser, all it can", full)):
        if rates:
            ratios = [mine / other for mine, other in zip(ours, rates, strict=True)]
            document[name] = round(statistics.median(rates))
            document[f"ratio to {name}"] = [round(ratio, 2) for ratio in sorted(ratios)]
    return document


def citation_rate(path: Path) -> float:
    """Whole citations a second."""
    begun = time.perf_counter()
    count = sum(isinstance(item, Citation) for item in read_file(path))
    return count / (time.perf_counter() - begun)


def peer_rate(peer: str, path: Path, options: str) -> float:
    """Records a second of pubmed_parser, imports aside."""
    printed = subprocess.run(
        [peer, "-c", PEER, str(path), options], check=True, stdout=subprocess.PIPE
    ).stdout
    return float(printed)


if __name__ == "__main__":
    main()
