# GENERATED from schemas/records/partition_record.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 234bee69a8931b25, generator 1.
"""Creates a partition, or carries its whole state in a snapshot. Record type 3, versions 0-2,
flexible from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.arrays import ArrayReads, ArrayWrites
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tag_count, get_tag_head, joined, lengthen, long_count, put_tags, put_uuids, refuse_field,
    refuse_size, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 3
NAME: Final = "PartitionRecord"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 2
FLEXIBLE_FROM: Final[int | None] = 0


class PartitionRecord(Message):
    """Creates a partition, or carries its whole state in a snapshot."""

    __slots__ = (
        "partition_id", "topic_id", "replicas", "isr", "removing_replicas", "adding_replicas",
        "leader", "leader_recovery_state", "leader_epoch", "partition_epoch", "directories",
        "eligible_leader_replicas", "last_known_elr", "unknown_tags",
    )

    def __init__(
        self,
        # Index of the partition.
        partition_id: int = -1,
        # Topic the partition belongs to.
        topic_id: bytes = ZERO_UUID,
        # Replicas, preferred leader first.
        replicas: Sequence[int] = (),
        # Replicas in sync with the leader.
        isr: Sequence[int] = (),
        # Replicas that a reassignment is removing.
        removing_replicas: Sequence[int] = (),
        # Replicas that a reassignment is adding.
        adding_replicas: Sequence[int] = (),
        # Leader of the partition; -1 for none.
        leader: int = -1,
        # 0 when the leader is sound, 1 while it recovers from an unclean election. (tag 0)
        leader_recovery_state: int = 0,
        # Epoch of the partition's leader.
        leader_epoch: int = -1,
        # Counts the changes of the partition.
        partition_epoch: int = -1,
        # Log directory of each replica, in the order of the replicas. (v1+)
        directories: Sequence[bytes] = (),
        # Replicas outside the in-sync set that may still lead without loss. (v2+, tag 1)
        eligible_leader_replicas: Sequence[int] | None = None,
        # Eligible replicas that may have lost records in an unclean shutdown. (v2+, tag 2)
        last_known_elr: Sequence[int] | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.partition_id = partition_id
        self.topic_id = topic_id
        self.replicas: Sequence[int] = [] if replicas == () else replicas
        self.isr: Sequence[int] = [] if isr == () else isr
        self.removing_replicas: Sequence[int] = [] if removing_replicas == () else removing_replicas
        self.adding_replicas: Sequence[int] = [] if adding_replicas == () else adding_replicas
        self.leader = leader
        self.leader_recovery_state = leader_recovery_state
        self.leader_epoch = leader_epoch
        self.partition_epoch = partition_epoch
        self.directories: Sequence[bytes] = [] if directories == () else directories
        self.eligible_leader_replicas = eligible_leader_replicas
        self.last_known_elr = last_known_elr
        self.unknown_tags = unknown_tags


_read_array_c16s_B = ArrayReads("16s", "B", 1)
_read_array_ci = ArrayReads("i", "", 1)
_read_array_ci_3iB = ArrayReads("i", "3iB", 1)
_read_array_ci_B = ArrayReads("i", "B", 1)
_read_b = Struct(">b").unpack_from
_read_i16sB = Struct(">i16sB").unpack_from
_write_b = Struct(">b").pack
_write_B_many_i = ArrayWrites("B *i")
_write_i16sB_many_i_B_many_i_B_many_i_B_many_i_3iB = ArrayWrites("i16sB *i B *i B *i B *i iiiB")
_write_i16sB_many_i_B_many_i_B_many_i_B_many_i_3ix = ArrayWrites("i16sB *i B *i B *i B *i iiix")


def _get_tags_partition_record_v0(m: PartitionRecord, buf: bytes, at: int) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            (m.leader_recovery_state,) = _read_b(buf, at)
            at += 1
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_partition_record_v0(buf: bytes, at: int) -> tuple[PartitionRecord, int]:
    m = new(PartitionRecord)
    (m.partition_id, m.topic_id, n_replicas) = _read_i16sB(buf, at)
    at += 21
    if n_replicas > 127:
        n_replicas, at = long_count(buf, at, 4)
    (*m.replicas, n_isr) = _read_array_ci_B[n_replicas](buf, at)
    at += 4 * n_replicas - 3
    if n_isr > 127:
        n_isr, at = long_count(buf, at, 4)
    (*m.isr, n_removing_replicas) = _read_array_ci_B[n_isr](buf, at)
    at += 4 * n_isr - 3
    if n_removing_replicas > 127:
        n_removing_replicas, at = long_count(buf, at, 4)
    (*m.removing_replicas, n_adding_replicas) = _read_array_ci_B[n_removing_replicas](buf, at)
    at += 4 * n_removing_replicas - 3
    if n_adding_replicas > 127:
        n_adding_replicas, at = long_count(buf, at, 4)
    (
        *m.adding_replicas, m.leader, m.leader_epoch, m.partition_epoch, tags,
    ) = _read_array_ci_3iB[n_adding_replicas](buf, at)
    at += 4 * n_adding_replicas + 9
    m.leader_recovery_state = 0
    m.directories = []
    m.eligible_leader_replicas = None
    m.last_known_elr = None
    m.unknown_tags = ()
    if tags:
        at = _get_tags_partition_record_v0(m, buf, at - 1)
    return m, at


def _get_tags_partition_record_v1(m: PartitionRecord, buf: bytes, at: int) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            (m.leader_recovery_state,) = _read_b(buf, at)
            at += 1
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_partition_record_v1(buf: bytes, at: int) -> tuple[PartitionRecord, int]:
    m = new(PartitionRecord)
    (m.partition_id, m.topic_id, n_replicas) = _read_i16sB(buf, at)
    at += 21
    if n_replicas > 127:
        n_replicas, at = long_count(buf, at, 4)
    (*m.replicas, n_isr) = _read_array_ci_B[n_replicas](buf, at)
    at += 4 * n_replicas - 3
    if n_isr > 127:
        n_isr, at = long_count(buf, at, 4)
    (*m.isr, n_removing_replicas) = _read_array_ci_B[n_isr](buf, at)
    at += 4 * n_isr - 3
    if n_removing_replicas > 127:
        n_removing_replicas, at = long_count(buf, at, 4)
    (*m.removing_replicas, n_adding_replicas) = _read_array_ci_B[n_removing_replicas](buf, at)
    at += 4 * n_removing_replicas - 3
    if n_adding_replicas > 127:
        n_adding_replicas, at = long_count(buf, at, 4)
    (
        *m.adding_replicas, m.leader, m.leader_epoch, m.partition_epoch, n_directories,
    ) = _read_array_ci_3iB[n_adding_replicas](buf, at)
    at += 4 * n_adding_replicas + 9
    if n_directories > 127:
        n_directories, at = long_count(buf, at, 16)
    (*m.directories, tags) = _read_array_c16s_B[n_directories](buf, at)
    at += 16 * n_directories - 15
    m.leader_recovery_state = 0
    m.eligible_leader_replicas = None
    m.last_known_elr = None
    m.unknown_tags = ()
    if tags:
        at = _get_tags_partition_record_v1(m, buf, at - 1)
    return m, at


def _get_tags_partition_record_v2(m: PartitionRecord, buf: bytes, at: int) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            (m.leader_recovery_state,) = _read_b(buf, at)
            at += 1
        elif tag == 1:
            n_eligible_leader_replicas = buf[at]
            at += 1
            if n_eligible_leader_replicas == 0:
                m.eligible_leader_replicas = None
            else:
                if n_eligible_leader_replicas > 127:
                    n_eligible_leader_replicas, at = long_count(buf, at, 4)
                m.eligible_leader_replicas = [*_read_array_ci[n_eligible_leader_replicas](buf, at)]
                at += 4 * n_eligible_leader_replicas - 4
        elif tag == 2:
            n_last_known_elr = buf[at]
            at += 1
            if n_last_known_elr == 0:
                m.last_known_elr = None
            else:
                if n_last_known_elr > 127:
                    n_last_known_elr, at = long_count(buf, at, 4)
                m.last_known_elr = [*_read_array_ci[n_last_known_elr](buf, at)]
                at += 4 * n_last_known_elr - 4
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_partition_record_v2(buf: bytes, at: int) -> tuple[PartitionRecord, int]:
    m = new(PartitionRecord)
    (m.partition_id, m.topic_id, n_replicas) = _read_i16sB(buf, at)
    at += 21
    if n_replicas > 127:
        n_replicas, at = long_count(buf, at, 4)
    (*m.replicas, n_isr) = _read_array_ci_B[n_replicas](buf, at)
    at += 4 * n_replicas - 3
    if n_isr > 127:
        n_isr, at = long_count(buf, at, 4)
    (*m.isr, n_removing_replicas) = _read_array_ci_B[n_isr](buf, at)
    at += 4 * n_isr - 3
    if n_removing_replicas > 127:
        n_removing_replicas, at = long_count(buf, at, 4)
    (*m.removing_replicas, n_adding_replicas) = _read_array_ci_B[n_removing_replicas](buf, at)
    at += 4 * n_removing_replicas - 3
    if n_adding_replicas > 127:
        n_adding_replicas, at = long_count(buf, at, 4)
    (
        *m.adding_replicas, m.leader, m.leader_epoch, m.partition_epoch, n_directories,
    ) = _read_array_ci_3iB[n_adding_replicas](buf, at)
    at += 4 * n_adding_replicas + 9
    if n_directories > 127:
        n_directories, at = long_count(buf, at, 16)
    (*m.directories, tags) = _read_array_c16s_B[n_directories](buf, at)
    at += 16 * n_directories - 15
    m.leader_recovery_state = 0
    m.eligible_leader_replicas = None
    m.last_known_elr = None
    m.unknown_tags = ()
    if tags:
        at = _get_tags_partition_record_v2(m, buf, at - 1)
    return m, at


def _tags_of_partition_record_v0(m: PartitionRecord) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if m.leader_recovery_state != 0:
        tags.append((0, _write_b(m.leader_recovery_state)))
    return tags


def _put_partition_record_v0(out: Parts, m: PartitionRecord) -> None:
    if m.directories:
        refuse_field("directories")
    if m.eligible_leader_replicas is not None:
        refuse_field("eligible_leader_replicas")
    if m.last_known_elr is not None:
        refuse_field("last_known_elr")
    if len(m.topic_id) != 16:
        refuse_uuid("topic_id")
    replicas = m.replicas
    n_replicas = len(replicas)
    isr = m.isr
    n_isr = len(isr)
    removing_replicas = m.removing_replicas
    n_removing_replicas = len(removing_replicas)
    adding_replicas = m.adding_replicas
    n_adding_replicas = len(adding_replicas)
    write = (
        _write_i16sB_many_i_B_many_i_B_many_i_B_many_i_3ix[n_replicas, n_isr, n_removing_replicas,
        n_adding_replicas]
    )
    out.append(write(
        m.partition_id, m.topic_id, n_replicas + 1, *replicas, n_isr + 1, *isr,
        n_removing_replicas + 1, *removing_replicas, n_adding_replicas + 1, *adding_replicas,
        m.leader, m.leader_epoch, m.partition_epoch,
    ))
    if m.unknown_tags or m.leader_recovery_state != 0:
        put_tags(out, _tags_of_partition_record_v0(m), m.unknown_tags)


def _tags_of_partition_record_v1(m: PartitionRecord) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if m.leader_recovery_state != 0:
        tags.append((0, _write_b(m.leader_recovery_state)))
    return tags


def _put_partition_record_v1(out: Parts, m: PartitionRecord) -> None:
    if m.eligible_leader_replicas is not None:
        refuse_field("eligible_leader_replicas")
    if m.last_known_elr is not None:
        refuse_field("last_known_elr")
    if len(m.topic_id) != 16:
        refuse_uuid("topic_id")
    replicas = m.replicas
    n_replicas = len(replicas)
    isr = m.isr
    n_isr = len(isr)
    removing_replicas = m.removing_replicas
    n_removing_replicas = len(removing_replicas)
    adding_replicas = m.adding_replicas
    n_adding_replicas = len(adding_replicas)
    directories = m.directories
    n = len(directories) + 1
    write = (
        _write_i16sB_many_i_B_many_i_B_many_i_B_many_i_3iB[n_replicas, n_isr, n_removing_replicas,
        n_adding_replicas]
    )
    out.append(write(
        m.partition_id, m.topic_id, n_replicas + 1, *replicas, n_isr + 1, *isr,
        n_removing_replicas + 1, *removing_replicas, n_adding_replicas + 1, *adding_replicas,
        m.leader, m.leader_epoch, m.partition_epoch, n if n < 128 else 0,
    ))
    if n > 127:
        lengthen(out, n)
    put_uuids(out, directories)
    out.append(b"\0")
    if m.unknown_tags or m.leader_recovery_state != 0:
        put_tags(out, _tags_of_partition_record_v1(m), m.unknown_tags)


def _tags_of_partition_record_v2(m: PartitionRecord) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if m.leader_recovery_state != 0:
        tags.append((0, _write_b(m.leader_recovery_state)))
    if m.eligible_leader_replicas is not None:
        eligible_leader_replicas = m.eligible_leader_replicas
        n_eligible_leader_replicas = len(eligible_leader_replicas)
        write = _write_B_many_i[n_eligible_leader_replicas]
        tags.append((1, write(n_eligible_leader_replicas + 1, *eligible_leader_replicas)))
    if m.last_known_elr is not None:
        last_known_elr = m.last_known_elr
        n_last_known_elr = len(last_known_elr)
        write = _write_B_many_i[n_last_known_elr]
        tags.append((2, write(n_last_known_elr + 1, *last_known_elr)))
    return tags


def _put_partition_record_v2(out: Parts, m: PartitionRecord) -> None:
    if len(m.topic_id) != 16:
        refuse_uuid("topic_id")
    replicas = m.replicas
    n_replicas = len(replicas)
    isr = m.isr
    n_isr = len(isr)
    removing_replicas = m.removing_replicas
    n_removing_replicas = len(removing_replicas)
    adding_replicas = m.adding_replicas
    n_adding_replicas = len(adding_replicas)
    directories = m.directories
    n = len(directories) + 1
    write = (
        _write_i16sB_many_i_B_many_i_B_many_i_B_many_i_3iB[n_replicas, n_isr, n_removing_replicas,
        n_adding_replicas]
    )
    out.append(write(
        m.partition_id, m.topic_id, n_replicas + 1, *replicas, n_isr + 1, *isr,
        n_removing_replicas + 1, *removing_replicas, n_adding_replicas + 1, *adding_replicas,
        m.leader, m.leader_epoch, m.partition_epoch, n if n < 128 else 0,
    ))
    if n > 127:
        lengthen(out, n)
    put_uuids(out, directories)
    out.append(b"\0")
    if (
        m.unknown_tags
        or m.leader_recovery_state != 0
        or m.eligible_leader_replicas is not None
        or m.last_known_elr is not None
    ):
        put_tags(out, _tags_of_partition_record_v2(m), m.unknown_tags)


_GET = {0: _get_partition_record_v0, 1: _get_partition_record_v1, 2: _get_partition_record_v2}
_PUT = {0: _put_partition_record_v0, 1: _put_partition_record_v1, 2: _put_partition_record_v2}


def decode(buf: Buffer, version: int, at: int = 0) -> PartitionRecord:
    """The PartitionRecord that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[PartitionRecord, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: PartitionRecord, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: PartitionRecord, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_PARTITION_RECORD_SHAPE: Shape = (
    PartitionRecord,
    (
        ("partitionId", "partition_id", "int32", (0, 2), None, None, None, -1, False, (0, 2), None),
        ("topicId", "topic_id", "uuid", (0, 2), None, None, None, ZERO_UUID, False, (0, 2), None),
        ("replicas", "replicas", "[]int32", (0, 2), None, None, None, (), False, (0, 2), None),
        ("isr", "isr", "[]int32", (0, 2), None, None, None, (), False, (0, 2), None),
        (
            "removingReplicas", "removing_replicas", "[]int32", (0, 2), None, None, None, (), False,
            (0, 2), None,
        ),
        (
            "addingReplicas", "adding_replicas", "[]int32", (0, 2), None, None, None, (), False,
            (0, 2), None,
        ),
        ("leader", "leader", "int32", (0, 2), None, None, None, -1, False, (0, 2), None),
        (
            "leaderRecoveryState", "leader_recovery_state", "int8", (0, 2), None, 0, (0, 2), 0,
            False, (0, 2), None,
        ),
        ("leaderEpoch", "leader_epoch", "int32", (0, 2), None, None, None, -1, False, (0, 2), None),
        (
            "partitionEpoch", "partition_epoch", "int32", (0, 2), None, None, None, -1, False,
            (0, 2), None,
        ),
        ("directories", "directories", "[]uuid", (1, 2), None, None, None, (), False, (0, 2), None),
        (
            "eligibleLeaderReplicas", "eligible_leader_replicas", "[]int32", (2, 2), (2, 2), 1,
            (2, 2), None, False, (0, 2), None,
        ),
        (
            "lastKnownElr", "last_known_elr", "[]int32", (2, 2), (2, 2), 2, (2, 2), None, False,
            (0, 2), None,
        ),
    ),
)
SHAPE: Shape = (_PARTITION_RECORD_SHAPE, (0, 2), (0, 2))
