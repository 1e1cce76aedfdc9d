"""One record of the metadata log as a reader sees it, decoded as far as we know its type."""

from __future__ import annotations

import base64
from collections.abc import Collection, Iterator
from typing import Any

from attrs import field, frozen

from metaquorum.base.errors import PeerError
from metaquorum.base.offsets import Epoch, Offset, OffsetAndEpoch
from metaquorum.records.batch import BatchHeader
from metaquorum.records.control import ControlType, control_codec, control_type
from metaquorum.records.errors import BatchError
from metaquorum.records.metadata_record import decode_metadata_record, read_metadata_frame
from metaquorum.records.reader import walk_records
from metaquorum.records.record import Record
from metaquorum.wire.generated import index
from metaquorum.wire.json_form import to_json

UNKNOWN = "Unknown"


@frozen
class LogRecord:
    """A data or control record.

    ``type`` is the schema's name (``TopicRecord``, ``LeaderChangeMessage``); what cannot be
    decoded is ``Unknown`` or has no ``fields``, with the reason in ``problem``. ``snapshot`` is
    None in the log itself; for a record out of a snapshot it is the snapshot's end, and
    ``offset`` counts inside the snapshot.
    """

    offset: Offset
    epoch: Epoch
    timestamp_ms: int
    type: str
    version: int
    fields: dict[str, Any]
    control: bool
    key: bytes | None = field(repr=False)
    value: bytes | None = field(repr=False)
    snapshot: OffsetAndEpoch | None = None
    problem: str | None = None


@frozen
class FetchedBatch:
    """One whole record batch, its checksum right, and the snapshot it came from, if any."""

    header: BatchHeader
    data: memoryview = field(repr=False)
    snapshot: OffsetAndEpoch | None = None

    def records(self, types: Collection[str] | None = None) -> Iterator[LogRecord]:
        """Its records, decoded; only of the named types when ``types`` is given.

        Raises BatchError when the records break the framing of their batch.
        """
        for record in walk_records(self.data, self.header):
            name = _type_name(record, self.header.is_control)
            if types is None or name in types:
                yield _decode(
                    record,
                    name,
                    self.header.leader_epoch,
                    control=self.header.is_control,
                    snapshot=self.snapshot,
                )


def decode_record(
    offset: Offset, epoch: Epoch, timestamp_ms: int, key: bytes | None, value: bytes | None
) -> LogRecord:
    """A data record that some other client delivered."""
    record = Record(offset, timestamp_ms, key, value, ())
    return _decode(record, _type_name(record, control=False), epoch, control=False, snapshot=None)


def known_types() -> list[str]:
    """Every name that a record's ``type`` can have, control messages last."""
    data = sorted(kind.name for kind in index.RECORDS.values())
    control = sorted(control_codec(kind).NAME for kind in ControlType if kind > ControlType.COMMIT)
    return [*data, *control]


def _decode(
    record: Record, name: str, epoch: Epoch, *, control: bool, snapshot: OffsetAndEpoch | None
) -> LogRecord:
    version, fields, problem = 0, {}, None
    try:
        if control:
            fields = _control_fields(record)
        else:
            version, fields = _metadata_fields(record)
    except (BatchError, PeerError) as error:
        problem = str(error)
        fields = {"value": _base64(record.value)}
    return LogRecord(
        record.offset,
        epoch,
        record.timestamp_ms,
        name,
        version,
        fields,
        control,
        _bytes(record.key),
        _bytes(record.value),
        snapshot,
        problem,
    )


def _type_name(record: Record, control: bool) -> str:
    try:
        if control:
            number = control_type(record)
            kind = ControlType(number)
            return str(control_codec(kind).NAME) if kind > ControlType.COMMIT else kind.name
        number = read_metadata_frame(record.value or b"")[0]
        known = index.RECORDS.get(number)
        return known.name if known is not None else UNKNOWN
    except (BatchError, ValueError):
        return UNKNOWN


def _control_fields(record: Record) -> dict[str, Any]:
    try:
        kind = ControlType(control_type(record))
    except ValueError:
        return {"type": control_type(record), "value": _base64(record.value)}
    if kind <= ControlType.COMMIT:
        return {}
    codec = control_codec(kind)
    return to_json(codec, codec.decode(record.value or b"", 0), 0)


def _metadata_fields(record: Record) -> tuple[int, dict[str, Any]]:
    found = decode_metadata_record(record.value or b"")
    codec = index.record_codec(found.type)
    return found.version, to_json(codec, found.message, found.known_version)


def _bytes(value: bytes | memoryview | None) -> bytes | None:
    return None if value is None else bytes(value)


def _base64(value: bytes | memoryview | None) -> str | None:
    return None if value is None else base64.b64encode(value).decode("ascii")
