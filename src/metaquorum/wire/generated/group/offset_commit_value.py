# GENERATED from schemas/group/offset_commit_value.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 64d60e66b944837b, generator 1.
"""An offset that a group committed. Record type 1, versions 0-4, flexible from 4."""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tag_count, get_tag_head, joined, lengthen_text, long_text, put_tags, refuse_field,
    refuse_null, refuse_size, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 1
NAME: Final = "OffsetCommitValue"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 4
FLEXIBLE_FROM: Final[int | None] = 4


class OffsetCommitValue(Message):
    """An offset that a group committed."""

    __slots__ = (
        "offset", "leader_epoch", "metadata", "commit_timestamp", "expire_timestamp", "topic_id",
        "unknown_tags",
    )

    def __init__(
        self,
        # Next offset the group wants to consume.
        offset: int = 0,
        # Epoch of the last record that was consumed; -1 when unknown. (v3+)
        leader_epoch: int = -1,
        # Text stored with the offset.
        metadata: str = "",
        # Milliseconds since 1970 at which the offset was committed.
        commit_timestamp: int = 0,
        # Milliseconds since 1970 at which the offset is forgotten; -1 for the usual time. (v1)
        expire_timestamp: int = -1,
        # Id of the topic; zeros when unknown. (v4+, tag 0)
        topic_id: bytes = ZERO_UUID,
        unknown_tags: Tags = (),
    ) -> None:
        self.offset = offset
        self.leader_epoch = leader_epoch
        self.metadata = metadata
        self.commit_timestamp = commit_timestamp
        self.expire_timestamp = expire_timestamp
        self.topic_id = topic_id
        self.unknown_tags = unknown_tags


_read_16s = Struct(">16s").unpack_from
_read_2q = Struct(">2q").unpack_from
_read_q = Struct(">q").unpack_from
_read_qB = Struct(">qB").unpack_from
_read_qh = Struct(">qh").unpack_from
_read_qiB = Struct(">qiB").unpack_from
_read_qih = Struct(">qih").unpack_from
_write_16s = Struct(">16s").pack
_write_2q = Struct(">2q").pack
_write_q = Struct(">q").pack
_write_qh = Struct(">qh").pack
_write_qiB = Struct(">qiB").pack
_write_qih = Struct(">qih").pack
_write_qx = Struct(">qx").pack


def _get_offset_commit_value_v0(buf: bytes, at: int) -> tuple[OffsetCommitValue, int]:
    m = new(OffsetCommitValue)
    (m.offset, n) = _read_qh(buf, at)
    at += 10
    if n < 0:
        refuse_null()
    end = at + n
    m.metadata = buf[at:end].decode()
    at = end
    (m.commit_timestamp,) = _read_q(buf, at)
    at += 8
    m.leader_epoch = -1
    m.expire_timestamp = -1
    m.topic_id = ZERO_UUID
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_offset_commit_value_v1(buf: bytes, at: int) -> tuple[OffsetCommitValue, int]:
    m = new(OffsetCommitValue)
    (m.offset, n) = _read_qh(buf, at)
    at += 10
    if n < 0:
        refuse_null()
    end = at + n
    m.metadata = buf[at:end].decode()
    at = end
    (m.commit_timestamp, m.expire_timestamp) = _read_2q(buf, at)
    at += 16
    m.leader_epoch = -1
    m.topic_id = ZERO_UUID
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_offset_commit_value_v3(buf: bytes, at: int) -> tuple[OffsetCommitValue, int]:
    m = new(OffsetCommitValue)
    (m.offset, m.leader_epoch, n) = _read_qih(buf, at)
    at += 14
    if n < 0:
        refuse_null()
    end = at + n
    m.metadata = buf[at:end].decode()
    at = end
    (m.commit_timestamp,) = _read_q(buf, at)
    at += 8
    m.expire_timestamp = -1
    m.topic_id = ZERO_UUID
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_tags_offset_commit_value_v4(m: OffsetCommitValue, buf: bytes, at: int) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            (m.topic_id,) = _read_16s(buf, at)
            at += 16
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_offset_commit_value_v4(buf: bytes, at: int) -> tuple[OffsetCommitValue, int]:
    m = new(OffsetCommitValue)
    (m.offset, m.leader_epoch, n) = _read_qiB(buf, at)
    at += 13
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.metadata = buf[at:end].decode()
    at = end
    (m.commit_timestamp, tags) = _read_qB(buf, at)
    at += 9
    m.expire_timestamp = -1
    m.topic_id = ZERO_UUID
    m.unknown_tags = ()
    if tags:
        at = _get_tags_offset_commit_value_v4(m, buf, at - 1)
    return m, at


