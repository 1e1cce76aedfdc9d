# GENERATED from schemas/records/partition_change_record.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 35cf6995fc4768a9, generator 1.
"""Changes parts of a partition's state. Record type 5, versions 0-2, flexible from 0."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.arrays import ArrayReads, ArrayWrites
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, decode_failure, encode_failure,
    get_tag_count, get_tag_head, joined, long_count, long_head, put_tags, put_uuids, refuse_field,
    refuse_size, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 5
NAME: Final = "PartitionChangeRecord"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 2
FLEXIBLE_FROM: Final[int | None] = 0


class PartitionChangeRecord(Message):
    """Changes parts of a partition's state."""

    __slots__ = (
        "partition_id", "topic_id", "isr", "leader", "replicas", "removing_replicas",
        "adding_replicas", "leader_recovery_state", "directories", "eligible_leader_replicas",
        "last_known_elr", "unknown_tags",
    )

    def __init__(
        self,
        # Index of the partition.
        partition_id: int = -1,
        # Topic the partition belongs to.
        topic_id: bytes = ZERO_UUID,
        # New in-sync replicas; null leaves them unchanged. (tag 0)
        isr: Sequence[int] | None = None,
        # New leader: -1 for none, -2 leaves it unchanged. (tag 1)
        leader: int = -2,
        # New replicas, preferred leader first; null leaves them unchanged. (tag 2)
        replicas: Sequence[int] | None = None,
        # New list of replicas being removed; null leaves it unchanged. (tag 3)
        removing_replicas: Sequence[int] | None = None,
        # New list of replicas being added; null leaves it unchanged. (tag 4)
        adding_replicas: Sequence[int] | None = None,
        # New recovery state: 0 recovered, 1 recovering; -1 leaves it unchanged. (tag 5)
        leader_recovery_state: int = -1,
        # New log directories, in the order of the replicas; null leaves them unchanged. (v1+, tag
        # 8)
        directories: Sequence[bytes] | None = None,
        # New eligible replicas; null leaves them unchanged. (v2+, tag 6)
        eligible_leader_replicas: Sequence[int] | None = None,
        # New last known eligible replicas; null leaves them unchanged. (v2+, tag 7)
        last_known_elr: Sequence[int] | None = None,
        unknown_tags: Tags = (),
    ) -> None:
        self.partition_id = partition_id
        self.topic_id = topic_id
        self.isr = isr
        self.leader = leader
        self.replicas = replicas
        self.removing_replicas = removing_replicas
        self.adding_replicas = adding_replicas
        self.leader_recovery_state = leader_recovery_state
        self.directories = directories
        self.eligible_leader_replicas = eligible_leader_replicas
        self.last_known_elr = last_known_elr
        self.unknown_tags = unknown_tags


_read_array_c16s = ArrayReads("16s", "", 1)
_read_array_ci = ArrayReads("i", "", 1)
_read_b = Struct(">b").unpack_from
_read_i = Struct(">i").unpack_from
_read_i16sB = Struct(">i16sB").unpack_from
_write_b = Struct(">b").pack
_write_i = Struct(">i").pack
_write_i16sx = Struct(">i16sx").pack
_write_B_many_i = ArrayWrites("B *i")


