# GENERATED from schemas/add_raft_voter_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 118be8c48b8b0c34, generator 1.
"""Adds a voter to the metadata quorum (KIP-853). Api key 80, versions 0-1, flexible from 0."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, lengthen, long_count, long_text, long_text_head, put_tags, refuse_field,
    refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 80
NAME: Final = "AddRaftVoterRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 1
FLEXIBLE_FROM: Final[int | None] = 0


class Listener(Message):
    """Where the new voter can be reached."""

    __slots__ = ("name", "host", "port", "unknown_tags")

    def __init__(
        self,
        # Name of the listener.
        name: str = "",
        # Host to connect to.
        host: str = "",
        # Port to connect to.
        port: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.host = host
        self.port = port
        self.unknown_tags = unknown_tags


class AddRaftVoterRequest(Message):
    """Adds a voter to the metadata quorum (KIP-853)."""

    __slots__ = (
        "cluster_id", "timeout_ms", "voter_id", "voter_directory_id", "listeners",
        "ack_when_committed", "unknown_tags",
    )

    def __init__(
        self,
        # Cluster the sender belongs to; null when it does not know, and then unchecked.
        cluster_id: str | None = "",
        # Milliseconds the leader may take to add the voter.
        timeout_ms: int = 0,
        # Node to add.
        voter_id: int = 0,
        # Log directory of the node to add.
        voter_directory_id: bytes = ZERO_UUID,
        # Where the new voter can be reached.
        listeners: Sequence[Listener] = (),
        # True to answer once the new voter set is committed, false once it is in the leader's log.
        # (v1+)
        ack_when_committed: bool = True,
        unknown_tags: Tags = (),
    ) -> None:
        self.cluster_id = cluster_id
        self.timeout_ms = timeout_ms
        self.voter_id = voter_id
        self.voter_directory_id = voter_directory_id
        self.listeners: Sequence[Listener] = [] if listeners == () else listeners
        self.ack_when_committed = ack_when_committed
        self.unknown_tags = unknown_tags


_read_2i16sB = Struct(">2i16sB").unpack_from
_read_tB = Struct(">?B").unpack_from
_read_HB = Struct(">HB").unpack_from
_write_2i16sB = Struct(">2i16sB").pack
_write_tx = Struct(">?x").pack
_write_Hx = Struct(">Hx").pack


def _get_add_raft_voter_request_v0(buf: bytes, at: int) -> tuple[AddRaftVoterRequest, int]:
    m = new(AddRaftVoterRequest)
    n = buf[at]
    at += 1
    if n == 0:
        m.cluster_id = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.cluster_id = buf[at:end].decode()
        at = end
    (m.timeout_ms, m.voter_id, m.voter_directory_id, n) = _read_2i16sB(buf, at)
    at += 25
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 5)
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
        (listener.port, tags) = _read_HB(buf, at)
        at += 3
        listener.unknown_tags = ()
        if tags:
            listener.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.ack_when_committed = True
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_add_raft_voter_request_v1(buf: bytes, at: int) -> tuple[AddRaftVoterRequest, int]:
    m = new(AddRaftVoterRequest)
    n = buf[at]
    at += 1
    if n == 0:
        m.cluster_id = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.cluster_id = buf[at:end].decode()
        at = end
    (m.timeout_ms, m.voter_id, m.voter_directory_id, n) = _read_2i16sB(buf, at)
    at += 25
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 5)
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
        (listener.port, tags) = _read_HB(buf, at)
        at += 3
        listener.unknown_tags = ()
        if tags:
            listener.unknown_tags, at = get_tags(buf, at - 1)
    (m.ack_when_committed, tags) = _read_tB(buf, at)
    at += 2
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_add_raft_voter_request_v0(out: Parts, m: AddRaftVoterRequest) -> None:
    if not m.ack_when_committed:
        refuse_field("ack_when_committed")
    cluster_id = b"" if m.cluster_id is None else m.cluster_id.encode()
    n = 0 if m.cluster_id is None else len(cluster_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(cluster_id)
    if len(m.voter_directory_id) != 16:
        refuse_uuid("voter_directory_id")
    listeners = m.listeners
    n = len(listeners) + 1
    out.append(_write_2i16sB(m.timeout_ms, m.voter_id, m.voter_directory_id, n if n < 128 else 0))
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
        out.append(_write_Hx(listener.port))
        if listener.unknown_tags:
            put_tags(out, [], listener.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_add_raft_voter_request_v1(out: Parts, m: AddRaftVoterRequest) -> None:
    cluster_id = b"" if m.cluster_id is None else m.cluster_id.encode()
    n = 0 if m.cluster_id is None else len(cluster_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(cluster_id)
    if len(m.voter_directory_id) != 16:
        refuse_uuid("voter_directory_id")
    listeners = m.listeners
    n = len(listeners) + 1
    out.append(_write_2i16sB(m.timeout_ms, m.voter_id, m.voter_directory_id, n if n < 128 else 0))
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
        out.append(_write_Hx(listener.port))
        if listener.unknown_tags:
            put_tags(out, [], listener.unknown_tags)
    out.append(_write_tx(m.ack_when_committed))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_add_raft_voter_request_v0, 1: _get_add_raft_voter_request_v1}
_PUT = {0: _put_add_raft_voter_request_v0, 1: _put_add_raft_voter_request_v1}


def decode(buf: Buffer, version: int, at: int = 0) -> AddRaftVoterRequest:
    """The AddRaftVoterRequest that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[AddRaftVoterRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: AddRaftVoterRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: AddRaftVoterRequest, version: int) -> None:
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
        ("name", "name", "string", (0, 1), None, None, None, "", False, (0, 1), None),
        ("host", "host", "string", (0, 1), None, None, None, "", False, (0, 1), None),
        ("port", "port", "uint16", (0, 1), None, None, None, 0, False, (0, 1), None),
    ),
)
_ADD_RAFT_VOTER_REQUEST_SHAPE: Shape = (
    AddRaftVoterRequest,
    (
        ("clusterId", "cluster_id", "string", (0, 1), (0, 1), None, None, "", False, (0, 1), None),
        ("timeoutMs", "timeout_ms", "int32", (0, 1), None, None, None, 0, False, (0, 1), None),
        ("voterId", "voter_id", "int32", (0, 1), None, None, None, 0, False, (0, 1), None),
        (
            "voterDirectoryId", "voter_directory_id", "uuid", (0, 1), None, None, None, ZERO_UUID,
            False, (0, 1), None,
        ),
        (
            "listeners", "listeners", "[]Listener", (0, 1), None, None, None, (), False, (0, 1),
            _LISTENER_SHAPE,
        ),
        (
            "ackWhenCommitted", "ack_when_committed", "bool", (1, 1), None, None, None, True, False,
            (0, 1), None,
        ),
    ),
)
SHAPE: Shape = (_ADD_RAFT_VOTER_REQUEST_SHAPE, (0, 1), (0, 1))
