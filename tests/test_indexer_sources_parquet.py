"""Citations and other tables in Parquet."""

import datetime
import gzip
import json
import zipfile

import msgspec
import pyarrow as pa
import pytest
from citation_strategies import ANY_TEXT, citations
from hypothesis import HealthCheck, given, settings
from pyarrow import parquet

from indexer.citation import ArticleId, Author, Citation, Journal, Keyword, PartialDate, Section
from indexer.sources.archive import Text
from indexer.sources.detect import Hints, detect_source, find_files, read_file
from indexer.sources.errors import SetAside, SourceError
from models.errors import UsageError

OWN = Citation(
    id="own:1",
    source="parquet",
    title="Лихорадка у детей",
    abstract=(Section("热病。", "目的", "OBJECTIVE"), Section("ትኩሳት።")),
    languages=("ru",),
    journal=Journal("Вымысел", issn="1234-5679"),
    published=PartialDate(2021, 3),
    authors=(Author("Núñez", "María", "M", affiliations=("Lugar",)), Author(collective_name="Grupo")),
    article_ids=(ArticleId("doi", "10.5555/own.1"),),
)


def write(path, rows, **options):
    table = pa.Table.from_pylist(rows) if isinstance(rows, list) else pa.table(rows)
    parquet.write_table(table, path, **options)
    return path


def read(path, **hints):
    return list(read_file(path, Hints(**hints)))


@pytest.mark.parametrize("compression", ["none", "snappy", "gzip", "zstd"])
def test_citations_come_back_as_they_were(tmp_path, compression):
    path = write(tmp_path / "own.parquet", [msgspec.to_builtins(OWN)], compression=compression)
    assert detect_source(path) == "parquet"
    assert read(path) == [OWN]


@given(citation=citations(ANY_TEXT))
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_citation_comes_back_as_it_was(tmp_path, citation):
    rows = json.loads(msgspec.json.encode([citation]))
    assert read(write(tmp_path / "any.parquet", rows)) == [citation]


def test_as_in_json_little_is_needed_and_vectors_are_passed_over(tmp_path):
    rows = [
        {"title": "Fièvre", "abstract": "Elle dure.", "languages": ["fr"], "version": 2.0},
        {"title": "Deux", "abstract": None, "languages": None, "version": None},
        {"title": None, "abstract": None, "languages": None, "version": None},
    ]
    first, second = read(write(tmp_path / "small.parquet", rows))
    assert (first.title, first.abstract) == ("Fièvre", (Section("Elle dure."),))
    assert (first.languages, first.version) == (("fr",), 2)
    assert (second.title, second.version, second.languages) == ("Deux", 1, ())
    own = {**msgspec.to_builtins(OWN), "embedding": [0.5] * 8}
    assert read(write(tmp_path / "vectors.parquet", [own])) == [OWN]


def test_a_table_as_pandas_polars_and_data_sets_have_it(tmp_path):
    rows = {
        "id": pa.array([7, 8]),
        "Title": pa.array(["Malaria in pregnancy", "Zinc"]).dictionary_encode(),
        "abstract": pa.array([["A study.", "It ended."], None]),
        "authors": [["Jan van der Berg", "Diop, Awa", "Sow IM"], ["WHO Study Group"]],
        "publication_date": pa.array([datetime.datetime(2020, 5, 1), None], pa.timestamp("ns", "UTC")),
        "year": pa.array([2020.0, None]),
        "journal": pa.array(["Fict J", None], pa.large_string()),
        "doi": ["https://doi.org/10.5555/FJ.1", None],
        "keywords": [["zinc", "cold"], []],
        "pmid": [None, 39000001],
        "language": pa.array([b"eng", b"fr"]),
        "embedding": [[0.5] * 4] * 2,
    }
    first, second = read(write(tmp_path / "hub.parquet", rows))
    assert first == Citation(
        id="doi:10.5555/fj.1",
        source="parquet",
        title="Malaria in pregnancy",
        abstract=(Section("A study. It ended."),),
        languages=("en",),
        journal=Journal("Fict J"),
        published=PartialDate(2020, 5, 1),
        authors=(Author("van der Berg", "Jan", "J"), Author("Diop", "Awa", "A"), Author("Sow", "IM", "IM")),
        keywords=(Keyword("zinc"), Keyword("cold")),
        article_ids=(ArticleId("doi", "10.5555/FJ.1"),),
    )
    assert second == Citation(
        id="pmid:39000001",
        source="parquet",
        title="Zinc",
        languages=("fr",),
        authors=(Author(collective_name="WHO Study Group"),),
        article_ids=(ArticleId("pubmed", "39000001"),),
    )


