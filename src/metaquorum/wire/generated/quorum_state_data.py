# GENERATED from schemas/quorum_state_data.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 962761519dd197a9, generator 1.
"""Contents of the quorum-state file: epoch, vote and leader of one node. Versions 0-1, flexible
from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
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

NAME: Final = "QuorumStateData"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 1
FLEXIBLE_FROM: Final[int | None] = 0


class Voter(Message):
    """Voters of a statically configured quorum."""

    __slots__ = ("voter_id", "unknown_tags")

    def __init__(
        self,
        # Node of the voter. (v0)
        voter_id: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.voter_id = voter_id
        self.unknown_tags = unknown_tags


class QuorumStateData(Message):
    """Contents of the quorum-state file: epoch, vote and leader of one node."""

    __slots__ = (
        "cluster_id", "leader_id", "leader_epoch", "voted_id", "voted_directory_id",
        "applied_offset", "current_voters", "unknown_tags",
    )

    def __init__(
        self,
        # Cluster the sender belongs to; null when it does not know, and then unchecked. (v0)
        cluster_id: str = "",
        # Leader of that epoch; -1 when unknown.
        leader_id: int = -1,
        # Newest epoch the node has seen; -1 for none.
        leader_epoch: int = -1,
        # Node that got this node's vote in that epoch; -1 for none.
        voted_id: int = -1,
        # Log directory of the node that got this node's vote. (v1+)
        voted_directory_id: bytes = ZERO_UUID,
        # Unused; always 0. (v0)
        applied_offset: int = 0,
        # Voters of a statically configured quorum. (v0)
        current_voters: Sequence[Voter] | None = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.cluster_id = cluster_id
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.voted_id = voted_id
        self.voted_directory_id = voted_directory_id
        self.applied_offset = applied_offset
        self.current_voters: Sequence[Voter] | None = [] if current_voters == () else current_voters
        self.unknown_tags = unknown_tags


_read_3i16sB = Struct(">3i16sB").unpack_from
_read_3iqB = Struct(">3iqB").unpack_from
_read_iB = Struct(">iB").unpack_from
_rows_ix = Struct(">ix").iter_unpack
_write_3i16sx = Struct(">3i16sx").pack
_write_3iqB = Struct(">3iqB").pack
_write_ix = Struct(">ix").pack


def _get_quorum_state_data_v0(buf: bytes, at: int) -> tuple[QuorumStateData, int]:
    m = new(QuorumStateData)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.cluster_id = buf[at:end].decode()
    at = end
    (m.leader_id, m.leader_epoch, m.voted_id, m.applied_offset, n) = _read_3iqB(buf, at)
    at += 21
    if n == 0:
        m.current_voters = None
    else:
        if n > 127:
            n, at = long_count(buf, at, 5)
        current_voters: list[Voter] = []
        m.current_voters = current_voters
        left_current_voters = n - 1
        if (
            left_current_voters > 4
            and buf[at + 4 : at + 5 * left_current_voters : 5] == bytes(left_current_voters)
        ):
            end = at + 5 * left_current_voters
            current_voters += map(new, repeat(Voter, left_current_voters))
            left_current_voters = 0
            for voter, values in zip(current_voters, _rows_ix(buf[at:end])):
                (voter.voter_id,) = values
                voter.unknown_tags = ()
            at = end
        while left_current_voters:
            left_current_voters -= 1
            voter = new(Voter)
            current_voters.append(voter)
            (voter.voter_id, tags) = _read_iB(buf, at)
            at += 5
            voter.unknown_tags = ()
            if tags:
                voter.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.voted_directory_id = ZERO_UUID
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_quorum_state_data_v1(buf: bytes, at: int) -> tuple[QuorumStateData, int]:
    m = new(QuorumStateData)
    (m.leader_id, m.leader_epoch, m.voted_id, m.voted_directory_id, tags) = _read_3i16sB(buf, at)
    at += 29
    m.cluster_id = ""
    m.applied_offset = 0
    m.current_voters = []
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_quorum_state_data_v0(out: Parts, m: QuorumStateData) -> None:
    if m.voted_directory_id != ZERO_UUID:
        refuse_field("voted_directory_id")
    cluster_id = m.cluster_id.encode()
    n = len(cluster_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(cluster_id)
    current_voters = m.current_voters
    n = 0 if current_voters is None else len(current_voters) + 1
    out.append(_write_3iqB(
        m.leader_id, m.leader_epoch, m.voted_id, m.applied_offset, n if n < 128 else 0,
    ))
    if n > 127:
        lengthen(out, n)
    if current_voters is not None:
        for voter in current_voters:
            out.append(_write_ix(voter.voter_id))
            if voter.unknown_tags:
                put_tags(out, [], voter.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_quorum_state_data_v1(out: Parts, m: QuorumStateData) -> None:
    if m.cluster_id != "":
        refuse_field("cluster_id")
    if m.applied_offset != 0:
        refuse_field("applied_offset")
    if m.current_voters is None or len(m.current_voters):
        refuse_field("current_voters")
    if len(m.voted_directory_id) != 16:
        refuse_uuid("voted_directory_id")
    out.append(_write_3i16sx(m.leader_id, m.leader_epoch, m.voted_id, m.voted_directory_id))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_quorum_state_data_v0, 1: _get_quorum_state_data_v1}
_PUT = {0: _put_quorum_state_data_v0, 1: _put_quorum_state_data_v1}


def decode(buf: Buffer, version: int, at: int = 0) -> QuorumStateData:
    """The QuorumStateData that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[QuorumStateData, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: QuorumStateData, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: QuorumStateData, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_VOTER_SHAPE: Shape = (
    Voter,
    (
        ("voterId", "voter_id", "int32", (0, 0), None, None, None, 0, False, (0, 1), None),
    ),
)
_QUORUM_STATE_DATA_SHAPE: Shape = (
    QuorumStateData,
    (
        ("clusterId", "cluster_id", "string", (0, 0), None, None, None, "", False, (0, 1), None),
        ("leaderId", "leader_id", "int32", (0, 1), None, None, None, -1, False, (0, 1), None),
        ("leaderEpoch", "leader_epoch", "int32", (0, 1), None, None, None, -1, False, (0, 1), None),
        ("votedId", "voted_id", "int32", (0, 1), None, None, None, -1, False, (0, 1), None),
        (
            "votedDirectoryId", "voted_directory_id", "uuid", (1, 1), None, None, None, ZERO_UUID,
            False, (0, 1), None,
        ),
        (
            "appliedOffset", "applied_offset", "int64", (0, 0), None, None, None, 0, False, (0, 1),
            None,
        ),
        (
            "currentVoters", "current_voters", "[]Voter", (0, 0), (0, 0), None, None, (), False,
            (0, 1), _VOTER_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_QUORUM_STATE_DATA_SHAPE, (0, 1), (0, 1))