def _put_offset_commit_value_v0(out: Parts, m: OffsetCommitValue) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    metadata = m.metadata.encode()
    n = len(metadata)
    out.append(_write_qh(m.offset, n))
    out.append(metadata)
    out.append(_write_q(m.commit_timestamp))


def _put_offset_commit_value_v1(out: Parts, m: OffsetCommitValue) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    metadata = m.metadata.encode()
    n = len(metadata)
    out.append(_write_qh(m.offset, n))
    out.append(metadata)
    out.append(_write_2q(m.commit_timestamp, m.expire_timestamp))


def _put_offset_commit_value_v3(out: Parts, m: OffsetCommitValue) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    metadata = m.metadata.encode()
    n = len(metadata)
    out.append(_write_qih(m.offset, m.leader_epoch, n))
    out.append(metadata)
    out.append(_write_q(m.commit_timestamp))


def _tags_of_offset_commit_value_v4(m: OffsetCommitValue) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if m.topic_id != ZERO_UUID:
        if len(m.topic_id) != 16:
            refuse_uuid("topic_id")
        tags.append((0, _write_16s(m.topic_id)))
    return tags


def _put_offset_commit_value_v4(out: Parts, m: OffsetCommitValue) -> None:
    metadata = m.metadata.encode()
    n = len(metadata) + 1
    out.append(_write_qiB(m.offset, m.leader_epoch, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(metadata)
    out.append(_write_qx(m.commit_timestamp))
    if m.unknown_tags or m.topic_id != ZERO_UUID:
        put_tags(out, _tags_of_offset_commit_value_v4(m), m.unknown_tags)


_GET = {
    0: _get_offset_commit_value_v0, 1: _get_offset_commit_value_v1, 2: _get_offset_commit_value_v0,
    3: _get_offset_commit_value_v3, 4: _get_offset_commit_value_v4,
}
_PUT = {
    0: _put_offset_commit_value_v0, 1: _put_offset_commit_value_v1, 2: _put_offset_commit_value_v0,
    3: _put_offset_commit_value_v3, 4: _put_offset_commit_value_v4,
}


def decode(buf: Buffer, version: int, at: int = 0) -> OffsetCommitValue:
    """The OffsetCommitValue that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[OffsetCommitValue, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: OffsetCommitValue, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: OffsetCommitValue, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_OFFSET_COMMIT_VALUE_SHAPE: Shape = (
    OffsetCommitValue,
    (
        ("offset", "offset", "int64", (0, 4), None, None, None, 0, False, (4, 4), None),
        ("leaderEpoch", "leader_epoch", "int32", (3, 4), None, None, None, -1, True, (4, 4), None),
        ("metadata", "metadata", "string", (0, 4), None, None, None, "", False, (4, 4), None),
        (
            "commitTimestamp", "commit_timestamp", "int64", (0, 4), None, None, None, 0, False,
            (4, 4), None,
        ),
        (
            "expireTimestamp", "expire_timestamp", "int64", (1, 1), None, None, None, -1, True,
            (4, 4), None,
        ),
        ("topicId", "topic_id", "uuid", (4, 4), None, 0, (4, 4), ZERO_UUID, True, (4, 4), None),
    ),
)
SHAPE: Shape = (_OFFSET_COMMIT_VALUE_SHAPE, (0, 4), (4, 4))
