"""Lines of text files in any encoding."""

import gzip

import pytest

from indexer.sources import text
from indexer.sources.text import Encoding, find_encoding, named_encoding, read_lines
from indexer.sources.unpack import Faulty
from models.errors import UsageError

TITLES = {
    "gb18030": "高血压患者心力衰竭的药物治疗研究",
    "cp932": "高血圧患者における心不全の治療に関する研究",
    "big5": "高血壓患者的心臟衰竭治療研究",
    "euc_kr": "고혈압 환자의 심부전 치료에 관한 연구",
    "euc_jp": "高血圧患者における心不全の治療に関する研究",
    "cp1251": "Лечение сердечной недостаточности у больных гипертонией",
    "cp1252": "Modèle de fièvre à l’hôpital chez le sujet âgé, niños, Größe",
    "cp1250": "Léčba srdečního selhání u starších pacientů: příčiny a důsledky",
}


def tagged(title, end="\n"):
    return end.join(["TY  - JOUR", f"TI  - {title}", "JO  - Heart", "ER  - ", ""])


def write(path, content):
    path.write_bytes(content)
    return path


def lines(path):
    return list(read_lines(path, find_encoding(path)))


@pytest.mark.parametrize("encoding", TITLES)
def test_an_encoding_is_guessed_and_the_guess_is_told(tmp_path, encoding):
    path = write(tmp_path / "export.ris", tagged(TITLES[encoding]).encode(encoding))
    found = find_encoding(path)
    assert found == Encoding(
        encoding, f"it is not UTF-8; taken for {encoding} (--encoding NAME if it is another)"
    )
    assert lines(path)[1] == f"TI  - {TITLES[encoding]}"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_unicode_is_known_by_its_mark_or_its_bytes(tmp_path, encoding, pack):
    title = " ".join(TITLES.values())
    path = write(tmp_path / "export.ris", pack(tagged(title).encode(encoding)))
    assert not find_encoding(path).told
    assert lines(path) == tagged(title).split("\n")[:-1]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_wide_text_without_a_mark(tmp_path, encoding):
    path = write(tmp_path / "export.ris", tagged(TITLES["cp1251"]).encode(encoding))
    assert find_encoding(path) == Encoding(encoding, f"it has no byte order mark; taken for {encoding}")
    assert lines(path)[1] == f"TI  - {TITLES['cp1251']}"


def test_damage_in_a_file_of_utf_8_does_not_change_the_rest(tmp_path):
    good = tagged(TITLES["gb18030"]).encode() * 20
    path = write(tmp_path / "export.ris", good + b"TI  - \xff caf\xe9\n" + good)
    told = find_encoding(path)
    assert told == Encoding("utf-8", "1 of its lines hold bytes that are not UTF-8, shown as \ufffd")
    found = lines(path)
    assert found[80] == "TI  - \ufffd caf\ufffd"
    assert found[:80] == found[81:] == (tagged(TITLES["gb18030"]) * 20).split("\n")[:-1]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_of_any_system(tmp_path, end):
    title = "Line\u2028separators\x85and\x0cfeeds are part of a line"
    path = write(tmp_path / "export.ris", tagged(title, end).encode())
    assert lines(path) == tagged(title).split("\n")[:-1]


def test_characters_and_line_ends_across_chunks(tmp_path, monkeypatch):
    title = " ".join(TITLES.values())
    path = write(tmp_path / "export.ris", tagged(title, "\r\n").encode() * 3)
    monkeypatch.setattr("indexer.sources.unpack.CHUNK", 7)
    assert lines(path) == (tagged(title) * 3).split("\n")[:-1]


def test_a_line_of_ten_million_characters_is_a_line(tmp_path):
    path = write(tmp_path / "export.ris", b"AB  - " + b"x" * 10_000_000 + b"\nER  - \n")
    assert [len(line) for line in lines(path)] == [10_000_006, 6]


def test_a_line_without_end_is_not_held(tmp_path, monkeypatch):
    monkeypatch.setattr(text, "LONGEST", 100_000)
    path = write(tmp_path / "export.ris", b"TY  - JOUR\nAB  - " + b"x" * 1_000_000)
    reading = read_lines(path, find_encoding(path))
    assert next(reading) == "TY  - JOUR"
    with pytest.raises(Faulty, match="a line longer than 100,000 characters"):
        next(reading)


def test_a_cut_file_gives_its_whole_lines(tmp_path):
    packed = gzip.compress("".join(f"TI  - {number * 7919}\n" for number in range(20_000)).encode())
    path = write(tmp_path / "export.ris", packed[: len(packed) // 2])
    found = []
    with pytest.raises(Faulty, match="broken gzip"):
        for line in read_lines(path, find_encoding(path)):
            found.append(line)
    assert len(found) > 5_000
    assert found == [f"TI  - {number * 7919}" for number in range(len(found))]


def test_an_encoding_that_the_user_names(tmp_path):
    assert named_encoding("Windows-1251") == Encoding("cp1251")
    with pytest.raises(UsageError, match="unknown encoding 'cyrillic9000', expected one such as utf-8"):
        named_encoding("cyrillic9000")
    with pytest.raises(UsageError, match="unknown encoding 'rot13'"):
        named_encoding("rot13")


def test_empty(tmp_path):
    assert lines(write(tmp_path / "export.ris", b"")) == []
