"""The search page; Streamlit runs this file anew at every change of a widget."""

import os
import re
from dataclasses import replace

import streamlit as st

from app.engine import SearchEngine
from app.query import Filters, Mode, Query, Sort
from app.reading import SIGNAL_NAMES, language_name
from app.record import methods, record_json
from app.settings import load_settings
from app.ui.page_engine import page_engine
from app.ui.page_examples import EXAMPLES
from app.ui.page_results import about_html, about_text, count_html, notice_html, results_html
from app.ui.page_style import STYLE
from indexer.published import LibraryInfo
from indexer.signals import SignalKind
from models.errors import BioglotError

PAGE = 10
# Signs that a label of Streamlit might read as formatting. (A string here would be shown on the page.)
MARKDOWN = re.compile(r"[^\w\s]")
MOST = 200

SORTS = {
    Sort.RELEVANCE: "Relevance",
    Sort.DATE: "Newest first",
    Sort.AUTHOR: "First author",
    Sort.JOURNAL: "Journal",
}

MODES = {Mode.HYBRID: "Meaning and words", Mode.DENSE: "Meaning", Mode.LEXICAL: "Words"}

PUBLICATION_TYPES = (
    "Review",
    "Systematic Review",
    "Meta-Analysis",
    "Randomized Controlled Trial",
    "Clinical Trial",
    "Observational Study",
    "Practice Guideline",
    "Case Reports",
    "Comparative Study",
    "Letter",
    "Editorial",
)


def show_page() -> None:
    """Draws the page from top to bottom."""
    st.set_page_config(
        page_title="bioglot", page_icon="🔎", layout="centered", menu_items={"About": about_text()}
    )
    st.html(STYLE)
    st.html(
        '<div class="bg-head"><h1 class="bg-name">bioglot</h1>'
        '<p class="bg-tagline">the biomedical literature, in any language</p></div>'
    )
    try:
        engine = page_engine(load_settings(os.environ))
        info = engine.info()
        question = ask(info)
        if question is not None:
            show_results(engine, question)
        else:
            show_examples(info)
    except BioglotError as error:
        st.html(notice_html(str(error)))


def ask(info: LibraryInfo) -> Query | None:
    """The box, the mode, the filters and the order; all of them stand in the page's address too."""
    text = st.text_input(
        "Search",
        key="q",
        type="search",
        placeholder="Ask in any language",
        label_visibility="collapsed",
        bind="query-params",
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        mode = st.segmented_control(
            "Search by",
            list(MODES),
            default=Mode.HYBRID,
            required=True,
            format_func=MODES.__getitem__,
            key="mode",
            label_visibility="collapsed",
            bind="query-params",
        )
        with st.popover("Filters"):
            filters = choose_filters(info)
            sort = st.selectbox(
                "Sort by", list(Sort), format_func=SORTS.__getitem__, key="sort", bind="query-params"
            )
    if not (text or "").strip():
        return None
    return Query(text, mode or Mode.HYBRID, filters, limit=PAGE, sort=sort or Sort.RELEVANCE)


def choose_filters(info: LibraryInfo) -> Filters:
    """The filters that the visitor sets."""
    first, last = info.years or (1800, 2100)
    since, until = st.columns(2)
    from_year = since.number_input(
        "From year", first, last, None, 1, key="from", placeholder=str(first), bind="query-params"
    )
    to_year = until.number_input(
        "To year", first, last, None, 1, key="to", placeholder=str(last), bind="query-params"
    )
    languages = sorted(info.languages, key=lambda tag: (-info.languages[tag], tag))
    return Filters(
        years=(from_year, to_year),
        languages=tuple(
            st.multiselect(
                "Language", languages, format_func=language_name, key="language", bind="query-params"
            )
        ),
        publication_types=tuple(
            st.multiselect(
                "Publication type",
                PUBLICATION_TYPES,
                key="type",
                accept_new_options=True,
                bind="query-params",
            )
        ),
        journals=tuple(
            st.multiselect(
                "Journal",
                (),
                key="journal",
                accept_new_options=True,
                placeholder="Title or abbreviation",
                bind="query-params",
            )
        ),
        without=choose_signals(),
    )


def choose_signals() -> tuple[SignalKind, ...]:
    """The signals of papers to leave out."""
    chosen = st.multiselect(
        "Leave out",
        list(SignalKind),
        format_func=SIGNAL_NAMES.__getitem__,
        key="without",
        bind="query-params",
    )
    return tuple(chosen)


def show_results(engine: SearchEngine, question: Query) -> None:
    """The hits, at first without evidence since it takes longer, and a button for more of them."""
    new = st.session_state.get("question") != question
    if new:
        st.session_state["question"] = question
        st.session_state["shown"] = PAGE
    page = engine.search(replace(question, limit=st.session_state["shown"]))
    st.html(count_html(page))
    if page.suggestion is not None:
        label = MARKDOWN.sub(r"\\\g<0>", page.suggestion)
        st.button(f"Did you mean: {label}", key="suggestion", on_click=put_text, args=(page.suggestion,))
    hits = st.empty()
    if page.hits:
        if new:
            hits.html(results_html(page))
        hits.html(results_html(engine.explain(page, len(page.hits))))
    if len(page.hits) < min(page.total, MOST):
        st.button("Show more", key="more", on_click=show_more)
    if page.record is not None:
        st.download_button(
            "Save the record of this search",
            record_json(page.record),
            "search.json",
            "application/json",
            key="record",
            help=methods(page.record),
            on_click="ignore",
        )


def show_more() -> None:
    """Ten more hits."""
    st.session_state["shown"] = min(st.session_state["shown"] + PAGE, MOST)


def show_examples(info: LibraryInfo) -> None:
    """Questions to try, and what the library holds."""
    st.caption("Try one of these")
    with st.container(horizontal=True, gap="xsmall"):
        for number, example in enumerate(EXAMPLES):
            label = f":gray[{example.language}] {example.text}"
            st.button(label, key=f"example-{number}", on_click=put_text, args=(example.text,))
    st.html(about_html(info))


def put_text(text: str) -> None:
    """Puts a text into the box."""
    st.session_state["q"] = text


show_page()
