"""The pages of the site; Streamlit runs this file anew at every change of a widget."""

import os

import streamlit as st

from app.runs.reading import any_runs
from app.settings import load_settings


def show_menu() -> None:
    """Runs the chosen page; the others are offered where there are training runs to see."""
    pages = [
        st.Page("search_page.py", title="Search", default=True),
        st.Page("runs_page.py", title="Training runs", url_path="runs"),
    ]
    offered = any_runs(load_settings(os.environ).runs_store)
    st.navigation(pages, position="top" if offered else "hidden").run()


show_menu()
