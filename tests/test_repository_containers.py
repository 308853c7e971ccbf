"""Dockerfile and compose file name paths and commands that exist; no Docker engine is needed to know."""

import json

import pytest
import yaml

from tests.repository import PACKAGES, ROOT, check_command_line, project


def docker_stages() -> dict[str, list[tuple[str, str]]]:
    """Instructions of each named stage of the Dockerfile, in order."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    stages: dict[str, list[tuple[str, str]]] = {"": []}
    stage = ""
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        word, _, rest = line.partition(" ")
        if word == "FROM":
            stage = rest.split(" AS ")[1]
            stages[stage] = []
        stages[stage].append((word, rest.strip()))
    return stages


def docker_command(stage: str) -> list[str]:
    """What a container of the stage runs."""
    given = dict(docker_stages()[stage])
    words = json.loads(given["ENTRYPOINT"]) + json.loads(given["CMD"])
    assert words[0] == "bioglot"
    return words[1:]


def test_dockerfile_copies_what_exists_and_what_is_not_ignored() -> None:
    allowed = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    copied = [rest.split()[:-1] for word, rest in docker_stages()["build"] if word == "COPY"]
    names = {name.removeprefix("./") for group in copied for name in group}
    described = project()
    assert names == {"pyproject.toml", described["readme"], *described["license-files"], *PACKAGES}
    for name in names:
        assert (ROOT / name).exists()
        assert f"!{name}" in allowed


@pytest.mark.parametrize("stage", ["index", "server"])
def test_dockerfile_runs_commands_that_exist(stage: str) -> None:
    check_command_line(docker_command(stage))
    assert docker_stages()[stage][0][1].startswith("base ")
    assert ("USER", "bioglot") in docker_stages()["base"]


def test_dockerfile_asks_for_health_where_the_server_listens() -> None:
    server = dict(docker_stages()["server"])
    port = docker_command("server")[docker_command("server").index("--port") + 1]
    assert server["EXPOSE"] == port
    assert f"http://127.0.0.1:{port}/health" in server["HEALTHCHECK"]
    assert '"/health"' in (ROOT / "app/api/service.py").read_text(encoding="utf-8")


def test_compose_file_fits_the_dockerfile() -> None:
    compose = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    for service in compose["services"].values():
        stage = service["build"]["target"]
        entry = json.loads(dict(docker_stages()[stage])["ENTRYPOINT"])
        check_command_line([*entry, *service["command"]][1:])
        for volume in service["volumes"]:
            source = volume.split(":")[0]
            assert source.startswith("./") or source in compose["volumes"]
    port = docker_command("server")[-1]
    assert compose["services"]["server"]["ports"] == [f"127.0.0.1:{port}:{port}"]
