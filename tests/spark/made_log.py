"""Small log directories, written batch by batch as Kafka lays them out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from struct import pack

from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.records.builder import build_batch
from metaquorum.records.control import ControlType, encode_control
from metaquorum.records.metadata_record import encode_metadata_record
from metaquorum.storage.names import snapshot_file
from metaquorum.wire.generated import snapshot_footer_record, snapshot_header_record
from metaquorum.wire.generated.records import topic_record

TIME_MS = 1_700_000_000_000


def topic(name: str) -> bytes:
    """A TopicRecord whose name tells it from others."""
    record = topic_record.TopicRecord(name, name.encode().ljust(16, b"\0")[:16])
    return encode_metadata_record(2, record, 0)


def batch(base_offset: int, names: Sequence[str], epoch: int = 1) -> bytes:
    """A batch of topics."""
    return build_batch(
        [(None, topic(name)) for name in names],
        timestamp_ms=TIME_MS + base_offset,
        base_offset=base_offset,
        leader_epoch=epoch,
    )


def control(base_offset: int, type: ControlType, message: object, epoch: int = 1) -> bytes:
    """A batch of one control record."""
    return build_batch(
        [encode_control(type, message)],
        timestamp_ms=TIME_MS,
        base_offset=base_offset,
        leader_epoch=epoch,
        control=True,
    )


def write_segment(
    directory: Path, base_offset: int, batches: Sequence[bytes], *, index_every: int = 0
) -> Path:
    """A segment of these batches; with ``index_every``, every so many-th is in the index."""
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / f"{base_offset:020d}.log"
    path.write_bytes(b"".join(batches))
    if index_every:
        entries, position = b"", 0
        for number, one in enumerate(batches):
            if number and number % index_every == 0:
                base = int.from_bytes(one[:8], "big")
                last = base + int.from_bytes(one[23:27], "big")
                entries += pack(">ii", last - base_offset, position)
            position += len(one)
        path.with_suffix(".index").write_bytes(entries + bytes(64))
    return path


def write_checkpoint(
    directory: Path, end: OffsetAndEpoch, names: Sequence[str], *, footer: bool = True
) -> Path:
    """A snapshot of these topics."""
    directory.mkdir(parents=True, exist_ok=True)
    header = control(
        0, ControlType.SNAPSHOT_HEADER, snapshot_header_record.SnapshotHeaderRecord(), end.epoch
    )
    body = batch(1, names, end.epoch)
    last = control(
        1 + len(names),
        ControlType.SNAPSHOT_FOOTER,
        snapshot_footer_record.SnapshotFooterRecord(),
        end.epoch,
    )
    path = directory / snapshot_file(end)
    path.write_bytes(header + body + (last if footer else b""))
    return path
