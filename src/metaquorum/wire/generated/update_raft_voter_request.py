# GENERATED from schemas/update_raft_voter_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 4756245f05f467b8, generator 1.
"""A voter tells the leader its endpoints and supported kraft.version (KIP-853). Api key 82,
versions 0, flexible from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.message import UNSET, Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, lengthen, long_count, long_text, long_text_head, put_tags, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 82
NAME: Final = "UpdateRaftVoterRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class Listener(Message):
    """Where the voter can be reached from now on."""

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


class KRaftVersionFeature(Message):
    """Range of kraft.version that the voter supports."""

    __slots__ = ("min_supported_version", "max_supported_version", "unknown_tags")

    def __init__(
        self,
        # Lowest level that is supported.
        min_supported_version: int = 0,
        # Highest level that is supported.
        max_supported_version: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.min_supported_version = min_supported_version
        self.max_supported_version = max_supported_version
        self.unknown_tags = unknown_tags


class UpdateRaftVoterRequest(Message):
    """A voter tells the leader its endpoints and supported kraft.version (KIP-853)."""

    __slots__ = (
        "cluster_id", "current_leader_epoch", "voter_id", "voter_directory_id", "listeners",
        "kraft_version_feature", "unknown_tags",
    )

    def __init__(
        self,
        # Cluster the sender belongs to; null when it does not know, and then unchecked.
        cluster_id: str | None = "",
        # Leader epoch the sender believes in.
        current_leader_epoch: int = 0,
        # Voter that updates itself.
        voter_id: int = 0,
        # Log directory of the voter.
        voter_directory_id: bytes = ZERO_UUID,
        # Where the voter can be reached from now on.
        listeners: Sequence[Listener] = (),
        # Range of kraft.version that the voter supports.
        kraft_version_feature: KRaftVersionFeature | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.cluster_id = cluster_id
        self.current_leader_epoch = current_leader_epoch
        self.voter_id = voter_id
        self.voter_directory_id = voter_directory_id
        self.listeners: Sequence[Listener] = [] if listeners == () else listeners
        self.kraft_version_feature = (
            KRaftVersionFeature() if kraft_version_feature is None else kraft_version_feature
        )
        self.unknown_tags = unknown_tags


_read_2hB = Struct(">2hB").unpack_from
_read_2i16sB = Struct(">2i16sB").unpack_from
_read_HB = Struct(">HB").unpack_from
_write_2hx = Struct(">2hx").pack
_write_2i16sB = Struct(">2i16sB").pack
_write_Hx = Struct(">Hx").pack


def _get_kraft_version_feature_v0(buf: bytes, at: int) -> tuple[KRaftVersionFeature, int]:
    m = new(KRaftVersionFeature)
    (m.min_supported_version, m.max_supported_version, tags) = _read_2hB(buf, at)
    at += 5
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_update_raft_voter_request_v0(buf: bytes, at: int) -> tuple[UpdateRaftVoterRequest, int]:
    m = new(UpdateRaftVoterRequest)
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
    (m.current_leader_epoch, m.voter_id, m.voter_directory_id, n) = _read_2i16sB(buf, at)
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
    m.kraft_version_feature, at = _get_kraft_version_feature_v0(buf, at)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_kraft_version_feature_v0(out: Parts, m: KRaftVersionFeature) -> None:
    out.append(_write_2hx(m.min_supported_version, m.max_supported_version))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_update_raft_voter_request_v0(out: Parts, m: UpdateRaftVoterRequest) -> None:
    cluster_id = b"" if m.cluster_id is None else m.cluster_id.encode()
    n = 0 if m.cluster_id is None else len(cluster_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(cluster_id)
    if len(m.voter_directory_id) != 16:
        refuse_uuid("voter_directory_id")
    listeners = m.listeners
    n = len(listeners) + 1
    out.append(_write_2i16sB(
        m.current_leader_epoch, m.voter_id, m.voter_directory_id, n if n < 128 else 0,
    ))
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
    _put_kraft_version_feature_v0(out, m.kraft_version_feature)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_update_raft_voter_request_v0}
_PUT = {0: _put_update_raft_voter_request_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> UpdateRaftVoterRequest:
    """The UpdateRaftVoterRequest that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[UpdateRaftVoterRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: UpdateRaftVoterRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: UpdateRaftVoterRequest, version: int) -> None:
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
        ("name", "name", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        ("host", "host", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        ("port", "port", "uint16", (0, 0), None, None, None, 0, False, (0, 0), None),
    ),
)
_KRAFT_VERSION_FEATURE_SHAPE: Shape = (
    KRaftVersionFeature,
    (
        (
            "minSupportedVersion", "min_supported_version", "int16", (0, 0), None, None, None, 0,
            False, (0, 0), None,
        ),
        (
            "maxSupportedVersion", "max_supported_version", "int16", (0, 0), None, None, None, 0,
            False, (0, 0), None,
        ),
    ),
)
_UPDATE_RAFT_VOTER_REQUEST_SHAPE: Shape = (
    UpdateRaftVoterRequest,
    (
        ("clusterId", "cluster_id", "string", (0, 0), (0, 0), None, None, "", False, (0, 0), None),
        (
            "currentLeaderEpoch", "current_leader_epoch", "int32", (0, 0), None, None, None, 0,
            False, (0, 0), None,
        ),
        ("voterId", "voter_id", "int32", (0, 0), None, None, None, 0, False, (0, 0), None),
        (
            "voterDirectoryId", "voter_directory_id", "uuid", (0, 0), None, None, None, ZERO_UUID,
            False, (0, 0), None,
        ),
        (
            "listeners", "listeners", "[]Listener", (0, 0), None, None, None, (), False, (0, 0),
            _LISTENER_SHAPE,
        ),
        (
            "kRaftVersionFeature", "kraft_version_feature", "KRaftVersionFeature", (0, 0), None,
            None, None, UNSET, False, (0, 0), _KRAFT_VERSION_FEATURE_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_UPDATE_RAFT_VOTER_REQUEST_SHAPE, (0, 0), (0, 0))
