"""What ``--key-decoder-class`` and ``--value-decoder-class`` of ``dump-log`` can name.

The classes are those that come with Kafka's own tools; any other one is a user's own Java.
"""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct
from typing import Final

from metaquorum.base.errors import OperatorError
from metaquorum.records.errors import CorruptRecord
from metaquorum.records.java_text import java_text

Decoder = Callable[[bytes], str]

_PACKAGE: Final = "org.apache.kafka.tools.api."
_INT: Final = Struct(">i")
_LONG: Final = Struct(">q")


def _number(raw: bytes, form: Struct) -> str:
    if len(raw) < form.size:
        raise CorruptRecord(f"{len(raw)} bytes are no number of {form.size}")
    return str(form.unpack_from(raw)[0])


def _whole_number(raw: bytes) -> str:
    return _number(raw, _INT)


def _long_number(raw: bytes) -> str:
    return _number(raw, _LONG)


_KNOWN: Final[dict[str, Decoder]] = {
    "StringDecoder": java_text,
    "IntegerDecoder": _whole_number,
    "LongDecoder": _long_number,
}


def decoder_of(flag: str, name: str | None) -> Decoder:
    """The decoder of a class name, UTF-8 without one; OperatorError for a class not known here."""
    if name is None:
        return java_text
    known = _KNOWN.get(name.removeprefix(_PACKAGE)) if name.startswith(_PACKAGE) else None
    if known is None:
        names = ", ".join(_PACKAGE + one for one in _KNOWN)
        raise OperatorError(f"{flag} {name}: Java classes are not loaded here, but for {names}")
    return known
