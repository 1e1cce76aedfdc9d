# GENERATED from schemas/update_metadata_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 284441ecaf7decf3, generator 1.
"""Says whether the broker took the news. Api key 6, versions 0-8, flexible from 6."""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, Buffer, Parts, Tags, decode_failure, encode_failure, get_tags,
    joined, put_tags, refuse_field, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 6
NAME: Final = "UpdateMetadataResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 8
FLEXIBLE_FROM: Final[int | None] = 6


class UpdateMetadataResponse(Message):
    """Says whether the broker took the news."""

    __slots__ = ("error_code", "unknown_tags")

    def __init__(
        self,
        # Error of the whole request; 0 for none.
        error_code: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.error_code = error_code
        self.unknown_tags = unknown_tags


_read_h = Struct(">h").unpack_from
_read_hB = Struct(">hB").unpack_from
_write_h = Struct(">h").pack
_write_hx = Struct(">hx").pack


def _get_update_metadata_response_v0(buf: bytes, at: int) -> tuple[UpdateMetadataResponse, int]:
    m = new(UpdateMetadataResponse)
    (m.error_code,) = _read_h(buf, at)
    at += 2
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_update_metadata_response_v6(buf: bytes, at: int) -> tuple[UpdateMetadataResponse, int]:
    m = new(UpdateMetadataResponse)
    (m.error_code, tags) = _read_hB(buf, at)
    at += 3
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_update_metadata_response_v0(out: Parts, m: UpdateMetadataResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    out.append(_write_h(m.error_code))


def _put_update_metadata_response_v6(out: Parts, m: UpdateMetadataResponse) -> None:
    out.append(_write_hx(m.error_code))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_update_metadata_response_v0, 1: _get_update_metadata_response_v0,
    2: _get_update_metadata_response_v0, 3: _get_update_metadata_response_v0,
    4: _get_update_metadata_response_v0, 5: _get_update_metadata_response_v0,
    6: _get_update_metadata_response_v6, 7: _get_update_metadata_response_v6,
    8: _get_update_metadata_response_v6,
}
_PUT = {
    0: _put_update_metadata_response_v0, 1: _put_update_metadata_response_v0,
    2: _put_update_metadata_response_v0, 3: _put_update_metadata_response_v0,
    4: _put_update_metadata_response_v0, 5: _put_update_metadata_response_v0,
    6: _put_update_metadata_response_v6, 7: _put_update_metadata_response_v6,
    8: _put_update_metadata_response_v6,
}


def decode(buf: Buffer, version: int, at: int = 0) -> UpdateMetadataResponse:
    """The UpdateMetadataResponse that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[UpdateMetadataResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: UpdateMetadataResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: UpdateMetadataResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_UPDATE_METADATA_RESPONSE_SHAPE: Shape = (
    UpdateMetadataResponse,
    (
        ("errorCode", "error_code", "int16", (0, 8), None, None, None, 0, False, (6, 8), None),
    ),
)
SHAPE: Shape = (_UPDATE_METADATA_RESPONSE_SHAPE, (0, 8), (6, 8))
