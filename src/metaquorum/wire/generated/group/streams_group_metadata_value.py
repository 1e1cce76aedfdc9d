# GENERATED from schemas/group/streams_group_metadata_value.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 f56f1c4fdae07aff, generator 1.
"""Epoch of a streams group, and what it knows of its topology. Record type 17, versions 0, flexible
from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tag_count, get_tag_head, get_tags, joined, long_count, long_head, long_text, long_text_head,
    put_tags, refuse_size, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 17
NAME: Final = "StreamsGroupMetadataValue"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class LastAssignmentConfig(Message):
    """A setting with its value."""

    __slots__ = ("key", "value", "unknown_tags")

    def __init__(
        self,
        # The key.
        key: str = "",
        # The value.
        value: str = "",
        unknown_tags: Tags = (),
    ) -> None:
        self.key = key
        self.value = value
        self.unknown_tags = unknown_tags


class StreamsGroupMetadataValue(Message):
    """Epoch of a streams group, and what it knows of its topology."""

    __slots__ = (
        "epoch", "metadata_hash", "validated_topology_epoch", "last_assignment_configs",
        "stored_description_topology_epoch", "failed_description_topology_epoch", "unknown_tags",
    )

    def __init__(
        self,
        # Epoch of the group.
        epoch: int = 0,
        # Hash over the metadata of the topics that the group reads.
        metadata_hash: int = 0,
        # Epoch of the topology that was last found sound; -1 when none was. (tag 0)
        validated_topology_epoch: int = -1,
        # Settings under which tasks were last assigned. (tag 1)
        last_assignment_configs: Sequence[LastAssignmentConfig] | None = (),
        # Epoch of the topology whose description is kept; -1 when none is. (tag 2)
        stored_description_topology_epoch: int = -1,
        # Epoch of the topology whose description could not be kept; -1 when there is none. (tag 3)
        failed_description_topology_epoch: int = -1,
        unknown_tags: Tags = (),
    ) -> None:
        self.epoch = epoch
        self.metadata_hash = metadata_hash
        self.validated_topology_epoch = validated_topology_epoch
        self.last_assignment_configs: Sequence[LastAssignmentConfig] | None = (
            [] if last_assignment_configs == () else last_assignment_configs
        )
        self.stored_description_topology_epoch = stored_description_topology_epoch
        self.failed_description_topology_epoch = failed_description_topology_epoch
        self.unknown_tags = unknown_tags


_read_i = Struct(">i").unpack_from
_read_iqB = Struct(">iqB").unpack_from
_write_i = Struct(">i").pack
_write_iqx = Struct(">iqx").pack


def _get_tags_streams_group_metadata_value_v0(
    m: StreamsGroupMetadataValue, buf: bytes, at: int,
) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            (m.validated_topology_epoch,) = _read_i(buf, at)
            at += 4
        elif tag == 1:
            n = buf[at]
            at += 1
            if n == 0:
                m.last_assignment_configs = None
            else:
                if n > 127:
                    n, at = long_count(buf, at, 3)
                last_assignment_configs: list[LastAssignmentConfig] = []
                m.last_assignment_configs = last_assignment_configs
                left_last_assignment_configs = n - 1
                while left_last_assignment_configs:
                    left_last_assignment_configs -= 1
                    last_assignment_config = new(LastAssignmentConfig)
                    last_assignment_configs.append(last_assignment_config)
                    n = buf[at]
                    at += 1
                    if n == 0 or n > 127:
                        n, at = long_text(buf, at)
                    end = at + n - 1
                    last_assignment_config.key = buf[at:end].decode()
                    at = end
                    n = buf[at]
                    at += 1
                    if n == 0 or n > 127:
                        n, at = long_text(buf, at)
                    end = at + n - 1
                    last_assignment_config.value = buf[at:end].decode()
                    at = end
                    tags = buf[at]
                    at += 1
                    last_assignment_config.unknown_tags = ()
                    if tags:
                        last_assignment_config.unknown_tags, at = get_tags(buf, at - 1)
        elif tag == 2:
            (m.stored_description_topology_epoch,) = _read_i(buf, at)
            at += 4
        elif tag == 3:
            (m.failed_description_topology_epoch,) = _read_i(buf, at)
            at += 4
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_streams_group_metadata_value_v0(
    buf: bytes, at: int,
) -> tuple[StreamsGroupMetadataValue, int]:
    m = new(StreamsGroupMetadataValue)
    (m.epoch, m.metadata_hash, tags) = _read_iqB(buf, at)
    at += 13
    m.validated_topology_epoch = -1
    m.last_assignment_configs = []
    m.stored_description_topology_epoch = -1
    m.failed_description_topology_epoch = -1
    m.unknown_tags = ()
    if tags:
        at = _get_tags_streams_group_metadata_value_v0(m, buf, at - 1)
    return m, at


def _tags_of_streams_group_metadata_value_v0(
    m: StreamsGroupMetadataValue,
) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if m.validated_topology_epoch != -1:
        tags.append((0, _write_i(m.validated_topology_epoch)))
    if m.last_assignment_configs is None or len(m.last_assignment_configs):
        part: Parts = []
        last_assignment_configs = m.last_assignment_configs
        n = 0 if last_assignment_configs is None else len(last_assignment_configs) + 1
        part.append(ONE_BYTE[n] if n < 128 else long_head(n))
        if last_assignment_configs is not None:
            for last_assignment_config in last_assignment_configs:
                key = last_assignment_config.key.encode()
                n = len(key) + 1
                part.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
                part.append(key)
                value = last_assignment_config.value.encode()
                n = len(value) + 1
                part.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
                part.append(value)
                part.append(b"\0")
                if last_assignment_config.unknown_tags:
                    put_tags(part, [], last_assignment_config.unknown_tags)
        tags.append((1, joined(part)))
    if m.stored_description_topology_epoch != -1:
        tags.append((2, _write_i(m.stored_description_topology_epoch)))
    if m.failed_description_topology_epoch != -1:
        tags.append((3, _write_i(m.failed_description_topology_epoch)))
    return tags


def _put_streams_group_metadata_value_v0(out: Parts, m: StreamsGroupMetadataValue) -> None:
    out.append(_write_iqx(m.epoch, m.metadata_hash))
    if (
        m.unknown_tags
        or m.validated_topology_epoch != -1
        or m.last_assignment_configs is None
        or len(m.last_assignment_configs)
        or m.stored_description_topology_epoch != -1
        or m.failed_description_topology_epoch != -1
    ):
        put_tags(out, _tags_of_streams_group_metadata_value_v0(m), m.unknown_tags)


_GET = {0: _get_streams_group_metadata_value_v0}
_PUT = {0: _put_streams_group_metadata_value_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> StreamsGroupMetadataValue:
    """The StreamsGroupMetadataValue that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[StreamsGroupMetadataValue, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: StreamsGroupMetadataValue, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: StreamsGroupMetadataValue, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_LAST_ASSIGNMENT_CONFIG_SHAPE: Shape = (
    LastAssignmentConfig,
    (
        ("key", "key", "string", (0, 0), None, None, None, "", False, (0, 0), None),
        ("value", "value", "string", (0, 0), None, None, None, "", False, (0, 0), None),
    ),
)
_STREAMS_GROUP_METADATA_VALUE_SHAPE: Shape = (
    StreamsGroupMetadataValue,
    (
        ("epoch", "epoch", "int32", (0, 0), None, None, None, 0, False, (0, 0), None),
        (
            "metadataHash", "metadata_hash", "int64", (0, 0), None, None, None, 0, False, (0, 0),
            None,
        ),
        (
            "validatedTopologyEpoch", "validated_topology_epoch", "int32", (0, 0), None, 0, (0, 0),
            -1, False, (0, 0), None,
        ),
        (
            "lastAssignmentConfigs", "last_assignment_configs", "[]LastAssignmentConfig", (0, 0),
            (0, 0), 1, (0, 0), (), False, (0, 0), _LAST_ASSIGNMENT_CONFIG_SHAPE,
        ),
        (
            "storedDescriptionTopologyEpoch", "stored_description_topology_epoch", "int32", (0, 0),
            None, 2, (0, 0), -1, False, (0, 0), None,
        ),
        (
            "failedDescriptionTopologyEpoch", "failed_description_topology_epoch", "int32", (0, 0),
            None, 3, (0, 0), -1, False, (0, 0), None,
        ),
    ),
)
SHAPE: Shape = (_STREAMS_GROUP_METADATA_VALUE_SHAPE, (0, 0), (0, 0))
