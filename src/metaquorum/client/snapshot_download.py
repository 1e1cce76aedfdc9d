"""A snapshot fetched from a leader, whole, and walked batch by batch (KIP-630).

It is spooled to a file first: chunks do not respect batch borders, a leader may change half
way, and what was yielded cannot be taken back.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Any, Final

from metaquorum.base.errors import PeerError
from metaquorum.base.ids import METADATA_PARTITION, METADATA_TOPIC
from metaquorum.base.limits import MAX_BATCH_BYTES, MAX_SNAPSHOT_BYTES, SNAPSHOT_CHUNK_BYTES
from metaquorum.base.offsets import Epoch, OffsetAndEpoch
from metaquorum.client.connection import Connection
from metaquorum.client.log_record import FetchedBatch
from metaquorum.records.batch import BATCH_OVERHEAD_BYTES, check, read_header
from metaquorum.records.errors import BatchError
from metaquorum.wire.generated import error_codes

FETCH_SNAPSHOT: Final = 59


class SnapshotUnavailable(Exception):
    """The leader no longer serves this snapshot (or no longer leads): ask Fetch again.

    Kafka up to 4.3 loses the error code of every refusal, so the reason may be unknown.
    """


def download(
    connection: Connection, epoch: Epoch, snapshot: OffsetAndEpoch, into: IO[bytes]
) -> int:
    """Write the snapshot's bytes to ``into`` and return how many.

    Raises SnapshotUnavailable, ConnectionFailed, or PeerError when the answers make no sense.
    """
    position = 0
    while True:
        part = _piece(connection, epoch, snapshot, position, SNAPSHOT_CHUNK_BYTES)
        size = part.size
        data = part.unaligned_records or b""
        if not 0 < size <= MAX_SNAPSHOT_BYTES:
            raise PeerError(f"a snapshot of {size} bytes, at most {MAX_SNAPSHOT_BYTES} are read")
        if part.position != position or position + len(data) > size:
            raise PeerError(f"snapshot bytes from {part.position} on, {position} was asked for")
        if not data:
            raise PeerError(f"an empty piece of a snapshot at {position} of {size} bytes")
        into.write(data)
        position += len(data)
        if position == size:
            return position


def first_piece(
    connection: Connection, epoch: Epoch, snapshot: OffsetAndEpoch, max_bytes: int
) -> bytes:
    """The first bytes of a snapshot, no more than these; raises what ``download`` does."""
    part = _piece(connection, epoch, snapshot, 0, max_bytes)
    return bytes(part.unaligned_records or b"")


def walk(spooled: IO[bytes], snapshot: OffsetAndEpoch) -> Iterator[FetchedBatch]:
    """The batches of a spooled snapshot; PeerError when its bytes are no snapshot."""
    spooled.seek(0)
    place = 0
    while head := spooled.read(BATCH_OVERHEAD_BYTES):
        try:
            size = read_header(head).size_bytes
            if size > MAX_BATCH_BYTES + BATCH_OVERHEAD_BYTES:
                raise PeerError(f"a batch of {size} bytes at byte {place} of the snapshot")
            data = head + spooled.read(size - len(head))
            header = check(data)
        except BatchError as error:
            raise PeerError(f"byte {place} of the snapshot: {error.reason}") from None
        yield FetchedBatch(header, memoryview(data), snapshot)
        place += size


def _piece(
    connection: Connection, epoch: Epoch, snapshot: OffsetAndEpoch, position: int, max_bytes: int
) -> Any:
    version = connection.best_version(FETCH_SNAPSHOT)
    request = _request(epoch, snapshot, position, max_bytes)
    return _only_partition(connection.ask(FETCH_SNAPSHOT, version, request))


def _request(epoch: Epoch, snapshot: OffsetAndEpoch, position: int, max_bytes: int) -> Any:
    from metaquorum.wire.generated import fetch_snapshot_request as wire

    return wire.FetchSnapshotRequest(
        max_bytes=max_bytes,
        topics=[
            wire.TopicSnapshot(
                name=METADATA_TOPIC,
                partitions=[
                    wire.PartitionSnapshot(
                        partition=METADATA_PARTITION,
                        current_leader_epoch=epoch,
                        snapshot_id=wire.SnapshotId(snapshot.offset, snapshot.epoch),
                        position=position,
                    )
                ],
            )
        ],
    )


def _only_partition(answer: Any) -> Any:
    code = answer.error_code
    if code == error_codes.NONE:
        if len(answer.topics) != 1 or len(answer.topics[0].partitions) != 1:
            raise PeerError("a FetchSnapshot answer without its one partition")
        part = answer.topics[0].partitions[0]
        code = part.error_code
        if code == error_codes.NONE:
            return part
    raise SnapshotUnavailable(str(error_codes.NAMES.get(code, code)))
