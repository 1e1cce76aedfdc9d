"""What a configuration key is: its type, default and bounds, and how its text becomes a value.

Names, types, defaults and bounds are Kafka's own (those of 4.3.1's broker and controller), so
that a ``server.properties`` means here what it means there.
"""

from __future__ import annotations

from enum import Enum

from attrs import frozen

from metaquorum.base.quoting import quoted

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
    CLASS = 8
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
    Type.CLASS: "the name of a class",
    Type.PASSWORD: "a secret text",
}
REQUIRED = "\0required"
BLANKS = "".join(map(chr, range(33)))
"""What Java's ``trim`` takes from both ends of a value."""


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
        text = text.strip(BLANKS)
        if self.type in (Type.STRING, Type.CLASS, Type.PASSWORD):
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
                raise BadValue(f"{quoted(text)} is neither true nor false")
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
        raise BadValue(f"{quoted(text)} is not a number; it must be {self.expectation()}")

    def _check_choice(self, text: str) -> None:
        if not self.choices:
            return
        allowed = self.choices
        if self.any_case:
            allowed = tuple(choice.lower() for choice in allowed)
            text = text.lower()
        if text not in allowed:
            raise BadValue(f"{quoted(text)} is not known; it must be {self.expectation()}")
