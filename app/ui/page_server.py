"""The search page and the API in one process, over one engine."""

import os
from pathlib import Path

from fastapi import FastAPI

from app.api.service import create_app
from app.settings import Settings, environment_values

SCRIPT = Path(__file__).with_name("page_menu.py")

OPTIONS: dict[str, object] = {
    "browser.gatherUsageStats": False,
    "client.showErrorDetails": "none",
    "client.toolbarMode": "minimal",
    "logger.level": "error",
    "server.fileWatcherType": "none",
    "server.headless": True,
    "server.maxUploadSize": 1,
    # Streamlit asks an outside server for this machine's address to check where a connection comes from;
    # app.api.guard checks it without that.
    "server.enableCORS": False,
    "server.enableXsrfProtection": False,
    "theme.baseRadius": "0.6rem",
    "theme.light.primaryColor": "#0f766e",
    "theme.light.backgroundColor": "#fdfdfc",
    "theme.light.secondaryBackgroundColor": "#f3f5f4",
    "theme.light.textColor": "#1c2526",
    "theme.light.linkColor": "#0b5d74",
    "theme.dark.primaryColor": "#2dd4bf",
    "theme.dark.backgroundColor": "#111718",
    "theme.dark.secondaryBackgroundColor": "#1b2426",
    "theme.dark.textColor": "#e4eae9",
    "theme.dark.linkColor": "#7dd3e8",
}


def page_app(settings: Settings) -> FastAPI:
    """The page at the root and the API beside it; the library is opened first, so that a fault stops it here.

    The page script takes its settings from the environment, which this sets.
    """
    from streamlit.starlette import App
    from streamlit.web import bootstrap

    from app.ui.page_engine import page_engine

    bootstrap.load_config_options(OPTIONS)
    os.environ.update(environment_values(settings))
    page = App(SCRIPT)
    app = create_app(page_engine(settings), lifespan=page.lifespan())
    app.mount("/", page)
    return app