def _get_tags_partition_change_record_v0(m: PartitionChangeRecord, buf: bytes, at: int) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            n_isr = buf[at]
            at += 1
            if n_isr == 0:
                m.isr = None
            else:
                if n_isr > 127:
                    n_isr, at = long_count(buf, at, 4)
                m.isr = [*_read_array_ci[n_isr](buf, at)]
                at += 4 * n_isr - 4
        elif tag == 1:
            (m.leader,) = _read_i(buf, at)
            at += 4
        elif tag == 2:
            n_replicas = buf[at]
            at += 1
            if n_replicas == 0:
                m.replicas = None
            else:
                if n_replicas > 127:
                    n_replicas, at = long_count(buf, at, 4)
                m.replicas = [*_read_array_ci[n_replicas](buf, at)]
                at += 4 * n_replicas - 4
        elif tag == 3:
            n_removing_replicas = buf[at]
            at += 1
            if n_removing_replicas == 0:
                m.removing_replicas = None
            else:
                if n_removing_replicas > 127:
                    n_removing_replicas, at = long_count(buf, at, 4)
                m.removing_replicas = [*_read_array_ci[n_removing_replicas](buf, at)]
                at += 4 * n_removing_replicas - 4
        elif tag == 4:
            n_adding_replicas = buf[at]
            at += 1
            if n_adding_replicas == 0:
                m.adding_replicas = None
            else:
                if n_adding_replicas > 127:
                    n_adding_replicas, at = long_count(buf, at, 4)
                m.adding_replicas = [*_read_array_ci[n_adding_replicas](buf, at)]
                at += 4 * n_adding_replicas - 4
        elif tag == 5:
            (m.leader_recovery_state,) = _read_b(buf, at)
            at += 1
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_partition_change_record_v0(buf: bytes, at: int) -> tuple[PartitionChangeRecord, int]:
    m = new(PartitionChangeRecord)
    (m.partition_id, m.topic_id, tags) = _read_i16sB(buf, at)
    at += 21
    m.isr = None
    m.leader = -2
    m.replicas = None
    m.removing_replicas = None
    m.adding_replicas = None
    m.leader_recovery_state = -1
    m.directories = None
    m.eligible_leader_replicas = None
    m.last_known_elr = None
    m.unknown_tags = ()
    if tags:
        at = _get_tags_partition_change_record_v0(m, buf, at - 1)
    return m, at


def _get_tags_partition_change_record_v1(m: PartitionChangeRecord, buf: bytes, at: int) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            n_isr = buf[at]
            at += 1
            if n_isr == 0:
                m.isr = None
            else:
                if n_isr > 127:
                    n_isr, at = long_count(buf, at, 4)
                m.isr = [*_read_array_ci[n_isr](buf, at)]
                at += 4 * n_isr - 4
        elif tag == 1:
            (m.leader,) = _read_i(buf, at)
            at += 4
        elif tag == 2:
            n_replicas = buf[at]
            at += 1
            if n_replicas == 0:
                m.replicas = None
            else:
                if n_replicas > 127:
                    n_replicas, at = long_count(buf, at, 4)
                m.replicas = [*_read_array_ci[n_replicas](buf, at)]
                at += 4 * n_replicas - 4
        elif tag == 3:
            n_removing_replicas = buf[at]
            at += 1
            if n_removing_replicas == 0:
                m.removing_replicas = None
            else:
                if n_removing_replicas > 127:
                    n_removing_replicas, at = long_count(buf, at, 4)
                m.removing_replicas = [*_read_array_ci[n_removing_replicas](buf, at)]
                at += 4 * n_removing_replicas - 4
        elif tag == 4:
            n_adding_replicas = buf[at]
            at += 1
            if n_adding_replicas == 0:
                m.adding_replicas = None
            else:
                if n_adding_replicas > 127:
                    n_adding_replicas, at = long_count(buf, at, 4)
                m.adding_replicas = [*_read_array_ci[n_adding_replicas](buf, at)]
                at += 4 * n_adding_replicas - 4
        elif tag == 5:
            (m.leader_recovery_state,) = _read_b(buf, at)
            at += 1
        elif tag == 8:
            n_directories = buf[at]
            at += 1
            if n_directories == 0:
                m.directories = None
            else:
                if n_directories > 127:
                    n_directories, at = long_count(buf, at, 16)
                m.directories = [*_read_array_c16s[n_directories](buf, at)]
                at += 16 * n_directories - 16
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_partition_change_record_v1(buf: bytes, at: int) -> tuple[PartitionChangeRecord, int]:
    m = new(PartitionChangeRecord)
    (m.partition_id, m.topic_id, tags) = _read_i16sB(buf, at)
    at += 21
    m.isr = None
    m.leader = -2
    m.replicas = None
    m.removing_replicas = None
    m.adding_replicas = None
    m.leader_recovery_state = -1
    m.directories = None
    m.eligible_leader_replicas = None
    m.last_known_elr = None
    m.unknown_tags = ()
    if tags:
        at = _get_tags_partition_change_record_v1(m, buf, at - 1)
    return m, at


