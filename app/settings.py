"""Settings, built once at the edge from a file, the environment and flags, in that order."""

import difflib
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from models.encoder import EncoderSettings
from models.errors import UsageError
from models.home import data_home
from models.loading import PRECISIONS

FILE_NAME = "bioglot.toml"


class SettingsError(UsageError):
    """A setting has a value or a name that cannot be."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What every command needs to know.

    library: folder of the library to search or to write.
    home: folder under which bioglot keeps its own data (the sample, the demo library).
    encoder: None if nothing chose one: a library then keeps its own, a new one takes the default.
    port: None for the default of the server in question.
    runs: where training runs are recorded, an address of MLflow or a folder; "" is the home.
    """

    library: Path
    home: Path
    encoder: EncoderSettings | None = None
    host: str = "127.0.0.1"
    port: int | None = None
    runs: str = ""

    @property
    def runs_store(self) -> str:
        return self.runs or str(self.home)

    @property
    def chosen_encoder(self) -> EncoderSettings:
        return self.encoder or EncoderSettings()


@dataclass(frozen=True, slots=True)
class Setting:
    """One key: where it may be given and what it must be. `read` raises ValueError for a wrong value."""

    section: str
    name: str
    expected: str
    read: Callable[[object], object]

    @property
    def key(self) -> str:
        return f"{self.section}.{self.name}" if self.section else self.name

    @property
    def variable(self) -> str:
        return f"BIOGLOT_{self.name.upper()}"


def load_settings(
    environment: Mapping[str, str], flags: Mapping[str, object] | None = None, folder: Path | None = None
) -> Settings:
    """Settings from the file, overridden by the environment, overridden by flags that are not None.

    The file is the one that BIOGLOT_CONFIG names, else bioglot.toml in `folder` (the current one), if any.
    A relative library in the file starts from the file's folder, and so does a relative folder of runs.
    Raises SettingsError.
    """
    values = _file_values(environment, folder or Path.cwd())
    values |= _environment_values(environment)
    values |= _flag_values(flags or {})
    home = data_home(environment)
    chosen = {
        name: values[name] for name in ("model", "dimensions", "max_tokens", "precision") if name in values
    }
    others = {name: values[name] for name in ("host", "port", "runs") if name in values}
    return Settings(
        library=Path(cast(str | Path, values.get("library", home / "library"))).expanduser(),
        home=home,
        encoder=EncoderSettings(**chosen) if chosen else None,  # type: ignore[arg-type]
        **others,  # type: ignore[arg-type]
    )


def environment_values(settings: Settings) -> dict[str, str]:
    """The environment variables from which load_settings gives these settings again."""
    encoder = settings.encoder
    values: dict[str, object | None] = {
        "library": settings.library.absolute(),
        "host": settings.host,
        "port": settings.port,
        "model": encoder and encoder.model,
        "dimensions": encoder and encoder.dimensions,
        "max_tokens": encoder and encoder.max_tokens,
        "precision": encoder and encoder.precision,
        "runs": settings.runs or None,
    }
    variables = {SETTINGS[name].variable: str(value) for name, value in values.items() if value is not None}
    return variables | {"BIOGLOT_HOME": str(settings.home.absolute())}


def _file_values(environment: Mapping[str, str], folder: Path) -> dict[str, object]:
    named = environment.get("BIOGLOT_CONFIG")
    path = Path(named).expanduser() if named else folder / FILE_NAME
    if not named and not path.is_file():
        return {}
    values = dict(_checked_items(path, _parse_file(path)))
    if "library" in values:
        values["library"] = path.parent / Path(str(values["library"])).expanduser()
    if "://" not in str(values.get("runs", "://")):
        values["runs"] = str(path.parent / Path(str(values["runs"])).expanduser())
    return values


def _parse_file(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"{path}: cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: not valid TOML: {error}") from None


def _checked_items(path: Path, document: dict[str, object]) -> Iterator[tuple[str, object]]:
    """Name and value of every setting in the file; refuses keys that are none."""
    known = {setting.key: setting for setting in SETTINGS.values()}
    for key, value in _flat_items(document):
        if key not in known:
            nearest = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
            hint = f"did you mean {nearest[0]}?" if nearest else f"the keys are {', '.join(known)}"
            raise SettingsError(f"{path}: unknown key {key}; {hint}")
        yield known[key].name, _checked(known[key], value, f"{path}: {key}")


def _flat_items(document: dict[str, object]) -> Iterator[tuple[str, object]]:
    for key, value in document.items():
        if isinstance(value, dict):
            yield from ((f"{key}.{name}", inner) for name, inner in value.items())
        else:
            yield key, value


def _environment_values(environment: Mapping[str, str]) -> dict[str, object]:
    values = {}
    for name, setting in SETTINGS.items():
        if text := environment.get(setting.variable):
            value: object = int(text) if text.isascii() and text.isdigit() else text
            values[name] = _checked(setting, value, setting.variable)
    return values


def _flag_values(flags: Mapping[str, object]) -> dict[str, object]:
    return {
        name: _checked(SETTINGS[name], value, f"--{name.replace('_', '-')}")
        for name, value in flags.items()
        if value is not None
    }


def _checked(setting: Setting, value: object, place: str) -> object:
    try:
        return setting.read(value)
    except ValueError:
        raise SettingsError(f"{place} is {value!r}, expected {setting.expected}") from None


def _text(value: object) -> object:
    """Text that is not empty; a number is taken for text, since the environment cannot tell them apart."""
    if isinstance(value, bool) or not isinstance(value, str | int | Path) or not str(value).strip():
        raise ValueError
    return str(value)


def _precision(value: object) -> object:
    if value not in PRECISIONS:
        raise ValueError
    return value


def _whole_number(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError
    return value


def _positive(value: object) -> object:
    if _whole_number(value) < 1:
        raise ValueError
    return value


def _port(value: object) -> object:
    if not 0 <= _whole_number(value) <= 65535:
        raise ValueError
    return value


SETTINGS = {
    setting.name: setting
    for setting in (
        Setting("", "library", "the path of a folder", _text),
        Setting("encoder", "model", "a preset, a local folder or a hub name", _text),
        Setting("encoder", "dimensions", "a whole number above 0", _positive),
        Setting("encoder", "max_tokens", "a whole number above 0", _positive),
        Setting("encoder", "precision", f"one of {', '.join(PRECISIONS)}", _precision),
        Setting("training", "runs", "a folder or an address of MLflow", _text),
        Setting("server", "host", "a host name or an IP address", _text),
        Setting("server", "port", "a whole number from 0 to 65535", _port),
    )
}
