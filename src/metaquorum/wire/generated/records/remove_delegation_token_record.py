# GENERATED from schemas/records/remove_delegation_token_record.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 a5a83de08e461cad, generator 1.
"""Removes a delegation token. Record type 26, versions 0, flexible from 0."""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, long_text, long_text_head, put_tags, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 26
NAME: Final = "RemoveDelegationTokenRecord"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class RemoveDelegationTokenRecord(Message):
    """Removes a delegation token."""

    __slots__ = ("token_id", "unknown_tags")

    def __init__(
        self,
        # Id of the delegation token.
        token_id: str = "",
        unknown_tags: Tags = (),
    ) -> None:
        self.token_id = token_id
        self.unknown_tags = unknown_tags




def _get_remove_delegation_token_record_v0(
    buf: bytes, at: int,
) -> tuple[RemoveDelegationTokenRecord, int]:
    m = new(RemoveDelegationTokenRecord)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.token_id = buf[at:end].decode()
    at = end
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_remove_delegation_token_record_v0(out: Parts, m: RemoveDelegationTokenRecord) -> None:
    token_id = m.token_id.encode()
    n = len(token_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(token_id)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_remove_delegation_token_record_v0}
_PUT = {0: _put_remove_delegation_token_record_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> RemoveDelegationTokenRecord:
    """The RemoveDelegationTokenRecord that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[RemoveDelegationTokenRecord, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: RemoveDelegationTokenRecord, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: RemoveDelegationTokenRecord, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_REMOVE_DELEGATION_TOKEN_RECORD_SHAPE: Shape = (
    RemoveDelegationTokenRecord,
    (
        ("tokenId", "token_id", "string", (0, 0), None, None, None, "", False, (0, 0), None),
    ),
)
SHAPE: Shape = (_REMOVE_DELEGATION_TOKEN_RECORD_SHAPE, (0, 0), (0, 0))
