"""The timeline against a model that copies everything."""

from __future__ import annotations

import pytest
from attrs import define, field
from hypothesis import given, settings
from hypothesis import strategies as st

from metaquorum.base.errors import InvariantViolated
from metaquorum.metadata.timeline import Mark, Marks, Table

KEYS = st.integers(min_value=0, max_value=5)
OPERATIONS = st.lists(
    st.one_of(
        st.tuples(st.just("put"), st.integers(0, 1), KEYS, st.integers(0, 9)),
        st.tuples(st.just("remove"), st.integers(0, 1), KEYS, st.just(0)),
        st.tuples(st.just("open"), st.just(0), st.just(0), st.just(0)),
        st.tuples(st.just("hold"), st.integers(0, 9), st.just(0), st.just(0)),
        st.tuples(st.just("release"), st.integers(0, 9), st.just(0), st.just(0)),
        st.tuples(st.just("revert"), st.integers(0, 9), st.just(0), st.just(0)),
        st.tuples(st.just("forget"), st.integers(1, 3), st.just(0), st.just(0)),
    ),
    max_size=60,
)

Copy = tuple[dict[int, int], dict[int, int]]


@define
class Model:
    """Two dicts, and a whole copy of both for every open mark."""

    live: Copy = field(factory=lambda: ({}, {}))
    marks: list[tuple[Mark, Copy]] = field(factory=list)

    def copy(self) -> Copy:
        return (dict(self.live[0]), dict(self.live[1]))


def _apply(
    marks: Marks, tables: list[Table[int, int]], model: Model, step: tuple[str, int, int, int]
) -> None:
    name, which, key, value = step
    if name == "put":
        tables[which].put(key, value)
        model.live[which][key] = value
    elif name == "remove":
        assert tables[which].remove(key) == (model.live[which].pop(key, None) is not None)
    elif name == "open":
        at = model.marks[-1][0].at + 1 if model.marks else 0
        model.marks.append((marks.open(at), model.copy()))
    elif name == "forget":
        marks.forget(which)
    elif which < len(model.marks):
        mark, copy = model.marks[which]
        if name == "hold":
            marks.hold(mark)
        elif name == "release":
            last = mark.holders == 1
            marks.release(mark)
            if last:
                del model.marks[which]
        else:
            marks.revert(mark)
            model.live = (dict(copy[0]), dict(copy[1]))
            del model.marks[which + 1 :]


@pytest.mark.slow
@settings(derandomize=True, deadline=None, max_examples=200)
@given(OPERATIONS)
def test_every_open_mark_shows_what_a_whole_copy_would(
    steps: list[tuple[str, int, int, int]],
) -> None:
    marks = Marks()
    tables: list[Table[int, int]] = [Table(marks, "first"), Table(marks, "second")]
    model = Model()
    for step in steps:
        _apply(marks, tables, model, step)
        for number, table in enumerate(tables):
            assert dict(table.items()) == model.live[number]
            for mark, copy in model.marks:
                view = table.at(mark)
                assert dict(view.items()) == copy[number]
                assert len(view) == len(copy[number])
                assert sorted(view.keys()) == sorted(copy[number])
                for key in range(6):
                    assert view.get(key) == copy[number].get(key)
                    assert (key in view) == (key in copy[number])
    assert marks.count == len(model.marks)
    for mark, _ in reversed(model.marks):
        while mark.is_open:
            marks.release(mark)
    marks.forget(1_000)
    assert [table._past for table in tables] == [{}, {}]


def test_nothing_is_remembered_while_no_mark_is_open() -> None:
    marks = Marks()
    table: Table[str, int] = Table(marks, "plain")
    table.put("a", 1)
    mark = marks.open(5)
    table.put("a", 2)
    table.put("a", 3)
    table.put("b", 4)
    assert marks.statistics() == {"marks": 1, "old_values": 2}
    marks.release(mark)
    marks.forget(2)
    assert marks.statistics() == {"marks": 0, "old_values": 0}


def test_old_values_that_nobody_sees_go_some_at_a_time() -> None:
    marks = Marks()
    table: Table[int, int] = Table(marks, "plain")
    mark = marks.open(5)
    for key in range(5):
        table.put(key, 1)
    later = marks.open(6)
    marks.release(mark)
    left = []
    for _ in range(3):
        marks.forget(2)
        left.append(marks.statistics()["old_values"])
    assert left == [3, 1, 0]
    table.put(0, 2)
    assert table.at(later).get(0) == 1


def test_a_view_of_a_released_mark_is_refused() -> None:
    marks = Marks()
    table: Table[str, int] = Table(marks, "quotas")
    view = table.at(mark := marks.open(7))
    marks.release(mark)
    with pytest.raises(InvariantViolated, match="quotas is read at 7"):
        view.get("a")
    with pytest.raises(InvariantViolated, match="more often than held"):
        marks.release(mark)


def test_reverting_takes_newer_marks_away_from_their_holders() -> None:
    marks = Marks()
    table: Table[str, int] = Table(marks, "quotas")
    older = marks.open(1)
    table.put("a", 1)
    newer = marks.open(2)
    marks.revert(older)
    assert len(table) == 0
    assert not newer.is_open
    with pytest.raises(InvariantViolated, match="cannot be held again"):
        marks.hold(newer)
    with pytest.raises(InvariantViolated, match="no way back"):
        marks.revert(newer)


def test_marks_never_go_backwards_and_tables_come_first() -> None:
    marks = Marks()
    marks.open(3)
    with pytest.raises(InvariantViolated, match="a mark at 2 cannot follow the one at 3"):
        marks.open(2)
    with pytest.raises(InvariantViolated, match="late comes after the first mark"):
        Table(marks, "late")


def test_a_view_looks_twice_whatever_the_number_of_marks() -> None:
    class Counted(str):
        looks = 0

        def __hash__(self) -> int:
            Counted.looks += 1
            return super().__hash__()

    marks = Marks()
    table: Table[str, int] = Table(marks, "quotas")
    table.put("still", 1)
    opened = [marks.open(1)]
    for offset in range(2, 50):
        table.put("busy", offset)
        opened.append(marks.open(offset))
    for at, mark in enumerate(opened, start=1):
        view = table.at(mark)
        expected = {"still": 1, "never": None, "busy": None if at == 1 else at}
        for key, value in expected.items():
            Counted.looks = 0
            assert view.get(Counted(key)) == value
            assert Counted.looks <= 2


def test_what_marks_remember_is_forgotten_with_the_last_of_them() -> None:
    marks = Marks()
    table: Table[str, int] = Table(marks, "quotas")
    older = marks.open(1)
    table.put("a", 1)
    newer = marks.open(2)
    table.put("a", 2)
    table.put("b", 3)
    view = table.at(older)
    assert marks.statistics() == {"marks": 2, "old_values": 3}
    marks.release(newer)
    assert marks.statistics() == {"marks": 1, "old_values": 2}
    assert (view.get("a"), view.get("b")) == (None, None)
    marks.revert(older)
    assert (table.get("a"), table.get("b")) == (None, None)
    assert marks.statistics() == {"marks": 1, "old_values": 0}
    table.put("a", 4)
    marks.release(older)
    marks.forget(1)
    assert table._past == {}
