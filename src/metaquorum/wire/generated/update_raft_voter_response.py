# GENERATED from schemas/update_raft_voter_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 44b9727848a9e51b, generator 1.
"""Says whether the voter was updated, and who leads. Api key 82, versions 0, flexible from 0."""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.wire.message import UNSET, Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tag_count, get_tag_head, get_tags, joined, lengthen_text, long_text, put_tags, refuse_size,
    whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 82
NAME: Final = "UpdateRaftVoterResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class CurrentLeader(Message):
    """Leader to ask instead, if known."""

    __slots__ = ("leader_id", "leader_epoch", "host", "port", "unknown_tags")

    def __init__(
        self,
        # Node that leads; -1 when unknown.
        leader_id: int = -1,
        # Newest epoch the server knows; -1 when unknown.
        leader_epoch: int = -1,
        # Host to connect to.
        host: str = "",
        # Port to connect to.
        port: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.host = host
        self.port = port
        self.unknown_tags = unknown_tags


class UpdateRaftVoterResponse(Message):
    """Says whether the voter was updated, and who leads."""

    __slots__ = ("throttle_time_ms", "error_code", "current_leader", "unknown_tags")

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # Error of the whole request; 0 for none.
        error_code: int = 0,
        # Leader to ask instead, if known. (tag 0)
        current_leader: CurrentLeader | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.current_leader = CurrentLeader() if current_leader is None else current_leader
        self.unknown_tags = unknown_tags


_read_2iB = Struct(">2iB").unpack_from
_read_iB = Struct(">iB").unpack_from
_read_ihB = Struct(">ihB").unpack_from
_write_2iB = Struct(">2iB").pack
_write_ihx = Struct(">ihx").pack
_write_ix = Struct(">ix").pack
_NO_CURRENT_LEADER = CurrentLeader()


def _get_current_leader_v0(buf: bytes, at: int) -> tuple[CurrentLeader, int]:
    m = new(CurrentLeader)
    (m.leader_id, m.leader_epoch, n) = _read_2iB(buf, at)
    at += 9
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.host = buf[at:end].decode()
    at = end
    (m.port, tags) = _read_iB(buf, at)
    at += 5
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_tags_update_raft_voter_response_v0(m: UpdateRaftVoterResponse, buf: bytes, at: int) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            m.current_leader, at = _get_current_leader_v0(buf, at)
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_update_raft_voter_response_v0(buf: bytes, at: int) -> tuple[UpdateRaftVoterResponse, int]:
    m = new(UpdateRaftVoterResponse)
    (m.throttle_time_ms, m.error_code, tags) = _read_ihB(buf, at)
    at += 7
    m.current_leader = _NO_CURRENT_LEADER
    m.unknown_tags = ()
    if tags:
        at = _get_tags_update_raft_voter_response_v0(m, buf, at - 1)
    return m, at


def _put_current_leader_v0(out: Parts, m: CurrentLeader) -> None:
    host = m.host.encode()
    n = len(host) + 1
    out.append(_write_2iB(m.leader_id, m.leader_epoch, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(host)
    out.append(_write_ix(m.port))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _tags_of_update_raft_voter_response_v0(m: UpdateRaftVoterResponse) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if (
        ((current_leader := m.current_leader) is not _NO_CURRENT_LEADER and
            (current_leader.leader_id != -1 or current_leader.leader_epoch != -1 or
            current_leader.host != "" or current_leader.port != 0 or current_leader.unknown_tags))
    ):
        part: Parts = []
        _put_current_leader_v0(part, m.current_leader)
        tags.append((0, joined(part)))
    return tags


def _put_update_raft_voter_response_v0(out: Parts, m: UpdateRaftVoterResponse) -> None:
    out.append(_write_ihx(m.throttle_time_ms, m.error_code))
    if (
        m.unknown_tags
        or ((current_leader := m.current_leader) is not _NO_CURRENT_LEADER and
            (current_leader.leader_id != -1 or current_leader.leader_epoch != -1 or
            current_leader.host != "" or current_leader.port != 0 or current_leader.unknown_tags))
    ):
        put_tags(out, _tags_of_update_raft_voter_response_v0(m), m.unknown_tags)


_GET = {0: _get_update_raft_voter_response_v0}
_PUT = {0: _put_update_raft_voter_response_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> UpdateRaftVoterResponse:
    """The UpdateRaftVoterResponse that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[UpdateRaftVoterResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: UpdateRaftVoterResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: UpdateRaftVoterResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_CURRENT_LEADER_SHAPE: Shape = (
    CurrentLeader,
    (
        ("leaderId", "leader_id", "int32", (0, 0), None, None, None, -1, False, (0, 0), None),
        ("leaderEpoch", "leader_epoch", "int32", (0, 0), None, None, None, -1, False, (0, 0), None),
        ("host", "host", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        ("port", "port", "int32", (0, 0), None, None, None, 0, False, (0, 0), None),
    ),
)
_UPDATE_RAFT_VOTER_RESPONSE_SHAPE: Shape = (
    UpdateRaftVoterResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 0), None, None, None, 0, False,
            (0, 0), None,
        ),
        ("errorCode", "error_code", "int16", (0, 0), None, None, None, 0, False, (0, 0), None),
        (
            "currentLeader", "current_leader", "CurrentLeader", (0, 0), None, 0, (0, 0), UNSET,
            False, (0, 0), _CURRENT_LEADER_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_UPDATE_RAFT_VOTER_RESPONSE_SHAPE, (0, 0), (0, 0))
