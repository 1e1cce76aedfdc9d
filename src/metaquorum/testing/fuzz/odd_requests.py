"""Well-formed requests of every API and version, with long and odd values in a few fields.

A request begins as Kafka's own golden frame with values that get past the first checks; then two
of its fields are given others: names as long as the protocol allows, or a little longer than what
is made of them may be, empty and repeated rows, the ends of every range of numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Final

from attrs import define, field, frozen

from metaquorum.base.ids import METADATA_TOPIC, METADATA_TOPIC_ID
from metaquorum.server.contract.api import API_ROWS
from metaquorum.server.contract.api_row import ApiRow
from metaquorum.testing import golden
from metaquorum.testing.fake_services import CLUSTER_ID
from metaquorum.testing.schemas import FieldText, message
from metaquorum.testing.values import INTEGER_BITS, integer_bounds
from metaquorum.wire.errors import EncodeError
from metaquorum.wire.headers import RequestHeader, put_request_header
from metaquorum.wire.message import Message
from metaquorum.wire.slices import Parts

BYTES_A_REQUEST: Final = 7
CLIENT: Final = 0x01
"""In the last byte: it comes in by the listener of clients; the other bits choose a client id."""

_LONGEST: Final = 32_767
_IDS: Final = (1, 2, 3)  # the members that a new coordinator names first
_TEXTS: Final = (
    "",
    "a",
    "g",
    METADATA_TOPIC,
    "__consumer_offsets",
    "*",
    "User:*",
    "User:" + "u" * (_LONGEST - 5),
    "kafka-cluster",
    "default",
    "user",
    "client-id",
    "ip",
    "producer_byte_rate",
    "metadata.version",
    "kraft.version",
    "consumer",
    "range",
    "PLAIN",
    "SCRAM-SHA-256",
    "a\0b\n\x7f",
    "ü€\U0001f600" * 9,
    "x" * 250,
    "x" * 1_001,
    "x" * (_LONGEST - 37),
    "x" * (_LONGEST - 36),
    "x" * (_LONGEST - 1),
    "x" * _LONGEST,
    "é" * (_LONGEST // 2),
    "\U0001f600" * (_LONGEST // 4),
    "[" * 999,
    "(a*)*" * 100,
    *(f"test-{'-'.join(('0' * 8, '0' * 4, '0' * 4, '0' * 4, f'{number:012}'))}" for number in _IDS),
    *(f"{'A' * 20}{letters}" for letters in ("AQ", "Ag", "Aw")),  # uuids of the same numbers
)
_NUMBERS: Final = (
    *range(-3, 13),
    31,
    100,
    127,
    255,
    5_000,
    10_000,
    16_384,
    32_767,
    65_535,
    -128,
    -32_768,
    (1 << 31) - 1,
    -(1 << 31),
    (1 << 63) - 1,
    -(1 << 63),
)
_BYTES: Final = (
    b"",
    b"\0",
    bytes(16),
    METADATA_TOPIC_ID,
    b"\0\0\0\0\0\1\0\1t\xff\xff\xff\xff",
    b"\xff" * 64,
    b"n,,n=user,r=nonce",
    b"\0user\0password",
    bytes(1_000),
    b"x" * 40_000,
)
_FLOATS: Final = (0.0, -1.0, 1.5, 1e308, float("inf"), float("-inf"), float("nan"))
_OF_ELEMENT: Final[dict[str, Sequence[Any]]] = {
    "string": _TEXTS,
    "bytes": _BYTES,
    "records": _BYTES,
    "uuid": (bytes(16), METADATA_TOPIC_ID, b"\xff" * 16, bytes(15) + b"\1"),
    "bool": (False, True),
    "float64": _FLOATS,
}
_TIMES: Final = (0, 1, 2, 3, 33)  # so often each row of an array is there

_PLAUSIBLE: Final[dict[str, Any]] = {
    "session_timeout_ms": 10_000,
    "rebalance_timeout_ms": 60_000,
    "group_id": "g",
    "protocol_type": "consumer",
    "member_id": "",
    "member_epoch": 0,
    "generation_id": -1,
    "generation_id_or_member_epoch": -1,
    "group_instance_id": None,
    "cluster_id": CLUSTER_ID,
    "controller_id": 1,
    "listener": "CONTROLLER",
    "topic_name": METADATA_TOPIC,
    "topic_partitions": [],
    "server_assignor": None,
    "subscribed_topic_regex": None,
    "validate_only": False,
    "dry_run": False,
    "remove": False,
    "remove_all": False,
    "entity_type": "user",
    "key": "producer_byte_rate",
    "value": 5.0,
    "resource_type": 2,
    "resource_type_filter": 1,
    "operation": 3,
    "principal": "User:anna",
    "feature": "metadata.version",
    "max_version_level": 30,
    "upgrade_type": 1,
    "allow_downgrade": False,
    "endpoint_type": 1,
    "mechanism": 1,
    "candidate_id": 2,
    "leader_id": 1,
    "leader_epoch": 1,
    "replica_epoch": 1,
    "candidate_epoch": 1,
    "min_supported_version": 0,
    "max_supported_version": 1,
    "zk_migration_ready": False,
    "voter_id": 1,
    "replica_id": -1,
    "max_wait_ms": 10,
    "max_bytes": 100_000,
    "timeout_ms": 1_000,
    "topic": METADATA_TOPIC,
    "topic_id": METADATA_TOPIC_ID,
    "partition": 0,
    "partition_index": 0,
    "resource_pattern_type": 3,
    "pattern_type_filter": 1,
    "host": "*",
    "permission_type": 3,
    "current_leader_epoch": -1,
    "iterations": 4_096,
}
_PLAUSIBLE_OF: Final[dict[tuple[str, str], Any]] = {
    ("ConsumerGroupHeartbeatRequest", "member_id"): "m",
    ("IncrementalAlterConfigsRequest", "validate_only"): True,
    ("AlterableConfig", "value"): "1",
    ("Listener", "name"): "CONTROLLER",
    ("Listener", "host"): "here",
}
_NOTHING: Final = object()
_TYPES: Final = {"string": str, "bool": bool, "float64": float, "uuid": bytes}
_CLIENT_IDS: Final = (
    "test", None, "", "x" * (_LONGEST - 37), "x" * (_LONGEST - 36), "x" * _LONGEST, "é" * 16_383,
)  # fmt: skip


@frozen
class _Leaf:
    """One field of a message of a template, and what may stand there."""

    owner: Message
    slot: str
    values: Sequence[Any]


@define(eq=False)
class _Template:
    """A request whose fields are changed and put back."""

    api_row: ApiRow
    codec: Any
    message: Any
    leaves: list[_Leaf] = field(factory=list)


def requests_in(data: bytes) -> Iterator[tuple[bytes, bool]]:
    """The frames that an input means, and whether each comes in by the listener of clients.

    Of each a few bytes choose API, version, two fields with their values, and who sends it. What
    its version cannot carry is left out.
    """
    for at in range(0, len(data) - BYTES_A_REQUEST + 1, BYTES_A_REQUEST):
        row_at, version_at, *changes, sender = data[at : at + BYTES_A_REQUEST]
        api_row = API_ROWS[row_at % len(API_ROWS)]
        version = api_row.lowest + version_at % (api_row.highest - api_row.lowest + 1)
        client_id = _CLIENT_IDS[(sender >> 1) % len(_CLIENT_IDS)] if sender >> 5 else "test"
        frame = _changed(_template(row_at % len(API_ROWS), version), version, changes, client_id)
        if frame is not None:
            yield frame, bool(sender & CLIENT)


def _changed(
    template: _Template, version: int, changes: list[int], client_id: str | None
) -> bytes | None:
    before: list[tuple[_Leaf, Any]] = []
    leaves = template.leaves
    try:
        for leaf_at, value_at in (changes[0:2], changes[2:4]):
            if leaves and leaf_at:
                leaf = leaves[leaf_at % len(leaves)]
                before.append((leaf, getattr(leaf.owner, leaf.slot)))
                setattr(leaf.owner, leaf.slot, leaf.values[value_at % len(leaf.values)])
        parts: Parts = []
        put_request_header(parts, RequestHeader(template.api_row.key, version, 7, client_id))
        template.codec.put(parts, template.message, version)
        return b"".join(parts)  # type: ignore[arg-type]
    except (EncodeError, ValueError):
        return None
    finally:
        for leaf, value in reversed(before):
            setattr(leaf.owner, leaf.slot, value)


@cache
def _template(row_at: int, version: int) -> _Template:
    """The fullest golden frame of that version, made plausible."""
    api_row = API_ROWS[row_at]
    schema = message(f"{api_row.name}Request")
    frames = golden.frames(schema)
    (full,) = [one for one in frames if (one.version, one.variant) == (version, "full")]
    codec = api_row.request_codec()
    template = _Template(api_row, codec, codec.decode(full.data, version))
    _find_leaves(template.message, schema.fields, version, template.leaves)
    return template


def _find_leaves(
    owner: Any, fields: Sequence[FieldText], version: int, leaves: list[_Leaf]
) -> None:
    for one, slot in zip(fields, owner.__slots__, strict=False):  # a last slot is of unknown tags
        if version not in one.versions:
            continue
        plausible = _PLAUSIBLE_OF.get((type(owner).__name__, slot), _PLAUSIBLE.get(slot, _NOTHING))
        if _fits(plausible, one, version):
            setattr(owner, slot, plausible)
        elif one.array and one.fields is not None:  # two rows of the same name are refused
            setattr(owner, slot, list(getattr(owner, slot) or ())[:1])
        value = getattr(owner, slot)
        values = _values_of(one, value)
        if version in one.nullable:
            values = (*values, None)
        if values:
            leaves.append(_Leaf(owner, slot, values))
        if one.fields is not None and value is not None:
            for struct in value if one.array else (value,):
                _find_leaves(struct, one.fields, version, leaves)


def _fits(value: Any, one: FieldText, version: int) -> bool:
    """Whether a field may have that value."""
    if value is None:
        return version in one.nullable
    if one.array:
        return bool(value == [])
    wanted: type = _TYPES.get(one.element, int if one.element in INTEGER_BITS else type(None))
    return bool(type(value) is wanted)


def _values_of(one: FieldText, value: Any) -> Sequence[Any]:
    if one.array:
        repeated = [list(value or ()) * times for times in _TIMES]
        return repeated + [[text] for text in _TEXTS] if one.element == "string" else repeated
    if one.element in INTEGER_BITS:
        least, most = integer_bounds(one.element)
        return [number for number in _NUMBERS if least <= number <= most]
    return _OF_ELEMENT.get(one.element, ())
