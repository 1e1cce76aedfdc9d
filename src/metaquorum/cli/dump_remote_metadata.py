"""What ``dump-log`` prints of ``__remote_log_metadata``: remote segments (KIP-405).

Values are framed as metadata records are; the text is the one of Kafka's classes, not JSON.
"""

from __future__ import annotations

from typing import Any, Final

from attrs import define

from metaquorum.base.errors import PeerError
from metaquorum.base.ids import uuid_text
from metaquorum.cli.dump_coordinators import Facts
from metaquorum.records.errors import BatchError
from metaquorum.records.metadata_record import MetadataRecordError, read_metadata_frame
from metaquorum.records.record import Record
from metaquorum.wire.json_form import to_json
from metaquorum.wire.registry import load_codec

_SEGMENT: Final = 0
_UPDATE: Final = 1
_PARTITION_DELETE: Final = 2
_SNAPSHOT: Final = 3
_MODULES: Final = {
    _SEGMENT: "storage.remote_log_segment_metadata_record",
    _UPDATE: "storage.remote_log_segment_metadata_update_record",
    _PARTITION_DELETE: "storage.remote_partition_delete_metadata_record",
    _SNAPSHOT: "storage.remote_log_segment_metadata_snapshot_record",
}
_SEGMENT_STATES: Final = (
    "COPY_SEGMENT_STARTED",
    "COPY_SEGMENT_FINISHED",
    "DELETE_SEGMENT_STARTED",
    "DELETE_SEGMENT_FINISHED",
)
_PARTITION_STATES: Final = (
    "DELETE_PARTITION_MARKED",
    "DELETE_PARTITION_STARTED",
    "DELETE_PARTITION_FINISHED",
)


@define
class _Impossible(PeerError):
    """A record that is whole, and says what no remote segment can be."""

    why: str

    def __str__(self) -> str:
        return self.why


def remote_metadata_content(record: Record, facts: Facts) -> str:
    """A record of ``__remote_log_metadata``, or why it is none; the latter stops no dump."""
    try:
        if record.value is None:
            raise MetadataRecordError("there is no value")
        return f" payload: {_shown(bytes(record.value), facts)}"
    except (BatchError, PeerError) as error:
        facts["error"] = str(error)
        return f" payload: Error at offset {record.offset}, skipping. {error}"


def _shown(raw: bytes, facts: Facts) -> str:
    kind, version, at = read_metadata_frame(raw)
    if kind not in _MODULES:
        raise MetadataRecordError(f"unknown record type {kind}", at)
    codec = load_codec(_MODULES[kind])
    if not codec.LOWEST_VERSION <= version <= codec.HIGHEST_VERSION:
        raise MetadataRecordError(f"{codec.NAME} version {version} is not known", at)
    message, after = codec.get(raw, at, version)
    if after != len(raw):
        raise MetadataRecordError(f"{len(raw) - after} bytes left over after {codec.NAME}", after)
    if kind == _SEGMENT:
        text = _segment(message)
    elif kind == _UPDATE:
        text = _update(message)
    elif kind == _PARTITION_DELETE:
        text = _partition_delete(message)
    else:
        text = _snapshot(message)
    facts["payload"] = {
        "type": codec.NAME,
        "version": version,
        "data": to_json(codec, message, version),
    }
    return text


def _segment(message: Any) -> str:
    state = _state(_SEGMENT_STATES, message.remote_log_segment_state)
    if message.start_offset < 0 or message.end_offset < message.start_offset:
        raise _Impossible(f"a segment from offset {message.start_offset} to {message.end_offset}")
    return (
        f"RemoteLogSegmentMetadata{{remoteLogSegmentId={_segment_id(message)}, "
        f"{_offsets(message)}, "
        f"brokerId={message.broker_id}, maxTimestampMs={message.max_timestamp_ms}, "
        f"eventTimestampMs={message.event_timestamp_ms}, {_segment_end(message, state)}"
    )


def _snapshot(message: Any) -> str:
    state = _state(_SEGMENT_STATES, message.remote_log_segment_state)
    return (
        f"RemoteLogSegmentMetadataSnapshot{{segmentId={uuid_text(message.segment_id)}, "
        f"{_offsets(message)}, "
        f"maxTimestampMs={message.max_timestamp_ms}, {_segment_end(message, state)}"
    )


def _offsets(message: Any) -> str:
    return f"startOffset={message.start_offset}, endOffset={message.end_offset}"


def _update(message: Any) -> str:
    state = _state(_SEGMENT_STATES, message.remote_log_segment_state)
    return (
        f"RemoteLogSegmentMetadataUpdate{{remoteLogSegmentId={_segment_id(message)}, "
        f"customMetadata={_custom(message)}, state={state}, {_sender_of(message)}"
    )


def _partition_delete(message: Any) -> str:
    state = _state(_PARTITION_STATES, message.remote_partition_delete_state)
    return (
        f"RemotePartitionDeleteMetadata{{topicPartition={_partition(message.topic_id_partition)}, "
        f"state={state}, {_sender_of(message)}"
    )


def _sender_of(message: Any) -> str:
    return f"eventTimestampMs={message.event_timestamp_ms}, brokerId={message.broker_id}}}"


def _segment_end(message: Any, state: str) -> str:
    """What a segment and its snapshot end with; by epoch, and the last of an epoch counts."""
    if not message.segment_leader_epochs:
        raise _Impossible("a segment without leader epochs")
    starts = {one.leader_epoch: one.offset for one in message.segment_leader_epochs}
    epochs = ", ".join(f"{epoch}={offset}" for epoch, offset in sorted(starts.items()))
    return (
        f"segmentLeaderEpochs={{{epochs}}}, segmentSizeInBytes={message.segment_size_in_bytes}, "
        f"customMetadata={_custom(message)}, state={state}, "
        f"txnIdxEmpty={str(message.txn_index_empty).lower()}}}"
    )


def _segment_id(message: Any) -> str:
    found = message.remote_log_segment_id
    partition = _partition(found.topic_id_partition)
    return f"RemoteLogSegmentId{{topicIdPartition={partition}, id={uuid_text(found.id)}}}"


def _partition(found: Any) -> str:
    return f"{uuid_text(found.id)}:{found.name}-{found.partition}"


def _custom(message: Any) -> str:
    """The plugin's own bytes are counted only: no one else knows what they say."""
    if message.custom_metadata is None:
        return "Optional.empty"
    return f"Optional[CustomMetadata{{{len(message.custom_metadata)} bytes}}]"


def _state(names: tuple[str, ...], code: int) -> str:
    if not 0 <= code < len(names):
        raise _Impossible(f"state {code} is not known")
    return names[code]
