"""Where a snapshot may end."""

from __future__ import annotations

from attrs import define, evolve, field

from metaquorum.base.epochs import EpochStarts
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.metadata.state import MetadataState
from metaquorum.quorum.log_view import LogView
from metaquorum.quorum.voters import VoterHistory
from metaquorum.records.batch import read_header
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.runtime.snapshots.snapshot_writing import SnapshotWriting
from metaquorum.testing.every_record import made, uuid

BEGIN, END, ABORT = made("BeginTransaction"), made("EndTransaction"), made("AbortTransaction")


@define
class Replica:
    """As much of one as a snapshot needs."""

    log: LogView = field(
        factory=lambda: LogView(
            end=1_000, high_watermark=1_000, epochs=EpochStarts().assigned(4, 0)
        )
    )
    voters: VoterHistory = field(factory=VoterHistory)


def _topic(name: str) -> MetadataRecord:
    return made("Topic", name=name, topic_id=uuid(name))


def _state(*batches: list[MetadataRecord], committed: int = 1_000) -> MetadataState:
    state = MetadataState()
    for batch in batches:
        for record in batch:
            state.replay(record, state.end_offset, 4, 0)
        state.close_batch()
    state.commit(committed)
    return state


def _begin(state: MetadataState, replica: Replica | None = None) -> SnapshotWriting | None:
    return SnapshotWriting.begin(state, replica or Replica(), 0)  # type: ignore[arg-type]


def _end(state: MetadataState, replica: Replica | None = None) -> int | None:
    before = state.statistics()
    writing = _begin(state, replica)
    if writing is None:
        return None
    writing.end()
    writing.end()
    assert state.statistics() == before
    return writing.id.offset


def test_it_ends_where_the_last_committed_batch_does() -> None:
    assert _end(_state([_topic("a")], [_topic("b"), _topic("c")])) == 3
    assert _end(_state([_topic("a")], [_topic("b"), _topic("c")], committed=2)) == 1


def test_nothing_committed_is_nothing_to_write() -> None:
    assert _end(_state()) is None
    assert _end(_state([_topic("a")], committed=0)) is None


def test_there_is_none_inside_an_open_transaction() -> None:
    assert _end(_state([_topic("a")], [BEGIN, _topic("b")])) is None
    assert _end(_state([_topic("a")], [BEGIN, _topic("b")], [END])) == 4
    assert _end(_state([_topic("a")], [BEGIN, _topic("b")], [ABORT])) == 4


def test_there_is_none_in_the_middle_of_a_batch() -> None:
    """Committed up to the first batch only, the state ends where its transaction begins."""
    state = _state([_topic("a"), BEGIN, _topic("b")], [END], committed=3)
    assert (state.stable_offset, state.transaction) == (1, None)
    assert _end(state) is None
    state.commit(4)
    assert _end(state) == 4


def test_a_transaction_opening_a_batch_keeps_the_previous_batch_whole() -> None:
    state = _state([_topic("a")], [BEGIN, _topic("b")], [END], committed=3)
    assert _end(state) == 1


def test_no_snapshot_below_log_start_above_high_watermark_or_twice() -> None:
    state, replica = _state([_topic("a")]), Replica()
    assert _end(state, replica) == 1
    assert _end(state, evolve(replica, log=evolve(replica.log, start=2))) is None
    assert _end(state, evolve(replica, log=evolve(replica.log, high_watermark=None))) is None
    replica.log = replica.log.with_snapshot(OffsetAndEpoch(4, 1), 10)
    assert _end(state, replica) is None


def test_a_snapshot_is_wanted_until_a_new_state_or_newer_snapshot() -> None:
    state, replica = _state([_topic("a")]), Replica()
    writing = _begin(state, replica)
    assert writing is not None
    assert writing.is_wanted(state)
    assert not writing.is_wanted(_state([_topic("a")]))
    replica.log = replica.log.with_snapshot(OffsetAndEpoch(4, 5), 10)
    assert not writing.is_wanted(state)


def test_what_was_written_is_the_new_base_of_changed_records() -> None:
    state = MetadataState(count_changes=True)
    state.replay(_topic("a"), 0, 1, 0)
    state.close_batch()
    state.commit(1)
    writing = _begin(state)
    assert writing is not None
    writing.wrote(sum(read_header(batch).record_count for batch in writing.batches))
    assert state.changes is not None
    assert state.changes.base == 1
