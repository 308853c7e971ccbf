"""The search page, run by Streamlit's own test driver over a real engine."""

import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app.query import Mode, Sort
from app.reading import SIGNAL_NAMES
from app.results import Evidence, Hit, Span
from app.settings import Settings, environment_values
from app.ui import page_engine
from app.ui.page_examples import EXAMPLES
from app.ui.page_results import abstract_html, hit_html, notice_html
from app.ui.page_style import STYLE
from indexer.citation import ArticleId, Author, Correction, Journal, OtherAbstract, Section, Term
from indexer.embed import embed_pending
from indexer.library import create_library
from indexer.mesh import fetch_mesh
from indexer.passages import citation_text
from indexer.progress import Silent
from indexer.publish import publish
from indexer.signals import SignalKind
from indexer.upsert import upsert
from models.encoder import EncoderSettings
from tests.citations import LIBRARY, citation
from tests.mesh_records import write_descriptors

FOLDER = Path(page_engine.__file__).parent
PAGE = FOLDER / "search_page.py"


@pytest.fixture(scope="module")
def settings(tmp_path_factory, encoder):
    path = tmp_path_factory.mktemp("ui") / "library"
    library = create_library(path, encoder)
    with library.writing():
        upsert(library, LIBRARY)
        embed_pending(library, encoder, Silent())
        publish(library, Silent())
    return Settings(path, path.parent, EncoderSettings(encoder.name))


@pytest.fixture
def page(settings, monkeypatch):
    for name, value in environment_values(settings).items():
        monkeypatch.setenv(name, value)
    return AppTest.from_file(str(PAGE), default_timeout=120)


def html(page):
    """What stands on the page below the head, as HTML."""
    assert not page.exception
    bodies = [element.proto.body.strip() for element in page.get("html")]
    return [body for body in bodies if not body.startswith(("<style>", '<div class="bg-head">'))]


def test_the_empty_page_offers_examples_and_says_what_it_holds(page):
    page.run()
    assert [button.label for button in page.button] == [
        f":gray[{example.language}] {example.text}" for example in EXAMPLES
    ]
    (about,) = html(page)
    assert "10 records · 1979 to 2021 · English 9, French 1 · encoder" in about
    assert [element.value for element in page.markdown] == []


def test_a_question_brings_papers_with_links(page):
    page.run()
    page.text_input(key="q").set_value("心筋梗塞後のリハビリ").run()
    count, hits = html(page)
    assert "records · " in count
    first = hits.split("</article>")[0]
    assert "Exercise-based cardiac rehabilitation after myocardial infarction." in first
    assert 'href="https://pubmed.ncbi.nlm.nih.gov/102/"' in first
    assert "J Small Rec. 2018" in first
    assert (
        '">Supervised training after a heart attack improved exercise capacity and survival.</span>' in first
    )


def test_an_address_with_a_question_opens_on_its_results(page):
    page.query_params["q"] = "tuberculosis"
    page.run()
    assert page.text_input(key="q").value == "tuberculosis"
    assert "<b>Tuberculosis</b> screening among migrants." in html(page)[1]


def test_an_example_asks_itself(page):
    page.run()
    page.button(key="example-0").click().run()
    assert page.text_input(key="q").value == EXAMPLES[0].text
    assert "Influenza vaccination" in html(page)[1]


def test_filters_narrow_the_results(page):
    page.query_params["q"] = "chute des personnes âgées"
    page.run()
    page.multiselect(key="language").set_value(["fr"]).run()
    assert html(page)[0].startswith('<p class="bg-count">1 record · French · ')
    page.multiselect(key="without").set_value(["retracted"]).run()
    assert html(page)[0].startswith('<p class="bg-count">1 record · French · without retracted · ')
    page.multiselect(key="without").set_value([])
    page.number_input(key="from").set_value(2000).run()
    (count,) = html(page)
    assert count.startswith('<p class="bg-count">0 records · 2000– · French · ')
    assert count.endswith(". Try other words, or fewer filters.</p>")


def test_the_mode_changes_what_is_found(page):
    page.query_params["q"] = "mammography"
    page.run()
    page.get("button_group")[0].set_value(Mode.LEXICAL).run()
    assert html(page)[0].startswith('<p class="bg-count">1 record · ')


def test_another_spelling_is_offered_and_taken(page):
    page.query_params["q"] = "tuberculosis screning"
    page.run()
    page.button(key="suggestion").click().run()
    assert page.text_input(key="q").value == "tuberculosis screening"


def test_results_are_sorted_on_request(page):
    page.query_params["q"] = "102 OR 103 OR 108[pmid]"
    page.run()
    page.selectbox(key="sort").set_value(Sort.DATE).run()
    titles = [part.split("</a>")[0] for part in html(page)[1].split("</article>")]
    assert [re.search(r"pubmed[^/]*/(\d+)/", title)[1] for title in titles[:3]] == ["108", "102", "103"]


def test_the_record_of_the_search_can_be_saved(page):
    page.query_params["q"] = "malaria[ti]"
    page.run()
    assert [button.label for button in page.get("download_button")] == ["Save the record of this search"]


def test_a_mistake_in_the_syntax_is_explained(page):
    page.query_params["q"] = "flu[tiab] AND (vaccine"
    page.run()
    (notice,) = html(page)
    assert "character 15" in notice


def test_a_query_that_cannot_be_is_explained(page):
    page.query_params["q"] = "x" * 10_001
    page.run()
    assert html(page) == [notice_html("the query has 10,001 characters, 10,000 are allowed")]


def test_a_missing_library_is_explained(monkeypatch, tmp_path):
    monkeypatch.setenv("BIOGLOT_LIBRARY", str(tmp_path / "none"))
    page = AppTest.from_file(str(PAGE), default_timeout=60).run()
    assert f"no library at {tmp_path / 'none'}" in html(page)[0]


