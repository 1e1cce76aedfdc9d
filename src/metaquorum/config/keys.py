"""What a configuration key is: its type, default and bounds, and how its text becomes a value.

Names, types, defaults and bounds are Kafka's own (those of 4.3.1's broker and controller), so
that a ``server.properties`` means here what it means there. The tables are ``node_keys`` (what a
controller reads) and ``broker_keys`` (what only a broker reads: known, checked, of no effect
here).
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from functools import cache

from attrs import frozen

Value = bool | int | float | str | tuple[str, ...] | None


class Type(Enum):
    """Kafka's configuration types; the numbers are those of DescribeConfigs (KIP-569)."""

    BOOLEAN = 1
    STRING = 2
    INT = 3
    SHORT = 4
    LONG = 5
    DOUBLE = 6
    LIST = 7
    PASSWORD = 9


_WIDTH_BITS = {Type.SHORT: 16, Type.INT: 32, Type.LONG: 64}
_WORDS = {
    Type.BOOLEAN: "true or false",
    Type.STRING: "a text",
    Type.INT: "a whole number",
    Type.SHORT: "a whole number",
    Type.LONG: "a whole number",
    Type.DOUBLE: "a number",
    Type.LIST: "a list separated by commas",
    Type.PASSWORD: "a secret text",
}
REQUIRED = "\0required"
_PREFIXES = (
    "listener.name.",
    "rlmm.config.",
    "rsm.config.",
    "metrics.context.",
    "config.providers.",
)


class BadValue(ValueError):
    """A value that its key does not allow; the text says what would be right."""


@frozen
class Key:
    """One configuration key.

    ``default`` is the text that stands for an absent value, None for no value, ``REQUIRED``
    where Kafka has none. ``least`` and ``most`` bound numbers, ``also`` is one more number that
    is allowed, ``choices`` are the only texts allowed (of each element, for a list).
    """

    name: str
    type: Type
    default: str | None
    least: float | None = None
    most: float | None = None
    also: int | None = None
    choices: tuple[str, ...] = ()
    any_case: bool = False
    internal: bool = False

    def parse(self, text: str) -> Value:
        """The value behind ``text``; BadValue says what was expected."""
        text = text.strip()
        if self.type in (Type.STRING, Type.PASSWORD):
            self._check_choice(text)
            return text
        if self.type is Type.LIST:
            items = tuple(item.strip() for item in text.split(",")) if text else ()
            for item in items:
                self._check_choice(item)
            return items
        if self.type is Type.BOOLEAN:
            lowered = text.lower()
            if lowered not in ("true", "false"):
                raise BadValue(f"{text!r} is neither true nor false")
            return lowered == "true"
        number = self._number(text)
        if number != self.also and not self._within(number):
            raise BadValue(f"{text} is out of bounds; it must be {self.expectation()}")
        return number

    def default_value(self) -> Value:
        """The default as a value; None where there is none."""
        if self.default is None or self.default == REQUIRED:
            return None
        return self.parse(self.default)

    def expectation(self) -> str:
        """What a right value looks like, as half a sentence."""
        if self.choices:
            kind = "a list of" if self.type is Type.LIST else "one of"
            return f"{kind} {', '.join(self.choices)}"
        words = _WORDS[self.type]
        low, high = self._bounds()
        if low is not None and high is not None:
            words += f" from {low} to {high}"
        elif low is not None:
            words += f" of at least {low}"
        if self.also is not None:
            words += f", or {self.also}"
        return words

    def _bounds(self) -> tuple[float | None, float | None]:
        bits = _WIDTH_BITS.get(self.type)
        low, high = self.least, self.most
        if bits is not None:
            low = -(1 << (bits - 1)) if low is None else low
            high = (1 << (bits - 1)) - 1 if high is None else high
        return low, high

    def _within(self, number: float) -> bool:
        low, high = self._bounds()
        return (low is None or number >= low) and (high is None or number <= high)

    def _number(self, text: str) -> int | float:
        digits = text[1:] if text[:1] in ("+", "-") else text
        try:
            if self.type is Type.DOUBLE:
                return float(text)
            if digits.isascii() and digits.isdigit():
                return int(text)
        except ValueError:
            pass
        raise BadValue(f"{text!r} is not a number; it must be {self.expectation()}")

    def _check_choice(self, text: str) -> None:
        if not self.choices:
            return
        allowed = self.choices
        if self.any_case:
            allowed = tuple(choice.lower() for choice in allowed)
            text = text.lower()
        if text not in allowed:
            raise BadValue(f"{text!r} is not known; it must be {self.expectation()}")


# Keys that older releases knew, with the reason why they do nothing any more.
RETIRED: dict[str, str] = {
    "advertised.host.name": "use advertised.listeners",
    "advertised.port": "use advertised.listeners",
    "broker.id.generation.enable": "ids are never generated in KRaft; set node.id",
    "control.plane.listener.name": "it belonged to ZooKeeper mode; use controller.listener.names",
    "delegation.token.master.key": "use delegation.token.secret.key",
    "host.name": "use listeners",
    "inter.broker.protocol.version": "the finalized metadata.version took its place",
    "log.cleaner.io.buffer.load.factor.ratio": "use log.cleaner.io.buffer.load.factor",
    "log.message.downconversion.enable": "older record formats are gone",
    "log.message.format.version": "older record formats are gone",
    "metadata.log.segment.min.bytes": "use internal.metadata.log.segment.bytes",
    "password.encoder.secret": "it belonged to ZooKeeper mode",
    "port": "use listeners",
    "reserved.broker.max.id": "ids are never generated in KRaft; set node.id",
    "zookeeper.connect": "ZooKeeper mode ended with Kafka 4.0",
    "zookeeper.metadata.migration.enable": "ZooKeeper mode ended with Kafka 4.0",
}


@cache
def known_keys() -> dict[str, Key]:
    """Every key that has a meaning, ours and Kafka's, by name and sorted by it."""
    from metaquorum.config.broker_keys import BROKER_KEYS
    from metaquorum.config.node_keys import NODE_KEYS, OWN_KEYS

    return {key.name: key for key in sorted((*NODE_KEYS, *BROKER_KEYS, *OWN_KEYS), key=_name)}


def is_prefixed(name: str) -> bool:
    """Whether the key belongs to one of Kafka's open families (``listener.name.x.y``)."""
    return name.startswith(_PREFIXES)


def warnings_for(names: Iterator[str] | tuple[str, ...]) -> list[str]:
    """One sentence for each of these keys that does nothing here because nobody knows it."""
    return [text for name in names if (text := _warning(name)) is not None]


def _warning(name: str) -> str | None:
    if name in known_keys() or is_prefixed(name):
        return None
    if name in RETIRED or name.startswith(("zookeeper.", "password.encoder.")):
        reason = RETIRED.get(name, "ZooKeeper mode ended with Kafka 4.0")
        return f"{name} has no effect any more: {reason}"
    from difflib import get_close_matches

    close = get_close_matches(name, known_keys(), n=1, cutoff=0.8)
    hint = f"; did you mean {close[0]}?" if close else ""
    return f"{name} is not a known key and has no effect{hint}"


def _name(key: Key) -> str:
    return key.name
