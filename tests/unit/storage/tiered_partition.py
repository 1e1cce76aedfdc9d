"""Directories of a partition with all that a broker keeps beside its segments."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from struct import pack

from metaquorum.base.ids import parse_uuid
from metaquorum.storage.missing_snapshots import EXPIRATION_MS
from metaquorum.storage.names import segment_file
from metaquorum.storage.partition_directories import partition_directories
from metaquorum.storage.partition_metadata import write_topic_id
from metaquorum.storage.posix import PosixDisk
from metaquorum.storage.tier_store import LocalStore, TierStore
from metaquorum.storage.tier_upload import PartitionUpload, SegmentDone
from tests.unit.storage.broker_batches import NOW_MS, data, header_of, marker, write_segments

TOPIC_ID = "AAAAAAAAAAAAAAAAAAAAZA"


def whole_partition(
    directory: Path, segments: dict[int, Sequence[bytes]], epochs: str = "0\n1\n1 0\n"
) -> Path:
    """Segments with indexes that name every batch, leader epochs, and the topic's id."""
    write_segments(directory, segments)
    for base, batches in segments.items():
        offsets = times = b""
        position, last_ms = 0, -1
        for one in batches:
            header = header_of(one)
            offsets += pack(">ii", header.last_offset - base, position)
            if header.max_timestamp_ms > last_ms:
                last_ms = header.max_timestamp_ms
                times += pack(">qi", last_ms, header.last_offset - base)
            position += len(one)
        (directory / segment_file(base, ".index")).write_bytes(offsets)
        (directory / segment_file(base, ".timeindex")).write_bytes(times)
    (directory / "leader-epoch-checkpoint").write_text(epochs)
    write_topic_id(PosixDisk(), str(directory), parse_uuid(TOPIC_ID))
    return directory


def orders(tmp_path: Path) -> Path:
    """Three closed segments and the active one: idempotent writes, and a transaction that ends."""
    return whole_partition(
        tmp_path / "logs" / "orders-0",
        {
            0: [data(0, 1), data(1, 2, count=2)],
            3: [data(3, 7, transactional=True), data(4, 1, sequence=1)],
            5: [marker(5, 7), data(6, 2, sequence=2)],
            7: [data(7)],
        },
        "0\n2\n1 0\n4 4\n",
    )


def upload(
    directory: Path,
    store: Path | TierStore,
    *,
    high_watermark: int | None = None,
    dry_run: bool = False,
) -> list[SegmentDone]:
    """What became of each closed segment."""
    disk = PosixDisk()
    (partition,) = partition_directories(disk, str(directory))
    where = LocalStore(str(store)) if isinstance(store, Path) else store
    return list(
        PartitionUpload(
            disk, partition, where, high_watermark, NOW_MS, EXPIRATION_MS, dry_run
        ).run()
    )


def contents(directory: Path) -> dict[str, bytes]:
    """Every file below, by its path."""
    return {
        str(one.relative_to(directory)): one.read_bytes()
        for one in sorted(directory.rglob("*"))
        if one.is_file()
    }
