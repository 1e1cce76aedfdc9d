# GENERATED from schemas/share/share_snapshot_value.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 181c2b672266a164, generator 1.
"""All that is known of which records of a partition a share group has worked on. Record type 0,
versions 0, flexible from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tag_count, get_tag_head, get_tags, joined, lengthen, long_count, put_tags, refuse_size,
    whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 0
NAME: Final = "ShareSnapshotValue"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class StateBatch(Message):
    """Ranges of offsets with one state each."""

    __slots__ = ("first_offset", "last_offset", "delivery_state", "delivery_count", "unknown_tags")

    def __init__(
        self,
        # First offset of the range.
        first_offset: int = 0,
        # Last offset of the range.
        last_offset: int = 0,
        # What became of the records: 0 available, 2 acknowledged, 4 archived.
        delivery_state: int = 0,
        # How often the records were delivered.
        delivery_count: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.first_offset = first_offset
        self.last_offset = last_offset
        self.delivery_state = delivery_state
        self.delivery_count = delivery_count
        self.unknown_tags = unknown_tags


class ShareSnapshotValue(Message):
    """All that is known of which records of a partition a share group has worked on."""

    __slots__ = (
        "snapshot_epoch", "state_epoch", "leader_epoch", "start_offset", "delivery_complete_count",
        "create_timestamp", "write_timestamp", "state_batches", "unknown_tags",
    )

    def __init__(
        self,
        # Counts the snapshots of this partition.
        snapshot_epoch: int = 0,
        # Counts how often the group began anew with this partition.
        state_epoch: int = 0,
        # Epoch of the leader; -1 when unknown.
        leader_epoch: int = 0,
        # Offset at which reading begins; -1 when there is none.
        start_offset: int = 0,
        # Records past the start that are done with; -1 when unknown. (tag 0)
        delivery_complete_count: int = -1,
        # Milliseconds since 1970 at which the snapshot was first written.
        create_timestamp: int = 0,
        # Milliseconds since 1970 at which the snapshot was last written.
        write_timestamp: int = 0,
        # Ranges of offsets with one state each.
        state_batches: Sequence[StateBatch] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.snapshot_epoch = snapshot_epoch
        self.state_epoch = state_epoch
        self.leader_epoch = leader_epoch
        self.start_offset = start_offset
        self.delivery_complete_count = delivery_complete_count
        self.create_timestamp = create_timestamp
        self.write_timestamp = write_timestamp
        self.state_batches: Sequence[StateBatch] = [] if state_batches == () else state_batches
        self.unknown_tags = unknown_tags


_read_2qbhB = Struct(">2qbhB").unpack_from
_read_3i3qB = Struct(">3i3qB").unpack_from
_read_i = Struct(">i").unpack_from
_rows_2qbhx = Struct(">2qbhx").iter_unpack
_write_2qbhx = Struct(">2qbhx").pack
_write_3i3qB = Struct(">3i3qB").pack
_write_i = Struct(">i").pack


def _get_tags_share_snapshot_value_v0(m: ShareSnapshotValue, buf: bytes, at: int) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            (m.delivery_complete_count,) = _read_i(buf, at)
            at += 4
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_share_snapshot_value_v0(buf: bytes, at: int) -> tuple[ShareSnapshotValue, int]:
    m = new(ShareSnapshotValue)
    (
        m.snapshot_epoch, m.state_epoch, m.leader_epoch, m.start_offset, m.create_timestamp,
        m.write_timestamp, n,
    ) = _read_3i3qB(buf, at)
    at += 37
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 20)
    state_batches: list[StateBatch] = []
    m.state_batches = state_batches
    left_state_batches = n - 1
    if (
        left_state_batches > 4
        and buf[at + 19 : at + 20 * left_state_batches : 20] == bytes(left_state_batches)
    ):
        end = at + 20 * left_state_batches
        state_batches += map(new, repeat(StateBatch, left_state_batches))
        left_state_batches = 0
        for state_batch, values in zip(state_batches, _rows_2qbhx(buf[at:end])):
            (
                state_batch.first_offset, state_batch.last_offset, state_batch.delivery_state,
                state_batch.delivery_count,
            ) = values
            state_batch.unknown_tags = ()
        at = end
    while left_state_batches:
        left_state_batches -= 1
        state_batch = new(StateBatch)
        state_batches.append(state_batch)
        (
            state_batch.first_offset, state_batch.last_offset, state_batch.delivery_state,
            state_batch.delivery_count, tags,
        ) = _read_2qbhB(buf, at)
        at += 20
        state_batch.unknown_tags = ()
        if tags:
            state_batch.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.delivery_complete_count = -1
    m.unknown_tags = ()
    if tags:
        at = _get_tags_share_snapshot_value_v0(m, buf, at - 1)
    return m, at


def _tags_of_share_snapshot_value_v0(m: ShareSnapshotValue) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if m.delivery_complete_count != -1:
        tags.append((0, _write_i(m.delivery_complete_count)))
    return tags


def _put_share_snapshot_value_v0(out: Parts, m: ShareSnapshotValue) -> None:
    state_batches = m.state_batches
    n = len(state_batches) + 1
    out.append(_write_3i3qB(
        m.snapshot_epoch, m.state_epoch, m.leader_epoch, m.start_offset, m.create_timestamp,
        m.write_timestamp, n if n < 128 else 0,
    ))
    if n > 127:
        lengthen(out, n)
    for state_batch in state_batches:
        out.append(_write_2qbhx(
            state_batch.first_offset, state_batch.last_offset, state_batch.delivery_state,
            state_batch.delivery_count,
        ))
        if state_batch.unknown_tags:
            put_tags(out, [], state_batch.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags or m.delivery_complete_count != -1:
        put_tags(out, _tags_of_share_snapshot_value_v0(m), m.unknown_tags)


_GET = {0: _get_share_snapshot_value_v0}
_PUT = {0: _put_share_snapshot_value_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> ShareSnapshotValue:
    """The ShareSnapshotValue that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ShareSnapshotValue, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ShareSnapshotValue, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ShareSnapshotValue, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_STATE_BATCH_SHAPE: Shape = (
    StateBatch,
    (
        ("firstOffset", "first_offset", "int64", (0, 0), None, None, None, 0, False, (0, 0), None),
        ("lastOffset", "last_offset", "int64", (0, 0), None, None, None, 0, False, (0, 0), None),
        (
            "deliveryState", "delivery_state", "int8", (0, 0), None, None, None, 0, False, (0, 0),
            None,
        ),
        (
            "deliveryCount", "delivery_count", "int16", (0, 0), None, None, None, 0, False, (0, 0),
            None,
        ),
    ),
)
_SHARE_SNAPSHOT_VALUE_SHAPE: Shape = (
    ShareSnapshotValue,
    (
        (
            "snapshotEpoch", "snapshot_epoch", "int32", (0, 0), None, None, None, 0, False, (0, 0),
            None,
        ),
        ("stateEpoch", "state_epoch", "int32", (0, 0), None, None, None, 0, False, (0, 0), None),
        ("leaderEpoch", "leader_epoch", "int32", (0, 0), None, None, None, 0, False, (0, 0), None),
        ("startOffset", "start_offset", "int64", (0, 0), None, None, None, 0, False, (0, 0), None),
        (
            "deliveryCompleteCount", "delivery_complete_count", "int32", (0, 0), None, 0, (0, 0),
            -1, False, (0, 0), None,
        ),
        (
            "createTimestamp", "create_timestamp", "int64", (0, 0), None, None, None, 0, False,
            (0, 0), None,
        ),
        (
            "writeTimestamp", "write_timestamp", "int64", (0, 0), None, None, None, 0, False,
            (0, 0), None,
        ),
        (
            "stateBatches", "state_batches", "[]StateBatch", (0, 0), None, None, None, (), False,
            (0, 0), _STATE_BATCH_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_SHARE_SNAPSHOT_VALUE_SHAPE, (0, 0), (0, 0))
