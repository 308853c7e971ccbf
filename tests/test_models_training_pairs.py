import gzip
import json
import logging
import lzma

import pytest

from models.errors import UsageError
from models.training.pairs import LONGEST_LINE, Pair, PairFileError, read_pairs

TWINS = (
    ("fr", "Le paludisme tue des enfants.", "Malaria kills children."),
    ("ru", "Малярия убивает детей.", "Malaria kills children."),
    ("zh-CN", "心肌梗死后的康复。", "Rehabilitation after myocardial infarction."),
    ("ja_XX", "心筋梗塞後のリハビリ。", "Rehabilitation after myocardial infarction."),
    ("arb_Arab", "علاج مرض السكري بالميتفورمين", "Treating diabetes with metformin"),
    ("he", "דום נשימה בשינה", "Sleep apnea"),
    ("hi", "बच्चों में दाँतों की सड़न", "Tooth decay in children"),
    ("th", "ไข้เลือดออกในเด็ก", "Dengue fever in children"),
    ("ko", "뇌성마비 아동의 재활치료", "Rehabilitation of children with cerebral palsy"),
    ("bm-Nkoo", "ߓߊ߲ߡߊ߲ߞߊ߲", 'Bamana, called "Bambara"'),
    ("am_ET", "የሳንባ ነቀርሳ", "Tuberculosis"),
)
PAIRS = [Pair(*twin) for twin in TWINS]


def packed(path, content):
    data = content if isinstance(content, bytes) else content.encode()
    pack = {".xz": lzma.compress, ".gz": gzip.compress}.get(path.suffix.lower(), bytes)
    path.write_bytes(pack(data))
    return path


def tsv(rows):
    return "".join("\t".join(row) + "\n" for row in rows)


def lines(objects):
    return "".join(json.dumps(item, ensure_ascii=False) + "\n" for item in objects)


def tmx(*units, head=""):
    body = "".join(f"<tu>{unit}</tu>\n" for unit in units)
    return (
        f'<?xml version="1.0"?>\n{head}<tmx version="1.4"><header srclang="en"/><body>\n{body}</body></tmx>'
    )


def tuv(language, text):
    return f'<tuv xml:lang="{language}"><seg>{text}</seg></tuv>'


CONTENTS = {
    ".tsv": tsv((language, english, text) for language, text, english in TWINS),
    ".jsonl": lines(
        {"language": language, "query": text, "passage": english} for language, text, english in TWINS
    ),
    ".json": lines({"translation": {"en": english, language: text}} for language, text, english in TWINS),
    ".tmx": tmx(*(tuv("EN-us", english) + tuv(language, text) for language, text, english in TWINS)),
}


@pytest.mark.parametrize("packing", ["", ".xz", ".gz", ".XZ"])
@pytest.mark.parametrize("form", CONTENTS)
def test_every_form_gives_the_same_pairs(tmp_path, form, packing):
    path = packed(tmp_path / f"twins{form}{packing}", CONTENTS[form])
    assert list(read_pairs(path)) == PAIRS
    assert list(read_pairs(path, limit=3)) == PAIRS[:3]
    assert list(read_pairs(path, limit=0)) == []


def test_two_columns_are_query_and_passage_in_the_language_given(tmp_path):
    path = packed(tmp_path / "questions.tsv", "bed nets\tNets keep mosquitoes out.\n")
    assert list(read_pairs(path)) == [Pair("", "bed nets", "Nets keep mosquitoes out.")]
    assert list(read_pairs(path, "en")) == [Pair("en", "bed nets", "Nets keep mosquitoes out.")]


def test_a_header_names_columns_in_any_order(tmp_path):
    path = packed(
        tmp_path / "named.tsv.gz",
        "id\tText\tnegative\tEnglish\tnegative_2\tlanguage\n"
        "1\tgrippe\tRhume\tinfluenza\t\tfr\n"
        "2\tasma\tcold\tasthma\tgout\t\n",
    )
    assert list(read_pairs(path, "es")) == [
        Pair("fr", "grippe", "influenza", ("Rhume",)),
        Pair("es", "asma", "asthma", ("cold", "gout")),
    ]


def test_quotes_marks_and_line_ends_are_what_they_are(tmp_path):
    text = '\ufefffr\tthe "old\tl’« ancien\r\n\r\n  \nes\tone\u2028line\tuna\u2028línea\r\n'
    path = packed(tmp_path / "quotes.tsv", text)
    assert list(read_pairs(path)) == [
        Pair("fr", "l’« ancien", 'the "old'),
        Pair("es", "una\u2028línea", "one\u2028line"),
    ]


