# GENERATED from schemas/remove_raft_voter_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 399ef6fb5f95f391, generator 1.
"""Removes a voter from the metadata quorum (KIP-853). Api key 81, versions 0, flexible from 0."""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, long_text, long_text_head, put_tags, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 81
NAME: Final = "RemoveRaftVoterRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class RemoveRaftVoterRequest(Message):
    """Removes a voter from the metadata quorum (KIP-853)."""

    __slots__ = ("cluster_id", "voter_id", "voter_directory_id", "unknown_tags")

    def __init__(
        self,
        # Cluster the sender belongs to; null when it does not know, and then unchecked.
        cluster_id: str | None = "",
        # Node to remove.
        voter_id: int = 0,
        # Log directory of the voter to remove.
        voter_directory_id: bytes = ZERO_UUID,
        unknown_tags: Tags = (),
    ) -> None:
        self.cluster_id = cluster_id
        self.voter_id = voter_id
        self.voter_directory_id = voter_directory_id
        self.unknown_tags = unknown_tags


_read_i16sB = Struct(">i16sB").unpack_from
_write_i16sx = Struct(">i16sx").pack


def _get_remove_raft_voter_request_v0(buf: bytes, at: int) -> tuple[RemoveRaftVoterRequest, int]:
    m = new(RemoveRaftVoterRequest)
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
    (m.voter_id, m.voter_directory_id, tags) = _read_i16sB(buf, at)
    at += 21
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_remove_raft_voter_request_v0(out: Parts, m: RemoveRaftVoterRequest) -> None:
    cluster_id = b"" if m.cluster_id is None else m.cluster_id.encode()
    n = 0 if m.cluster_id is None else len(cluster_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(cluster_id)
    if len(m.voter_directory_id) != 16:
        refuse_uuid("voter_directory_id")
    out.append(_write_i16sx(m.voter_id, m.voter_directory_id))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_remove_raft_voter_request_v0}
_PUT = {0: _put_remove_raft_voter_request_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> RemoveRaftVoterRequest:
    """The RemoveRaftVoterRequest that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[RemoveRaftVoterRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: RemoveRaftVoterRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: RemoveRaftVoterRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_REMOVE_RAFT_VOTER_REQUEST_SHAPE: Shape = (
    RemoveRaftVoterRequest,
    (
        ("clusterId", "cluster_id", "string", (0, 0), (0, 0), None, None, "", False, (0, 0), None),
        ("voterId", "voter_id", "int32", (0, 0), None, None, None, 0, False, (0, 0), None),
        (
            "voterDirectoryId", "voter_directory_id", "uuid", (0, 0), None, None, None, ZERO_UUID,
            False, (0, 0), None,
        ),
    ),
)
SHAPE: Shape = (_REMOVE_RAFT_VOTER_REQUEST_SHAPE, (0, 0), (0, 0))
