"""The repository keeps its promises: layout, sizes, imports, and what must not be in it."""

import ast
import importlib.metadata
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repository import FILES, PACKAGED, PACKAGES, ROOT, SOURCES, name_of, project

HOSTS = {
    *("localhost", "127.0.0.1"),
    *("www.apache.org", "doi.org", "arxiv.org", "keepachangelog.com", "semver.org", "glottolog.org"),
    *("pubmed.ncbi.nlm.nih.gov", "pmc.ncbi.nlm.nih.gov", "www.ncbi.nlm.nih.gov", "orcid.org"),
    *(
        "ftp.ncbi.nlm.nih.gov",
        "download.pytorch.org",
        "huggingface.co",
        "nlmpubs.nlm.nih.gov",
        "www.nlm.nih.gov",
    ),
    *("europepmc.org", "openalex.org", "docs.openalex.org"),
    *(
        "www.w3.org",
        "www.nlm.nih.gov",
        "dtd.nlm.nih.gov",
        "clinicaltrials.gov",
        "id.nlm.nih.gov",
        "meshb.nlm.nih.gov",
    ),
}
"""Hosts that the project names on purpose; examples in tests end in .example or .invalid."""

HEAVY = (
    "torch",
    "faiss",
    "lance",
    "streamlit",
    "sentence_transformers",
    "transformers",
    "openvino",
    "ray",
    "mlflow",
)


def test_continuous_integration_runs_what_developers_run() -> None:
    script = (ROOT / ".ci/run").read_text(encoding="utf-8")
    assert os.access(ROOT / ".ci/run", os.X_OK)
    assert "set -euo pipefail" in script
    assert script.splitlines()[-2:] == ["BIOGLOT_NO_SKIP=1 make test", "make check"]


def test_only_known_hosts_are_named() -> None:
    found = {}
    for file in FILES:
        try:
            text = file.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        for host in re.findall(r"https?://([\w.-]+)", text):
            if host not in HOSTS and not host.endswith((".example", ".invalid")) and "." in host:
                found.setdefault(host, name_of(file))
    assert found == {}


def test_files_are_small() -> None:
    large = [name_of(file) for file in FILES if file.stat().st_size > 1_000_000]
    assert [name for name in large if not name.startswith("models/weights/")] == []
    code = [file for file in SOURCES if not name_of(file).startswith("tests/")]
    long = [name_of(file) for file in code if len(file.read_text(encoding="utf-8").splitlines()) > 300]
    assert long == []


@pytest.mark.parametrize("package", PACKAGES)
def test_functions_are_short(package: str) -> None:
    long = []
    for file in PACKAGED:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or 0) - node.lineno + 1
                if name_of(file).startswith(f"{package}/") and length > 40:
                    long.append(f"{name_of(file)}: {node.name} has {length} lines")
    assert long == []


def test_tests_are_flat() -> None:
    inner = [name_of(file) for file in SOURCES if len(file.relative_to(ROOT).parts) > 2 and file.parts[-2:]]
    assert [name for name in inner if name.startswith("tests/")] == []
    assert not (ROOT / "tests/__init__.py").exists()


def test_page_scripts_shadow_no_module() -> None:
    """Streamlit puts the folder of its script first on the path."""
    names = {file.stem for file in (ROOT / "app/ui").glob("*.py")} - {"__init__"}
    installed = set(importlib.metadata.packages_distributions())
    assert names & (installed | set(sys.stdlib_module_names) | set(PACKAGES)) == set()


def test_nothing_unpickles_or_runs_code_of_models() -> None:
    for file in PACKAGED:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                assert not {name.name for name in node.names} & {"pickle", "joblib", "marshal", "shelve"}
            if isinstance(node, ast.keyword) and node.arg in ("trust_remote_code", "allow_pickle"):
                assert isinstance(node.value, ast.Constant) and node.value.value is False, name_of(file)


def test_every_import_is_of_a_declared_dependency() -> None:
    always = distributions(project()["dependencies"])
    extras = {name: distributions(found) for name, found in project()["optional-dependencies"].items()}
    owners = importlib.metadata.packages_distributions()
    for file in PACKAGED:
        declared = always | extras.get(EXTRAS.get(file.parent.name, ""), set())
        for name in sorted(imported_names(file) - set(sys.stdlib_module_names) - set(PACKAGES)):
            assert {plain(owner) for owner in owners.get(name, [])} & declared, f"{name_of(file)}: {name}"


EXTRAS = {"evaluation": "evaluation", "training": "training", "runs": "training"}
"""Folders of code that needs more than the bare installation, and the extra that each may use."""


def distributions(requirements: list[str]) -> set[str]:
    return {plain(re.match(r"[\w-]+", item)[0]) for item in requirements}


def plain(name: str) -> str:
    return name.lower().replace("_", "-")


def imported_names(file: Path) -> set[str]:
    """Top-level names of the modules that a file imports."""
    names = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {name.name.partition(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.partition(".")[0])
    return names


PAGE = ("app.ui.page_engine", "app.ui.page_menu", "app.ui.runs_page", "app.ui.search_page")
"""What Streamlit runs as a script, and what only that script imports at its top."""

IMPORT_ALL = """
import importlib, json, logging, os, sys, threading, warnings
before = dict(os.environ), list(warnings.filters), threading.active_count()
for name in json.loads(sys.argv[1]):
    importlib.import_module(name)
after = dict(os.environ), list(warnings.filters), threading.active_count()
print(json.dumps({
    "environment": before[0] == after[0],
    "threads": before[2] == after[2],
    "logging": not logging.getLogger().handlers,
    "heavy": [name for name in json.loads(sys.argv[2]) if name in sys.modules],
}))
"""


TORCH = {
    "models.training.trainer",
    "models.training.optimizers",
    "models.training.objectives.distill",
    "models.training.objectives.contrastive",
}
"""Classes of torch's kind: imported by the functions that need them, as torch is."""


def test_importing_every_module_does_nothing_else() -> None:
    names = (".".join(file.relative_to(ROOT).with_suffix("").parts) for file in PACKAGED)
    modules = [name.removesuffix(".__init__") for name in names if name not in (*PAGE, *TORCH)]
    done = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL, json.dumps(modules), json.dumps(HEAVY)],
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
    assert json.loads(done.stdout) == {"environment": True, "threads": True, "logging": True, "heavy": []}


def test_help_imports_no_server_and_no_index() -> None:
    code = "import sys, app.cli.main; print([name for name in sys.argv[1:] if name in sys.modules])"
    names = [*HEAVY, "numpy", "pyarrow", "fastapi", "lxml", "rich"]
    done = subprocess.run([sys.executable, "-c", code, *names], check=True, capture_output=True, text=True)
    assert done.stdout == "[]\n"
