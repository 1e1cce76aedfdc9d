"""The replayed state of groups: the last record of each key, taken back, held and rebuilt."""

from __future__ import annotations

from random import Random

import pytest

from metaquorum.base.errors import InvariantViolated
from metaquorum.groups.rows import record_of, tombstone_of
from metaquorum.groups.state import GroupState
from metaquorum.metadata.state import Provenance
from metaquorum.records.group_record import GROUP_METADATA, OFFSET_COMMIT, GroupRecord


def _offset(group: str, offset: int, topic: str = "t") -> GroupRecord:
    return record_of(OFFSET_COMMIT, group, topic, 0, offset=offset)


def _replayed(state: GroupState, *records: GroupRecord) -> None:
    for record in records:
        state.replay(record, state.end_offset, 1, 5)
    state.close_batch()


def test_the_last_record_of_a_key_holds_and_a_tombstone_ends_it() -> None:
    state = GroupState()
    _replayed(state, _offset("g", 1), _offset("g", 2), _offset("h", 3))
    assert state.value("g", OFFSET_COMMIT, "t", 0).offset == 2
    _replayed(state, tombstone_of(OFFSET_COMMIT, "g", "t", 0))
    assert state.group_ids() == ["h"]
    assert state.statistics()["records"] == 1


def test_what_is_not_committed_is_taken_back() -> None:
    state = GroupState()
    _replayed(state, _offset("g", 1))
    state.commit(1)
    _replayed(state, _offset("g", 2), _offset("h", 3))
    _replayed(state, tombstone_of(OFFSET_COMMIT, "g", "t", 0))
    assert state.has_uncommitted
    state.revert_to_stable()
    assert [record.value.offset for record in state.records()] == [1]
    assert (state.end_offset, state.stable_offset) == (1, 1)


def test_a_snapshot_holds_what_is_committed_whatever_comes_later() -> None:
    state = GroupState()
    _replayed(state, _offset("g", 1), _offset("i", 9))
    state.commit(2)
    _replayed(state, _offset("g", 2), _offset("h", 3), tombstone_of(OFFSET_COMMIT, "i", "t", 0))
    held = state.hold()
    assert held.provenance == Provenance(2, 1, 5)
    assert [record.value.offset for record in held.view] == [1, 9]


def test_a_state_is_rebuilt_by_its_own_records_in_one_order() -> None:
    chance = Random(7)
    state = GroupState()
    for _ in range(300):
        group = f"g{chance.randrange(5)}"
        record = _offset(group, chance.randrange(100), f"t{chance.randrange(4)}")
        if chance.random() < 0.3:
            record = GroupRecord(record.key, None)
        elif chance.random() < 0.2:
            record = record_of(GROUP_METADATA, group, protocol_type="consumer", leader=None)
        _replayed(state, record)
    state.commit(state.end_offset)
    records = list(state.records())
    encoded = [GroupRecord.decode(*record.encode()) for record in records]
    chance.shuffle(encoded)
    again = GroupState.from_snapshot(encoded, state.provenance)
    assert list(again.records()) == records == list(state.hold().view)
    assert again.end_offset == again.stable_offset == 300


def test_unknown_kinds_are_kept_and_counted() -> None:
    state = GroupState()
    _replayed(state, GroupRecord(b"\x00\x63abc", b"value"))
    assert state.foreign_met == 1
    assert state.group_ids() == []
    assert list(state.records()) == [GroupRecord(b"\x00\x63abc", b"value")]


def test_a_record_that_was_replayed_before_is_an_error() -> None:
    state = GroupState()
    _replayed(state, _offset("g", 1))
    with pytest.raises(InvariantViolated, match="replayed before"):
        state.replay(_offset("g", 1), 0, 1, 5)


def test_a_state_that_is_replaced_is_cleared_in_slices() -> None:
    state = GroupState()
    _replayed(state, *(_offset(f"g{number}", 1) for number in range(3_000)))
    assert len(list(state.cleared())) == 1
    assert state.group_ids() == []
