# GENERATED from schemas/default_principal_data.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 f94573e194348f8b, generator 1.
"""A principal as a broker sends it along with a forwarded request (KIP-590). Versions 0, flexible
from 0.
"""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, long_text, long_text_head, put_tags, whole,
)
from metaquorum.wire.shape import Shape

NAME: Final = "DefaultPrincipalData"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class DefaultPrincipalData(Message):
    """A principal as a broker sends it along with a forwarded request (KIP-590)."""

    __slots__ = ("type", "name", "token_authenticated", "unknown_tags")

    def __init__(
        self,
        # Type of the principal, such as User.
        type: str = "",
        # Name of the principal.
        name: str = "",
        # True when a delegation token proved the principal.
        token_authenticated: bool = False,
        unknown_tags: Tags = (),
    ) -> None:
        self.type = type
        self.name = name
        self.token_authenticated = token_authenticated
        self.unknown_tags = unknown_tags


_read_tB = Struct(">?B").unpack_from
_write_tx = Struct(">?x").pack


def _get_default_principal_data_v0(buf: bytes, at: int) -> tuple[DefaultPrincipalData, int]:
    m = new(DefaultPrincipalData)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.type = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.name = buf[at:end].decode()
    at = end
    (m.token_authenticated, tags) = _read_tB(buf, at)
    at += 2
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_default_principal_data_v0(out: Parts, m: DefaultPrincipalData) -> None:
    type = m.type.encode()
    n = len(type) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(type)
    name = m.name.encode()
    n = len(name) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(name)
    out.append(_write_tx(m.token_authenticated))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_default_principal_data_v0}
_PUT = {0: _put_default_principal_data_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> DefaultPrincipalData:
    """The DefaultPrincipalData that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[DefaultPrincipalData, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: DefaultPrincipalData, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: DefaultPrincipalData, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_DEFAULT_PRINCIPAL_DATA_SHAPE: Shape = (
    DefaultPrincipalData,
    (
        ("type", "type", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        ("name", "name", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        (
            "tokenAuthenticated", "token_authenticated", "bool", (0, 0), None, None, None, False,
            False, (0, 0), None,
        ),
    ),
)
SHAPE: Shape = (_DEFAULT_PRINCIPAL_DATA_SHAPE, (0, 0), (0, 0))
