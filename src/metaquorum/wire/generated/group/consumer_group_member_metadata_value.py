# GENERATED from schemas/group/consumer_group_member_metadata_value.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 9113f8b61359fb6f, generator 1.
"""What a member of a consumer group said of itself. Record type 5, versions 0, flexible from 0."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import UNSET, Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_compact_texts, get_tag_count, get_tag_head, get_tags, get_uvarint, joined, lengthen,
    lengthen_text, long_count, long_head, long_size, long_text, long_text_head, put_compact_texts,
    put_tags, refuse_size, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 5
NAME: Final = "ConsumerGroupMemberMetadataValue"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class ClassicProtocol(Message):
    """Protocols the member can use, the preferred one first."""

    __slots__ = ("name", "metadata", "unknown_tags")

    def __init__(
        self,
        # Name of the protocol.
        name: str = "",
        # Bytes of the member for this protocol.
        metadata: Buffer = b"",
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.metadata = metadata
        self.unknown_tags = unknown_tags


class ClassicMemberMetadata(Message):
    """What the member said over the classic protocol; null when it uses the new one."""

    __slots__ = ("session_timeout_ms", "supported_protocols", "unknown_tags")

    def __init__(
        self,
        # Milliseconds without a heartbeat after which the member is removed.
        session_timeout_ms: int = 0,
        # Protocols the member can use, the preferred one first.
        supported_protocols: Sequence[ClassicProtocol] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.session_timeout_ms = session_timeout_ms
        self.supported_protocols: Sequence[ClassicProtocol] = (
            [] if supported_protocols == () else supported_protocols
        )
        self.unknown_tags = unknown_tags


class ConsumerGroupMemberMetadataValue(Message):
    """What a member of a consumer group said of itself."""

    __slots__ = (
        "instance_id", "rack_id", "client_id", "client_host", "subscribed_topic_names",
        "subscribed_topic_regex", "rebalance_timeout_ms", "server_assignor",
        "classic_member_metadata", "unknown_tags",
    )

    def __init__(
        self,
        # Static name of the member; null when it is dynamic.
        instance_id: str | None = "",
        # Rack of the member; null when it has none.
        rack_id: str | None = "",
        # Client id that the member sent in its request headers.
        client_id: str = "",
        # Address from which the member connected.
        client_host: str = "",
        # Topics the member wants.
        subscribed_topic_names: Sequence[str] = (),
        # Pattern of topics the member wants; null when it has none.
        subscribed_topic_regex: str | None = "",
        # Milliseconds the member may take to give partitions back; -1 when it does not say.
        rebalance_timeout_ms: int = -1,
        # Assignor the member wants the server to use; null when it leaves the choice.
        server_assignor: str | None = "",
        # What the member said over the classic protocol; null when it uses the new one. (tag 0)
        classic_member_metadata: ClassicMemberMetadata | None = UNSET,
        unknown_tags: Tags = (),
    ) -> None:
        self.instance_id = instance_id
        self.rack_id = rack_id
        self.client_id = client_id
        self.client_host = client_host
        self.subscribed_topic_names: Sequence[str] = (
            [] if subscribed_topic_names == () else subscribed_topic_names
        )
        self.subscribed_topic_regex = subscribed_topic_regex
        self.rebalance_timeout_ms = rebalance_timeout_ms
        self.server_assignor = server_assignor
        self.classic_member_metadata = (
            ClassicMemberMetadata() if classic_member_metadata is UNSET else classic_member_metadata
        )
        self.unknown_tags = unknown_tags


_read_iB = Struct(">iB").unpack_from
_write_B = Struct(">B").pack
_write_iB = Struct(">iB").pack
_NO_CLASSIC_MEMBER_METADATA = ClassicMemberMetadata()


def _get_classic_member_metadata_v0(
    buf: bytes, view: memoryview, at: int,
) -> tuple[ClassicMemberMetadata, int]:
    m = new(ClassicMemberMetadata)
    (m.session_timeout_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    supported_protocols: list[ClassicProtocol] = []
    m.supported_protocols = supported_protocols
    left_supported_protocols = n - 1
    while left_supported_protocols:
        left_supported_protocols -= 1
        classic_protocol = new(ClassicProtocol)
        supported_protocols.append(classic_protocol)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        classic_protocol.name = buf[at:end].decode()
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
        classic_protocol.metadata = view[at:end]
        at = end
        tags = buf[at]
        at += 1
        classic_protocol.unknown_tags = ()
        if tags:
            classic_protocol.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_tags_consumer_group_member_metadata_value_v0(
    m: ConsumerGroupMemberMetadataValue, buf: bytes, view: memoryview, at: int,
) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            n = buf[at]
            at += 1
            if n == 0:
                m.classic_member_metadata = None
            else:
                if n > 127:
                    n, at = get_uvarint(buf, at - 1)
                m.classic_member_metadata, at = _get_classic_member_metadata_v0(buf, view, at)
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_consumer_group_member_metadata_value_v0(
    buf: bytes, view: memoryview, at: int,
) -> tuple[ConsumerGroupMemberMetadataValue, int]:
    m = new(ConsumerGroupMemberMetadataValue)
    n = buf[at]
    at += 1
    if n == 0:
        m.instance_id = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.instance_id = buf[at:end].decode()
        at = end
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
    n = buf[at]
    at += 1
    if n == 0:
        m.subscribed_topic_regex = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.subscribed_topic_regex = buf[at:end].decode()
        at = end
    (m.rebalance_timeout_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0:
        m.server_assignor = None
    else:
        if n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        m.server_assignor = buf[at:end].decode()
        at = end
    tags = buf[at]
    at += 1
    m.classic_member_metadata = _NO_CLASSIC_MEMBER_METADATA
    m.unknown_tags = ()
    if tags:
        at = _get_tags_consumer_group_member_metadata_value_v0(m, buf, view, at - 1)
    return m, at


def _put_classic_member_metadata_v0(out: Parts, m: ClassicMemberMetadata) -> None:
    supported_protocols = m.supported_protocols
    n = len(supported_protocols) + 1
    out.append(_write_iB(m.session_timeout_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for classic_protocol in supported_protocols:
        name = classic_protocol.name.encode()
        n = len(name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(name)
        metadata = classic_protocol.metadata
        n = len(metadata) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        out.append(metadata)
        out.append(b"\0")
        if classic_protocol.unknown_tags:
            put_tags(out, [], classic_protocol.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _tags_of_consumer_group_member_metadata_value_v0(
    m: ConsumerGroupMemberMetadataValue,
) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if (
        (m.classic_member_metadata is not _NO_CLASSIC_MEMBER_METADATA and
            m.classic_member_metadata != _NO_CLASSIC_MEMBER_METADATA)
    ):
        part: Parts = []
        part.append(_write_B(0 if m.classic_member_metadata is None else 1))
        if m.classic_member_metadata is not None:
            _put_classic_member_metadata_v0(part, m.classic_member_metadata)
        tags.append((0, joined(part)))
    return tags


def _put_consumer_group_member_metadata_value_v0(
    out: Parts, m: ConsumerGroupMemberMetadataValue,
) -> None:
    instance_id = b"" if m.instance_id is None else m.instance_id.encode()
    n = 0 if m.instance_id is None else len(instance_id) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(instance_id)
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
    subscribed_topic_regex = (
        b"" if m.subscribed_topic_regex is None else m.subscribed_topic_regex.encode()
    )
    n = 0 if m.subscribed_topic_regex is None else len(subscribed_topic_regex) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
    out.append(subscribed_topic_regex)
    server_assignor = b"" if m.server_assignor is None else m.server_assignor.encode()
    n = 0 if m.server_assignor is None else len(server_assignor) + 1
    out.append(_write_iB(m.rebalance_timeout_ms, n if n < 128 else 0))
    if n > 127:
        lengthen_text(out, n)
    out.append(server_assignor)
    out.append(b"\0")
    if (
        m.unknown_tags
        or (m.classic_member_metadata is not _NO_CLASSIC_MEMBER_METADATA and
            m.classic_member_metadata != _NO_CLASSIC_MEMBER_METADATA)
    ):
        put_tags(out, _tags_of_consumer_group_member_metadata_value_v0(m), m.unknown_tags)


_GET = {0: _get_consumer_group_member_metadata_value_v0}
_PUT = {0: _put_consumer_group_member_metadata_value_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> ConsumerGroupMemberMetadataValue:
    """The ConsumerGroupMemberMetadataValue that begins at ``at``, in this version; what follows it
    is ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ConsumerGroupMemberMetadataValue, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, memoryview(data), at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ConsumerGroupMemberMetadataValue, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ConsumerGroupMemberMetadataValue, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_CLASSIC_PROTOCOL_SHAPE: Shape = (
    ClassicProtocol,
    (
        ("name", "name", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        ("metadata", "metadata", "bytes", (0, 0), None, None, None, b"", False, (0, 0), None),
    ),
)
_CLASSIC_MEMBER_METADATA_SHAPE: Shape = (
    ClassicMemberMetadata,
    (
        (
            "sessionTimeoutMs", "session_timeout_ms", "int32", (0, 0), None, None, None, 0, False,
            (0, 0), None,
        ),
        (
            "supportedProtocols", "supported_protocols", "[]ClassicProtocol", (0, 0), None, None,
            None, (), False, (0, 0), _CLASSIC_PROTOCOL_SHAPE,
        ),
    ),
)
_CONSUMER_GROUP_MEMBER_METADATA_VALUE_SHAPE: Shape = (
    ConsumerGroupMemberMetadataValue,
    (
        (
            "instanceId", "instance_id", "string", (0, 0), (0, 0), None, None, "", False, (0, 0),
            None,
        ),
        ("rackId", "rack_id", "string", (0, 0), (0, 0), None, None, "", False, (0, 0), None),
        ("clientId", "client_id", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        ("clientHost", "client_host", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        (
            "subscribedTopicNames", "subscribed_topic_names", "[]string", (0, 0), None, None, None,
            (), False, (0, 0), None,
        ),
        (
            "subscribedTopicRegex", "subscribed_topic_regex", "string", (0, 0), (0, 0), None, None,
            "", False, (0, 0), None,
        ),
        (
            "rebalanceTimeoutMs", "rebalance_timeout_ms", "int32", (0, 0), None, None, None, -1,
            False, (0, 0), None,
        ),
        (
            "serverAssignor", "server_assignor", "string", (0, 0), (0, 0), None, None, "", False,
            (0, 0), None,
        ),
        (
            "classicMemberMetadata", "classic_member_metadata", "ClassicMemberMetadata", (0, 0),
            (0, 0), 0, (0, 0), UNSET, False, (0, 0), _CLASSIC_MEMBER_METADATA_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_CONSUMER_GROUP_MEMBER_METADATA_VALUE_SHAPE, (0, 0), (0, 0))
