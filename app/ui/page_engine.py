"""The engine that every visitor of the page shares."""

from pathlib import Path

import streamlit as st

from app.engine import SearchEngine, open_engine
from app.settings import Settings
from indexer.mesh import read_mesh
from models.encoder import EncoderSettings


def page_engine(settings: Settings) -> SearchEngine:
    """The engine over the settings' library, opened once in this process."""
    encoder = settings.encoder
    chosen = None
    if encoder is not None:
        chosen = (encoder.model, encoder.dimensions, encoder.max_tokens, encoder.precision)
    return _open(str(settings.library.absolute()), str(settings.home.absolute()), chosen)


@st.cache_resource(show_spinner="Opening the library …")
def _open(library: str, home: str, encoder: tuple[str, int | None, int | None, str] | None) -> SearchEngine:
    chosen = EncoderSettings(*encoder) if encoder else None
    return open_engine(Path(library), chosen, mesh=read_mesh(Path(home)))
