# GENERATED from schemas/group/streams_group_current_member_assignment_value.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 b874036598b7de5a, generator 1.
"""Tasks that a member of a streams group has, and those it has to give back. Record type 22,
versions 0, flexible from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.arrays import ArrayReads, ArrayWrites
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tag_count, get_tag_head, get_tags, joined, lengthen, long_count, long_head, long_text,
    long_text_head, put_tags, refuse_size, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 22
NAME: Final = "StreamsGroupCurrentMemberAssignmentValue"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class TaskIds(Message):
    """Tasks of one subtopology."""

    __slots__ = ("subtopology_id", "partitions", "assignment_epochs", "unknown_tags")

    def __init__(
        self,
        # Id of the subtopology.
        subtopology_id: str = "",
        # Partition indexes.
        partitions: Sequence[int] = (),
        # For each partition the epoch at which the member got it. (tag 0)
        assignment_epochs: Sequence[int] | None = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.subtopology_id = subtopology_id
        self.partitions: Sequence[int] = [] if partitions == () else partitions
        self.assignment_epochs: Sequence[int] | None = (
            [] if assignment_epochs == () else assignment_epochs
        )
        self.unknown_tags = unknown_tags


class StreamsGroupCurrentMemberAssignmentValue(Message):
    """Tasks that a member of a streams group has, and those it has to give back."""

    __slots__ = (
        "member_epoch", "previous_member_epoch", "state", "active_tasks", "standby_tasks",
        "warmup_tasks", "active_tasks_pending_revocation", "standby_tasks_pending_revocation",
        "warmup_tasks_pending_revocation", "unknown_tags",
    )

    def __init__(
        self,
        # Epoch the member has reached.
        member_epoch: int = 0,
        # Epoch of the member before this one.
        previous_member_epoch: int = 0,
        # Code of the member's state.
        state: int = 0,
        # Tasks that process records.
        active_tasks: Sequence[TaskIds] = (),
        # Tasks that keep a copy of state.
        standby_tasks: Sequence[TaskIds] = (),
        # Tasks that catch up before they move here.
        warmup_tasks: Sequence[TaskIds] = (),
        # Active tasks the member has still to give back.
        active_tasks_pending_revocation: Sequence[TaskIds] = (),
        # Standby tasks the member has still to give back.
        standby_tasks_pending_revocation: Sequence[TaskIds] = (),
        # Warm-up tasks the member has still to give back.
        warmup_tasks_pending_revocation: Sequence[TaskIds] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.member_epoch = member_epoch
        self.previous_member_epoch = previous_member_epoch
        self.state = state
        self.active_tasks: Sequence[TaskIds] = [] if active_tasks == () else active_tasks
        self.standby_tasks: Sequence[TaskIds] = [] if standby_tasks == () else standby_tasks
        self.warmup_tasks: Sequence[TaskIds] = [] if warmup_tasks == () else warmup_tasks
        self.active_tasks_pending_revocation: Sequence[TaskIds] = (
            [] if active_tasks_pending_revocation == () else active_tasks_pending_revocation
        )
        self.standby_tasks_pending_revocation: Sequence[TaskIds] = (
            [] if standby_tasks_pending_revocation == () else standby_tasks_pending_revocation
        )
        self.warmup_tasks_pending_revocation: Sequence[TaskIds] = (
            [] if warmup_tasks_pending_revocation == () else warmup_tasks_pending_revocation
        )
        self.unknown_tags = unknown_tags


_read_array_ci = ArrayReads("i", "", 1)
_read_array_ci_B = ArrayReads("i", "B", 1)
_read_2ibB = Struct(">2ibB").unpack_from
_write_2ibB = Struct(">2ibB").pack
_write_many_i = ArrayWrites("*i")
_write_B_many_i_x = ArrayWrites("B *i x")


def _get_tags_task_ids_v0(m: TaskIds, buf: bytes, at: int) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            n_assignment_epochs = buf[at]
            at += 1
            if n_assignment_epochs == 0:
                m.assignment_epochs = None
            else:
                if n_assignment_epochs > 127:
                    n_assignment_epochs, at = long_count(buf, at, 4)
                m.assignment_epochs = [*_read_array_ci[n_assignment_epochs](buf, at)]
                at += 4 * n_assignment_epochs - 4
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_streams_group_current_member_assignment_value_v0(
    buf: bytes, at: int,
) -> tuple[StreamsGroupCurrentMemberAssignmentValue, int]:
    m = new(StreamsGroupCurrentMemberAssignmentValue)
    (m.member_epoch, m.previous_member_epoch, m.state, n) = _read_2ibB(buf, at)
    at += 10
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
        task_ids.assignment_epochs = []
        task_ids.unknown_tags = ()
        if tags:
            at = _get_tags_task_ids_v0(task_ids, buf, at - 1)
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
        task_ids_.assignment_epochs = []
        task_ids_.unknown_tags = ()
        if tags:
            at = _get_tags_task_ids_v0(task_ids_, buf, at - 1)
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
        task_ids__.assignment_epochs = []
        task_ids__.unknown_tags = ()
        if tags:
            at = _get_tags_task_ids_v0(task_ids__, buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    active_tasks_pending_revocation: list[TaskIds] = []
    m.active_tasks_pending_revocation = active_tasks_pending_revocation
    left_active_tasks_pending_revocation = n - 1
    while left_active_tasks_pending_revocation:
        left_active_tasks_pending_revocation -= 1
        task_ids___ = new(TaskIds)
        active_tasks_pending_revocation.append(task_ids___)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        task_ids___.subtopology_id = buf[at:end].decode()
        at = end
        n_partitions = buf[at]
        at += 1
        if n_partitions > 127:
            n_partitions, at = long_count(buf, at, 4)
        (*task_ids___.partitions, tags) = _read_array_ci_B[n_partitions](buf, at)
        at += 4 * n_partitions - 3
        task_ids___.assignment_epochs = []
        task_ids___.unknown_tags = ()
        if tags:
            at = _get_tags_task_ids_v0(task_ids___, buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    standby_tasks_pending_revocation: list[TaskIds] = []
    m.standby_tasks_pending_revocation = standby_tasks_pending_revocation
    left_standby_tasks_pending_revocation = n - 1
    while left_standby_tasks_pending_revocation:
        left_standby_tasks_pending_revocation -= 1
        task_ids____ = new(TaskIds)
        standby_tasks_pending_revocation.append(task_ids____)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        task_ids____.subtopology_id = buf[at:end].decode()
        at = end
        n_partitions = buf[at]
        at += 1
        if n_partitions > 127:
            n_partitions, at = long_count(buf, at, 4)
        (*task_ids____.partitions, tags) = _read_array_ci_B[n_partitions](buf, at)
        at += 4 * n_partitions - 3
        task_ids____.assignment_epochs = []
        task_ids____.unknown_tags = ()
        if tags:
            at = _get_tags_task_ids_v0(task_ids____, buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    warmup_tasks_pending_revocation: list[TaskIds] = []
    m.warmup_tasks_pending_revocation = warmup_tasks_pending_revocation
    left_warmup_tasks_pending_revocation = n - 1
    while left_warmup_tasks_pending_revocation:
        left_warmup_tasks_pending_revocation -= 1
        task_ids_____ = new(TaskIds)
        warmup_tasks_pending_revocation.append(task_ids_____)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        task_ids_____.subtopology_id = buf[at:end].decode()
        at = end
        n_partitions = buf[at]
        at += 1
        if n_partitions > 127:
            n_partitions, at = long_count(buf, at, 4)
        (*task_ids_____.partitions, tags) = _read_array_ci_B[n_partitions](buf, at)
        at += 4 * n_partitions - 3
        task_ids_____.assignment_epochs = []
        task_ids_____.unknown_tags = ()
        if tags:
            at = _get_tags_task_ids_v0(task_ids_____, buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _tags_of_task_ids_v0(m: TaskIds) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if m.assignment_epochs is None or len(m.assignment_epochs):
        part: Parts = []
        assignment_epochs = m.assignment_epochs
        n = 0 if assignment_epochs is None else len(assignment_epochs) + 1
        part.append(ONE_BYTE[n] if n < 128 else long_head(n))
        if assignment_epochs is not None:
            part.append(_write_many_i[len(assignment_epochs)](*assignment_epochs))
        tags.append((0, joined(part)))
    return tags


def _put_streams_group_current_member_assignment_value_v0(
    out: Parts, m: StreamsGroupCurrentMemberAssignmentValue,
) -> None:
    active_tasks = m.active_tasks
    n = len(active_tasks) + 1
    out.append(_write_2ibB(m.member_epoch, m.previous_member_epoch, m.state, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for task_ids in active_tasks:
        subtopology_id = task_ids.subtopology_id.encode()
        n = len(subtopology_id) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(subtopology_id)
        partitions = task_ids.partitions
        n_partitions = len(partitions)
        write = _write_B_many_i_x[n_partitions]
        out.append(write(n_partitions + 1, *partitions))
        if (
            task_ids.unknown_tags
            or task_ids.assignment_epochs is None
            or len(task_ids.assignment_epochs)
        ):
            put_tags(out, _tags_of_task_ids_v0(task_ids), task_ids.unknown_tags)
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
        if (
            task_ids_.unknown_tags
            or task_ids_.assignment_epochs is None
            or len(task_ids_.assignment_epochs)
        ):
            put_tags(out, _tags_of_task_ids_v0(task_ids_), task_ids_.unknown_tags)
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
        if (
            task_ids__.unknown_tags
            or task_ids__.assignment_epochs is None
            or len(task_ids__.assignment_epochs)
        ):
            put_tags(out, _tags_of_task_ids_v0(task_ids__), task_ids__.unknown_tags)
    active_tasks_pending_revocation = m.active_tasks_pending_revocation
    n = len(active_tasks_pending_revocation) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for task_ids___ in active_tasks_pending_revocation:
        subtopology_id___ = task_ids___.subtopology_id.encode()
        n = len(subtopology_id___) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(subtopology_id___)
        partitions___ = task_ids___.partitions
        n_partitions = len(partitions___)
        write = _write_B_many_i_x[n_partitions]
        out.append(write(n_partitions + 1, *partitions___))
        if (
            task_ids___.unknown_tags
            or task_ids___.assignment_epochs is None
            or len(task_ids___.assignment_epochs)
        ):
            put_tags(out, _tags_of_task_ids_v0(task_ids___), task_ids___.unknown_tags)
    standby_tasks_pending_revocation = m.standby_tasks_pending_revocation
    n = len(standby_tasks_pending_revocation) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for task_ids____ in standby_tasks_pending_revocation:
        subtopology_id____ = task_ids____.subtopology_id.encode()
        n = len(subtopology_id____) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(subtopology_id____)
        partitions____ = task_ids____.partitions
        n_partitions = len(partitions____)
        write = _write_B_many_i_x[n_partitions]
        out.append(write(n_partitions + 1, *partitions____))
        if (
            task_ids____.unknown_tags
            or task_ids____.assignment_epochs is None
            or len(task_ids____.assignment_epochs)
        ):
            put_tags(out, _tags_of_task_ids_v0(task_ids____), task_ids____.unknown_tags)
    warmup_tasks_pending_revocation = m.warmup_tasks_pending_revocation
    n = len(warmup_tasks_pending_revocation) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for task_ids_____ in warmup_tasks_pending_revocation:
        subtopology_id_____ = task_ids_____.subtopology_id.encode()
        n = len(subtopology_id_____) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(subtopology_id_____)
        partitions_____ = task_ids_____.partitions
        n_partitions = len(partitions_____)
        write = _write_B_many_i_x[n_partitions]
        out.append(write(n_partitions + 1, *partitions_____))
        if (
            task_ids_____.unknown_tags
            or task_ids_____.assignment_epochs is None
            or len(task_ids_____.assignment_epochs)
        ):
            put_tags(out, _tags_of_task_ids_v0(task_ids_____), task_ids_____.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_streams_group_current_member_assignment_value_v0}
_PUT = {0: _put_streams_group_current_member_assignment_value_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> StreamsGroupCurrentMemberAssignmentValue:
    """The StreamsGroupCurrentMemberAssignmentValue that begins at ``at``, in this version; what
    follows it is ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[StreamsGroupCurrentMemberAssignmentValue, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: StreamsGroupCurrentMemberAssignmentValue, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: StreamsGroupCurrentMemberAssignmentValue, version: int) -> None:
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
        (
            "assignmentEpochs", "assignment_epochs", "[]int32", (0, 0), (0, 0), 0, (0, 0), (),
            False, (0, 0), None,
        ),
    ),
)
_STREAMS_GROUP_CURRENT_MEMBER_ASSIGNMENT_VALUE_SHAPE: Shape = (
    StreamsGroupCurrentMemberAssignmentValue,
    (
        ("memberEpoch", "member_epoch", "int32", (0, 0), None, None, None, 0, False, (0, 0), None),
        (
            "previousMemberEpoch", "previous_member_epoch", "int32", (0, 0), None, None, None, 0,
            False, (0, 0), None,
        ),
        ("state", "state", "int8", (0, 0), None, None, None, 0, False, (0, 0), None),
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
        (
            "activeTasksPendingRevocation", "active_tasks_pending_revocation", "[]TaskIds", (0, 0),
            None, None, None, (), False, (0, 0), _TASK_IDS_SHAPE,
        ),
        (
            "standbyTasksPendingRevocation", "standby_tasks_pending_revocation", "[]TaskIds",
            (0, 0), None, None, None, (), False, (0, 0), _TASK_IDS_SHAPE,
        ),
        (
            "warmupTasksPendingRevocation", "warmup_tasks_pending_revocation", "[]TaskIds", (0, 0),
            None, None, None, (), False, (0, 0), _TASK_IDS_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_STREAMS_GROUP_CURRENT_MEMBER_ASSIGNMENT_VALUE_SHAPE, (0, 0), (0, 0))
