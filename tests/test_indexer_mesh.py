"""MeSH: read from NLM's format, fetched from a server or a folder, and asked for what is narrower."""

import threading
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from indexer import mesh
from indexer.mesh import MeshError, MeshTree, fetch_mesh, parse_descriptors, read_mesh
from indexer.progress import Silent
from tests.mesh_records import RECORDS, descriptor_file, write_descriptors

YEAR = datetime.now(UTC).year
FILE = descriptor_file()


@pytest.fixture(scope="module")
def tree():
    return parse_descriptors(FILE, "d2026.bin")


class Steps(Silent):
    def __init__(self):
        self.started = []
        self.done = 0

    def start(self, what, total, unit):
        self.started.append((what, total, unit))

    def advance(self, n=1):
        self.done += n


@pytest.fixture
def server():
    """Serves the answers that a test puts in: path -> status, body, length that is claimed."""
    answers = {}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            status, body, length = answers.get(self.path, (404, b"", 0))
            self.send_response(status)
            if length is not None:
                self.send_header("Content-Length", str(length))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_arguments):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        running.answers = answers
        running.addresses = [
            f"http://127.0.0.1:{running.server_port}/{place}/d{{year}}.bin" for place in ("now", "by-year")
        ]
        yield running
        running.shutdown()
        thread.join()


def test_every_descriptor_is_read_with_its_tree_numbers(tree):
    assert tree.edition == "2026"
    assert tree.numbers == {name: numbers for name, _, numbers, _ in RECORDS}


@pytest.mark.parametrize(
    ("name", "want"),
    [
        (
            "Heart Diseases",
            [
                "Anterior Wall Myocardial Infarction",
                "Heart Diseases",
                "Myocardial Infarction",
                "Myocardial Ischemia",
            ],
        ),
        (
            "angiopathy",
            [
                "Anterior Wall Myocardial Infarction",
                "Embolism",
                "Myocardial Infarction",
                "Myocardial Ischemia",
                "Vascular Diseases",
            ],
        ),
        ("HEART ATTACK", ["Anterior Wall Myocardial Infarction", "Myocardial Infarction"]),
        ("attack, heart", ["Anterior Wall Myocardial Infarction", "Myocardial Infarction"]),
        ("D009203", ["Anterior Wall Myocardial Infarction", "Myocardial Infarction"]),
        ("Guillain‐Barré syndrome", ["Guillain-Barre Syndrome"]),  # with a typographic hyphen
        ("Vaccines", ["Influenza Vaccines", "Vaccines"]),
        ("pregnancy", ["Pregnancy"]),
        ("Female", ["Female"]),
        ("Joint/Articulation", ["Hip Joint", "Joints"]),
        ("Not a Descriptor", ["Not a Descriptor"]),
        ("", [""]),
    ],
)
def test_a_name_means_a_descriptor_and_those_below_it(tree, name, want):
    assert tree.with_narrower(name) == want


def test_a_number_that_only_begins_alike_is_not_below():
    numbers = {"A": ("C1.28",), "B": ("C1.280",), "C": ("C1.28.5",), "D": ("C1.28.5.1",), "E": ("C1.28/5",)}
    tree = MeshTree("2026", numbers, {"a": "A"})
    assert tree.with_narrower("A") == ["A", "C", "D"]


@pytest.mark.parametrize(
    "data", [b"", b"<html>moved</html>", b"*NEWRECORD\nRECTYPE = D\nMH = Female\n", bytes(range(256))]
)
def test_another_file_is_refused(data):
    with pytest.raises(
        MeshError, match=r"^d2026\.bin: not a file of MeSH descriptors in NLM's ASCII format$"
    ):
        parse_descriptors(data, "d2026.bin")


def test_this_year_s_edition_is_fetched_whole_and_read_again(server, tmp_path, tree):
    server.answers[f"/now/d{YEAR}.bin"] = (200, FILE, len(FILE))
    steps = Steps()
    fetched = fetch_mesh(tmp_path / "home", steps, server.addresses)
    assert fetched == MeshTree(str(YEAR), tree.numbers, tree.terms)
    assert read_mesh(tmp_path / "home") == fetched
    assert [path.name for path in (tmp_path / "home").iterdir()] == ["mesh.json"]
    assert steps.started == [(f"fetching MeSH (d{YEAR}.bin)", len(FILE), "bytes")]
    assert steps.done == len(FILE)


@pytest.mark.parametrize(
    ("path", "edition"),
    [(f"/by-year/d{YEAR}.bin", YEAR), (f"/now/d{YEAR - 1}.bin", YEAR - 1)],
)
def test_what_is_not_there_yet_is_looked_for_elsewhere(server, tmp_path, path, edition):
    server.answers[path] = (200, FILE, None)
    assert fetch_mesh(tmp_path, Silent(), server.addresses).edition == str(edition)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (None, f"the server has no d{YEAR}.bin and d{YEAR - 1}.bin"),
        ((500, b"", 0), "500 Internal Server Error"),
        ((200, FILE[:100], len(FILE)), f"it broke off after 100 of {len(FILE):,} bytes"),
        ((200, FILE * 2, None), "it has more than 5,000 bytes"),
    ],
)
def test_what_cannot_be_fetched_is_one_line_and_leaves_what_was_there(
    server, tmp_path, monkeypatch, answer, reason
):
    monkeypatch.setattr(mesh, "LARGEST", 5_000)
    (tmp_path / "mesh.json").write_text("as it was")
    if answer is not None:
        server.answers[f"/now/d{YEAR}.bin"] = answer
    with pytest.raises(MeshError) as raised:
        fetch_mesh(tmp_path, Silent(), server.addresses)
    assert str(raised.value) == (
        f"MeSH cannot be fetched from {server.addresses[0].format(year=YEAR)}: {reason}. "
        f"Try again, or put the file there yourself as {tmp_path / f'd{YEAR}.bin'}."
    )
    assert (tmp_path / "mesh.json").read_text() == "as it was"


def test_without_a_network_the_error_says_what_to_do(tmp_path):
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as closed:
        address = f"http://127.0.0.1:{closed.server_port}/d{{year}}.bin"
    with pytest.raises(
        MeshError, match=r"bin: Connection refused\. Try again, or put the file there yourself as "
    ):
        fetch_mesh(tmp_path, Silent(), [address])


def test_a_file_in_the_folder_is_used_without_a_network_the_newest_first(tmp_path, tree):
    write_descriptors(tmp_path, 2024)
    write_descriptors(tmp_path, 2026)
    write_descriptors(tmp_path, 2025)
    assert fetch_mesh(tmp_path, Silent(), ["http://127.0.0.1:1/"]) == tree


def test_a_huge_file_in_the_folder_is_not_read(tmp_path):
    with write_descriptors(tmp_path).open("r+b") as file:
        file.truncate(mesh.LARGEST + 1)
    with pytest.raises(MeshError, match=r"d2026\.bin: larger than 200,000,000 bytes"):
        fetch_mesh(tmp_path, Silent())


def test_a_folder_that_cannot_be_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(MeshError, match=r"file: MeSH cannot be stored: File exists"):
        fetch_mesh(tmp_path / "file", Silent(), [])


def test_nothing_fetched_is_no_tree_and_damage_is_told(tmp_path):
    assert read_mesh(tmp_path) is None
    for content in (b"", b"{}", b"\xff", b'{"edition": 2026, "numbers": {}, "terms": {}}'):
        (tmp_path / "mesh.json").write_bytes(content)
        with pytest.raises(MeshError, match=r"mesh\.json: not what `bioglot fetch mesh` writes"):
            read_mesh(tmp_path)
