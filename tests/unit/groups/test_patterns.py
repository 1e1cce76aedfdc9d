"""Subscriptions by pattern: RE2's grammar, in bounded time."""

from __future__ import annotations

import re
from random import Random

import pytest

from metaquorum.groups.patterns import BadPattern, Pattern

TOPIC = "__cluster_metadata"


@pytest.mark.parametrize(
    ("text", "matches"),
    [
        (".*", True),
        ("__cluster_metadata", True),
        ("cluster", False),
        ("__cluster_.+", True),
        ("^__cluster.*$", True),
        (r"\A__.*\z", True),
        ("(foo|__cluster)_meta(data)?", True),
        ("(?:__)?[a-z]+_[^0-9]+", True),
        ("(?i)__CLUSTER_METADATA", True),
        ("__CLUSTER_METADATA", False),
        (r"\w{18}", True),
        (r"\w{19}", False),
        (r"\w{1,17}", False),
        (r"\w{5,}?", True),
        (r"[[:alpha:]_]+", True),
        (r"\Q__cluster_metadata\E", True),
        (r"[\w\-]+", True),
        (r"\D*", True),
        ("(?P<name>_*)cluster.*", True),
        ("", False),
        ("x*", False),
        ("_{2}cluster_metadata{1}", True),
        ("a{0}__cluster_metadata", True),
    ],
)
def test_a_whole_name_matches_or_does_not(text: str, matches: bool) -> None:
    assert Pattern.compile(text).matches(TOPIC) is matches


@pytest.mark.parametrize(
    "text",
    [
        *(
            "(",
            ")",
            "[a",
            "*a",
            "a**",
            "(?=a)",
            "(?<!a)b",
            r"\1",
            "[b-a]",
            "a{2,1}",
            "a{1001}",
            "\\",
        ),
        *("(" * 60 + ")" * 60, "((a{100}){100}){100}", "a" * 1_001, "[[:foo:]]"),
    ],
)
def test_what_is_no_expression_is_refused(text: str) -> None:
    with pytest.raises(BadPattern):
        Pattern.compile(text)


def test_expressions_that_make_others_try_for_ever_cost_no_more_than_others() -> None:
    assert not Pattern.compile("(((_*)*)*)*(a|a)*(.*.*.*)*x").matches(TOPIC * 10)


def test_it_agrees_with_another_matcher_on_what_chance_brings() -> None:
    chance = Random(11)
    atoms = ["a", "b", ".", "[ab]", "[^a]", "(a|b)", "(ab)?", "c"]
    for _ in range(400):
        parts = [
            chance.choice(atoms) + chance.choice(["", "", "*", "+", "?", "{2}", "{1,3}"])
            for _ in range(chance.randrange(1, 6))
        ]
        text = "".join(parts).replace("?+", "?").replace("?*", "?").replace("??", "?")
        text = text.replace("?{2}", "?").replace("?{1,3}", "?")
        name = "".join(chance.choice("abc") for _ in range(chance.randrange(8)))
        assert Pattern.compile(text).matches(name) == bool(re.fullmatch(text, name)), (text, name)
