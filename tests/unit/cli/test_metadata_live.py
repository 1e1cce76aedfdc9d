"""``metaquorum metadata`` of a live quorum: at any point that the leader still has."""

from __future__ import annotations

from typing import Any

import pytest

from metaquorum.base.errors import OperatorError
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.cli.metadata_live import from_quorum
from metaquorum.cli.metadata_load import LoadedState
from metaquorum.cli.metadata_point import END, Point, parse_point
from metaquorum.metadata.reading import read_metadata_batch
from metaquorum.metadata.snapshot_writer import snapshot_of, snapshot_values
from metaquorum.metadata.state import MetadataState
from metaquorum.records.batch import check, stamp
from metaquorum.records.builder import build_batch
from tests.every_record import CHANGES, START_MS, STATE, log_batches
from tests.unit.client.fake_quorum import FETCH_SNAPSHOT, FakeQuorum

STATE_END = len(STATE)
LOG_END = STATE_END + sum(map(len, CHANGES))
ISR_OFFSET = STATE_END + len(CHANGES[0])  # the record that gives alpha-0 its leader 1
CHANGE_ENDS = [STATE_END + sum(map(len, CHANGES[:number])) for number in range(len(CHANGES) + 1)]


def _state(quorum: FakeQuorum, point: Point = END) -> LoadedState:
    told: list[str] = []
    return from_quorum("h:1", point, 5_000, told.append, open=_opener(quorum))


def _records(state: LoadedState) -> list[bytes]:
    return sorted(snapshot_values(state.view))


def _opener(quorum: FakeQuorum) -> Any:
    """Readers of the quorum wherever the address points."""
    return lambda addresses, **options: quorum.reader(**options)


def _quorum(log: list[bytes], **more: Any) -> FakeQuorum:
    return FakeQuorum.of(**{"log": log, "high_watermark": LOG_END, "epoch": 2, **more})


def _name(end: int) -> OffsetAndEpoch:
    """What a snapshot of this end is called."""
    (epoch,) = (one.leader_epoch for one in map(check, log_batches()) if one.next_offset == end)
    return OffsetAndEpoch(epoch, end)


def test_a_live_quorum_is_read_from_the_beginning_of_its_log() -> None:
    state = _state(_quorum(log_batches()), parse_point(str(ISR_OFFSET)))
    assert state.end.offset == ISR_OFFSET
    partition = state.view.partitions.get((bytes(range(1, 17)), 0))
    assert partition is not None
    assert (partition.leader, partition.origin.offset) == (1, ISR_OFFSET)


def _cut_quorum(*, starts_at: int, snapshots: dict[int, bytes], **more: Any) -> FakeQuorum:
    """A leader that keeps these snapshots by their ends, and the log from an offset on."""
    log = [batch for batch in log_batches() if check(batch).next_offset > starts_at]
    kept = {_name(end): content for end, content in snapshots.items()}
    latest = max(kept)
    return _quorum(log, snapshot=(latest, kept.pop(latest)), older_snapshots=kept, **more)


def _snapshot_at(end: int) -> bytes:
    """What a node would write at this end: the state of the log up to there."""
    state = MetadataState()
    contained_ms = -1
    for batch in log_batches():
        header = check(batch)
        if header.next_offset <= end:
            contained_ms = header.max_timestamp_ms
            for offset, record in enumerate(
                read_metadata_batch(memoryview(batch), header), header.base_offset
            ):
                state.replay(record, offset, header.leader_epoch, contained_ms)
            state.close_batch()
    state.commit(end)
    batches = snapshot_of(
        state.committed(), epoch=1, timestamp_ms=START_MS, last_contained_ms=contained_ms
    )
    return b"".join(batches)


def test_a_live_quorum_with_a_cut_log_is_read_over_its_snapshot() -> None:
    quorum = _cut_quorum(starts_at=STATE_END, snapshots={STATE_END: _snapshot_at(STATE_END)})
    assert _state(quorum).end.offset == LOG_END - 1
    with pytest.raises(OperatorError, match=f"the oldest one is that after offset {STATE_END - 1}"):
        _state(quorum, Point("3", offset=3))