def _get_tags_partition_change_record_v2(m: PartitionChangeRecord, buf: bytes, at: int) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            n_isr = buf[at]
            at += 1
            if n_isr == 0:
                m.isr = None
            else:
                if n_isr > 127:
                    n_isr, at = long_count(buf, at, 4)
                m.isr = [*_read_array_ci[n_isr](buf, at)]
                at += 4 * n_isr - 4
        elif tag == 1:
            (m.leader,) = _read_i(buf, at)
            at += 4
        elif tag == 2:
            n_replicas = buf[at]
            at += 1
            if n_replicas == 0:
                m.replicas = None
            else:
                if n_replicas > 127:
                    n_replicas, at = long_count(buf, at, 4)
                m.replicas = [*_read_array_ci[n_replicas](buf, at)]
                at += 4 * n_replicas - 4
        elif tag == 3:
            n_removing_replicas = buf[at]
            at += 1
            if n_removing_replicas == 0:
                m.removing_replicas = None
            else:
                if n_removing_replicas > 127:
                    n_removing_replicas, at = long_count(buf, at, 4)
                m.removing_replicas = [*_read_array_ci[n_removing_replicas](buf, at)]
                at += 4 * n_removing_replicas - 4
        elif tag == 4:
            n_adding_replicas = buf[at]
            at += 1
            if n_adding_replicas == 0:
                m.adding_replicas = None
            else:
                if n_adding_replicas > 127:
                    n_adding_replicas, at = long_count(buf, at, 4)
                m.adding_replicas = [*_read_array_ci[n_adding_replicas](buf, at)]
                at += 4 * n_adding_replicas - 4
        elif tag == 5:
            (m.leader_recovery_state,) = _read_b(buf, at)
            at += 1
        elif tag == 6:
            n_eligible_leader_replicas = buf[at]
            at += 1
            if n_eligible_leader_replicas == 0:
                m.eligible_leader_replicas = None
            else:
                if n_eligible_leader_replicas > 127:
                    n_eligible_leader_replicas, at = long_count(buf, at, 4)
                m.eligible_leader_replicas = [*_read_array_ci[n_eligible_leader_replicas](buf, at)]
                at += 4 * n_eligible_leader_replicas - 4
        elif tag == 7:
            n_last_known_elr = buf[at]
            at += 1
            if n_last_known_elr == 0:
                m.last_known_elr = None
            else:
                if n_last_known_elr > 127:
                    n_last_known_elr, at = long_count(buf, at, 4)
                m.last_known_elr = [*_read_array_ci[n_last_known_elr](buf, at)]
                at += 4 * n_last_known_elr - 4
        elif tag == 8:
            n_directories = buf[at]
            at += 1
            if n_directories == 0:
                m.directories = None
            else:
                if n_directories > 127:
                    n_directories, at = long_count(buf, at, 16)
                m.directories = [*_read_array_c16s[n_directories](buf, at)]
                at += 16 * n_directories - 16
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_partition_change_record_v2(buf: bytes, at: int) -> tuple[PartitionChangeRecord, int]:
    m = new(PartitionChangeRecord)
    (m.partition_id, m.topic_id, tags) = _read_i16sB(buf, at)
    at += 21
    m.isr = None
    m.leader = -2
    m.replicas = None
    m.removing_replicas = None
    m.adding_replicas = None
    m.leader_recovery_state = -1
    m.directories = None
    m.eligible_leader_replicas = None
    m.last_known_elr = None
    m.unknown_tags = ()
    if tags:
        at = _get_tags_partition_change_record_v2(m, buf, at - 1)
    return m, at


def _tags_of_partition_change_record_v0(m: PartitionChangeRecord) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if m.isr is not None:
        isr = m.isr
        n_isr = len(isr)
        write = _write_B_many_i[n_isr]
        tags.append((0, write(n_isr + 1, *isr)))
    if m.leader != -2:
        tags.append((1, _write_i(m.leader)))
    if m.replicas is not None:
        replicas = m.replicas
        n_replicas = len(replicas)
        write = _write_B_many_i[n_replicas]
        tags.append((2, write(n_replicas + 1, *replicas)))
    if m.removing_replicas is not None:
        removing_replicas = m.removing_replicas
        n_removing_replicas = len(removing_replicas)
        write = _write_B_many_i[n_removing_replicas]
        tags.append((3, write(n_removing_replicas + 1, *removing_replicas)))
    if m.adding_replicas is not None:
        adding_replicas = m.adding_replicas
        n_adding_replicas = len(adding_replicas)
        write = _write_B_many_i[n_adding_replicas]
        tags.append((4, write(n_adding_replicas + 1, *adding_replicas)))
    if m.leader_recovery_state != -1:
        tags.append((5, _write_b(m.leader_recovery_state)))
    return tags


