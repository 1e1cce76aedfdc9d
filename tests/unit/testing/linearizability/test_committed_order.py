"""The log as a witness: what it must hold, in which order, and what a node may show of it."""

from __future__ import annotations

import pytest

from metaquorum.testing.linearizability.committed_order import (
    CommittedWrite,
    Look,
    check_looks,
    check_writes,
)
from metaquorum.testing.linearizability.history import Kind, Operation, Value


def write(key: str, value: Value, began: int, ended: int | None) -> Operation:
    return Operation("w", Kind.WRITE, key, value, began, ended)


WRITES = [
    write("a", 1, 0, 10),
    write("b", 2, 12, 20),
    write("a", 3, 22, None),
    write("b", None, 30, 40),
    write("a", 4, 50, None),
]
LOG = [
    CommittedWrite(5, "a", 1),
    CommittedWrite(6, "b", 2),
    CommittedWrite(9, "a", 3),
    CommittedWrite(10, "b", None),
]


def look(values: dict[str, Value], began: int, ended: int, **more: object) -> Look:
    return Look(str(more.get("node", "node 1")), values, began, ended, bool(more.get("fresh")))


def test_a_log_that_agrees_with_all_answers_has_no_fault():
    assert check_writes(WRITES, LOG) == []


@pytest.mark.parametrize(
    ("log", "fault"),
    [
        (LOG[1:], "a = 1 was acknowledged and is not in the log"),
        ([*LOG, CommittedWrite(11, "c", 7)], "offset 11: c = 7 was never asked for"),
        ([*LOG, CommittedWrite(11, "a", 3)], "offset 11: a = 3 stands at 9 too"),
        (
            [LOG[1], LOG[0], *LOG[2:]],
            "offset 5: a = 1 comes after b = 2, which began when it was acknowledged already",
        ),
    ],
    ids=["lost", "invented", "twice", "out of order"],
)
def test_a_log_that_does_not_is_told_so(log: list[CommittedWrite], fault: str):
    assert check_writes(WRITES, log) == [fault]


def test_writes_of_one_value_cannot_be_distinguished():
    with pytest.raises(ValueError):
        check_writes([WRITES[0], WRITES[0]], [])


def test_a_node_may_show_any_prefix_that_grows():
    looks = [
        look({}, 100, 101),
        look({"a": 1, "b": 2}, 102, 103),
        look({"a": 1, "b": 2}, 104, 105),
        look({"a": 3, "b": None}, 106, 107),
        look({}, 108, 109, node="node 2"),
        look({"a": 3}, 110, 111, node="node 2", fresh=True),
    ]
    assert check_looks(looks, WRITES, LOG) == []


ANOTHER_LOG = [LOG[0], LOG[1], CommittedWrite(9, "c", 3)]


@pytest.mark.parametrize(
    ("looks", "log", "fault"),
    [
        ([look({"a": 3}, 100, 101)], ANOTHER_LOG, "node 1 showed no prefix after 0 writes: a = 3"),
        (
            [look({"a": 1, "b": 2}, 60, 61), look({"a": 1}, 62, 63)],
            LOG,
            "node 1 showed an older state than before after 2 writes: a = 1",
        ),
        ([look({"a": 1, "b": 2}, 5, 6)], LOG, "node 1 showed b = 2 before it was asked"),
        (
            [look({"a": 1, "b": 2}, 41, 42, fresh=True)],
            LOG,
            "a fresh look at node 1 showed 2 writes, 4 were acknowledged before it began",
        ),
    ],
    ids=["invented", "backwards", "future", "stale"],
)
def test_a_look_that_no_growing_prefix_explains_is_a_fault(
    looks: list[Look], log: list[CommittedWrite], fault: str
):
    assert check_looks(looks, WRITES, log) == [fault]
