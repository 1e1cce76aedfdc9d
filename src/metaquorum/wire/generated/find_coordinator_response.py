# GENERATED from schemas/find_coordinator_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 1d03305f60e689c2, generator 1.
"""Names the coordinator. Api key 10, versions 0-6, flexible from 3."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, lengthen, lengthen_text, long_count, long_text, long_text_head, put_tags,
    refuse_field, refuse_null, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 10
NAME: Final = "FindCoordinatorResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 6
FLEXIBLE_FROM: Final[int | None] = 3


class Coordinator(Message):
    """One result a key."""

    __slots__ = ("key", "node_id", "host", "port", "error_code", "error_message", "unknown_tags")

    def __init__(
        self,
        # Key that this row answers. (v4+)
        key: str = "",
        # Broker that coordinates; -1 when there is none. (v4+)
        node_id: int = 0,
        # Host to connect to. (v4+)
        host: str = "",
        # Port to connect to. (v4+)
        port: int = 0,
        # Error of this row; 0 for none. (v4+)
        error_code: int = 0,
        # Words for a human; null when there is nothing to say. (v4+)
        error_message: str | None = "",
        unknown_tags: Tags = (),
    ) -> None:
        self.key = key
        self.node_id = node_id
        self.host = host
        self.port = port
        self.error_code = error_code
        self.error_message = error_message
        self.unknown_tags = unknown_tags


class FindCoordinatorResponse(Message):
    """Names the coordinator."""

    __slots__ = (
        "throttle_time_ms", "error_code", "error_message", "node_id", "host", "port",
        "coordinators", "unknown_tags",
    )

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota. (v1+)
        throttle_time_ms: int = 0,
        # Error of the whole request; 0 for none. (v0-3)
        error_code: int = 0,
        # Words for a human; null when there is nothing to say. (v1-3)
        error_message: str | None = "",
        # Broker that coordinates; -1 when there is none. (v0-3)
        node_id: int = 0,
        # Host to connect to. (v0-3)
        host: str = "",
        # Port to connect to. (v0-3)
        port: int = 0,
        # One result a key. (v4+)
        coordinators: Sequence[Coordinator] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.node_id = node_id
        self.host = host
        self.port = port
        self.coordinators: Sequence[Coordinator] = [] if coordinators == () else coordinators
        self.unknown_tags = unknown_tags


_read_hih = Struct(">hih").unpack_from
_read_i = Struct(">i").unpack_from
_read_i2h = Struct(">i2h").unpack_from
_read_iB = Struct(">iB").unpack_from
_read_ih = Struct(">ih").unpack_from
_read_ihB = Struct(">ihB").unpack_from
_write_hih = Struct(">hih").pack
_write_i = Struct(">i").pack
_write_i2h = Struct(">i2h").pack
_write_iB = Struct(">iB").pack
_write_ih = Struct(">ih").pack
_write_ihB = Struct(">ihB").pack
_write_ix = Struct(">ix").pack


def _get_find_coordinator_response_v0(buf: bytes, at: int) -> tuple[FindCoordinatorResponse, int]:
    m = new(FindCoordinatorResponse)
    (m.error_code, m.node_id, n) = _read_hih(buf, at)
    at += 8
    if n < 0:
        refuse_null()
    end = at + n
    m.host = buf[at:end].decode()
    at = end
    (m.port,) = _read_i(buf, at)
    at += 4
    m.throttle_time_ms = 0
    m.error_message = ""
    m.coordinators = []
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_find_coordinator_response_v1(buf: bytes, at: int) -> tuple[FindCoordinatorResponse, int]:
    m = new(FindCoordinatorResponse)
    (m.throttle_time_ms, m.error_code, n) = _read_i2h(buf, at)
    at += 8
    if n < 0:
        m.error_message = None
    else:
        end = at + n
        m.error_message = buf[at:end].decode()
        at = end
    (m.node_id, n) = _read_ih(buf, at)
    at += 6
    if n < 0:
        refuse_null()
    end = at + n
    m.host = buf[at:end].decode()
    at = end
    (m.port,) = _read_i(buf, at)
    at += 4
    m.coordinators = []
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_find_coordinator_response_v3(buf: bytes, at: int) -> tuple[FindCoordinatorResponse, int]:
    m = new(FindCoordinatorResponse)
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
    (m.node_id, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.host = buf[at:end].decode()
    at = end
    (m.port, tags) = _read_iB(buf, at)
    at += 5
    m.coordinators = []
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_find_coordinator_response_v4(buf: bytes, at: int) -> tuple[FindCoordinatorResponse, int]:
    m = new(FindCoordinatorResponse)
    (m.throttle_time_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 14)
    coordinators: list[Coordinator] = []
    m.coordinators = coordinators
    left_coordinators = n - 1
    while left_coordinators:
        left_coordinators -= 1
        coordinator = new(Coordinator)
        coordinators.append(coordinator)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        coordinator.key = buf[at:end].decode()
        at = end
        (coordinator.node_id, n) = _read_iB(buf, at)
        at += 5
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        coordinator.host = buf[at:end].decode()
        at = end
        (coordinator.port, coordinator.error_code, n) = _read_ihB(buf, at)
        at += 7
        if n == 0:
            coordinator.error_message = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            coordinator.error_message = buf[at:end].decode()
            at = end
        tags = buf[at]
        at += 1
        coordinator.unknown_tags = ()
        if tags:
            coordinator.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.error_code = 0
    m.error_message = ""
    m.node_id = 0
    m.host = ""
    m.port = 0
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_find_coordinator_response_v0(out: Parts, m: FindCoordinatorResponse) -> None:
    if m.coordinators:
        refuse_field("coordinators")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    host = m.host.encode()
    n = len(host)
    out.append(_write_hih(m.error_code, m.node_id, n))
    out.append(host)
    out.append(_write_i(m.port))


def _put_find_coordinator_response_v1(out: Parts, m: FindCoordinatorResponse) -> None:
    if m.coordinators:
        refuse_field("coordinators")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    error_message = b"" if m.error_message is None else m.error_message.encode()
    n = -1 if m.error_message is None else len(error_message)
    out.append(_write_i2h(m.throttle_time_ms, m.error_code, n))
    out.append(error_message)
    host = m.host.encode()
    n = len(host)
    out.append(_write_ih(m.node_id, n))
    out.append(host)
    out.append(_write_i(m.port))


def _put_find_coordinator_response_v3(out: Parts, m: FindCoordinatorResponse) -> None:
    if m.coordinators:
        refuse_field("coordinators")
    error_message = b"" if m.error_message is None else m.error_message.encode()
    n = 0 if m.error_message is None else len(error_message) + 1
    out.append(_write_ihB(m.throttle_time_ms, m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(error_message)
    host = m.host.encode()
    n = len(host) + 1
    out.append(_write_iB(m.node_id, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(host)
    out.append(_write_ix(m.port))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_find_coordinator_response_v4(out: Parts, m: FindCoordinatorResponse) -> None:
    if m.error_code != 0:
        refuse_field("error_code")
    if m.node_id != 0:
        refuse_field("node_id")
    if m.host != "":
        refuse_field("host")
    if m.port != 0:
        refuse_field("port")
    coordinators = m.coordinators
    n = len(coordinators) + 1
    out.append(_write_iB(m.throttle_time_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for coordinator in coordinators:
        key = coordinator.key.encode()
        n = len(key) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(key)
        host = coordinator.host.encode()
        n = len(host) + 1
        out.append(_write_iB(coordinator.node_id, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(host)
        error_message = (
            b"" if coordinator.error_message is None else coordinator.error_message.encode()
        )
        n = 0 if coordinator.error_message is None else len(error_message) + 1
        out.append(_write_ihB(coordinator.port, coordinator.error_code, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(error_message)
        out.append(b"\0")
        if coordinator.unknown_tags:
            put_tags(out, [], coordinator.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_find_coordinator_response_v0, 1: _get_find_coordinator_response_v1,
    2: _get_find_coordinator_response_v1, 3: _get_find_coordinator_response_v3,
    4: _get_find_coordinator_response_v4, 5: _get_find_coordinator_response_v4,
    6: _get_find_coordinator_response_v4,
}
_PUT = {
    0: _put_find_coordinator_response_v0, 1: _put_find_coordinator_response_v1,
    2: _put_find_coordinator_response_v1, 3: _put_find_coordinator_response_v3,
    4: _put_find_coordinator_response_v4, 5: _put_find_coordinator_response_v4,
    6: _put_find_coordinator_response_v4,
}


def decode(buf: Buffer, version: int, at: int = 0) -> FindCoordinatorResponse:
    """The FindCoordinatorResponse that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[FindCoordinatorResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: FindCoordinatorResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: FindCoordinatorResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_COORDINATOR_SHAPE: Shape = (
    Coordinator,
    (
        ("key", "key", "string", (4, 6), None, None, None, "", False, (3, 6), None),
        ("nodeId", "node_id", "int32", (4, 6), None, None, None, 0, False, (3, 6), None),
        ("host", "host", "string", (4, 6), None, None, None, "", False, (3, 6), None),
        ("port", "port", "int32", (4, 6), None, None, None, 0, False, (3, 6), None),
        ("errorCode", "error_code", "int16", (4, 6), None, None, None, 0, False, (3, 6), None),
        (
            "errorMessage", "error_message", "string", (4, 6), (4, 6), None, None, "", True, (3, 6),
            None,
        ),
    ),
)
_FIND_COORDINATOR_RESPONSE_SHAPE: Shape = (
    FindCoordinatorResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (1, 6), None, None, None, 0, True,
            (3, 6), None,
        ),
        ("errorCode", "error_code", "int16", (0, 3), None, None, None, 0, False, (3, 6), None),
        (
            "errorMessage", "error_message", "string", (1, 3), (1, 3), None, None, "", True, (3, 6),
            None,
        ),
        ("nodeId", "node_id", "int32", (0, 3), None, None, None, 0, False, (3, 6), None),
        ("host", "host", "string", (0, 3), None, None, None, "", False, (3, 6), None),
        ("port", "port", "int32", (0, 3), None, None, None, 0, False, (3, 6), None),
        (
            "coordinators", "coordinators", "[]Coordinator", (4, 6), None, None, None, (), False,
            (3, 6), _COORDINATOR_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_FIND_COORDINATOR_RESPONSE_SHAPE, (0, 6), (3, 6))
