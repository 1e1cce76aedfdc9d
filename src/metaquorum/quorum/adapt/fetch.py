"""Fetch of the metadata log by replicas and traceless readers (KIP-595)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeGuard

from attrs import define, evolve

from metaquorum.base.ids import METADATA_PARTITION, METADATA_TOPIC_ID
from metaquorum.base.limits import ENCODED_ANSWER_BYTES
from metaquorum.base.offsets import NO_OFFSET, Offset, OffsetAndEpoch
from metaquorum.quorum.adapt.batches import read_batches
from metaquorum.quorum.adapt.forms import (
    INCONSISTENT_CLUSTER_ID,
    INVALID_REQUEST,
    AnswerContext,
    Settled,
    cluster_differs,
    directory,
    endpoint_rows,
    hint_of,
    leader_number,
    wire_directory,
)
from metaquorum.quorum.messages import (
    CORRUPT_MESSAGE,
    HIGH_WATERMARK_UNKNOWN,
    NONE,
    FetchRequest,
    FetchResponse,
    Hint,
    LogSlice,
    Refused,
    Response,
)
from metaquorum.quorum.types import ReplicaKey, SnapshotId
from metaquorum.wire.generated import fetch_request as asked
from metaquorum.wire.generated import fetch_response as given
from metaquorum.wire.primitives import uvarint
from metaquorum.wire.slices import SliceChain
from metaquorum.wire.template import LastMessage, first_difference

BY_TOPIC_ID = 13
WITH_REPLICA_STATE = 15
WITH_ENDPOINTS = 17  # the schema would allow 16; Kafka fills it from 17 on
WITH_HIGH_WATERMARK = 18
_SAMPLES: Final = (b"", b"records", bytes(1_000))


def read_request(
    version: int, request: asked.FetchRequest, cluster_id: str
) -> FetchRequest | Settled:
    """The core's form; a wrong cluster or shape is answered with a top-level error."""
    if cluster_differs(request.cluster_id, cluster_id):
        return Settled(given.FetchResponse(error_code=INCONSISTENT_CLUSTER_ID))
    if not _is_metadata_log(version, request):
        return Settled(given.FetchResponse(error_code=INVALID_REQUEST))
    partition = request.topics[0].partitions[0]
    replica_id = request.replica_id
    if version >= WITH_REPLICA_STATE:
        replica_id = request.replica_state.replica_id
    return FetchRequest(
        replica=ReplicaKey(replica_id, directory(partition.replica_directory_id)),
        epoch=partition.current_leader_epoch,
        offset=partition.fetch_offset,
        last_epoch=partition.last_fetched_epoch,
        max_wait_ms=request.max_wait_ms,
        max_bytes=request.max_bytes,
        high_watermark=_known_watermark(version, partition.high_watermark),
    )


def mover(version: int, first: FetchRequest) -> Callable[[Offset, Offset], FetchRequest]:
    """What ``read_request`` makes of requests like the first but for their place and watermark."""
    replica, epoch, last_epoch = first.replica, first.epoch, first.last_epoch
    max_wait_ms, max_bytes = first.max_wait_ms, first.max_bytes

    def moved(offset: Offset, high_watermark: Offset) -> FetchRequest:
        known = _known_watermark(version, high_watermark)
        return FetchRequest(replica, epoch, offset, last_epoch, max_wait_ms, max_bytes, known)

    return moved


def _known_watermark(version: int, high_watermark: int) -> int | None:
    if version < WITH_HIGH_WATERMARK or high_watermark == HIGH_WATERMARK_UNKNOWN:
        return None
    return high_watermark


def _is_metadata_log(version: int, request: asked.FetchRequest) -> bool:
    """By its id alone: the quorum is not asked for a log by name (as 3.9.1 and 4.3.1 answer)."""
    if len(request.topics) != 1 or len(request.topics[0].partitions) != 1:
        return False
    topic = request.topics[0]
    if version < BY_TOPIC_ID or topic.partitions[0].partition != METADATA_PARTITION:
        return False
    topic_id: bytes = bytes(topic.topic_id)
    return topic_id == METADATA_TOPIC_ID


def write_response(
    version: int, request: asked.FetchRequest, response: FetchResponse, context: AnswerContext
) -> given.FetchResponse:
    """The wire form."""
    partition = given.PartitionData(
        partition_index=METADATA_PARTITION,
        error_code=response.error,
        high_watermark=response.high_watermark,
        log_start_offset=response.log_start,
        records=_records(response, context),
    )
    _hint(partition, response)
    topic = given.FetchableTopicResponse(topic_id=METADATA_TOPIC_ID, partitions=[partition])
    answer = given.FetchResponse(responses=[topic])
    if version >= WITH_ENDPOINTS:
        answer.node_endpoints = endpoint_rows(given, response.hint, context.listener)
    return answer


