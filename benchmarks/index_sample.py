"""Index whole files in one run: how fast, in how much memory, and is every record there afterwards?"""

import argparse
import gzip
import json
import re
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from indexing import index_command, run_index, sample_files
from machine import describe_machine

from indexer.sources.detect import find_files

RECORD = re.compile(rb"<(?:MedlineCitation |BookDocument)[^>]*>\s*<PMID[^>]*>(\d+)</PMID>")
DELETION = re.compile(rb"<DeleteCitation>(.*?)</DeleteCitation>", re.DOTALL)
PMID = re.compile(rb"<PMID[^>]*>(\d+)</PMID>")


def main() -> int:
    """Prints the measurement; 1 if a record is missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*", type=Path, help="PubMed files; the sample if there is none")
    parser.add_argument("--library", type=Path, help="an empty folder for the library, kept afterwards")
    parser.add_argument("--model", help="the encoder, as bioglot index takes it")
    arguments = parser.parse_args()
    paths = find_files(arguments.paths or sample_files())
    with tempfile.TemporaryDirectory() as folder:
        library = arguments.library or Path(folder) / "library"
        run = run_index(index_command(paths, library, arguments.model))
        missing, extra = compare_ids(expected_pmids(paths), library)
    document = {
        "machine": describe_machine(),
        "files": [path.name for path in paths],
        "exit_code": run.exit_code,
        "seconds": round(run.seconds, 1),
        "peak_megabytes": round(run.peak_megabytes),
        "missing": missing[:20],
        "missing_count": len(missing),
        "extra_count": len(extra),
        "report": run.report,
    }
    json.dump(document, sys.stdout, ensure_ascii=False, indent=2)
    print()
    return 1 if run.exit_code or missing or extra else 0


def expected_pmids(paths: Sequence[Path]) -> set[str]:
    """PMIDs that the files leave behind, read without bioglot's own reader, so that the two can disagree."""
    found: set[str] = set()
    for path in paths:
        data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        found |= {pmid.decode() for pmid in RECORD.findall(data)}
        for deletion in DELETION.findall(data):
            found -= {pmid.decode() for pmid in PMID.findall(deletion)}
    return found


def compare_ids(expected: set[str], library: Path) -> tuple[list[str], list[str]]:
    """PMIDs that the library lacks, and ids that it has and should not."""
    from indexer.library import open_library

    table = open_library(library).citations().to_table(columns=["id"])
    held = set(table["id"].to_pylist())
    wanted = {f"pmid:{pmid}" for pmid in expected}
    return sorted(wanted - held), sorted(held - wanted)


if __name__ == "__main__":
    sys.exit(main())
