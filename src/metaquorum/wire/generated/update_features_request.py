# GENERATED from schemas/update_features_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 6b6854c376c63fe2, generator 1.
"""Changes levels of features in force across the cluster (KIP-584). Api key 57, versions 0-2,
flexible from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, lengthen, long_count, long_text, long_text_head, put_tags, refuse_field,
    whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 57
NAME: Final = "UpdateFeaturesRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 2
FLEXIBLE_FROM: Final[int | None] = 0


class FeatureUpdateKey(Message):
    """Features to change."""

    __slots__ = ("feature", "max_version_level", "allow_downgrade", "upgrade_type", "unknown_tags")

    def __init__(
        self,
        # Name of the feature to change.
        feature: str = "",
        # New level; below 1 removes the feature.
        max_version_level: int = 0,
        # True to permit a lower level than the present one. (v0)
        allow_downgrade: bool = False,
        # 1 upgrade, 2 safe downgrade, 3 unsafe downgrade. (v1+)
        upgrade_type: int = 1,
        unknown_tags: Tags = (),
    ) -> None:
        self.feature = feature
        self.max_version_level = max_version_level
        self.allow_downgrade = allow_downgrade
        self.upgrade_type = upgrade_type
        self.unknown_tags = unknown_tags


class UpdateFeaturesRequest(Message):
    """Changes levels of features in force across the cluster (KIP-584)."""

    __slots__ = ("timeout_ms", "feature_updates", "validate_only", "unknown_tags")

    def __init__(
        self,
        # Milliseconds the server may take.
        timeout_ms: int = 60000,
        # Features to change.
        feature_updates: Sequence[FeatureUpdateKey] = (),
        # True to check the changes without making them. (v1+)
        validate_only: bool = False,
        unknown_tags: Tags = (),
    ) -> None:
        self.timeout_ms = timeout_ms
        self.feature_updates: Sequence[FeatureUpdateKey] = (
            [] if feature_updates == () else feature_updates
        )
        self.validate_only = validate_only
        self.unknown_tags = unknown_tags


_read_tB = Struct(">?B").unpack_from
_read_htB = Struct(">h?B").unpack_from
_read_hbB = Struct(">hbB").unpack_from
_read_iB = Struct(">iB").unpack_from
_write_tx = Struct(">?x").pack
_write_htx = Struct(">h?x").pack
_write_hbx = Struct(">hbx").pack
_write_iB = Struct(">iB").pack


def _get_update_features_request_v0(buf: bytes, at: int) -> tuple[UpdateFeaturesRequest, int]:
    m = new(UpdateFeaturesRequest)
    (m.timeout_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 5)
    feature_updates: list[FeatureUpdateKey] = []
    m.feature_updates = feature_updates
    left_feature_updates = n - 1
    while left_feature_updates:
        left_feature_updates -= 1
        feature_update_key = new(FeatureUpdateKey)
        feature_updates.append(feature_update_key)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        feature_update_key.feature = buf[at:end].decode()
        at = end
        (
            feature_update_key.max_version_level, feature_update_key.allow_downgrade, tags,
        ) = _read_htB(buf, at)
        at += 4
        feature_update_key.upgrade_type = 1
        feature_update_key.unknown_tags = ()
        if tags:
            feature_update_key.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.validate_only = False
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_update_features_request_v1(buf: bytes, at: int) -> tuple[UpdateFeaturesRequest, int]:
    m = new(UpdateFeaturesRequest)
    (m.timeout_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 5)
    feature_updates: list[FeatureUpdateKey] = []
    m.feature_updates = feature_updates
    left_feature_updates = n - 1
    while left_feature_updates:
        left_feature_updates -= 1
        feature_update_key = new(FeatureUpdateKey)
        feature_updates.append(feature_update_key)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        feature_update_key.feature = buf[at:end].decode()
        at = end
        (
            feature_update_key.max_version_level, feature_update_key.upgrade_type, tags,
        ) = _read_hbB(buf, at)
        at += 4
        feature_update_key.allow_downgrade = False
        feature_update_key.unknown_tags = ()
        if tags:
            feature_update_key.unknown_tags, at = get_tags(buf, at - 1)
    (m.validate_only, tags) = _read_tB(buf, at)
    at += 2
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_update_features_request_v0(out: Parts, m: UpdateFeaturesRequest) -> None:
    if m.validate_only:
        refuse_field("validate_only")
    feature_updates = m.feature_updates
    n = len(feature_updates) + 1
    out.append(_write_iB(m.timeout_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for feature_update_key in feature_updates:
        if feature_update_key.upgrade_type != 1:
            refuse_field("upgrade_type")
        feature = feature_update_key.feature.encode()
        n = len(feature) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(feature)
        out.append(_write_htx(
            feature_update_key.max_version_level, feature_update_key.allow_downgrade,
        ))
        if feature_update_key.unknown_tags:
            put_tags(out, [], feature_update_key.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_update_features_request_v1(out: Parts, m: UpdateFeaturesRequest) -> None:
    feature_updates = m.feature_updates
    n = len(feature_updates) + 1
    out.append(_write_iB(m.timeout_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for feature_update_key in feature_updates:
        if feature_update_key.allow_downgrade:
            refuse_field("allow_downgrade")
        feature = feature_update_key.feature.encode()
        n = len(feature) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(feature)
        out.append(_write_hbx(
            feature_update_key.max_version_level, feature_update_key.upgrade_type,
        ))
        if feature_update_key.unknown_tags:
            put_tags(out, [], feature_update_key.unknown_tags)
    out.append(_write_tx(m.validate_only))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_update_features_request_v0, 1: _get_update_features_request_v1,
    2: _get_update_features_request_v1,
}
_PUT = {
    0: _put_update_features_request_v0, 1: _put_update_features_request_v1,
    2: _put_update_features_request_v1,
}


def decode(buf: Buffer, version: int, at: int = 0) -> UpdateFeaturesRequest:
    """The UpdateFeaturesRequest that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[UpdateFeaturesRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: UpdateFeaturesRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: UpdateFeaturesRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_FEATURE_UPDATE_KEY_SHAPE: Shape = (
    FeatureUpdateKey,
    (
        ("feature", "feature", "string", (0, 2), None, None, None, "", False, (0, 2), None),
        (
            "maxVersionLevel", "max_version_level", "int16", (0, 2), None, None, None, 0, False,
            (0, 2), None,
        ),
        (
            "allowDowngrade", "allow_downgrade", "bool", (0, 0), None, None, None, False, False,
            (0, 2), None,
        ),
        ("upgradeType", "upgrade_type", "int8", (1, 2), None, None, None, 1, False, (0, 2), None),
    ),
)
_UPDATE_FEATURES_REQUEST_SHAPE: Shape = (
    UpdateFeaturesRequest,
    (
        ("timeoutMs", "timeout_ms", "int32", (0, 2), None, None, None, 60000, False, (0, 2), None),
        (
            "featureUpdates", "feature_updates", "[]FeatureUpdateKey", (0, 2), None, None, None, (),
            False, (0, 2), _FEATURE_UPDATE_KEY_SHAPE,
        ),
        (
            "validateOnly", "validate_only", "bool", (1, 2), None, None, None, False, False, (0, 2),
            None,
        ),
    ),
)
SHAPE: Shape = (_UPDATE_FEATURES_REQUEST_SHAPE, (0, 2), (0, 2))
