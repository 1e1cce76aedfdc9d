"""What ``dump-log`` prints of the records that the coordinators of brokers keep.

Those are ``__consumer_offsets``, ``__transaction_state`` and ``__share_group_state``. In all of
them a key begins with its record type and a value with its version, as 16 bits, and a record
without a value deletes. Type and version stand as texts in Kafka's JSON, and so they do here.
"""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct
from typing import Any, Final

from metaquorum.base.errors import OperatorError, PeerError
from metaquorum.records.record import Record
from metaquorum.wire.errors import DecodeError
from metaquorum.wire.json_form import json_text, to_json
from metaquorum.wire.registry import Codec, load_codec

Facts = dict[str, object]
Content = Callable[[Record, Facts], str]  # text behind a record's metadata; adds to the facts

_SHORT: Final = Struct(">h")

_GROUP: Final[dict[int, str]] = {
    0: "legacy_offset_commit",
    1: "offset_commit",
    2: "group_metadata",
    3: "consumer_group_metadata",
    4: "consumer_group_partition_metadata",
    5: "consumer_group_member_metadata",
    6: "consumer_group_target_assignment_metadata",
    7: "consumer_group_target_assignment_member",
    8: "consumer_group_current_member_assignment",
    10: "share_group_member_metadata",
    11: "share_group_metadata",
    12: "share_group_target_assignment_metadata",
    13: "share_group_target_assignment_member",
    14: "share_group_current_member_assignment",
    15: "share_group_state_partition_metadata",
    16: "consumer_group_regular_expression",
    17: "streams_group_metadata",
    19: "streams_group_member_metadata",
    20: "streams_group_target_assignment_metadata",
    21: "streams_group_target_assignment_member",
    22: "streams_group_current_member_assignment",
    23: "streams_group_topology",
}
# Coordinator -> record type -> module of the key and the value, less ``_key`` and ``_value``.
RECORDS: Final[dict[str, dict[int, str]]] = {
    "group": _GROUP,
    "transaction": {0: "transaction_log"},
    "share": {0: "share_snapshot", 1: "share_update"},
}

# What members of a classic group of this protocol type say is known, other bytes stay base64.
_CONSUMER: Final = "consumer"
_MEMBER_BYTES: Final = {
    "subscription": "consumer_protocol_subscription",
    "assignment": "consumer_protocol_assignment",
}


class _Unreadable(PeerError):
    """A record of a known type that cannot be shown."""


def offsets_content(record: Record, facts: Facts) -> str:
    """A record of ``__consumer_offsets``; OperatorError for one without a key."""
    return _content(record, facts, "group")


def transaction_content(record: Record, facts: Facts) -> str:
    """A record of ``__transaction_state``; OperatorError for one without a key."""
    return _content(record, facts, "transaction")


def share_state_content(record: Record, facts: Facts) -> str:
    """A record of ``__share_group_state``; OperatorError for one without a key."""
    return _content(record, facts, "share")


def _content(record: Record, facts: Facts, package: str) -> str:
    types = RECORDS[package]
    if record.key is None:
        raise OperatorError(
            f"the record at offset {record.offset} has no key, which names its type"
        )
    try:
        key = bytes(record.key)
        record_type = _leading(key, "key")
        if record_type not in types:
            facts["error"] = f"unknown record type {record_type}"
            return f" key: Unknown record type {record_type} at offset {record.offset}, skipping."
        module = f"{package}.{types[record_type]}"
        key_form = _key_form(load_codec(f"{module}_key"), record_type, key)
        form: dict[str, Any] | None = None
        if record.value is not None:
            form = _value_form(load_codec(f"{module}_value"), record_type, bytes(record.value))
    except _Unreadable as error:
        facts["error"] = str(error)
        return f" key: Error at offset {record.offset}, skipping. {error}"
    facts |= {"key": key_form, "payload": form}
    shown = "<DELETE>" if form is None else json_text(form)
    return f" key: {json_text(key_form)} payload: {shown}"


def _leading(raw: bytes, part: str) -> int:
    if len(raw) < _SHORT.size:
        raise _Unreadable(f"Could not read version from {part}'s buffer.")
    (number,) = _SHORT.unpack_from(raw)
    return int(number)


def _decoded(codec: Codec, raw: bytes, version: int, said: int, part: str) -> Any:
    """The message behind the leading number ``said``; what follows it is passed over."""
    try:
        return codec.decode(raw, version, _SHORT.size)
    except DecodeError as error:
        raise _Unreadable(
            f"Could not read record with version {said} from {part}'s buffer due to: {error}."
        ) from None


def _key_form(codec: Codec, record_type: int, raw: bytes) -> dict[str, Any]:
    version = codec.LOWEST_VERSION  # keys have one, and the type stands in its place
    message = _decoded(codec, raw, version, record_type, "key")
    return {"type": str(record_type), "data": to_json(codec, message, version)}


def _value_form(codec: Codec, record_type: int, raw: bytes) -> dict[str, Any]:
    version = _leading(raw, "value")
    if not codec.LOWEST_VERSION <= version <= codec.HIGHEST_VERSION:
        raise _Unreadable(f"Found an unknown record version {version} for {record_type} type")
    message = _decoded(codec, raw, version, version, "value")
    data = to_json(codec, message, version)
    if data.get("protocolType") == _CONSUMER:
        for member, form in zip(message.members, data["members"], strict=True):
            for name, module in _MEMBER_BYTES.items():
                form[name] = _consumer_protocol(module, bytes(getattr(member, name)), form[name])
    return {"version": str(version), "data": data}


def _consumer_protocol(module: str, raw: bytes, otherwise: str) -> object:
    """What a consumer sent its group, ``otherwise`` where that is in no form known here."""
    codec = load_codec(module)
    if len(raw) < _SHORT.size:
        return otherwise
    (version,) = _SHORT.unpack_from(raw)
    version = max(version, codec.LOWEST_VERSION)  # Kafka reads those below 0 as 0
    if version > codec.HIGHEST_VERSION:
        return otherwise
    try:
        return to_json(codec, codec.decode(raw, version, _SHORT.size), version)
    except DecodeError:
        return otherwise
