"""The log: appended, read by plans, rolled, truncated; against a plain list of batches."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaquorum.base.errors import InvariantViolated
from metaquorum.base.limits import MAX_RECENT_BATCHES
from metaquorum.base.offsets import Offset
from metaquorum.records.batch import BatchHeader, read_header
from metaquorum.records.builder import build_batch
from metaquorum.records.control import ControlType, control_codec, encode_control
from metaquorum.records.reader import walk_batches
from metaquorum.storage import recent_batches
from metaquorum.storage.log import Log, OffsetOutOfRange
from metaquorum.storage.log_config import LogConfig
from metaquorum.storage.segment import Segment
from metaquorum.testing.mutants import replaced
from metaquorum.testing.sim.crashes import crashes
from metaquorum.testing.sim.disk import SimDisk
from metaquorum.testing.sim.files import Op

WHERE = "/data/__cluster_metadata-0"
SMALL = LogConfig(segment_bytes=700, index_interval_bytes=150)


def batch(base: Offset, count: int = 1, epoch: int = 1, at_ms: int = 1000, size: int = 10) -> bytes:
    values = [(None, bytes([(base + n) % 251]) * size) for n in range(count)]
    return build_batch(values, timestamp_ms=at_ms, base_offset=base, leader_epoch=epoch)


def leader_change(base: Offset, epoch: int) -> bytes:
    message = control_codec(ControlType.LEADER_CHANGE).LeaderChangeMessage(leader_id=epoch)
    return build_batch(
        [encode_control(ControlType.LEADER_CHANGE, message)],
        timestamp_ms=1000,
        base_offset=base,
        leader_epoch=epoch,
        control=True,
    )


def opened(disk: SimDisk, config: LogConfig = SMALL) -> Log:
    log, _ = Log.open(disk, WHERE, config)
    return log


def filled(counts: list[int], config: LogConfig = SMALL) -> tuple[Log, list[bytes]]:
    """A log with one batch a count, and the batches."""
    log = opened(SimDisk(), config)
    batches = []
    for count in counts:
        batches.append(batch(log.end_offset, count, at_ms=1000 + log.end_offset))
        log.append(batches[-1:])
    return log, batches


def everything(log: Log) -> bytes:
    return log.read(log.start_offset, 1 << 30, log.end_offset)


def test_an_empty_log_starts_and_ends_at_zero() -> None:
    log = opened(SimDisk())

    assert (log.start_offset, log.end_offset, log.last_epoch) == (0, 0, 0)
    assert log.read(0, 1000, 100) == b""
    assert log.offset_for_timestamp(0, 100) is None
    assert log.max_timestamp(100) is None
    assert list(log.batches()) == []
    assert log.control_records() == []


def test_appended_batches_are_read_back_and_survive_a_reopening() -> None:
    log, batches = filled([1, 3, 2])
    log.sync()

    assert log.end_offset == 6
    assert everything(log) == b"".join(batches)
    assert everything(opened(log.disk)) == b"".join(batches)


def test_a_batch_that_does_not_continue_the_log_violates_an_invariant() -> None:
    log, _ = filled([2])
    for wrong in (batch(3), batch(0)):
        with pytest.raises(InvariantViolated, match="cannot follow a log that ends at 2"):
            log.append([wrong])
    with pytest.raises(InvariantViolated, match="epoch 0"):
        log.append([batch(2, epoch=0)])
    with pytest.raises(InvariantViolated, match="cannot follow"):
        log.append([batch(2) + b"x"])
    assert log.end_offset == 2


def test_a_full_segment_is_followed_by_one_named_by_its_first_offset() -> None:
    log, batches = filled([5] * 12)
    names = [name for name in log.disk.names(WHERE) if name.endswith(".log")]
    sizes = [len(log.disk.read_bytes(f"{WHERE}/{name}")) for name in names]

    assert names == [f"{base:020d}.log" for base in (0, 20, 40)]
    assert all(size <= SMALL.segment_bytes for size in sizes)
    assert everything(log) == b"".join(batches)


def test_one_append_of_many_batches_rolls_segments_like_many_appends() -> None:
    log, batches = filled([5] * 12)
    at_once = opened(SimDisk())
    at_once.append(batches)

    assert at_once.disk.files() == log.disk.files()


def test_a_batch_larger_than_a_segment_gets_one_for_itself() -> None:
    log, _ = filled([1, 100, 1])

    assert [name for name in log.disk.names(WHERE) if name.endswith(".log")] == [
        f"{0:020d}.log",
        f"{1:020d}.log",
        f"{101:020d}.log",
    ]


def test_a_segment_rolls_when_its_batches_are_too_far_apart_in_time() -> None:
    log = opened(SimDisk(), LogConfig(segment_ms=5000))
    for base, at_ms in enumerate([10_000, 15_000, 9_000, 15_001, 15_002]):
        log.append([batch(base, at_ms=at_ms)])

    assert [name for name in log.disk.names(WHERE) if name.endswith(".log")] == [
        f"{0:020d}.log",
        f"{3:020d}.log",
    ]


@settings(derandomize=True, deadline=None, max_examples=150)
@given(
    counts=st.lists(st.integers(1, 6), min_size=1, max_size=25),
    offset_share=st.floats(0, 1),
    below_share=st.floats(0, 1),
    max_bytes=st.integers(0, 2500),
    whole_first=st.booleans(),
)
def test_a_read_plan_equals_the_choice_from_a_plain_list(
    counts: list[int],
    offset_share: float,
    below_share: float,
    max_bytes: int,
    whole_first: bool,
) -> None:
    log, batches = filled(counts)
    offset = round(log.end_offset * offset_share)
    below = round(log.end_offset * below_share)
    expected: list[bytes] = []
    for content in batches:
        header = read_header(content)
        if header.last_offset < offset:
            continue
        size = sum(map(len, expected)) + len(content)
        if header.last_offset >= below or (size > max_bytes and (expected or not whole_first)):
            break
        expected.append(content)

    plan = log.read_plan(offset, max_bytes, below, whole_first)
    found = b"".join(log.disk.read_slice(part) for part in plan.slices)

    assert found == b"".join(expected)
    assert plan.size_bytes == len(found)
    assert not plan.slices or plan.slices[-1].end_offset == plan.next_offset
    if expected:
        assert plan.next_offset == read_header(expected[-1]).next_offset
    else:
        assert plan.next_offset == offset


@settings(derandomize=True, deadline=None, max_examples=100)
@given(
    counts=st.lists(st.integers(1, 6), min_size=1, max_size=40),
    max_bytes=st.integers(100, 400),
    shares=st.lists(st.tuples(st.floats(0, 1), st.integers(1, 6)), max_size=3),
)
def test_a_reader_continuing_a_plan_sees_the_log_after_truncation(
    counts: list[int], max_bytes: int, shares: list[tuple[float, int]]
) -> None:
    with replaced(recent_batches, "MAX_RECENT_BATCHES", 2):
        log, _ = filled(counts, LogConfig(segment_bytes=1 << 20, index_interval_bytes=150))
        for epoch, (share, count) in enumerate([(1.0, 1), *shares], 2):
            log.truncate(round(log.end_offset * share))
            for _ in range(5):
                log.append([batch(log.end_offset, count, epoch)])
            offset, read = 0, b""
            while offset < log.end_offset:
                plan = log.read_plan(offset, max_bytes, log.end_offset)
                read += b"".join(log.disk.read_slice(part) for part in plan.slices)
                offset = plan.next_offset
            assert read == everything(log)


def test_who_goes_on_looks_at_one_header_a_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    config = LogConfig(segment_bytes=1 << 20, index_interval_bytes=150)
    log, batches = filled([3] * (2 * MAX_RECENT_BATCHES), config)
    looked_at: list[int] = []
    headers = Segment.headers

    def counted(segment: Segment, position: int, end: int) -> Iterator[tuple[BatchHeader, int]]:
        for found in headers(segment, position, end):
            looked_at.append(found[1])
            yield found

    monkeypatch.setattr(Segment, "headers", counted)
    offset = log.read_plan(0, 10 * len(batches[0]), log.end_offset).next_offset
    for _ in range(5):
        start = log.read_plan(offset, 1, log.end_offset).slices[0].position
        looked_at.clear()
        plan = log.read_plan(offset, 10 * len(batches[0]), log.end_offset)
        assert plan.slices[0].position == start
        assert plan.size_bytes == 10 * len(batches[0])
        assert min(looked_at) > start + 5 * len(batches[0])
        offset = plan.next_offset


def test_reads_outside_of_the_log_are_refused() -> None:
    log, _ = filled([3])
    assert log.read(3, 100, 3) == b""
    for offset in (-1, 4):
        with pytest.raises(OffsetOutOfRange, match=f"offset {offset}, the log has 0 to 3"):
            log.read_plan(offset, 100, 3)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(counts=st.lists(st.integers(1, 6), min_size=1, max_size=20), share=st.floats(0, 1))
def test_truncation_keeps_whole_batches_below_and_appends_continue(
    counts: list[int], share: float
) -> None:
    log, batches = filled(counts)
    to = round(log.end_offset * share)
    log.truncate(to)
    kept = [content for content in batches if read_header(content).last_offset < to]

    assert log.end_offset == (read_header(kept[-1]).next_offset if kept else 0)
    assert everything(log) == b"".join(kept)
    log.append([batch(log.end_offset, 2, epoch=9)])
    log.sync()
    again = opened(log.disk)
    assert everything(again) == everything(log)
    assert again.epochs == log.epochs


def test_truncating_cuts_epochs_and_control_records() -> None:
    log = opened(SimDisk())
    log.append([leader_change(0, 1), batch(1), leader_change(2, 4), batch(3, epoch=4)])
    assert list(log.epochs) == [(1, 0), (4, 2)]

    log.truncate(2)

    assert list(log.epochs) == [(1, 0)]
    assert [(offset, epoch) for offset, epoch, _ in log.control_records()] == [(0, 1)]
    assert log.disk.read_bytes(f"{WHERE}/leader-epoch-checkpoint") == b"0\n1\n1 0\n"


def test_control_records_keep_their_offset_and_epoch_after_reopening() -> None:
    log = opened(SimDisk())
    log.append([leader_change(0, 1), batch(1, 3), leader_change(4, 2)])
    log.sync()
    for either in (log, opened(log.disk)):
        found = either.control_records()
        assert [(offset, epoch) for offset, epoch, _ in found] == [(0, 1), (4, 2)]
        assert [control.message.leader_id for _, _, control in found] == [1, 2]


def test_dropping_a_prefix_removes_whole_segments_and_moves_the_start() -> None:
    log, batches = filled([5] * 12)
    log.drop_prefix(37)

    assert log.start_offset == 37
    assert [name for name in log.disk.names(WHERE) if name.endswith(".log")] == [
        f"{20:020d}.log",
        f"{40:020d}.log",
    ]
    assert list(log.epochs) == [(1, 37)]
    with pytest.raises(OffsetOutOfRange):
        log.read_plan(36, 100, 60)
    assert log.read(37, 1 << 20, 60) == b"".join(batches[7:])
    assert log.offset_for_timestamp(0, 60) == (37, 1035, 1)


def test_a_log_cannot_start_beyond_its_end() -> None:
    log, _ = filled([3])
    with pytest.raises(InvariantViolated, match="cannot start at 4, the log ends at 3"):
        log.drop_prefix(4)
    log.drop_prefix(3)
    assert (log.start_offset, log.end_offset) == (3, 3)


def test_truncating_below_the_start_is_a_violated_invariant() -> None:
    log, _ = filled([5] * 12)
    log.drop_prefix(37)
    with pytest.raises(InvariantViolated, match="cannot truncate to 36"):
        log.truncate(36)


def test_restarting_throws_everything_away_and_begins_at_the_offset() -> None:
    log, _ = filled([5] * 12)
    log.restart_at(1000)

    assert (log.start_offset, log.end_offset, log.last_epoch) == (1000, 1000, 0)
    assert [name for name in log.disk.names(WHERE) if ".log" in name] == [f"{1000:020d}.log"]
    log.append([batch(1000, 2, epoch=7)])
    assert log.end_offset == 1002
    assert list(log.epochs) == [(7, 1000)]


def test_a_slice_of_a_dropped_segment_can_still_be_read() -> None:
    log, batches = filled([5] * 12)
    plan = log.read_plan(0, 200, 60)
    log.drop_prefix(37)

    [part] = plan.slices
    assert log.disk.read_slice(part) == batches[0]


def test_closing_leaves_what_a_cleanly_stopped_kafka_leaves() -> None:
    log, _ = filled([5] * 5)
    log.close()

    assert log.disk.names(WHERE) == [
        "00000000000000000000.index",
        "00000000000000000000.log",
        "00000000000000000000.timeindex",
        "00000000000000000020.index",
        "00000000000000000020.log",
        "00000000000000000020.snapshot",
        "00000000000000000020.timeindex",
        "00000000000000000025.snapshot",
        "leader-epoch-checkpoint",
        "partition.metadata",
    ]
    assert log.disk.read_bytes(f"{WHERE}/00000000000000000025.snapshot").hex() == (
        "000148674bc700000000"
    )
    _, report = Log.open(log.disk, WHERE, SMALL)
    assert (report.rewritten, report.removed, report.torn) == ([], [], None)


def test_a_closed_log_survives_the_loss_of_all_that_was_not_synced() -> None:
    log, batches = filled([5] * 5)
    log.close()
    log.close()  # a second time changes nothing
    trace = log.disk.trace
    worst = next(crashes({}, trace, first=len(trace)))
    logs = [content for path, content in worst.files.items() if path.endswith(".log")]

    assert worst.story.startswith("0 of")
    assert b"".join(logs) == b"".join(batches)


def test_batches_are_walked_from_the_one_that_holds_an_offset() -> None:
    log, batches = filled([5] * 12)
    walked = [bytes(content) for _, content in log.batches(37)]

    assert walked == batches[7:]
    assert [bytes(content) for _, content in log.batches()] == batches


def indexed(log: Log, base: Offset) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The entries of both index files of a segment: (offset, position) and (ms, offset)."""
    index = log.disk.read_bytes(f"{WHERE}/{base:020d}.index")
    times = log.disk.read_bytes(f"{WHERE}/{base:020d}.timeindex")
    pairs = [
        (int.from_bytes(index[at : at + 4], "big"), int.from_bytes(index[at + 4 : at + 8], "big"))
        for at in range(0, len(index), 8)
    ]
    stamps = [
        (
            int.from_bytes(times[at : at + 8], "big"),
            int.from_bytes(times[at + 8 : at + 12], "big"),
        )
        for at in range(0, len(times), 12)
    ]
    return pairs, stamps


