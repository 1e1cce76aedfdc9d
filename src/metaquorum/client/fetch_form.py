"""The Fetch that leaves no trace: its request, and its answer reduced to what a reader needs.

Version 13 or later (a controller looks for the topic's id), replica id -1 (nobody is tracked),
the present leader epoch and a last fetched epoch that is not -1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from attrs import field, frozen

from metaquorum.base.errors import PeerError
from metaquorum.base.ids import METADATA_PARTITION, METADATA_TOPIC_ID
from metaquorum.base.limits import TAIL_FETCH_BYTES
from metaquorum.base.offsets import Epoch, Offset, OffsetAndEpoch
from metaquorum.wire.generated import error_codes

FETCH: Final = 1
LEAST_VERSION: Final = 13
NO_SESSION_EPOCH: Final = -1


@frozen
class FetchAnswer:
    """One partition's answer. ``data`` may lie beyond ``high_watermark`` (-1: not known yet)."""

    error_code: int
    high_watermark: Offset
    log_start_offset: Offset
    leader_id: int
    leader_epoch: Epoch
    diverging: OffsetAndEpoch | None
    snapshot: OffsetAndEpoch | None
    data: memoryview | bytes = field(repr=False)
    endpoints: Sequence[Any]


def fetch_request(
    *,
    epoch: Epoch,
    fetch_offset: Offset,
    last_fetched_epoch: Epoch,
    high_watermark: Offset,
    wait_ms: int,
) -> Any:
    """A FetchRequest for the metadata log, good for all versions from 13 on."""
    from metaquorum.wire.generated import fetch_request as wire

    partition = wire.FetchPartition(
        partition=METADATA_PARTITION,
        current_leader_epoch=epoch,
        fetch_offset=fetch_offset,
        last_fetched_epoch=last_fetched_epoch,
        partition_max_bytes=TAIL_FETCH_BYTES,
        high_watermark=high_watermark,
    )
    return wire.FetchRequest(
        max_wait_ms=wait_ms,
        min_bytes=1,
        max_bytes=TAIL_FETCH_BYTES,
        session_epoch=NO_SESSION_EPOCH,
        topics=[wire.FetchTopic(topic_id=METADATA_TOPIC_ID, partitions=[partition])],
    )


def read_answer(response: Any) -> FetchAnswer:
    """The answer for the one partition; PeerError when it is not there."""
    if response.error_code != error_codes.NONE:
        return FetchAnswer(response.error_code, -1, -1, -1, -1, None, None, b"", ())
    if len(response.responses) != 1 or len(response.responses[0].partitions) != 1:
        raise PeerError("a Fetch answer without the metadata log's one partition")
    part = response.responses[0].partitions[0]
    diverging, snapshot, leader = part.diverging_epoch, part.snapshot_id, part.current_leader
    return FetchAnswer(
        part.error_code,
        part.high_watermark,
        part.log_start_offset,
        leader.leader_id,
        leader.leader_epoch,
        OffsetAndEpoch(diverging.epoch, diverging.end_offset) if diverging.epoch >= 0 else None,
        OffsetAndEpoch(snapshot.epoch, snapshot.end_offset) if snapshot.end_offset >= 0 else None,
        part.records if part.records is not None else b"",
        response.node_endpoints,
    )
