"""Ranges of versions: "3+", "0-2", "7" and "none", and what can be asked of two of them."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

NEWEST = 32_767  # what "3+" ends with: the largest int16, as versions travel


class BadVersions(ValueError):
    """A text that is not a range of versions."""


@frozen
class Versions:
    """An unbroken range, both ends included; an empty one has ``lowest > highest``."""

    lowest: int = 0
    highest: int = -1

    def __bool__(self) -> bool:
        return self.lowest <= self.highest

    def __contains__(self, version: object) -> bool:
        return isinstance(version, int) and self.lowest <= version <= self.highest

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.lowest, self.highest + 1))

    def __str__(self) -> str:
        if not self:
            return "none"
        if self.highest == NEWEST:
            return f"{self.lowest}+"
        if self.lowest == self.highest:
            return str(self.lowest)
        return f"{self.lowest}-{self.highest}"

    def __and__(self, other: Versions) -> Versions:
        both = Versions(max(self.lowest, other.lowest), min(self.highest, other.highest))
        return both if both else NONE

    def within(self, other: Versions) -> bool:
        """Whether every version of this range is one of ``other`` as well."""
        return not self or (self.lowest >= other.lowest and self.highest <= other.highest)


NONE = Versions()
ALL = Versions(0, NEWEST)


def parse_versions(text: str) -> Versions:
    """The range that ``text`` names; BadVersions says what is wrong with it."""
    stripped = text.strip()
    if stripped == "none":
        return NONE
    if stripped.endswith("+"):
        return Versions(_number(stripped[:-1], text), NEWEST)
    low, dash, high = stripped.partition("-")
    lowest = _number(low, text)
    highest = _number(high, text) if dash else lowest
    if highest < lowest:
        raise BadVersions(f"{text!r} ends before it begins")
    return Versions(lowest, highest)


def _number(digits: str, whole: str) -> int:
    if not digits.isascii() or not digits.isdigit() or int(digits) > NEWEST:
        raise BadVersions(f'{whole!r} is no range of versions such as "3+", "0-2", "7" or "none"')
    return int(digits)
