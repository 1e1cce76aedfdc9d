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


def test_units_that_are_given_back_let_everybody_read_on():
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


def test_thousands_that_take_each_other_along_are_not_nested_calls():
    budget = ByteBudget(limit_bytes=100)
    budget.take(200)
    assert budget.may_go_on("first")
    went_on = []

    def wait(number):
        def resume():
            assert budget.may_go_on(number)
            went_on.append(number)

        budget.wait(number, resume)

    for number in range(5_000):
        wait(number)
    budget.give("first", 150)
    assert went_on == list(range(5_000))


def test_one_that_waits_again_is_called_once_at_a_time():
    budget = ByteBudget(limit_bytes=100)
    budget.take(100)
    assert budget.may_go_on("first")
    called = []

    def resume():
        called.append("a")
        budget.wait("a", resume)
        budget.does_not_go_on("first")

    budget.wait("a", resume)
    budget.leave("first")
    assert called == ["a"]
