"""The applier acts on no bytes but those that were written."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from metaquorum.base.limits import RECORDS_PER_SLICE
from metaquorum.controller.events import BatchCommitted
from metaquorum.quorum.adapt import make_control_batch
from metaquorum.quorum.types import LeaderChangeControl
from metaquorum.records.builder import build_batch
from metaquorum.records.metadata_record import encode_metadata_record
from metaquorum.runtime.driver.applier import INLINE_OFFSETS, Applier, UnreadableLog
from metaquorum.runtime.driver.ports import Listeners
from metaquorum.wire.generated.records.no_op_record import NoOpRecord

NO_OP = 20


def log_of(count: int) -> bytes:
    value = encode_metadata_record(NO_OP, NoOpRecord(), 0)
    return b"".join(
        build_batch([(None, value)], timestamp_ms=1, base_offset=at, leader_epoch=1)
        for at in range(count)
    )


def applier_over(data: bytes, committed: int, first: int = 0) -> tuple[Applier, list[Any]]:
    told: list[Any] = []
    driver = SimpleNamespace(
        active=False,
        active_from=None,
        next_to_apply=first,
        watermark=SimpleNamespace(value=committed),
        post_to_controller=told.append,
        listeners=Listeners(replayed=[lambda end, size_bytes: told.append((end, size_bytes))]),
        state_moved=lambda: None,
    )
    log = SimpleNamespace(end_offset=committed, read_bytes=lambda *asked: data)
    loading = SimpleNamespace(is_under_way=False, turn=lambda: False)
    return Applier(driver, log, loading), told  # type: ignore[arg-type]


def test_what_is_committed_is_handed_over_once_and_in_order():
    applier, told = applier_over(log_of(3), 3)
    assert applier.turn()
    size_bytes = len(log_of(1))
    assert told[1::2] == [(1, size_bytes), (2, size_bytes), (3, size_bytes)]
    assert [event.base_offset for event in told[::2]] == [0, 1, 2]
    assert not applier.turn()


def test_a_slice_that_begins_before_the_offset_is_cut_to_it():
    applier, told = applier_over(log_of(3), 3, first=2)
    assert applier.turn()
    assert [event.base_offset for event in told[::2]] == [2]


@pytest.mark.parametrize("at", [0, 8, 17, 30, 61, 66])
def test_a_turned_bit_is_never_applied(at: int):
    data = bytearray(log_of(3))
    data[len(data) // 3 + at] ^= 1
    applier, told = applier_over(bytes(data), 3)
    with pytest.raises(UnreadableLog, match="cannot be read back"):
        applier.turn()
    assert [event.base_offset for event in told[::2]] == [0]


def test_a_batch_that_is_missing_is_not_passed_over():
    size = len(log_of(1))
    data = log_of(3)
    applier, _ = applier_over(data[:size] + data[2 * size :], 3)
    with pytest.raises(UnreadableLog, match="1 was due"):
        applier.turn()


def test_a_log_that_ends_early_is_unreadable():
    applier, _ = applier_over(b"", 3)
    with pytest.raises(UnreadableLog, match="nothing at offset 0"):
        applier.turn()


def becoming_active(data: bytes, committed: int, active_from: int, end: int) -> tuple[Any, Any]:
    """An applier of a node that leads, and its driver, which notes when it lets it act."""
    applier, _ = applier_over(data, committed)
    driver: Any = applier.driver
    driver.active_from, driver.acts = active_from, []

    def activate(log_end: int) -> None:
        driver.active = True
        driver.acts.append((log_end, driver.next_to_apply))

    driver.activate = activate
    applier.log.end_offset = end  # type: ignore[misc]
    return applier, driver


def opening_at(offset: int) -> bytes:
    """A control batch of one record: the opening of epoch 1."""
    change = (LeaderChangeControl(1, (), ()),)
    payload = make_control_batch(change, offset, 1, timestamp_ms=1).payload
    assert isinstance(payload, bytes)
    return payload


def test_a_leader_acts_after_reading_all_commits_of_earlier_leaders():
    applier, driver = becoming_active(log_of(3), 3, active_from=4, end=6)
    assert applier.turn()
    assert not applier.turn()
    assert driver.acts == [], "its own opening is not committed yet"
    driver.watermark.value = 4
    applier.log.read_bytes = lambda first, below, most: opening_at(3)  # type: ignore[method-assign]
    assert applier.turn()
    assert driver.acts == []
    applier.turn()
    assert driver.acts == [(6, 4)]
    applier.turn()
    assert driver.acts == [(6, 4)], "once"


def test_a_leader_of_an_empty_log_acts_once_its_opening_is_committed():
    applier, driver = becoming_active(opening_at(0), 0, active_from=1, end=1)
    applier.turn()
    assert driver.acts == []
    driver.watermark.value = 1
    applier.turn()
    applier.turn()
    assert driver.acts == [(1, 1)]


def test_an_applier_started_late_gets_everything_committed_before():
    count = 120
    data = log_of(count)
    applier, told = applier_over(data, count)

    def read_bytes(first: int, below: int, max_bytes: int) -> bytes:
        size = len(data) // count
        return data[first * size : min(below, first + 50) * size]

    applier.log.read_bytes = read_bytes  # type: ignore[method-assign]
    turns = 0
    while applier.turn():
        turns += 1
    assert [event.base_offset for event in told[::2]] == list(range(count))
    assert turns == -(-count // 50), "slice by slice, so that others have their turn"


def test_what_is_committed_is_handed_over_anyone_who_leads():
    """The reader asks for the watermark alone: no role of the replica stops it."""
    applier, told = applier_over(log_of(3), 2)
    applier.log.read_bytes = lambda first, below, most: log_of(3)[: 2 * len(log_of(1))]  # type: ignore[method-assign]
    assert applier.turn()
    assert not applier.turn()
    applier.driver.watermark.value = 3  # type: ignore[misc]
    applier.log.read_bytes = lambda first, below, most: log_of(3)[2 * len(log_of(1)) :]  # type: ignore[method-assign]
    assert applier.turn()
    assert [event.base_offset for event in told[::2]] == [0, 1, 2]


def test_a_little_is_applied_at_once_and_more_is_left_to_the_task():
    applier, told = applier_over(log_of(3), 3)
    assert applier.apply_inline()
    assert [event.base_offset for event in told[::2]] == [0, 1, 2]
    assert applier.apply_inline()
    assert len(told) == 6
    applier, told = applier_over(log_of(1), INLINE_OFFSETS + 1)
    assert not applier.apply_inline()
    assert not told


def test_what_is_left_of_a_little_is_the_tasks():
    applier, _ = applier_over(log_of(1), 2)
    assert not applier.apply_inline()
    assert applier.driver.next_to_apply == 1


def test_a_node_that_leads_or_loads_applies_nothing_on_the_way():
    for changed in ({"active": True}, {"active_from": 1}):
        applier, told = applier_over(log_of(3), 3)
        vars(applier.driver).update(changed)
        assert not applier.apply_inline()
        assert not told
    applier, told = applier_over(log_of(3), 3)
    applier.loading.is_under_way = True  # type: ignore[misc]
    assert not applier.apply_inline()
    assert not told


def batch_of(count: int, base: int = 0) -> bytes:
    value = encode_metadata_record(NO_OP, NoOpRecord(), 0)
    return build_batch([(None, value)] * count, timestamp_ms=1, base_offset=base, leader_epoch=1)


def test_a_long_batch_is_handed_over_in_slices_and_ends_once():
    count = 2 * RECORDS_PER_SLICE + 1
    applier, told = applier_over(batch_of(count) + batch_of(1, count), count + 1)
    turns = []
    while applier.turn():
        turns.append((len(told), applier.driver.next_to_apply))
    events = [one for one in told if isinstance(one, BatchCommitted)]
    assert [len(one.records) for one in events] == [RECORDS_PER_SLICE, RECORDS_PER_SLICE, 1, 1]
    assert [one.base_offset for one in events] == [
        0,
        RECORDS_PER_SLICE,
        2 * RECORDS_PER_SLICE,
        count,
    ]
    assert [one.is_batch_end for one in events] == [False, False, True, True]
    assert [end for _, end in turns[:2]] == [RECORDS_PER_SLICE, 2 * RECORDS_PER_SLICE]
    assert [one[0] for one in told if isinstance(one, tuple)] == [count, count + 1]


def test_short_batches_are_handed_over_up_to_a_slice_a_turn():
    applier, _ = applier_over(log_of(3 * RECORDS_PER_SLICE), 3 * RECORDS_PER_SLICE)
    ends = []
    while applier.turn():
        ends.append(applier.driver.next_to_apply)
    assert ends[:3] == [RECORDS_PER_SLICE, 2 * RECORDS_PER_SLICE, 3 * RECORDS_PER_SLICE]


def test_a_slice_begins_anew_where_the_state_became_another_one():
    count = 2 * RECORDS_PER_SLICE
    applier, told = applier_over(batch_of(count), count)
    assert applier.turn()
    applier.driver.next_to_apply = 10  # a snapshot was loaded, or leadership was lost
    assert applier.turn()
    events = [one for one in told if isinstance(one, BatchCommitted)]
    assert [one.base_offset for one in events] == [0, 0]


@pytest.mark.parametrize("batches", [[1] * RECORDS_PER_SLICE, [RECORDS_PER_SLICE], [2, 2] * 250])
def test_a_read_that_ends_with_its_slice_is_followed_by_another(batches: list[int]):
    base, data = 0, []
    for count in [*batches, 1]:
        data.append(batch_of(count, base))
        base += count
    applier, _ = applier_over(b"".join(data[:-1]), base - 1)
    while applier.turn():
        pass
    applier.driver.watermark.value = base
    applier.log.read_bytes = lambda *asked: data[-1]  # type: ignore[method-assign]
    assert applier.turn()
    assert applier.driver.next_to_apply == base
