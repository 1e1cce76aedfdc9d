# GENERATED from schemas/group/streams_group_member_metadata_value.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 bcd5152ffe34f3fa, generator 1.
"""What a member of a streams group said of itself. Record type 19, versions 0, flexible from 0."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, lengthen_text, long_count, long_head, long_text, long_text_head, put_tags,
    whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 19
NAME: Final = "StreamsGroupMemberMetadataValue"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class Endpoint(Message):
    """Where an application can be reached."""

    __slots__ = ("host", "port", "unknown_tags")

    def __init__(
        self,
        # Host to connect to.
        host: str = "",
        # Port to connect to.
        port: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.host = host
        self.port = port
        self.unknown_tags = unknown_tags


class KeyValue(Message):
    """A key with its value."""

    __slots__ = ("key", "value", "unknown_tags")

    def __init__(
        self,
        # The key.
        key: str = "",
        # The value.
        value: str = "",
        unknown_tags: Tags = (),
    ) -> None:
        self.key = key
        self.value = value
        self.unknown_tags = unknown_tags


class StreamsGroupMemberMetadataValue(Message):
    """What a member of a streams group said of itself."""

    __slots__ = (
        "instance_id", "rack_id", "client_id", "client_host", "rebalance_timeout_ms",
        "topology_epoch", "process_id", "user_endpoint", "client_tags", "unknown_tags",
    )

    def __init__(
        self,
        # Static name of the member; null when it is dynamic.
        instance_id: str | None = "",
        # Rack of the member; null when it has none.
        rack_id: str | None = "",
        # Client id that the member sent in its request headers.
        client_id: str = "",
        # Address from which the member connected.
        client_host: str = "",
        # Milliseconds the member may take to give tasks back; -1 when it does not say.
        rebalance_timeout_ms: int = -1,
        # Epoch of the topology that the member has.
        topology_epoch: int = 0,
        # Id of the process that the member runs in.
        process_id: str = "",
        # Where the application can be reached; null when nowhere.
        user_endpoint: Endpoint | None = None,
        # Tags of the member, for spreading tasks.
        client_tags: Sequence[KeyValue] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.instance_id = instance_id
        self.rack_id = rack_id
        self.client_id = client_id
        self.client_host = client_host
        self.rebalance_timeout_ms = rebalance_timeout_ms
        self.topology_epoch = topology_epoch
        self.process_id = process_id
        self.user_endpoint = user_endpoint
        self.client_tags: Sequence[KeyValue] = [] if client_tags == () else client_tags
        self.unknown_tags = unknown_tags


_read_2iB = Struct(">2iB").unpack_from
_read_HB = Struct(">HB").unpack_from
_read_b = Struct(">b").unpack_from
_write_2iB = Struct(">2iB").pack
_write_Hx = Struct(">Hx").pack
_write_b = Struct(">b").pack


def _get_endpoint_v0(buf: bytes, at: int) -> tuple[Endpoint, int]:
    m = new(Endpoint)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.host = buf[at:end].decode()
    at = end
    (m.port, tags) = _read_HB(buf, at)
    at += 3
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_streams_group_member_metadata_value_v0(
    buf: bytes, at: int,
) -> tuple[StreamsGroupMemberMetadataValue, int]:
    m = new(StreamsGroupMemberMetadataValue)
    n = buf[at]
    at += 1
    if n == 0:
        m.instance_id = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.instance_id = buf[at:end].decode()
        at = end
    n = buf[at]
    at += 1
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
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.client_id = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.client_host = buf[at:end].decode()
    at = end
    (m.rebalance_timeout_ms, m.topology_epoch, n) = _read_2iB(buf, at)
    at += 9
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.process_id = buf[at:end].decode()
    at = end
    (n,) = _read_b(buf, at)
    at += 1
    if n < 0:
        m.user_endpoint = None
    else:
        m.user_endpoint, at = _get_endpoint_v0(buf, at)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    client_tags: list[KeyValue] = []
    m.client_tags = client_tags
    left_client_tags = n - 1
    while left_client_tags:
        left_client_tags -= 1
        key_value = new(KeyValue)
        client_tags.append(key_value)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        key_value.key = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        key_value.value = buf[at:end].decode()
        at = end
        tags = buf[at]
        at += 1
        key_value.unknown_tags = ()
        if tags:
            key_value.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_endpoint_v0(out: Parts, m: Endpoint) -> None:
    host = m.host.encode()
    n = len(host) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(host)
    out.append(_write_Hx(m.port))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_streams_group_member_metadata_value_v0(
    out: Parts, m: StreamsGroupMemberMetadataValue,
) -> None:
    instance_id = b"" if m.instance_id is None else m.instance_id.encode()
    n = 0 if m.instance_id is None else len(instance_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(instance_id)
    rack_id = b"" if m.rack_id is None else m.rack_id.encode()
    n = 0 if m.rack_id is None else len(rack_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(rack_id)
    client_id = m.client_id.encode()
    n = len(client_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(client_id)
    client_host = m.client_host.encode()
    n = len(client_host) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(client_host)
    process_id = m.process_id.encode()
    n = len(process_id) + 1
    out.append(_write_2iB(m.rebalance_timeout_ms, m.topology_epoch, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(process_id)
    out.append(_write_b(-1 if m.user_endpoint is None else 1))
    if m.user_endpoint is not None:
        _put_endpoint_v0(out, m.user_endpoint)
    client_tags = m.client_tags
    n = len(client_tags) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for key_value in client_tags:
        key = key_value.key.encode()
        n = len(key) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(key)
        value = key_value.value.encode()
        n = len(value) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(value)
        out.append(b"\0")
        if key_value.unknown_tags:
            put_tags(out, [], key_value.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_streams_group_member_metadata_value_v0}
_PUT = {0: _put_streams_group_member_metadata_value_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> StreamsGroupMemberMetadataValue:
    """The StreamsGroupMemberMetadataValue that begins at ``at``, in this version; what follows it
    is ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[StreamsGroupMemberMetadataValue, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: StreamsGroupMemberMetadataValue, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: StreamsGroupMemberMetadataValue, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_ENDPOINT_SHAPE: Shape = (
    Endpoint,
    (
        ("host", "host", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        ("port", "port", "uint16", (0, 0), None, None, None, 0, False, (0, 0), None),
    ),
)
_KEY_VALUE_SHAPE: Shape = (
    KeyValue,
    (
        ("key", "key", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        ("value", "value", "string", (0, 0), None, None, None, "", False, (0, 0), None),
    ),
)
_STREAMS_GROUP_MEMBER_METADATA_VALUE_SHAPE: Shape = (
    StreamsGroupMemberMetadataValue,
    (
        (
            "instanceId", "instance_id", "string", (0, 0), (0, 0), None, None, "", False, (0, 0),
            None,
        ),
        ("rackId", "rack_id", "string", (0, 0), (0, 0), None, None, "", False, (0, 0), None),
        ("clientId", "client_id", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        ("clientHost", "client_host", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        (
            "rebalanceTimeoutMs", "rebalance_timeout_ms", "int32", (0, 0), None, None, None, -1,
            False, (0, 0), None,
        ),
        (
            "topologyEpoch", "topology_epoch", "int32", (0, 0), None, None, None, 0, False, (0, 0),
            None,
        ),
        ("processId", "process_id", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        (
            "userEndpoint", "user_endpoint", "Endpoint", (0, 0), (0, 0), None, None, None, False,
            (0, 0), _ENDPOINT_SHAPE,
        ),
        (
            "clientTags", "client_tags", "[]KeyValue", (0, 0), None, None, None, (), False, (0, 0),
            _KEY_VALUE_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_STREAMS_GROUP_MEMBER_METADATA_VALUE_SHAPE, (0, 0), (0, 0))
