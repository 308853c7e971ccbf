"""Plain text and Markdown, a record a file."""

import gzip

import pytest

from indexer.citation import ArticleId, Author, Citation, Journal, Keyword, PartialDate, Section, TextPart
from indexer.sources.archive import Text
from indexer.sources.detect import Hints, detect_source, find_files, read_file
from indexer.sources.document import LONGEST_TITLE
from indexer.sources.errors import Remark, SourceError
from indexer.sources.plain import read_markdown, read_text

NOTE = """---
title: "Fieber: eine Übersicht"
subtitle: Erster Teil
author:
  - name: Awa Diop
    affiliation: [Ort, Anderer Ort]
    orcid: https://orcid.org/0000-0002-1825-0097
  - Jan van der Berg
date: 2020-05-01 10:00:00 +0200
lang: de-DE
keywords: [Fieber, Kinder]
journal: {title: Fiktives Blatt}
DOI: https://doi.org/10.5555/Fieber.1
abstract: |
  Erste Zeile,
  zweite.
draft: no
---

Davor *steht* [etwas](https://x.example) &amp; H<sub>2</sub>O, 3 < 4, [[Seite|ein Wort]],
![[bild.png]] ![Bild](x.png).

Methoden
--------

### Kinder

- eins
- zwei `drei`

| a | b |
|---|---|
| 1 | 2 |

# 結果

心筋
梗塞

<div>roh <b>fett</b></div>

# Schluss
"""


def markdown(text):
    (found,) = read_markdown(Text("note.md", text))
    return found


def text(content):
    (found,) = read_text(Text("note.txt", content))
    return found


def test_front_matter_and_sections():
    assert markdown(NOTE) == Citation(
        id="doi:10.5555/fieber.1",
        source="markdown",
        title="Fieber: eine Übersicht: Erster Teil",
        abstract=(Section("Erste Zeile, zweite."),),
        body=(
            TextPart("Davor steht etwas & H₂O, 3 < 4, ein Wort, Bild."),
            TextPart("eins zwei drei a b 1 2", ("Methoden: Kinder",)),
            TextPart("心筋梗塞 roh fett", ("結果",)),
            TextPart("Schluss"),
        ),
        languages=("de",),
        journal=Journal("Fiktives Blatt"),
        published=PartialDate(2020, 5, 1),
        authors=(
            Author("Diop", "Awa", "A", orcid="0000-0002-1825-0097", affiliations=("Ort", "Anderer Ort")),
            Author("van der Berg", "Jan", "J"),
        ),
        keywords=(Keyword("Fieber"), Keyword("Kinder")),
        article_ids=(ArticleId("doi", "10.5555/Fieber.1"),),
    )


@pytest.mark.parametrize(
    ("content", "title", "sections"),
    [
        ("# Ein Titel\n\nText.", "Ein Titel", [("", "Text.")]),
        ("Davor.\n\n# Ein Titel\n\nText.", "Ein Titel", [("", "Davor. Text.")]),
        ("Erste\nZeile\n\nText.", "Erste Zeile", [("", "Text.")]),
        ("---\ntitle: A\n---\n# a\nText.\n## B\nMehr.", "A", [("", "Text."), ("B", "Mehr.")]),
        ("---\n\n# A\n\n---\n\nText", "A", [("", "Text")]),
        ("---\nauthor: X\n---\n\n# A\n", "A", []),
        ("---\n---\n# A\n", "A", []),
    ],
)
def test_where_the_title_is(content, title, sections):
    found = markdown(content)
    assert found.title == title
    assert [("".join(part.headings), part.text) for part in found.body] == sections


