# GENERATED from schemas/find_coordinator_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 ee89258690e4e4b8, generator 1.
"""Asks which broker coordinates a group or a transaction. Api key 10, versions 0-6, flexible from
3.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_compact_texts, get_tags, joined, lengthen, long_count, long_text, long_text_head,
    put_compact_texts, put_tags, refuse_field, refuse_null, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 10
NAME: Final = "FindCoordinatorRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 6
FLEXIBLE_FROM: Final[int | None] = 3


class FindCoordinatorRequest(Message):
    """Asks which broker coordinates a group or a transaction."""

    __slots__ = ("key", "key_type", "coordinator_keys", "unknown_tags")

    def __init__(
        self,
        # Group id or transactional id to find the coordinator of. (v0-3)
        key: str = "",
        # Kind of key: 0 group, 1 transaction, 2 share partition. (v1+)
        key_type: int = 0,
        # Group ids or transactional ids to find the coordinators of. (v4+)
        coordinator_keys: Sequence[str] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.key = key
        self.key_type = key_type
        self.coordinator_keys: Sequence[str] = [] if coordinator_keys == () else coordinator_keys
        self.unknown_tags = unknown_tags


_read_b = Struct(">b").unpack_from
_read_bB = Struct(">bB").unpack_from
_read_h = Struct(">h").unpack_from
_write_b = Struct(">b").pack
_write_bB = Struct(">bB").pack
_write_bx = Struct(">bx").pack
_write_h = Struct(">h").pack


def _get_find_coordinator_request_v0(buf: bytes, at: int) -> tuple[FindCoordinatorRequest, int]:
    m = new(FindCoordinatorRequest)
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        refuse_null()
    end = at + n
    m.key = buf[at:end].decode()
    at = end
    m.key_type = 0
    m.coordinator_keys = []
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_find_coordinator_request_v1(buf: bytes, at: int) -> tuple[FindCoordinatorRequest, int]:
    m = new(FindCoordinatorRequest)
    (n,) = _read_h(buf, at)
    at += 2
    if n < 0:
        refuse_null()
    end = at + n
    m.key = buf[at:end].decode()
    at = end
    (m.key_type,) = _read_b(buf, at)
    at += 1
    m.coordinator_keys = []
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_find_coordinator_request_v3(buf: bytes, at: int) -> tuple[FindCoordinatorRequest, int]:
    m = new(FindCoordinatorRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.key = buf[at:end].decode()
    at = end
    (m.key_type, tags) = _read_bB(buf, at)
    at += 2
    m.coordinator_keys = []
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_find_coordinator_request_v4(buf: bytes, at: int) -> tuple[FindCoordinatorRequest, int]:
    m = new(FindCoordinatorRequest)
    (m.key_type, n) = _read_bB(buf, at)
    at += 2
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 1)
    m.coordinator_keys, at = get_compact_texts(buf, at, n - 1)
    tags = buf[at]
    at += 1
    m.key = ""
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_find_coordinator_request_v0(out: Parts, m: FindCoordinatorRequest) -> None:
    if m.key_type != 0:
        refuse_field("key_type")
    if m.coordinator_keys:
        refuse_field("coordinator_keys")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    key = m.key.encode()
    n = len(key)
    out.append(_write_h(n))
    out.append(key)


def _put_find_coordinator_request_v1(out: Parts, m: FindCoordinatorRequest) -> None:
    if m.coordinator_keys:
        refuse_field("coordinator_keys")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    key = m.key.encode()
    n = len(key)
    out.append(_write_h(n))
    out.append(key)
    out.append(_write_b(m.key_type))


def _put_find_coordinator_request_v3(out: Parts, m: FindCoordinatorRequest) -> None:
    if m.coordinator_keys:
        refuse_field("coordinator_keys")
    key = m.key.encode()
    n = len(key) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(key)
    out.append(_write_bx(m.key_type))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_find_coordinator_request_v4(out: Parts, m: FindCoordinatorRequest) -> None:
    if m.key != "":
        refuse_field("key")
    coordinator_keys = m.coordinator_keys
    n = len(coordinator_keys) + 1
    out.append(_write_bB(m.key_type, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    put_compact_texts(out, coordinator_keys)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_find_coordinator_request_v0, 1: _get_find_coordinator_request_v1,
    2: _get_find_coordinator_request_v1, 3: _get_find_coordinator_request_v3,
    4: _get_find_coordinator_request_v4, 5: _get_find_coordinator_request_v4,
    6: _get_find_coordinator_request_v4,
}
_PUT = {
    0: _put_find_coordinator_request_v0, 1: _put_find_coordinator_request_v1,
    2: _put_find_coordinator_request_v1, 3: _put_find_coordinator_request_v3,
    4: _put_find_coordinator_request_v4, 5: _put_find_coordinator_request_v4,
    6: _put_find_coordinator_request_v4,
}


def decode(buf: Buffer, version: int, at: int = 0) -> FindCoordinatorRequest:
    """The FindCoordinatorRequest that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[FindCoordinatorRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: FindCoordinatorRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: FindCoordinatorRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_FIND_COORDINATOR_REQUEST_SHAPE: Shape = (
    FindCoordinatorRequest,
    (
        ("key", "key", "string", (0, 3), None, None, None, "", False, (3, 6), None),
        ("keyType", "key_type", "int8", (1, 6), None, None, None, 0, False, (3, 6), None),
        (
            "coordinatorKeys", "coordinator_keys", "[]string", (4, 6), None, None, None, (), False,
            (3, 6), None,
        ),
    ),
)
SHAPE: Shape = (_FIND_COORDINATOR_REQUEST_SHAPE, (0, 6), (3, 6))
