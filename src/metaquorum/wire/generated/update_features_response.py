# GENERATED from schemas/update_features_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 7c12c13ddd7c1f74, generator 1.
"""Says for each feature whether its level was changed. Api key 57, versions 0-2, flexible from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, lengthen_text, long_count, long_head, long_text, long_text_head, put_tags,
    whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 57
NAME: Final = "UpdateFeaturesResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 2
FLEXIBLE_FROM: Final[int | None] = 0


class UpdatableFeatureResult(Message):
    """One result a feature."""

    __slots__ = ("feature", "error_code", "error_message", "unknown_tags")

    def __init__(
        self,
        # Name of the feature that was to change.
        feature: str = "",
        # Error of this row; 0 for none.
        error_code: int = 0,
        # Words for a human; null when there is nothing to say.
        error_message: str | None = "",
        unknown_tags: Tags = (),
    ) -> None:
        self.feature = feature
        self.error_code = error_code
        self.error_message = error_message
        self.unknown_tags = unknown_tags


class UpdateFeaturesResponse(Message):
    """Says for each feature whether its level was changed."""

    __slots__ = ("throttle_time_ms", "error_code", "error_message", "results", "unknown_tags")

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # Error of the whole request; 0 for none.
        error_code: int = 0,
        # Words for a human; null when there is nothing to say.
        error_message: str | None = "",
        # One result a feature. (v0-1)
        results: Sequence[UpdatableFeatureResult] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.results: Sequence[UpdatableFeatureResult] = [] if results == () else results
        self.unknown_tags = unknown_tags


_read_hB = Struct(">hB").unpack_from
_read_ihB = Struct(">ihB").unpack_from
_write_hB = Struct(">hB").pack
_write_ihB = Struct(">ihB").pack


def _get_update_features_response_v0(buf: bytes, at: int) -> tuple[UpdateFeaturesResponse, int]:
    m = new(UpdateFeaturesResponse)
    (m.throttle_time_ms, m.error_code, n) = _read_ihB(buf, at)
    at += 7
    if n == 0:
        m.error_message = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.error_message = buf[at:end].decode()
        at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 5)
    results: list[UpdatableFeatureResult] = []
    m.results = results
    left_results = n - 1
    while left_results:
        left_results -= 1
        feature_result = new(UpdatableFeatureResult)
        results.append(feature_result)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        feature_result.feature = buf[at:end].decode()
        at = end
        (feature_result.error_code, n) = _read_hB(buf, at)
        at += 3
        if n == 0:
            feature_result.error_message = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            feature_result.error_message = buf[at:end].decode()
            at = end
        tags = buf[at]
        at += 1
        feature_result.unknown_tags = ()
        if tags:
            feature_result.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_update_features_response_v2(buf: bytes, at: int) -> tuple[UpdateFeaturesResponse, int]:
    m = new(UpdateFeaturesResponse)
    (m.throttle_time_ms, m.error_code, n) = _read_ihB(buf, at)
    at += 7
    if n == 0:
        m.error_message = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.error_message = buf[at:end].decode()
        at = end
    tags = buf[at]
    at += 1
    m.results = []
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_update_features_response_v0(out: Parts, m: UpdateFeaturesResponse) -> None:
    error_message = b"" if m.error_message is None else m.error_message.encode()
    n = 0 if m.error_message is None else len(error_message) + 1
    out.append(_write_ihB(m.throttle_time_ms, m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(error_message)
    results = m.results
    n = len(results) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for feature_result in results:
        feature = feature_result.feature.encode()
        n = len(feature) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(feature)
        error_message_ = (
            b"" if feature_result.error_message is None else feature_result.error_message.encode()
        )
        n = 0 if feature_result.error_message is None else len(error_message_) + 1
        out.append(_write_hB(feature_result.error_code, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(error_message_)
        out.append(b"\0")
        if feature_result.unknown_tags:
            put_tags(out, [], feature_result.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_update_features_response_v2(out: Parts, m: UpdateFeaturesResponse) -> None:
    error_message = b"" if m.error_message is None else m.error_message.encode()
    n = 0 if m.error_message is None else len(error_message) + 1
    out.append(_write_ihB(m.throttle_time_ms, m.error_code, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(error_message)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_update_features_response_v0, 1: _get_update_features_response_v0,
    2: _get_update_features_response_v2,
}
_PUT = {
    0: _put_update_features_response_v0, 1: _put_update_features_response_v0,
    2: _put_update_features_response_v2,
}


def decode(buf: Buffer, version: int, at: int = 0) -> UpdateFeaturesResponse:
    """The UpdateFeaturesResponse that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[UpdateFeaturesResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: UpdateFeaturesResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: UpdateFeaturesResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_UPDATABLE_FEATURE_RESULT_SHAPE: Shape = (
    UpdatableFeatureResult,
    (
        ("feature", "feature", "string", (0, 2), None, None, None, "", False, (0, 2), None),
        ("errorCode", "error_code", "int16", (0, 2), None, None, None, 0, False, (0, 2), None),
        (
            "errorMessage", "error_message", "string", (0, 2), (0, 2), None, None, "", False,
            (0, 2), None,
        ),
    ),
)
_UPDATE_FEATURES_RESPONSE_SHAPE: Shape = (
    UpdateFeaturesResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 2), None, None, None, 0, False,
            (0, 2), None,
        ),
        ("errorCode", "error_code", "int16", (0, 2), None, None, None, 0, False, (0, 2), None),
        (
            "errorMessage", "error_message", "string", (0, 2), (0, 2), None, None, "", False,
            (0, 2), None,
        ),
        (
            "results", "results", "[]UpdatableFeatureResult", (0, 1), None, None, None, (), True,
            (0, 2), _UPDATABLE_FEATURE_RESULT_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_UPDATE_FEATURES_RESPONSE_SHAPE, (0, 2), (0, 2))
