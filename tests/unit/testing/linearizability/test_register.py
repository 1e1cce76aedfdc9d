"""Good histories pass and bad ones do not, by hand and against every order there is."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaquorum.testing.linearizability.history import Kind, Operation, Value
from metaquorum.testing.linearizability.register import check, check_register
from metaquorum.testing.linearizability.timeline import describe
from metaquorum.testing.linearizability.verdict import Linearizable, NotLinearizable, Undecided
from tests.unit.testing.linearizability.brute_force import is_linearizable


def write(
    value: Value, began: int, ended: int | None, *, by: str = "w", key: str = "k"
) -> Operation:
    return Operation(by, Kind.WRITE, key, value, began, ended)


def read(value: Value, began: int, ended: int, *, by: str = "r", key: str = "k") -> Operation:
    return Operation(by, Kind.READ, key, value, began, ended)


GOOD = {
    "nothing happened": [],
    "an unwritten register holds nothing": [read(None, 0, 1)],
    "a write, then its read": [write(1, 0, 1), read(1, 2, 3)],
    "a read beside a write may see the old": [write(1, 0, 9), read(None, 1, 2)],
    "a read beside a write may see the new": [write(1, 0, 9), read(1, 1, 2)],
    "two writes at once may come in either order": [
        write(1, 0, 9, by="a"),
        write(2, 1, 8, by="b"),
        read(2, 2, 3),
        read(1, 10, 11),
    ],
    "an unknown write may have happened": [write(1, 0, None), read(1, 50, 51)],
    "an unknown write may never have happened": [write(1, 0, None), read(None, 50, 51)],
    "an unknown write may happen late": [
        write(1, 0, None),
        write(2, 1, 2, by="b"),
        read(2, 3, 4),
        read(1, 90, 91),
    ],
    "a removal": [write(1, 0, 1), write(None, 2, 3), read(None, 4, 5)],
    "an end and a beginning at one moment are concurrent": [write(1, 0, 5), read(None, 5, 6)],
}

BAD = {
    "stale read": [write(1, 0, 1), write(2, 2, 3), read(1, 4, 5)],
    "lost write": [write(1, 0, 1), read(None, 2, 3)],
    "a value that nobody wrote": [write(1, 0, 1), read(7, 0, 2)],
    "read from the future": [read(1, 0, 1), write(1, 2, 3)],
    "write resurrected": [write(1, 0, 1), write(None, 2, 3), read(None, 4, 5), read(1, 6, 7)],
    "unknown write happens twice": [
        write(1, 0, None),
        read(1, 1, 2),
        write(2, 3, 4, by="b"),
        read(2, 5, 6),
        read(1, 7, 8),
    ],
    "split brain": [
        write(1, 0, 1, by="a"),
        write(2, 2, 3, by="b"),
        read(1, 4, 5, by="a"),
        read(2, 4, 5, by="b"),
    ],
    "two readers see two writes in opposite orders": [
        write(1, 0, 100, by="a"),
        write(2, 0, 100, by="b"),
        read(1, 1, 2, by="c"),
        read(2, 3, 4, by="c"),
        read(1, 5, 6, by="d"),
    ],
    "new, then old": [write(1, 0, 9), read(1, 1, 2), read(None, 3, 4)],
}


@pytest.mark.parametrize("name", GOOD)
def test_a_good_history_is_linearizable(name: str):
    assert is_linearizable(GOOD[name])
    assert isinstance(check_register(GOOD[name]), Linearizable)


@pytest.mark.parametrize("name", BAD)
def test_a_bad_history_is_not(name: str):
    assert not is_linearizable(BAD[name])
    assert isinstance(check_register(BAD[name]), NotLinearizable)


@st.composite
def histories(draw: st.DrawFn) -> list[Operation]:
    """Up to six operations on few values and moments, so that they collide."""
    found = []
    for number in range(draw(st.integers(1, 6))):
        began = draw(st.integers(0, 8))
        ended = draw(st.integers(began, 10))
        value = draw(st.sampled_from([None, 1.0, 2.0, 3.0]))
        if draw(st.booleans()):
            unknown = draw(st.integers(0, 2)) == 0
            found.append(write(value, began, None if unknown else ended, by=f"c{number}"))
        else:
            found.append(read(value, began, ended, by=f"c{number}"))
    return found


@settings(max_examples=300, deadline=None, derandomize=True)
@given(histories())
def test_the_verdict_is_that_of_trying_every_order(history: list[Operation]):
    assert isinstance(check_register(history), Linearizable) == is_linearizable(history)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.data())
def test_a_history_that_one_register_really_had_is_linearizable(data: st.DataObject):
    """Instants are drawn first and intervals around them, so an order is known to exist."""
    value: Value = None
    history = []
    for number in range(data.draw(st.integers(1, 30))):
        instant = number * 10
        began = instant - data.draw(st.integers(0, 40))
        ended: int | None = instant + data.draw(st.integers(0, 40))
        if data.draw(st.booleans()):
            value = float(number)
            lost = data.draw(st.integers(0, 3)) == 0
            history.append(write(value, began, None if lost else ended, by=f"c{number}"))
        else:
            assert ended is not None
            history.append(read(value, began, ended, by=f"c{number}"))
    assert isinstance(check_register(history), Linearizable)


def test_registers_are_judged_one_by_one_and_the_bad_one_is_named():
    history = [
        write(1, 0, 1, key="a"),
        read(1, 2, 3, key="a"),
        write(1, 0, 1, key="b"),
        read(None, 2, 3, key="b"),
    ]
    verdict = check(history)
    assert isinstance(verdict, NotLinearizable) and verdict.key == "b"
    assert check(history[:2]) == Linearizable(2, 1)


def test_a_limit_ends_the_search_without_a_verdict():
    writes = [write(float(number), 0, 100, by=f"c{number}") for number in range(12)]
    verdict = check([*writes, read(3.0, 50, 101)], most_open=100)
    assert isinstance(verdict, Undecided) and verdict.open_orders > 100
    assert describe(verdict).startswith("undecided: ")


def test_a_long_history_of_many_clients_is_judged_by_its_width_alone():
    history = []
    for number in range(2_000):
        history.append(write(float(number), number * 10, number * 10 + 25, by=f"c{number % 3}"))
        history.append(read(float(number), number * 10 + 24, number * 10 + 29, by="r"))
    verdict = check(history)
    assert isinstance(verdict, Linearizable) and verdict.operations == 4_000


def test_unknown_writes_that_nobody_saw_cost_nothing():
    history = [write(float(number), number, None, by=f"c{number}") for number in range(5_000)]
    history += [write(-1.0, 6_000, 6_001), read(-1.0, 6_002, 6_003)]
    assert check(history) == Linearizable(5_002, 1)


def test_the_story_of_a_violation_shows_who_ran_when():
    history = [
        write(9, 0, 1, by="early"),
        *(write(float(n), 10 * n, 10 * n + 5, by="anna") for n in range(1, 8)),
        write(20, 78, None, by="berta"),
        read(20, 79, 88, by="carl"),
        read(6, 80, 90, by="dora"),
    ]
    verdict = check(history)
    story = describe(verdict, units_per_ms=1)
    assert story.splitlines() == [
        "not linearizable: nothing explains the read of 6 by dora",
        "while it ran, k may have held: 7, 20",
        "       0.000 ms  anna   write 4   |---|",
        "      10.000 ms  anna   write 5            |----|",
        "      20.000 ms  anna   write 6                     |----|",
        "      30.000 ms  anna   write 7                               |---|",
        "      38.000 ms  berta  write 20                                     |------------?",
        "      39.000 ms  carl   read 20                                       |--------|",
        "->    40.000 ms  dora   read 6                                         |---------|",
    ]


@pytest.mark.parametrize("began, ended", [(0, None), (2, 1)])
def test_an_operation_that_tells_nothing_is_refused(began: int, ended: int | None):
    with pytest.raises(ValueError):
        Operation("r", Kind.READ, "k", 1.0, began, ended)