def test_bad_rows_do_not_lose_the_good_ones(tmp_path, caplog):
    content = b"two\tcolumns\nfr\tflu\tgrippe\nfr\t\tvide\nfr\t\xff\tlatin\na\tb\tc\td\nes\tasthma\tasma\n"
    path = packed(tmp_path / "mixed.tsv", content)
    with caplog.at_level(logging.WARNING):
        pairs = list(read_pairs(path))
    assert pairs == [Pair("fr", "grippe", "flu"), Pair("es", "asma", "asthma")]
    assert caplog.messages == [
        f"{path}: 4 rows left out, 2 pairs read; the first is line 1: "
        "2 columns, expected 3: language, English, text"
    ]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.tsv", "one\n\ntwo\n", "none of its 2 rows is a pair; the first is line 1: 1 columns, expected 3"),
        ("a.tsv", b"\xff\xfe\n", "line 1: not UTF-8: invalid start byte at byte 1"),
        ("a.tsv", "", "the file is empty, expected pairs"),
        ("a.jsonl", '["a", "b"]\n', "line 1: not a JSON object (Expected `object`, got `array`)"),
        ("a.jsonl", '{"query": "a", "passage": 5}\n', 'line 1: texts query, expected {"query", "passage"}'),
        ("a.jsonl", '{"query": "a", "passage": " "}\n', "line 1: an empty text"),
        ("a.jsonl", "[" * 100_000, "line 1: not a JSON object"),
        ("a.json", lines([{"translation": {"fr": "grippe"}}]), "line 1: fr, expected English and another"),
        ("a.tmx", tmx(tuv("de", "Grippe")), "line 3: de, expected English and another language"),
        ("a.tmx", tmx("<tuv><seg>flu</seg></tuv>"), "line 3: a tuv without xml:lang or seg"),
        ("a.tmx", "", "line 1: the XML is broken"),
    ],
)
def test_a_file_without_pairs_says_what_was_expected(tmp_path, name, content, message):
    path = packed(tmp_path / name, content)
    with pytest.raises(PairFileError) as error:
        list(read_pairs(path))
    assert message in str(error.value)
    assert str(error.value).startswith(str(path))
    assert "\n" not in str(error.value)


def test_names_of_sentence_transformers_and_lists_of_negatives(tmp_path):
    path = packed(
        tmp_path / "triplets.jsonl",
        lines(
            [
                {"anchor": "gout", "positive": "Urate crystals.", "negative": "Rest."},
                {"anchor": "gout", "positive": "Urate.", "negative_1": "Rest.", "negative_2": None},
                {"query": "gout", "passage": "Urate.", "negatives": ["Rest.", "", "Ice."], "language": "en"},
            ]
        ),
    )
    assert list(read_pairs(path)) == [
        Pair("", "gout", "Urate crystals.", ("Rest.",)),
        Pair("", "gout", "Urate.", ("Rest.",)),
        Pair("en", "gout", "Urate.", ("Rest.", "Ice.")),
    ]


def test_every_language_of_a_translation_is_a_pair(tmp_path):
    path = packed(
        tmp_path / "many.jsonl", lines([{"translation": {"fr": "grippe", "en": "flu", "de": "Grippe"}}])
    )
    assert list(read_pairs(path)) == [Pair("fr", "grippe", "flu"), Pair("de", "Grippe", "flu")]


def test_inline_elements_of_tmx(tmp_path):
    segment = (
        'See <bpt i="1">&lt;a title="<sub>The <hi>whole</hi> list</sub>"></bpt>the <hi type="term">list</hi>'
        '<ept i="1">&lt;/a></ept>\n of<ph>\\n</ph> drugs<it pos="end">&lt;/i></it>.'
    )
    path = packed(tmp_path / "inline.tmx", tmx(tuv("en-GB", segment) + tuv("fr", "Voir.")))
    assert list(read_pairs(path)) == [Pair("fr", "Voir.", "See the list of drugs. The whole list")]


def test_tmx_of_another_encoding_version_and_namespace(tmp_path):
    text = (
        '<?xml version="1.0" encoding="UTF-16"?><tmx xmlns="http://tmx.example/1.4" version="1.1"><body>'
        '<tu><tuv lang="FR"><seg>grippe</seg></tuv><tuv lang="EN"><seg>flu</seg></tuv></tu></body></tmx>'
    )
    path = packed(tmp_path / "old.tmx", text.encode("utf-16"))
    assert list(read_pairs(path)) == [Pair("FR", "grippe", "flu")]


