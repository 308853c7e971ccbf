"""Settings from file, environment and flags."""

from pathlib import Path

import pytest

from app.settings import SETTINGS, Settings, SettingsError, environment_values, load_settings
from models.encoder import EncoderSettings

HOME = {"BIOGLOT_HOME": "/somewhere/bioglot"}


def write(folder, text):
    (folder / "bioglot.toml").write_text(text, encoding="utf-8")


def test_with_nothing_given_the_defaults_hold(tmp_path):
    settings = load_settings(HOME, folder=tmp_path)
    assert settings == Settings(library=Path("/somewhere/bioglot/library"), home=Path("/somewhere/bioglot"))
    assert settings.host == "127.0.0.1"
    assert settings.encoder is None
    assert settings.chosen_encoder == EncoderSettings()


def test_home_follows_the_desktop_convention(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.platform", "linux")
    assert load_settings({"XDG_DATA_HOME": "/data"}, folder=tmp_path).home == Path("/data/bioglot")


def test_the_file_gives_every_setting(tmp_path):
    write(
        tmp_path,
        'library = "中文"\n[encoder]\nmodel = "bge-m3"\ndimensions = 256\nmax_tokens = 512\n'
        'precision = "float32"\n[server]\nhost = "0.0.0.0"\nport = 9000\n',
    )
    assert load_settings(HOME, folder=tmp_path) == Settings(
        library=tmp_path / "中文",
        home=Path("/somewhere/bioglot"),
        encoder=EncoderSettings("bge-m3", 256, 512, "float32"),
        host="0.0.0.0",
        port=9000,
    )


def test_flags_override_the_environment_which_overrides_the_file(tmp_path):
    write(tmp_path, '[encoder]\nmodel = "from-file"\ndimensions = 64\nmax_tokens = 100\n')
    environment = HOME | {"BIOGLOT_MODEL": "from-environment", "BIOGLOT_DIMENSIONS": "128"}
    settings = load_settings(environment, {"model": "from-flag", "dimensions": None}, folder=tmp_path)
    assert settings.encoder == EncoderSettings("from-flag", 128, 100)


def test_a_named_file_is_used_and_must_exist(tmp_path):
    path = tmp_path / "other.toml"
    path.write_text('library = "here"', encoding="utf-8")
    assert load_settings({"BIOGLOT_CONFIG": str(path)}).library == tmp_path / "here"
    with pytest.raises(SettingsError) as caught:
        load_settings({"BIOGLOT_CONFIG": str(tmp_path / "none.toml")})
    assert str(caught.value) == f"{tmp_path / 'none.toml'}: cannot be read: No such file or directory"


def test_runs_are_kept_in_the_home_unless_a_folder_or_an_address_is_named(tmp_path):
    assert load_settings(HOME, folder=tmp_path).runs_store == "/somewhere/bioglot"
    write(tmp_path, '[training]\nruns = "実行"\n')
    assert load_settings(HOME, folder=tmp_path).runs_store == str(tmp_path / "実行")
    write(tmp_path, '[training]\nruns = "http://runs.example:5000"\n')
    assert load_settings(HOME, folder=tmp_path).runs_store == "http://runs.example:5000"
    environment = HOME | {"BIOGLOT_RUNS": "sqlite:///elsewhere.db"}
    assert load_settings(environment, folder=tmp_path).runs_store == "sqlite:///elsewhere.db"


def test_an_empty_variable_counts_as_not_given(tmp_path):
    assert load_settings(HOME | {"BIOGLOT_MODEL": ""}, folder=tmp_path).encoder is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[encoder]\ndimensions = 'big'", "encoder.dimensions is 'big', expected a whole number above 0"),
        ("[encoder]\ndimensions = 0", "encoder.dimensions is 0, expected a whole number above 0"),
        ("[encoder]\nmax_tokens = true", "encoder.max_tokens is True, expected a whole number above 0"),
        (
            "[encoder]\nprecision = 'int8'",
            "encoder.precision is 'int8', expected one of auto, float32, bfloat16, float16",
        ),
        ("[server]\nport = 70000", "server.port is 70000, expected a whole number from 0 to 65535"),
        ("library = ''", "library is '', expected the path of a folder"),
        ("[encoder]\nmodle = 'e5-small'", "unknown key encoder.modle; did you mean encoder.model?"),
        ("model = 'e5-small'", "unknown key model; did you mean encoder.model?"),
        (
            "colour = 'red'",
            "unknown key colour; the keys are library, encoder.model, encoder.dimensions, "
            "encoder.max_tokens, encoder.precision, training.runs, server.host, server.port",
        ),
    ],
)
def test_a_wrong_file_is_named_with_key_and_value(tmp_path, text, message):
    write(tmp_path, text)
    with pytest.raises(SettingsError) as caught:
        load_settings(HOME, folder=tmp_path)
    assert str(caught.value) == f"{tmp_path / 'bioglot.toml'}: {message}"
    assert caught.value.exit_code == 2


def test_a_file_that_is_not_toml_says_where(tmp_path):
    write(tmp_path, "[encoder\n")
    with pytest.raises(SettingsError, match=r"bioglot.toml: not valid TOML: .*line 1"):
        load_settings(HOME, folder=tmp_path)


@pytest.mark.parametrize(
    ("variable", "value", "expected"),
    [
        ("BIOGLOT_PORT", "'eighty'", "a whole number from 0 to 65535"),
        ("BIOGLOT_DIMENSIONS", "'-3'", "a whole number above 0"),
        ("BIOGLOT_PRECISION", "'half'", "one of auto, float32, bfloat16, float16"),
    ],
)
def test_a_wrong_variable_is_named(tmp_path, variable, value, expected):
    with pytest.raises(SettingsError) as caught:
        load_settings(HOME | {variable: value.strip("'")}, folder=tmp_path)
    assert str(caught.value) == f"{variable} is {value}, expected {expected}"


def test_every_variable_is_the_name_of_its_setting_in_capitals():
    assert [setting.variable for setting in SETTINGS.values()] == [
        "BIOGLOT_LIBRARY",
        "BIOGLOT_MODEL",
        "BIOGLOT_DIMENSIONS",
        "BIOGLOT_MAX_TOKENS",
        "BIOGLOT_PRECISION",
        "BIOGLOT_RUNS",
        "BIOGLOT_HOST",
        "BIOGLOT_PORT",
    ]


@pytest.mark.parametrize("encoder", [None, EncoderSettings("e5-base", 128, 256, "float16")])
def test_settings_travel_through_the_environment(tmp_path, encoder):
    settings = Settings(tmp_path / "бібліотека", tmp_path, encoder, "::1", 8123, "записи")
    assert load_settings(environment_values(settings), folder=tmp_path) == settings


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ({"max_tokens": 0}, "--max-tokens is 0, expected a whole number above 0"),
        ({"precision": "half"}, "--precision is 'half', expected one of auto, float32, bfloat16, float16"),
        ({"port": 70000}, "--port is 70000, expected a whole number from 0 to 65535"),
    ],
)
def test_a_wrong_flag_is_named(tmp_path, flags, message):
    with pytest.raises(SettingsError) as caught:
        load_settings(HOME, flags, folder=tmp_path)
    assert str(caught.value) == message
