# GENERATED from schemas/leader_change_message.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 72344013fbdac602, generator 1.
"""Control record that a leader of the quorum writes first in its epoch (KIP-595). Versions 0-1,
flexible from 0.
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
    get_tags, joined, lengthen, long_count, long_head, put_tags, refuse_field, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

NAME: Final = "LeaderChangeMessage"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 1
FLEXIBLE_FROM: Final[int | None] = 0


class Voter(Message):
    """One voter."""

    __slots__ = ("voter_id", "voter_directory_id", "unknown_tags")

    def __init__(
        self,
        # Node of the voter.
        voter_id: int = 0,
        # Log directory of the voter; zeros when unknown. (v1+)
        voter_directory_id: bytes = ZERO_UUID,
        unknown_tags: Tags = (),
    ) -> None:
        self.voter_id = voter_id
        self.voter_directory_id = voter_directory_id
        self.unknown_tags = unknown_tags


class LeaderChangeMessage(Message):
    """Control record that a leader of the quorum writes first in its epoch (KIP-595)."""

    __slots__ = ("version", "leader_id", "voters", "granting_voters", "unknown_tags")

    def __init__(
        self,
        # Layout of this message.
        version: int = 0,
        # Node that now leads the quorum.
        leader_id: int = 0,
        # Voters of the quorum at that moment.
        voters: Sequence[Voter] = (),
        # Voters that voted for the leader.
        granting_voters: Sequence[Voter] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.version = version
        self.leader_id = leader_id
        self.voters: Sequence[Voter] = [] if voters == () else voters
        self.granting_voters: Sequence[Voter] = [] if granting_voters == () else granting_voters
        self.unknown_tags = unknown_tags


_read_hiB = Struct(">hiB").unpack_from
_read_i16sB = Struct(">i16sB").unpack_from
_read_iB = Struct(">iB").unpack_from
_rows_i16sx = Struct(">i16sx").iter_unpack
_rows_ix = Struct(">ix").iter_unpack
_write_hiB = Struct(">hiB").pack
_write_i16sx = Struct(">i16sx").pack
_write_ix = Struct(">ix").pack


def _get_leader_change_message_v0(buf: bytes, at: int) -> tuple[LeaderChangeMessage, int]:
    m = new(LeaderChangeMessage)
    (m.version, m.leader_id, n) = _read_hiB(buf, at)
    at += 7
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 5)
    voters: list[Voter] = []
    m.voters = voters
    left_voters = n - 1
    if left_voters > 4 and buf[at + 4 : at + 5 * left_voters : 5] == bytes(left_voters):
        end = at + 5 * left_voters
        voters += map(new, repeat(Voter, left_voters))
        left_voters = 0
        for voter, values in zip(voters, _rows_ix(buf[at:end])):
            (voter.voter_id,) = values
            voter.voter_directory_id = ZERO_UUID
            voter.unknown_tags = ()
        at = end
    while left_voters:
        left_voters -= 1
        voter = new(Voter)
        voters.append(voter)
        (voter.voter_id, tags) = _read_iB(buf, at)
        at += 5
        voter.voter_directory_id = ZERO_UUID
        voter.unknown_tags = ()
        if tags:
            voter.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 5)
    granting_voters: list[Voter] = []
    m.granting_voters = granting_voters
    left_granting_voters = n - 1
    if (
        left_granting_voters > 4
        and buf[at + 4 : at + 5 * left_granting_voters : 5] == bytes(left_granting_voters)
    ):
        end = at + 5 * left_granting_voters
        granting_voters += map(new, repeat(Voter, left_granting_voters))
        left_granting_voters = 0
        for voter_, values in zip(granting_voters, _rows_ix(buf[at:end])):
            (voter_.voter_id,) = values
            voter_.voter_directory_id = ZERO_UUID
            voter_.unknown_tags = ()
        at = end
    while left_granting_voters:
        left_granting_voters -= 1
        voter_ = new(Voter)
        granting_voters.append(voter_)
        (voter_.voter_id, tags) = _read_iB(buf, at)
        at += 5
        voter_.voter_directory_id = ZERO_UUID
        voter_.unknown_tags = ()
        if tags:
            voter_.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_leader_change_message_v1(buf: bytes, at: int) -> tuple[LeaderChangeMessage, int]:
    m = new(LeaderChangeMessage)
    (m.version, m.leader_id, n) = _read_hiB(buf, at)
    at += 7
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 21)
    voters: list[Voter] = []
    m.voters = voters
    left_voters = n - 1
    if left_voters > 4 and buf[at + 20 : at + 21 * left_voters : 21] == bytes(left_voters):
        end = at + 21 * left_voters
        voters += map(new, repeat(Voter, left_voters))
        left_voters = 0
        for voter, values in zip(voters, _rows_i16sx(buf[at:end])):
            (voter.voter_id, voter.voter_directory_id) = values
            voter.unknown_tags = ()
        at = end
    while left_voters:
        left_voters -= 1
        voter = new(Voter)
        voters.append(voter)
        (voter.voter_id, voter.voter_directory_id, tags) = _read_i16sB(buf, at)
        at += 21
        voter.unknown_tags = ()
        if tags:
            voter.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 21)
    granting_voters: list[Voter] = []
    m.granting_voters = granting_voters
    left_granting_voters = n - 1
    if (
        left_granting_voters > 4
        and buf[at + 20 : at + 21 * left_granting_voters : 21] == bytes(left_granting_voters)
    ):
        end = at + 21 * left_granting_voters
        granting_voters += map(new, repeat(Voter, left_granting_voters))
        left_granting_voters = 0
        for voter_, values in zip(granting_voters, _rows_i16sx(buf[at:end])):
            (voter_.voter_id, voter_.voter_directory_id) = values
            voter_.unknown_tags = ()
        at = end
    while left_granting_voters:
        left_granting_voters -= 1
        voter_ = new(Voter)
        granting_voters.append(voter_)
        (voter_.voter_id, voter_.voter_directory_id, tags) = _read_i16sB(buf, at)
        at += 21
        voter_.unknown_tags = ()
        if tags:
            voter_.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_leader_change_message_v0(out: Parts, m: LeaderChangeMessage) -> None:
    voters = m.voters
    n = len(voters) + 1
    out.append(_write_hiB(m.version, m.leader_id, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for voter in voters:
        if voter.voter_directory_id != ZERO_UUID:
            refuse_field("voter_directory_id")
        out.append(_write_ix(voter.voter_id))
        if voter.unknown_tags:
            put_tags(out, [], voter.unknown_tags)
    granting_voters = m.granting_voters
    n = len(granting_voters) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for voter_ in granting_voters:
        if voter_.voter_directory_id != ZERO_UUID:
            refuse_field("voter_directory_id")
        out.append(_write_ix(voter_.voter_id))
        if voter_.unknown_tags:
            put_tags(out, [], voter_.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_leader_change_message_v1(out: Parts, m: LeaderChangeMessage) -> None:
    voters = m.voters
    n = len(voters) + 1
    out.append(_write_hiB(m.version, m.leader_id, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for voter in voters:
        if len(voter.voter_directory_id) != 16:
            refuse_uuid("voter_directory_id")
        out.append(_write_i16sx(voter.voter_id, voter.voter_directory_id))
        if voter.unknown_tags:
            put_tags(out, [], voter.unknown_tags)
    granting_voters = m.granting_voters
    n = len(granting_voters) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for voter_ in granting_voters:
        if len(voter_.voter_directory_id) != 16:
            refuse_uuid("voter_directory_id")
        out.append(_write_i16sx(voter_.voter_id, voter_.voter_directory_id))
        if voter_.unknown_tags:
            put_tags(out, [], voter_.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_leader_change_message_v0, 1: _get_leader_change_message_v1}
_PUT = {0: _put_leader_change_message_v0, 1: _put_leader_change_message_v1}


def decode(buf: Buffer, version: int, at: int = 0) -> LeaderChangeMessage:
    """The LeaderChangeMessage that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[LeaderChangeMessage, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: LeaderChangeMessage, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: LeaderChangeMessage, version: int) -> None:
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
        ("voterId", "voter_id", "int32", (0, 1), None, None, None, 0, False, (0, 1), None),
        (
            "voterDirectoryId", "voter_directory_id", "uuid", (1, 1), None, None, None, ZERO_UUID,
            False, (0, 1), None,
        ),
    ),
)
_LEADER_CHANGE_MESSAGE_SHAPE: Shape = (
    LeaderChangeMessage,
    (
        ("version", "version", "int16", (0, 1), None, None, None, 0, False, (0, 1), None),
        ("leaderId", "leader_id", "int32", (0, 1), None, None, None, 0, False, (0, 1), None),
        ("voters", "voters", "[]Voter", (0, 1), None, None, None, (), False, (0, 1), _VOTER_SHAPE),
        (
            "grantingVoters", "granting_voters", "[]Voter", (0, 1), None, None, None, (), False,
            (0, 1), _VOTER_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_LEADER_CHANGE_MESSAGE_SHAPE, (0, 1), (0, 1))
