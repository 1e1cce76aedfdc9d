"""Many filters of access rules at once (DeleteAcls), held against one rule after the other.

Filters that leave the same parts open are kept in one table by the parts that they give. A rule
costs one look-up in each of these tables, however many filters there are: filter by filter, a
hundred of them over ten thousand rules would be a million comparisons.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any, Final

from attrs import define, field

from metaquorum.metadata.acl_codes import (
    WILDCARD,
    Operation,
    PatternType,
    Permission,
    ResourceType,
)
from metaquorum.metadata.acl_filter import AclFilter
from metaquorum.metadata.tables.security import AccessRule

# A part of a filter, the same part of a rule, and the value that means any.
_PARTS: Final = (
    ("resource_type", "resource_type", ResourceType.ANY),
    ("pattern_type", "pattern_type", PatternType.ANY),
    ("name", "resource_name", None),
    ("principal", "principal", None),
    ("host", "host", None),
    ("operation", "operation", Operation.ANY),
    ("permission", "permission_type", Permission.ANY),
)
_PATTERN_PARTS: Final = ("pattern_type", "name")


@define(eq=False)
class _Exact:
    """Filters that give the same parts: by the values of these parts, their numbers."""

    key_of: Callable[[AccessRule], Any]
    numbers: dict[Any, list[int]] = field(factory=dict)

    def add(self, key: Any, number: int, name: str | None) -> None:
        self.numbers.setdefault(key, []).append(number)

    def matching(self, rule: AccessRule) -> Iterator[int]:
        yield from self.numbers.get(self.key_of(rule), ())


@define(eq=False)
class _Covered:
    """Names of resources; which of them a rule covers."""

    numbers: dict[str, list[int]] = field(factory=dict)
    _sorted: list[str] | None = None

    def add(self, name: str, number: int) -> None:
        self.numbers.setdefault(name, []).append(number)
        self._sorted = None

    def covered_by(self, rule: AccessRule) -> Iterator[int]:
        if rule.pattern_type == PatternType.PREFIXED:
            for name in self._beginning_with(rule.resource_name):
                yield from self.numbers[name]
        elif rule.resource_name == WILDCARD:
            for numbers in self.numbers.values():
                yield from numbers
        else:
            yield from self.numbers.get(rule.resource_name, ())

    def _beginning_with(self, prefix: str) -> Iterator[str]:
        if self._sorted is None:
            self._sorted = sorted(self.numbers)
        for at in range(bisect_left(self._sorted, prefix), len(self._sorted)):
            if not self._sorted[at].startswith(prefix):
                return
            yield self._sorted[at]


@define(eq=False)
class _Covering:
    """Filters of the pattern type MATCH that name a resource and otherwise give the same parts."""

    key_of: Callable[[AccessRule], Any]
    names: dict[Any, _Covered] = field(factory=dict)

    def add(self, key: Any, number: int, name: str | None) -> None:
        assert name is not None
        self.names.setdefault(key, _Covered()).add(name, number)

    def matching(self, rule: AccessRule) -> Iterator[int]:
        covered = self.names.get(self.key_of(rule))
        if covered is not None:
            yield from covered.covered_by(rule)


@define(eq=False)
class AclFilterIndex:
    """Filters under numbers that the caller chooses."""

    _tables: dict[tuple[str, ...], _Exact | _Covering] = field(factory=dict)

    def __len__(self) -> int:
        """How many look-ups one rule costs."""
        return len(self._tables)

    def add(self, number: int, one: AclFilter) -> None:
        """One filter more."""
        covers = one.pattern_type == PatternType.MATCH and one.name is not None
        given = [
            (of_rule, getattr(one, part))
            for part, of_rule, anything in _PARTS
            if getattr(one, part) != anything and not (covers and part in _PATTERN_PARTS)
        ]
        if one.pattern_type == PatternType.MATCH and not covers:
            given = [each for each in given if each[0] != "pattern_type"]
        parts = tuple(part for part, _ in given)
        shape = (PatternType.MATCH.name, *parts) if covers else parts
        table = self._tables.get(shape)
        if table is None:
            kind = _Covering if covers else _Exact
            table = self._tables[shape] = kind(_key_of(parts))
        values = tuple(value for _, value in given)
        table.add(values[0] if len(values) == 1 else values, number, one.name)

    def matching(self, rule: AccessRule) -> list[int]:
        """The numbers of the filters that mean ``rule``, in no certain order."""
        return [number for table in self._tables.values() for number in table.matching(rule)]


def _key_of(parts: tuple[str, ...]) -> Callable[[AccessRule], Any]:
    return attrgetter(*parts) if parts else lambda rule: ()
