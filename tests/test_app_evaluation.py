import json
from math import log2

import numpy as np
import pytest

from app.cli.main import run as bioglot
from app.evaluation.collection import read_collection
from app.evaluation.measures import interval, paired_p, per_query, summarise
from app.evaluation.runs import Run, read_run, write_run
from indexer.citation import Citation
from indexer.sources.beir import read_beir
from indexer.sources.errors import SetAside
from models.errors import UsageError

CORPUS = {
    "d1": ("Aspirin after infarction", "Aspirin lowers the risk of a second heart attack in adults."),
    "d2": ("Measles vaccination", "A vaccine protects infants against measles."),
    "d3": ("First-line diabetes drug", "Metformin is the first drug given for type 2 diabetes."),
    "d4": ("Transmission of malaria", "Malaria is passed on by the bite of a mosquito."),
}
QUERIES = {
    "q1": "Aspirin prevents another heart attack.",
    "q2": "糖尿病に最初に使う薬は何ですか",
    "q3": "Measles vaccine for infants",
    "q4": "never judged",
}
QRELS = [("q1", "d1", 1), ("q2", "d3", 1), ("q3", "d2", 1), ("q3", "d1", 0)]


@pytest.fixture
def folder(tmp_path):
    """A collection in BEIR form, four documents and three judged queries."""
    folder = tmp_path / "small"
    (folder / "qrels").mkdir(parents=True)
    corpus = [{"_id": id, "title": title, "text": text} for id, (title, text) in CORPUS.items()]
    queries = [{"_id": id, "text": text, "metadata": {}} for id, text in QUERIES.items()]
    for name, rows in (("corpus", corpus), ("queries", queries)):
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    judged = "".join(f"{query}\t{document}\t{grade}\n" for query, document, grade in QRELS)
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n" + judged, encoding="utf-8")
    return folder


def test_a_collection_keeps_the_judged_queries(folder):
    collection = read_collection(folder)
    assert list(collection.queries) == ["q1", "q2", "q3"]
    assert collection.qrels["q3"] == {"d2": 1, "d1": 0}


def test_a_missing_split_names_those_there_are(folder):
    with pytest.raises(UsageError, match=r"no file qrels/dev\.tsv; the splits there are test"):
        read_collection(folder, "dev")


def test_queries_of_beir_have_no_fields(folder):
    with pytest.raises(UsageError, match=r"queries\.jsonl: a query there has no fields; --field is for TREC"):
        read_collection(folder, fields=["title"])


def test_a_folder_of_another_kind_says_what_is_expected(tmp_path):
    with pytest.raises(UsageError, match=r"no file with 'topics' in its name, nor queries\.jsonl"):
        read_collection(tmp_path)


@pytest.mark.parametrize(
    ("file", "line", "message"),
    [
        ("qrels/test.tsv", "q1\td1\n", r"test\.tsv, line 6: \['q1', 'd1'\]"),
        ("qrels/test.tsv", "q1\td1\tyes\n", r"test\.tsv, line 6"),
        ("qrels/test.tsv", "q9\td1\t1\n", r"query 'q9' is not in queries\.jsonl"),
        ("queries.jsonl", "{}\n", r"queries\.jsonl, line 5: .*missing required field `_id`"),
        ("queries.jsonl", "[broken\n", r"queries\.jsonl, line 5"),
    ],
)
def test_a_wrong_line_is_named(folder, file, line, message):
    with (folder / file).open("a", encoding="utf-8") as out:
        out.write(line)
    with pytest.raises(UsageError, match=message):
        read_collection(folder)


def test_a_corpus_gives_every_good_line(folder):
    corpus = folder / "corpus.jsonl"
    lines = corpus.read_bytes().splitlines(keepends=True)
    corpus.write_bytes(b"".join([lines[0], b'{"_id": "x"}\n', b"\xff\n", b"\n", *lines[1:]]))
    records = list(read_beir(corpus))
    assert [type(record) for record in records] == [
        Citation,
        SetAside,
        SetAside,
        Citation,
        Citation,
        Citation,
    ]
    assert records[0].id == "beir:d1"
    assert records[0].title == "Aspirin after infarction"
    assert records[0].abstract[0].text.startswith("Aspirin lowers")
    assert (records[1].position, records[2].position) == (2, 3)


def test_measures_are_those_of_the_definitions():
    qrels = {"a": {"x": 1}, "b": {"x": 1, "y": 1}, "c": {"x": 1}}
    run = Run("hand", {"a": ["n", "x"], "b": ["x", *(f"n{i}" for i in range(10)), "y"]})
    values = per_query(qrels, run)
    ideal = 1 + 1 / log2(3)
    np.testing.assert_allclose(values["nDCG@10"], [1 / log2(3), 1 / ideal, 0], atol=1e-6)
    np.testing.assert_allclose(values["R@10"], [1, 0.5, 0])
    np.testing.assert_allclose(values["R@100"], [1, 1, 0])
    np.testing.assert_allclose(values["RR"], [0.5, 1, 0])
    np.testing.assert_allclose(values["Success@1"], [0, 1, 0])
    assert summarise("hand", values).measures["R@10"] == pytest.approx(0.5)


def test_an_interval_holds_the_mean_and_is_the_same_each_time():
    values = np.random.default_rng(1).random(200)
    low, high = interval(values)
    assert low < values.mean() < high
    assert 0.05 < high - low < 0.11  # 4 standard errors of 200 uniform numbers: .08
    assert interval(values) == (low, high)
    assert interval(np.ones(5)) == (1, 1)


