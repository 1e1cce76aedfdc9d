"""Encoded batches as the core sees them, and the control batches that the core writes."""

from __future__ import annotations

from typing import Any

from metaquorum.base.clock import Millis
from metaquorum.base.errors import InvariantViolated, PeerError
from metaquorum.base.offsets import Epoch, Offset
from metaquorum.quorum.adapt.forms import directory, wire_directory
from metaquorum.quorum.types import (
    Batch,
    Control,
    ControlValue,
    Endpoint,
    KRaftVersionControl,
    LeaderChangeControl,
    ReplicaKey,
    Voter,
    VotersControl,
)
from metaquorum.records import batch as batches
from metaquorum.records.builder import build_batch
from metaquorum.records.compression import NONE
from metaquorum.records.control import ControlRecord, ControlType, controls_of, encode_control
from metaquorum.records.errors import BatchError
from metaquorum.records.reader import walk_batches


def built_batch(payload: bytes) -> Batch:
    """A batch as it was just built or read: places and control records taken from its bytes.

    Raises ``records.errors.BatchError`` or DecodeError when they are not a batch.
    """
    header = batches.read_header(payload)
    return _batch(header, payload, payload)


def stamp(batch: Batch, base_offset: Offset, epoch: Epoch) -> Batch:
    """The batch at its place in the log; offset and epoch lie outside the checksum.

    InvariantViolated for a compressed one: followers would read it, but Kafka's leaders write none,
    and clients without the codec could not follow the log any more.
    """
    payload = batch.payload
    if not isinstance(payload, bytes):
        raise TypeError(f"a payload of {type(payload).__name__} cannot be stamped")
    if batches.read_header(payload).compression != NONE:
        raise InvariantViolated(f"a compressed batch for offset {base_offset} of the metadata log")
    return batch.moved(base_offset, epoch, batches.stamp(payload, base_offset, epoch))


def make_control_batch(
    values: tuple[ControlValue, ...], base_offset: Offset, epoch: Epoch, *, timestamp_ms: Millis
) -> Batch:
    """One control batch of these values, as Kafka writes it: message version 0 everywhere."""
    payload = build_batch(
        [_encode(value) for value in values],
        timestamp_ms=timestamp_ms,
        base_offset=base_offset,
        leader_epoch=epoch,
        control=True,
    )
    return Batch(
        base_offset=base_offset,
        last_offset=base_offset + len(values) - 1,
        epoch=epoch,
        size_bytes=len(payload),
        record_count=len(values),
        append_time_ms=timestamp_ms,
        controls=tuple(Control(base_offset + at, value) for at, value in enumerate(values)),
        payload=payload,
    )


def read_batches(records: bytes | memoryview) -> tuple[tuple[Batch, ...], str | None]:
    """The good batches at the front of a fetch answer, and what was wrong with the next one.

    A cut-off last batch is normal and no fault; after a broken one nothing
    more is taken (KAFKA-18723).
    """
    good: list[Batch] = []
    try:
        for _, view in walk_batches(records):
            header = batches.check(view)
            good.append(_batch(header, view, bytes(view)))
    except (BatchError, PeerError) as error:
        return tuple(good), str(error)
    return tuple(good), None


def control_of(record: ControlRecord) -> Control | None:
    """A control record that consensus acts on; None for the others."""
    value = _decode(record)
    return None if value is None else Control(record.offset, value)


def _batch(header: batches.BatchHeader, view: bytes | memoryview, payload: bytes) -> Batch:
    controls: tuple[Control, ...] = ()
    if header.is_control:
        found = (control_of(record) for record in controls_of(view, header))
        controls = tuple(control for control in found if control is not None)
    return Batch(
        base_offset=header.base_offset,
        last_offset=header.last_offset,
        epoch=header.leader_epoch,
        size_bytes=header.size_bytes,
        record_count=header.record_count,
        append_time_ms=header.max_timestamp_ms,
        controls=controls,
        payload=payload,
    )


def _encode(value: ControlValue) -> tuple[bytes | None, bytes | None]:
    if isinstance(value, LeaderChangeControl):
        from metaquorum.wire.generated import leader_change_message as change

        message: Any = change.LeaderChangeMessage(
            version=0,
            leader_id=value.leader_id,
            voters=[change.Voter(voter_id=key.id) for key in sorted(value.voters)],
            granting_voters=[change.Voter(voter_id=key.id) for key in sorted(value.granting)],
        )
        return encode_control(ControlType.LEADER_CHANGE, message)
    if isinstance(value, KRaftVersionControl):
        from metaquorum.wire.generated import kraft_version_record

        message = kraft_version_record.KRaftVersionRecord(version=0, kraft_version=value.level)
        return encode_control(ControlType.KRAFT_VERSION, message)
    from metaquorum.wire.generated import voters_record

    message = voters_record.VotersRecord(
        version=0, voters=[wire_voter(voter, voters_record) for voter in value.voters]
    )
    return encode_control(ControlType.KRAFT_VOTERS, message)


def wire_voter(voter: Voter, module: Any) -> Any:
    """One row of a Voters record; ``module`` is the generated module of that record."""
    return module.Voter(
        voter_id=voter.id,
        voter_directory_id=wire_directory(voter.key),
        endpoints=[
            module.Endpoint(name=one.listener, host=one.host, port=one.port)
            for one in voter.endpoints
        ],
        kraft_version_feature=module.KRaftVersionFeature(
            min_supported_version=voter.lowest_kraft_version,
            max_supported_version=voter.highest_kraft_version,
        ),
    )


def _decode(record: ControlRecord) -> ControlValue | None:
    message = record.message
    if record.type == ControlType.LEADER_CHANGE:
        return LeaderChangeControl(
            message.leader_id,
            tuple(ReplicaKey(one.voter_id) for one in message.voters),
            tuple(ReplicaKey(one.voter_id) for one in message.granting_voters),
        )
    if record.type == ControlType.KRAFT_VERSION:
        return KRaftVersionControl(message.kraft_version)
    if record.type == ControlType.KRAFT_VOTERS:
        return VotersControl(tuple(_voter(one) for one in message.voters))
    return None


def _voter(message: Any) -> Voter:
    feature = message.kraft_version_feature
    return Voter(
        ReplicaKey(message.voter_id, directory(message.voter_directory_id)),
        tuple(Endpoint(one.name, one.host, one.port) for one in message.endpoints),
        feature.min_supported_version,
        feature.max_supported_version,
    )
