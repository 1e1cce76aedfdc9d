# GENERATED from schemas/records/remove_user_scram_credential_record.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 4bf8c5321d914b87, generator 1.
"""Removes a user's SCRAM credential. Record type 22, versions 0, flexible from 0."""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, long_text, long_text_head, put_tags, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 22
NAME: Final = "RemoveUserScramCredentialRecord"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class RemoveUserScramCredentialRecord(Message):
    """Removes a user's SCRAM credential."""

    __slots__ = ("name", "mechanism", "unknown_tags")

    def __init__(
        self,
        # User whose credential is removed.
        name: str = "",
        # SCRAM mechanism: 1 SCRAM-SHA-256, 2 SCRAM-SHA-512.
        mechanism: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.mechanism = mechanism
        self.unknown_tags = unknown_tags


_read_bB = Struct(">bB").unpack_from
_write_bx = Struct(">bx").pack


def _get_remove_user_scram_credential_record_v0(
    buf: bytes, at: int,
) -> tuple[RemoveUserScramCredentialRecord, int]:
    m = new(RemoveUserScramCredentialRecord)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.name = buf[at:end].decode()
    at = end
    (m.mechanism, tags) = _read_bB(buf, at)
    at += 2
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_remove_user_scram_credential_record_v0(
    out: Parts, m: RemoveUserScramCredentialRecord,
) -> None:
    name = m.name.encode()
    n = len(name) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(name)
    out.append(_write_bx(m.mechanism))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_remove_user_scram_credential_record_v0}
_PUT = {0: _put_remove_user_scram_credential_record_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> RemoveUserScramCredentialRecord:
    """The RemoveUserScramCredentialRecord that begins at ``at``, in this version; what follows it
    is ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[RemoveUserScramCredentialRecord, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: RemoveUserScramCredentialRecord, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: RemoveUserScramCredentialRecord, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_REMOVE_USER_SCRAM_CREDENTIAL_RECORD_SHAPE: Shape = (
    RemoveUserScramCredentialRecord,
    (
        ("name", "name", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        ("mechanism", "mechanism", "int8", (0, 0), None, None, None, 0, False, (0, 0), None),
    ),
)
SHAPE: Shape = (_REMOVE_USER_SCRAM_CREDENTIAL_RECORD_SHAPE, (0, 0), (0, 0))
