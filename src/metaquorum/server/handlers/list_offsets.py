"""ListOffsets (2): where the metadata log starts and ends, and where a point in time lies in it.

Behaviour
- -1 latest: the high watermark, with its epoch and no timestamp; read_committed is the same, the
  log has no transactions of producers. -2 earliest: the log start. -3: the record with the largest
  timestamp, and that timestamp. -4 earliest local: the log start, as nothing is tiered. -5 latest
  tiered and -6 earliest pending upload: -1 for the same reason. 0 and above: the first record at
  or after that time, with its own timestamp (Java throws on a found offset without one); -1 and
  -1 when there is none.
- Only what is committed is seen. The leader answers, once it knows its high watermark:
  NOT_LEADER_OR_FOLLOWER and OFFSET_NOT_AVAILABLE (before version 5 LEADER_NOT_AVAILABLE, which
  older clients know) before. So the end never goes back when the leader changes.
- A partition that stands there twice: one row with INVALID_REQUEST for it.
- UNSUPPORTED_FOR_MESSAGE_FORMAT is never sent: Java and kafka-python would wait for ever.

Version notes
- 0: a list of offsets at or before the time, newest first; we give one. librdkafka up to 1.8 and
  old sarama speak nothing else.
- 4: current leader epoch (KIP-320), -1 for no check. 7: -3. 8: -4. 9: -5. 11: -6. A special time
  in a version before its own: UNSUPPORTED_VERSION for the partition.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from metaquorum.base.errors import RequestError
from metaquorum.base.offsets import NO_EPOCH, NO_OFFSET, Offset
from metaquorum.fetch.plan import LogReader, epoch_refusal
from metaquorum.server.contract import topics
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.list_offsets_request import (
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsTopic,
)
from metaquorum.wire.generated.list_offsets_response import (
    ListOffsetsPartitionResponse,
    ListOffsetsResponse,
    ListOffsetsTopicResponse,
)

LATEST: Final = -1
EARLIEST: Final = -2
MAX_TIMESTAMP: Final = -3
EARLIEST_LOCAL: Final = -4
LATEST_TIERED: Final = -5
EARLIEST_PENDING_UPLOAD: Final = -6
_SINCE: Final = {
    LATEST: 0,
    EARLIEST: 0,
    MAX_TIMESTAMP: 7,
    EARLIEST_LOCAL: 8,
    LATEST_TIERED: 9,
    EARLIEST_PENDING_UPLOAD: 11,
}
_NO_TIMESTAMP: Final = -1

_Found = tuple[Offset, int, int]  # offset, timestamp, leader epoch


def handle(request: Request[ListOffsetsRequest], services: Services) -> ListOffsetsResponse:
    """The offset for each partition and time that was asked."""
    times = Counter(
        (topic.name, one.partition_index)
        for topic in request.message.topics
        for one in topic.partitions
    )
    listed = []
    for topic in request.message.topics:
        is_known = topics.may_describe(request, topic.name)
        rows = [
            _partition(topic.name, one, request.version, services)
            if is_known
            else _error(one, error_codes.TOPIC_AUTHORIZATION_FAILED)
            for one in topic.partitions
            if times[topic.name, one.partition_index] == 1
        ]
        rows += _repeated(topic, times)
        listed.append(ListOffsetsTopicResponse(topic.name, rows))
    return ListOffsetsResponse(topics=listed)


def _repeated(
    topic: ListOffsetsTopic, times: Counter[tuple[str, int]]
) -> list[ListOffsetsPartitionResponse]:
    """One row for each partition that stands there several times."""
    repeated = {
        one.partition_index: one
        for one in topic.partitions
        if times[topic.name, one.partition_index] > 1
    }
    return [_error(one, error_codes.INVALID_REQUEST) for one in repeated.values()]


def refusal(
    request: Request[ListOffsetsRequest], code: int, reason: str | None
) -> ListOffsetsResponse:
    """The code for each partition that was named."""
    return ListOffsetsResponse(
        topics=[
            ListOffsetsTopicResponse(topic.name, [_error(one, code) for one in topic.partitions])
            for topic in request.message.topics
        ]
    )


def _partition(
    name: str, one: ListOffsetsPartition, version: int, services: Services
) -> ListOffsetsPartitionResponse:
    if not topics.is_metadata_partition(name, one.partition_index):
        return _error(one, error_codes.UNKNOWN_TOPIC_OR_PARTITION)
    if one.timestamp < 0 and version < _SINCE.get(one.timestamp, version + 1):
        return _error(one, error_codes.UNSUPPORTED_VERSION)
    code = epoch_refusal(one.current_leader_epoch, topics.leadership(services))
    if not code and services.log.high_watermark == NO_OFFSET:
        known = version >= 5
        code = error_codes.OFFSET_NOT_AVAILABLE if known else error_codes.LEADER_NOT_AVAILABLE
    if code:
        return _error(one, code)
    if version == 0:
        return _old_style(one, services.log)
    try:
        offset, timestamp, epoch = _find(one.timestamp, services.log)
    except RequestError as error:
        return _error(one, error.code)
    return ListOffsetsPartitionResponse(
        partition_index=one.partition_index,
        timestamp=timestamp,
        offset=offset,
        leader_epoch=epoch if version >= 4 else NO_EPOCH,
    )


def _find(time: int, log: LogReader) -> _Found:
    nothing = NO_OFFSET, _NO_TIMESTAMP, NO_EPOCH
    if time == LATEST:
        return log.high_watermark, _NO_TIMESTAMP, _epoch_before(log, log.high_watermark)
    if time in (EARLIEST, EARLIEST_LOCAL):
        epoch = log.epoch_at(log.start_offset)
        return log.start_offset, _NO_TIMESTAMP, NO_EPOCH if epoch is None else epoch
    if time == MAX_TIMESTAMP:
        return log.max_timestamp(log.high_watermark) or nothing
    if time in (LATEST_TIERED, EARLIEST_PENDING_UPLOAD):
        return nothing
    return log.offset_for_timestamp(time, log.high_watermark) or nothing


def _epoch_before(log: LogReader, end: Offset) -> int:
    epoch = log.epoch_at(max(end - 1, log.start_offset))
    return NO_EPOCH if epoch is None else epoch


def _old_style(one: ListOffsetsPartition, log: LogReader) -> ListOffsetsPartitionResponse:
    """Version 0: an offset at or before the time asked; the log start is before every time."""
    offset = log.high_watermark if one.timestamp == LATEST else log.start_offset
    return ListOffsetsPartitionResponse(
        partition_index=one.partition_index,
        old_style_offsets=[offset] if one.max_num_offsets > 0 else [],
    )


def _error(one: ListOffsetsPartition, code: int) -> ListOffsetsPartitionResponse:
    return ListOffsetsPartitionResponse(partition_index=one.partition_index, error_code=code)
