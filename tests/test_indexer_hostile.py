"""Input that is made to do harm, from the file to what people see of it."""

import json
import time
from dataclasses import replace

import pytest

from app.cli.main import run
from app.engine import SearchEngine
from app.export import all_citations
from app.query import Query
from app.ui.page_results import hit_html
from indexer.citation import Author
from indexer.exports.formats import write_citations
from indexer.job import index_files
from indexer.library import open_library
from indexer.progress import Silent
from indexer.verify import verify
from tests.citations import citation
from tests.hash_encoder import HashEncoder

OVERRIDE = "\u202e"
"""Right-to-left override: what follows is shown backwards."""


@pytest.fixture
def index(tmp_path):
    """Index objects, a line each, or a text as it is; the report."""

    def indexed(*records, text=""):
        file = tmp_path / "records.jsonl"
        file.write_text(text or "".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
        return index_files([file], tmp_path / "library", HashEncoder(), Silent())

    return indexed


def only_citation(path):
    library = open_library(path)
    [id] = library.citations().to_table(columns=["id"])["id"].to_pylist()
    return library.read([id])[id]


def test_lone_surrogates_are_set_aside_and_the_others_go_in(index, tmp_path):
    """JSON can spell half a character, which no UTF-8 holds."""
    good = json.dumps({"title": "Whole \U0001f600"})
    report = index(text=f'{{"title": "Half \\ud83d"}}\n{good}\n')
    assert len(report.faults) == 1
    assert only_citation(tmp_path / "library").title == "Whole 😀"
    assert verify(tmp_path / "library", Silent()).sound


@pytest.mark.parametrize("sign", [OVERRIDE, "\u2066", "\x1b[31m", "\x07", "\x9b31m"])
def test_signs_that_steer_stay_within_their_text_on_the_page_and_do_not_reach_a_terminal(
    index, tmp_path, capsys, monkeypatch, sign
):
    monkeypatch.setattr("models.loading.load_encoder", lambda settings: HashEncoder())
    index({"title": f"Kidneys {sign}dna retaw", "abstract": f"Kidneys {sign}ylwols", "doi": "10.5555/x.1"})
    engine = SearchEngine(tmp_path / "library", HashEncoder())
    [hit] = engine.search(Query("kidneys")).hits
    for part in hit_html(hit).split(sign)[:-1]:
        opened = part[part.rindex("<", 0, part.rindex('dir="auto"')) :]
        assert "</p>" not in opened and "</h3>" not in opened  # The element that isolates it is still open.
    for arguments in (["search", "kidneys"], ["show", hit.id]):
        assert run([*arguments, "--library", str(tmp_path / "library")]) == 0
        out = capsys.readouterr().out
        assert "dna retaw" in out
        assert sign[0] not in out


def test_a_paper_of_a_hundred_thousand_authors_is_a_record_like_others(index, tmp_path):
    authors = [{"last_name": f"Diop{number}", "initials": "A"} for number in range(100_000)]
    begun = time.perf_counter()
    report = index({"title": "All of us on kidneys", "authors": authors}, {"title": "One of us on kidneys"})
    assert (report.faults, report.added) == ((), 2)
    engine = SearchEngine(tmp_path / "library", HashEncoder())
    hits = engine.search(Query("Diop99999[au]")).hits
    assert [hit.citation.title for hit in hits] == ["All of us on kidneys"]
    assert len(hit_html(hits[0])) < 10_000
    assert time.perf_counter() - begun < 60
    for form in ("ris", "nbib", "bibtex", "csv", "jsonl"):
        assert "Diop99999" in "".join(write_citations(all_citations(tmp_path / "library"), form))


def test_names_that_would_be_code_are_text(index, tmp_path):
    name = "'; DROP TABLE citations; --"
    index({"id": name, "title": name, "authors": [{"last_name": name}]})
    assert only_citation(tmp_path / "library") == replace(
        citation(1, name, id=name, source="jsonl", authors=(Author(name),)),
        languages=(),
        published=type(citation(1).published)(),
        journal=type(citation(1).journal)(),
        publication_types=(),
    )
    engine = SearchEngine(tmp_path / "library", HashEncoder())
    assert engine.show(name).title == name
