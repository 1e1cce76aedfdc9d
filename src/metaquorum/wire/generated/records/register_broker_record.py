# GENERATED from schemas/records/register_broker_record.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 4b1285141e69ad12, generator 1.
"""Registers a broker. Record type 0, versions 0-4, flexible from 0."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.arrays import ArrayReads
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tag_count, get_tag_head, get_tags, joined, lengthen, long_count, long_head, long_text,
    long_text_head, put_tags, put_uuids, refuse_field, refuse_size, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 0
NAME: Final = "RegisterBrokerRecord"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 4
FLEXIBLE_FROM: Final[int | None] = 0


class BrokerEndpoint(Message):
    """Where the broker listens."""

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


class BrokerFeature(Message):
    """Features with the range of levels the broker supports."""

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


class RegisterBrokerRecord(Message):
    """Registers a broker."""

    __slots__ = (
        "broker_id", "is_migrating_zk_broker", "incarnation_id", "broker_epoch", "end_points",
        "features", "rack", "fenced", "in_controlled_shutdown", "log_dirs", "cordoned_log_dirs",
        "unknown_tags",
    )

    def __init__(
        self,
        # Broker that registers.
        broker_id: int = 0,
        # True when the broker still runs on ZooKeeper. (v2+)
        is_migrating_zk_broker: bool = False,
        # Drawn anew at each start of the broker process.
        incarnation_id: bytes = ZERO_UUID,
        # Epoch of this registration: the log offset at which it was written.
        broker_epoch: int = 0,
        # Where the broker listens.
        end_points: Sequence[BrokerEndpoint] = (),
        # Features with the range of levels the broker supports.
        features: Sequence[BrokerFeature] = (),
        # Rack of the broker; null when it has none.
        rack: str | None = "",
        # True while the broker may not lead or serve.
        fenced: bool = True,
        # True while the broker is shutting down in an orderly way. (v1+)
        in_controlled_shutdown: bool = False,
        # Ids of the sound log directories. (v3+, tag 0)
        log_dirs: Sequence[bytes] = (),
        # Directories that take no new replicas; null when the broker does not say. (v4+, tag 1)
        cordoned_log_dirs: Sequence[bytes] | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.broker_id = broker_id
        self.is_migrating_zk_broker = is_migrating_zk_broker
        self.incarnation_id = incarnation_id
        self.broker_epoch = broker_epoch
        self.end_points: Sequence[BrokerEndpoint] = [] if end_points == () else end_points
        self.features: Sequence[BrokerFeature] = [] if features == () else features
        self.rack = rack
        self.fenced = fenced
        self.in_controlled_shutdown = in_controlled_shutdown
        self.log_dirs: Sequence[bytes] = [] if log_dirs == () else log_dirs
        self.cordoned_log_dirs = cordoned_log_dirs
        self.unknown_tags = unknown_tags


_read_array_c16s = ArrayReads("16s", "", 1)
_read_2tB = Struct(">2?B").unpack_from
_read_2hB = Struct(">2hB").unpack_from
_read_tB = Struct(">?B").unpack_from
_read_HhB = Struct(">HhB").unpack_from
_read_i16sqB = Struct(">i16sqB").unpack_from
_read_it16sqB = Struct(">i?16sqB").unpack_from
_write_2tx = Struct(">2?x").pack
_write_2hx = Struct(">2hx").pack
_write_tx = Struct(">?x").pack
_write_Hhx = Struct(">Hhx").pack
_write_i16sqB = Struct(">i16sqB").pack
_write_it16sqB = Struct(">i?16sqB").pack


def _get_register_broker_record_v0(buf: bytes, at: int) -> tuple[RegisterBrokerRecord, int]:
    m = new(RegisterBrokerRecord)
    (m.broker_id, m.incarnation_id, m.broker_epoch, n) = _read_i16sqB(buf, at)
    at += 29
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 7)
    end_points: list[BrokerEndpoint] = []
    m.end_points = end_points
    left_end_points = n - 1
    while left_end_points:
        left_end_points -= 1
        broker_endpoint = new(BrokerEndpoint)
        end_points.append(broker_endpoint)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        broker_endpoint.name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        broker_endpoint.host = buf[at:end].decode()
        at = end
        (broker_endpoint.port, broker_endpoint.security_protocol, tags) = _read_HhB(buf, at)
        at += 5
        broker_endpoint.unknown_tags = ()
        if tags:
            broker_endpoint.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 6)
    features: list[BrokerFeature] = []
    m.features = features
    left_features = n - 1
    while left_features:
        left_features -= 1
        broker_feature = new(BrokerFeature)
        features.append(broker_feature)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        broker_feature.name = buf[at:end].decode()
        at = end
        (
            broker_feature.min_supported_version, broker_feature.max_supported_version, tags,
        ) = _read_2hB(buf, at)
        at += 5
        broker_feature.unknown_tags = ()
        if tags:
            broker_feature.unknown_tags, at = get_tags(buf, at - 1)
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
    (m.fenced, tags) = _read_tB(buf, at)
    at += 2
    m.is_migrating_zk_broker = False
    m.in_controlled_shutdown = False
    m.log_dirs = []
    m.cordoned_log_dirs = None
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_register_broker_record_v1(buf: bytes, at: int) -> tuple[RegisterBrokerRecord, int]:
    m = new(RegisterBrokerRecord)
    (m.broker_id, m.incarnation_id, m.broker_epoch, n) = _read_i16sqB(buf, at)
    at += 29
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 7)
    end_points: list[BrokerEndpoint] = []
    m.end_points = end_points
    left_end_points = n - 1
    while left_end_points:
        left_end_points -= 1
        broker_endpoint = new(BrokerEndpoint)
        end_points.append(broker_endpoint)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        broker_endpoint.name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        broker_endpoint.host = buf[at:end].decode()
        at = end
        (broker_endpoint.port, broker_endpoint.security_protocol, tags) = _read_HhB(buf, at)
        at += 5
        broker_endpoint.unknown_tags = ()
        if tags:
            broker_endpoint.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 6)
    features: list[BrokerFeature] = []
    m.features = features
    left_features = n - 1
    while left_features:
        left_features -= 1
        broker_feature = new(BrokerFeature)
        features.append(broker_feature)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        broker_feature.name = buf[at:end].decode()
        at = end
        (
            broker_feature.min_supported_version, broker_feature.max_supported_version, tags,
        ) = _read_2hB(buf, at)
        at += 5
        broker_feature.unknown_tags = ()
        if tags:
            broker_feature.unknown_tags, at = get_tags(buf, at - 1)
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
    (m.fenced, m.in_controlled_shutdown, tags) = _read_2tB(buf, at)
    at += 3
    m.is_migrating_zk_broker = False
    m.log_dirs = []
    m.cordoned_log_dirs = None
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_register_broker_record_v2(buf: bytes, at: int) -> tuple[RegisterBrokerRecord, int]:
    m = new(RegisterBrokerRecord)
    (
        m.broker_id, m.is_migrating_zk_broker, m.incarnation_id, m.broker_epoch, n,
    ) = _read_it16sqB(buf, at)
    at += 30
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 7)
    end_points: list[BrokerEndpoint] = []
    m.end_points = end_points
    left_end_points = n - 1
    while left_end_points:
        left_end_points -= 1
        broker_endpoint = new(BrokerEndpoint)
        end_points.append(broker_endpoint)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        broker_endpoint.name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        broker_endpoint.host = buf[at:end].decode()
        at = end
        (broker_endpoint.port, broker_endpoint.security_protocol, tags) = _read_HhB(buf, at)
        at += 5
        broker_endpoint.unknown_tags = ()
        if tags:
            broker_endpoint.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 6)
    features: list[BrokerFeature] = []
    m.features = features
    left_features = n - 1
    while left_features:
        left_features -= 1
        broker_feature = new(BrokerFeature)
        features.append(broker_feature)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        broker_feature.name = buf[at:end].decode()
        at = end
        (
            broker_feature.min_supported_version, broker_feature.max_supported_version, tags,
        ) = _read_2hB(buf, at)
        at += 5
        broker_feature.unknown_tags = ()
        if tags:
            broker_feature.unknown_tags, at = get_tags(buf, at - 1)
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
    (m.fenced, m.in_controlled_shutdown, tags) = _read_2tB(buf, at)
    at += 3
    m.log_dirs = []
    m.cordoned_log_dirs = None
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_tags_register_broker_record_v3(m: RegisterBrokerRecord, buf: bytes, at: int) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            n_log_dirs = buf[at]
            at += 1
            if n_log_dirs > 127:
                n_log_dirs, at = long_count(buf, at, 16)
            m.log_dirs = [*_read_array_c16s[n_log_dirs](buf, at)]
            at += 16 * n_log_dirs - 16
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_register_broker_record_v3(buf: bytes, at: int) -> tuple[RegisterBrokerRecord, int]:
    m = new(RegisterBrokerRecord)
    (
        m.broker_id, m.is_migrating_zk_broker, m.incarnation_id, m.broker_epoch, n,
    ) = _read_it16sqB(buf, at)
    at += 30
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 7)
    end_points: list[BrokerEndpoint] = []
    m.end_points = end_points
    left_end_points = n - 1
    while left_end_points:
        left_end_points -= 1
        broker_endpoint = new(BrokerEndpoint)
        end_points.append(broker_endpoint)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        broker_endpoint.name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        broker_endpoint.host = buf[at:end].decode()
        at = end
        (broker_endpoint.port, broker_endpoint.security_protocol, tags) = _read_HhB(buf, at)
        at += 5
        broker_endpoint.unknown_tags = ()
        if tags:
            broker_endpoint.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 6)
    features: list[BrokerFeature] = []
    m.features = features
    left_features = n - 1
    while left_features:
        left_features -= 1
        broker_feature = new(BrokerFeature)
        features.append(broker_feature)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        broker_feature.name = buf[at:end].decode()
        at = end
        (
            broker_feature.min_supported_version, broker_feature.max_supported_version, tags,
        ) = _read_2hB(buf, at)
        at += 5
        broker_feature.unknown_tags = ()
        if tags:
            broker_feature.unknown_tags, at = get_tags(buf, at - 1)
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
    (m.fenced, m.in_controlled_shutdown, tags) = _read_2tB(buf, at)
    at += 3
    m.log_dirs = []
    m.cordoned_log_dirs = None
    m.unknown_tags = ()
    if tags:
        at = _get_tags_register_broker_record_v3(m, buf, at - 1)
    return m, at


def _get_tags_register_broker_record_v4(m: RegisterBrokerRecord, buf: bytes, at: int) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            n_log_dirs = buf[at]
            at += 1
            if n_log_dirs > 127:
                n_log_dirs, at = long_count(buf, at, 16)
            m.log_dirs = [*_read_array_c16s[n_log_dirs](buf, at)]
            at += 16 * n_log_dirs - 16
        elif tag == 1:
            n_cordoned_log_dirs = buf[at]
            at += 1
            if n_cordoned_log_dirs == 0:
                m.cordoned_log_dirs = None
            else:
                if n_cordoned_log_dirs > 127:
                    n_cordoned_log_dirs, at = long_count(buf, at, 16)
                m.cordoned_log_dirs = [*_read_array_c16s[n_cordoned_log_dirs](buf, at)]
                at += 16 * n_cordoned_log_dirs - 16
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_register_broker_record_v4(buf: bytes, at: int) -> tuple[RegisterBrokerRecord, int]:
    m = new(RegisterBrokerRecord)
    (
        m.broker_id, m.is_migrating_zk_broker, m.incarnation_id, m.broker_epoch, n,
    ) = _read_it16sqB(buf, at)
    at += 30
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 7)
    end_points: list[BrokerEndpoint] = []
    m.end_points = end_points
    left_end_points = n - 1
    while left_end_points:
        left_end_points -= 1
        broker_endpoint = new(BrokerEndpoint)
        end_points.append(broker_endpoint)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        broker_endpoint.name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        broker_endpoint.host = buf[at:end].decode()
        at = end
        (broker_endpoint.port, broker_endpoint.security_protocol, tags) = _read_HhB(buf, at)
        at += 5
        broker_endpoint.unknown_tags = ()
        if tags:
            broker_endpoint.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 6)
    features: list[BrokerFeature] = []
    m.features = features
    left_features = n - 1
    while left_features:
        left_features -= 1
        broker_feature = new(BrokerFeature)
        features.append(broker_feature)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        broker_feature.name = buf[at:end].decode()
        at = end
        (
            broker_feature.min_supported_version, broker_feature.max_supported_version, tags,
        ) = _read_2hB(buf, at)
        at += 5
        broker_feature.unknown_tags = ()
        if tags:
            broker_feature.unknown_tags, at = get_tags(buf, at - 1)
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
    (m.fenced, m.in_controlled_shutdown, tags) = _read_2tB(buf, at)
    at += 3
    m.log_dirs = []
    m.cordoned_log_dirs = None
    m.unknown_tags = ()
    if tags:
        at = _get_tags_register_broker_record_v4(m, buf, at - 1)
    return m, at


def _put_register_broker_record_v0(out: Parts, m: RegisterBrokerRecord) -> None:
    if m.is_migrating_zk_broker:
        refuse_field("is_migrating_zk_broker")
    if m.in_controlled_shutdown:
        refuse_field("in_controlled_shutdown")
    if m.log_dirs:
        refuse_field("log_dirs")
    if m.cordoned_log_dirs is not None:
        refuse_field("cordoned_log_dirs")
    if len(m.incarnation_id) != 16:
        refuse_uuid("incarnation_id")
    end_points = m.end_points
    n = len(end_points) + 1
    out.append(_write_i16sqB(m.broker_id, m.incarnation_id, m.broker_epoch, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for broker_endpoint in end_points:
        name = broker_endpoint.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        host = broker_endpoint.host.encode()
        n = len(host) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(host)
        out.append(_write_Hhx(broker_endpoint.port, broker_endpoint.security_protocol))
        if broker_endpoint.unknown_tags:
            put_tags(out, [], broker_endpoint.unknown_tags)
    features = m.features
    n = len(features) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for broker_feature in features:
        name_ = broker_feature.name.encode()
        n = len(name_) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name_)
        out.append(_write_2hx(
            broker_feature.min_supported_version, broker_feature.max_supported_version,
        ))
        if broker_feature.unknown_tags:
            put_tags(out, [], broker_feature.unknown_tags)
    rack = b"" if m.rack is None else m.rack.encode()
    n = 0 if m.rack is None else len(rack) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(rack)
    out.append(_write_tx(m.fenced))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_register_broker_record_v1(out: Parts, m: RegisterBrokerRecord) -> None:
    if m.is_migrating_zk_broker:
        refuse_field("is_migrating_zk_broker")
    if m.log_dirs:
        refuse_field("log_dirs")
    if m.cordoned_log_dirs is not None:
        refuse_field("cordoned_log_dirs")
    if len(m.incarnation_id) != 16:
        refuse_uuid("incarnation_id")
    end_points = m.end_points
    n = len(end_points) + 1
    out.append(_write_i16sqB(m.broker_id, m.incarnation_id, m.broker_epoch, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for broker_endpoint in end_points:
        name = broker_endpoint.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        host = broker_endpoint.host.encode()
        n = len(host) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(host)
        out.append(_write_Hhx(broker_endpoint.port, broker_endpoint.security_protocol))
        if broker_endpoint.unknown_tags:
            put_tags(out, [], broker_endpoint.unknown_tags)
    features = m.features
    n = len(features) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for broker_feature in features:
        name_ = broker_feature.name.encode()
        n = len(name_) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name_)
        out.append(_write_2hx(
            broker_feature.min_supported_version, broker_feature.max_supported_version,
        ))
        if broker_feature.unknown_tags:
            put_tags(out, [], broker_feature.unknown_tags)
    rack = b"" if m.rack is None else m.rack.encode()
    n = 0 if m.rack is None else len(rack) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(rack)
    out.append(_write_2tx(m.fenced, m.in_controlled_shutdown))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_register_broker_record_v2(out: Parts, m: RegisterBrokerRecord) -> None:
    if m.log_dirs:
        refuse_field("log_dirs")
    if m.cordoned_log_dirs is not None:
        refuse_field("cordoned_log_dirs")
    if len(m.incarnation_id) != 16:
        refuse_uuid("incarnation_id")
    end_points = m.end_points
    n = len(end_points) + 1
    out.append(_write_it16sqB(
        m.broker_id, m.is_migrating_zk_broker, m.incarnation_id, m.broker_epoch,
        n if n < 128 else 0,
    ))
    if n > 127:
        lengthen(out, n)
    for broker_endpoint in end_points:
        name = broker_endpoint.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        host = broker_endpoint.host.encode()
        n = len(host) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(host)
        out.append(_write_Hhx(broker_endpoint.port, broker_endpoint.security_protocol))
        if broker_endpoint.unknown_tags:
            put_tags(out, [], broker_endpoint.unknown_tags)
    features = m.features
    n = len(features) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for broker_feature in features:
        name_ = broker_feature.name.encode()
        n = len(name_) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name_)
        out.append(_write_2hx(
            broker_feature.min_supported_version, broker_feature.max_supported_version,
        ))
        if broker_feature.unknown_tags:
            put_tags(out, [], broker_feature.unknown_tags)
    rack = b"" if m.rack is None else m.rack.encode()
    n = 0 if m.rack is None else len(rack) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(rack)
    out.append(_write_2tx(m.fenced, m.in_controlled_shutdown))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _tags_of_register_broker_record_v3(m: RegisterBrokerRecord) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if m.log_dirs:
        part: Parts = []
        log_dirs = m.log_dirs
        n = len(log_dirs) + 1
        part.append(ONE_BYTE[n] if n < 128 else long_head(n))
        put_uuids(part, log_dirs)
        tags.append((0, joined(part)))
    return tags


def _put_register_broker_record_v3(out: Parts, m: RegisterBrokerRecord) -> None:
    if m.cordoned_log_dirs is not None:
        refuse_field("cordoned_log_dirs")
    if len(m.incarnation_id) != 16:
        refuse_uuid("incarnation_id")
    end_points = m.end_points
    n = len(end_points) + 1
    out.append(_write_it16sqB(
        m.broker_id, m.is_migrating_zk_broker, m.incarnation_id, m.broker_epoch,
        n if n < 128 else 0,
    ))
    if n > 127:
        lengthen(out, n)
    for broker_endpoint in end_points:
        name = broker_endpoint.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        host = broker_endpoint.host.encode()
        n = len(host) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(host)
        out.append(_write_Hhx(broker_endpoint.port, broker_endpoint.security_protocol))
        if broker_endpoint.unknown_tags:
            put_tags(out, [], broker_endpoint.unknown_tags)
    features = m.features
    n = len(features) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for broker_feature in features:
        name_ = broker_feature.name.encode()
        n = len(name_) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name_)
        out.append(_write_2hx(
            broker_feature.min_supported_version, broker_feature.max_supported_version,
        ))
        if broker_feature.unknown_tags:
            put_tags(out, [], broker_feature.unknown_tags)
    rack = b"" if m.rack is None else m.rack.encode()
    n = 0 if m.rack is None else len(rack) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(rack)
    out.append(_write_2tx(m.fenced, m.in_controlled_shutdown))
    if m.unknown_tags or m.log_dirs:
        put_tags(out, _tags_of_register_broker_record_v3(m), m.unknown_tags)


def _tags_of_register_broker_record_v4(m: RegisterBrokerRecord) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if m.log_dirs:
        part: Parts = []
        log_dirs = m.log_dirs
        n = len(log_dirs) + 1
        part.append(ONE_BYTE[n] if n < 128 else long_head(n))
        put_uuids(part, log_dirs)
        tags.append((0, joined(part)))
    if m.cordoned_log_dirs is not None:
        part = []
        cordoned_log_dirs = m.cordoned_log_dirs
        n = len(cordoned_log_dirs) + 1
        part.append(ONE_BYTE[n] if n < 128 else long_head(n))
        put_uuids(part, cordoned_log_dirs)
        tags.append((1, joined(part)))
    return tags


def _put_register_broker_record_v4(out: Parts, m: RegisterBrokerRecord) -> None:
    if len(m.incarnation_id) != 16:
        refuse_uuid("incarnation_id")
    end_points = m.end_points
    n = len(end_points) + 1
    out.append(_write_it16sqB(
        m.broker_id, m.is_migrating_zk_broker, m.incarnation_id, m.broker_epoch,
        n if n < 128 else 0,
    ))
    if n > 127:
        lengthen(out, n)
    for broker_endpoint in end_points:
        name = broker_endpoint.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        host = broker_endpoint.host.encode()
        n = len(host) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(host)
        out.append(_write_Hhx(broker_endpoint.port, broker_endpoint.security_protocol))
        if broker_endpoint.unknown_tags:
            put_tags(out, [], broker_endpoint.unknown_tags)
    features = m.features
    n = len(features) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for broker_feature in features:
        name_ = broker_feature.name.encode()
        n = len(name_) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name_)
        out.append(_write_2hx(
            broker_feature.min_supported_version, broker_feature.max_supported_version,
        ))
        if broker_feature.unknown_tags:
            put_tags(out, [], broker_feature.unknown_tags)
    rack = b"" if m.rack is None else m.rack.encode()
    n = 0 if m.rack is None else len(rack) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(rack)
    out.append(_write_2tx(m.fenced, m.in_controlled_shutdown))
    if m.unknown_tags or m.log_dirs or m.cordoned_log_dirs is not None:
        put_tags(out, _tags_of_register_broker_record_v4(m), m.unknown_tags)


_GET = {
    0: _get_register_broker_record_v0, 1: _get_register_broker_record_v1,
    2: _get_register_broker_record_v2, 3: _get_register_broker_record_v3,
    4: _get_register_broker_record_v4,
}
_PUT = {
    0: _put_register_broker_record_v0, 1: _put_register_broker_record_v1,
    2: _put_register_broker_record_v2, 3: _put_register_broker_record_v3,
    4: _put_register_broker_record_v4,
}


def decode(buf: Buffer, version: int, at: int = 0) -> RegisterBrokerRecord:
    """The RegisterBrokerRecord that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[RegisterBrokerRecord, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: RegisterBrokerRecord, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: RegisterBrokerRecord, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_BROKER_ENDPOINT_SHAPE: Shape = (
    BrokerEndpoint,
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
_BROKER_FEATURE_SHAPE: Shape = (
    BrokerFeature,
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
_REGISTER_BROKER_RECORD_SHAPE: Shape = (
    RegisterBrokerRecord,
    (
        ("brokerId", "broker_id", "int32", (0, 4), None, None, None, 0, False, (0, 4), None),
        (
            "isMigratingZkBroker", "is_migrating_zk_broker", "bool", (2, 4), None, None, None,
            False, False, (0, 4), None,
        ),
        (
            "incarnationId", "incarnation_id", "uuid", (0, 4), None, None, None, ZERO_UUID, False,
            (0, 4), None,
        ),
        ("brokerEpoch", "broker_epoch", "int64", (0, 4), None, None, None, 0, False, (0, 4), None),
        (
            "endPoints", "end_points", "[]BrokerEndpoint", (0, 4), None, None, None, (), False,
            (0, 4), _BROKER_ENDPOINT_SHAPE,
        ),
        (
            "features", "features", "[]BrokerFeature", (0, 4), None, None, None, (), False, (0, 4),
            _BROKER_FEATURE_SHAPE,
        ),
        ("rack", "rack", "string", (0, 4), (0, 4), None, None, "", False, (0, 4), None),
        ("fenced", "fenced", "bool", (0, 4), None, None, None, True, False, (0, 4), None),
        (
            "inControlledShutdown", "in_controlled_shutdown", "bool", (1, 4), None, None, None,
            False, False, (0, 4), None,
        ),
        ("logDirs", "log_dirs", "[]uuid", (3, 4), None, 0, (3, 4), (), False, (0, 4), None),
        (
            "cordonedLogDirs", "cordoned_log_dirs", "[]uuid", (4, 4), (4, 4), 1, (4, 4), None,
            False, (0, 4), None,
        ),
    ),
)
SHAPE: Shape = (_REGISTER_BROKER_RECORD_SHAPE, (0, 4), (0, 4))
