"""Java ``.properties`` text: read with Java's rules, changed without losing order or comments.

The grammar (line continuations, ``=``/``:``/blank separators, ``\\uXXXX`` escapes, ISO-8859-1
bytes) is that of ``java.util.Properties``; the javaproperties library knows it, this module
says what goes wrong in which file.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from javaproperties import InvalidUEscapeError, PropertiesFile

from metaquorum.base.errors import OperatorError

MAX_PROPERTIES_BYTES = 4_194_304  # a configuration file, not a data file
ENCODING = "iso-8859-1"  # what Java's Properties.load(InputStream) reads


def parse_properties(text: str, source: str) -> dict[str, str]:
    """The keys and values of ``text`` in their order; of a key given twice the last one counts.

    OperatorError names ``source`` when an escape cannot be read.
    """
    try:
        parsed = PropertiesFile.loads(text)
    except InvalidUEscapeError:  # its text repeats a part of the value
        raise OperatorError(
            f"{source}: a backslash followed by u needs four hexadecimal digits, "
            "and a backslash meant as itself is written twice"
        ) from None
    return dict(parsed)


def read_text(path: str | os.PathLike[str]) -> str:
    """The text of a properties file; OperatorError says why it cannot be read."""
    name = os.fspath(path)
    try:
        with open(name, "rb") as file:
            raw = file.read(MAX_PROPERTIES_BYTES + 1)
    except OSError as error:
        raise OperatorError(f"cannot read {name}: {error.strerror or error}") from None
    if len(raw) > MAX_PROPERTIES_BYTES:
        raise OperatorError(
            f"{name} has more than {MAX_PROPERTIES_BYTES} bytes; is it a properties file?"
        )
    return raw.decode(ENCODING)


def read_properties(path: str | os.PathLike[str]) -> dict[str, str]:
    """``parse_properties`` of the file at ``path``."""
    return parse_properties(read_text(path), os.fspath(path))


def with_changes(text: str, changes: Mapping[str, str | None], source: str) -> str:
    """``text`` with these keys set, or removed where the value is None.

    Comments, blank lines and the order of everything else stay as they were; new keys go to
    the end, in the order of ``changes``.
    """
    parse_properties(text, source)
    document = PropertiesFile.loads(text)
    for key, value in changes.items():
        if value is not None:
            document[key] = value
        elif key in document:
            del document[key]
    return document.dumps()


def parse_override(argument: str) -> tuple[str, str]:
    """One ``key=value`` of a command line; OperatorError when there is no ``=`` or no key."""
    key, separator, value = argument.partition("=")
    key = key.strip()
    if not separator or not key:
        # The argument is not repeated: it may be a password.
        raise OperatorError("an override has no = or no key; write KEY=VALUE")
    return key, value.strip()
