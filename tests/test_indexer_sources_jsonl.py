"""Citations as JSON, as people write them by hand or from their own programs."""

import gzip

import pytest

from indexer.citation import ArticleId, Author, Citation, Section
from indexer.sources.errors import SetAside, SourceError
from indexer.sources.jsonl import read_jsonl


def read(tmp_path, *lines):
    path = tmp_path / "own.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    return list(read_jsonl(path))


def test_little_is_needed(tmp_path):
    (found,) = read(tmp_path, '{"title": "Fièvre", "abstract": "Elle dure.", "languages": ["fr"]}')
    assert found.id.startswith("words:")
    assert (found.title, found.abstract, found.languages) == ("Fièvre", (Section("Elle dure."),), ("fr",))
    assert found.source == "jsonl"


def test_numbers_make_the_id(tmp_path):
    (found,) = read(
        tmp_path,
        '{"title": "T", "article_ids": [{"type": "doi", "value": "10.5555/ABC"}], '
        '"authors": [{"last_name": "Diop", "fore_name": "Awa"}], "published": {"year": 2020}}',
    )
    assert found.id == "doi:10.5555/abc"
    assert found.article_ids == (ArticleId("doi", "10.5555/ABC"),)
    assert (found.authors, found.year) == ((Author("Diop", "Awa"),), 2020)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "Input data was truncated"),
        ("7", "Expected `object`, got `int`"),
        ('{"title": 7}', "Expected `str`, got `int` - at `$.title`"),
        ('{"title": "T", "authors": ["Diop"]}', "Expected `object`, got `str` - at `$.authors[0]`"),
        ('{"title": ""}', "it has no id, no title and no abstract"),
        ('{"name": "T"}', "it has no id, no title and no abstract"),
        ("{'title': 'T'}", "JSON is malformed"),
    ],
)
def test_a_line_that_is_none_is_set_aside_and_the_others_stay(tmp_path, line, reason):
    first, second, third = read(tmp_path, '{"id": "own:1"}', line, "", '{"id": "own:2"}')
    assert (first, third) == (Citation("own:1", source="jsonl"), Citation("own:2", source="jsonl"))
    assert isinstance(second, SetAside)
    assert (second.position, second.raw) == (2, line)
    assert reason in second.reason


def test_a_cut_file_gives_its_whole_lines(tmp_path):
    packed = gzip.compress("".join(f'{{"id": "own:{number * 7919}"}}\n' for number in range(20_000)).encode())
    path = tmp_path / "own.jsonl.gz"
    path.write_bytes(packed[: len(packed) // 2])
    found = []
    with pytest.raises(SourceError, match="broken gzip") as caught:
        for record in read_jsonl(path):
            found.append(record.id)
    assert len(found) > 5_000
    assert found == [f"own:{number * 7919}" for number in range(len(found))]
    assert caught.value.last_id == found[-1]
