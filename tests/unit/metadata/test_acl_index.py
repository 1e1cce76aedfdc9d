"""What access rules say to a question: patterns, whom they name, denials, what rights bring."""

from __future__ import annotations

from itertools import count

import pytest

from metaquorum.metadata.acl_codes import Operation, PatternType, Permission, ResourceType
from metaquorum.metadata.acl_index import AclIndex, Verdict
from metaquorum.metadata.tables.security import AccessRule

HERE = "10.0.0.1"
_ids = count(1)


def rule(
    name: str = "t",
    operation: Operation = Operation.READ,
    permission: Permission = Permission.ALLOW,
    *,
    kind: ResourceType = ResourceType.TOPIC,
    pattern: PatternType = PatternType.LITERAL,
    principal: str = "User:a",
    host: str = "*",
) -> AccessRule:
    rule_id = next(_ids).to_bytes(16, "big")
    return AccessRule(rule_id, kind, name, pattern, principal, host, operation, permission)


def asked(
    *rules: AccessRule,
    name: str = "t",
    operation: Operation = Operation.READ,
    principal: str = "User:a",
    host: str = HERE,
) -> Verdict:
    index = AclIndex()
    for one in rules:
        index.add(one)
    return index.decide(principal, host, operation, ResourceType.TOPIC, name)


def test_without_a_rule_for_the_resource_nothing_is_said() -> None:
    assert asked() is Verdict.NO_RULES
    assert asked(rule("other"), rule(kind=ResourceType.GROUP)) is Verdict.NO_RULES


def test_a_rule_for_somebody_else_is_a_rule_for_the_resource() -> None:
    assert asked(rule(principal="User:b")) is Verdict.NO_MATCH
    assert asked(rule(host="10.0.0.2")) is Verdict.NO_MATCH


@pytest.mark.parametrize(
    "one",
    [
        rule(),
        rule("*"),
        rule(principal="User:*"),
        rule(host=HERE),
        rule(principal="User:*", host=HERE),
        rule(operation=Operation.ALL),
        rule("t", pattern=PatternType.PREFIXED),
    ],
)
def test_a_rule_that_covers_it_allows(one: AccessRule) -> None:
    assert asked(one) is Verdict.ALLOWED


def test_a_prefix_matches_what_begins_with_it_and_a_star_is_literal() -> None:
    prefix = rule("te", pattern=PatternType.PREFIXED)
    assert asked(prefix, name="test") is Verdict.ALLOWED
    assert asked(prefix, name="te") is Verdict.ALLOWED
    assert asked(prefix, name="t") is Verdict.NO_RULES
    star = rule("*", pattern=PatternType.PREFIXED)
    assert asked(star, name="t") is Verdict.NO_RULES
    assert asked(star, name="*t") is Verdict.ALLOWED


@pytest.mark.parametrize("denied", [Operation.READ, Operation.ALL])
@pytest.mark.parametrize("name", ["t", "*"])
def test_a_denial_outweighs_every_permission(denied: Operation, name: str) -> None:
    denial = rule(name, denied, Permission.DENY)
    allowing = [rule(), rule("*"), rule("t", Operation.ALL, pattern=PatternType.PREFIXED)]
    assert asked(denial, *allowing) is Verdict.DENIED
    assert asked(*allowing, denial) is Verdict.DENIED


@pytest.mark.parametrize(
    ("had", "asks"),
    [
        *[(one, Operation.DESCRIBE) for one in (3, 4, 6, 7, 8, 2)],
        *[(one, Operation.DESCRIBE_CONFIGS) for one in (10, 11, 2)],
    ],
)
def test_some_rights_bring_describing_along(had: int, asks: Operation) -> None:
    assert asked(rule(operation=Operation(had)), operation=asks) is Verdict.ALLOWED


def test_other_rights_do_not_and_a_denial_brings_nothing() -> None:
    create = rule(operation=Operation.CREATE)
    assert asked(create, operation=Operation.DESCRIBE) is Verdict.NO_MATCH
    assert asked(rule(operation=Operation.DESCRIBE)) is Verdict.NO_MATCH
    denied = rule("t", Operation.READ, Permission.DENY)
    describes = rule(operation=Operation.DESCRIBE)
    assert asked(denied, describes, operation=Operation.DESCRIBE) is Verdict.ALLOWED


def test_what_was_removed_says_nothing_any_more() -> None:
    index = AclIndex()
    rules = [
        rule(),
        rule(operation=Operation.WRITE),
        rule(principal="User:b"),
        rule("te", pattern=PatternType.PREFIXED),
        rule("ta", pattern=PatternType.PREFIXED),
    ]
    for one in rules:
        index.add(one)
    told = []
    for one in rules:
        told.append(index.decide("User:a", HERE, Operation.READ, ResourceType.TOPIC, "t"))
        index.remove(one)
    assert told == [Verdict.ALLOWED, Verdict.NO_MATCH, Verdict.NO_MATCH, *[Verdict.NO_RULES] * 2]
    assert not index._by_pattern
    assert not any(index._prefix_lengths.values())


def test_the_same_rule_under_two_ids_holds_until_both_are_gone() -> None:
    index, first, second = AclIndex(), rule(), rule()
    index.add(first)
    index.add(second)
    index.remove(first)
    assert index.decide("User:a", HERE, Operation.READ, ResourceType.TOPIC, "t") is Verdict.ALLOWED


def test_a_question_looks_at_a_few_of_ten_thousand_rules() -> None:
    index = AclIndex()
    for number in range(5_000):
        index.add(rule(f"t{number}"))
        index.add(rule(f"p{number:04}", pattern=PatternType.PREFIXED))
    looked: list[object] = []

    class ReadinessPoller(dict):  # type: ignore[type-arg]
        def get(self, key: object, default: object = None) -> object:
            looked.append(key)
            return super().get(key, default)

    index._by_pattern = ReadinessPoller(index._by_pattern)
    answer = index.decide("User:a", HERE, Operation.READ, ResourceType.TOPIC, "p0042-x")
    assert answer is Verdict.ALLOWED
    assert len(looked) == 3
