# GENERATED from schemas/alter_user_scram_credentials_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 15ae7c318097680c, generator 1.
"""Deletes and sets SCRAM credentials of users (KIP-554). Api key 51, versions 0, flexible from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, long_count, long_head, long_size, long_text, long_text_head, put_tags, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 51
NAME: Final = "AlterUserScramCredentialsRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class ScramCredentialDeletion(Message):
    """Credentials to delete."""

    __slots__ = ("name", "mechanism", "unknown_tags")

    def __init__(
        self,
        # Name of the user.
        name: str = "",
        # SCRAM mechanism: 1 SCRAM-SHA-256, 2 SCRAM-SHA-512.
        mechanism: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.mechanism = mechanism
        self.unknown_tags = unknown_tags


class ScramCredentialUpsertion(Message):
    """Credentials to create or replace."""

    __slots__ = ("name", "mechanism", "iterations", "salt", "salted_password", "unknown_tags")

    def __init__(
        self,
        # Name of the user.
        name: str = "",
        # SCRAM mechanism: 1 SCRAM-SHA-256, 2 SCRAM-SHA-512.
        mechanism: int = 0,
        # Rounds of the SCRAM key derivation.
        iterations: int = 0,
        # Salt of the SCRAM key derivation.
        salt: Buffer = b"",
        # Password after the SCRAM key derivation.
        salted_password: Buffer = b"",
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.mechanism = mechanism
        self.iterations = iterations
        self.salt = salt
        self.salted_password = salted_password
        self.unknown_tags = unknown_tags


class AlterUserScramCredentialsRequest(Message):
    """Deletes and sets SCRAM credentials of users (KIP-554)."""

    __slots__ = ("deletions", "upsertions", "unknown_tags")

    def __init__(
        self,
        # Credentials to delete.
        deletions: Sequence[ScramCredentialDeletion] = (),
        # Credentials to create or replace.
        upsertions: Sequence[ScramCredentialUpsertion] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.deletions: Sequence[ScramCredentialDeletion] = [] if deletions == () else deletions
        self.upsertions: Sequence[ScramCredentialUpsertion] = [] if upsertions == () else upsertions
        self.unknown_tags = unknown_tags


_read_bB = Struct(">bB").unpack_from
_read_biB = Struct(">biB").unpack_from
_write_bi = Struct(">bi").pack
_write_bx = Struct(">bx").pack


def _get_alter_user_scram_credentials_request_v0(
    buf: bytes, view: memoryview, at: int,
) -> tuple[AlterUserScramCredentialsRequest, int]:
    m = new(AlterUserScramCredentialsRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    deletions: list[ScramCredentialDeletion] = []
    m.deletions = deletions
    left_deletions = n - 1
    while left_deletions:
        left_deletions -= 1
        credential_deletion = new(ScramCredentialDeletion)
        deletions.append(credential_deletion)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        credential_deletion.name = buf[at:end].decode()
        at = end
        (credential_deletion.mechanism, tags) = _read_bB(buf, at)
        at += 2
        credential_deletion.unknown_tags = ()
        if tags:
            credential_deletion.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 9)
    upsertions: list[ScramCredentialUpsertion] = []
    m.upsertions = upsertions
    left_upsertions = n - 1
    while left_upsertions:
        left_upsertions -= 1
        credential_upsertion = new(ScramCredentialUpsertion)
        upsertions.append(credential_upsertion)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        credential_upsertion.name = buf[at:end].decode()
        at = end
        (credential_upsertion.mechanism, credential_upsertion.iterations, n) = _read_biB(buf, at)
        at += 6
        if n == 0 or n > 127:
            if n and 0 < buf[at] < 128:
                n += (buf[at] << 7) - 128
                at += 1
            else:
                n, at = long_size(buf, at)
        end = at + n - 1
        credential_upsertion.salt = view[at:end]
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
        credential_upsertion.salted_password = view[at:end]
        at = end
        tags = buf[at]
        at += 1
        credential_upsertion.unknown_tags = ()
        if tags:
            credential_upsertion.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_alter_user_scram_credentials_request_v0(
    out: Parts, m: AlterUserScramCredentialsRequest,
) -> None:
    deletions = m.deletions
    n = len(deletions) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for credential_deletion in deletions:
        name = credential_deletion.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        out.append(_write_bx(credential_deletion.mechanism))
        if credential_deletion.unknown_tags:
            put_tags(out, [], credential_deletion.unknown_tags)
    upsertions = m.upsertions
    n = len(upsertions) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for credential_upsertion in upsertions:
        name_ = credential_upsertion.name.encode()
        n = len(name_) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name_)
        salt = credential_upsertion.salt
        n = len(salt) + 1
        out.append(_write_bi(credential_upsertion.mechanism, credential_upsertion.iterations))
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        out.append(salt)
        salted_password = credential_upsertion.salted_password
        n = len(salted_password) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        out.append(salted_password)
        out.append(b"\0")
        if credential_upsertion.unknown_tags:
            put_tags(out, [], credential_upsertion.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_alter_user_scram_credentials_request_v0}
_PUT = {0: _put_alter_user_scram_credentials_request_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> AlterUserScramCredentialsRequest:
    """The AlterUserScramCredentialsRequest that begins at ``at``, in this version; what follows it
    is ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[AlterUserScramCredentialsRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: AlterUserScramCredentialsRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: AlterUserScramCredentialsRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_SCRAM_CREDENTIAL_DELETION_SHAPE: Shape = (
    ScramCredentialDeletion,
    (
        ("name", "name", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        ("mechanism", "mechanism", "int8", (0, 0), None, None, None, 0, False, (0, 0), None),
    ),
)
_SCRAM_CREDENTIAL_UPSERTION_SHAPE: Shape = (
    ScramCredentialUpsertion,
    (
        ("name", "name", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        ("mechanism", "mechanism", "int8", (0, 0), None, None, None, 0, False, (0, 0), None),
        ("iterations", "iterations", "int32", (0, 0), None, None, None, 0, False, (0, 0), None),
        ("salt", "salt", "bytes", (0, 0), None, None, None, b"", False, (0, 0), None),
        (
            "saltedPassword", "salted_password", "bytes", (0, 0), None, None, None, b"", False,
            (0, 0), None,
        ),
    ),
)
_ALTER_USER_SCRAM_CREDENTIALS_REQUEST_SHAPE: Shape = (
    AlterUserScramCredentialsRequest,
    (
        (
            "deletions", "deletions", "[]ScramCredentialDeletion", (0, 0), None, None, None, (),
            False, (0, 0), _SCRAM_CREDENTIAL_DELETION_SHAPE,
        ),
        (
            "upsertions", "upsertions", "[]ScramCredentialUpsertion", (0, 0), None, None, None, (),
            False, (0, 0), _SCRAM_CREDENTIAL_UPSERTION_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_ALTER_USER_SCRAM_CREDENTIALS_REQUEST_SHAPE, (0, 0), (0, 0))
