"""What is kept of a published set is what would have been made anew."""

import random
from dataclasses import replace

import pytest

from indexer import changes, duplicates
from indexer.embed import embed_pending
from indexer.library import create_library
from indexer.progress import Silent
from indexer.publish import publish, rebuild
from indexer.upsert import upsert, withdraw
from indexer.vocabulary import read_vocabulary
from tests.citations import LIBRARY, citation
from tests.hash_encoder import HashEncoder
from tests.test_indexer_duplicates import ENGLISH, FRENCH


@pytest.fixture
def library(tmp_path):
    made = create_library(tmp_path / "library", HashEncoder())
    fillers = [citation(1000 + number, f"Filler number {number}", "Of kidneys.") for number in range(60)]
    update(made, [*LIBRARY, *fillers, ENGLISH])
    return made


def update(library, records, withdrawn=()):
    with library.writing():
        upsert(library, records)
        withdraw(library, withdrawn)
        embed_pending(library, HashEncoder(), Silent())
        return publish(library, Silent())


def files(library, folder):
    """What a set holds of citations; positions and vectors depend on the base."""
    found = (library.path / folder).iterdir()
    left_out = ("manifest.json", "fresh.faiss", "owners.npy", "spans.npy")
    return {file.name: file.read_bytes() for file in found if file.name not in left_out}


def test_a_set_of_a_small_change_is_what_a_rebuild_makes(library, monkeypatch):
    judged = []
    decide = duplicates.same_article
    monkeypatch.setattr(
        duplicates, "same_article", lambda *pair: judged.append({one.id for one in pair}) or decide(*pair)
    )
    draw = random.Random(3)
    for step in range(6):
        changed = [
            replace(record, title=f"{record.title} Revised {step}") for record in draw.sample(LIBRARY, 2)
        ]
        new = [citation(2000 + step, f"Later number {step}")] + [FRENCH] * (step == 2)
        pointer = update(library, [*changed, *new], [f"pmid:{1000 + step}"] + [ENGLISH.id] * (step == 4))
        seen = {frozenset(pair) for pair in judged}
        judged.clear()
        mine = files(library, pointer.folder)
        theirs = files(library, rebuild(library.path, Silent()).folder)
        assert mine == theirs
        touched = {record.id for record in (*changed, *new)}
        assert all(pair & touched for pair in seen)
        assert {frozenset(pair) for pair in judged} >= seen
        judged.clear()


def test_after_a_large_change_all_is_made_anew(library):
    before = library.citations()
    upsert(library, [citation(3000 + number, f"New {number}") for number in range(40)])
    assert changes.changes(before, library.citations()) is None


def test_words_that_nobody_uses_any_more_are_gone(library):
    update(library, [citation(4000, "Xylophones")])
    folder = library.path / update(library, [citation(4000, "Kidneys")]).folder
    assert read_vocabulary(folder, "words").count("xylophones") == 0
    assert "xylophones" not in read_vocabulary(folder, "words").words
