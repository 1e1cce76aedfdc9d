# GENERATED from schemas/api_versions_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 a6f3beeef1f36db5, generator 1.
"""Asks which APIs and versions the server serves; the first request on most connections. Api key
18, versions 0-5, flexible from 3.
"""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, long_text, long_text_head, put_tags, refuse_field, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 18
NAME: Final = "ApiVersionsRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 5
FLEXIBLE_FROM: Final[int | None] = 3


class ApiVersionsRequest(Message):
    """Asks which APIs and versions the server serves; the first request on most connections."""

    __slots__ = (
        "client_software_name", "client_software_version", "cluster_id", "node_id", "unknown_tags",
    )

    def __init__(
        self,
        # Name of the client library. (v3+)
        client_software_name: str = "",
        # Version of the client library. (v3+)
        client_software_version: str = "",
        # Cluster the client means to reach; null when it does not say. (v5+)
        cluster_id: str | None = None,
        # Node the client means to reach; -1 when it does not say. (v5+)
        node_id: int = -1,
        unknown_tags: Tags = (),
    ) -> None:
        self.client_software_name = client_software_name
        self.client_software_version = client_software_version
        self.cluster_id = cluster_id
        self.node_id = node_id
        self.unknown_tags = unknown_tags


_read_iB = Struct(">iB").unpack_from
_write_ix = Struct(">ix").pack


def _get_api_versions_request_v0(buf: bytes, at: int) -> tuple[ApiVersionsRequest, int]:
    m = new(ApiVersionsRequest)
    m.client_software_name = ""
    m.client_software_version = ""
    m.cluster_id = None
    m.node_id = -1
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_api_versions_request_v3(buf: bytes, at: int) -> tuple[ApiVersionsRequest, int]:
    m = new(ApiVersionsRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.client_software_name = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.client_software_version = buf[at:end].decode()
    at = end
    tags = buf[at]
    at += 1
    m.cluster_id = None
    m.node_id = -1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_api_versions_request_v5(buf: bytes, at: int) -> tuple[ApiVersionsRequest, int]:
    m = new(ApiVersionsRequest)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.client_software_name = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.client_software_version = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0:
        m.cluster_id = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.cluster_id = buf[at:end].decode()
        at = end
    (m.node_id, tags) = _read_iB(buf, at)
    at += 5
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_api_versions_request_v0(out: Parts, m: ApiVersionsRequest) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")


def _put_api_versions_request_v3(out: Parts, m: ApiVersionsRequest) -> None:
    client_software_name = m.client_software_name.encode()
    n = len(client_software_name) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(client_software_name)
    client_software_version = m.client_software_version.encode()
    n = len(client_software_version) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(client_software_version)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_api_versions_request_v5(out: Parts, m: ApiVersionsRequest) -> None:
    client_software_name = m.client_software_name.encode()
    n = len(client_software_name) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(client_software_name)
    client_software_version = m.client_software_version.encode()
    n = len(client_software_version) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(client_software_version)
    cluster_id = b"" if m.cluster_id is None else m.cluster_id.encode()
    n = 0 if m.cluster_id is None else len(cluster_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(cluster_id)
    out.append(_write_ix(m.node_id))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_api_versions_request_v0, 1: _get_api_versions_request_v0,
    2: _get_api_versions_request_v0, 3: _get_api_versions_request_v3,
    4: _get_api_versions_request_v3, 5: _get_api_versions_request_v5,
}
_PUT = {
    0: _put_api_versions_request_v0, 1: _put_api_versions_request_v0,
    2: _put_api_versions_request_v0, 3: _put_api_versions_request_v3,
    4: _put_api_versions_request_v3, 5: _put_api_versions_request_v5,
}


def decode(buf: Buffer, version: int, at: int = 0) -> ApiVersionsRequest:
    """The ApiVersionsRequest that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ApiVersionsRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ApiVersionsRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ApiVersionsRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_API_VERSIONS_REQUEST_SHAPE: Shape = (
    ApiVersionsRequest,
    (
        (
            "clientSoftwareName", "client_software_name", "string", (3, 5), None, None, None, "",
            True, (3, 5), None,
        ),
        (
            "clientSoftwareVersion", "client_software_version", "string", (3, 5), None, None, None,
            "", True, (3, 5), None,
        ),
        ("clusterId", "cluster_id", "string", (5, 5), (5, 5), None, None, None, True, (3, 5), None),
        ("nodeId", "node_id", "int32", (5, 5), None, None, None, -1, True, (3, 5), None),
    ),
)
SHAPE: Shape = (_API_VERSIONS_REQUEST_SHAPE, (0, 5), (3, 5))
