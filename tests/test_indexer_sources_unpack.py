"""Packed files and archives, whole, cut, damaged and hostile."""

import gzip
import lzma
import zipfile

import pyarrow as pa
import pytest

from indexer.sources.archive import FREE, is_archive, members
from indexer.sources.unpack import CHUNK, Faulty, Unpacked

DATA = b"".join(b"line %d of this text\n" % (number * 7919) for number in range(20_000))
PACKINGS = {
    "plain": lambda data: data,
    "gzip": gzip.compress,
    "xz": lzma.compress,
    "zstd": lambda data: pa.Codec("zstd").compress(data).to_pybytes(),
}


def read(file):
    with Unpacked(file) as chunks:
        return b"".join(chunks)


def read_to_fault(file):
    """What was delivered, and the fault."""
    got = b""
    with pytest.raises(Faulty) as caught, Unpacked(file) as chunks:
        for chunk in chunks:
            got += chunk
    return got, caught.value


def zipped(path, *names, data=DATA, method=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", method) as archive:
        for name in names:
            archive.writestr(name, data)
    return path


@pytest.mark.parametrize("packing", PACKINGS)
def test_packings_are_told_by_content(tmp_path, packing):
    path = tmp_path / "records.txt"
    path.write_bytes(PACKINGS[packing](DATA))
    assert read(path) == DATA
    (inner,) = members(zipped(tmp_path / "all.zip", "records.gz", data=path.read_bytes()))
    assert read(inner) == DATA


@pytest.mark.parametrize("packing", ["gzip", "xz", "zstd"])
def test_several_streams_one_after_the_other_are_one_file(tmp_path, packing):
    path = tmp_path / "records"
    path.write_bytes(PACKINGS[packing](DATA[:1000]) + PACKINGS[packing](DATA[1000:]))
    assert read(path) == DATA


@pytest.mark.parametrize("packing", ["gzip", "xz", "zstd"])
def test_a_cut_file_gives_what_can_be_unpacked(tmp_path, packing):
    packed = PACKINGS[packing](DATA)
    path = tmp_path / "records"
    path.write_bytes(packed[: len(packed) * 3 // 4])
    got, fault = read_to_fault(path)
    assert got and DATA.startswith(got)
    assert len(got) > len(DATA) // 2 - CHUNK
    assert str(fault).startswith(f"broken {packing}: ")
    assert (fault.offset, fault.packed_offset) == (len(got), len(packed) * 3 // 4)


@pytest.mark.parametrize("packing", ["gzip", "xz"])
def test_a_flipped_bit_is_found(tmp_path, packing):
    packed = bytearray(PACKINGS[packing](DATA))
    packed[len(packed) // 2] ^= 4
    path = tmp_path / "records"
    path.write_bytes(packed)
    got, fault = read_to_fault(path)
    assert str(fault).startswith(f"broken {packing}: ")
    assert len(got) <= len(DATA)


def test_a_damaged_member_of_an_archive(tmp_path):
    path = zipped(tmp_path / "all.zip", "a.xml", "b.xml")
    data = bytearray(path.read_bytes())
    data[2000] ^= 255
    path.write_bytes(data)
    first, second = members(path)
    assert str(read_to_fault(first)[1]).startswith("broken zip: ")
    assert read(second) == DATA


def test_names_in_archives_are_only_names(tmp_path):
    names = ["../../escaped.xml", "/etc/passwd.xml", "a/b.xml", "__MACOSX/a/._b.xml", "a/.hidden.xml", "c/"]
    found = members(zipped(tmp_path / "all.zip", *names))
    assert [str(member) for member in found] == [f"{tmp_path}/all.zip/{name}" for name in names[:3]]
    assert [member.name for member in found] == ["escaped.xml", "passwd.xml", "b.xml"]
    assert [read(member) for member in found] == [DATA] * 3
    assert list(tmp_path.iterdir()) == [tmp_path / "all.zip"]


def test_a_locked_archive_says_so(tmp_path):
    path = zipped(tmp_path / "all.zip", "a.xml")
    data = bytearray(path.read_bytes())
    for magic, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(magic) + place] |= 1  # the flag of encryption
    path.write_bytes(data)
    with pytest.raises(OSError, match=r"broken or locked zip: .*encrypted"):
        Unpacked(members(path)[0])


@pytest.mark.parametrize("data", [b"PK\x03\x04", b"PK\x03\x04" + bytes(500)])
def test_a_broken_archive(tmp_path, data):
    path = tmp_path / "all.zip"
    path.write_bytes(data)
    assert is_archive(path)
    with pytest.raises(OSError, match="broken zip"):
        members(path)


def test_bombs_are_not_unpacked(tmp_path):
    path = tmp_path / "records.gz"
    with gzip.open(path, "wb") as file:
        for _ in range(20):
            file.write(bytes(FREE // 16))
    with pytest.raises(Faulty, match="expected at most 250 times") as caught, Unpacked(path) as chunks:
        for _ in chunks:
            pass
    assert FREE < caught.value.offset <= FREE + CHUNK
    archive = tmp_path / "all.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        with file.open("a.xml", "w") as entry:
            for _ in range(20):
                entry.write(bytes(FREE // 16))
    with pytest.raises(OSError, match=r"it would unpack to 335,544,320 bytes; expected at most"):
        Unpacked(members(archive)[0])


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_members_of_one_name_are_two(tmp_path):
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr("a.xml", b"one")
        archive.writestr("a.xml", b"two")
    assert [read(member) for member in members(tmp_path / "all.zip")] == [b"one", b"two"]
