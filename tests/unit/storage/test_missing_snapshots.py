"""Missing snapshots of a partition: each whole or not at all, whatever fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from metaquorum.base.errors import OperatorError
from metaquorum.storage.missing_snapshots import EXPIRATION_MS, SnapshotMade, make_missing
from metaquorum.storage.names import LOG, PRODUCER_SNAPSHOT, segment_file
from metaquorum.storage.partition_directories import (
    PartitionDirectory,
    all_partition_directories,
    partition_directories,
)
from metaquorum.storage.posix import PosixDisk
from metaquorum.storage.producer_snapshot import DamagedSnapshot, decode_producers
from metaquorum.testing.sim.crashes import crashes
from metaquorum.testing.sim.disk import SimDisk
from tests.unit.storage.broker_batches import NOW_MS, data, write_segments

WHERE = "/logs/orders-0"
PARTITION = PartitionDirectory(WHERE, "orders-0", 0)


def a_disk() -> SimDisk:
    segments = {0: data(0, 1), 1: data(1, 2), 2: data(2, 1)}
    return SimDisk.holding(
        {f"{WHERE}/{segment_file(base, LOG)}": one for base, one in segments.items()}
    )


def made(disk: SimDisk | PosixDisk, partition: PartitionDirectory) -> list[SnapshotMade]:
    return list(make_missing(disk, partition, NOW_MS, EXPIRATION_MS))


def test_after_a_crash_at_any_point_a_snapshot_is_whole_or_not_there() -> None:
    disk = a_disk()
    before = disk.files()
    made(disk, PARTITION)
    wanted = {
        path: content for path, content in disk.files().items() if path.endswith(PRODUCER_SNAPSHOT)
    }
    assert len(wanted) == 2
    seen = 0
    for crash in crashes(before, disk.trace):
        for path, content in crash.files.items():
            if path.endswith(PRODUCER_SNAPSHOT):
                seen += 1
                assert content == wanted[path]
    assert seen


@pytest.mark.parametrize("syncs", [0, 2])
def test_a_disk_that_fails_is_told_and_not_tried_again(syncs: int) -> None:
    disk = a_disk()
    disk.sync_fails = syncs
    done = made(disk, PARTITION)
    assert [bool(one.problem) for one in done] == [False] * (syncs // 2) + [True]
    assert WHERE in done[-1].problem and "input/output error" in done[-1].problem
    assert not any(path.endswith(".tmp") for path in disk.files())
    assert sum(path.endswith(PRODUCER_SNAPSHOT) for path in disk.files()) == syncs // 2


def test_a_directory_in_the_place_of_a_snapshot_is_named(tmp_path: Path) -> None:
    directory = write_segments(tmp_path / "orders-0", {0: [data(0, 1)], 1: []})
    taken = directory / segment_file(1, PRODUCER_SNAPSHOT)
    taken.mkdir()
    (partition,) = partition_directories(PosixDisk(), str(directory))
    with pytest.raises(OperatorError, match=taken.name):
        made(PosixDisk(), partition)


def test_a_directory_in_the_place_of_a_log_is_named(tmp_path: Path) -> None:
    directory = write_segments(tmp_path / "orders-0", {1: []})
    (directory / segment_file(0, LOG)).mkdir()
    (partition,) = partition_directories(PosixDisk(), str(directory))
    (one,) = made(PosixDisk(), partition)
    assert str(directory) in one.problem


def test_brokers_are_found_below_a_clusters_directory(tmp_path: Path) -> None:
    for broker in ("a", "b/data"):
        write_segments(tmp_path / broker / "orders-0", {0: []})
        (tmp_path / broker / "log-start-offset-checkpoint").write_text("0\n1\norders 0 5\n")
    found = all_partition_directories(PosixDisk(), str(tmp_path))
    assert [one.path for one in found] == [
        str(tmp_path / "a" / "orders-0"),
        str(tmp_path / "b" / "data" / "orders-0"),
    ]
    assert {one.log_start for one in found} == {5}
    with pytest.raises(OperatorError, match=r"nothing-here"):
        all_partition_directories(PosixDisk(), str(tmp_path / "nothing-here"))


def test_a_file_of_offsets_that_is_none_is_named(tmp_path: Path) -> None:
    write_segments(tmp_path / "orders-0", {0: []})
    path = tmp_path / "log-start-offset-checkpoint"
    path.write_text("0\n2\norders 0 5\n")
    with pytest.raises(OperatorError, match=r"log-start-offset-checkpoint.*cut off"):
        partition_directories(PosixDisk(), str(tmp_path))


def test_every_cut_of_a_snapshot_is_called_damaged(tmp_path: Path) -> None:
    directory = write_segments(tmp_path / "orders-0", {0: [data(0, 1)], 1: []})
    (partition,) = partition_directories(PosixDisk(), str(directory))
    made(PosixDisk(), partition)
    path = directory / segment_file(1, PRODUCER_SNAPSHOT)
    whole = path.read_bytes()
    for length in range(len(whole)):
        with pytest.raises(DamagedSnapshot):
            decode_producers(whole[:length])
        path.write_bytes(whole[:length])
        (one,) = made(PosixDisk(), partition)
        assert one.made is not None and path.read_bytes() == whole
