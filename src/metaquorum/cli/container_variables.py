"""From the variables of a container to a configuration, by the rules of Apache Kafka's image.

``KAFKA_NODE_ID`` is ``node.id``: the prefix goes, the rest becomes lower case, ``_`` becomes a dot,
``__`` an underscore and ``___`` a dash (KIP-975, and the image's own wrapper). A value is what it
would be behind ``key=`` in a server.properties. Variables count before a mounted file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from metaquorum.base.errors import OperatorError
from metaquorum.config.keys import known_keys
from metaquorum.config.properties import parse_properties, read_text

PREFIX: Final = "KAFKA_"
SOURCE: Final = "the environment"
"""What messages call the place that a configuration is from."""
DEFAULTS: Final = {"log.dirs": "/var/lib/metaquorum/data/log"}
"""What counts where neither a variable nor the file says anything.

The log is below the volume: its root may have a lost+found.
"""
OF_THE_IMAGE: Final = frozenset(
    {
        *("KAFKA_VERSION", "KAFKA_HEAP_OPT", "KAFKA_HEAP_OPTS", "KAFKA_LOG4J_OPTS", "KAFKA_OPTS"),
        *("KAFKA_JMX_OPTS", "KAFKA_JVM_PERFORMANCE_OPTS", "KAFKA_GC_LOG_OPTS"),
        *("KAFKA_LOG4J_ROOT_LOGLEVEL", "KAFKA_LOG4J_LOGGERS", "KAFKA_TOOLS_LOG4J_LOGLEVEL"),
        *("KAFKA_JMX_HOSTNAME", "KAFKA_CLUSTER_ID"),
    }
)
"""Variables of Kafka's image that are about Java, and the one that is about the format."""
SECRETS: Final = "/etc/kafka/secrets"
STORE_FILES: Final = {
    "KAFKA_SSL_KEYSTORE_FILENAME": "ssl.keystore.location",
    "KAFKA_SSL_TRUSTSTORE_FILENAME": "ssl.truststore.location",
}
STORE_PASSWORDS: Final = {
    "KAFKA_SSL_KEYSTORE_CREDENTIALS": "ssl.keystore.password",
    "KAFKA_SSL_KEY_CREDENTIALS": "ssl.key.password",
    "KAFKA_SSL_TRUSTSTORE_CREDENTIALS": "ssl.truststore.password",
}
"""Variables that name a file in ``SECRETS``, and the key that its path or its text is for."""


def key_of(variable: str) -> str:
    """The key that a variable with the prefix is for."""
    key = variable.removeprefix(PREFIX).lower().replace("_", ".")
    return key.replace("...", "-").replace("..", "_")


def variable_of(key: str) -> str:
    """The variable that is for a key; listeners in keys lose the case of their names."""
    words = key.replace("_", "__").replace("-", "___").replace(".", "_")
    return f"{PREFIX}{words.upper()}"


def container_properties(
    environ: Mapping[str, str], file: str | None, secrets: str = SECRETS
) -> tuple[dict[str, str], frozenset[str]]:
    """The properties, and those of their keys that ``file``, which may be None, has alone.

    OperatorError names the variable that cannot be used.
    """
    given: dict[str, str] = {}
    for variable in sorted(environ):
        if not variable.startswith(PREFIX) or variable in OF_THE_IMAGE:
            continue
        if variable in STORE_FILES or variable in STORE_PASSWORDS:
            given |= _of_secret(variable, environ[variable], secrets)
        elif variable != "KAFKA_ADVERTISED_LISTENERS" or environ[variable]:
            key = key_of(variable)
            given |= parse_properties(f"{key}={environ[variable]}", variable)
    of_file = {} if file is None else parse_properties(read_text(file), file)
    if not given and not of_file:
        raise OperatorError(
            f"there is no configuration: set {variable_of('node.id')}, "
            f"{variable_of('process.roles')}, {variable_of('listeners')} and so on, or mount a "
            "server.properties"
        )
    defaults = {} if {"log.dir", "log.dirs"} & {*given, *of_file} else DEFAULTS
    return {**defaults, **of_file, **given}, frozenset(of_file) - frozenset(given)


def with_variables(message: str, of_variables: Iterable[str], of_file: frozenset[str]) -> str:
    """A message about keys as one about variables, but for keys that the file has.

    A line that begins with a key has both. ``of_variables`` are keys that variables made, known
    or not.
    """
    names = {*known_keys(), *of_variables} - of_file
    keys = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    named = re.compile(rf"(?<![\w.-])({keys})(?![\w-]|\.\w)")

    def replaced(found: re.Match[str]) -> str:
        key = found[1]
        if found.string[: found.start()].strip() in ("", f"{SOURCE}:"):
            return f"{variable_of(key)} ({key})"
        return variable_of(key) if "." in key else key  # "listeners" is a word as well

    return "\n".join(named.sub(replaced, line) for line in message.split("\n"))


def cluster_id_of(environ: Mapping[str, str]) -> str | None:
    """The cluster that empty directories are to be formatted for, None if they are not to be."""
    named = {
        name: environ[name] for name in ("CLUSTER_ID", "KAFKA_CLUSTER_ID") if environ.get(name)
    }
    if len(set(named.values())) > 1:
        raise OperatorError("CLUSTER_ID and KAFKA_CLUSTER_ID are different; set one of them")
    return next(iter(named.values()), None)


def flag_of(environ: Mapping[str, str], variable: str) -> bool:
    """Whether a variable says true; OperatorError if it says neither true nor false."""
    text = environ.get(variable, "").strip().lower()
    if text not in ("", "true", "false"):
        raise OperatorError(f"{variable}: write true or false")
    return text == "true"


def _of_secret(variable: str, name: str, secrets: str) -> dict[str, str]:
    path = f"{secrets}/{name}"
    try:
        with open(path, encoding="utf-8") as file:
            if variable in STORE_FILES:
                return {STORE_FILES[variable]: path}
            return {STORE_PASSWORDS[variable]: file.read().rstrip("\n")}
    except (OSError, UnicodeDecodeError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or "it is no text"
        raise OperatorError(f"{variable}: cannot read {path}: {reason}") from None
