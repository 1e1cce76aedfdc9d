"""The byte budget: what large requests may hold at once."""

from __future__ import annotations

import pytest

from metaquorum.base.errors import InvariantViolated
from metaquorum.server.sockets.budget import ByteBudget


def test_there_is_room_until_the_limit_is_reached():
    budget = ByteBudget(limit_bytes=100)
    assert budget.may_go_on("a")
    budget.take(99)
    assert budget.may_go_on("a")


def test_beyond_the_limit_one_reader_goes_on_and_the_others_wait():
    budget = ByteBudget(limit_bytes=100)
    budget.take(100)
    assert budget.may_go_on("a")
    assert not budget.may_go_on("b")
    assert budget.may_go_on("a")


def test_preallocation_lets_everybody_read_on():
    budget = ByteBudget(limit_bytes=100)
    budget.take(150)
    resumed = []
    assert budget.may_go_on("a")
    for name in ("b", "c"):
        assert not budget.may_go_on(name)
        budget.wait(name, lambda name=name: resumed.append(name))
    budget.give("a", 60)
    assert resumed == ["b", "c"]
    assert budget.may_go_on("c")


def test_the_next_waiter_proceeds_when_the_first_ends_over_budget():
    budget = ByteBudget(limit_bytes=100)
    budget.take(250)
    resumed = []
    assert budget.may_go_on("a")
    budget.wait("b", lambda: resumed.append("b"))
    budget.wait("c", lambda: resumed.append("c"))
    budget.give("a", 60)
    assert resumed == ["b"]
    assert budget.may_go_on("b")
    assert not budget.may_go_on("c")


def test_a_reader_that_leaves_makes_way():
    budget = ByteBudget(limit_bytes=100)
    budget.take(200)
    resumed = []
    assert budget.may_go_on("a")
    budget.wait("b", lambda: resumed.append("b"))
    budget.leave("a")
    assert resumed == ["b"]
    assert budget.may_go_on("b")


def test_a_reader_that_waits_and_leaves_is_not_resumed():
    budget = ByteBudget(limit_bytes=100)
    budget.take(200)
    budget.wait("b", lambda: pytest.fail("resumed"))
    budget.leave("b")
    budget.give("x", 200)
    assert budget.statistics() == {"taken_bytes": 0, "limit_bytes": 100, "waiting": 0}


def test_giving_back_more_than_was_taken_is_our_own_fault():
    budget = ByteBudget(limit_bytes=100)
    budget.take(10)
    with pytest.raises(InvariantViolated):
        budget.give("a", 11)
