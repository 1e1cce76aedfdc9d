"""Control records: what replicas tell each other inside the log and at both ends of a snapshot.

KIP-595 (LeaderChange), KIP-630 (snapshot header and footer), KIP-853 (KRaftVersion, Voters). The
key is a version and a type, the value a message that repeats its own version as first field.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from functools import cache
from importlib import import_module
from struct import Struct
from struct import error as StructError
from typing import Any

from attrs import frozen

from metaquorum.base.offsets import Offset
from metaquorum.records.batch import BatchHeader
from metaquorum.records.errors import CorruptRecord
from metaquorum.records.reader import walk_records
from metaquorum.records.record import Record

_KEY = Struct(">hh")
_MARKER = Struct(">hi")
_KEY_VERSION = 0


class ControlType(IntEnum):
    """The types that Kafka knows; others in a log are passed over by readers."""

    ABORT = 0
    COMMIT = 1
    LEADER_CHANGE = 2
    SNAPSHOT_HEADER = 3
    SNAPSHOT_FOOTER = 4
    KRAFT_VERSION = 5
    KRAFT_VOTERS = 6


# The generated module of each message; imported when the first one is met.
_MODULES = {
    ControlType.LEADER_CHANGE: "leader_change_message",
    ControlType.SNAPSHOT_HEADER: "snapshot_header_record",
    ControlType.SNAPSHOT_FOOTER: "snapshot_footer_record",
    ControlType.KRAFT_VERSION: "kraft_version_record",
    ControlType.KRAFT_VOTERS: "voters_record",
}


@frozen
class TransactionMarker:
    """The value of ABORT and COMMIT; never in the metadata log, but in those that tools read."""

    version: int
    coordinator_epoch: int


@frozen
class ControlRecord:
    """A control record by its type: ``message`` is None for a type that Kafka does not know."""

    offset: Offset
    type: int
    message: Any


def encode_control(type: ControlType, message: Any, version: int = 0) -> tuple[bytes, bytes]:
    """Key and value of a control record; Kafka writes version 0 of every message."""
    key = _KEY.pack(_KEY_VERSION, type)
    if isinstance(message, TransactionMarker):
        return key, _MARKER.pack(message.version, message.coordinator_epoch)
    value: bytes = control_codec(type).encode(message, version)
    return key, value


def read_control(record: Record) -> ControlRecord:
    """The meaning of a record out of a control batch.

    Raises CorruptRecord for a key or marker that is none; DecodeError from the message's codec.
    """
    number = control_type(record)
    try:
        known = ControlType(number)
    except ValueError:
        return ControlRecord(record.offset, number, None)
    value = record.value if record.value is not None else b""
    if known in (ControlType.ABORT, ControlType.COMMIT):
        try:
            marker = TransactionMarker(*_MARKER.unpack_from(value))
        except StructError:
            raise CorruptRecord(f"a transaction marker of {len(value)} bytes") from None
        return ControlRecord(record.offset, known, marker)
    return ControlRecord(record.offset, known, control_codec(known).decode(value, 0))


def control_type(record: Record) -> int:
    """The type in the key of a control record; CorruptRecord for a key that is none."""
    if record.key is None or len(record.key) < _KEY.size:
        raise CorruptRecord(f"the control record at offset {record.offset} has no type in its key")
    version, number = _KEY.unpack_from(record.key)
    if version < 0:
        raise CorruptRecord(f"the control record at offset {record.offset} has version {version}")
    return int(number)


@cache
def control_codec(type: ControlType) -> Any:
    """The generated module of a control record's message."""
    return import_module(f"metaquorum.wire.generated.{_MODULES[type]}")


def controls_of(batch: bytes | memoryview, header: BatchHeader) -> Iterator[ControlRecord]:
    """The control records of one control batch."""
    for record in walk_records(batch, header):
        yield read_control(record)
