# GENERATED from schemas/records/broker_registration_change_record.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 b944e4ad652a6ba3, generator 1.
"""Changes parts of a broker's registration. Record type 17, versions 0-3, flexible from 0."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.arrays import ArrayReads
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tag_count, get_tag_head, joined, long_count, long_head, put_tags, put_uuids, refuse_field,
    refuse_size, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 17
NAME: Final = "BrokerRegistrationChangeRecord"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 3
FLEXIBLE_FROM: Final[int | None] = 0


class BrokerRegistrationChangeRecord(Message):
    """Changes parts of a broker's registration."""

    __slots__ = (
        "broker_id", "broker_epoch", "fenced", "in_controlled_shutdown", "log_dirs",
        "cordoned_log_dirs", "unknown_tags",
    )

    def __init__(
        self,
        # Broker whose registration changes.
        broker_id: int = 0,
        # Epoch of the registration that this change applies to.
        broker_epoch: int = 0,
        # -1 unfences the broker, 1 fences it, 0 changes nothing. (tag 0)
        fenced: int = 0,
        # 1 when the broker starts a controlled shutdown, 0 changes nothing. (v1+, tag 1)
        in_controlled_shutdown: int = 0,
        # New list of sound log directories; empty leaves it unchanged. (v2+, tag 2)
        log_dirs: Sequence[bytes] = (),
        # New list of directories that take no new replicas; null leaves it unchanged. (v3+, tag 3)
        cordoned_log_dirs: Sequence[bytes] | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.broker_id = broker_id
        self.broker_epoch = broker_epoch
        self.fenced = fenced
        self.in_controlled_shutdown = in_controlled_shutdown
        self.log_dirs: Sequence[bytes] = [] if log_dirs == () else log_dirs
        self.cordoned_log_dirs = cordoned_log_dirs
        self.unknown_tags = unknown_tags


_read_array_c16s = ArrayReads("16s", "", 1)
_read_b = Struct(">b").unpack_from
_read_iqB = Struct(">iqB").unpack_from
_write_b = Struct(">b").pack
_write_iqx = Struct(">iqx").pack


def _get_tags_broker_registration_change_record_v0(
    m: BrokerRegistrationChangeRecord, buf: bytes, at: int,
) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            (m.fenced,) = _read_b(buf, at)
            at += 1
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_broker_registration_change_record_v0(
    buf: bytes, at: int,
) -> tuple[BrokerRegistrationChangeRecord, int]:
    m = new(BrokerRegistrationChangeRecord)
    (m.broker_id, m.broker_epoch, tags) = _read_iqB(buf, at)
    at += 13
    m.fenced = 0
    m.in_controlled_shutdown = 0
    m.log_dirs = []
    m.cordoned_log_dirs = None
    m.unknown_tags = ()
    if tags:
        at = _get_tags_broker_registration_change_record_v0(m, buf, at - 1)
    return m, at


def _get_tags_broker_registration_change_record_v1(
    m: BrokerRegistrationChangeRecord, buf: bytes, at: int,
) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            (m.fenced,) = _read_b(buf, at)
            at += 1
        elif tag == 1:
            (m.in_controlled_shutdown,) = _read_b(buf, at)
            at += 1
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_broker_registration_change_record_v1(
    buf: bytes, at: int,
) -> tuple[BrokerRegistrationChangeRecord, int]:
    m = new(BrokerRegistrationChangeRecord)
    (m.broker_id, m.broker_epoch, tags) = _read_iqB(buf, at)
    at += 13
    m.fenced = 0
    m.in_controlled_shutdown = 0
    m.log_dirs = []
    m.cordoned_log_dirs = None
    m.unknown_tags = ()
    if tags:
        at = _get_tags_broker_registration_change_record_v1(m, buf, at - 1)
    return m, at


def _get_tags_broker_registration_change_record_v2(
    m: BrokerRegistrationChangeRecord, buf: bytes, at: int,
) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            (m.fenced,) = _read_b(buf, at)
            at += 1
        elif tag == 1:
            (m.in_controlled_shutdown,) = _read_b(buf, at)
            at += 1
        elif tag == 2:
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


def _get_broker_registration_change_record_v2(
    buf: bytes, at: int,
) -> tuple[BrokerRegistrationChangeRecord, int]:
    m = new(BrokerRegistrationChangeRecord)
    (m.broker_id, m.broker_epoch, tags) = _read_iqB(buf, at)
    at += 13
    m.fenced = 0
    m.in_controlled_shutdown = 0
    m.log_dirs = []
    m.cordoned_log_dirs = None
    m.unknown_tags = ()
    if tags:
        at = _get_tags_broker_registration_change_record_v2(m, buf, at - 1)
    return m, at


def _get_tags_broker_registration_change_record_v3(
    m: BrokerRegistrationChangeRecord, buf: bytes, at: int,
) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            (m.fenced,) = _read_b(buf, at)
            at += 1
        elif tag == 1:
            (m.in_controlled_shutdown,) = _read_b(buf, at)
            at += 1
        elif tag == 2:
            n_log_dirs = buf[at]
            at += 1
            if n_log_dirs > 127:
                n_log_dirs, at = long_count(buf, at, 16)
            m.log_dirs = [*_read_array_c16s[n_log_dirs](buf, at)]
            at += 16 * n_log_dirs - 16
        elif tag == 3:
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


def _get_broker_registration_change_record_v3(
    buf: bytes, at: int,
) -> tuple[BrokerRegistrationChangeRecord, int]:
    m = new(BrokerRegistrationChangeRecord)
    (m.broker_id, m.broker_epoch, tags) = _read_iqB(buf, at)
    at += 13
    m.fenced = 0
    m.in_controlled_shutdown = 0
    m.log_dirs = []
    m.cordoned_log_dirs = None
    m.unknown_tags = ()
    if tags:
        at = _get_tags_broker_registration_change_record_v3(m, buf, at - 1)
    return m, at


def _tags_of_broker_registration_change_record_v0(
    m: BrokerRegistrationChangeRecord,
) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if m.fenced != 0:
        tags.append((0, _write_b(m.fenced)))
    return tags


def _put_broker_registration_change_record_v0(
    out: Parts, m: BrokerRegistrationChangeRecord,
) -> None:
    if m.in_controlled_shutdown != 0:
        refuse_field("in_controlled_shutdown")
    if m.log_dirs:
        refuse_field("log_dirs")
    if m.cordoned_log_dirs is not None:
        refuse_field("cordoned_log_dirs")
    out.append(_write_iqx(m.broker_id, m.broker_epoch))
    if m.unknown_tags or m.fenced != 0:
        put_tags(out, _tags_of_broker_registration_change_record_v0(m), m.unknown_tags)


def _tags_of_broker_registration_change_record_v1(
    m: BrokerRegistrationChangeRecord,
) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if m.fenced != 0:
        tags.append((0, _write_b(m.fenced)))
    if m.in_controlled_shutdown != 0:
        tags.append((1, _write_b(m.in_controlled_shutdown)))
    return tags


def _put_broker_registration_change_record_v1(
    out: Parts, m: BrokerRegistrationChangeRecord,
) -> None:
    if m.log_dirs:
        refuse_field("log_dirs")
    if m.cordoned_log_dirs is not None:
        refuse_field("cordoned_log_dirs")
    out.append(_write_iqx(m.broker_id, m.broker_epoch))
    if m.unknown_tags or m.fenced != 0 or m.in_controlled_shutdown != 0:
        put_tags(out, _tags_of_broker_registration_change_record_v1(m), m.unknown_tags)


def _tags_of_broker_registration_change_record_v2(
    m: BrokerRegistrationChangeRecord,
) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if m.fenced != 0:
        tags.append((0, _write_b(m.fenced)))
    if m.in_controlled_shutdown != 0:
        tags.append((1, _write_b(m.in_controlled_shutdown)))
    if m.log_dirs:
        part: Parts = []
        log_dirs = m.log_dirs
        n = len(log_dirs) + 1
        part.append(ONE_BYTE[n] if n < 128 else long_head(n))
        put_uuids(part, log_dirs)
        tags.append((2, joined(part)))
    return tags


def _put_broker_registration_change_record_v2(
    out: Parts, m: BrokerRegistrationChangeRecord,
) -> None:
    if m.cordoned_log_dirs is not None:
        refuse_field("cordoned_log_dirs")
    out.append(_write_iqx(m.broker_id, m.broker_epoch))
    if m.unknown_tags or m.fenced != 0 or m.in_controlled_shutdown != 0 or m.log_dirs:
        put_tags(out, _tags_of_broker_registration_change_record_v2(m), m.unknown_tags)


def _tags_of_broker_registration_change_record_v3(
    m: BrokerRegistrationChangeRecord,
) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if m.fenced != 0:
        tags.append((0, _write_b(m.fenced)))
    if m.in_controlled_shutdown != 0:
        tags.append((1, _write_b(m.in_controlled_shutdown)))
    if m.log_dirs:
        part: Parts = []
        log_dirs = m.log_dirs
        n = len(log_dirs) + 1
        part.append(ONE_BYTE[n] if n < 128 else long_head(n))
        put_uuids(part, log_dirs)
        tags.append((2, joined(part)))
    if m.cordoned_log_dirs is not None:
        part = []
        cordoned_log_dirs = m.cordoned_log_dirs
        n = len(cordoned_log_dirs) + 1
        part.append(ONE_BYTE[n] if n < 128 else long_head(n))
        put_uuids(part, cordoned_log_dirs)
        tags.append((3, joined(part)))
    return tags


def _put_broker_registration_change_record_v3(
    out: Parts, m: BrokerRegistrationChangeRecord,
) -> None:
    out.append(_write_iqx(m.broker_id, m.broker_epoch))
    if (
        m.unknown_tags
        or m.fenced != 0
        or m.in_controlled_shutdown != 0
        or m.log_dirs
        or m.cordoned_log_dirs is not None
    ):
        put_tags(out, _tags_of_broker_registration_change_record_v3(m), m.unknown_tags)


_GET = {
    0: _get_broker_registration_change_record_v0, 1: _get_broker_registration_change_record_v1,
    2: _get_broker_registration_change_record_v2, 3: _get_broker_registration_change_record_v3,
}
_PUT = {
    0: _put_broker_registration_change_record_v0, 1: _put_broker_registration_change_record_v1,
    2: _put_broker_registration_change_record_v2, 3: _put_broker_registration_change_record_v3,
}


def decode(buf: Buffer, version: int, at: int = 0) -> BrokerRegistrationChangeRecord:
    """The BrokerRegistrationChangeRecord that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[BrokerRegistrationChangeRecord, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: BrokerRegistrationChangeRecord, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: BrokerRegistrationChangeRecord, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_BROKER_REGISTRATION_CHANGE_RECORD_SHAPE: Shape = (
    BrokerRegistrationChangeRecord,
    (
        ("brokerId", "broker_id", "int32", (0, 3), None, None, None, 0, False, (0, 3), None),
        ("brokerEpoch", "broker_epoch", "int64", (0, 3), None, None, None, 0, False, (0, 3), None),
        ("fenced", "fenced", "int8", (0, 3), None, 0, (0, 3), 0, False, (0, 3), None),
        (
            "inControlledShutdown", "in_controlled_shutdown", "int8", (1, 3), None, 1, (1, 3), 0,
            False, (0, 3), None,
        ),
        ("logDirs", "log_dirs", "[]uuid", (2, 3), None, 2, (2, 3), (), False, (0, 3), None),
        (
            "cordonedLogDirs", "cordoned_log_dirs", "[]uuid", (3, 3), (3, 3), 3, (3, 3), None,
            False, (0, 3), None,
        ),
    ),
)
SHAPE: Shape = (_BROKER_REGISTRATION_CHANGE_RECORD_SHAPE, (0, 3), (0, 3))
