"""Record batches inside messages as JSON, where ``--records`` asks for them."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from typing import Any

from metaquorum.base.errors import PeerError
from metaquorum.records.batch import BatchHeader, checksum
from metaquorum.records.compression import NAMES
from metaquorum.records.control import ControlType, TransactionMarker, control_codec, read_control
from metaquorum.records.errors import BatchError
from metaquorum.records.metadata_record import decode_metadata_record
from metaquorum.records.reader import walk_batches, walk_records
from metaquorum.records.record import Record
from metaquorum.wire.errors import EncodeError
from metaquorum.wire.generated.index import record_codec
from metaquorum.wire.json_form import to_json
from metaquorum.wire.registry import Codec
from metaquorum.wire.shape import StructShape, holds, read_shape


def spell_records(spelled: dict[str, Any], codec: Codec, message: Any, version: int) -> None:
    """Put lists of batches in ``spelled`` where the message holds records."""
    _spell(read_shape(codec.SHAPE).top, spelled, message, version)


def _spell(shape: StructShape, spelled: dict[str, Any], message: Any, version: int) -> None:
    for each in shape.fields:
        value = getattr(message, each.attribute)
        if not holds(each.versions, version) or not value or each.json_name not in spelled:
            continue
        inner = spelled[each.json_name]
        if each.element == "records":
            spelled[each.json_name] = list(spelled_batches(bytes(value)))
        elif each.struct is not None and each.is_array:
            for below, item in zip(inner, value, strict=True):
                _spell(each.struct, below, item, version)
        elif each.struct is not None:
            _spell(each.struct, inner, value, version)


def spelled_batches(data: bytes) -> Iterator[dict[str, Any]]:
    """Every batch with its records; one that cannot be read is named by its place and ends it."""
    at = 0
    try:
        for header, batch in walk_batches(data):
            yield _batch(header, bytes(batch))
            at += header.size_bytes
    except BatchError as why:
        yield {"position": at, "error": str(why), "undecoded": data[at:].hex()}
        return
    if at < len(data):
        yield {"position": at, "error": "the batch is cut off", "undecoded": data[at:].hex()}


def _batch(header: BatchHeader, batch: bytes) -> dict[str, Any]:
    spelled: dict[str, Any] = {
        "baseOffset": header.base_offset,
        "lastOffset": header.last_offset,
        "partitionLeaderEpoch": header.leader_epoch,
        "isValid": checksum(batch, 0, len(batch)) == header.crc,
        "compression": _compression(header.compression),
        "isTransactional": header.is_transactional,
        "isControl": header.is_control,
        "producerId": header.producer_id,
        "producerEpoch": header.producer_epoch,
        "baseSequence": header.base_sequence,
        "records": [],
    }
    try:
        for record in walk_records(batch, header):
            spelled["records"].append(_record(record, is_control=header.is_control))
    except BatchError as why:
        spelled["error"] = str(why)
    return spelled


def _compression(number: int) -> str:
    return NAMES[number] if number < len(NAMES) else str(number)


def _record(record: Record, *, is_control: bool) -> dict[str, Any]:
    spelled: dict[str, Any] = {
        "offset": record.offset,
        "timestamp": record.timestamp_ms,
        "key": _base64(record.key),
        "value": _base64(record.value),
    }
    if record.headers:
        spelled["headers"] = [{"key": k, "value": _base64(v)} for k, v in record.headers]
    meaning = _control(record) if is_control else _metadata(record)
    return spelled | meaning


def _control(record: Record) -> dict[str, Any]:
    """What a control record says; its bytes alone where it cannot be read."""
    try:
        found = read_control(record)
    except (BatchError, PeerError):
        return {}
    if found.message is None:
        return {"controlType": found.type}
    kind = ControlType(found.type)
    if isinstance(found.message, TransactionMarker):
        return {
            "controlType": kind.name,
            "control": {"coordinatorEpoch": found.message.coordinator_epoch},
        }
    return {"controlType": kind.name, "control": to_json(control_codec(kind), found.message, 0)}


def _metadata(record: Record) -> dict[str, Any]:
    """What the value says if it is a record of the metadata log; nothing if it is not."""
    if record.key is not None or record.value is None:
        return {}
    try:
        found = decode_metadata_record(record.value)
        codec = record_codec(found.type)
        return {
            "metadataRecord": {
                "type": codec.NAME,
                "version": found.version,
                "data": to_json(codec, found.message, found.known_version),
            }
        }
    except (BatchError, PeerError, EncodeError, KeyError):
        return {}


def _base64(value: bytes | memoryview | None) -> str | None:
    return None if value is None else b64encode(value).decode("ascii")
