# GENERATED from schemas/group/streams_group_target_assignment_member_value.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 154cfd9b9ac30c8e, generator 1.
"""Tasks that a member of a streams group is meant to have. Record type 21, versions 0, flexible
from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.arrays import ArrayReads, ArrayWrites
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tags, joined, long_count, long_head, long_text, long_text_head, put_tags, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 21
NAME: Final = "StreamsGroupTargetAssignmentMemberValue"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class TaskIds(Message):
    """Tasks of one subtopology."""

    __slots__ = ("subtopology_id", "partitions", "unknown_tags")

    def __init__(
        self,
        # Id of the subtopology.
        subtopology_id: str = "",
        # Partition indexes.
        partitions: Sequence[int] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.subtopology_id = subtopology_id
        self.partitions: Sequence[int] = [] if partitions == () else partitions
        self.unknown_tags = unknown_tags


class StreamsGroupTargetAssignmentMemberValue(Message):
    """Tasks that a member of a streams group is meant to have."""

    __slots__ = ("active_tasks", "standby_tasks", "warmup_tasks", "unknown_tags")

    def __init__(
        self,
        # Tasks that process records.
        active_tasks: Sequence[TaskIds] = (),
        # Tasks that keep a copy of state.
        standby_tasks: Sequence[TaskIds] = (),
        # Tasks that catch up before they move here.
        warmup_tasks: Sequence[TaskIds] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.active_tasks: Sequence[TaskIds] = [] if active_tasks == () else active_tasks
        self.standby_tasks: Sequence[TaskIds] = [] if standby_tasks == () else standby_tasks
        self.warmup_tasks: Sequence[TaskIds] = [] if warmup_tasks == () else warmup_tasks
        self.unknown_tags = unknown_tags


_read_array_ci_B = ArrayReads("i", "B", 1)
_write_B_many_i_x = ArrayWrites("B *i x")


def _get_streams_group_target_assignment_member_value_v0(
    buf: bytes, at: int,
) -> tuple[StreamsGroupTargetAssignmentMemberValue, int]:
    m = new(StreamsGroupTargetAssignmentMemberValue)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    active_tasks: list[TaskIds] = []
    m.active_tasks = active_tasks
    left_active_tasks = n - 1
    while left_active_tasks:
        left_active_tasks -= 1
        task_ids = new(TaskIds)
        active_tasks.append(task_ids)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        task_ids.subtopology_id = buf[at:end].decode()
        at = end
        n_partitions = buf[at]
        at += 1
        if n_partitions > 127:
            n_partitions, at = long_count(buf, at, 4)
        (*task_ids.partitions, tags) = _read_array_ci_B[n_partitions](buf, at)
        at += 4 * n_partitions - 3
        task_ids.unknown_tags = ()
        if tags:
            task_ids.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    standby_tasks: list[TaskIds] = []
    m.standby_tasks = standby_tasks
    left_standby_tasks = n - 1
    while left_standby_tasks:
        left_standby_tasks -= 1
        task_ids_ = new(TaskIds)
        standby_tasks.append(task_ids_)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        task_ids_.subtopology_id = buf[at:end].decode()
        at = end
        n_partitions = buf[at]
        at += 1
        if n_partitions > 127:
            n_partitions, at = long_count(buf, at, 4)
        (*task_ids_.partitions, tags) = _read_array_ci_B[n_partitions](buf, at)
        at += 4 * n_partitions - 3
        task_ids_.unknown_tags = ()
        if tags:
            task_ids_.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    warmup_tasks: list[TaskIds] = []
    m.warmup_tasks = warmup_tasks
    left_warmup_tasks = n - 1
    while left_warmup_tasks:
        left_warmup_tasks -= 1
        task_ids__ = new(TaskIds)
        warmup_tasks.append(task_ids__)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        task_ids__.subtopology_id = buf[at:end].decode()
        at = end
        n_partitions = buf[at]
        at += 1
        if n_partitions > 127:
            n_partitions, at = long_count(buf, at, 4)
        (*task_ids__.partitions, tags) = _read_array_ci_B[n_partitions](buf, at)
        at += 4 * n_partitions - 3
        task_ids__.unknown_tags = ()
        if tags:
            task_ids__.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_streams_group_target_assignment_member_value_v0(
    out: Parts, m: StreamsGroupTargetAssignmentMemberValue,
) -> None:
    active_tasks = m.active_tasks
    n = len(active_tasks) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for task_ids in active_tasks:
        subtopology_id = task_ids.subtopology_id.encode()
        n = len(subtopology_id) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(subtopology_id)
        partitions = task_ids.partitions
        n_partitions = len(partitions)
        write = _write_B_many_i_x[n_partitions]
        out.append(write(n_partitions + 1, *partitions))
        if task_ids.unknown_tags:
            put_tags(out, [], task_ids.unknown_tags)
    standby_tasks = m.standby_tasks
    n = len(standby_tasks) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for task_ids_ in standby_tasks:
        subtopology_id_ = task_ids_.subtopology_id.encode()
        n = len(subtopology_id_) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(subtopology_id_)
        partitions_ = task_ids_.partitions
        n_partitions = len(partitions_)
        write = _write_B_many_i_x[n_partitions]
        out.append(write(n_partitions + 1, *partitions_))
        if task_ids_.unknown_tags:
            put_tags(out, [], task_ids_.unknown_tags)
    warmup_tasks = m.warmup_tasks
    n = len(warmup_tasks) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for task_ids__ in warmup_tasks:
        subtopology_id__ = task_ids__.subtopology_id.encode()
        n = len(subtopology_id__) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(subtopology_id__)
        partitions__ = task_ids__.partitions
        n_partitions = len(partitions__)
        write = _write_B_many_i_x[n_partitions]
        out.append(write(n_partitions + 1, *partitions__))
        if task_ids__.unknown_tags:
            put_tags(out, [], task_ids__.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_streams_group_target_assignment_member_value_v0}
_PUT = {0: _put_streams_group_target_assignment_member_value_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> StreamsGroupTargetAssignmentMemberValue:
    """The StreamsGroupTargetAssignmentMemberValue that begins at ``at``, in this version; what
    follows it is ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[StreamsGroupTargetAssignmentMemberValue, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: StreamsGroupTargetAssignmentMemberValue, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: StreamsGroupTargetAssignmentMemberValue, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_TASK_IDS_SHAPE: Shape = (
    TaskIds,
    (
        (
            "subtopologyId", "subtopology_id", "string", (0, 0), None, None, None, "", False,
            (0, 0), None,
        ),
        ("partitions", "partitions", "[]int32", (0, 0), None, None, None, (), False, (0, 0), None),
    ),
)
_STREAMS_GROUP_TARGET_ASSIGNMENT_MEMBER_VALUE_SHAPE: Shape = (
    StreamsGroupTargetAssignmentMemberValue,
    (
        (
            "activeTasks", "active_tasks", "[]TaskIds", (0, 0), None, None, None, (), False, (0, 0),
            _TASK_IDS_SHAPE,
        ),
        (
            "standbyTasks", "standby_tasks", "[]TaskIds", (0, 0), None, None, None, (), False,
            (0, 0), _TASK_IDS_SHAPE,
        ),
        (
            "warmupTasks", "warmup_tasks", "[]TaskIds", (0, 0), None, None, None, (), False, (0, 0),
            _TASK_IDS_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_STREAMS_GROUP_TARGET_ASSIGNMENT_MEMBER_VALUE_SHAPE, (0, 0), (0, 0))
