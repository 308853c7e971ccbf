"""BibTeX of reference managers, its LaTeX, and entries that break off."""

import pytest

from indexer.citation import ArticleId, Author, Book, Citation, Journal, Keyword, PartialDate, Section, Term
from indexer.exports.bibtex import escaped
from indexer.sources.archive import Text
from indexer.sources.bibtex import decoded
from indexer.sources.detect import detect_source, read_file
from indexer.sources.errors import SetAside

MANAGER = r"""
@comment{jabref-meta: databaseType:bibtex;}
@string{jfc = "Journal of fictional cardiology"}

@article{nunez2023,
  author       = {N{\'u}{\~n}ez P{\'e}rez, Mar{\'\i}a and Jan P. van der Berg and {FLU-HEART Group}
                  and Roe, Jr, Al},
  title        = {Heart {F}ailure after Influenza {A(H3N2)}: {$\alpha$} \& {CO$_2$} in 5\% of Patients},
  journal      = jfc,
  shortjournal = {J. Fict. Cardiol.},
  year         = 2023,
  month        = jan,
  volume       = {12},
  number       = {3},
  pages        = {101--109},
  doi          = {https://doi.org/10.5555/hfx.2023.001},
  pmid         = {39000001},
  issn         = {1234-5660},
  url          = {https://journal.example/a_b~c},
  keywords     = {influenza, heart failure},
  language     = {english},
  abstract     = {AIM: To see. RESULTS: Seen.},
  file         = {:/home/rosa/a.pdf:PDF},
  customfield  = {own words},
  note         = {Read it},
}
"""
OTHERS = """
@InBook{b-1,
 title="Malaria in pregnancy", booktitle="Handbook of Fictional Medicine", author="Okafor, C. and others",
 editor={Traor{\\'e}, M.}, publisher={Fictional Press}, address={Dakar}, date={2022-05-17},
 isbn={978-0-00-000000-2}, eprint={2201.00001}, archiveprefix={arXiv}, langid={french}
}
@article{wang, author={王, 小明 and Иванов, Иван}, title={心力衰竭}, year={2020}}
"""


def read(text):
    return list(read_file(Text("export.bib", text)))


def test_an_entry_of_a_reference_manager():
    (found,) = read(MANAGER)
    assert found == Citation(
        id="pmid:39000001",
        source="bibtex",
        title="Heart Failure after Influenza A(H3N2): α & CO_2 in 5% of Patients",
        abstract=(Section("To see.", "AIM"), Section("Seen.", "RESULTS")),
        languages=("en",),
        journal=Journal("Journal of fictional cardiology", "J. Fict. Cardiol.", issn="1234-5660"),
        volume="12",
        issue="3",
        pages="101-109",
        published=PartialDate(2023, 1),
        authors=(
            Author("Núñez Pérez", "María", "M"),
            Author("van der Berg", "Jan P.", "JP"),
            Author(collective_name="FLU-HEART Group"),
            Author("Roe", "Al", "A", "Jr"),
        ),
        keywords=(Keyword("influenza"), Keyword("heart failure")),
        publication_types=(Term("Journal Article"),),
        article_ids=(
            ArticleId("pubmed", "39000001"),
            ArticleId("doi", "10.5555/hfx.2023.001"),
            ArticleId("url", "https://journal.example/a_b c"),
        ),
        notes=("Read it", "customfield: own words"),
    )


def test_books_other_scripts_and_dates():
    book, paper = read(OTHERS)
    assert book.book == Book(
        "Handbook of Fictional Medicine",
        "Fictional Press",
        "Dakar",
        isbns=("9780000000002",),
        editors=(Author("Traoré", "M.", "M"),),
    )
    assert book.id == "arxiv:2201.00001"
    assert (book.authors, book.authors_complete) == ((Author("Okafor", "C.", "C"),), False)
    assert (book.published, book.languages) == (PartialDate(2022, 5, 17), ("fr",))
    assert paper.authors == (Author("王", "小明", "小"), Author("Иванов", "Иван", "И"))
    assert paper.title == "心力衰竭"


def test_what_breaks_off_or_says_nothing_is_set_aside_and_the_others_stay():
    broken = "@article{broken, title = {no end\n"
    nothing = "@article{nothing, year={2020}}\n"
    same = OTHERS.replace("心力衰竭", "另一个")
    found = read(MANAGER + broken + OTHERS + nothing + same)
    assert [type(item) for item in found] == [Citation, SetAside, Citation, Citation, SetAside] + [
        Citation
    ] * 2
    assert found[1].raw.strip() == broken.strip()
    assert found[1].reason == "it breaks off, or a brace is missing"
    assert (found[4].position, found[4].reason) == (5, "it has no title and no abstract")
    assert found[4].raw.strip() == nothing.strip()
    assert found[6].title == "另一个"


def test_braces_nested_without_end_are_set_aside_and_the_others_stay():
    deep = f"@article{{deep, title={{{chr(123) * 2000}x{chr(125) * 2000}}}}}\n"
    aside, *others = read(deep + OTHERS)
    assert isinstance(aside, SetAside)
    assert aside.reason == "its braces are nested as deep as no text is"
    assert len(others) == 2


@pytest.mark.parametrize(
    "text",
    [
        r"50% of $5 & #1_a {b} ~ ^ \ -- ``x'' ''y ?` << >>",
        "α-synuclein, 5°C, naïve T‑cells",
        r"\alpha is a backslash and letters",
        "don't -- won't",
    ],
)
def test_what_is_escaped_is_printed_as_it_was(text):
    assert decoded(escaped(text)) == text


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"\"{O}sterreich {\ss} \o{} \L{}\'od\'z", "Österreich ß ø Łódź"),
        (r"$\beta_1$-blockers", "β_1-blockers"),
        (r"\emph{in vitro} \textit{E. coli}", "in vitro E. coli"),
        ("a~b", "a b"),
        (r"IL-1$\beta$ $<$ 5\,mg", "IL-1β < 5 mg"),
    ],
)
def test_latex(latex, text):
    assert " ".join(decoded(latex).split()) == text


def test_it_is_told_by_its_content():
    assert detect_source(Text("x.txt", MANAGER)) == "bibtex"
    assert detect_source(Text("x.txt", "% Encoding: UTF-8\n\n" + OTHERS)) == "bibtex"
