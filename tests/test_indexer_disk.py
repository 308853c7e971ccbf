"""A full disk, a library that may not be written to, and one that can only be read."""

import multiprocessing
import os
import subprocess
import sys

import pytest

import models.loading
from app.cli.main import run
from indexer.progress import Silent
from indexer.verify import verify
from tests import faults_jobs as jobs

SPAWN = multiprocessing.get_context("spawn")
FULL = "No space left on device"


@pytest.fixture(autouse=True)
def small_encoder_and_steps(monkeypatch):
    monkeypatch.setattr(models.loading, "load_encoder", lambda settings: jobs.old_encoder())
    monkeypatch.setattr("indexer.embed.CHUNK", 6)
    monkeypatch.setattr("indexer.intake.BATCH", 8)


@pytest.fixture
def inputs(tmp_path):
    return jobs.prepare_inputs(tmp_path)


@pytest.fixture
def small_disk(tmp_path):
    """A function that gives a file system of so many kilobytes, or changes its size."""
    if os.geteuid() != 0:
        pytest.skip("mounting a small file system needs root")
    folder = tmp_path / "disk"
    folder.mkdir()

    def resize(kilobytes):
        mounted = os.path.ismount(folder)
        options = f"{'remount,' if mounted else ''}size={kilobytes}k"
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], check=True)
        return folder

    yield resize
    if os.path.ismount(folder):
        subprocess.run(["umount", folder], check=True)


def used(folder):
    """Kilobytes on the disk."""
    return sum(file.stat().st_blocks for file in folder.rglob("*")) // 2


def call(capsys, *arguments):
    """Exit code, standard output and standard error of one command line."""
    code = run([str(argument) for argument in arguments])
    return code, *capsys.readouterr()


COMMANDS = {
    "index": (jobs.nothing, ["index", jobs.FIRST, jobs.SECOND], jobs.index, (40, 200, 600)),
    "update": (jobs.index, ["index", jobs.UPDATE], jobs.update, (0, 90, 300, 700)),
    "compact": (jobs.scattered, ["compact"], jobs.compact, (0, 60, 200)),
}


@pytest.mark.root
@pytest.mark.parametrize(("name", "room"), [(name, room) for name in COMMANDS for room in COMMANDS[name][3]])
def test_a_full_disk_is_named_and_with_room_the_same_command_ends_alike(
    small_disk, inputs, tmp_path, capsys, name, room
):
    start, command, job, _ = COMMANDS[name]
    start(tmp_path / "whole", inputs)
    library = small_disk((used(tmp_path / "whole") if start is not jobs.nothing else 0) + room) / "library"
    if start is not jobs.nothing:
        subprocess.run(["cp", "-r", tmp_path / "whole", library], check=True)
    old = jobs.answers(library)
    job(tmp_path / "whole", inputs)
    line = [inputs / word if word.endswith(".xml") else word for word in command]
    code, _, err = call(capsys, *line, "--library", library)
    last = err.strip().splitlines()[-1]
    assert (code, last.startswith(f"bioglot: cannot write to library {library}: {FULL}")) == (1, True), last
    assert ".rs:" not in err and "Traceback" not in err
    assert jobs.answers(library) == old
    small_disk(50_000)
    assert call(capsys, *line, "--library", library)[0] in (0, 3)
    assert verify(library, Silent()).faults == ()
    assert jobs.contents(library) == jobs.contents(tmp_path / "whole")


READING = (
    ["search", "malaria"],
    ["show", "30000001"],
    ["similar", "30000001"],
    ["export", "malaria", "--format", "ris"],
    ["info"],
    ["verify"],
)
WRITING = (
    ["index", jobs.UPDATE],
    ["index", "--retry-quarantine"],
    ["rebuild"],
    ["compact"],
    ["reembed", "--model", "other"],
)


@pytest.fixture
def read_only(tmp_path, inputs):
    """A library on a file system that is mounted read-only."""
    if os.geteuid() != 0:
        pytest.skip("mounting a file system needs root")
    jobs.index(tmp_path / "library", inputs)
    folder = tmp_path / "read-only"
    folder.mkdir()
    subprocess.run(["mount", "--bind", tmp_path / "library", folder], check=True)
    subprocess.run(["mount", "-o", "remount,bind,ro", folder], check=True)
    yield folder
    subprocess.run(["umount", folder], check=True)


@pytest.mark.root
def test_a_read_only_library_answers_and_says_that_it_cannot_be_written_to(read_only, inputs, capsys):
    for command in READING:
        code, out, err = call(capsys, *command, "--library", read_only)
        assert (command, code, bool(out)) == (command, 0, True), err
    for command in WRITING:
        line = [inputs / word if word.endswith(".xml") else word for word in command]
        code, _, err = call(capsys, *line, "--library", read_only)
        assert (command, code) == (command, 1)
        assert err.startswith(f"bioglot: cannot write to library {read_only}: Read-only file system (")
        assert err.count("\n") == 1


def as_nobody(commands, library, pipe):
    """Run command lines without root's rights; sends code and standard error of each."""
    import contextlib
    import io

    models.loading.load_encoder = lambda settings: jobs.old_encoder()
    jobs.warm_up()
    import app.cli.reports  # noqa: F401

    os.setgid(65534)
    os.setuid(65534)
    for command in commands:
        told = io.StringIO()
        with contextlib.redirect_stderr(told), contextlib.redirect_stdout(io.StringIO()):
            code = run([*command, "--library", library])
        pipe.send((command, code, told.getvalue()))


@pytest.mark.root
@pytest.mark.skipif(sys.platform == "win32", reason="has no users by number")
def test_without_permission_it_answers_and_says_what_it_may_not(tmp_path, inputs):
    if os.geteuid() != 0:
        pytest.skip("becoming another user needs root")
    jobs.index(tmp_path / "library", inputs)
    for folder in (tmp_path, *tmp_path.parents[:3]):
        folder.chmod(folder.stat().st_mode | 0o055)
    receive, send = SPAWN.Pipe(duplex=False)
    line = ["index", str(inputs / jobs.UPDATE)]
    commands = [["info"], ["verify"], line, ["rebuild"]]
    process = SPAWN.Process(target=as_nobody, args=(commands, str(tmp_path / "library"), send))
    process.start()
    send.close()
    found = [receive.recv() for _ in commands]
    process.join()
    assert [code for _, code, _ in found] == [0, 0, 1, 1]
    for _, _, err in found[2:]:
        assert err.startswith(f"bioglot: cannot write to library {tmp_path / 'library'}: Permission denied (")
