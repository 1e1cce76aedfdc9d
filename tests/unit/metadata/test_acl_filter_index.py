"""Many filters at once mean the same rules as each of them alone."""

from __future__ import annotations

import random

from metaquorum.metadata.acl_filter import AclFilter
from metaquorum.metadata.acl_filter_index import AclFilterIndex
from metaquorum.metadata.tables.security import AccessRule

ANY, MATCH, LITERAL, PREFIXED = 1, 2, 3, 4
NAMES = ("", "a", "ab", "abc", "b", "*", "zz")
SEED = 199


def drawn_rule(chance: random.Random, number: int) -> AccessRule:
    return AccessRule(
        number.to_bytes(16, "big"),
        chance.choice((2, 3)),
        chance.choice(NAMES),
        chance.choice((LITERAL, PREFIXED)),
        chance.choice(("User:a", "User:b")),
        chance.choice(("*", "10.0.0.1")),
        chance.choice((3, 4)),
        chance.choice((2, 3)),
    )


def drawn_filter(chance: random.Random) -> AclFilter:
    return AclFilter(
        chance.choice((ANY, 2, 3)),
        chance.choice((None, *NAMES)),
        chance.choice((ANY, MATCH, LITERAL, PREFIXED)),
        chance.choice((None, "User:a", "User:c")),
        chance.choice((None, "*", "10.0.0.2")),
        chance.choice((ANY, 3)),
        chance.choice((ANY, 3)),
    )


def test_every_filter_means_what_it_means_alone() -> None:
    chance = random.Random(SEED)
    rules = [drawn_rule(chance, number) for number in range(300)]
    filters = [drawn_filter(chance) for _ in range(2_000)]
    index = AclFilterIndex()
    for number, one in enumerate(filters):
        index.add(number, one)
    for rule in rules:
        alone = [number for number, one in enumerate(filters) if one.matches(rule)]
        assert sorted(index.matching(rule)) == alone


def test_filters_that_leave_the_same_parts_open_share_one_look_up() -> None:
    index = AclFilterIndex()
    for number in range(1_000):
        index.add(number, AclFilter(2, None, LITERAL, f"User:{number}", None, ANY, ANY))
    assert len(index) == 1
    index.add(1_000, AclFilter(2, None, LITERAL, "User:a", "*", ANY, ANY))
    index.add(1_001, AclFilter(ANY, "t", MATCH, None, None, ANY, ANY))
    assert len(index) == 3


def test_the_number_of_look_ups_is_bounded_whatever_the_filters_are() -> None:
    chance = random.Random(SEED)
    index = AclFilterIndex()
    for number in range(5_000):
        index.add(number, drawn_filter(chance))
    assert len(index) <= 2**7 + 2**5
