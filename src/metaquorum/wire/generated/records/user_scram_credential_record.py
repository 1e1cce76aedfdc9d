# GENERATED from schemas/records/user_scram_credential_record.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 5a14049b2723a799, generator 1.
"""Sets a user's SCRAM credential. Record type 11, versions 0, flexible from 0."""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, long_head, long_size, long_text, long_text_head, put_tags, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 11
NAME: Final = "UserScramCredentialRecord"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class UserScramCredentialRecord(Message):
    """Sets a user's SCRAM credential."""

    __slots__ = (
        "name", "mechanism", "salt", "stored_key", "server_key", "iterations", "unknown_tags",
    )

    def __init__(
        self,
        # User the credential belongs to.
        name: str = "",
        # SCRAM mechanism: 1 SCRAM-SHA-256, 2 SCRAM-SHA-512.
        mechanism: int = 0,
        # Salt of the SCRAM key derivation.
        salt: Buffer = b"",
        # Stored key of SCRAM.
        stored_key: Buffer = b"",
        # Server key of SCRAM.
        server_key: Buffer = b"",
        # Rounds of the SCRAM key derivation.
        iterations: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.mechanism = mechanism
        self.salt = salt
        self.stored_key = stored_key
        self.server_key = server_key
        self.iterations = iterations
        self.unknown_tags = unknown_tags


_read_bB = Struct(">bB").unpack_from
_read_iB = Struct(">iB").unpack_from
_write_b = Struct(">b").pack
_write_ix = Struct(">ix").pack


def _get_user_scram_credential_record_v0(
    buf: bytes, view: memoryview, at: int,
) -> tuple[UserScramCredentialRecord, int]:
    m = new(UserScramCredentialRecord)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.name = buf[at:end].decode()
    at = end
    (m.mechanism, n) = _read_bB(buf, at)
    at += 2
    if n == 0 or n > 127:
        if n and 0 < buf[at] < 128:
            n += (buf[at] << 7) - 128
            at += 1
        else:
            n, at = long_size(buf, at)
    end = at + n - 1
    m.salt = view[at:end]
    at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        if n and 0 < buf[at] < 128:
            n += (buf[at] << 7) - 128
            at += 1
        else:
            n, at = long_size(buf, at)
    end = at + n - 1
    m.stored_key = view[at:end]
    at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        if n and 0 < buf[at] < 128:
            n += (buf[at] << 7) - 128
            at += 1
        else:
            n, at = long_size(buf, at)
    end = at + n - 1
    m.server_key = view[at:end]
    at = end
    (m.iterations, tags) = _read_iB(buf, at)
    at += 5
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_user_scram_credential_record_v0(out: Parts, m: UserScramCredentialRecord) -> None:
    name = m.name.encode()
    n = len(name) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(name)
    salt = m.salt
    n = len(salt) + 1
    out.append(_write_b(m.mechanism))
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    out.append(salt)
    stored_key = m.stored_key
    n = len(stored_key) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    out.append(stored_key)
    server_key = m.server_key
    n = len(server_key) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    out.append(server_key)
    out.append(_write_ix(m.iterations))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_user_scram_credential_record_v0}
_PUT = {0: _put_user_scram_credential_record_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> UserScramCredentialRecord:
    """The UserScramCredentialRecord that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[UserScramCredentialRecord, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: UserScramCredentialRecord, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: UserScramCredentialRecord, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_USER_SCRAM_CREDENTIAL_RECORD_SHAPE: Shape = (
    UserScramCredentialRecord,
    (
        ("name", "name", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        ("mechanism", "mechanism", "int8", (0, 0), None, None, None, 0, False, (0, 0), None),
        ("salt", "salt", "bytes", (0, 0), None, None, None, b"", False, (0, 0), None),
        ("storedKey", "stored_key", "bytes", (0, 0), None, None, None, b"", False, (0, 0), None),
        ("serverKey", "server_key", "bytes", (0, 0), None, None, None, b"", False, (0, 0), None),
        ("iterations", "iterations", "int32", (0, 0), None, None, None, 0, False, (0, 0), None),
    ),
)
SHAPE: Shape = (_USER_SCRAM_CREDENTIAL_RECORD_SHAPE, (0, 0), (0, 0))
