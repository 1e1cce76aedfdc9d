"""Variables in values, and the providers that know them: Kafka's ``config.providers`` (KIP-297).

``${NAME:KEY}`` or ``${NAME:PATH:KEY}`` in a value stands for what the provider ``NAME`` knows:
variables of the environment, keys of properties files, or whole files of a directory. As in Kafka
a variable that nobody knows stays in the value as it is written, and a value that a provider gave
is not searched for variables again. What a provider gave may be a secret: ``Resolved.hide`` takes
it out of messages.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final, Protocol

from attrs import define, field, frozen
from javaproperties import InvalidUEscapeError, PropertiesFile

from metaquorum.config.key import BadValue
from metaquorum.config.properties import MAX_PROPERTIES_BYTES

PROVIDERS_KEY: Final = "config.providers"
_PACKAGE: Final = "org.apache.kafka.common.config.provider."
_ENVIRONMENT: Final = _PACKAGE + "EnvVarConfigProvider"
_FILE: Final = _PACKAGE + "FileConfigProvider"
_DIRECTORY: Final = _PACKAGE + "DirectoryConfigProvider"

# The names that Strimzi gives them; they count without a class, too.
_STRIMZI_NAMES: Final = {
    "strimzienv": _ENVIRONMENT,
    "strimzifile": _FILE,
    "strimzidir": _DIRECTORY,
}
# Strimzi writes them into every file, whether a value needs them or not.
_OF_KUBERNETES: Final = (
    "io.strimzi.kafka.KubernetesConfigMapConfigProvider",
    "io.strimzi.kafka.KubernetesSecretConfigProvider",
)

_VARIABLE: Final = re.compile(r"\$\{([^}]*?):(?:([^}]*?):)?([^}]*?)\}")
_SHORTEST_SECRET: Final = 4  # signs; shorter values would blank out half a message

_Params = Mapping[str, str]


class _Provider(Protocol):
    def get(self, path: str, key: str) -> str | None:
        """The value of a key, None if there is none; BadValue if it cannot be read."""


@frozen
class _Found:
    """What a provider gave for a variable of a key's value."""

    key: str
    variable: str
    value: str = field(repr=False)


@frozen
class Resolved:
    """Properties whose variables have given way to values."""

    values: dict[str, str] = field(repr=False)
    warnings: tuple[str, ...] = ()
    _found: tuple[_Found, ...] = field(default=(), repr=False)

    def hide(self, message: str) -> str:
        """The message with variables in place of the values that providers gave.

        Only values of keys that the message names: others are not what it is about.
        """
        for one in self._found:
            if one.key in message or _without_listener(one.key) in message:
                message = _hidden(message, one)
        return message


def resolve(properties: Mapping[str, str], environ: Mapping[str, str] | None = None) -> Resolved:
    """Every value with its variables resolved.

    ``environ`` None stands for that of the process. BadValue, which begins with the key, for a
    provider of a class that is not known, and where Kafka's provider fails: a file that cannot be
    read, an environment variable with a path, a bad parameter.
    """
    if not properties.get(PROVIDERS_KEY):
        return Resolved(dict(properties))
    resolving = _Resolving(_providers(properties, os.environ if environ is None else environ))
    values = {key: resolving.value_of(key, text) for key, text in properties.items()}
    warnings = (*_warnings_of(properties), *resolving.warnings)
    return Resolved(values, warnings, tuple(resolving.found))


@define
class _Resolving:
    _providers: Mapping[str, _Provider]
    found: list[_Found] = field(factory=list)
    warnings: list[str] = field(factory=list)

    def value_of(self, key: str, text: str) -> str:
        """The value of a key; what stays as it is makes a warning."""
        return _VARIABLE.sub(lambda match: self._replaced(key, match), text)

    def _replaced(self, key: str, match: re.Match[str]) -> str:
        name, variable = match[1], match[0]
        provider = self._providers.get(name)
        if provider is None:  # what looks like a variable may be part of a password: not shown
            self.warnings.append(
                f"{key}: no provider of {PROVIDERS_KEY} has the name that a variable in it begins "
                "with, or it cannot be used here; the variable stays as text"
            )
            return variable
        try:
            value = provider.get(match[2] or "", match[3])
        except BadValue as why:
            raise BadValue(f"{key}: {variable}: {why}") from None
        if value is None:
            self.warnings.append(
                f"{key}: {variable} is not there, or not allowed; it stays as text"
            )
            return variable
        self.found.append(_Found(key, variable, value))
        return value


def _providers(
    properties: Mapping[str, str], environ: Mapping[str, str]
) -> Mapping[str, _Provider]:
    makers: dict[str, Callable[[_Params], _Provider]] = {
        _ENVIRONMENT: lambda params: _Environment.of(environ, params),
        "io.strimzi.kafka.EnvVarConfigProvider": lambda params: _Environment.of(environ, params),
        _FILE: lambda params: _Files(_AllowedPaths.of(params)),
        _DIRECTORY: lambda params: _Directories(_AllowedPaths.of(params)),
    }
    made: dict[str, _Provider] = {}
    for name, key, class_name in _named(properties):
        if class_name in _OF_KUBERNETES:
            continue
        if class_name not in makers:
            known = ", ".join(one for one in makers if one.startswith(_PACKAGE))
            raise BadValue(f"{key}: {class_name!r} is not known here; it must be one of {known}")
        prefix = f"{PROVIDERS_KEY}.{name}.param."
        params = {
            param.removeprefix(prefix): text
            for param, text in properties.items()
            if param.startswith(prefix)
        }
        try:
            made[name] = makers[class_name](params)
        except BadValue as why:
            raise BadValue(f"{prefix}{why}") from None
    return made