def test_structures_of_others(tmp_path):
    rows = [
        {
            "title": "T",
            "authors": [{"name": "Awa Diop", "authorId": "1"}, {"name": "Sow, Ibra", "authorId": None}],
            "journal": {"name": "Fict J", "volume": "7"},
            "externalids": {"DOI": "10.5555/x"},
        }
    ]
    path = write(tmp_path / "others.parquet", rows)
    columns = {"journal": "journal.name", "doi": "externalids.DOI", "volume": "journal.volume"}
    (found,) = read(path, columns=columns)
    assert found.authors == (Author("Diop", "Awa", "A"), Author("Sow", "Ibra", "I"))
    assert (found.id, found.journal, found.volume) == ("doi:10.5555/x", Journal("Fict J"), "7")


def test_columns_that_the_user_names(tmp_path):
    path = write(tmp_path / "x.parquet", {"Überschrift": ["A"], "Was": ["B"]})
    with pytest.raises(SourceError, match="none of its columns is a title"):
        read(path)
    (found,) = read(path, columns={"title": "überschrift", "abstract": "Was"})
    assert (found.title, found.abstract) == ("A", (Section("B"),))
    with pytest.raises(UsageError, match="no column 'Wer', the table has 'Überschrift', 'Was'"):
        read(path, columns={"title": "Wer"})


def test_a_row_that_makes_no_sense_is_set_aside_and_can_be_read_again(tmp_path):
    rows = [
        msgspec.to_builtins(OWN),
        {**msgspec.to_builtins(OWN), "id": "", "title": "", "abstract": []},
        {**msgspec.to_builtins(OWN), "id": "own:2"},
    ]
    first, aside, third = read(write(tmp_path / "own.parquet", rows))
    assert [first.id, third.id] == ["own:1", "own:2"]
    assert (aside.position, aside.source) == (2, "jsonl")
    assert aside.reason == "it has no id, no title and no abstract"
    mended = aside.raw.replace('"title":""', '"title":"Mended"').replace('"id":""', '"id":"own:3"')
    (again,) = read_file(Text("own", mended), Hints(aside.source))
    assert (again.id, again.title, again.authors, again.source) == ("own:3", "Mended", OWN.authors, "parquet")

    path = write(tmp_path / "flat.parquet", {"Kopf": ["One", ""], "authors": [["Awa Diop"]] * 2})
    _, aside = read(path, columns={"title": "Kopf"})
    assert (aside.position, aside.reason, aside.source) == (2, "it has no title and no abstract", "table")
    (again,) = read_file(Text("flat", aside.raw.replace('Awa",', 'Awa",Mended')))
    assert (again.title, again.authors) == ("Mended", (Author("Diop", "Awa", "A"),))


def test_text_that_is_not_utf8_is_set_aside_alone(tmp_path):
    damaged = pa.array([b"Good", b"caf\xe9", b"Too"]).view(pa.binary()).cast(pa.string(), safe=False)
    first, aside, third = read(write(tmp_path / "x.parquet", {"title": damaged, "doi": ["10.5555/1"] * 3}))
    assert (first.title, third.title) == ("Good", "Too")
    assert isinstance(aside, SetAside)
    assert (aside.position, aside.reason) == (2, "title: no text in UTF-8")
    assert aside.raw == "title,doi\ncaf\ufffd,10.5555/1\n"


def test_a_damaged_page_ends_the_file_after_the_rows_before(tmp_path):
    titles = [f"Title {number * 7919}" for number in range(10_000)]
    path = write(tmp_path / "x.parquet", {"title": titles}, row_group_size=2_500, compression="gzip")
    content = bytearray(path.read_bytes())
    middle = parquet.ParquetFile(path).metadata.row_group(2).column(0).data_page_offset
    content[middle + 40 : middle + 400] = bytes(360)
    path.write_bytes(content)
    found = []
    with pytest.raises(SourceError, match="broken Parquet after row 5,000: "):
        for record in read_file(path):
            found.append(record.title)
    assert found == titles[:5_000]


def test_a_cut_file_and_an_encrypted_one_say_so(tmp_path):
    path = write(tmp_path / "x.parquet", {"title": ["A"] * 100})
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(SourceError, match=r"x.parquet: cannot be read as Parquet: "):
        read(path)
    path.write_bytes(b"PARE" + bytes(20) + b"PARE")
    with pytest.raises(SourceError, match=r"x.parquet: cannot be read as Parquet: "):
        read(path)


def test_packed_and_in_archives(tmp_path):
    content = write(tmp_path / "own.parquet", [msgspec.to_builtins(OWN)]).read_bytes()
    (tmp_path / "packed.parquet.gz").write_bytes(gzip.compress(content))
    with zipfile.ZipFile(tmp_path / "all.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("data/own.parquet", content)
    files = find_files([tmp_path])
    assert [file.name for file in files] == ["own.parquet", "own.parquet", "packed.parquet.gz"]
    assert [record for file in files for record in read_file(file)] == [OWN] * 3
    (tmp_path / "packed.parquet.gz").write_bytes(gzip.compress(content)[:-30])
    with pytest.raises(SourceError, match="broken gzip"):
        read(tmp_path / "packed.parquet.gz")
