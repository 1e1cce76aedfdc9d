"""Access rules, so ordered that a question looks at a few of them, however many there are.

Kafka's standard authoriser decides so: of the rules whose pattern covers the resource, those count
that name the principal or everybody, and its address or every address. One of them that denies the
operation decides; else one that allows it, or an operation that brings it along, does. A denial
brings nothing along.

A question costs one look-up for each length that prefixes of its kind have, and two for literal
names; the rules themselves are never walked.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from attrs import define, field

from metaquorum.metadata.acl_codes import (
    EVERYBODY,
    GRANTING,
    WILDCARD,
    Operation,
    PatternType,
    Permission,
)
from metaquorum.metadata.tables.security import AccessRule


class Verdict(Enum):
    """What the rules say to a question."""

    ALLOWED = "allowed"
    DENIED = "denied"
    NO_MATCH = "no rule for who asks"
    NO_RULES = "no rule for the resource"


_Pattern = tuple[int, int, str]  # resource type, pattern type, name
_Who = tuple[str, str]  # principal and host
_Said = dict[tuple[int, int], int]  # operation and permission: how many rules say it


@define(eq=False)
class AclIndex:
    """The rules by pattern, then by whom they name."""

    _by_pattern: dict[_Pattern, dict[_Who, _Said]] = field(factory=dict)
    _prefix_lengths: dict[int, dict[int, int]] = field(factory=dict)

    def add(self, rule: AccessRule) -> None:
        """One rule more."""
        pattern = (rule.resource_type, rule.pattern_type, rule.resource_name)
        named = self._by_pattern.get(pattern)
        if named is None:
            named = self._by_pattern[pattern] = {}
            self._count_prefix(pattern, 1)
        said = named.setdefault((rule.principal, rule.host), {})
        word = (rule.operation, rule.permission_type)
        said[word] = said.get(word, 0) + 1

    def remove(self, rule: AccessRule) -> None:
        """One rule less; it must have been added."""
        pattern = (rule.resource_type, rule.pattern_type, rule.resource_name)
        who, word = (rule.principal, rule.host), (rule.operation, rule.permission_type)
        named = self._by_pattern[pattern]
        said = named[who]
        said[word] -= 1
        if said[word]:
            return
        del said[word]
        if said:
            return
        del named[who]
        if not named:
            del self._by_pattern[pattern]
            self._count_prefix(pattern, -1)

    def decide(
        self, principal: str, host: str, operation: Operation, resource_type: int, name: str
    ) -> Verdict:
        """What the rules say about ``principal``, asking from the address ``host``."""
        asked = (
            (principal, host),
            (principal, WILDCARD),
            (EVERYBODY, host),
            (EVERYBODY, WILDCARD),
        )
        granting = GRANTING.get(operation, (operation, Operation.ALL))
        verdict = Verdict.NO_RULES
        for named in self._covering(resource_type, name):
            if verdict is Verdict.NO_RULES:
                verdict = Verdict.NO_MATCH
            for who in asked:
                said = named.get(who)
                if said is None:
                    continue
                if (operation, Permission.DENY) in said or (Operation.ALL, Permission.DENY) in said:
                    return Verdict.DENIED
                if any((one, Permission.ALLOW) in said for one in granting):
                    verdict = Verdict.ALLOWED
        return verdict

    def _covering(self, resource_type: int, name: str) -> Iterator[dict[_Who, _Said]]:
        literals = (name,) if name == WILDCARD else (name, WILDCARD)
        for literal in literals:
            named = self._by_pattern.get((resource_type, PatternType.LITERAL, literal))
            if named is not None:
                yield named
        for length in self._prefix_lengths.get(resource_type, ()):
            if length > len(name):
                continue
            named = self._by_pattern.get((resource_type, PatternType.PREFIXED, name[:length]))
            if named is not None:
                yield named

    def _count_prefix(self, pattern: _Pattern, more: int) -> None:
        resource_type, pattern_type, name = pattern
        if pattern_type != PatternType.PREFIXED:
            return
        lengths = self._prefix_lengths.setdefault(resource_type, {})
        lengths[len(name)] = lengths.get(len(name), 0) + more
        if not lengths[len(name)]:
            del lengths[len(name)]
