# GENERATED from schemas/join_group_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 e0888dfc1e293617, generator 1.
"""Joins a group of the classic protocol. Api key 11, versions 0-9, flexible from 6."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tags, joined, lengthen_text, long_count, long_head, long_size, long_text,
    long_text_head, put_tags, refuse_field, refuse_null, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 11
NAME: Final = "JoinGroupRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 9
FLEXIBLE_FROM: Final[int | None] = 6


class JoinGroupRequestProtocol(Message):
    """Assignment protocols the member supports, best first."""

    __slots__ = ("name", "metadata", "unknown_tags")

    def __init__(
        self,
        # Name of the assignment protocol.
        name: str = "",
        # Bytes of the member for this protocol; opaque to the coordinator.
        metadata: Buffer = b"",
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.metadata = metadata
        self.unknown_tags = unknown_tags


class JoinGroupRequest(Message):
    """Joins a group of the classic protocol."""

    __slots__ = (
        "group_id", "session_timeout_ms", "rebalance_timeout_ms", "member_id", "group_instance_id",
        "protocol_type", "protocols", "reason", "unknown_tags",
    )

    def __init__(
        self,
        # Group to join.
        group_id: str = "",
        # Milliseconds without a heartbeat after which the member is removed.
        session_timeout_ms: int = 0,
        # Milliseconds a rebalance waits for this member; -1 means the session timeout. (v1+)
        rebalance_timeout_ms: int = -1,
        # Member id; empty on the first join.
        member_id: str = "",
        # Static name of the member; null when it is dynamic. (v5+)
        group_instance_id: str | None = None,
        # Kind of the group, such as consumer.
        protocol_type: str = "",
        # Assignment protocols the member supports, best first.
        protocols: Sequence[JoinGroupRequestProtocol] = (),
        # Why the member joins, for logs; null when not given. (v8+)
        reason: str | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.group_id = group_id
        self.session_timeout_ms = session_timeout_ms
        self.rebalance_timeout_ms = rebalance_timeout_ms
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.protocol_type = protocol_type
        self.protocols: Sequence[JoinGroupRequestProtocol] = [] if protocols == () else protocols
        self.reason = reason
        self.unknown_tags = unknown_tags


_read_2iB = Struct(">2iB").unpack_from
_read_2ih = Struct(">2ih").unpack_from
_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_read_ih = Struct(">ih").unpack_from
_write_2iB = Struct(">2iB").pack
_write_2ih = Struct(">2ih").pack
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack
_write_ih = Struct(">ih").pack


def _get_join_group_request_v0(
    buf: bytes, view: memoryview, at: int,
) -> tuple[JoinGroupRequest, int]:
    m = new(JoinGroupRequest)
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        refuse_null()
    end = at + n
    m.group_id = buf[at:end].decode()
    at = end
    (m.session_timeout_ms, n) = _read_ih(buf, at)
    at += 6
    if n < 0:
        refuse_null()
    end = at + n
    m.member_id = buf[at:end].decode()
    at = end
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        refuse_null()
    end = at + n
    m.protocol_type = buf[at:end].decode()
    at = end
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    protocols: list[JoinGroupRequestProtocol] = []
    m.protocols = protocols
    left_protocols = n
    while left_protocols:
        left_protocols -= 1
        group_request_protocol = new(JoinGroupRequestProtocol)
        protocols.append(group_request_protocol)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        group_request_protocol.name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if n < 0:
            refuse_null()
        end = at + n
        group_request_protocol.metadata = view[at:end]
        at = end
        group_request_protocol.unknown_tags = ()
    m.rebalance_timeout_ms = -1
    m.group_instance_id = None
    m.reason = None
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_join_group_request_v1(
    buf: bytes, view: memoryview, at: int,
) -> tuple[JoinGroupRequest, int]:
    m = new(JoinGroupRequest)
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        refuse_null()
    end = at + n
    m.group_id = buf[at:end].decode()
    at = end
    (m.session_timeout_ms, m.rebalance_timeout_ms, n) = _read_2ih(buf, at)
    at += 10
    if n < 0:
        refuse_null()
    end = at + n
    m.member_id = buf[at:end].decode()
    at = end
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        refuse_null()
    end = at + n
    m.protocol_type = buf[at:end].decode()
    at = end
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    protocols: list[JoinGroupRequestProtocol] = []
    m.protocols = protocols
    left_protocols = n
    while left_protocols:
        left_protocols -= 1
        group_request_protocol = new(JoinGroupRequestProtocol)
        protocols.append(group_request_protocol)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        group_request_protocol.name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if n < 0:
            refuse_null()
        end = at + n
        group_request_protocol.metadata = view[at:end]
        at = end
        group_request_protocol.unknown_tags = ()
    m.group_instance_id = None
    m.reason = None
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_join_group_request_v5(
    buf: bytes, view: memoryview, at: int,
) -> tuple[JoinGroupRequest, int]:
    m = new(JoinGroupRequest)
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        refuse_null()
    end = at + n
    m.group_id = buf[at:end].decode()
    at = end
    (m.session_timeout_ms, m.rebalance_timeout_ms, n) = _read_2ih(buf, at)
    at += 10
    if n < 0:
        refuse_null()
    end = at + n
    m.member_id = buf[at:end].decode()
    at = end
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        m.group_instance_id = None
    else:
        end = at + n
        m.group_instance_id = buf[at:end].decode()
        at = end
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        refuse_null()
    end = at + n
    m.protocol_type = buf[at:end].decode()
    at = end
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    protocols: list[JoinGroupRequestProtocol] = []
    m.protocols = protocols
    left_protocols = n
    while left_protocols:
        left_protocols -= 1
        group_request_protocol = new(JoinGroupRequestProtocol)
        protocols.append(group_request_protocol)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        group_request_protocol.name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if n < 0:
            refuse_null()
        end = at + n
        group_request_protocol.metadata = view[at:end]
        at = end
        group_request_protocol.unknown_tags = ()
    m.reason = None
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_join_group_request_v6(
    buf: bytes, view: memoryview, at: int,
) -> tuple[JoinGroupRequest, int]:
    m = new(JoinGroupRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.group_id = buf[at:end].decode()
    at = end
    (m.session_timeout_ms, m.rebalance_timeout_ms, n) = _read_2iB(buf, at)
    at += 9
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.member_id = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0:
        m.group_instance_id = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.group_instance_id = buf[at:end].decode()
        at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.protocol_type = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    protocols: list[JoinGroupRequestProtocol] = []
    m.protocols = protocols
    left_protocols = n - 1
    while left_protocols:
        left_protocols -= 1
        group_request_protocol = new(JoinGroupRequestProtocol)
        protocols.append(group_request_protocol)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        group_request_protocol.name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            if n and 0 < buf[at] < 128:
                n += (buf[at] << 7) - 128
                at += 1
            else:
                n, at = long_size(buf, at)
        end = at + n - 1
        group_request_protocol.metadata = view[at:end]
        at = end
        tags = buf[at]
        at += 1
        group_request_protocol.unknown_tags = ()
        if tags:
            group_request_protocol.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.reason = None
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_join_group_request_v8(
    buf: bytes, view: memoryview, at: int,
) -> tuple[JoinGroupRequest, int]:
    m = new(JoinGroupRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.group_id = buf[at:end].decode()
    at = end
    (m.session_timeout_ms, m.rebalance_timeout_ms, n) = _read_2iB(buf, at)
    at += 9
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.member_id = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0:
        m.group_instance_id = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.group_instance_id = buf[at:end].decode()
        at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.protocol_type = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    protocols: list[JoinGroupRequestProtocol] = []
    m.protocols = protocols
    left_protocols = n - 1
    while left_protocols:
        left_protocols -= 1
        group_request_protocol = new(JoinGroupRequestProtocol)
        protocols.append(group_request_protocol)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        group_request_protocol.name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            if n and 0 < buf[at] < 128:
                n += (buf[at] << 7) - 128
                at += 1
            else:
                n, at = long_size(buf, at)
        end = at + n - 1
        group_request_protocol.metadata = view[at:end]
        at = end
        tags = buf[at]
        at += 1
        group_request_protocol.unknown_tags = ()
        if tags:
            group_request_protocol.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0:
        m.reason = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.reason = buf[at:end].decode()
        at = end
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_join_group_request_v0(out: Parts, m: JoinGroupRequest) -> None:
    if m.group_instance_id is not None:
        refuse_field("group_instance_id")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    group_id = m.group_id.encode()
    n = len(group_id)
    out.append(_write_h(n))
    out.append(group_id)
    member_id = m.member_id.encode()
    n = len(member_id)
    out.append(_write_ih(m.session_timeout_ms, n))
    out.append(member_id)
    protocol_type = m.protocol_type.encode()
    n = len(protocol_type)
    out.append(_write_h(n))
    out.append(protocol_type)
    protocols = m.protocols
    n = len(protocols)
    out.append(_write_i(n))
    for group_request_protocol in protocols:
        if group_request_protocol.unknown_tags:
            refuse_field("unknown_tags")
        name = group_request_protocol.name.encode()
        n = len(name)
        out.append(_write_h(n))
        out.append(name)
        metadata = group_request_protocol.metadata
        n = len(metadata)
        out.append(_write_i(n))
        out.append(metadata)


def _put_join_group_request_v1(out: Parts, m: JoinGroupRequest) -> None:
    if m.group_instance_id is not None:
        refuse_field("group_instance_id")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    group_id = m.group_id.encode()
    n = len(group_id)
    out.append(_write_h(n))
    out.append(group_id)
    member_id = m.member_id.encode()
    n = len(member_id)
    out.append(_write_2ih(m.session_timeout_ms, m.rebalance_timeout_ms, n))
    out.append(member_id)
    protocol_type = m.protocol_type.encode()
    n = len(protocol_type)
    out.append(_write_h(n))
    out.append(protocol_type)
    protocols = m.protocols
    n = len(protocols)
    out.append(_write_i(n))
    for group_request_protocol in protocols:
        if group_request_protocol.unknown_tags:
            refuse_field("unknown_tags")
        name = group_request_protocol.name.encode()
        n = len(name)
        out.append(_write_h(n))
        out.append(name)
        metadata = group_request_protocol.metadata
        n = len(metadata)
        out.append(_write_i(n))
        out.append(metadata)


def _put_join_group_request_v5(out: Parts, m: JoinGroupRequest) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    group_id = m.group_id.encode()
    n = len(group_id)
    out.append(_write_h(n))
    out.append(group_id)
    member_id = m.member_id.encode()
    n = len(member_id)
    out.append(_write_2ih(m.session_timeout_ms, m.rebalance_timeout_ms, n))
    out.append(member_id)
    group_instance_id = b"" if m.group_instance_id is None else m.group_instance_id.encode()
    n = -1 if m.group_instance_id is None else len(group_instance_id)
    out.append(_write_h(n))
    out.append(group_instance_id)
    protocol_type = m.protocol_type.encode()
    n = len(protocol_type)
    out.append(_write_h(n))
    out.append(protocol_type)
    protocols = m.protocols
    n = len(protocols)
    out.append(_write_i(n))
    for group_request_protocol in protocols:
        if group_request_protocol.unknown_tags:
            refuse_field("unknown_tags")
        name = group_request_protocol.name.encode()
        n = len(name)
        out.append(_write_h(n))
        out.append(name)
        metadata = group_request_protocol.metadata
        n = len(metadata)
        out.append(_write_i(n))
        out.append(metadata)


def _put_join_group_request_v6(out: Parts, m: JoinGroupRequest) -> None:
    group_id = m.group_id.encode()
    n = len(group_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(group_id)
    member_id = m.member_id.encode()
    n = len(member_id) + 1
    out.append(_write_2iB(m.session_timeout_ms, m.rebalance_timeout_ms, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(member_id)
    group_instance_id = b"" if m.group_instance_id is None else m.group_instance_id.encode()
    n = 0 if m.group_instance_id is None else len(group_instance_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(group_instance_id)
    protocol_type = m.protocol_type.encode()
    n = len(protocol_type) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(protocol_type)
    protocols = m.protocols
    n = len(protocols) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for group_request_protocol in protocols:
        name = group_request_protocol.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        metadata = group_request_protocol.metadata
        n = len(metadata) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        out.append(metadata)
        out.append(b"\0")
        if group_request_protocol.unknown_tags:
            put_tags(out, [], group_request_protocol.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_join_group_request_v8(out: Parts, m: JoinGroupRequest) -> None:
    group_id = m.group_id.encode()
    n = len(group_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(group_id)
    member_id = m.member_id.encode()
    n = len(member_id) + 1
    out.append(_write_2iB(m.session_timeout_ms, m.rebalance_timeout_ms, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(member_id)
    group_instance_id = b"" if m.group_instance_id is None else m.group_instance_id.encode()
    n = 0 if m.group_instance_id is None else len(group_instance_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(group_instance_id)
    protocol_type = m.protocol_type.encode()
    n = len(protocol_type) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(protocol_type)
    protocols = m.protocols
    n = len(protocols) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for group_request_protocol in protocols:
        name = group_request_protocol.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        metadata = group_request_protocol.metadata
        n = len(metadata) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        out.append(metadata)
        out.append(b"\0")
        if group_request_protocol.unknown_tags:
            put_tags(out, [], group_request_protocol.unknown_tags)
    reason = b"" if m.reason is None else m.reason.encode()
    n = 0 if m.reason is None else len(reason) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(reason)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_join_group_request_v0, 1: _get_join_group_request_v1, 2: _get_join_group_request_v1,
    3: _get_join_group_request_v1, 4: _get_join_group_request_v1, 5: _get_join_group_request_v5,
    6: _get_join_group_request_v6, 7: _get_join_group_request_v6, 8: _get_join_group_request_v8,
    9: _get_join_group_request_v8,
}
_PUT = {
    0: _put_join_group_request_v0, 1: _put_join_group_request_v1, 2: _put_join_group_request_v1,
    3: _put_join_group_request_v1, 4: _put_join_group_request_v1, 5: _put_join_group_request_v5,
    6: _put_join_group_request_v6, 7: _put_join_group_request_v6, 8: _put_join_group_request_v8,
    9: _put_join_group_request_v8,
}


def decode(buf: Buffer, version: int, at: int = 0) -> JoinGroupRequest:
    """The JoinGroupRequest that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[JoinGroupRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: JoinGroupRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: JoinGroupRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_JOIN_GROUP_REQUEST_PROTOCOL_SHAPE: Shape = (
    JoinGroupRequestProtocol,
    (
        ("name", "name", "string", (0, 9), None, None, None, "", False, (6, 9), None),
        ("metadata", "metadata", "bytes", (0, 9), None, None, None, b"", False, (6, 9), None),
    ),
)
_JOIN_GROUP_REQUEST_SHAPE: Shape = (
    JoinGroupRequest,
    (
        ("groupId", "group_id", "string", (0, 9), None, None, None, "", False, (6, 9), None),
        (
            "sessionTimeoutMs", "session_timeout_ms", "int32", (0, 9), None, None, None, 0, False,
            (6, 9), None,
        ),
        (
            "rebalanceTimeoutMs", "rebalance_timeout_ms", "int32", (1, 9), None, None, None, -1,
            True, (6, 9), None,
        ),
        ("memberId", "member_id", "string", (0, 9), None, None, None, "", False, (6, 9), None),
        (
            "groupInstanceId", "group_instance_id", "string", (5, 9), (5, 9), None, None, None,
            False, (6, 9), None,
        ),
        (
            "protocolType", "protocol_type", "string", (0, 9), None, None, None, "", False, (6, 9),
            None,
        ),
        (
            "protocols", "protocols", "[]JoinGroupRequestProtocol", (0, 9), None, None, None, (),
            False, (6, 9), _JOIN_GROUP_REQUEST_PROTOCOL_SHAPE,
        ),
        ("reason", "reason", "string", (8, 9), (8, 9), None, None, None, True, (6, 9), None),
    ),
)
SHAPE: Shape = (_JOIN_GROUP_REQUEST_SHAPE, (0, 9), (6, 9))