def _put_partition_change_record_v0(out: Parts, m: PartitionChangeRecord) -> None:
    if m.directories is not None:
        refuse_field("directories")
    if m.eligible_leader_replicas is not None:
        refuse_field("eligible_leader_replicas")
    if m.last_known_elr is not None:
        refuse_field("last_known_elr")
    if len(m.topic_id) != 16:
        refuse_uuid("topic_id")
    out.append(_write_i16sx(m.partition_id, m.topic_id))
    if (
        m.unknown_tags
        or m.isr is not None
        or m.leader != -2
        or m.replicas is not None
        or m.removing_replicas is not None
        or m.adding_replicas is not None
        or m.leader_recovery_state != -1
    ):
        put_tags(out, _tags_of_partition_change_record_v0(m), m.unknown_tags)


def _tags_of_partition_change_record_v1(m: PartitionChangeRecord) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if m.isr is not None:
        isr = m.isr
        n_isr = len(isr)
        write = _write_B_many_i[n_isr]
        tags.append((0, write(n_isr + 1, *isr)))
    if m.leader != -2:
        tags.append((1, _write_i(m.leader)))
    if m.replicas is not None:
        replicas = m.replicas
        n_replicas = len(replicas)
        write = _write_B_many_i[n_replicas]
        tags.append((2, write(n_replicas + 1, *replicas)))
    if m.removing_replicas is not None:
        removing_replicas = m.removing_replicas
        n_removing_replicas = len(removing_replicas)
        write = _write_B_many_i[n_removing_replicas]
        tags.append((3, write(n_removing_replicas + 1, *removing_replicas)))
    if m.adding_replicas is not None:
        adding_replicas = m.adding_replicas
        n_adding_replicas = len(adding_replicas)
        write = _write_B_many_i[n_adding_replicas]
        tags.append((4, write(n_adding_replicas + 1, *adding_replicas)))
    if m.leader_recovery_state != -1:
        tags.append((5, _write_b(m.leader_recovery_state)))
    if m.directories is not None:
        part: Parts = []
        directories = m.directories
        n = len(directories) + 1
        part.append(ONE_BYTE[n] if n < 128 else long_head(n))
        put_uuids(part, directories)
        tags.append((8, joined(part)))
    return tags


def _put_partition_change_record_v1(out: Parts, m: PartitionChangeRecord) -> None:
    if m.eligible_leader_replicas is not None:
        refuse_field("eligible_leader_replicas")
    if m.last_known_elr is not None:
        refuse_field("last_known_elr")
    if len(m.topic_id) != 16:
        refuse_uuid("topic_id")
    out.append(_write_i16sx(m.partition_id, m.topic_id))
    if (
        m.unknown_tags
        or m.isr is not None
        or m.leader != -2
        or m.replicas is not None
        or m.removing_replicas is not None
        or m.adding_replicas is not None
        or m.leader_recovery_state != -1
        or m.directories is not None
    ):
        put_tags(out, _tags_of_partition_change_record_v1(m), m.unknown_tags)


