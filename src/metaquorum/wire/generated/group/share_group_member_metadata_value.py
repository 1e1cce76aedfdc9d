# GENERATED from schemas/group/share_group_member_metadata_value.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 b0f3243ff1cd4b59, generator 1.
"""What a member of a share group said of itself. Record type 10, versions 0, flexible from 0."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_compact_texts, get_tags, joined, long_count, long_head, long_text, long_text_head,
    put_compact_texts, put_tags, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 10
NAME: Final = "ShareGroupMemberMetadataValue"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class ShareGroupMemberMetadataValue(Message):
    """What a member of a share group said of itself."""

    __slots__ = ("rack_id", "client_id", "client_host", "subscribed_topic_names", "unknown_tags")

    def __init__(
        self,
        # Rack of the member; null when it has none.
        rack_id: str | None = "",
        # Client id that the member sent in its request headers.
        client_id: str = "",
        # Address from which the member connected.
        client_host: str = "",
        # Topics the member wants.
        subscribed_topic_names: Sequence[str] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.rack_id = rack_id
        self.client_id = client_id
        self.client_host = client_host
        self.subscribed_topic_names: Sequence[str] = (
            [] if subscribed_topic_names == () else subscribed_topic_names
        )
        self.unknown_tags = unknown_tags




def _get_share_group_member_metadata_value_v0(
    buf: bytes, at: int,
) -> tuple[ShareGroupMemberMetadataValue, int]:
    m = new(ShareGroupMemberMetadataValue)
    n = buf[at]
    at += 1
    if n == 0:
        m.rack_id = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.rack_id = buf[at:end].decode()
        at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.client_id = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_text(buf, at)
    end = at + n - 1
    m.client_host = buf[at:end].decode()
    at = end
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 1)
    m.subscribed_topic_names, at = get_compact_texts(buf, at, n - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_share_group_member_metadata_value_v0(out: Parts, m: ShareGroupMemberMetadataValue) -> None:
    rack_id = b"" if m.rack_id is None else m.rack_id.encode()
    n = 0 if m.rack_id is None else len(rack_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(rack_id)
    client_id = m.client_id.encode()
    n = len(client_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(client_id)
    client_host = m.client_host.encode()
    n = len(client_host) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(client_host)
    subscribed_topic_names = m.subscribed_topic_names
    n = len(subscribed_topic_names) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    put_compact_texts(out, subscribed_topic_names)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_share_group_member_metadata_value_v0}
_PUT = {0: _put_share_group_member_metadata_value_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> ShareGroupMemberMetadataValue:
    """The ShareGroupMemberMetadataValue that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ShareGroupMemberMetadataValue, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ShareGroupMemberMetadataValue, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ShareGroupMemberMetadataValue, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_SHARE_GROUP_MEMBER_METADATA_VALUE_SHAPE: Shape = (
    ShareGroupMemberMetadataValue,
    (
        ("rackId", "rack_id", "string", (0, 0), (0, 0), None, None, "", False, (0, 0), None),
        ("clientId", "client_id", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        ("clientHost", "client_host", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        (
            "subscribedTopicNames", "subscribed_topic_names", "[]string", (0, 0), None, None, None,
            (), False, (0, 0), None,
        ),
    ),
)
SHAPE: Shape = (_SHARE_GROUP_MEMBER_METADATA_VALUE_SHAPE, (0, 0), (0, 0))
