# GENERATED from schemas/records/feature_level_record.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 1b58aa36ef9ba28e, generator 1.
"""Sets the level of a feature in force across the cluster. Record type 12, versions 0, flexible
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

API_KEY: Final = 12
NAME: Final = "FeatureLevelRecord"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class FeatureLevelRecord(Message):
    """Sets the level of a feature in force across the cluster."""

    __slots__ = ("name", "feature_level", "unknown_tags")

    def __init__(
        self,
        # Name of the feature.
        name: str = "",
        # Level that is in force from here on; 0 removes the feature.
        feature_level: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.feature_level = feature_level
        self.unknown_tags = unknown_tags


_read_hB = Struct(">hB").unpack_from
_write_hx = Struct(">hx").pack


def _get_feature_level_record_v0(buf: bytes, at: int) -> tuple[FeatureLevelRecord, int]:
    m = new(FeatureLevelRecord)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.name = buf[at:end].decode()
    at = end
    (m.feature_level, tags) = _read_hB(buf, at)
    at += 3
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_feature_level_record_v0(out: Parts, m: FeatureLevelRecord) -> None:
    name = m.name.encode()
    n = len(name) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(name)
    out.append(_write_hx(m.feature_level))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_feature_level_record_v0}
_PUT = {0: _put_feature_level_record_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> FeatureLevelRecord:
    """The FeatureLevelRecord that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[FeatureLevelRecord, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: FeatureLevelRecord, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: FeatureLevelRecord, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_FEATURE_LEVEL_RECORD_SHAPE: Shape = (
    FeatureLevelRecord,
    (
        ("name", "name", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        (
            "featureLevel", "feature_level", "int16", (0, 0), None, None, None, 0, False, (0, 0),
            None,
        ),
    ),
)
SHAPE: Shape = (_FEATURE_LEVEL_RECORD_SHAPE, (0, 0), (0, 0))
