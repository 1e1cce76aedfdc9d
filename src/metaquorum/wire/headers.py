"""What stands before every message: request headers v0-v2, response headers v0-v1.

The version of a header follows from the API's key and version: a flexible message has a flexible
header (KIP-482). Two exceptions: the client id keeps its int16 length in every header, and the
answer to ApiVersions has header v0 in all versions, since its reader does not know yet what the
server speaks (KIP-511).
"""

from __future__ import annotations

from struct import Struct, error
from typing import Final

from metaquorum.base.memo import Memo
from metaquorum.base.value import value
from metaquorum.wire.errors import DecodeError, EncodeError, Malformed
from metaquorum.wire.generated.index import APIS
from metaquorum.wire.primitives import Buffer, Tags, get_tags, put_tags
from metaquorum.wire.registry import Api
from metaquorum.wire.slices import Parts

_FIXED: Final = Struct(">hhi")
_WITH_CLIENT: Final = Struct(">hhih")
_LENGTH: Final = Struct(">h")
_CORRELATION: Final = Struct(">i")

API_VERSIONS_KEY: Final = 18
CONTROLLED_SHUTDOWN_KEY: Final = 7  # its version 0 alone has request header v0


@value
class RequestHeader:
    """The head of a request; ``client_id`` may be null, which means the same as empty."""

    api_key: int
    api_version: int
    correlation_id: int
    client_id: str | None = None
    unknown_tags: Tags = ()


def read_request_header(buf: Buffer) -> tuple[RequestHeader, int]:
    """The header and the position of the body behind it.

    DecodeError for a key or a version that no schema describes, except ApiVersions: of it every
    version's header can be read, so that an unknown one can be answered (KIP-511); the tags of
    such a header are left to the body, which nobody reads.
    """
    if len(buf) < _FIXED.size:
        raise DecodeError("RequestHeader", len(buf), "the frame ends within the header")
    api_key, api_version, correlation_id = _FIXED.unpack_from(buf)
    api = APIS.get(api_key)
    if api is None:
        raise DecodeError("RequestHeader.request_api_key", 0, f"there is no API {api_key}")
    known = api.lowest <= api_version <= api.highest
    if not known and api_key != API_VERSIONS_KEY:
        raise DecodeError(
            "RequestHeader.request_api_version",
            2,
            f"{api.name} has versions {api.lowest} to {api.highest}, not {api_version}",
        )
    if api_key == CONTROLLED_SHUTDOWN_KEY and api_version == 0:
        return RequestHeader(api_key, api_version, correlation_id), _FIXED.size
    client_id, at = _client_id(buf)
    tags: Tags = ()
    if known and api.is_flexible(api_version):
        tags, at = _tags(buf, at, "RequestHeader")
    return RequestHeader(api_key, api_version, correlation_id, client_id, tags), at


def _client_id(buf: Buffer) -> tuple[str | None, int]:
    path = "RequestHeader.client_id"
    at = _WITH_CLIENT.size
    if len(buf) < at:
        raise DecodeError(path, _FIXED.size, "the frame ends within the header")
    (length,) = _LENGTH.unpack_from(buf, _FIXED.size)
    if length < 0:
        return None, at
    if at + length > len(buf):
        raise DecodeError(path, at, f"{length} bytes, with {len(buf) - at} left")
    try:
        return str(buf[at : at + length], "utf-8"), at + length
    except UnicodeDecodeError as fault:
        raise DecodeError(path, at + fault.start, "not UTF-8") from None


def _tags(buf: Buffer, at: int, path: str) -> tuple[Tags, int]:
    if at < len(buf) and buf[at] == 0:
        return (), at + 1
    try:
        return get_tags(bytes(buf), at)
    except (IndexError, Malformed, error) as fault:
        why = str(fault) if isinstance(fault, Malformed) else "the frame ends within the tags"
        raise DecodeError(f"{path}.unknown_tags", at, why) from None


def put_request_header(parts: Parts, header: RequestHeader) -> None:
    """The header in the version that its key and version ask for."""
    api = _api(header.api_key)
    api_version = header.api_version
    fixed = (header.api_key, api_version, header.correlation_id)
    if header.api_key == CONTROLLED_SHUTDOWN_KEY and api_version == 0:
        parts.append(_FIXED.pack(*fixed))
        return
    client_id = b"" if header.client_id is None else header.client_id.encode()
    length = -1 if header.client_id is None else len(client_id)
    try:
        parts.append(_WITH_CLIENT.pack(*fixed, length) + client_id)
    except error as fault:
        raise EncodeError("RequestHeader", str(fault)) from None
    _put_tags(parts, header.unknown_tags, api.is_flexible(api_version), "RequestHeader")


def put_response_header(parts: Parts, api_key: int, api_version: int, correlation_id: int) -> None:
    """The header of a response; EncodeError for a key that no schema describes."""
    head = _CORRELATION.pack(correlation_id)
    flexible = _FLEXIBLE_RESPONSES[api_key][api_version]
    parts.append(head + b"\0" if flexible else head)


def read_response_header(buf: Buffer, api_key: int, api_version: int) -> tuple[int, int]:
    """The correlation id and the position of the body; tags are skipped."""
    if len(buf) < _CORRELATION.size:
        raise DecodeError("ResponseHeader", len(buf), "the frame ends within the header")
    (correlation_id,) = _CORRELATION.unpack_from(buf)
    at = _CORRELATION.size
    if _FLEXIBLE_RESPONSES[api_key][api_version]:
        _, at = _tags(buf, at, "ResponseHeader")
    return correlation_id, at


def _flexible_responses(api_key: int) -> Memo[int, bool]:
    api, never = _api(api_key), api_key == API_VERSIONS_KEY
    return Memo(lambda version: api.is_flexible(version) and not never)


_FLEXIBLE_RESPONSES: Final = Memo(_flexible_responses)
"""By API key and version."""


def _put_tags(parts: Parts, tags: Tags, flexible: bool, path: str) -> None:
    if flexible:
        parts.append(b"\0")
        if tags:
            put_tags(parts, [], tags)
    elif tags:
        raise EncodeError(f"{path}.unknown_tags", "this version of the header has none")


def _api(api_key: int) -> Api:
    try:
        return APIS[api_key]
    except KeyError:
        raise EncodeError("header", f"there is no API {api_key}") from None
