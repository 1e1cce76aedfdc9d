"""Missing producer snapshots out of the log: the right state, from the right place, or none."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from metaquorum.storage.names import PRODUCER_SNAPSHOT, segment_file
from metaquorum.storage.partition_log import RottenSegment, segments_of, walk_segment
from metaquorum.storage.posix import PosixDisk
from metaquorum.storage.producer_regeneration import (
    PartitionProducers,
    SnapshotState,
    segment_deltas,
)
from metaquorum.storage.producer_snapshot import EMPTY, encode_producers, write_producers
from metaquorum.storage.producer_state import LastBatch, ProducerEntry, applied, merged
from tests.unit.storage.broker_batches import DAY_MS, NOW_MS, data, emptied, marker, write_segments

OLD_MS = NOW_MS - 2 * DAY_MS
Segments = dict[int, Sequence[bytes]]

THREE: Segments = {
    0: [data(0, 1, 0, 0, 3), data(3), data(4, 2, 0, 0)],
    5: [data(5, 1, 0, 3), data(6, 2, 1, 0, 2)],
    8: [data(8, 3, 0, 0), marker(9, 2, 2, 5)],
    10: [data(10, 1, 0, 4)],
}


def producers(directory: Path, segments: Segments, log_start: int = 0) -> PartitionProducers:
    write_segments(directory, segments)
    return PartitionProducers(PosixDisk(), str(directory), log_start, NOW_MS, DAY_MS)


def put(directory: Path, offset: int, content: bytes) -> None:
    (directory / segment_file(offset, PRODUCER_SNAPSHOT)).write_bytes(content)


def test_every_closed_segment_wants_the_snapshot_at_its_end(tmp_path: Path) -> None:
    put(tmp_path, 8, EMPTY)
    put(tmp_path, 10, EMPTY[:-1])
    found = producers(tmp_path, THREE).wanted()
    states = [SnapshotState.MISSING, SnapshotState.VALID, SnapshotState.DAMAGED]
    assert [(one.offset, one.state) for one in found] == list(zip((5, 8, 10), states, strict=True))
    assert found[2].why == "it has 9 bytes, a producer snapshot has at least 10"


def test_three_boundaries_of_one_pass_are_as_each_by_itself(tmp_path: Path) -> None:
    running = producers(tmp_path, THREE)
    for offset in (5, 8, 10):
        alone = PartitionProducers(PosixDisk(), str(tmp_path), 0, NOW_MS, DAY_MS)
        assert running.state_at(offset).entries == alone.state_at(offset).entries
    assert running.state_at(10).entries == (
        ProducerEntry(1, 0, -1, NOW_MS - 1_000, -1, LastBatch(3, 5, 0)),
        ProducerEntry(2, 2, 5, NOW_MS - 1_000, -1, None),
        ProducerEntry(3, 0, -1, NOW_MS - 1_000, -1, LastBatch(0, 8, 0)),
    )


def test_the_newest_valid_snapshot_is_where_a_replay_begins(tmp_path: Path) -> None:
    kept = ProducerEntry(77, 4, 3, NOW_MS, -1, LastBatch(9, 2, 0))
    put(tmp_path, 5, encode_producers([kept]))
    put(tmp_path, 8, b"torn")
    made = producers(tmp_path, THREE).state_at(10)
    assert (made.replayed_from, made.replayed_segments, made.looked_at_segments) == (5, 2, 0)
    assert kept in made.entries


def test_a_snapshot_within_a_segment_is_as_good(tmp_path: Path) -> None:
    """A broker writes one where the log ends when it stops."""
    put(tmp_path, 6, encode_producers([ProducerEntry(1, 0, -1, NOW_MS, -1, LastBatch(3, 5, 0))]))
    made = producers(tmp_path, THREE).state_at(8)
    assert made.replayed_from == 6
    assert [one.producer_id for one in made.entries] == [1, 2]


def test_no_producer_is_an_empty_file(tmp_path: Path) -> None:
    made = producers(tmp_path, {0: [data(0), data(1)], 2: [data(2)]}).state_at(2)
    assert encode_producers(made.entries) == EMPTY


def old(offset: int, producer_id: int, *, transactional: bool = False) -> bytes:
    return data(offset, producer_id, 0, offset, timestamp_ms=OLD_MS, transactional=transactional)


def test_segments_whose_producers_are_forgotten_are_only_looked_at(tmp_path: Path) -> None:
    segments: Segments = {0: [old(0, 1)], 1: [old(1, 2)], 2: [data(2, 3)], 3: [old(3, 4)], 4: []}
    made = producers(tmp_path, segments).state_at(4)
    assert (made.replayed_from, made.replayed_segments) == (2, 2), "from the first young one, all"
    assert [one.producer_id for one in made.entries] == [3], "the old one is forgotten"


def test_a_newer_batch_with_an_older_time_is_the_one_that_counts(tmp_path: Path) -> None:
    """Were the old looking segment left out, a stale sequence would come back."""
    segments: Segments = {0: [data(0, 1, 0, 0)], 1: [old(1, 1)], 2: []}
    assert producers(tmp_path, segments).state_at(2).entries == ()


def test_a_transaction_that_is_open_is_followed_to_its_beginning(tmp_path: Path) -> None:
    opened = [old(0, 7), old(1, 9, transactional=True)]
    segments: Segments = {0: opened, 2: [old(2, 8)], 3: [data(3, 3)], 4: []}
    made = producers(tmp_path, segments).state_at(4)
    assert made.replayed_from == 0
    assert [(one.producer_id, one.transaction_first_offset) for one in made.entries] == [
        (3, -1),
        (9, 1),
    ]


def test_a_transaction_that_has_ended_needs_no_beginning(tmp_path: Path) -> None:
    ended = [old(0, 9, transactional=True), marker(1, 9, timestamp_ms=OLD_MS)]
    segments: Segments = {0: ended, 2: [data(2, 3)], 3: []}
    assert producers(tmp_path, segments).state_at(3).replayed_from == 2


@pytest.mark.parametrize("timestamp_ms", [-1, NOW_MS + 400 * DAY_MS])
def test_times_that_cannot_be_are_no_reason_to_leave_a_segment_out(
    tmp_path: Path, timestamp_ms: int
) -> None:
    odd = data(0, 5, 0, 0, timestamp_ms=timestamp_ms)
    assert producers(tmp_path, {0: [odd], 1: [data(1, 3)], 2: []}).state_at(2).replayed_from == 0


def test_below_the_log_start_nothing_counts_and_nothing_is_wanted(tmp_path: Path) -> None:
    put(tmp_path, 5, encode_producers([ProducerEntry(77, timestamp_ms=NOW_MS)]))
    some = producers(tmp_path, THREE, log_start=6)
    assert [one.offset for one in some.wanted()] == [8, 10]
    made = some.state_at(8)
    assert [one.producer_id for one in made.entries] == [2]


def test_an_emptied_marker_of_a_stranger_is_forgotten_at_once(tmp_path: Path) -> None:
    segments: Segments = {0: [emptied(marker(0, 9)), data(1, 3)], 2: []}
    assert [one.producer_id for one in producers(tmp_path, segments).state_at(2).entries] == [3]


def damaged(how: str) -> bytes:
    good = data(5, 1, 0, 3) + data(6, 2, 1, 0, 2)
    raw = bytearray(good)
    if how == "a turned bit":
        raw[-3] ^= 4
    elif how == "cut off":
        del raw[-5:]
    elif how == "cut off in the header":
        del raw[len(data(5, 1, 0, 3)) + 30 :]
    elif how == "zeros":
        raw += bytes(100)
    elif how == "foreign":
        raw[:] = b"PAR1" * 60
    elif how == "an offset of the next segment":
        raw += data(8, 1, 0, 4)
    elif how == "backwards":
        raw += data(5, 1, 0, 4)
    elif how == "a transaction broken":
        raw[:] = data(5, 1, 0, 3, transactional=True) + data(6, 1, 0, 4)
    return bytes(raw)


ROT = (
    "a turned bit",
    "cut off",
    "cut off in the header",
    "zeros",
    "foreign",
    "an offset of the next segment",
    "backwards",
    "a transaction broken",
)


@pytest.mark.parametrize("how", ROT)
def test_a_corrupt_segment_yields_no_producer_state_until_a_snapshot(
    tmp_path: Path, how: str
) -> None:
    put(tmp_path, 10, encode_producers([ProducerEntry(5, timestamp_ms=NOW_MS)]))
    segments = {**THREE, 5: [damaged(how)], 10: [data(10, 1, 0, 4)], 11: []}
    some = producers(tmp_path, segments)
    assert [one.producer_id for one in some.state_at(5).entries] == [1, 2]
    with pytest.raises(RottenSegment) as raised:
        some.state_at(8)
    assert raised.value.path == str(tmp_path / segment_file(5, ".log"))
    assert f"at byte {raised.value.position}, after offset" in str(raised.value)
    with pytest.raises(RottenSegment):
        some.state_at(8)
    assert [one.producer_id for one in some.state_at(11).entries] == [1, 5]


def test_a_cut_end_of_the_segment_that_still_grows_is_no_rot(tmp_path: Path) -> None:
    whole = data(0, 1) + data(1, 1, 0, 1)
    write_segments(tmp_path, {0: [whole[:-7]]})
    (last,) = segments_of(PosixDisk(), str(tmp_path))
    assert [one.header.base_offset for one in walk_segment(PosixDisk(), last)] == [0]


@pytest.mark.parametrize("codec", range(5))
def test_batches_compressed_or_larger_than_the_window_are_walked(
    tmp_path: Path, codec: int
) -> None:
    batches = [data(at * 40_000, 1, 0, 0, 9_000, compression=codec) for at in range(4)]
    write_segments(tmp_path, {0: batches, 200_000: []})
    first, _ = segments_of(PosixDisk(), str(tmp_path))
    walked = list(walk_segment(PosixDisk(), first))
    assert [bytes(one.content) for one in walked] == batches


def test_messages_from_before_producers_are_checked_and_passed_over(tmp_path: Path) -> None:
    v1 = bytes.fromhex("0000000000000000000000186d7e04bf010000000189a0c2f4000000016b0000000178")
    from struct import pack
    from zlib import crc32

    body = v1[16:]
    message = pack(">qiI", 0, len(body) + 4, crc32(body)) + body
    write_segments(tmp_path, {0: [message, data(1, 5)], 2: []})
    some = PartitionProducers(PosixDisk(), str(tmp_path), 0, NOW_MS, DAY_MS)
    assert [one.producer_id for one in some.state_at(2).entries] == [5]
    broken = bytearray(message)
    broken[-1] ^= 1
    write_segments(tmp_path, {0: [bytes(broken), data(1, 5)], 2: []})
    with pytest.raises(RottenSegment, match="checksum"):
        PartitionProducers(PosixDisk(), str(tmp_path), 0, NOW_MS, DAY_MS).state_at(2)


def test_segments_folded_apart_and_merged_are_the_state(tmp_path: Path) -> None:
    some = producers(tmp_path, THREE)
    deltas = [segment_deltas(PosixDisk(), one) for one in some.segments[:3]]
    whole = merged(merged(deltas[0], deltas[1]), deltas[2])
    assert whole == merged(deltas[0], merged(deltas[1], deltas[2]))
    by_id = {one.producer_id: one for one in some.state_at(10).entries}
    assert applied({}, whole) == by_id


def test_a_file_that_is_written_is_found_valid(tmp_path: Path) -> None:
    some = producers(tmp_path, THREE)
    write_producers(PosixDisk(), str(tmp_path), 5, some.state_at(5).entries)
    assert some.wanted()[0].state is SnapshotState.VALID
