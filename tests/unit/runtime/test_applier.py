"""The applier acts on no bytes but those that were written."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from metaquorum.records.builder import build_batch
from metaquorum.records.metadata_record import encode_metadata_record
from metaquorum.runtime.applier import Applier, UnreadableLog
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
        tell_controller=told.append,
        on_replayed=lambda end, size_bytes: told.append((end, size_bytes)),
        on_state_moved=lambda: None,
    )
    log = SimpleNamespace(end_offset=committed, read_bytes=lambda *asked: data)
    return Applier(driver, log), told  # type: ignore[arg-type]


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
