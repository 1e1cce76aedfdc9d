"""Opening after damage: torn tails are cut, rot is refused, everything else is put right."""

from __future__ import annotations

import pytest

from metaquorum.base.errors import OperatorError
from metaquorum.base.offsets import Offset, OffsetAndEpoch
from metaquorum.records.batch import checksum, stamp
from metaquorum.records.builder import build_batch
from metaquorum.records.snapshot import snapshot_batches
from metaquorum.storage import names
from metaquorum.storage.damage import RottenLog
from metaquorum.storage.log import Log
from metaquorum.storage.log_config import LogConfig
from metaquorum.storage.recovery import RecoveryReport
from metaquorum.storage.snapshot_files import write_snapshot
from metaquorum.testing.sim.disk import SimDisk

WHERE = "/data/__cluster_metadata-0"
FIRST = f"{WHERE}/{0:020d}.log"
CONFIG = LogConfig(segment_bytes=500, index_interval_bytes=100)


def batch(base: Offset, count: int = 1, epoch: int = 1) -> bytes:
    values = [(None, b"%08d" % (base + n)) for n in range(count)]
    return build_batch(values, timestamp_ms=1000 + base, base_offset=base, leader_epoch=epoch)


def disk_with(*batches: bytes, tail: bytes = b"") -> SimDisk:
    return SimDisk.holding({FIRST: b"".join(batches) + tail})


def opened(disk: SimDisk) -> tuple[Log, RecoveryReport]:
    return Log.open(disk, WHERE, CONFIG)


def snapshot(epoch: int) -> list[bytes]:
    return list(
        snapshot_batches(
            epoch=epoch, timestamp_ms=5, last_contained_ms=5, controls=[], values=[b"state"]
        )
    )


def flipped(content: bytes, at: int) -> bytes:
    return content[:at] + bytes([content[at] ^ 0x40]) + content[at + 1 :]


TAILS = {
    "half a header": batch(3)[:30],
    "half a batch": batch(3, 5)[:-20],
    "a batch with a flipped byte": flipped(batch(3), 70),
    "a batch with a flipped magic": flipped(batch(3), 16),
    "a batch with an impossible length": batch(3)[:8] + b"\x7f\xff\xff\xff" + batch(3)[12:],
    "zeros, as preallocation leaves them": bytes(4096),
    "junk": b"\x02" * 300,
    "one byte": b"\x00",
    "a torn batch that holds half of another": batch(3, 2)[:70] + batch(9)[:40],
}


@pytest.mark.parametrize("kind", TAILS)
def test_a_torn_tail_is_cut_and_reported(kind: str) -> None:
    good = [batch(0), batch(1, 2)]
    disk = disk_with(*good, tail=TAILS[kind])
    log, report = opened(disk)

    assert log.end_offset == 3
    assert disk.read_bytes(FIRST) == b"".join(good)
    assert report.torn is not None
    assert report.torn.path == FIRST
    assert report.torn.position == len(b"".join(good))
    assert report.torn.cut_bytes == len(TAILS[kind])
    assert report.torn.offset == 3


@pytest.mark.parametrize("kind", TAILS)
def test_recovering_twice_finds_nothing_more_to_do(kind: str) -> None:
    disk = disk_with(batch(0), batch(1, 2), tail=TAILS[kind])
    opened(disk)
    before = disk.files()
    _, report = opened(disk)

    assert (report.torn, report.rewritten, report.removed) == (None, [], [])
    assert disk.files() == before


def test_every_flipped_byte_with_a_batch_behind_it_is_rot() -> None:
    whole = batch(0) + batch(1, 2) + batch(3)
    middle = range(len(batch(0)), len(batch(0)) + len(batch(1, 2)))
    for at in middle:
        with pytest.raises(RottenLog) as refused:
            opened(disk_with(flipped(whole, at)))
        # A risen epoch is no contradiction before the next batch: it lies outside the checksum.
        next_shows_it = 12 <= at - middle.start < 16 and refused.value.fault.offset == 3
        offset, position = (3, middle.stop) if next_shows_it else (1, middle.start)
        assert (refused.value.fault.offset, refused.value.fault.position) == (offset, position)
        assert f"{FIRST} is damaged at offset {offset}, byte {position}: " in str(refused.value)


def test_any_flipped_byte_of_the_last_batch_is_cut_or_refused() -> None:
    good, last = batch(0), batch(1, 2)
    cut = refused = 0
    for at in range(len(last)):
        try:
            log, _ = opened(disk_with(good, flipped(last, at)))
        except RottenLog as error:
            assert "base offset" in str(error) or "epoch" in str(error)
            refused += 1
        else:
            if log.end_offset == 1:
                cut += 1
            else:  # the leader epoch lies outside the checksum; a higher one cannot be told
                assert 12 <= at < 16
    assert cut >= len(last) - 16
    assert refused >= 8


