"""What the objectives learn from, as configurations name it."""

from collections import Counter
from pathlib import Path

from models.training.configuration import DataSection, ObjectiveSection
from models.training.material import Material, by_language, read_material
from models.training.pairs import Pair

WORDS = {
    "wol_Latn": [(f"baat{number}", f"word{number}") for number in range(10)],
    "sat_Olck": [(f"\u1c5f{number}", f"word{number}") for number in range(7)],
}


def material(path: Path, **settings: object) -> Material:
    rows = [f"{key}\t{english}\t{text}" for key, own in WORDS.items() for text, english in own]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    data = DataSection(path=str(path), **settings)  # type: ignore[arg-type]
    return read_material(ObjectiveSection(kind="distill", name="words", data=(data,)), lambda *_: iter(()))


def test_joined_entries_are_lists_of_one_language_word_for_word(tmp_path: Path) -> None:
    found = material(tmp_path / "words.tsv", joined=3)
    assert found.counts == {"wol_Latn": 3, "sat_Olck": 2}
    assert [pair for pair in material(tmp_path / "words.tsv", joined=3).pairs] == found.pairs
    used: Counter[str] = Counter()
    for pair in found.pairs:
        twins = dict(WORDS[pair.language])
        texts = pair.query.split(", ")
        assert [twins[text] for text in texts] == pair.passage.split(", ")
        used.update(texts)
    assert set(used.values()) == {1}
    assert len(used) == 15


def test_lists_are_of_chance_neighbours(tmp_path: Path) -> None:
    found = material(tmp_path / "words.tsv", joined=5, languages=("wol_Latn",))
    assert [text for pair in found.pairs for text in pair.query.split(", ")] != [
        a for a, _ in WORDS["wol_Latn"]
    ]
    assert material(tmp_path / "words.tsv", joined=2).pairs[0].query not in found.pairs[0].query


def test_a_held_side_is_both_texts(tmp_path: Path) -> None:
    own = material(tmp_path / "words.tsv", hold="query", languages=("sat_Olck",), limit=2)
    assert own.pairs == [Pair("sat_Olck", text, text) for text, _ in WORDS["sat_Olck"][:2]]
    english = material(tmp_path / "words.tsv", hold="passage", languages=("sat_Olck",), limit=2)
    assert english.pairs == [Pair("sat_Olck", text, text) for _, text in WORDS["sat_Olck"][:2]]


def test_pairs_of_two_objectives_count_once(tmp_path: Path) -> None:
    whole, part = material(tmp_path / "words.tsv"), material(tmp_path / "words.tsv", limit=4)
    found = by_language([whole, part])
    assert {language: len(pairs) for language, pairs in found.items()} == {"wol_Latn": 10, "sat_Olck": 7}
    assert found["sat_Olck"] == [Pair("sat_Olck", text, english) for text, english in WORDS["sat_Olck"]]