@define(eq=False)
class AnswerTemplate(LastMessage):
    """The encoded answers to one follower: watermark and records differ, for a whole epoch long.

    Records of another length move what is behind them, so the template ends before their length.
    What is not an answer like the last is encoded as any other: one with an error, of another
    leader, to a log that diverged, or with records in files. Decision 217.
    """

    version: int
    context: AnswerContext
    _hint: Hint | None = None
    _log_start: Offset = NO_OFFSET
    _after: bytes = b""

    def body(self, response: Response) -> bytes | None:
        """The body of this answer; None if it differs in more than that."""
        hint = self._hint
        if hint is None or not _is_plain(response) or response.log_start != self._log_start:
            return None
        if response.hint is not hint and response.hint != hint:
            return None
        found = _records(response, self.context)
        pieces: tuple[Any, ...] = found.parts if isinstance(found, SliceChain) else (found,)
        if not all(type(piece) is bytes for piece in pieces):
            return None
        records: bytes = pieces[0] if len(pieces) == 1 else b"".join(pieces)
        if len(records) > ENCODED_ANSWER_BYTES:
            return None
        return self._filled(response.high_watermark, records)

    def keep(self, response: Response) -> None:
        """Keep an answer to write the next ones by, if they can be written so."""
        if not _is_plain(response):
            return
        if response.hint == self._hint and response.log_start == self._log_start:
            return  # it was its records that are not in memory
        if self.is_given_up:
            return
        self._hint, at = None, self._records_at(response)
        is_learnt = self.learn("q", lambda numbers: self._encoded(response, numbers[0], b"")[:at])
        if is_learnt and all(
            self._filled(0, one) == self._encoded(response, 0, one) for one in _SAMPLES
        ):
            self._hint, self._log_start = response.hint, response.log_start

    def _records_at(self, response: FetchResponse) -> int:
        """Where the length of the records stands, as nothing before it depends on them."""
        empty, one = self._encoded(response, 0, b""), self._encoded(response, 0, b"\0")
        at = first_difference(empty, one)
        self._after = empty[at + 1 :]
        return at

    def _encoded(self, response: FetchResponse, high_watermark: Offset, records: bytes) -> bytes:
        bare = evolve(response, high_watermark=high_watermark, records=None)
        answer = write_response(self.version, asked.FetchRequest(), bare, self.context)
        answer.responses[0].partitions[0].records = records
        return given.encode(answer, self.version)

    def _filled(self, high_watermark: Offset, records: bytes) -> bytes:
        assert self.template is not None
        head, size = self.template.fill(high_watermark), uvarint(len(records) + 1)
        return b"".join((head, size, records, self._after))


def _is_plain(response: Response) -> TypeGuard[FetchResponse]:
    """Whether it is the answer to a fetch of what there is, or will be."""
    return (
        type(response) is FetchResponse
        and response.error == NONE
        and response.diverging is None
        and response.snapshot is None
    )


def _records(response: FetchResponse, context: AnswerContext) -> Any:
    if isinstance(response.records, LogSlice):
        found = context.resolve(response.records)
        return b"" if found is None else found  # deleted meanwhile: the next fetch gets an error
    return b""


def _hint(partition: given.PartitionData, response: FetchResponse) -> None:
    partition.current_leader = given.LeaderIdAndEpoch(
        leader_id=leader_number(response.hint), leader_epoch=response.hint.epoch
    )
    if response.diverging is not None:
        partition.diverging_epoch = given.EpochEndOffset(
            epoch=response.diverging.epoch, end_offset=response.diverging.offset
        )
    if response.snapshot is not None:
        partition.snapshot_id = given.SnapshotId(
            end_offset=response.snapshot.offset, epoch=response.snapshot.epoch
        )


def write_request(version: int, message: FetchRequest, cluster_id: str) -> asked.FetchRequest:
    """The wire form of our own fetch, field by field as Kafka's replicas fill it.

    Needs version 13: below it the topic id and the last fetched epoch cannot be said.
    """
    row = asked.FetchPartition(
        partition=METADATA_PARTITION,
        current_leader_epoch=message.epoch,
        fetch_offset=message.offset,
        last_fetched_epoch=message.last_epoch,
        partition_max_bytes=0,
    )
    if version >= WITH_ENDPOINTS:
        row.replica_directory_id = wire_directory(message.replica)
    if version >= WITH_HIGH_WATERMARK and message.high_watermark is not None:
        row.high_watermark = message.high_watermark
    request = asked.FetchRequest(
        cluster_id=cluster_id,
        max_wait_ms=message.max_wait_ms,
        max_bytes=message.max_bytes,
        topics=[asked.FetchTopic(topic_id=METADATA_TOPIC_ID, partitions=[row])],
    )
    if version >= WITH_REPLICA_STATE:
        request.replica_state = asked.ReplicaState(replica_id=message.replica.id)
    else:
        request.replica_id = message.replica.id
    return request


def read_response(
    version: int, response: given.FetchResponse, listener: str
) -> FetchResponse | Refused:
    """The core's form: checked batches, and only the good ones at the front."""
    if response.error_code != NONE:
        return Refused(response.error_code)
    topics = response.responses
    if len(topics) != 1 or len(topics[0].partitions) != 1:
        return Refused(INVALID_REQUEST)
    row = topics[0].partitions[0]
    if bytes(topics[0].topic_id) != METADATA_TOPIC_ID or row.partition_index != METADATA_PARTITION:
        return Refused(INVALID_REQUEST)
    leader = row.current_leader
    parted, snapshot = row.diverging_epoch, row.snapshot_id
    received: Any = row.records  # decoding gives a view, whatever else may be encoded
    good, _ = read_batches(received if received is not None else b"")
    # The first batch comes whole, whatever its size: none at all means that it is broken, and
    # asking again at once would bring it again.
    broken = bool(received) and not good and row.error_code == NONE
    return FetchResponse(
        error=CORRUPT_MESSAGE if broken else row.error_code,
        hint=hint_of(leader.leader_id, leader.leader_epoch, response.node_endpoints, listener),
        high_watermark=row.high_watermark,
        log_start=row.log_start_offset,
        diverging=OffsetAndEpoch(parted.epoch, parted.end_offset) if parted.epoch >= 0 else None,
        snapshot=(
            SnapshotId(snapshot.epoch, snapshot.end_offset)
            if snapshot.epoch >= 0 or snapshot.end_offset >= 0
            else None
        ),
        records=good or None,
    )
