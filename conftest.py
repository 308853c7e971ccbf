"""With BIOGLOT_NO_SKIP=1 a skipped test fails the run: continuous integration has all that tests need."""

import os

import pytest


def pytest_terminal_summary(terminalreporter: "pytest.TerminalReporter") -> None:
    """Names the reason of the failure at the end."""
    if _forbidden_skips(terminalreporter):
        terminalreporter.section("skipped, and BIOGLOT_NO_SKIP=1 allows none", red=True)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Turns a run that passed with skips into a failed one."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and _forbidden_skips(reporter) and session.exitstatus == 0:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _forbidden_skips(reporter: "pytest.TerminalReporter") -> int:
    return len(reporter.stats.get("skipped", [])) if os.environ.get("BIOGLOT_NO_SKIP") == "1" else 0
