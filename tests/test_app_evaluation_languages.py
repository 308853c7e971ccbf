import gzip
import json
import lzma
import subprocess
import sys
from pathlib import Path

import pytest
from langcodes import Language

from app.cli.main import run as bioglot
from app.evaluation.heat_map import blocks_of, split
from app.evaluation.languages import LanguageMeasured, evaluate_languages
from app.evaluation.sentences import read_sentences
from app.evaluation.temporary import temporary_folder
from app.query import Mode
from indexer.errors import LibraryError
from indexer.progress import Silent
from models.errors import UsageError
from models.families import FAMILIES, OTHER, family
from tests.hash_encoder import HashEncoder

TWINS = {
    "A vaccine protects infants against measles.": {
        "es": "Una vacuna protege a los bebés del sarampión.",
        "ja": "ワクチンは乳児をはしかから守る。",
    },
    "Malaria is passed on by the bite of a mosquito.": {
        "es": "La malaria se transmite por la picadura de un mosquito.",
        "ja": "マラリアは蚊に刺されることで感染する。",
    },
    "Smoking causes lung cancer.": {
        "es": "Fumar causa cáncer de pulmón.",
        "ja": "喫煙は肺がんの原因となる。",
    },
}


def sentence_lines():
    return [
        f"{language}\t{english}\t{text}\n"
        for english, texts in TWINS.items()
        for language, text in texts.items()
    ]


@pytest.mark.parametrize("ending", [".tsv", ".tsv.xz", ".tsv.gz"])
def test_sentences_are_read_by_language(tmp_path, ending):
    path = tmp_path / f"twins{ending}"
    opener = {".tsv": open, ".tsv.xz": lzma.open, ".tsv.gz": gzip.open}[ending]
    with opener(path, "wt", encoding="utf-8") as file:
        file.writelines(sentence_lines())
    sentences = read_sentences(path)
    assert sentences.name == "twins"
    assert sentences.english == list(TWINS)
    assert sentences.twins["es"][2] == ("Fumar causa cáncer de pulmón.", 2)


def test_sentences_with_ids_find_their_twins(tmp_path):
    path = tmp_path / "ids.tsv"
    path.write_text(
        "7\tspa_Latn\thealth\tDos\n7\teng_Latn\thealth\tTwo\n3\teng_Latn\thealth\tOne\n"
        "3\tspa_Latn\thealth\tUno\n",
        encoding="utf-8",
    )
    sentences = read_sentences(path)
    assert sentences.english == ["Two", "One"]
    assert sentences.twins == {"spa_Latn": [("Dos", 0), ("Uno", 1)]}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no line in this file"),
        ("es\tTwo\tDos\nes\tOne\n", r"line 2: .* there are 2 fields"),
        ("es\t \tDos\n", r"line 1: .* none empty"),
        ("1\tspa_Latn\thealth\tUno\n", r"sentence '1' of spa_Latn has no twin in eng_Latn"),
    ],
)
def test_wrong_sentences_are_named(tmp_path, text, message):
    path = tmp_path / "wrong.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=message):
        read_sentences(path)


