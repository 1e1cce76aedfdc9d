# GENERATED from schemas/describe_cluster_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 c515a6be0fe5484b, generator 1.
"""Names the cluster, its controller and its nodes. Api key 60, versions 0-2, flexible from 0."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, lengthen, lengthen_text, long_count, long_text, long_text_head, put_tags,
    refuse_field, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 60
NAME: Final = "DescribeClusterResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 2
FLEXIBLE_FROM: Final[int | None] = 0


class DescribeClusterBroker(Message):
    """Nodes that can be reached at the asked kind of endpoint."""

    __slots__ = ("broker_id", "host", "port", "rack", "is_fenced", "unknown_tags")

    def __init__(
        self,
        # Node id of the broker or controller.
        broker_id: int = 0,
        # Host to connect to.
        host: str = "",
        # Port to connect to.
        port: int = 0,
        # Rack of the node; null when it has none.
        rack: str | None = None,
        # True when the broker is fenced. (v2+)
        is_fenced: bool = False,
        unknown_tags: Tags = (),
    ) -> None:
        self.broker_id = broker_id
        self.host = host
        self.port = port
        self.rack = rack
        self.is_fenced = is_fenced
        self.unknown_tags = unknown_tags


class DescribeClusterResponse(Message):
    """Names the cluster, its controller and its nodes."""

    __slots__ = (
        "throttle_time_ms", "error_code", "error_message", "endpoint_type", "cluster_id",
        "controller_id", "brokers", "cluster_authorized_operations", "unknown_tags",
    )

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # Error of the whole request; 0 for none.
        error_code: int = 0,
        # Words for a human; null when there is nothing to say.
        error_message: str | None = None,
        # Kind of endpoint that is listed: 1 brokers, 2 controllers. (v1+)
        endpoint_type: int = 1,
        # Id of this cluster.
        cluster_id: str = "",
        # Active controller, or a broker standing in for it; -1 when unknown.
        controller_id: int = -1,
        # Nodes that can be reached at the asked kind of endpoint.
        brokers: Sequence[DescribeClusterBroker] = (),
        # Bit set of what the caller may do with the cluster; the lowest int32 when not asked for.
        cluster_authorized_operations: int = -2147483648,
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.endpoint_type = endpoint_type
        self.cluster_id = cluster_id
        self.controller_id = controller_id
        self.brokers: Sequence[DescribeClusterBroker] = [] if brokers == () else brokers
        self.cluster_authorized_operations = cluster_authorized_operations
        self.unknown_tags = unknown_tags


_read_tB = Struct(">?B").unpack_from
_read_bB = Struct(">bB").unpack_from
_read_iB = Struct(">iB").unpack_from
_read_ihB = Struct(">ihB").unpack_from
_write_tx = Struct(">?x").pack
_write_bB = Struct(">bB").pack
_write_iB = Struct(">iB").pack
_write_ihB = Struct(">ihB").pack
_write_ix = Struct(">ix").pack


def _get_describe_cluster_response_v0(buf: bytes, at: int) -> tuple[DescribeClusterResponse, int]:
    m = new(DescribeClusterResponse)
    (m.throttle_time_ms, m.error_code, n) = _read_ihB(buf, at)
    at += 7
    if n == 0:
        m.error_message = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.error_message = buf[at:end].decode()
        at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.cluster_id = buf[at:end].decode()
    at = end
    (m.controller_id, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 11)
    brokers: list[DescribeClusterBroker] = []
    m.brokers = brokers
    left_brokers = n - 1
    while left_brokers:
        left_brokers -= 1
        cluster_broker = new(DescribeClusterBroker)
        brokers.append(cluster_broker)
        (cluster_broker.broker_id, n) = _read_iB(buf, at)
        at += 5
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        cluster_broker.host = buf[at:end].decode()
        at = end
        (cluster_broker.port, n) = _read_iB(buf, at)
        at += 5
        if n == 0:
            cluster_broker.rack = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            cluster_broker.rack = buf[at:end].decode()
            at = end
        tags = buf[at]
        at += 1
        cluster_broker.is_fenced = False
        cluster_broker.unknown_tags = ()
        if tags:
            cluster_broker.unknown_tags, at = get_tags(buf, at - 1)
    (m.cluster_authorized_operations, tags) = _read_iB(buf, at)
    at += 5
    m.endpoint_type = 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_describe_cluster_response_v1(buf: bytes, at: int) -> tuple[DescribeClusterResponse, int]:
    m = new(DescribeClusterResponse)
    (m.throttle_time_ms, m.error_code, n) = _read_ihB(buf, at)
    at += 7
    if n == 0:
        m.error_message = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.error_message = buf[at:end].decode()
        at = end
    (m.endpoint_type, n) = _read_bB(buf, at)
    at += 2
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.cluster_id = buf[at:end].decode()
    at = end
    (m.controller_id, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 11)
    brokers: list[DescribeClusterBroker] = []
    m.brokers = brokers
    left_brokers = n - 1
    while left_brokers:
        left_brokers -= 1
        cluster_broker = new(DescribeClusterBroker)
        brokers.append(cluster_broker)
        (cluster_broker.broker_id, n) = _read_iB(buf, at)
        at += 5
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        cluster_broker.host = buf[at:end].decode()
        at = end
        (cluster_broker.port, n) = _read_iB(buf, at)
        at += 5
        if n == 0:
            cluster_broker.rack = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            cluster_broker.rack = buf[at:end].decode()
            at = end
        tags = buf[at]
        at += 1
        cluster_broker.is_fenced = False
        cluster_broker.unknown_tags = ()
        if tags:
            cluster_broker.unknown_tags, at = get_tags(buf, at - 1)
    (m.cluster_authorized_operations, tags) = _read_iB(buf, at)
    at += 5
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_describe_cluster_response_v2(buf: bytes, at: int) -> tuple[DescribeClusterResponse, int]:
    m = new(DescribeClusterResponse)
    (m.throttle_time_ms, m.error_code, n) = _read_ihB(buf, at)
    at += 7
    if n == 0:
        m.error_message = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.error_message = buf[at:end].decode()
        at = end
    (m.endpoint_type, n) = _read_bB(buf, at)
    at += 2
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.cluster_id = buf[at:end].decode()
    at = end
    (m.controller_id, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 12)
    brokers: list[DescribeClusterBroker] = []
    m.brokers = brokers
    left_brokers = n - 1
    while left_brokers:
        left_brokers -= 1
        cluster_broker = new(DescribeClusterBroker)
        brokers.append(cluster_broker)
        (cluster_broker.broker_id, n) = _read_iB(buf, at)
        at += 5
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        cluster_broker.host = buf[at:end].decode()
        at = end
        (cluster_broker.port, n) = _read_iB(buf, at)
        at += 5
        if n == 0:
            cluster_broker.rack = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            cluster_broker.rack = buf[at:end].decode()
            at = end
        (cluster_broker.is_fenced, tags) = _read_tB(buf, at)
        at += 2
        cluster_broker.unknown_tags = ()
        if tags:
            cluster_broker.unknown_tags, at = get_tags(buf, at - 1)
    (m.cluster_authorized_operations, tags) = _read_iB(buf, at)
    at += 5
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_describe_cluster_response_v0(out: Parts, m: DescribeClusterResponse) -> None:
    if m.endpoint_type != 1:
        refuse_field("endpoint_type")
    error_message = b"" if m.error_message is None else m.error_message.encode()
    n = 0 if m.error_message is None else len(error_message) + 1
    out.append(_write_ihB(m.throttle_time_ms, m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(error_message)
    cluster_id = m.cluster_id.encode()
    n = len(cluster_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(cluster_id)
    brokers = m.brokers
    n = len(brokers) + 1
    out.append(_write_iB(m.controller_id, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for cluster_broker in brokers:
        if cluster_broker.is_fenced:
            refuse_field("is_fenced")
        host = cluster_broker.host.encode()
        n = len(host) + 1
        out.append(_write_iB(cluster_broker.broker_id, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(host)
        rack = b"" if cluster_broker.rack is None else cluster_broker.rack.encode()
        n = 0 if cluster_broker.rack is None else len(rack) + 1
        out.append(_write_iB(cluster_broker.port, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(rack)
        out.append(b"\0")
        if cluster_broker.unknown_tags:
            put_tags(out, [], cluster_broker.unknown_tags)
    out.append(_write_ix(m.cluster_authorized_operations))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_describe_cluster_response_v1(out: Parts, m: DescribeClusterResponse) -> None:
    error_message = b"" if m.error_message is None else m.error_message.encode()
    n = 0 if m.error_message is None else len(error_message) + 1
    out.append(_write_ihB(m.throttle_time_ms, m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(error_message)
    cluster_id = m.cluster_id.encode()
    n = len(cluster_id) + 1
    out.append(_write_bB(m.endpoint_type, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(cluster_id)
    brokers = m.brokers
    n = len(brokers) + 1
    out.append(_write_iB(m.controller_id, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for cluster_broker in brokers:
        if cluster_broker.is_fenced:
            refuse_field("is_fenced")
        host = cluster_broker.host.encode()
        n = len(host) + 1
        out.append(_write_iB(cluster_broker.broker_id, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(host)
        rack = b"" if cluster_broker.rack is None else cluster_broker.rack.encode()
        n = 0 if cluster_broker.rack is None else len(rack) + 1
        out.append(_write_iB(cluster_broker.port, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(rack)
        out.append(b"\0")
        if cluster_broker.unknown_tags:
            put_tags(out, [], cluster_broker.unknown_tags)
    out.append(_write_ix(m.cluster_authorized_operations))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_describe_cluster_response_v2(out: Parts, m: DescribeClusterResponse) -> None:
    error_message = b"" if m.error_message is None else m.error_message.encode()
    n = 0 if m.error_message is None else len(error_message) + 1
    out.append(_write_ihB(m.throttle_time_ms, m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(error_message)
    cluster_id = m.cluster_id.encode()
    n = len(cluster_id) + 1
    out.append(_write_bB(m.endpoint_type, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(cluster_id)
    brokers = m.brokers
    n = len(brokers) + 1
    out.append(_write_iB(m.controller_id, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for cluster_broker in brokers:
        host = cluster_broker.host.encode()
        n = len(host) + 1
        out.append(_write_iB(cluster_broker.broker_id, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(host)
        rack = b"" if cluster_broker.rack is None else cluster_broker.rack.encode()
        n = 0 if cluster_broker.rack is None else len(rack) + 1
        out.append(_write_iB(cluster_broker.port, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(rack)
        out.append(_write_tx(cluster_broker.is_fenced))
        if cluster_broker.unknown_tags:
            put_tags(out, [], cluster_broker.unknown_tags)
    out.append(_write_ix(m.cluster_authorized_operations))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_describe_cluster_response_v0, 1: _get_describe_cluster_response_v1,
    2: _get_describe_cluster_response_v2,
}
_PUT = {
    0: _put_describe_cluster_response_v0, 1: _put_describe_cluster_response_v1,
    2: _put_describe_cluster_response_v2,
}


def decode(buf: Buffer, version: int, at: int = 0) -> DescribeClusterResponse:
    """The DescribeClusterResponse that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[DescribeClusterResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: DescribeClusterResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: DescribeClusterResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_DESCRIBE_CLUSTER_BROKER_SHAPE: Shape = (
    DescribeClusterBroker,
    (
        ("brokerId", "broker_id", "int32", (0, 2), None, None, None, 0, False, (0, 2), None),
        ("host", "host", "string", (0, 2), None, None, None, "", False, (0, 2), None),
        ("port", "port", "int32", (0, 2), None, None, None, 0, False, (0, 2), None),
        ("rack", "rack", "string", (0, 2), (0, 2), None, None, None, False, (0, 2), None),
        ("isFenced", "is_fenced", "bool", (2, 2), None, None, None, False, False, (0, 2), None),
    ),
)
_DESCRIBE_CLUSTER_RESPONSE_SHAPE: Shape = (
    DescribeClusterResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 2), None, None, None, 0, False,
            (0, 2), None,
        ),
        ("errorCode", "error_code", "int16", (0, 2), None, None, None, 0, False, (0, 2), None),
        (
            "errorMessage", "error_message", "string", (0, 2), (0, 2), None, None, None, False,
            (0, 2), None,
        ),
        ("endpointType", "endpoint_type", "int8", (1, 2), None, None, None, 1, False, (0, 2), None),
        ("clusterId", "cluster_id", "string", (0, 2), None, None, None, "", False, (0, 2), None),
        (
            "controllerId", "controller_id", "int32", (0, 2), None, None, None, -1, False, (0, 2),
            None,
        ),
        (
            "brokers", "brokers", "[]DescribeClusterBroker", (0, 2), None, None, None, (), False,
            (0, 2), _DESCRIBE_CLUSTER_BROKER_SHAPE,
        ),
        (
            "clusterAuthorizedOperations", "cluster_authorized_operations", "int32", (0, 2), None,
            None, None, -2147483648, False, (0, 2), None,
        ),
    ),
)
SHAPE: Shape = (_DESCRIBE_CLUSTER_RESPONSE_SHAPE, (0, 2), (0, 2))