@pytest.mark.parametrize("starts_at", [CHANGE_ENDS[1], CHANGE_ENDS[0]])
def test_points_below_the_latest_snapshot_are_read_from_the_oldest(starts_at: int) -> None:
    """The log may start at the oldest snapshot's end, or with the segment that holds it."""
    oldest, latest = CHANGE_ENDS[1], CHANGE_ENDS[-2]
    quorum = _cut_quorum(
        starts_at=starts_at,
        snapshots={end: _snapshot_at(end) for end in (oldest, CHANGE_ENDS[2], latest)},
    )
    whole = _quorum(log_batches())
    for at in range(oldest - 1, LOG_END):
        point = Point(str(at), offset=at)
        shown, expected = _state(quorum, point), _state(whole, point)
        assert shown.end.offset == expected.end.offset <= at
        assert _records(shown) == _records(expected)
    with pytest.raises(OperatorError, match=f"the oldest one is that after offset {oldest - 1}"):
        _state(quorum, Point("0", offset=oldest - 2))


def test_a_live_quorum_is_read_at_a_time_before_its_latest_snapshot() -> None:
    oldest, latest = CHANGE_ENDS[1], CHANGE_ENDS[-2]
    kept = {end: _snapshot_at(end) for end in (oldest, latest)}
    quorum = _cut_quorum(starts_at=oldest, snapshots=kept)
    headers = [check(batch) for batch in log_batches()]
    times = {one.next_offset: one.max_timestamp_ms for one in headers}
    shown = _state(quorum, Point("then", time_ms=times[CHANGE_ENDS[2]]))
    assert shown.end.offset == CHANGE_ENDS[2] - 1
    with pytest.raises(OperatorError, match=f"the oldest one is that after offset {oldest - 1}"):
        _state(quorum, Point("too early", time_ms=times[oldest] - 1))


def test_a_point_before_the_only_snapshot_kept_is_refused() -> None:
    latest = CHANGE_ENDS[2]
    quorum = _cut_quorum(starts_at=CHANGE_ENDS[0], snapshots={latest: _snapshot_at(latest)})
    at = latest - 2
    with pytest.raises(OperatorError, match=f"the oldest one is that after offset {latest - 1}"):
        _state(quorum, Point(str(at), offset=at))


def test_an_older_snapshot_of_an_earlier_epoch_is_found() -> None:
    oldest, latest = CHANGE_ENDS[1], CHANGE_ENDS[-2]
    log = [
        stamp(batch, check(batch).base_offset, 7)
        for batch in log_batches()
        if check(batch).base_offset >= oldest
    ]
    quorum = _quorum(
        log,
        epoch=7,
        snapshot=(OffsetAndEpoch(7, latest), _snapshot_at(latest)),
        older_snapshots={OffsetAndEpoch(4, oldest): _snapshot_at(oldest)},
        oldest_snapshot_epoch=4,
    )
    assert _state(quorum, Point("so", offset=oldest - 1)).end.offset == oldest - 1


def test_a_log_start_that_moves_meanwhile_is_followed() -> None:
    oldest, later, latest = CHANGE_ENDS[0], CHANGE_ENDS[1], CHANGE_ENDS[-2]
    kept = {end: _snapshot_at(end) for end in (oldest, later, latest)}
    quorum = _cut_quorum(starts_at=oldest, snapshots=kept)

    def retention() -> None:
        quorum[1].log = [one for one in log_batches() if check(one).base_offset >= later]
        del quorum[1].older_snapshots[_name(oldest)]

    downloads = next(
        number
        for number, (_, key, _) in enumerate(_asked(quorum, later), 1)
        if key == FETCH_SNAPSHOT
    )
    quorum.requests.clear()
    quorum.before[downloads + 1] = retention
    assert _state(quorum, Point("so", offset=later)).end.offset == later


def _asked(quorum: FakeQuorum, at: int) -> list[tuple[int, int, Any]]:
    """What a look at this offset asks."""
    _state(quorum, Point("so", offset=at))
    return list(quorum.requests)


def test_a_batch_that_cannot_be_replayed_names_the_quorum() -> None:
    bad = build_batch([(None, b"\x01\x50\x00\x00")], timestamp_ms=1, base_offset=0)
    with pytest.raises(OperatorError, match=r"the metadata log of h:1: .* at offset 0"):
        _state(FakeQuorum.of(log=[bad], high_watermark=1))
