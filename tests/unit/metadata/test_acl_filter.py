"""Which rules a filter means, by each of its parts (KIP-140, KIP-290)."""

from __future__ import annotations

import pytest
from attrs import evolve

from metaquorum.metadata.acl_filter import AclFilter
from metaquorum.metadata.tables.security import AccessRule

ANY, MATCH, LITERAL, PREFIXED = 1, 2, 3, 4
EVERY = AclFilter(ANY, None, ANY, None, None, ANY, ANY)
LITERAL_T = AccessRule(bytes(16), 2, "t", LITERAL, "User:a", "*", 3, 3)
PREFIX_T = evolve(LITERAL_T, pattern_type=PREFIXED)
STAR = evolve(LITERAL_T, resource_name="*")


def meant(**parts: object) -> list[AccessRule]:
    chosen = evolve(EVERY, **parts)  # type: ignore[arg-type]
    return [one for one in (LITERAL_T, PREFIX_T, STAR) if chosen.matches(one)]


def test_a_filter_without_parts_means_every_rule() -> None:
    assert meant() == [LITERAL_T, PREFIX_T, STAR]


@pytest.mark.parametrize(
    "parts",
    [
        {"resource_type": 3},
        {"principal": "User:b"},
        {"principal": "User:*"},
        {"host": "10.0.0.1"},
        {"operation": 4},
        {"operation": 2},
        {"permission": 2},
        {"name": "te"},
        {"name": ""},
    ],
)
def test_each_part_must_be_the_same(parts: dict[str, object]) -> None:
    assert meant(**parts) == []


def test_a_name_is_looked_for_under_the_pattern_type_that_was_given() -> None:
    assert meant(name="t") == [LITERAL_T, PREFIX_T]
    assert meant(name="t", pattern_type=LITERAL) == [LITERAL_T]
    assert meant(name="t", pattern_type=PREFIXED) == [PREFIX_T]
    assert meant(pattern_type=PREFIXED) == [PREFIX_T]
    assert meant(name="*", pattern_type=LITERAL) == [STAR]


def test_match_means_the_rules_that_cover_a_resource() -> None:
    assert meant(name="t", pattern_type=MATCH) == [LITERAL_T, PREFIX_T, STAR]
    assert meant(name="te", pattern_type=MATCH) == [PREFIX_T, STAR]
    assert meant(name="x", pattern_type=MATCH) == [STAR]
    assert meant(pattern_type=MATCH) == [LITERAL_T, PREFIX_T, STAR]


@pytest.mark.parametrize("part", ["resource_type", "pattern_type", "operation", "permission"])
@pytest.mark.parametrize("code", [0, 99, -1])
def test_a_code_that_is_unknown_is_a_fault(part: str, code: int) -> None:
    assert len(list(evolve(EVERY, **{part: code}).faults())) == 1
    assert list(EVERY.faults()) == []