def test_rot_far_in_front_of_the_valid_batch_is_found() -> None:
    first = batch(0)
    large = build_batch([(None, bytes(3_000_000))], timestamp_ms=1, base_offset=1, leader_epoch=1)
    end = len(first) + len(large)
    with pytest.raises(RottenLog, match=f"a valid batch follows at byte {end}"):
        opened(disk_with(first, flipped(large, 2_000_000), batch(2)))


def test_a_hole_between_batches_is_rot_even_at_the_end() -> None:
    with pytest.raises(RottenLog, match=r"offset 1, .*the batch there has base offset 5"):
        opened(disk_with(batch(0), batch(5)))


def reaching(base: Offset, last_offset_delta: int) -> bytes:
    """A batch that claims more offsets than it has records, as compaction leaves them."""
    claimed = bytearray(batch(base))
    claimed[23:27] = last_offset_delta.to_bytes(4, "big")
    claimed[17:21] = checksum(claimed, 0, len(claimed)).to_bytes(4, "big")
    return bytes(claimed)


def test_a_batch_beyond_its_segments_index_range_is_corruption() -> None:
    last = 2**31 - 1
    log, _ = opened(disk_with(reaching(0, last - 1), reaching(last, 0)))
    assert log.end_offset == last + 1

    beyond = reaching(last, 1)
    with pytest.raises(RottenLog, match=f"offset {last}, .*ends at offset {last + 1}, beyond"):
        opened(disk_with(reaching(0, last - 1), beyond))


def test_an_epoch_that_falls_is_rot() -> None:
    with pytest.raises(RottenLog, match="epoch 2 after epoch 3"):
        opened(disk_with(batch(0, epoch=3), stamp(batch(1), 1, 2)))