def test_indexes_hold_last_offset_position_and_increasing_timestamps() -> None:
    log = opened(SimDisk(), LogConfig(index_interval_bytes=100))
    stamps = [1000, 3000, 2000, 3000, 4000, 3500]
    for index, at_ms in enumerate(stamps):
        log.append([batch(index * 2, 2, at_ms=at_ms)])
    size = len(batch(0, 2))
    log.close()
    pairs, times = indexed(log, 0)

    assert pairs == [(5, 2 * size), (9, 4 * size)]
    assert times == [(3000, 3), (4000, 9)]


def test_a_closing_entry_is_taken_back_when_the_segment_goes_on() -> None:
    config = LogConfig(index_interval_bytes=10_000)
    log = opened(SimDisk(), config)
    log.append([batch(0, at_ms=50)])
    log.close()
    assert indexed(log, 0) == ([], [(50, 0)])

    again = opened(log.disk, config)
    again.append([batch(1, at_ms=60)])
    assert indexed(again, 0) == ([], [])
    again.close()
    assert indexed(again, 0) == ([], [(60, 1)])


@settings(derandomize=True, deadline=None, max_examples=100)
@given(
    stamps=st.lists(st.integers(0, 12), min_size=1, max_size=30),
    asked=st.integers(0, 13),
    below_share=st.floats(0, 1),
)
def test_timestamps_are_found_as_in_a_plain_list(
    stamps: list[int], asked: int, below_share: float
) -> None:
    log = opened(SimDisk())
    for index, at_ms in enumerate(stamps):
        log.append([batch(index * 3, 3, epoch=1 + index // 10, at_ms=at_ms, size=30)])
    below = round(len(stamps) * below_share) * 3
    visible = stamps[: below // 3]
    first = [i for i, at_ms in enumerate(visible) if at_ms >= asked][:1]
    expected = [(i * 3, visible[i], 1 + i // 10) for i in first]
    largest = [visible.index(max(visible))] if visible else []

    found = log.offset_for_timestamp(asked, below)
    assert ([found] if found else []) == expected
    maximum = log.max_timestamp(below)
    assert ([maximum] if maximum else []) == [(i * 3, visible[i], 1 + i // 10) for i in largest]


def test_control_records_count_when_times_are_looked_up() -> None:
    log = opened(SimDisk())
    log.append([leader_change(0, 1), batch(1, at_ms=2000)])

    assert log.offset_for_timestamp(500, 2) == (0, 1000, 1)


def test_reads_see_what_is_appended_before_it_is_synced() -> None:
    log, batches = filled([1])

    assert [bytes(content) for _, content in walk_batches(everything(log))] == batches


class WatchedDisk(SimDisk):
    """Calls ``watch`` around every operation, where another thread might run."""

    watch: Callable[[], None] | None = None

    def do(self, op: Op) -> None:
        if self.watch is not None:
            self.watch()
        super().do(op)
        if self.watch is not None:
            self.watch()


def test_a_reader_during_a_write_sees_whole_batches_in_order() -> None:
    disk = WatchedDisk()
    log = opened(disk)
    log.append([batch(n, epoch=1, at_ms=1000 + n) for n in range(12)])
    committed = everything(log)
    looks = 0

    def watch() -> None:
        nonlocal looks
        looks += 1
        assert log.read(0, 1 << 20, 12) == committed
        offsets = [header.base_offset for header, _ in walk_batches(everything(log))]
        assert offsets == list(range(len(offsets)))
        assert log.end_offset >= 12
        assert log.offset_for_timestamp(1005, 12) == (5, 1005, 1)
        assert log.max_timestamp(12) == (11, 1011, 1)

    disk.watch = watch
    log.append([batch(12 + n, at_ms=2000 + n) for n in range(20)])
    log.sync()
    log.truncate(14)
    log.append([batch(14 + n, epoch=2, at_ms=3000 + n) for n in range(9)])
    log.close()
    assert looks > 60
