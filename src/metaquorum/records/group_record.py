"""Records of ``__consumer_offsets``: a key that says what kind it is, and a value or a tombstone.

Both are framed alike: a version of two bytes, then the message. Of a key that version is the kind
of record (``RECORD_TYPES``), and its message is of version 0; of a value it is the version of the
message. The topic is compacted: the last record of a key is what holds, a tombstone ends it.

A kind that is not known here (share and streams groups have some) stays what it is: raw bytes,
which are kept and written again as they came.
"""

from __future__ import annotations

from struct import Struct
from typing import Any, Final

from attrs import define

from metaquorum.base.errors import PeerError
from metaquorum.records.errors import BatchError
from metaquorum.wire.registry import Codec, load_codec

OFFSET_COMMIT: Final = 1
GROUP_METADATA: Final = 2
CONSUMER_GROUP: Final = 3
CONSUMER_PARTITIONS: Final = 4
CONSUMER_MEMBER: Final = 5
CONSUMER_TARGET: Final = 6
CONSUMER_TARGET_MEMBER: Final = 7
CONSUMER_CURRENT: Final = 8
CONSUMER_REGEX: Final = 16

RECORD_TYPES: Final = {
    OFFSET_COMMIT: "offset_commit",
    GROUP_METADATA: "group_metadata",
    CONSUMER_GROUP: "consumer_group_metadata",
    CONSUMER_PARTITIONS: "consumer_group_partition_metadata",
    CONSUMER_MEMBER: "consumer_group_member_metadata",
    CONSUMER_TARGET: "consumer_group_target_assignment_metadata",
    CONSUMER_TARGET_MEMBER: "consumer_group_target_assignment_member",
    CONSUMER_CURRENT: "consumer_group_current_member_assignment",
    CONSUMER_REGEX: "consumer_group_regular_expression",
}
"""Kind of record to the name of its schemas."""

_WRITTEN: Final = {OFFSET_COMMIT: 3, GROUP_METADATA: 3}
"""The version that values are written in where it is not 0: Kafka 3 reads these as well."""
_WITH_EXPIRY: Final = 1
_WITH_TOPIC_ID: Final = 4
_NO_EXPIRY: Final = -1
_VERSION: Final = Struct(">h")


class GroupRecordError(BatchError):
    """A record that cannot be one of ``__consumer_offsets``. ``at`` is the place in it."""


@define
class GroupRecord:
    """One record. ``key`` is raw bytes where its kind is unknown, and so is ``value`` then.

    ``value`` None is a tombstone.
    """

    key: Any
    value: Any

    @property
    def type(self) -> int:
        """The kind of record; -1 where it is unknown."""
        return -1 if isinstance(self.key, bytes) else int(_TYPES[type(self.key).__name__])

    def encode(self) -> tuple[bytes, bytes | None]:
        """Key and value as Kafka writes them; EncodeError for what its version cannot carry."""
        if isinstance(self.key, bytes):
            return self.key, self.value
        kind = self.type
        key = _VERSION.pack(kind) + key_codec(kind).encode(self.key, 0)
        if self.value is None:
            return key, None
        version = _version_of(kind, self.value)
        return key, _VERSION.pack(version) + value_codec(kind).encode(self.value, version)

    @classmethod
    def decode(
        cls, key: bytes | memoryview | None, value: bytes | memoryview | None
    ) -> GroupRecord:
        """The record; GroupRecordError for one without a sound key, or that cannot be read."""
        if key is None or len(key) < _VERSION.size:
            raise GroupRecordError("a record of groups needs a key with a version", 0)
        (kind,) = _VERSION.unpack_from(key)
        if kind not in RECORD_TYPES:
            return cls(bytes(key), None if value is None else bytes(value))
        try:
            return cls(key_codec(kind).decode(bytes(key), 0, 2), _decoded(kind, value))
        except PeerError as error:
            raise GroupRecordError(f"{RECORD_TYPES[kind]}: {error}", 0) from error


def key_codec(kind: int) -> Codec:
    """The codec of the keys of that kind."""
    return load_codec(f"group.{RECORD_TYPES[kind]}_key")


def value_codec(kind: int) -> Codec:
    """The codec of the values of that kind."""
    return load_codec(f"group.{RECORD_TYPES[kind]}_value")


def _decoded(kind: int, value: bytes | memoryview | None) -> Any:
    if value is None:
        return None
    if len(value) < _VERSION.size:
        raise GroupRecordError(f"{RECORD_TYPES[kind]}: a value without a version", 0)
    (version,) = _VERSION.unpack_from(value)
    codec = value_codec(kind)
    if not codec.LOWEST_VERSION <= version <= codec.HIGHEST_VERSION:
        raise GroupRecordError(f"{RECORD_TYPES[kind]}: version {version} is unknown", 0)
    return codec.decode(bytes(value), version, 2)


def _version_of(kind: int, value: Any) -> int:
    if kind == OFFSET_COMMIT and value.expire_timestamp != _NO_EXPIRY:
        return _WITH_EXPIRY
    if kind == OFFSET_COMMIT and any(value.topic_id):
        return _WITH_TOPIC_ID
    return _WRITTEN.get(kind, 0)


def _class_name(kind: int) -> str:
    return "".join(word.capitalize() for word in RECORD_TYPES[kind].split("_")) + "Key"


_TYPES: Final = {_class_name(kind): kind for kind in RECORD_TYPES}
