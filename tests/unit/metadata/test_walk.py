"""Passing over a table in pieces, while it is written between two of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from metaquorum.metadata.timeline import Marks, Table, Walk

KEYS = st.integers(0, 30)
CHANGES = st.lists(st.tuples(st.sampled_from(("put", "remove")), KEYS), max_size=4)


def table_of(keys: range) -> tuple[Marks, Table[int, int]]:
    marks = Marks()
    table: Table[int, int] = Table(marks, "numbers")
    marks.open(0)
    for key in keys:
        table.put(key, key)
    return marks, table


def rest(walk: Walk[int, int], most: int = 4) -> list[int]:
    found: list[int] = []
    while not walk.is_over:
        found += [key for key, _ in walk.some(most)]
    return found


def test_a_walk_meets_every_entry_once_and_in_order() -> None:
    _, table = table_of(range(10))
    assert rest(table.walk()) == list(range(10))
    assert rest(table_of(range(0))[1].walk()) == []


def test_a_walk_shows_what_an_entry_has_become() -> None:
    _, table = table_of(range(4))
    walk = table.walk()
    assert list(walk.some(2)) == [(0, 0), (1, 1)]
    table.put(3, 33)
    assert list(walk.some(2)) == [(2, 2), (3, 33)]


def test_an_addition_and_a_removal_together_skip_nothing() -> None:
    _, table = table_of(range(8))
    walk = table.walk()
    assert len(list(walk.some(4))) == 4
    table.remove(0)
    table.put(100, 100)  # as many as before: the length tells nothing
    assert rest(walk)[-5:] == [4, 5, 6, 7, 100]


def test_a_walk_goes_on_after_a_revert() -> None:
    marks, table = table_of(range(6))
    mark = marks.open(1)
    for key in range(6, 12):
        table.put(key, key)
    walk = table.walk()
    assert len(list(walk.some(3))) == 3
    marks.revert(mark)
    assert set(rest(walk)) >= {3, 4, 5}


@given(st.integers(1, 5), st.lists(CHANGES, max_size=12))
def test_what_is_there_all_the_time_is_met_at_least_once(
    most: int, between: list[list[tuple[str, int]]]
) -> None:
    _, table = table_of(range(20))
    walk, met, gone = table.walk(), set[int](), set[int]()
    changes = iter(between)
    while not walk.is_over:
        met |= {key for key, _ in walk.some(most)}
        for what, key in next(changes, ()):
            if what == "put":
                table.put(key, -key)
            elif table.remove(key):
                gone.add(key)
    assert met >= set(table.keys()) - gone