def _tags_of_partition_change_record_v2(m: PartitionChangeRecord) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if m.isr is not None:
        isr = m.isr
        n_isr = len(isr)
        write = _write_B_many_i[n_isr]
        tags.append((0, write(n_isr + 1, *isr)))
    if m.leader != -2:
        tags.append((1, _write_i(m.leader)))
    if m.replicas is not None:
        replicas = m.replicas
        n_replicas = len(replicas)
        write = _write_B_many_i[n_replicas]
        tags.append((2, write(n_replicas + 1, *replicas)))
    if m.removing_replicas is not None:
        removing_replicas = m.removing_replicas
        n_removing_replicas = len(removing_replicas)
        write = _write_B_many_i[n_removing_replicas]
        tags.append((3, write(n_removing_replicas + 1, *removing_replicas)))
    if m.adding_replicas is not None:
        adding_replicas = m.adding_replicas
        n_adding_replicas = len(adding_replicas)
        write = _write_B_many_i[n_adding_replicas]
        tags.append((4, write(n_adding_replicas + 1, *adding_replicas)))
    if m.leader_recovery_state != -1:
        tags.append((5, _write_b(m.leader_recovery_state)))
    if m.eligible_leader_replicas is not None:
        eligible_leader_replicas = m.eligible_leader_replicas
        n_eligible_leader_replicas = len(eligible_leader_replicas)
        write = _write_B_many_i[n_eligible_leader_replicas]
        tags.append((6, write(n_eligible_leader_replicas + 1, *eligible_leader_replicas)))
    if m.last_known_elr is not None:
        last_known_elr = m.last_known_elr
        n_last_known_elr = len(last_known_elr)
        write = _write_B_many_i[n_last_known_elr]
        tags.append((7, write(n_last_known_elr + 1, *last_known_elr)))
    if m.directories is not None:
        part: Parts = []
        directories = m.directories
        n = len(directories) + 1
        part.append(ONE_BYTE[n] if n < 128 else long_head(n))
        put_uuids(part, directories)
        tags.append((8, joined(part)))
    return tags


def _put_partition_change_record_v2(out: Parts, m: PartitionChangeRecord) -> None:
    if len(m.topic_id) != 16:
        refuse_uuid("topic_id")
    out.append(_write_i16sx(m.partition_id, m.topic_id))
    if (
        m.unknown_tags
        or m.isr is not None
        or m.leader != -2
        or m.replicas is not None
        or m.removing_replicas is not None
        or m.adding_replicas is not None
        or m.leader_recovery_state != -1
        or m.eligible_leader_replicas is not None
        or m.last_known_elr is not None
        or m.directories is not None
    ):
        put_tags(out, _tags_of_partition_change_record_v2(m), m.unknown_tags)


_GET = {
    0: _get_partition_change_record_v0, 1: _get_partition_change_record_v1,
    2: _get_partition_change_record_v2,
}
_PUT = {
    0: _put_partition_change_record_v0, 1: _put_partition_change_record_v1,
    2: _put_partition_change_record_v2,
}


def decode(buf: Buffer, version: int, at: int = 0) -> PartitionChangeRecord:
    """The PartitionChangeRecord that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[PartitionChangeRecord, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: PartitionChangeRecord, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: PartitionChangeRecord, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_PARTITION_CHANGE_RECORD_SHAPE: Shape = (
    PartitionChangeRecord,
    (
        ("partitionId", "partition_id", "int32", (0, 2), None, None, None, -1, False, (0, 2), None),
        ("topicId", "topic_id", "uuid", (0, 2), None, None, None, ZERO_UUID, False, (0, 2), None),
        ("isr", "isr", "[]int32", (0, 2), (0, 2), 0, (0, 2), None, False, (0, 2), None),
        ("leader", "leader", "int32", (0, 2), None, 1, (0, 2), -2, False, (0, 2), None),
        ("replicas", "replicas", "[]int32", (0, 2), (0, 2), 2, (0, 2), None, False, (0, 2), None),
        (
            "removingReplicas", "removing_replicas", "[]int32", (0, 2), (0, 2), 3, (0, 2), None,
            False, (0, 2), None,
        ),
        (
            "addingReplicas", "adding_replicas", "[]int32", (0, 2), (0, 2), 4, (0, 2), None, False,
            (0, 2), None,
        ),
        (
            "leaderRecoveryState", "leader_recovery_state", "int8", (0, 2), None, 5, (0, 2), -1,
            False, (0, 2), None,
        ),
        (
            "directories", "directories", "[]uuid", (1, 2), (1, 2), 8, (1, 2), None, False, (0, 2),
            None,
        ),
        (
            "eligibleLeaderReplicas", "eligible_leader_replicas", "[]int32", (2, 2), (2, 2), 6,
            (2, 2), None, False, (0, 2), None,
        ),
        (
            "lastKnownElr", "last_known_elr", "[]int32", (2, 2), (2, 2), 7, (2, 2), None, False,
            (0, 2), None,
        ),
    ),
)
SHAPE: Shape = (_PARTITION_CHANGE_RECORD_SHAPE, (0, 2), (0, 2))
