"""Evaluations that are killed, or that run twice at once in one folder."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

EVALUATE = """
import sys, time
from pathlib import Path
import msgspec
from app.evaluation.collection import read_collection
from app.evaluation.evaluate import evaluate
from app.query import Mode
from indexer.progress import Silent
from tests.hash_encoder import HashEncoder

class Slow(HashEncoder):
    def encode_passages(self, texts):
        print("embedding", file=sys.stderr, flush=True)
        time.sleep(0.2)
        return super().encode_passages(texts)

class Notes(Silent):
    def note(self, message):
        print(message, file=sys.stderr, flush=True)

folder, library = map(Path, sys.argv[1:])
result = evaluate(read_collection(folder), library, Slow(), Notes(), modes=[Mode.HYBRID])
sys.stdout.buffer.write(msgspec.json.encode(result))
"""
DOCUMENTS = 1_200


def start(folder: Path, library: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", EVALUATE, str(folder), str(library)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=Path(__file__).parents[1]
    )


@pytest.fixture
def folder(tmp_path):
    """More documents than are embedded in one chunk; each query is the text of one."""
    folder = tmp_path / "numbers"
    (folder / "qrels").mkdir(parents=True)
    corpus = [
        {"_id": str(number), "text": f"dose {number} mg in group {number % 7}"} for number in range(DOCUMENTS)
    ]
    queries = [{"_id": f"q{number}", "text": corpus[number]["text"]} for number in range(0, DOCUMENTS, 100)]
    for name, rows in (("corpus", corpus), ("queries", queries)):
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    judged = "".join(f"{row['_id']}\t{row['_id'][1:]}\t1\n" for row in queries)
    (folder / "qrels" / "test.tsv").write_text(judged, encoding="utf-8")
    return folder


def test_a_killed_evaluation_goes_on_to_the_same_result(folder, tmp_path):
    unbroken, whole = start(folder, tmp_path / "unbroken").communicate()
    batches = whole.count("embedding")
    with start(folder, tmp_path / "killed") as process:
        for _ in range(batches * 2 // 3):  # A chunk of 512 documents is committed by then.
            process.stderr.readline()
        process.kill()
    resumed, rest = start(folder, tmp_path / "killed").communicate()
    assert 0 < rest.count("embedding") < batches
    expected, found = json.loads(unbroken), json.loads(resumed)
    assert found["measures"] == expected["measures"]
    assert found["measures"]["RR"] > 0.9
    assert found["documents"] == DOCUMENTS


def test_two_at_once_share_one_index(folder, tmp_path):
    with start(folder, tmp_path / "library") as first, start(folder, tmp_path / "library") as second:
        printed = [process.communicate() for process in (first, second)]
    errors = [error for _, error in printed]
    assert (first.returncode, second.returncode) == (0, 0), errors
    results = [json.loads(out) for out, _ in printed]
    assert results[0]["measures"] == results[1]["measures"]
    assert results[0]["library_version"] == results[1]["library_version"] == 1
    assert sum("is being written by another process" in error for error in errors) == 1
    assert min(error.count("embedding") for error in errors) == 0
