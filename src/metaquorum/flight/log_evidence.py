"""Batches of a metadata log, read into items of evidence. Knows no clock, disk or socket.

Records that say nothing of leaders and brokers are passed over without being decoded: of a large
log nearly all. So are records that cannot be decoded, as of a newer release.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from attrs import define, evolve, field

from metaquorum.base.clock import Millis
from metaquorum.base.errors import PeerError
from metaquorum.base.ids import uuid_text
from metaquorum.config.listeners import HostPort
from metaquorum.flight.evidence import (
    BrokerChanged,
    BrokerRegistered,
    BrokerRemoved,
    ControllerRegistered,
    FeatureSet,
    LeaderElected,
    OfLog,
    VotersSet,
    Wrote,
)
from metaquorum.metadata.tables.nodes import ENTER_CONTROLLED_SHUTDOWN, FENCE, UNFENCE
from metaquorum.records.batch import BatchHeader
from metaquorum.records.control import ControlType, controls_of
from metaquorum.records.errors import BatchError
from metaquorum.records.metadata_record import decode_metadata_record, read_metadata_frame
from metaquorum.records.reader import walk_records

REGISTER_BROKER: Final = 0
UNREGISTER_BROKER: Final = 1
PARTITION_CHANGE: Final = 5
FENCE_BROKER: Final = 7
UNFENCE_BROKER: Final = 8
FEATURE_LEVEL: Final = 12
BROKER_REGISTRATION_CHANGE: Final = 17
REGISTER_CONTROLLER: Final = 27
_OF_NODES: Final = frozenset(
    (
        REGISTER_BROKER,
        UNREGISTER_BROKER,
        FENCE_BROKER,
        UNFENCE_BROKER,
        FEATURE_LEVEL,
        BROKER_REGISTRATION_CHANGE,
        REGISTER_CONTROLLER,
    )
)
_FENCINGS: Final = frozenset((FENCE_BROKER, BROKER_REGISTRATION_CHANGE))
NO_LEADER_CHANGE: Final = -2
MAX_PARTITIONS_COUNTED: Final = 10_000
"""Changes of partitions that are decoded of one batch: whether there is one is what matters."""
MAX_NAME_CHARS: Final = 200
_BY_TLS: Final = (1, 3)  # Kafka's numbers of SSL and SASL_SSL

Place = tuple[int, int, Millis]
"""Offset, epoch and time of a record."""


def evidence_of(header: BatchHeader, data: bytes | memoryview) -> list[OfLog]:
    """What a batch says; nothing of most. A batch that cannot be read says nothing."""
    try:
        if header.is_control:
            return list(_of_controls(header, data))
        return list(_of_records(header, data))
    except (BatchError, PeerError):
        return []


def _of_controls(header: BatchHeader, data: bytes | memoryview) -> Iterator[OfLog]:
    for control in controls_of(data, header):
        place = control.offset, header.leader_epoch, header.max_timestamp_ms
        message = control.message
        if control.type == ControlType.LEADER_CHANGE:
            voters = tuple(one.voter_id for one in message.voters)
            granting = tuple(one.voter_id for one in message.granting_voters)
            yield LeaderElected(*place, message.leader_id, voters, granting)
        elif control.type == ControlType.KRAFT_VOTERS:
            yield VotersSet(*place, tuple(one.voter_id for one in message.voters))


def _of_records(header: BatchHeader, data: bytes | memoryview) -> Iterator[OfLog]:
    seen: list[tuple[int, Place, bytes]] = []
    partitions: list[bytes] = []
    for record in walk_records(data, header):
        value = bytes(record.value or b"")
        try:
            number = read_metadata_frame(value)[0]
        except BatchError:
            continue
        if number in _OF_NODES:
            place = record.offset, header.leader_epoch, record.timestamp_ms
            seen.append((number, place, value))
        elif number == PARTITION_CHANGE and len(partitions) < MAX_PARTITIONS_COUNTED:
            partitions.append(value)
    moved = None
    for number, place, value in seen:
        if moved is None and number in _FENCINGS:
            moved = sum(map(_moves_leader, partitions))
        try:
            item = _of_node(number, place, decode_metadata_record(value).message, moved or 0)
        except (BatchError, PeerError):
            continue
        if item is not None:
            yield item


def _moves_leader(value: bytes) -> bool:
    try:
        return bool(decode_metadata_record(value).message.leader != NO_LEADER_CHANGE)
    except (BatchError, PeerError):
        return False


def _of_node(number: int, place: Place, message: Any, moved: int) -> OfLog | None:
    if number == REGISTER_BROKER:
        incarnation = uuid_text(message.incarnation_id)
        address = _address(message.end_points)
        return BrokerRegistered(*place, message.broker_id, incarnation, message.fenced, *address)
    if number == REGISTER_CONTROLLER:
        incarnation = uuid_text(message.incarnation_id)
        return ControllerRegistered(*place, message.controller_id, incarnation)
    if number == FEATURE_LEVEL:
        return FeatureSet(*place, message.name[:MAX_NAME_CHARS], message.feature_level)
    if number == UNREGISTER_BROKER:
        return BrokerRemoved(*place, message.broker_id)
    if number == FENCE_BROKER:
        return BrokerChanged(*place, message.id, True, False, moved)
    if number == UNFENCE_BROKER:
        return BrokerChanged(*place, message.id, False, False, moved)
    fenced = {FENCE: True, UNFENCE: False}.get(message.fenced)
    in_shutdown = message.in_controlled_shutdown == ENTER_CONTROLLED_SHUTDOWN
    if fenced is None and not in_shutdown:
        return None
    return BrokerChanged(*place, message.broker_id, fenced, in_shutdown, moved)


def _address(endpoints: Sequence[Any]) -> tuple[str, bool]:
    """Where a broker can be asked, and whether by TLS; one without TLS comes first."""
    for one in sorted(endpoints, key=lambda each: each.security_protocol in _BY_TLS):
        if one.host and len(one.host) <= MAX_NAME_CHARS:
            return str(HostPort(one.host, one.port)), one.security_protocol in _BY_TLS
    return "", False


@define
class Writing:
    """Puts batches that follow one another together; ``longest_ms`` of them at most at a time."""

    longest_ms: Millis
    _open: Wrote | None = field(default=None, init=False)

    def add(self, header: BatchHeader) -> Wrote | None:
        """Take a batch; what was written before, if it ends there."""
        now_ms, before = header.max_timestamp_ms, self._open
        if (
            before is None
            or before.epoch != header.leader_epoch
            or before.next_offset != header.base_offset
        ):
            self._open = Wrote(
                header.base_offset, header.next_offset, header.leader_epoch, now_ms, now_ms, 1
            )
            return before
        gap_ms = now_ms - before.last_ms
        longer = gap_ms > before.longest_gap_ms
        self._open = evolve(
            before,
            next_offset=header.next_offset,
            last_ms=now_ms,
            batches=before.batches + 1,
            longest_gap_ms=gap_ms if longer else before.longest_gap_ms,
            gap_end_ms=now_ms if longer else before.gap_end_ms,
        )
        if now_ms - before.first_ms >= self.longest_ms:
            return self.take()
        return None

    def take(self) -> Wrote | None:
        """What was put together so far. What follows is told as going on from there."""
        made, self._open = self._open, None
        return made