def test_the_paired_test_tells_a_difference_from_chance():
    rng = np.random.default_rng(2)
    first = rng.random(100)
    assert paired_p(first, first) == 1
    assert paired_p(first, first - 0.1) < 0.001
    assert paired_p(first, first + rng.normal(0, 0.1, 100)) > 0.01


def test_a_run_file_keeps_the_order(tmp_path):
    run = Run("dense", {"q1": ["b", "a"], "q2": ["c"]})
    write_run(run, tmp_path / "runs" / "one.txt")
    assert (tmp_path / "runs" / "one.txt").read_text(encoding="utf-8").splitlines()[0] == (
        "q1 Q0 b 1 1.000000 bioglot-dense"
    )
    assert read_run(tmp_path / "runs" / "one.txt").answers == run.answers
    (tmp_path / "bad.txt").write_text("\nq1 Q0 d1 1\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"bad\.txt, line 2: 'q1 Q0 d1 1', expected 6 fields"):
        read_run(tmp_path / "bad.txt")


@pytest.mark.parametrize(
    "line", [b"q1 Q0 d1 1 nan x\n", b"q1 Q0 d1 1 high x\n", b"q1 Q0 \xff 1 1.0 x\n", b""]
)
def test_a_run_of_another_kind_is_refused(tmp_path, line):
    (tmp_path / "bad.txt").write_bytes(line)
    with pytest.raises(UsageError, match=r"bad\.txt"):
        read_run(tmp_path / "bad.txt")


def test_judgements_may_quote_and_must_be_text(folder):
    qrels = folder / "qrels" / "test.tsv"
    with qrels.open("ab") as out:
        out.write(b'q1\t"d9\t0\r\n')
    assert read_collection(folder).qrels["q1"] == {"d1": 1, '"d9': 0}
    qrels.write_bytes(b"query-id\tcorpus-id\tscore\r\nq1\td1\t1\r\n")
    assert read_collection(folder).qrels == {"q1": {"d1": 1}}
    qrels.write_bytes(b"q1\t\xff\t1\n")
    with pytest.raises(UsageError, match=r"test\.tsv: not UTF-8"):
        read_collection(folder)


def test_a_run_may_answer_queries_that_nobody_judged():
    values = per_query({"a": {"x": 1}}, Run("other", {"a": ["x"], "z": ["x"]}))
    assert values["RR"].tolist() == [1]


def test_evaluate_measures_the_engine_that_users_run(folder, tmp_path, capsys):
    arguments = ["evaluate", str(folder), "--library", str(tmp_path / "library"), "--json"]
    plot = tmp_path / "modes.png"
    assert bioglot([*arguments, "--runs", str(tmp_path / "runs"), "--plot", str(plot)]) == 0
    assert plot.read_bytes().startswith(b"\x89PNG")
    first = json.loads(capsys.readouterr().out)
    assert first["measures"] == first["runs"][0]["measures"]
    assert [run["run"] for run in first["runs"]] == ["hybrid", "dense", "lexical"]
    assert first["measures"]["nDCG@10"] == 1.0
    assert first["runs"][2]["measures"]["Success@1"] < 1.0  # No word of the Japanese query is in the corpus.
    assert {row["second"] for row in first["comparisons"]} == {"dense", "lexical"}
    saved = tmp_path / "runs" / "small-test-hybrid.txt"
    assert bioglot([*arguments, "--mode", "hybrid", "--against", str(saved)]) == 0
    again = json.loads(capsys.readouterr().out)
    assert again["measures"] == first["measures"]
    assert again["comparisons"][0]["p"] == 1.0


def test_evaluate_measures_a_reranker_and_a_prior_beside_the_ranking_that_they_reorder(
    folder, tmp_path, capsys
):
    arguments = ["evaluate", str(folder), "--library", str(tmp_path / "library"), "--json"]
    runs = tmp_path / "runs"
    extra = ["--rerank", "maxsim", "--prior", "recent"]
    assert bioglot([*arguments, "--mode", "dense", *extra, "--runs", str(runs)]) == 0
    result = json.loads(capsys.readouterr().out)
    assert [run["run"] for run in result["runs"]] == ["dense", "hybrid+maxsim", "hybrid+recent"]
    assert result["runs"][1]["measures"]["R@100"] == 1.0
    assert (runs / "small-test-hybrid+maxsim.txt").is_file()


def test_evaluate_goes_on_past_a_broken_document(folder, tmp_path, capsys):
    with (folder / "corpus.jsonl").open("a", encoding="utf-8") as out:
        out.write("{broken\n")
    arguments = ["evaluate", str(folder), "--library", str(tmp_path / "library"), "--mode", "lexical"]
    assert bioglot(arguments) == 3
    printed = capsys.readouterr()
    assert "record 5 was set aside" in printed.err
    assert printed.out.startswith("small (test): 3 queries, 4 documents; bioglot-small (")
    assert "nDCG@10" in printed.out


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["scifact", "--languages", __file__],
        ["--languages", __file__, "--library", "here"],
        ["--languages", __file__, "--field", "title"],
    ],
)
def test_evaluate_wants_one_thing_to_measure(arguments, capsys):
    assert bioglot(["evaluate", *arguments]) == 2
    assert "--languages" in capsys.readouterr().err


def test_a_plot_must_be_of_a_known_format(folder, capsys):
    assert bioglot(["evaluate", str(folder), "--plot", "plot.docx"]) == 2
    assert "plot is 'plot.docx', expected a name that ends in .png, .svg, .pdf" in capsys.readouterr().err
