"""Single fields of a PubMed record."""

import pytest

from indexer.sources.people import normalise_orcid
from indexer.sources.pubmed_fields import language_tag, read_title


@pytest.mark.parametrize(
    ("text", "title", "translated"),
    [
        ("A title.", "A title.", False),
        ("[A title].", "A title", True),
        ("[A title]", "A title", True),
        ("[A title.].", "A title.", True),
        ("[A title (author's transl)].", "A title (author's transl)", True),
        ("[18F]FDG PET in lymphoma.", "[18F]FDG PET in lymphoma.", False),
        ("[3H]Raffinose and [14C].", "[3H]Raffinose and [14C].", False),
        ("[Uptake of [3H]noradrenaline in mice].", "Uptake of [3H]noradrenaline in mice", True),
        ("[[3H]Noradrenaline in mice].", "[3H]Noradrenaline in mice", True),
        ("[A title]. [Something].", "[A title]. [Something].", False),
        ("[A title]: a comment.", "[A title]: a comment.", False),
        ("Letter [in reply].", "Letter [in reply].", False),
        ("[Unclosed (title].", "Unclosed (title", True),
        ("[[Unbalanced title].", "[Unbalanced title", True),
        ("[Not Available].", "", False),
        ("[]", "", True),
        ("[", "[", False),
        ("", "", False),
    ],
)
def test_title(text, title, translated):
    assert read_title(text) == (title, translated)


@pytest.mark.parametrize(
    ("code", "tag"),
    [
        ("eng", "en"),
        ("fre", "fr"),
        ("chi", "zh"),
        ("ger", "de"),
        ("gre", "el"),
        ("scr", "hr"),
        ("scc", "sr"),
        ("nob", "nb"),
        ("zh-Hant", "zh"),
        ("EN", "en"),
        ("und", "und"),
        ("mul", "mul"),
        ("cebuano!", "cebuano!"),
        ("", "und"),
    ],
)
def test_language(code, tag):
    assert language_tag(code) == tag


@pytest.mark.parametrize(
    ("text", "orcid"),
    [
        ("0000-0002-1825-0097", "0000-0002-1825-0097"),
        ("http://orcid.org/0000-0002-1825-0097", "0000-0002-1825-0097"),
        ("https://orcid.org/0000-0002-1825-009x/", "0000-0002-1825-009X"),
        ("0000000218250097", "0000-0002-1825-0097"),
        ("0000 0002 1825 0097", "0000-0002-1825-0097"),
        ("0000-0002-1825-009", None),
        ("", None),
    ],
)
def test_orcid(text, orcid):
    assert normalise_orcid(text) == orcid