@pytest.mark.parametrize("value", ["Awa Diop and Jan van der Berg", "Awa Diop; van der Berg, Jan"])
def test_authors_in_one_text(value):
    names = [author.last_name for author in markdown(f"---\nauthor: {value}\n---\n# T").authors]
    assert names == ["Diop", "van der Berg"]


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ("title: Fieber: was tun\nlang: de", "mapping values are not allowed here"),
        ("title: Fieber: was tun\nlang: de\na: &a [*a]", "mapping values are not allowed here"),
        ("title: 'Fieber: was tun'\nlang: de\na: &a [*a]", "it has an alias"),
        ("title: Fieber\nlang: de\na: " + "[" * 3_000, ""),
    ],
)
def test_front_matter_that_is_no_yaml_is_read_line_by_line(fields, problem):
    remark, found = read_markdown(Text("note.md", f"---\n{fields}\n---\nText"))
    assert isinstance(remark, Remark)
    assert f"its front matter is not YAML ({problem}" in remark.text
    assert (found.title.strip("'")[:6], found.languages) == ("Fieber", ("de",))


def test_plain_text():
    head = "Ein Titel\n=====\n\nDavor\nsteht es.\n\nMETHODEN\n\n1.2 Kinder\n\nViele."
    found = text(f"{head}\n\nUnten\n-----\nMehr.\n\nEnde.")
    assert (found.source, found.title) == ("text", "Ein Titel")
    assert found.body == (
        TextPart("Davor steht es."),
        TextPart("Viele.", ("METHODEN: 1.2 Kinder",)),
        TextPart("Mehr. Ende.", ("Unten",)),
    )


def test_a_long_first_line_is_text_of_which_the_title_is_the_beginning():
    line = "Wort " * 100
    for found in (text(line), markdown(line)):
        assert found.title == ("Wort " * 30)[: LONGEST_TITLE // 2].rpartition(" ")[0] + " …"
        assert found.body == (TextPart(line.strip()),)


def test_documents_of_one_title_stay_apart_and_the_same_one_is_known_again():
    first, second, again = (text(f"Introduction\n\n{body}") for body in ("One.", "Two.", "one. "))
    assert first.id.startswith("words:")
    assert first.id == again.id
    assert first.id != second.id


def test_which_files_of_a_folder_are_read(tmp_path):
    for name in ("a.md", "b.markdown", "c.txt", "d.md.gz"):
        content = f"# Title of {name}\n\nText, and\n@article{{key,\n title = {{X}}\n}}\n"
        data = content.encode()
        (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    (tmp_path / "e.txt").write_text("Dear colleague,\nplease read.", encoding="utf-8")

    def names(source):
        return [file.name for file in find_files([tmp_path], source)]

    assert names(None) == ["a.md", "b.markdown", "c.txt", "d.md.gz"]
    assert names("text") == ["a.md", "b.markdown", "c.txt", "d.md.gz", "e.txt"]
    told = [detect_source(file) for file in find_files([tmp_path], "text")]
    assert told == ["markdown", "markdown", "bibtex", "markdown", "text"]
    (found,) = read_file(tmp_path / "e.txt")
    assert (found.title, found.body) == ("Dear colleague,", (TextPart("please read."),))


def test_other_encodings_and_what_is_no_text(tmp_path):
    path = tmp_path / "note.txt"
    content = "Лихорадка у детей младшего возраста\n\nТекст о лихорадке и её лечении."
    path.write_bytes(content.encode("cp1251"))
    remark, found = read_file(path)
    assert "taken for cp1251" in remark.text
    assert found.title == "Лихорадка у детей младшего возраста"
    path.write_bytes("Titel\n\nText".encode("utf-16"))
    assert [record.title for record in read_file(path)] == ["Titel"]
    for data, reason in ((b"a" * 80 + b"\0", "null characters"), (b"[x]: y\n", "no text")):
        path.write_bytes(data)
        with pytest.raises(SourceError, match=reason):
            list(read_file(path, Hints("markdown")))


def test_a_cut_file_gives_what_is_before(tmp_path):
    path = tmp_path / "long.md.gz"
    packed = gzip.compress("".join(f"Line {number * 7919}.\n\n" for number in range(20_000)).encode())
    path.write_bytes(packed[: len(packed) // 2])
    found = []
    with pytest.raises(SourceError, match="broken gzip") as caught:
        for record in read_file(path):
            found.append(record)
    assert [record.title for record in found] == ["Line 0."]
    assert found[0].body[0].text.startswith("Line 7919. Line 15838.")
    assert caught.value.last_id == found[0].id