def _named(properties: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """Name, key of the class, and class of every provider that has one."""
    for name in dict.fromkeys(properties[PROVIDERS_KEY].split(",")):
        key = f"{PROVIDERS_KEY}.{name}.class"
        class_name = properties.get(key, _STRIMZI_NAMES.get(name))
        if class_name is not None:
            yield name, key, class_name


def _warnings_of(properties: Mapping[str, str]) -> Iterator[str]:
    for name, key, class_name in _named(properties):
        if class_name in _OF_KUBERNETES:
            yield (
                f"{key}: {class_name} asks Kubernetes, which is not supported here; variables of "
                f"{name} stay as text. Mount what they name, and read it with {_DIRECTORY}"
            )
        elif class_name in (_FILE, _DIRECTORY):
            param = f"{PROVIDERS_KEY}.{name}.param.allowed.paths"
            for path in _paths(properties.get(param, "")):
                if not os.path.exists(path):
                    yield f"{param}: there is no {path}, so that nothing below it can be read"


@frozen
class _Environment:
    """Kafka's EnvVarConfigProvider (KIP-887)."""

    _variables: Mapping[str, str] = field(repr=False)
    _allowed: re.Pattern[str] | None

    @classmethod
    def of(cls, environ: Mapping[str, str], params: _Params) -> _Environment:
        name = "allowlist.pattern"
        text = params.get(name)
        try:
            return cls(environ, None if text is None else re.compile(text))
        except re.error as why:
            raise BadValue(f"{name}: it is no regular expression: {why}") from None

    def get(self, path: str, key: str) -> str | None:
        if path:
            raise BadValue("a variable of the environment has no path")
        if self._allowed is not None and self._allowed.fullmatch(key) is None:
            return None
        return self._variables.get(key)


@frozen
class _AllowedPaths:
    """``allowed.paths`` (KIP-993): where a provider may read, None for everywhere.

    Paths are compared as they are written, without ``..``; symbolic links are followed, since
    Kubernetes mounts every file of a volume as one.
    """

    _paths: tuple[str, ...] | None

    @classmethod
    def of(cls, params: _Params) -> _AllowedPaths:
        name = "allowed.paths"
        text = params.get(name)
        if not text:
            return cls(None)
        paths = _paths(text)
        for path in paths:
            if not path.startswith("/"):
                raise BadValue(f"{name}: {path!r} is not an absolute path")
        return cls(paths)

    def place(self, path: str) -> str | None:
        """Where to read for this path, None where that is not allowed."""
        if self._paths is None:
            return path
        plain = _normal(path)
        for allowed in self._paths:
            if plain == allowed or plain.startswith(allowed.rstrip("/") + "/"):
                return plain
        return None


@frozen
class _Files:
    """Kafka's FileConfigProvider: keys of properties files, in UTF-8."""

    _allowed: _AllowedPaths
    _read: dict[str, dict[str, str]] = field(factory=dict, repr=False)

    def get(self, path: str, key: str) -> str | None:
        place = self._allowed.place(path) if path else None
        if place is None:
            return None
        if place not in self._read:
            try:
                self._read[place] = dict(PropertiesFile.loads(_text_of(place)))
            except InvalidUEscapeError:
                raise BadValue(
                    f"{place}: a backslash and a u have to be followed by four hexadecimal digits"
                ) from None
        return self._read[place].get(key)


@frozen
class _Directories:
    """Kafka's DirectoryConfigProvider (KIP-421): a file's name is the key, its text the value."""

    _allowed: _AllowedPaths

    def get(self, path: str, key: str) -> str | None:
        place = self._allowed.place(path) if path else None
        if place is None or not key or "/" in key:
            return None
        file = os.path.join(place, key)
        return _text_of(file) if os.path.isfile(file) else None


def _text_of(path: str) -> str:
    try:
        with open(path, "rb") as file:
            raw = file.read(MAX_PROPERTIES_BYTES + 1)
    except (OSError, ValueError) as why:
        reason = why.strerror if isinstance(why, OSError) else None
        raise BadValue(f"cannot read {path}: {reason or 'it is no path'}") from None
    if len(raw) > MAX_PROPERTIES_BYTES:
        raise BadValue(f"{path} has more than {MAX_PROPERTIES_BYTES} bytes")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        raise BadValue(f"{path} is not UTF-8") from None


def _paths(text: str) -> tuple[str, ...]:
    """Paths separated by commas; empty ones at the end do not count, as in Java's split."""
    return tuple(_normal(one) for one in text.rstrip(",").split(",")) if text else ()


def _normal(path: str) -> str:
    plain = os.path.normpath(path) if path else ""
    return "/" + plain.lstrip("/") if plain.startswith("//") else plain


def _without_listener(key: str) -> str:
    return key.split(".", 3)[3] if re.match(r"listener\.name\.[^.]+\.", key) else key


def _hidden(message: str, found: _Found) -> str:
    parts = {found.value, *found.value.split(",")}
    forms = {form for part in parts for form in (part.strip(), repr(part.strip())[1:-1])}
    for form in sorted(forms, key=len, reverse=True):
        if len(form) >= _SHORTEST_SECRET:
            message = re.sub(re.escape(form), lambda _: found.variable, message, flags=re.I)
    return message