def test_units_without_english_are_left_out_and_counted(tmp_path, caplog):
    path = packed(
        tmp_path / "some.tmx",
        tmx(tuv("de", "Grippe") + tuv("fr", "grippe"), tuv("en", "flu") + tuv("fr", "grippe")),
    )
    with caplog.at_level(logging.WARNING):
        assert list(read_pairs(path)) == [Pair("fr", "grippe", "flu")]
    assert "1 rows left out, 1 pairs read; the first is line 3: de, fr, expected English" in caplog.text


def test_entities_are_not_expanded_and_no_file_is_read(tmp_path, caplog):
    secret = tmp_path / "secret.txt"
    secret.write_text("top secret", encoding="utf-8")
    head = (
        f'<!DOCTYPE tmx SYSTEM "{(tmp_path / "missing.dtd").as_uri()}" '
        f'[<!ENTITY file SYSTEM "{secret.as_uri()}">'
        '<!ENTITY a "laugh"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>\n'
    )
    units = (
        tuv("en", "&file;") + tuv("fr", "secret"),
        tuv("en", "ha") + tuv("fr", "<hi>&c;</hi>"),
        tuv("en", "flu &amp; gout") + tuv("fr", "grippe &#x26; goutte"),
    )
    path = packed(tmp_path / "attack.tmx", tmx(*units, head=head))
    with caplog.at_level(logging.WARNING):
        assert list(read_pairs(path)) == [Pair("fr", "grippe & goutte", "flu & gout")]
    assert "2 rows left out" in caplog.text
    assert "a seg with an entity, and entities are not expanded" in caplog.text


def read_to_the_fault(path):
    pairs = []
    with pytest.raises(PairFileError) as error:
        pairs.extend(read_pairs(path))  # extend keeps what came before the fault
    return pairs, str(error.value)


@pytest.mark.parametrize("packing", [".xz", ".gz"])
@pytest.mark.parametrize("form", [".tsv", ".jsonl", ".tmx"])
def test_a_cut_file_gives_what_is_whole(tmp_path, form, packing):
    numbers = range(20_000)
    content = {
        ".tsv": tsv(("fr", f"English {number * 7919}", f"français {number}") for number in numbers),
        ".jsonl": lines(
            {"language": "fr", "query": f"français {number}", "passage": f"English {number * 7919}"}
            for number in numbers
        ),
        ".tmx": tmx(
            *(tuv("en", f"English {number * 7919}") + tuv("fr", f"français {number}") for number in numbers)
        ),
    }[form]
    path = packed(tmp_path / f"cut{form}{packing}", content)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    pairs, message = read_to_the_fault(path)
    assert 1000 < len(pairs) < 20_000
    assert pairs == [
        Pair("fr", f"français {number}", f"English {number * 7919}") for number in range(len(pairs))
    ]
    assert message.startswith(f"{path}, line ")
    assert f"the {len(pairs):,} pairs before it were read" in message


def test_broken_xml_gives_every_unit_before_the_fault(tmp_path):
    whole = [tuv("en", f"flu {number}") + tuv("fr", f"grippe {number}") for number in range(3)]
    path = packed(tmp_path / "broken.tmx", tmx(*whole, "<tuv xml:lang='en'><seg>flu</tuv>"))
    pairs, message = read_to_the_fault(path)
    assert pairs == [Pair("fr", f"grippe {number}", f"flu {number}") for number in range(3)]
    assert message.startswith(f"{path}, line 6: the XML is broken (Opening and ending tag mismatch: seg")


def test_a_unit_in_which_the_file_ends_is_no_pair(tmp_path):
    content = tmx(*(tuv("en", f"influenza {number}") + tuv("fr", f"grippe {number}") for number in range(2)))
    path = packed(tmp_path / "cut.tmx", content[: content.index("ippe 1")])
    pairs, message = read_to_the_fault(path)
    assert pairs == [Pair("fr", "grippe 0", "influenza 0")]
    assert "Premature end of data" in message


def test_a_line_without_end_is_not_read_into_memory(tmp_path):
    path = packed(tmp_path / "long.tsv.gz", b"fr\tflu\tgrippe\n" + b"x" * (LONGEST_LINE + 1))
    pairs, message = read_to_the_fault(path)
    assert pairs == [Pair("fr", "grippe", "flu")]
    assert "line 2: longer than 16,777,216 bytes" in message


@pytest.mark.parametrize("name", ["pairs.txt", "pairs", "pairs.xz", "pairs.tsv.zip"])
def test_a_file_of_another_form_is_refused_before_reading(tmp_path, name):
    with pytest.raises(
        UsageError, match=r"expected one of \.jsonl, \.json, \.tsv, \.tmx, or with \.xz or \.gz"
    ):
        read_pairs(tmp_path / name)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(UsageError, match=r"nowhere\.tsv: no such file"):
        read_pairs(tmp_path / "nowhere.tsv")