def test_the_engine_is_opened_once(settings):
    assert page_engine.page_engine(settings) is page_engine.page_engine(settings)


def test_the_page_takes_the_headings_that_were_fetched(settings, tmp_path, monkeypatch):
    write_descriptors(tmp_path)
    fetch_mesh(tmp_path, Silent())
    monkeypatch.setattr(page_engine, "open_engine", lambda *_, mesh: mesh)
    assert page_engine.page_engine(replace(settings, home=tmp_path)).edition == "2026"


def test_no_page_module_hides_another():
    names = {file.stem for file in FOLDER.glob("*.py")} - {"__init__"}
    assert not names & (set(sys.stdlib_module_names) | {"app", "indexer", "models", "tests"})
    assert all("page" in name for name in names)


HOSTILE = '<script>alert("1")</script> *a* _b_ $x$ [c](javascript:d) & "e\''
ESCAPED = (
    "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; *a* _b_ $x$ [c](javascript:d) &amp; &quot;e&#x27;"
)


def hit(record, passage=None):
    return Hit(1, record.id, 1.0, record, passage, None, None)


def test_everything_from_a_record_is_escaped():
    record = citation(
        1,
        HOSTILE,
        (Section(HOSTILE, HOSTILE),),
        id=f"pmid:{HOSTILE}",
        vernacular_title=HOSTILE,
        languages=(HOSTILE,),
        authors=(Author(collective_name=HOSTILE),),
        journal=Journal(title=HOSTILE),
        article_ids=(ArticleId("doi", HOSTILE), ArticleId("pmc", HOSTILE)),
        other_abstracts=(OtherAbstract(HOSTILE, "", (Section(HOSTILE, HOSTILE),)),),
    )
    shown = hit_html(hit(record, Span(0, 30)))
    assert "<script" not in shown
    assert shown.count(ESCAPED) >= 10
    for url in [part.split('"')[0] for part in shown.split('href="')[1:]]:
        assert url.startswith("https://")
        assert "%3Cscript%3E" in url


def test_the_matched_passage_is_marked_unless_it_is_the_whole_abstract():
    record = citation(1, "T.", (Section("Alpha beta.", "AIM"), Section("Gamma.")))
    start = citation_text(record).index("beta.")
    assert '<span class="bg-label">AIM</span> Alpha <mark>beta.</mark></p>' in abstract_html(
        hit(record, Span(start, start + 5))
    )
    assert "<mark>" not in abstract_html(hit(record, Span(0, len(citation_text(record)))))
    assert abstract_html(hit(LIBRARY[4])) == ""


def test_evidence_is_shown_first_and_marked_in_the_abstract_with_its_words():
    record = citation(1, "Beta & <b>.", (Section("Alpha <b>bold</b> & beta. Gamma rays. Delta.", "AIM"),))
    text = citation_text(record)
    first, last, word = text.index("Alpha"), text.index("Delta"), text.rindex("beta")
    shown = hit_html(
        replace(
            hit(record, Span(0, len(text))),
            evidence=(
                Evidence(text.index("AIM"), text.index(" Gamma"), 0.9),
                Evidence(last, last + 6, 0.8),
            ),
            marks=(Span(0, 4), Span(word, word + 4)),
        )
    )
    assert text[first:last] == "Alpha <b>bold</b> & beta. Gamma rays. "
    alpha = "Alpha &lt;b&gt;bold&lt;/b&gt; &amp; <b>beta</b>."
    assert "<b>Beta</b> &amp; &lt;b&gt;.</a></h3>" in shown
    assert f'dir="auto">AIM: {alpha} … Delta.</span>' in shown
    assert f"</span> <mark>{alpha}</mark> Gamma rays. <mark>Delta.</mark></p>" in shown


def test_signals_are_badges_that_lead_to_the_notice():
    assert "Retracted" not in hit_html(hit(LIBRARY[0]))
    badge = '<span class="bg-badge bg-retracted" title="">Retracted</span>'
    assert badge in hit_html(hit(citation(1, publication_types=(Term("Retracted Publication"),))))
    notice = Correction("RetractionIn", "J <i>Inv</i>. 2021", "34/5")
    assert (
        '<a href="https://pubmed.ncbi.nlm.nih.gov/34%2F5/" target="_blank" rel="noopener noreferrer">'
        '<span class="bg-badge bg-retracted" title="J &lt;i&gt;Inv&lt;/i&gt;. 2021">Retracted</span></a>'
    ) in hit_html(hit(citation(1, corrections=(notice,))))


def test_other_records_of_the_article_are_linked():
    twins = replace(hit(LIBRARY[0]), duplicates=("pmid:7/8", "<b>9"))
    assert (
        '<p class="bg-facts">Also as <a href="https://pubmed.ncbi.nlm.nih.gov/7%2F8/" target="_blank" '
        'rel="noopener noreferrer">PMID 7/8</a> &lt;b&gt;9</p>'
    ) in hit_html(twins)
    assert "Also as" not in hit_html(hit(LIBRARY[0]))


def test_every_signal_has_a_name_and_a_colour():
    assert set(SIGNAL_NAMES) == set(SignalKind)
    assert [kind for kind in SignalKind if f".bg-{kind}" not in STYLE] == []


def test_text_of_any_direction_is_left_to_the_browser_and_its_language_told():
    shown = hit_html(hit(citation(1, "[Fasting.]", vernacular_title="الصيام", languages=("ar",))))
    assert '<p class="bg-vernacular" dir="auto" lang="ar">الصيام</p>' in shown
    assert '<span class="bg-badge">Arabic</span>' in shown
