"""What is asked of a collector that walks everything, and of PyPy's, which works in steps."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any

import pytest
import trio
import trio.testing

from metaquorum.base.limits import (
    GC_FREEZE_OBJECTS,
    GC_FREEZE_RECORDS,
    GC_STEP_EVERY_S,
    GC_THRESHOLDS,
)
from metaquorum.runtime.loop import collector


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """What was asked of a collector that can be frozen, whichever this Python has."""
    calls: list[Any] = []
    monkeypatch.setattr(gc, "freeze", lambda: calls.append("freeze"), raising=False)
    monkeypatch.setattr(gc, "set_threshold", lambda *own: calls.append(own), raising=False)
    monkeypatch.setattr(gc, "callbacks", [], raising=False)
    yield calls
    gc.enable()


def test_passes_are_rarer_than_by_default(asked: list[Any]) -> None:
    collector.set_thresholds()
    assert asked == [GC_THRESHOLDS]


def test_much_that_a_full_pass_would_walk_is_frozen_before_it(
    asked: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    objects = [object()] * GC_FREEZE_OBJECTS
    collector.set_thresholds()
    collector.set_thresholds()
    asked.clear()
    [told] = gc.callbacks
    monkeypatch.setattr(gc, "get_objects", lambda generation: objects)
    for phase, generation in (("start", 0), ("stop", 0), ("start", 1), ("stop", 1), ("stop", 2)):
        told(phase, {"generation": generation, "collected": 0, "uncollectable": 0})
    assert asked == []
    for few_or_many, frozen in ((objects[1:], []), (objects, ["freeze"])):
        monkeypatch.setattr(gc, "get_objects", lambda generation, them=few_or_many: them)
        told("start", {"generation": 2, "collected": 0, "uncollectable": 0})
        assert asked == frozen


@pytest.mark.skipif(not hasattr(gc, "freeze"), reason="this collector goes in steps")
def test_a_state_that_grew_is_not_walked_by_a_full_pass(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(gc, "set_threshold", lambda *own: None)
    collector.set_thresholds()
    try:
        grown = [[number] for number in range(2 * GC_FREEZE_OBJECTS)]
        gc.collect()
        walked = {id(one) for one in gc.get_objects()}
        assert not any(id(one) in walked for one in grown)
    finally:
        gc.callbacks.remove(collector._freeze_much)
        gc.unfreeze()


def test_it_rests_while_a_state_is_loaded_and_a_large_one_is_frozen(asked: list[Any]) -> None:
    for records, frozen in ((GC_FREEZE_RECORDS - 1, []), (GC_FREEZE_RECORDS, ["freeze"])):
        was_on = collector.pause()
        assert (was_on, gc.isenabled()) == (True, False)
        collector.resume(records, was_on=was_on)
        assert (asked, gc.isenabled()) == (frozen, True)


def test_what_a_start_leaves_is_frozen(asked: list[Any]) -> None:
    collector.freeze()
    assert asked == ["freeze"]


def test_one_that_works_in_steps_rests_but_is_not_frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("freeze", "set_threshold"):
        monkeypatch.delattr(gc, name, raising=False)
    collector.set_thresholds()
    collector.freeze()
    was_on = collector.pause()
    assert (was_on, gc.isenabled()) == (True, False)
    collector.resume(GC_FREEZE_RECORDS, was_on=was_on)
    assert gc.isenabled()


def test_one_that_was_put_off_before_stays_off(asked: list[Any]) -> None:
    gc.disable()
    collector.resume(GC_FREEZE_RECORDS, was_on=collector.pause())
    assert not gc.isenabled()


async def test_where_passes_go_in_steps_one_is_asked_for_every_minute(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    steps: list[float] = []
    monkeypatch.setattr(
        gc, "collect_step", lambda: steps.append(trio.current_time()), raising=False
    )
    began = trio.current_time()
    with trio.move_on_after(3.5 * GC_STEP_EVERY_S):
        await collector.keep_stepping()
    assert [at - began for at in steps] == [GC_STEP_EVERY_S * turn for turn in (1, 2, 3)]
    gc.disable()
    try:
        with trio.move_on_after(3.5 * GC_STEP_EVERY_S):
            await collector.keep_stepping()
    finally:
        gc.enable()
    assert len(steps) == 3


async def test_where_passes_are_whole_nothing_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(gc, "collect_step", raising=False)
    with trio.fail_after(0):
        await collector.keep_stepping()
