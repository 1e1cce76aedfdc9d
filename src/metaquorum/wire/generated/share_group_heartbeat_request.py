# GENERATED from schemas/share_group_heartbeat_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 d2d8185a2cc9e5b8, generator 1.
"""Joins, keeps up or leaves a share group (KIP-932). Api key 76, versions 0-1, flexible from 0."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_compact_texts, get_tags, joined, lengthen_text, long_count, long_head, long_text,
    long_text_head, put_compact_texts, put_tags, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 76
NAME: Final = "ShareGroupHeartbeatRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 1
FLEXIBLE_FROM: Final[int | None] = 0


class ShareGroupHeartbeatRequest(Message):
    """Joins, keeps up or leaves a share group (KIP-932)."""

    __slots__ = (
        "group_id", "member_id", "member_epoch", "rack_id", "subscribed_topic_names",
        "unknown_tags",
    )

    def __init__(
        self,
        # Group.
        group_id: str = "",
        # Id of the member.
        member_id: str = "",
        # Epoch the member has reached; 0 joins, -1 leaves.
        member_epoch: int = 0,
        # Rack of the member; null when it has none or it is unchanged.
        rack_id: str | None = None,
        # Topics the member wants; null when unchanged.
        subscribed_topic_names: Sequence[str] | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.group_id = group_id
        self.member_id = member_id
        self.member_epoch = member_epoch
        self.rack_id = rack_id
        self.subscribed_topic_names = subscribed_topic_names
        self.unknown_tags = unknown_tags


_read_iB = Struct(">iB").unpack_from
_write_iB = Struct(">iB").pack


def _get_share_group_heartbeat_request_v0(
    buf: bytes, at: int,
) -> tuple[ShareGroupHeartbeatRequest, int]:
    m = new(ShareGroupHeartbeatRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.group_id = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.member_id = buf[at:end].decode()
    at = end
    (m.member_epoch, n) = _read_iB(buf, at)
    at += 5
    if n == 0:
        m.rack_id = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.rack_id = buf[at:end].decode()
        at = end
    n = buf[at]
    at += 1
    if n == 0:
        m.subscribed_topic_names = None
    else:
        if n > 127:
            n, at = long_count(buf, at, 1)
        m.subscribed_topic_names, at = get_compact_texts(buf, at, n - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_share_group_heartbeat_request_v0(out: Parts, m: ShareGroupHeartbeatRequest) -> None:
    group_id = m.group_id.encode()
    n = len(group_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(group_id)
    member_id = m.member_id.encode()
    n = len(member_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(member_id)
    rack_id = b"" if m.rack_id is None else m.rack_id.encode()
    n = 0 if m.rack_id is None else len(rack_id) + 1
    out.append(_write_iB(m.member_epoch, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(rack_id)
    subscribed_topic_names = m.subscribed_topic_names
    n = 0 if subscribed_topic_names is None else len(subscribed_topic_names) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    if subscribed_topic_names is not None:
        put_compact_texts(out, subscribed_topic_names)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_share_group_heartbeat_request_v0, 1: _get_share_group_heartbeat_request_v0}
_PUT = {0: _put_share_group_heartbeat_request_v0, 1: _put_share_group_heartbeat_request_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> ShareGroupHeartbeatRequest:
    """The ShareGroupHeartbeatRequest that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ShareGroupHeartbeatRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ShareGroupHeartbeatRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ShareGroupHeartbeatRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_SHARE_GROUP_HEARTBEAT_REQUEST_SHAPE: Shape = (
    ShareGroupHeartbeatRequest,
    (
        ("groupId", "group_id", "string", (0, 1), None, None, None, "", False, (0, 1), None),
        ("memberId", "member_id", "string", (0, 1), None, None, None, "", False, (0, 1), None),
        ("memberEpoch", "member_epoch", "int32", (0, 1), None, None, None, 0, False, (0, 1), None),
        ("rackId", "rack_id", "string", (0, 1), (0, 1), None, None, None, False, (0, 1), None),
        (
            "subscribedTopicNames", "subscribed_topic_names", "[]string", (0, 1), (0, 1), None,
            None, None, False, (0, 1), None,
        ),
    ),
)
SHAPE: Shape = (_SHARE_GROUP_HEARTBEAT_REQUEST_SHAPE, (0, 1), (0, 1))