def test_evaluate_measures_each_language(tmp_path, capsys):
    path = tmp_path / "twins.tsv"
    lines = [line for line in sentence_lines() if not line.startswith("ja")]
    swapped = [
        f"ja\t{english}\t{TWINS[other]['ja']}\n" for english, other in zip(TWINS, [*TWINS][::-1], strict=True)
    ]
    path.write_text("".join([*lines, *swapped]), encoding="utf-8")
    assert bioglot(["evaluate", "--languages", str(path), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    rows = {row["language"]: row for row in document["languages"]}
    assert (rows["es"]["script"], rows["ja"]["script"], rows["es"]["name"]) == ("Latn", "Jpan", "Spanish")
    assert rows["es"]["accuracy"] == 1
    assert rows["ja"]["accuracy"] == pytest.approx(1 / 3)  # Only the middle one kept its twin.
    assert rows["ja"]["recall"] == 1
    assert document["measures"]["accuracy@1"] == pytest.approx(2 / 3)
    plot = tmp_path / "plots" / "map.svg"
    assert bioglot(["evaluate", "--languages", str(path), "--plot", str(plot)]) == 0
    assert plot.read_text(encoding="utf-8").count('<g id="patch_') >= 2
    assert "mean (vectors): accuracy@1 0.6667, recall@10 1.0000" in capsys.readouterr().out


@pytest.fixture
def twins(tmp_path):
    """A file of the twins."""
    path = tmp_path / "twins.tsv"
    path.write_text("".join(sentence_lines()), encoding="utf-8")
    return path


def test_languages_are_measured_as_users_search(twins, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("BIOGLOT_HOME", str(tmp_path / "home"))
    modes = [word for mode in ("hybrid", "lexical") for word in ("--mode", mode)]
    assert bioglot(["evaluate", "--languages", str(twins), *modes, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    hybrid, lexical = document["runs"]
    assert (hybrid["run"], hybrid["measures"]) == ("hybrid", document["measures"])
    assert document["measures"] == {"accuracy@1": 1, "recall@10": 1}
    assert lexical["languages"][0]["language"] == "ja"
    assert lexical["languages"][0]["recall"] == 0  # English has no word of the Japanese texts.
    assert [(row["second"], row["measure"]) for row in document["comparisons"]] == [
        ("lexical", "accuracy@1"),
        ("lexical", "recall@10"),
    ]
    assert list((tmp_path / "home" / "evaluation" / "temporary").iterdir()) == []
    assert bioglot(["evaluate", "--languages", str(twins), "--mode", "lexical"]) == 0
    assert "mean (lexical): accuracy@1" in capsys.readouterr().out


def test_the_temporary_library_goes_when_indexing_fails(twins, tmp_path):
    class FullDisk(HashEncoder):
        def encode_passages(self, texts):
            raise OSError(28, "No space left on device")

    with pytest.raises(LibraryError, match="No space left"):
        evaluate_languages(
            read_sentences(twins), FullDisk(), Silent(), modes=[Mode.DENSE], home=tmp_path / "home"
        )
    assert list((tmp_path / "home").iterdir()) == []


def test_a_folder_that_a_killed_process_left_is_removed_by_the_next(tmp_path):
    holder = (
        "import sys, time; from pathlib import Path; from app.evaluation.temporary import temporary_folder\n"
        "with temporary_folder(Path(sys.argv[1])) as folder:\n"
        "    (folder / 'file').touch(); print('ready', flush=True); time.sleep(60)"
    )
    command = [sys.executable, "-c", holder, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[1]) as process:
        process.stdout.readline()
        with temporary_folder(tmp_path):
            assert len([path for path in tmp_path.iterdir() if path.is_dir()]) == 2  # Its holder is alive.
        process.kill()
    with temporary_folder(tmp_path) as folder:
        assert [path for path in tmp_path.iterdir() if path.is_dir()] == [folder]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("tag", "name"),
    [
        ("zho_Hant", "Sino-Tibetan"),
        ("tgl", "Austronesian"),
        ("sw", "Atlantic-Congo"),
        ("nqo_Nkoo", "Mande"),
        ("ar", "Afro-Asiatic"),
        ("prs_Arab", "Indo-European"),
        ("es-419", "Indo-European"),
        ("tlh", OTHER),
        ("qaa", OTHER),
    ],
)
def test_a_language_has_a_family(tag, name):
    assert family(Language.get(tag.replace("_", "-"))) == name


def test_no_language_is_in_two_families():
    codes = [code for names in FAMILIES.values() for code in names.split()]
    assert len(codes) == len(set(codes)) > 200


def row(language, script, family, accuracy):
    return LanguageMeasured(language, "", script, family, 10, accuracy, (0, 1), 1)


def test_the_heat_map_stands_in_blocks():
    rows = (
        row("a", "Arab", "Turkic", 0.5),
        *(row(f"l{number}", "Latn", "Uralic", number / 10) for number in range(9)),
        row("l9", "Latn", "Basque", 1),
    )
    blocks = blocks_of(rows)
    assert [(block.script, block.family, block.lines) for block in blocks] == [
        ("Latn", "Uralic", 2),
        ("Latn", "Basque", 1),
        ("Arab", "Turkic", 1),
    ]
    assert [block.first for block in blocks] == [True, False, True]
    assert blocks[0].languages[0].language == "l8"  # The best first.
    left, right = split(blocks, 2)
    assert [block.family for block in left] == ["Uralic"]
    assert [block.first for block in right] == [True, True]
