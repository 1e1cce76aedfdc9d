# GENERATED from schemas/api_versions_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 55c9173a1a5d1f71, generator 1.
"""Lists APIs, versions and features; its header is always version 0, so that any client can read
it. Api key 18, versions 0-5, flexible from 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tag_count, get_tag_head, get_tags, joined, lengthen, long_count, long_head,
    long_text, long_text_head, put_tags, refuse_field, refuse_size, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 18
NAME: Final = "ApiVersionsResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 5
FLEXIBLE_FROM: Final[int | None] = 3


class ApiVersion(Message):
    """APIs the server serves, with their versions."""

    __slots__ = ("api_key", "min_version", "max_version", "unknown_tags")

    def __init__(
        self,
        # Number of the API.
        api_key: int = 0,
        # Lowest version the server accepts.
        min_version: int = 0,
        # Highest version the server accepts.
        max_version: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.api_key = api_key
        self.min_version = min_version
        self.max_version = max_version
        self.unknown_tags = unknown_tags


class SupportedFeatureKey(Message):
    """Features the server supports."""

    __slots__ = ("name", "min_version", "max_version", "unknown_tags")

    def __init__(
        self,
        # Name of the feature. (v3+)
        name: str = "",
        # Lowest level the server supports. (v3+)
        min_version: int = 0,
        # Highest level the server supports. (v3+)
        max_version: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.min_version = min_version
        self.max_version = max_version
        self.unknown_tags = unknown_tags


class FinalizedFeatureKey(Message):
    """Features with the level in force across the cluster."""

    __slots__ = ("name", "max_version_level", "min_version_level", "unknown_tags")

    def __init__(
        self,
        # Name of the feature. (v3+)
        name: str = "",
        # Level in force across the cluster, upper bound. (v3+)
        max_version_level: int = 0,
        # Level in force across the cluster, lower bound. (v3+)
        min_version_level: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.max_version_level = max_version_level
        self.min_version_level = min_version_level
        self.unknown_tags = unknown_tags


class ApiVersionsResponse(Message):
    """Lists APIs, versions and features; its header is always version 0, so that any client can
    read it.
    """

    __slots__ = (
        "error_code", "api_keys", "throttle_time_ms", "supported_features",
        "finalized_features_epoch", "finalized_features", "zk_migration_ready", "unknown_tags",
    )

    def __init__(
        self,
        # Error of the whole request; 0 for none.
        error_code: int = 0,
        # APIs the server serves, with their versions.
        api_keys: Sequence[ApiVersion] = (),
        # Milliseconds the client should stay silent because of a quota. (v1+)
        throttle_time_ms: int = 0,
        # Features the server supports. (v3+, tag 0)
        supported_features: Sequence[SupportedFeatureKey] = (),
        # Log offset at which that list was in force; -1 when unknown. (v3+, tag 1)
        finalized_features_epoch: int = -1,
        # Features with the level in force across the cluster. (v3+, tag 2)
        finalized_features: Sequence[FinalizedFeatureKey] = (),
        # True when the controller could take part in a migration from ZooKeeper. (v3+, tag 3)
        zk_migration_ready: bool = False,
        unknown_tags: Tags = (),
    ) -> None:
        self.error_code = error_code
        self.api_keys: Sequence[ApiVersion] = [] if api_keys == () else api_keys
        self.throttle_time_ms = throttle_time_ms
        self.supported_features: Sequence[SupportedFeatureKey] = (
            [] if supported_features == () else supported_features
        )
        self.finalized_features_epoch = finalized_features_epoch
        self.finalized_features: Sequence[FinalizedFeatureKey] = (
            [] if finalized_features == () else finalized_features
        )
        self.zk_migration_ready = zk_migration_ready
        self.unknown_tags = unknown_tags


_read_2hB = Struct(">2hB").unpack_from
_read_3h = Struct(">3h").unpack_from
_read_3hB = Struct(">3hB").unpack_from
_read_t = Struct(">?").unpack_from
_read_hB = Struct(">hB").unpack_from
_read_hi = Struct(">hi").unpack_from
_read_i = Struct(">i").unpack_from
_read_iB = Struct(">iB").unpack_from
_read_q = Struct(">q").unpack_from
_rows_3h = Struct(">3h").iter_unpack
_rows_3hx = Struct(">3hx").iter_unpack
_write_2hx = Struct(">2hx").pack
_write_3h = Struct(">3h").pack
_write_3hx = Struct(">3hx").pack
_write_t = Struct(">?").pack
_write_hB = Struct(">hB").pack
_write_hi = Struct(">hi").pack
_write_i = Struct(">i").pack
_write_ix = Struct(">ix").pack
_write_q = Struct(">q").pack


def _get_api_versions_response_v0(buf: bytes, at: int) -> tuple[ApiVersionsResponse, int]:
    m = new(ApiVersionsResponse)
    (m.error_code, n) = _read_hi(buf, at)
    at += 6
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    api_keys: list[ApiVersion] = []
    m.api_keys = api_keys
    left_api_keys = n
    if left_api_keys > 4:
        end = at + 6 * left_api_keys
        api_keys += map(new, repeat(ApiVersion, left_api_keys))
        left_api_keys = 0
        for api_version, values in zip(api_keys, _rows_3h(buf[at:end])):
            (api_version.api_key, api_version.min_version, api_version.max_version) = values
            api_version.unknown_tags = ()
        at = end
    while left_api_keys:
        left_api_keys -= 1
        api_version = new(ApiVersion)
        api_keys.append(api_version)
        (api_version.api_key, api_version.min_version, api_version.max_version) = _read_3h(buf, at)
        at += 6
        api_version.unknown_tags = ()
    m.throttle_time_ms = 0
    m.supported_features = []
    m.finalized_features_epoch = -1
    m.finalized_features = []
    m.zk_migration_ready = False
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_api_versions_response_v1(buf: bytes, at: int) -> tuple[ApiVersionsResponse, int]:
    m = new(ApiVersionsResponse)
    (m.error_code, n) = _read_hi(buf, at)
    at += 6
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    api_keys: list[ApiVersion] = []
    m.api_keys = api_keys
    left_api_keys = n
    if left_api_keys > 4:
        end = at + 6 * left_api_keys
        api_keys += map(new, repeat(ApiVersion, left_api_keys))
        left_api_keys = 0
        for api_version, values in zip(api_keys, _rows_3h(buf[at:end])):
            (api_version.api_key, api_version.min_version, api_version.max_version) = values
            api_version.unknown_tags = ()
        at = end
    while left_api_keys:
        left_api_keys -= 1
        api_version = new(ApiVersion)
        api_keys.append(api_version)
        (api_version.api_key, api_version.min_version, api_version.max_version) = _read_3h(buf, at)
        at += 6
        api_version.unknown_tags = ()
    (m.throttle_time_ms,) = _read_i(buf, at)
    at += 4
    m.supported_features = []
    m.finalized_features_epoch = -1
    m.finalized_features = []
    m.zk_migration_ready = False
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_tags_api_versions_response_v3(m: ApiVersionsResponse, buf: bytes, at: int) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 6)
            supported_features: list[SupportedFeatureKey] = []
            m.supported_features = supported_features
            left_supported_features = n - 1
            while left_supported_features:
                left_supported_features -= 1
                supported_feature_key = new(SupportedFeatureKey)
                supported_features.append(supported_feature_key)
                n = buf[at]
                at += 1
                if n == 0 or n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                supported_feature_key.name = buf[at:end].decode()
                at = end
                (
                    supported_feature_key.min_version, supported_feature_key.max_version, tags,
                ) = _read_2hB(buf, at)
                at += 5
                supported_feature_key.unknown_tags = ()
                if tags:
                    supported_feature_key.unknown_tags, at = get_tags(buf, at - 1)
        elif tag == 1:
            (m.finalized_features_epoch,) = _read_q(buf, at)
            at += 8
        elif tag == 2:
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 6)
            finalized_features: list[FinalizedFeatureKey] = []
            m.finalized_features = finalized_features
            left_finalized_features = n - 1
            while left_finalized_features:
                left_finalized_features -= 1
                finalized_feature_key = new(FinalizedFeatureKey)
                finalized_features.append(finalized_feature_key)
                n = buf[at]
                at += 1
                if n == 0 or n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                finalized_feature_key.name = buf[at:end].decode()
                at = end
                (
                    finalized_feature_key.max_version_level,
                    finalized_feature_key.min_version_level, tags,
                ) = _read_2hB(buf, at)
                at += 5
                finalized_feature_key.unknown_tags = ()
                if tags:
                    finalized_feature_key.unknown_tags, at = get_tags(buf, at - 1)
        elif tag == 3:
            (m.zk_migration_ready,) = _read_t(buf, at)
            at += 1
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_api_versions_response_v3(buf: bytes, at: int) -> tuple[ApiVersionsResponse, int]:
    m = new(ApiVersionsResponse)
    (m.error_code, n) = _read_hB(buf, at)
    at += 3
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 7)
    api_keys: list[ApiVersion] = []
    m.api_keys = api_keys
    left_api_keys = n - 1
    if left_api_keys > 4 and buf[at + 6 : at + 7 * left_api_keys : 7] == bytes(left_api_keys):
        end = at + 7 * left_api_keys
        api_keys += map(new, repeat(ApiVersion, left_api_keys))
        left_api_keys = 0
        for api_version, values in zip(api_keys, _rows_3hx(buf[at:end])):
            (api_version.api_key, api_version.min_version, api_version.max_version) = values
            api_version.unknown_tags = ()
        at = end
    while left_api_keys:
        left_api_keys -= 1
        api_version = new(ApiVersion)
        api_keys.append(api_version)
        (
            api_version.api_key, api_version.min_version, api_version.max_version, tags,
        ) = _read_3hB(buf, at)
        at += 7
        api_version.unknown_tags = ()
        if tags:
            api_version.unknown_tags, at = get_tags(buf, at - 1)
    (m.throttle_time_ms, tags) = _read_iB(buf, at)
    at += 5
    m.supported_features = []
    m.finalized_features_epoch = -1
    m.finalized_features = []
    m.zk_migration_ready = False
    m.unknown_tags = ()
    if tags:
        at = _get_tags_api_versions_response_v3(m, buf, at - 1)
    return m, at


def _put_api_versions_response_v0(out: Parts, m: ApiVersionsResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    api_keys = m.api_keys
    n = len(api_keys)
    out.append(_write_hi(m.error_code, n))
    for api_version in api_keys:
        if api_version.unknown_tags:
            refuse_field("unknown_tags")
        out.append(_write_3h(api_version.api_key, api_version.min_version, api_version.max_version))


def _put_api_versions_response_v1(out: Parts, m: ApiVersionsResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    api_keys = m.api_keys
    n = len(api_keys)
    out.append(_write_hi(m.error_code, n))
    for api_version in api_keys:
        if api_version.unknown_tags:
            refuse_field("unknown_tags")
        out.append(_write_3h(api_version.api_key, api_version.min_version, api_version.max_version))
    out.append(_write_i(m.throttle_time_ms))


def _tags_of_api_versions_response_v3(m: ApiVersionsResponse) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if m.supported_features:
        part: Parts = []
        supported_features = m.supported_features
        n = len(supported_features) + 1
        part.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for supported_feature_key in supported_features:
            name = supported_feature_key.name.encode()
            n = len(name) + 1
            part.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            part.append(name)
            part.append(_write_2hx(
                supported_feature_key.min_version, supported_feature_key.max_version,
            ))
            if supported_feature_key.unknown_tags:
                put_tags(part, [], supported_feature_key.unknown_tags)
        tags.append((0, joined(part)))
    if m.finalized_features_epoch != -1:
        tags.append((1, _write_q(m.finalized_features_epoch)))
    if m.finalized_features:
        part = []
        finalized_features = m.finalized_features
        n = len(finalized_features) + 1
        part.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for finalized_feature_key in finalized_features:
            name_ = finalized_feature_key.name.encode()
            n = len(name_) + 1
            part.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            part.append(name_)
            part.append(_write_2hx(
                finalized_feature_key.max_version_level, finalized_feature_key.min_version_level,
            ))
            if finalized_feature_key.unknown_tags:
                put_tags(part, [], finalized_feature_key.unknown_tags)
        tags.append((2, joined(part)))
    if m.zk_migration_ready:
        tags.append((3, _write_t(m.zk_migration_ready)))
    return tags


def _put_api_versions_response_v3(out: Parts, m: ApiVersionsResponse) -> None:
    api_keys = m.api_keys
    n = len(api_keys) + 1
    out.append(_write_hB(m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for api_version in api_keys:
        out.append(_write_3hx(
            api_version.api_key, api_version.min_version, api_version.max_version,
        ))
        if api_version.unknown_tags:
            put_tags(out, [], api_version.unknown_tags)
    out.append(_write_ix(m.throttle_time_ms))
    if (
        m.unknown_tags
        or m.supported_features
        or m.finalized_features_epoch != -1
        or m.finalized_features
        or m.zk_migration_ready
    ):
        put_tags(out, _tags_of_api_versions_response_v3(m), m.unknown_tags)


_GET = {
    0: _get_api_versions_response_v0, 1: _get_api_versions_response_v1,
    2: _get_api_versions_response_v1, 3: _get_api_versions_response_v3,
    4: _get_api_versions_response_v3, 5: _get_api_versions_response_v3,
}
_PUT = {
    0: _put_api_versions_response_v0, 1: _put_api_versions_response_v1,
    2: _put_api_versions_response_v1, 3: _put_api_versions_response_v3,
    4: _put_api_versions_response_v3, 5: _put_api_versions_response_v3,
}


def decode(buf: Buffer, version: int, at: int = 0) -> ApiVersionsResponse:
    """The ApiVersionsResponse that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ApiVersionsResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ApiVersionsResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ApiVersionsResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_API_VERSION_SHAPE: Shape = (
    ApiVersion,
    (
        ("apiKey", "api_key", "int16", (0, 5), None, None, None, 0, False, (3, 5), None),
        ("minVersion", "min_version", "int16", (0, 5), None, None, None, 0, False, (3, 5), None),
        ("maxVersion", "max_version", "int16", (0, 5), None, None, None, 0, False, (3, 5), None),
    ),
)
_SUPPORTED_FEATURE_KEY_SHAPE: Shape = (
    SupportedFeatureKey,
    (
        ("name", "name", "string", (3, 5), None, None, None, "", False, (3, 5), None),
        ("minVersion", "min_version", "int16", (3, 5), None, None, None, 0, False, (3, 5), None),
        ("maxVersion", "max_version", "int16", (3, 5), None, None, None, 0, False, (3, 5), None),
    ),
)
_FINALIZED_FEATURE_KEY_SHAPE: Shape = (
    FinalizedFeatureKey,
    (
        ("name", "name", "string", (3, 5), None, None, None, "", False, (3, 5), None),
        (
            "maxVersionLevel", "max_version_level", "int16", (3, 5), None, None, None, 0, False,
            (3, 5), None,
        ),
        (
            "minVersionLevel", "min_version_level", "int16", (3, 5), None, None, None, 0, False,
            (3, 5), None,
        ),
    ),
)
_API_VERSIONS_RESPONSE_SHAPE: Shape = (
    ApiVersionsResponse,
    (
        ("errorCode", "error_code", "int16", (0, 5), None, None, None, 0, False, (3, 5), None),
        (
            "apiKeys", "api_keys", "[]ApiVersion", (0, 5), None, None, None, (), False, (3, 5),
            _API_VERSION_SHAPE,
        ),
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (1, 5), None, None, None, 0, True,
            (3, 5), None,
        ),
        (
            "supportedFeatures", "supported_features", "[]SupportedFeatureKey", (3, 5), None, 0,
            (3, 5), (), True, (3, 5), _SUPPORTED_FEATURE_KEY_SHAPE,
        ),
        (
            "finalizedFeaturesEpoch", "finalized_features_epoch", "int64", (3, 5), None, 1, (3, 5),
            -1, True, (3, 5), None,
        ),
        (
            "finalizedFeatures", "finalized_features", "[]FinalizedFeatureKey", (3, 5), None, 2,
            (3, 5), (), True, (3, 5), _FINALIZED_FEATURE_KEY_SHAPE,
        ),
        (
            "zkMigrationReady", "zk_migration_ready", "bool", (3, 5), None, 3, (3, 5), False, True,
            (3, 5), None,
        ),
    ),
)
SHAPE: Shape = (_API_VERSIONS_RESPONSE_SHAPE, (0, 5), (3, 5))
