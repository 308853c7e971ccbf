"""Fetching PubMed's files from a server that stalls, breaks off, lies about checksums and goes away."""

import gzip
import hashlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from app.cli.main import run
from indexer import download, pubmed_files
from indexer.download import DownloadError
from indexer.progress import Silent
from indexer.pubmed_files import BASELINE, UPDATES, fetch_pubmed
from tests.pubmed_records import RECORDS, article_xml, pubmed_xml


def content(number):
    """A file of PubMed's with one record, hard to compress."""
    return gzip.compress(
        pubmed_xml([article_xml(RECORDS[number])]).encode() + os.urandom(40_000).hex().encode()
    )


class Site:
    """What the server has, and how it behaves: faults by path, each for so many requests."""

    def __init__(self):
        self.files = {
            f"/pubmed/{BASELINE}/pubmed26n0001.xml.gz": content(0),
            f"/pubmed/{BASELINE}/pubmed26n0002.xml.gz": content(1),
            f"/pubmed/{UPDATES}/pubmed25n1900.xml.gz": content(2),
            f"/pubmed/{UPDATES}/pubmed26n0003.xml.gz": content(3),
            "/pubmed/deleted.pmids.gz": gzip.compress(b"7\n"),
        }
        self.faults: dict[str, list[str]] = {}
        self.asked: list[tuple[str, str | None]] = []
        self.together = self.most_together = 0
        self.lock = threading.Lock()
        self.delay = 0.0

    def sums(self, path):
        name = path.rpartition("/")[2]
        return f"MD5({name})= {hashlib.md5(self.files[path]).hexdigest()}\n".encode()

    def listing(self, folder):
        names = sorted(path.rpartition("/")[2] for path in self.files if path.startswith(folder))
        rows = "".join(
            f'<a href="{name}">{name}</a> 2026-01-01 <a href="{name}.md5">s</a>\n' for name in names
        )
        return f"<html><pre><a href='/'>Parent</a>\n{rows}</pre></html>".encode()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        site = self.server.site
        with site.lock:
            site.asked.append((self.path, self.headers.get("Range")))
            fault = site.faults.get(self.path, []) and site.faults[self.path].pop(0)
            site.together += 1
            site.most_together = max(site.together, site.most_together)
        try:
            time.sleep(site.delay)
            self.answer(site, fault)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
        finally:
            with site.lock:
                site.together -= 1

    def answer(self, site, fault):
        data = self.data(site)
        if data is None or fault in ("404", "503"):
            return self.send((fault and int(fault)) or 404, b"no")
        if fault == "wrong":
            data = b"0" * 32 + b"  x\n"
        if fault == "bad bytes":
            data = data[:100] + b"?" + data[101:]
        asked = self.headers.get("Range")
        if asked and fault != "no ranges":
            first = int(asked.removeprefix("bytes=").rstrip("-"))
            if first >= len(data):
                return self.send(416, b"")
            place = {"Content-Range": f"bytes {first}-{len(data) - 1}/{len(data)}"}
            return self.send(206, data[first:], fault, place)
        if self.headers.get("If-Modified-Since"):
            return self.send(304, b"")
        return self.send(200, data, fault, {"Last-Modified": formatdate(1_700_000_000, usegmt=True)})

    def data(self, site):
        if self.path.endswith("/"):
            return site.listing(self.path)
        if self.path.endswith(".md5") and self.path[:-4] in site.files:
            return site.sums(self.path[:-4])
        return site.files.get(self.path)

    def send(self, code, data, fault="", headers=()):
        self.send_response(code)
        self.send_header("Content-Length", str(len(data)))
        for name, value in dict(headers).items():
            self.send_header(name, value)
        self.end_headers()
        if fault in ("stall", "break"):
            self.wfile.write(data[: len(data) // 2])
            self.wfile.flush()
            if fault == "stall":
                self.server.woken.wait(30)
            self.close_connection = True
        elif code != 304:
            self.wfile.write(data)


@pytest.fixture
def site(monkeypatch):
    monkeypatch.setattr(download, "TIMEOUT_SECONDS", 0.5)
    monkeypatch.setattr(download, "BACKOFF_SECONDS", 0.001)
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.site = Site()
        server.woken = threading.Event()
        server.site.address = f"http://127.0.0.1:{server.server_address[1]}/pubmed/"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.site
        server.woken.set()
        server.shutdown()


def fetch(site, folder, **options):
    return fetch_pubmed(folder, Silent(), address=site.address, **options)


def whole(site, folder):
    """Whether the folder holds this year's files as the server has them, and nothing half."""
    expected = {path.rpartition("/")[2]: data for path, data in site.files.items() if "25n" not in path}
    found = {file.name: file.read_bytes() for file in folder.glob("*.gz")}
    return found == expected and not list(folder.glob(".*.part"))


FILE = f"/pubmed/{BASELINE}/pubmed26n0002.xml.gz"


def test_this_years_files_come_with_their_checksums_and_once(site, tmp_path):
    (tmp_path / "pubmed25n0001.xml.gz").touch()
    report = fetch(site, tmp_path)
    assert (report.year, report.fetched, report.held, report.faults, report.older) == (2026, 3, 0, (), 1)
    (tmp_path / "pubmed25n0001.xml.gz").unlink()
    assert whole(site, tmp_path)
    sums = subprocess.run(
        ["md5sum", "-c", *tmp_path.glob("*.md5")], cwd=tmp_path, capture_output=True, check=True
    )
    assert sums.stdout.count(b"OK") == 3
    assert "National Library of Medicine" in (tmp_path / "NLM-terms.txt").read_text(encoding="utf-8")
    assert (tmp_path / "deleted.pmids.gz").stat().st_mtime == 1_700_000_000
    site.asked.clear()
    report = fetch(site, tmp_path)
    assert (report.fetched, report.held) == (0, 3)
    assert len(site.asked) == 3  # Two lists, and whether the list of the deleted is newer.


def test_either_part_alone(site, tmp_path):
    fetch(site, tmp_path, parts=[UPDATES])
    assert [file.name for file in tmp_path.glob("*.gz")] == ["pubmed26n0003.xml.gz"]
    fetch(site, tmp_path, parts=[BASELINE])
    assert whole(site, tmp_path)


@pytest.mark.parametrize(
    "faults",
    [
        *(["break"], ["stall"], ["503", "503"], ["bad bytes"], ["break", "break", "stall", "503", "break"]),
        ["break", "no ranges"],
    ],
    ids=" then ".join,
)
def test_a_file_is_gone_on_with_after(site, tmp_path, faults):
    site.faults[FILE] = list(faults)
    assert fetch(site, tmp_path).faults == ()
    assert whole(site, tmp_path)
    ranges = [asked for path, asked in site.asked if path == FILE]
    assert any(ranges) is (faults[0] in ("break", "stall"))


def test_what_a_run_left_is_gone_on_with_by_the_next(site, tmp_path):
    data = site.files[FILE]
    (tmp_path / ".pubmed26n0002.xml.gz.part").write_bytes(data[:20_000])
    fetch(site, tmp_path)
    assert (FILE, "bytes=20000-") in site.asked
    assert whole(site, tmp_path)


@pytest.mark.parametrize("left", ["all of it", "more than it", "another file"])
def test_what_lies_there_half_is_checked(site, tmp_path, left):
    data = site.files[FILE]
    parts = {"all of it": data, "more than it": data + b"x", "another file": b"y" * 1000}
    (tmp_path / ".pubmed26n0002.xml.gz.part").write_bytes(parts[left])
    assert fetch(site, tmp_path).faults == ()
    assert whole(site, tmp_path)


@pytest.mark.parametrize(
    ("path", "faults", "told"),
    [
        (f"{FILE}.md5", ["wrong"], "fetched twice, and its MD5 is "),
        (f"{FILE}.md5", ["404"], "the server answers 404"),
        (FILE, ["404"], "pubmed26n0002.xml.gz cannot be fetched: the server answers 404"),
        (FILE, ["bad bytes", "bad bytes"], "fetched twice, and its MD5 is "),
        (FILE, ["503"] * 99, "too many 503 error responses"),
        (FILE, ["stall"] * 99, "Read timed out"),
    ],
)
def test_a_file_that_cannot_be_had_is_told_and_the_others_come(
    site, tmp_path, path, faults, told, monkeypatch
):
    monkeypatch.setattr(download, "TRIES", 2)
    site.faults[path] = list(faults)
    report = fetch(site, tmp_path)
    [fault] = report.faults
    assert told in fault
    assert (report.fetched, (tmp_path / "pubmed26n0002.xml.gz").exists()) == (2, False)
    site.faults.clear()
    assert fetch(site, tmp_path).fetched == 1
    assert whole(site, tmp_path)


def test_a_server_that_goes_away_is_let_alone_after_some_files(site, tmp_path, monkeypatch):
    monkeypatch.setattr(pubmed_files, "AT_ONCE", 1)
    monkeypatch.setattr(pubmed_files, "MOST_FAULTS", 2)
    for number in range(10, 40):
        site.files[f"/pubmed/{UPDATES}/pubmed26n{number:04}.xml.gz"] = b"x"
        site.faults[f"/pubmed/{UPDATES}/pubmed26n{number:04}.xml.gz.md5"] = ["404"] * (number > 11)
    with pytest.raises(DownloadError, match=r"2 files in a row cannot be fetched.*the same command goes on"):
        fetch(site, tmp_path)
    assert Counter(path.endswith(".md5") for path, _ in site.asked)[True] <= 8
    assert (tmp_path / "pubmed26n0011.xml.gz").exists()
    site.faults.clear()
    assert fetch(site, tmp_path).faults == ()


def test_damaged_files_are_fetched_anew_if_asked(site, tmp_path):
    fetch(site, tmp_path)
    (tmp_path / "pubmed26n0002.xml.gz").write_bytes(b"rot")
    assert fetch(site, tmp_path).fetched == 0
    assert fetch(site, tmp_path, check=True).fetched == 1
    assert whole(site, tmp_path)


def test_no_more_than_some_at_once(site, tmp_path):
    for number in range(10, 50):
        site.files[f"/pubmed/{UPDATES}/pubmed26n{number:04}.xml.gz"] = b"x" * 1000
    site.delay = 0.02
    fetch(site, tmp_path)
    assert 1 < site.most_together <= pubmed_files.AT_ONCE


def test_no_server_and_no_list_are_told(site, tmp_path):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{unused.getsockname()[1]}/"
        with pytest.raises(DownloadError, match=rf"{address}baseline/ cannot be fetched: .*refused"):
            fetch_pubmed(tmp_path, Silent(), address=address)
    site.files.clear()
    with pytest.raises(DownloadError, match=r"list no file named like pubmed26n0001\.xml\.gz"):
        fetch(site, tmp_path)


def test_a_folder_that_cannot_be_written_is_told(site, tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(DownloadError, match=r"file: files cannot be stored: "):
        fetch(site, tmp_path / "file")


def test_the_command_tells_what_it_did(site, tmp_path, capsys):
    site.faults[FILE] = ["404"]
    code = run(["fetch", "pubmed", "--to", str(tmp_path), "--from", site.address])
    out, err = capsys.readouterr()
    assert (code, out) == (3, f"2 files fetched, 0 were there: {tmp_path}\n")
    assert "pubmed26n0002.xml.gz cannot be fetched: the server answers 404" in err
    assert "courtesy of the U.S. National Library of Medicine" in err
    code = run(["fetch", "pubmed", "--to", str(tmp_path), "--from", site.address, "--json"])
    out, err = capsys.readouterr()
    assert (code, '"fetched":1' in out.replace(" ", "")) == (0, True)
    assert "courtesy" not in err


def test_interrupted_it_stops_soon_and_goes_on_later(site, tmp_path):
    site.faults[FILE] = ["stall"]
    program = (
        "import sys, signal; signal.signal(signal.SIGINT, signal.default_int_handler);"
        "from app.cli.main import run; sys.exit(run(sys.argv[1:]))"
    )
    arguments = ["fetch", "pubmed", "--to", str(tmp_path), "--from", site.address]
    process = subprocess.Popen([sys.executable, "-c", program, *arguments], stderr=subprocess.PIPE, text=True)
    part = tmp_path / ".pubmed26n0002.xml.gz.part"
    deadline = time.monotonic() + 60
    while not part.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    site_woken = time.monotonic()
    _, err = process.communicate(timeout=90)
    assert process.returncode != 0
    assert "Traceback" not in err
    assert time.monotonic() - site_woken < 75
    assert fetch(site, tmp_path).faults == ()
    assert whole(site, tmp_path)
