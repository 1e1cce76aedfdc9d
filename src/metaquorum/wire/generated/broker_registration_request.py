# GENERATED from schemas/broker_registration_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 f9e1ffe20681099b, generator 1.
"""A broker that starts makes itself known to the controller (KIP-631). Api key 62, versions 0-4,
flexible from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.arrays import ArrayReads
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, lengthen, lengthen_text, long_count, long_head, long_text, long_text_head,
    put_tags, put_uuids, refuse_field, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 62
NAME: Final = "BrokerRegistrationRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 4
FLEXIBLE_FROM: Final[int | None] = 0


class Listener(Message):
    """Where the node can be reached."""

    __slots__ = ("name", "host", "port", "security_protocol", "unknown_tags")

    def __init__(
        self,
        # Name of the listener.
        name: str = "",
        # Host to connect to.
        host: str = "",
        # Port to connect to.
        port: int = 0,
        # Security protocol: 0 PLAINTEXT, 1 SSL, 2 SASL_PLAINTEXT, 3 SASL_SSL.
        security_protocol: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.host = host
        self.port = port
        self.security_protocol = security_protocol
        self.unknown_tags = unknown_tags


class Feature(Message):
    """Features with the range of levels that the node supports."""

    __slots__ = ("name", "min_supported_version", "max_supported_version", "unknown_tags")

    def __init__(
        self,
        # Name of the feature.
        name: str = "",
        # Lowest level that is supported.
        min_supported_version: int = 0,
        # Highest level that is supported.
        max_supported_version: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.min_supported_version = min_supported_version
        self.max_supported_version = max_supported_version
        self.unknown_tags = unknown_tags


class BrokerRegistrationRequest(Message):
    """A broker that starts makes itself known to the controller (KIP-631)."""

    __slots__ = (
        "broker_id", "cluster_id", "incarnation_id", "listeners", "features", "rack",
        "is_migrating_zk_broker", "log_dirs", "previous_broker_epoch", "unknown_tags",
    )

    def __init__(
        self,
        # Broker that registers.
        broker_id: int = 0,
        # Cluster the broker belongs to.
        cluster_id: str = "",
        # Drawn anew at each start of the broker process.
        incarnation_id: bytes = ZERO_UUID,
        # Where the node can be reached.
        listeners: Sequence[Listener] = (),
        # Features with the range of levels that the node supports.
        features: Sequence[Feature] = (),
        # Rack of the node; null when it has none.
        rack: str | None = "",
        # True when the broker still runs on ZooKeeper. (v1+)
        is_migrating_zk_broker: bool = False,
        # Ids of the sound log directories. (v2+)
        log_dirs: Sequence[bytes] = (),
        # Epoch of the broker's registration before an orderly stop; -1 when unknown. (v3+)
        previous_broker_epoch: int = -1,
        unknown_tags: Tags = (),
    ) -> None:
        self.broker_id = broker_id
        self.cluster_id = cluster_id
        self.incarnation_id = incarnation_id
        self.listeners: Sequence[Listener] = [] if listeners == () else listeners
        self.features: Sequence[Feature] = [] if features == () else features
        self.rack = rack
        self.is_migrating_zk_broker = is_migrating_zk_broker
        self.log_dirs: Sequence[bytes] = [] if log_dirs == () else log_dirs
        self.previous_broker_epoch = previous_broker_epoch
        self.unknown_tags = unknown_tags


_read_array_c16s_B = ArrayReads("16s", "B", 1)
_read_array_c16s_qB = ArrayReads("16s", "qB", 1)
_read_16sB = Struct(">16sB").unpack_from
_read_2hB = Struct(">2hB").unpack_from
_read_tB = Struct(">?B").unpack_from
_read_HhB = Struct(">HhB").unpack_from
_read_iB = Struct(">iB").unpack_from
_write_16sB = Struct(">16sB").pack
_write_2hx = Struct(">2hx").pack
_write_tB = Struct(">?B").pack
_write_tx = Struct(">?x").pack
_write_Hhx = Struct(">Hhx").pack
_write_iB = Struct(">iB").pack
_write_qx = Struct(">qx").pack


def _get_broker_registration_request_v0(
    buf: bytes, at: int,
) -> tuple[BrokerRegistrationRequest, int]:
    m = new(BrokerRegistrationRequest)
    (m.broker_id, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.cluster_id = buf[at:end].decode()
    at = end
    (m.incarnation_id, n) = _read_16sB(buf, at)
    at += 17
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 7)
    listeners: list[Listener] = []
    m.listeners = listeners
    left_listeners = n - 1
    while left_listeners:
        left_listeners -= 1
        listener = new(Listener)
        listeners.append(listener)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        listener.name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        listener.host = buf[at:end].decode()
        at = end
        (listener.port, listener.security_protocol, tags) = _read_HhB(buf, at)
        at += 5
        listener.unknown_tags = ()
        if tags:
            listener.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 6)
    features: list[Feature] = []
    m.features = features
    left_features = n - 1
    while left_features:
        left_features -= 1
        feature = new(Feature)
        features.append(feature)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        feature.name = buf[at:end].decode()
        at = end
        (feature.min_supported_version, feature.max_supported_version, tags) = _read_2hB(buf, at)
        at += 5
        feature.unknown_tags = ()
        if tags:
            feature.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0:
        m.rack = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.rack = buf[at:end].decode()
        at = end
    tags = buf[at]
    at += 1
    m.is_migrating_zk_broker = False
    m.log_dirs = []
    m.previous_broker_epoch = -1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_broker_registration_request_v1(
    buf: bytes, at: int,
) -> tuple[BrokerRegistrationRequest, int]:
    m = new(BrokerRegistrationRequest)
    (m.broker_id, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.cluster_id = buf[at:end].decode()
    at = end
    (m.incarnation_id, n) = _read_16sB(buf, at)
    at += 17
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 7)
    listeners: list[Listener] = []
    m.listeners = listeners
    left_listeners = n - 1
    while left_listeners:
        left_listeners -= 1
        listener = new(Listener)
        listeners.append(listener)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        listener.name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        listener.host = buf[at:end].decode()
        at = end
        (listener.port, listener.security_protocol, tags) = _read_HhB(buf, at)
        at += 5
        listener.unknown_tags = ()
        if tags:
            listener.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 6)
    features: list[Feature] = []
    m.features = features
    left_features = n - 1
    while left_features:
        left_features -= 1
        feature = new(Feature)
        features.append(feature)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        feature.name = buf[at:end].decode()
        at = end
        (feature.min_supported_version, feature.max_supported_version, tags) = _read_2hB(buf, at)
        at += 5
        feature.unknown_tags = ()
        if tags:
            feature.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0:
        m.rack = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.rack = buf[at:end].decode()
        at = end
    (m.is_migrating_zk_broker, tags) = _read_tB(buf, at)
    at += 2
    m.log_dirs = []
    m.previous_broker_epoch = -1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_broker_registration_request_v2(
    buf: bytes, at: int,
) -> tuple[BrokerRegistrationRequest, int]:
    m = new(BrokerRegistrationRequest)
    (m.broker_id, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.cluster_id = buf[at:end].decode()
    at = end
    (m.incarnation_id, n) = _read_16sB(buf, at)
    at += 17
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 7)
    listeners: list[Listener] = []
    m.listeners = listeners
    left_listeners = n - 1
    while left_listeners:
        left_listeners -= 1
        listener = new(Listener)
        listeners.append(listener)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        listener.name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        listener.host = buf[at:end].decode()
        at = end
        (listener.port, listener.security_protocol, tags) = _read_HhB(buf, at)
        at += 5
        listener.unknown_tags = ()
        if tags:
            listener.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 6)
    features: list[Feature] = []
    m.features = features
    left_features = n - 1
    while left_features:
        left_features -= 1
        feature = new(Feature)
        features.append(feature)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        feature.name = buf[at:end].decode()
        at = end
        (feature.min_supported_version, feature.max_supported_version, tags) = _read_2hB(buf, at)
        at += 5
        feature.unknown_tags = ()
        if tags:
            feature.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0:
        m.rack = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.rack = buf[at:end].decode()
        at = end
    (m.is_migrating_zk_broker, n_log_dirs) = _read_tB(buf, at)
    at += 2
    if n_log_dirs > 127:
        n_log_dirs, at = long_count(buf, at, 16)
    (*m.log_dirs, tags) = _read_array_c16s_B[n_log_dirs](buf, at)
    at += 16 * n_log_dirs - 15
    m.previous_broker_epoch = -1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_broker_registration_request_v3(
    buf: bytes, at: int,
) -> tuple[BrokerRegistrationRequest, int]:
    m = new(BrokerRegistrationRequest)
    (m.broker_id, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.cluster_id = buf[at:end].decode()
    at = end
    (m.incarnation_id, n) = _read_16sB(buf, at)
    at += 17
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 7)
    listeners: list[Listener] = []
    m.listeners = listeners
    left_listeners = n - 1
    while left_listeners:
        left_listeners -= 1
        listener = new(Listener)
        listeners.append(listener)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        listener.name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        listener.host = buf[at:end].decode()
        at = end
        (listener.port, listener.security_protocol, tags) = _read_HhB(buf, at)
        at += 5
        listener.unknown_tags = ()
        if tags:
            listener.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 6)
    features: list[Feature] = []
    m.features = features
    left_features = n - 1
    while left_features:
        left_features -= 1
        feature = new(Feature)
        features.append(feature)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        feature.name = buf[at:end].decode()
        at = end
        (feature.min_supported_version, feature.max_supported_version, tags) = _read_2hB(buf, at)
        at += 5
        feature.unknown_tags = ()
        if tags:
            feature.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0:
        m.rack = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.rack = buf[at:end].decode()
        at = end
    (m.is_migrating_zk_broker, n_log_dirs) = _read_tB(buf, at)
    at += 2
    if n_log_dirs > 127:
        n_log_dirs, at = long_count(buf, at, 16)
    (*m.log_dirs, m.previous_broker_epoch, tags) = _read_array_c16s_qB[n_log_dirs](buf, at)
    at += 16 * n_log_dirs - 7
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_broker_registration_request_v0(out: Parts, m: BrokerRegistrationRequest) -> None:
    if m.is_migrating_zk_broker:
        refuse_field("is_migrating_zk_broker")
    cluster_id = m.cluster_id.encode()
    n = len(cluster_id) + 1
    out.append(_write_iB(m.broker_id, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(cluster_id)
    if len(m.incarnation_id) != 16:
        refuse_uuid("incarnation_id")
    listeners = m.listeners
    n = len(listeners) + 1
    out.append(_write_16sB(m.incarnation_id, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for listener in listeners:
        name = listener.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        host = listener.host.encode()
        n = len(host) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(host)
        out.append(_write_Hhx(listener.port, listener.security_protocol))
        if listener.unknown_tags:
            put_tags(out, [], listener.unknown_tags)
    features = m.features
    n = len(features) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for feature in features:
        name_ = feature.name.encode()
        n = len(name_) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name_)
        out.append(_write_2hx(feature.min_supported_version, feature.max_supported_version))
        if feature.unknown_tags:
            put_tags(out, [], feature.unknown_tags)
    rack = b"" if m.rack is None else m.rack.encode()
    n = 0 if m.rack is None else len(rack) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(rack)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_broker_registration_request_v1(out: Parts, m: BrokerRegistrationRequest) -> None:
    cluster_id = m.cluster_id.encode()
    n = len(cluster_id) + 1
    out.append(_write_iB(m.broker_id, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(cluster_id)
    if len(m.incarnation_id) != 16:
        refuse_uuid("incarnation_id")
    listeners = m.listeners
    n = len(listeners) + 1
    out.append(_write_16sB(m.incarnation_id, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for listener in listeners:
        name = listener.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        host = listener.host.encode()
        n = len(host) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(host)
        out.append(_write_Hhx(listener.port, listener.security_protocol))
        if listener.unknown_tags:
            put_tags(out, [], listener.unknown_tags)
    features = m.features
    n = len(features) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for feature in features:
        name_ = feature.name.encode()
        n = len(name_) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name_)
        out.append(_write_2hx(feature.min_supported_version, feature.max_supported_version))
        if feature.unknown_tags:
            put_tags(out, [], feature.unknown_tags)
    rack = b"" if m.rack is None else m.rack.encode()
    n = 0 if m.rack is None else len(rack) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(rack)
    out.append(_write_tx(m.is_migrating_zk_broker))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_broker_registration_request_v2(out: Parts, m: BrokerRegistrationRequest) -> None:
    cluster_id = m.cluster_id.encode()
    n = len(cluster_id) + 1
    out.append(_write_iB(m.broker_id, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(cluster_id)
    if len(m.incarnation_id) != 16:
        refuse_uuid("incarnation_id")
    listeners = m.listeners
    n = len(listeners) + 1
    out.append(_write_16sB(m.incarnation_id, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for listener in listeners:
        name = listener.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        host = listener.host.encode()
        n = len(host) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(host)
        out.append(_write_Hhx(listener.port, listener.security_protocol))
        if listener.unknown_tags:
            put_tags(out, [], listener.unknown_tags)
    features = m.features
    n = len(features) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for feature in features:
        name_ = feature.name.encode()
        n = len(name_) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name_)
        out.append(_write_2hx(feature.min_supported_version, feature.max_supported_version))
        if feature.unknown_tags:
            put_tags(out, [], feature.unknown_tags)
    rack = b"" if m.rack is None else m.rack.encode()
    n = 0 if m.rack is None else len(rack) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(rack)
    log_dirs = m.log_dirs
    n = len(log_dirs) + 1
    out.append(_write_tB(m.is_migrating_zk_broker, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    put_uuids(out, log_dirs)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_broker_registration_request_v3(out: Parts, m: BrokerRegistrationRequest) -> None:
    cluster_id = m.cluster_id.encode()
    n = len(cluster_id) + 1
    out.append(_write_iB(m.broker_id, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(cluster_id)
    if len(m.incarnation_id) != 16:
        refuse_uuid("incarnation_id")
    listeners = m.listeners
    n = len(listeners) + 1
    out.append(_write_16sB(m.incarnation_id, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for listener in listeners:
        name = listener.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        host = listener.host.encode()
        n = len(host) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(host)
        out.append(_write_Hhx(listener.port, listener.security_protocol))
        if listener.unknown_tags:
            put_tags(out, [], listener.unknown_tags)
    features = m.features
    n = len(features) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for feature in features:
        name_ = feature.name.encode()
        n = len(name_) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name_)
        out.append(_write_2hx(feature.min_supported_version, feature.max_supported_version))
        if feature.unknown_tags:
            put_tags(out, [], feature.unknown_tags)
    rack = b"" if m.rack is None else m.rack.encode()
    n = 0 if m.rack is None else len(rack) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(rack)
    log_dirs = m.log_dirs
    n = len(log_dirs) + 1
    out.append(_write_tB(m.is_migrating_zk_broker, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    put_uuids(out, log_dirs)
    out.append(_write_qx(m.previous_broker_epoch))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_broker_registration_request_v0, 1: _get_broker_registration_request_v1,
    2: _get_broker_registration_request_v2, 3: _get_broker_registration_request_v3,
    4: _get_broker_registration_request_v3,
}
_PUT = {
    0: _put_broker_registration_request_v0, 1: _put_broker_registration_request_v1,
    2: _put_broker_registration_request_v2, 3: _put_broker_registration_request_v3,
    4: _put_broker_registration_request_v3,
}


def decode(buf: Buffer, version: int, at: int = 0) -> BrokerRegistrationRequest:
    """The BrokerRegistrationRequest that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[BrokerRegistrationRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: BrokerRegistrationRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: BrokerRegistrationRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_LISTENER_SHAPE: Shape = (
    Listener,
    (
        ("name", "name", "string", (0, 4), None, None, None, "", False, (0, 4), None),
        ("host", "host", "string", (0, 4), None, None, None, "", False, (0, 4), None),
        ("port", "port", "uint16", (0, 4), None, None, None, 0, False, (0, 4), None),
        (
            "securityProtocol", "security_protocol", "int16", (0, 4), None, None, None, 0, False,
            (0, 4), None,
        ),
    ),
)
_FEATURE_SHAPE: Shape = (
    Feature,
    (
        ("name", "name", "string", (0, 4), None, None, None, "", False, (0, 4), None),
        (
            "minSupportedVersion", "min_supported_version", "int16", (0, 4), None, None, None, 0,
            False, (0, 4), None,
        ),
        (
            "maxSupportedVersion", "max_supported_version", "int16", (0, 4), None, None, None, 0,
            False, (0, 4), None,
        ),
    ),
)
_BROKER_REGISTRATION_REQUEST_SHAPE: Shape = (
    BrokerRegistrationRequest,
    (
        ("brokerId", "broker_id", "int32", (0, 4), None, None, None, 0, False, (0, 4), None),
        ("clusterId", "cluster_id", "string", (0, 4), None, None, None, "", False, (0, 4), None),
        (
            "incarnationId", "incarnation_id", "uuid", (0, 4), None, None, None, ZERO_UUID, False,
            (0, 4), None,
        ),
        (
            "listeners", "listeners", "[]Listener", (0, 4), None, None, None, (), False, (0, 4),
            _LISTENER_SHAPE,
        ),
        (
            "features", "features", "[]Feature", (0, 4), None, None, None, (), False, (0, 4),
            _FEATURE_SHAPE,
        ),
        ("rack", "rack", "string", (0, 4), (0, 4), None, None, "", False, (0, 4), None),
        (
            "isMigratingZkBroker", "is_migrating_zk_broker", "bool", (1, 4), None, None, None,
            False, False, (0, 4), None,
        ),
        ("logDirs", "log_dirs", "[]uuid", (2, 4), None, None, None, (), True, (0, 4), None),
        (
            "previousBrokerEpoch", "previous_broker_epoch", "int64", (3, 4), None, None, None, -1,
            True, (0, 4), None,
        ),
    ),
)
SHAPE: Shape = (_BROKER_REGISTRATION_REQUEST_SHAPE, (0, 4), (0, 4))
