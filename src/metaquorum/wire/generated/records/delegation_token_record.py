# GENERATED from schemas/records/delegation_token_record.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 8d9d5083fac31158, generator 1.
"""Adds or renews a delegation token. Record type 10, versions 0, flexible from 0."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_compact_texts, get_tags, joined, lengthen_text, long_count, long_head, long_text,
    long_text_head, put_compact_texts, put_tags, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 10
NAME: Final = "DelegationTokenRecord"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class DelegationTokenRecord(Message):
    """Adds or renews a delegation token."""

    __slots__ = (
        "owner", "requester", "renewers", "issue_timestamp", "max_timestamp",
        "expiration_timestamp", "token_id", "unknown_tags",
    )

    def __init__(
        self,
        # Principal that owns the token.
        owner: str = "",
        # Principal that asked for the token.
        requester: str = "",
        # Principals that may renew the token.
        renewers: Sequence[str] = (),
        # Milliseconds since 1970 at which the token was issued.
        issue_timestamp: int = 0,
        # Milliseconds since 1970 beyond which the token cannot be renewed.
        max_timestamp: int = 0,
        # Milliseconds since 1970 at which the token expires unless renewed.
        expiration_timestamp: int = 0,
        # Id of the delegation token.
        token_id: str = "",
        unknown_tags: Tags = (),
    ) -> None:
        self.owner = owner
        self.requester = requester
        self.renewers: Sequence[str] = [] if renewers == () else renewers
        self.issue_timestamp = issue_timestamp
        self.max_timestamp = max_timestamp
        self.expiration_timestamp = expiration_timestamp
        self.token_id = token_id
        self.unknown_tags = unknown_tags


_read_3qB = Struct(">3qB").unpack_from
_write_3qB = Struct(">3qB").pack


def _get_delegation_token_record_v0(buf: bytes, at: int) -> tuple[DelegationTokenRecord, int]:
    m = new(DelegationTokenRecord)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.owner = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.requester = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 1)
    m.renewers, at = get_compact_texts(buf, at, n - 1)
    (m.issue_timestamp, m.max_timestamp, m.expiration_timestamp, n) = _read_3qB(buf, at)
    at += 25
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


def _put_delegation_token_record_v0(out: Parts, m: DelegationTokenRecord) -> None:
    owner = m.owner.encode()
    n = len(owner) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(owner)
    requester = m.requester.encode()
    n = len(requester) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(requester)
    renewers = m.renewers
    n = len(renewers) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    put_compact_texts(out, renewers)
    token_id = m.token_id.encode()
    n = len(token_id) + 1
    out.append(_write_3qB(
        m.issue_timestamp, m.max_timestamp, m.expiration_timestamp, n if n < 128 else 0,
    ))
    if n > 127:
        lengthen_text(out, n)
    out.append(token_id)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_delegation_token_record_v0}
_PUT = {0: _put_delegation_token_record_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> DelegationTokenRecord:
    """The DelegationTokenRecord that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[DelegationTokenRecord, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: DelegationTokenRecord, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: DelegationTokenRecord, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_DELEGATION_TOKEN_RECORD_SHAPE: Shape = (
    DelegationTokenRecord,
    (
        ("owner", "owner", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        ("requester", "requester", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        ("renewers", "renewers", "[]string", (0, 0), None, None, None, (), False, (0, 0), None),
        (
            "issueTimestamp", "issue_timestamp", "int64", (0, 0), None, None, None, 0, False,
            (0, 0), None,
        ),
        (
            "maxTimestamp", "max_timestamp", "int64", (0, 0), None, None, None, 0, False, (0, 0),
            None,
        ),
        (
            "expirationTimestamp", "expiration_timestamp", "int64", (0, 0), None, None, None, 0,
            False, (0, 0), None,
        ),
        ("tokenId", "token_id", "string", (0, 0), None, None, None, "", False, (0, 0), None),
    ),
)
SHAPE: Shape = (_DELEGATION_TOKEN_RECORD_SHAPE, (0, 0), (0, 0))
