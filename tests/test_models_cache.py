from pathlib import Path

from models.cache import cache_folder


def test_own_variable_first_then_xdg_then_home(monkeypatch):
    monkeypatch.setenv("HOME", "/home/ada")
    monkeypatch.delenv("BIOGLOT_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert cache_folder() == Path("/home/ada/.cache/bioglot")
    monkeypatch.setenv("XDG_CACHE_HOME", "/var/cache")
    assert cache_folder() == Path("/var/cache/bioglot")
    monkeypatch.setenv("BIOGLOT_CACHE", "~/models")
    assert cache_folder() == Path("/home/ada/models")
