# GENERATED from schemas/broker_heartbeat_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 2eebc15271eca5b9, generator 1.
"""A broker tells the controller that it lives, and what it wants. Api key 63, versions 0-2,
flexible from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.arrays import ArrayReads
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tag_count, get_tag_head, get_tags, joined, long_count, long_head, put_tags, put_uuids,
    refuse_field, refuse_size, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 63
NAME: Final = "BrokerHeartbeatRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 2
FLEXIBLE_FROM: Final[int | None] = 0


class BrokerHeartbeatRequest(Message):
    """A broker tells the controller that it lives, and what it wants."""

    __slots__ = (
        "broker_id", "broker_epoch", "current_metadata_offset", "want_fence", "want_shut_down",
        "offline_log_dirs", "cordoned_log_dirs", "unknown_tags",
    )

    def __init__(
        self,
        # Broker that asks.
        broker_id: int = 0,
        # Epoch of that broker's registration; -1 when unknown.
        broker_epoch: int = -1,
        # Highest metadata offset that the broker has reached.
        current_metadata_offset: int = 0,
        # True when the broker wants to be fenced.
        want_fence: bool = False,
        # True when the broker wants to stop.
        want_shut_down: bool = False,
        # Ids of log directories that failed. (v1+, tag 0)
        offline_log_dirs: Sequence[bytes] = (),
        # Directories that take no new replicas; null when the broker does not say. (v2+, tag 1)
        cordoned_log_dirs: Sequence[bytes] | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.broker_id = broker_id
        self.broker_epoch = broker_epoch
        self.current_metadata_offset = current_metadata_offset
        self.want_fence = want_fence
        self.want_shut_down = want_shut_down
        self.offline_log_dirs: Sequence[bytes] = [] if offline_log_dirs == () else offline_log_dirs
        self.cordoned_log_dirs = cordoned_log_dirs
        self.unknown_tags = unknown_tags


_read_array_c16s = ArrayReads("16s", "", 1)
_read_i2q2tB = Struct(">i2q2?B").unpack_from
_write_i2q2tx = Struct(">i2q2?x").pack


def _get_broker_heartbeat_request_v0(buf: bytes, at: int) -> tuple[BrokerHeartbeatRequest, int]:
    m = new(BrokerHeartbeatRequest)
    (
        m.broker_id, m.broker_epoch, m.current_metadata_offset, m.want_fence, m.want_shut_down,
        tags,
    ) = _read_i2q2tB(buf, at)
    at += 23
    m.offline_log_dirs = []
    m.cordoned_log_dirs = None
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_tags_broker_heartbeat_request_v1(m: BrokerHeartbeatRequest, buf: bytes, at: int) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            n_offline_log_dirs = buf[at]
            at += 1
            if n_offline_log_dirs > 127:
                n_offline_log_dirs, at = long_count(buf, at, 16)
            m.offline_log_dirs = [*_read_array_c16s[n_offline_log_dirs](buf, at)]
            at += 16 * n_offline_log_dirs - 16
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_broker_heartbeat_request_v1(buf: bytes, at: int) -> tuple[BrokerHeartbeatRequest, int]:
    m = new(BrokerHeartbeatRequest)
    (
        m.broker_id, m.broker_epoch, m.current_metadata_offset, m.want_fence, m.want_shut_down,
        tags,
    ) = _read_i2q2tB(buf, at)
    at += 23
    m.offline_log_dirs = []
    m.cordoned_log_dirs = None
    m.unknown_tags = ()
    if tags:
        at = _get_tags_broker_heartbeat_request_v1(m, buf, at - 1)
    return m, at


def _get_tags_broker_heartbeat_request_v2(m: BrokerHeartbeatRequest, buf: bytes, at: int) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            n_offline_log_dirs = buf[at]
            at += 1
            if n_offline_log_dirs > 127:
                n_offline_log_dirs, at = long_count(buf, at, 16)
            m.offline_log_dirs = [*_read_array_c16s[n_offline_log_dirs](buf, at)]
            at += 16 * n_offline_log_dirs - 16
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


def _get_broker_heartbeat_request_v2(buf: bytes, at: int) -> tuple[BrokerHeartbeatRequest, int]:
    m = new(BrokerHeartbeatRequest)
    (
        m.broker_id, m.broker_epoch, m.current_metadata_offset, m.want_fence, m.want_shut_down,
        tags,
    ) = _read_i2q2tB(buf, at)
    at += 23
    m.offline_log_dirs = []
    m.cordoned_log_dirs = None
    m.unknown_tags = ()
    if tags:
        at = _get_tags_broker_heartbeat_request_v2(m, buf, at - 1)
    return m, at


def _put_broker_heartbeat_request_v0(out: Parts, m: BrokerHeartbeatRequest) -> None:
    if m.offline_log_dirs:
        refuse_field("offline_log_dirs")
    if m.cordoned_log_dirs is not None:
        refuse_field("cordoned_log_dirs")
    out.append(_write_i2q2tx(
        m.broker_id, m.broker_epoch, m.current_metadata_offset, m.want_fence, m.want_shut_down,
    ))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _tags_of_broker_heartbeat_request_v1(m: BrokerHeartbeatRequest) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if m.offline_log_dirs:
        part: Parts = []
        offline_log_dirs = m.offline_log_dirs
        n = len(offline_log_dirs) + 1
        part.append(ONE_BYTE[n] if n < 128 else long_head(n))
        put_uuids(part, offline_log_dirs)
        tags.append((0, joined(part)))
    return tags


def _put_broker_heartbeat_request_v1(out: Parts, m: BrokerHeartbeatRequest) -> None:
    if m.cordoned_log_dirs is not None:
        refuse_field("cordoned_log_dirs")
    out.append(_write_i2q2tx(
        m.broker_id, m.broker_epoch, m.current_metadata_offset, m.want_fence, m.want_shut_down,
    ))
    if m.unknown_tags or m.offline_log_dirs:
        put_tags(out, _tags_of_broker_heartbeat_request_v1(m), m.unknown_tags)


def _tags_of_broker_heartbeat_request_v2(m: BrokerHeartbeatRequest) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if m.offline_log_dirs:
        part: Parts = []
        offline_log_dirs = m.offline_log_dirs
        n = len(offline_log_dirs) + 1
        part.append(ONE_BYTE[n] if n < 128 else long_head(n))
        put_uuids(part, offline_log_dirs)
        tags.append((0, joined(part)))
    if m.cordoned_log_dirs is not None:
        part = []
        cordoned_log_dirs = m.cordoned_log_dirs
        n = len(cordoned_log_dirs) + 1
        part.append(ONE_BYTE[n] if n < 128 else long_head(n))
        put_uuids(part, cordoned_log_dirs)
        tags.append((1, joined(part)))
    return tags


def _put_broker_heartbeat_request_v2(out: Parts, m: BrokerHeartbeatRequest) -> None:
    out.append(_write_i2q2tx(
        m.broker_id, m.broker_epoch, m.current_metadata_offset, m.want_fence, m.want_shut_down,
    ))
    if m.unknown_tags or m.offline_log_dirs or m.cordoned_log_dirs is not None:
        put_tags(out, _tags_of_broker_heartbeat_request_v2(m), m.unknown_tags)


_GET = {
    0: _get_broker_heartbeat_request_v0, 1: _get_broker_heartbeat_request_v1,
    2: _get_broker_heartbeat_request_v2,
}
_PUT = {
    0: _put_broker_heartbeat_request_v0, 1: _put_broker_heartbeat_request_v1,
    2: _put_broker_heartbeat_request_v2,
}


def decode(buf: Buffer, version: int, at: int = 0) -> BrokerHeartbeatRequest:
    """The BrokerHeartbeatRequest that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[BrokerHeartbeatRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: BrokerHeartbeatRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: BrokerHeartbeatRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_BROKER_HEARTBEAT_REQUEST_SHAPE: Shape = (
    BrokerHeartbeatRequest,
    (
        ("brokerId", "broker_id", "int32", (0, 2), None, None, None, 0, False, (0, 2), None),
        ("brokerEpoch", "broker_epoch", "int64", (0, 2), None, None, None, -1, False, (0, 2), None),
        (
            "currentMetadataOffset", "current_metadata_offset", "int64", (0, 2), None, None, None,
            0, False, (0, 2), None,
        ),
        ("wantFence", "want_fence", "bool", (0, 2), None, None, None, False, False, (0, 2), None),
        (
            "wantShutDown", "want_shut_down", "bool", (0, 2), None, None, None, False, False,
            (0, 2), None,
        ),
        (
            "offlineLogDirs", "offline_log_dirs", "[]uuid", (1, 2), None, 0, (1, 2), (), False,
            (0, 2), None,
        ),
        (
            "cordonedLogDirs", "cordoned_log_dirs", "[]uuid", (2, 2), (2, 2), 1, (2, 2), None,
            False, (0, 2), None,
        ),
    ),
)
SHAPE: Shape = (_BROKER_HEARTBEAT_REQUEST_SHAPE, (0, 2), (0, 2))