def segmented() -> SimDisk:
    """Three segments, all synced."""
    log, _ = opened(SimDisk())
    for base in range(0, 40, 4):
        log.append([batch(base, 4, epoch=1 + base // 20)])
    log.close()
    assert [name for name in log.disk.names(WHERE) if name.endswith(".log")] == [
        f"{base:020d}.log" for base in (0, 16, 32)
    ]
    return log.disk


def replace(disk: SimDisk, name: str, content: bytes | None) -> SimDisk:
    """A new disk with one file changed or left out."""
    files = disk.files()
    if content is None:
        del files[f"{WHERE}/{name}"]
    else:
        files[f"{WHERE}/{name}"] = content
    return SimDisk.holding(files)


def test_rot_in_an_earlier_segment_names_its_file() -> None:
    disk = segmented()
    name = names.segment_file(16, names.LOG)
    content = disk.read_bytes(f"{WHERE}/{name}")
    with pytest.raises(RottenLog, match=f"{name} is damaged at offset 28, .*a valid batch follows"):
        opened(replace(disk, name, flipped(content, len(content) - 5)))


def test_a_missing_segment_is_rot_and_not_an_end() -> None:
    with pytest.raises(RottenLog, match="begins at offset 32: one before it is missing"):
        opened(replace(segmented(), names.segment_file(16, names.LOG), None))


def test_a_torn_tail_is_cut_and_the_empty_segment_after_it_removed() -> None:
    disk = segmented()
    last = names.segment_file(32, names.LOG)
    before = names.segment_file(16, names.LOG)
    content = disk.read_bytes(f"{WHERE}/{before}")
    disk = replace(replace(disk, last, b""), before, content[:-1])
    log, report = opened(disk)

    assert log.end_offset == 28
    assert report.torn is not None
    assert last not in disk.names(WHERE)


@pytest.mark.parametrize("suffix", [names.OFFSET_INDEX, names.TIME_INDEX])
@pytest.mark.parametrize("content", [None, b"", b"\xff" * 24, bytes(10_000)])
def test_indexes_that_lie_or_are_missing_are_rewritten(suffix: str, content: bytes | None) -> None:
    disk = segmented()
    name = names.segment_file(0, suffix)
    right = disk.read_bytes(f"{WHERE}/{name}")
    damaged = replace(disk, name, content)
    _, report = opened(damaged)

    assert report.rewritten == [name]
    assert damaged.read_bytes(f"{WHERE}/{name}") == right


@pytest.mark.parametrize("content", [None, b"", b"0\n1\n9 9\n", b"junk", b"0\n5\n1 0\n"])
def test_an_epoch_file_that_lies_or_is_missing_is_rewritten(content: bytes | None) -> None:
    disk = replace(segmented(), names.EPOCH_FILE, content)
    log, report = opened(disk)

    assert report.rewritten == [names.EPOCH_FILE]
    assert disk.read_bytes(f"{WHERE}/{names.EPOCH_FILE}") == b"0\n2\n1 0\n2 20\n"
    assert list(log.epochs) == [(1, 0), (2, 20)]


def test_leftovers_of_interrupted_work_go() -> None:
    files = segmented().files()
    left = [
        "00000000000000000009-0000000001-77.checkpoint.part",
        "00000000000000000009-0000000001.checkpoint.deleted",
        "00000000000000000000.log.deleted",
        "00000000000000000000.log.swap",
        "00000000000000000000.timeindex.cleaned",
        "quorum-state.tmp",
        "00000000000000000099.index",
    ]
    disk = SimDisk.holding({**files, **{f"{WHERE}/{name}": b"left" for name in left}})
    _, report = opened(disk)

    assert report.removed == sorted(left)
    assert disk.files().keys() == files.keys() - {f"{WHERE}/{40:020d}.snapshot"}


def test_a_directory_of_another_topic_is_refused() -> None:
    disk = replace(
        segmented(),
        names.PARTITION_METADATA,
        b"version: 0\ntopic_id: AAAAAAAAAAAAAAAAAAAAAg",
    )
    with pytest.raises(OperatorError, match="belongs to topic id AAAAAAAAAAAAAAAAAAAAAg"):
        opened(disk)


def test_a_log_behind_its_newest_snapshot_begins_anew_at_it() -> None:
    disk = segmented()
    write_snapshot(disk, WHERE, OffsetAndEpoch(epoch=3, offset=50), snapshot(3))
    log, report = opened(disk)

    assert (log.start_offset, log.end_offset, log.last_epoch) == (50, 50, 0)
    assert report.restarted_at == 50
    assert report.snapshot == OffsetAndEpoch(epoch=3, offset=50)
    assert [name for name in disk.names(WHERE) if name.endswith(".log")] == [f"{50:020d}.log"]


def test_a_log_ending_below_its_snapshot_restarts_whatever_its_epoch() -> None:
    disk = segmented()  # its last epoch is 2, of a leader that committed nothing
    write_snapshot(disk, WHERE, OffsetAndEpoch(epoch=1, offset=50), snapshot(1))
    log, report = opened(disk)

    assert (log.start_offset, log.end_offset, report.restarted_at) == (50, 50, 50)


def test_a_snapshot_and_a_log_of_two_histories_are_refused() -> None:
    disk = segmented()
    write_snapshot(disk, WHERE, OffsetAndEpoch(epoch=2, offset=16), snapshot(2))
    before = disk.read_bytes(f"{WHERE}/{0:020d}.log")
    with pytest.raises(OperatorError, match="of epoch 2, but the log has one of epoch 1 at offset"):
        opened(disk)
    assert disk.read_bytes(f"{WHERE}/{0:020d}.log") == before


def test_a_log_ahead_of_its_snapshot_is_kept() -> None:
    disk = segmented()
    write_snapshot(disk, WHERE, OffsetAndEpoch(epoch=2, offset=36), snapshot(2))
    log, report = opened(disk)

    assert (log.start_offset, log.end_offset, report.restarted_at) == (0, 40, None)


def test_the_zero_checkpoint_alone_gives_an_empty_log() -> None:
    disk = SimDisk()
    disk.make_directory(WHERE)
    write_snapshot(disk, WHERE, OffsetAndEpoch(epoch=0, offset=0), snapshot(0))
    log, report = opened(disk)

    assert (log.start_offset, log.end_offset) == (0, 0)
    assert report.snapshot == OffsetAndEpoch(epoch=0, offset=0)
    assert report.restarted_at is None


def test_a_log_that_begins_late_needs_a_snapshot() -> None:
    files = segmented().files()
    late = {path: content for path, content in files.items() if f"/{0:020d}" not in path}
    with pytest.raises(OperatorError, match="begins at offset 16 but has no usable snapshot"):
        opened(SimDisk.holding(late))

    disk = SimDisk.holding(late)
    write_snapshot(disk, WHERE, OffsetAndEpoch(epoch=1, offset=16), snapshot(1))
    log, _ = opened(disk)
    assert (log.start_offset, log.end_offset) == (16, 40)
    assert list(log.epochs) == [(1, 16), (2, 20)]


def test_a_broken_snapshot_is_passed_over_for_an_older_whole_one() -> None:
    disk = segmented()
    for offset in (8, 12):
        write_snapshot(disk, WHERE, OffsetAndEpoch(epoch=1, offset=offset), snapshot(1))
    newest = names.snapshot_file(OffsetAndEpoch(epoch=1, offset=12))
    content = disk.read_bytes(f"{WHERE}/{newest}")
    _, report = opened(replace(disk, newest, content[:-1]))

    assert report.snapshot == OffsetAndEpoch(epoch=1, offset=8)
    [why] = report.unusable_snapshots
    assert newest in why


def test_snapshots_that_end_before_the_log_begins_go() -> None:
    files = segmented().files()
    disk = SimDisk.holding(
        {path: content for path, content in files.items() if f"/{0:020d}" not in path}
    )
    for offset in (8, 16):
        write_snapshot(disk, WHERE, OffsetAndEpoch(epoch=1, offset=offset), snapshot(1))
    _, report = opened(disk)

    assert report.removed == [names.snapshot_file(OffsetAndEpoch(epoch=1, offset=8))]
