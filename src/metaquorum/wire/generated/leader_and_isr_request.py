# GENERATED from schemas/leader_and_isr_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 827b9d5bfdc2ba7e, generator 1.
"""A controller of the ZooKeeper days tells a broker which partitions it leads or follows. Api key
4, versions 0-7, flexible from 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.arrays import ArrayReads, ArrayWrites
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tags, joined, lengthen, lengthen_text, long_count, long_head, long_text,
    long_text_head, put_tags, refuse_field, refuse_null, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 4
NAME: Final = "LeaderAndIsrRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 7
FLEXIBLE_FROM: Final[int | None] = 4


class LeaderAndIsrPartitionState(Message):
    """State of one partition."""

    __slots__ = (
        "topic_name", "partition_index", "controller_epoch", "leader", "leader_epoch", "isr",
        "partition_epoch", "replicas", "adding_replicas", "removing_replicas", "is_new",
        "leader_recovery_state", "unknown_tags",
    )

    def __init__(
        self,
        # Name of the topic. (v0-1)
        topic_name: str = "",
        # Index of the partition.
        partition_index: int = 0,
        # Epoch of that controller.
        controller_epoch: int = 0,
        # Leader of the partition; -1 for none.
        leader: int = 0,
        # Epoch of the leader; -1 when unknown.
        leader_epoch: int = 0,
        # Replicas in sync with the leader.
        isr: Sequence[int] = (),
        # Counts the changes of the partition.
        partition_epoch: int = 0,
        # Replicas, preferred leader first.
        replicas: Sequence[int] = (),
        # Replicas that a move is adding. (v3+)
        adding_replicas: Sequence[int] = (),
        # Replicas that a move is removing. (v3+)
        removing_replicas: Sequence[int] = (),
        # True when the partition is new. (v1+)
        is_new: bool = False,
        # 0 when the leader is sound, 1 while it recovers from an unclean election. (v6+)
        leader_recovery_state: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_name = topic_name
        self.partition_index = partition_index
        self.controller_epoch = controller_epoch
        self.leader = leader
        self.leader_epoch = leader_epoch
        self.isr: Sequence[int] = [] if isr == () else isr
        self.partition_epoch = partition_epoch
        self.replicas: Sequence[int] = [] if replicas == () else replicas
        self.adding_replicas: Sequence[int] = [] if adding_replicas == () else adding_replicas
        self.removing_replicas: Sequence[int] = [] if removing_replicas == () else removing_replicas
        self.is_new = is_new
        self.leader_recovery_state = leader_recovery_state
        self.unknown_tags = unknown_tags


class LeaderAndIsrTopicState(Message):
    """One row a topic."""

    __slots__ = ("topic_name", "topic_id", "partition_states", "unknown_tags")

    def __init__(
        self,
        # Name of the topic. (v2+)
        topic_name: str = "",
        # Id of the topic. (v5+)
        topic_id: bytes = ZERO_UUID,
        # One row a partition. (v2+)
        partition_states: Sequence[LeaderAndIsrPartitionState] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_name = topic_name
        self.topic_id = topic_id
        self.partition_states: Sequence[LeaderAndIsrPartitionState] = (
            [] if partition_states == () else partition_states
        )
        self.unknown_tags = unknown_tags


class LeaderAndIsrLiveLeader(Message):
    """Where the leaders can be reached."""

    __slots__ = ("broker_id", "host_name", "port", "unknown_tags")

    def __init__(
        self,
        # Broker that leads.
        broker_id: int = 0,
        # Host to connect to.
        host_name: str = "",
        # Port to connect to.
        port: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.broker_id = broker_id
        self.host_name = host_name
        self.port = port
        self.unknown_tags = unknown_tags


class LeaderAndIsrRequest(Message):
    """A controller of the ZooKeeper days tells a broker which partitions it leads or follows."""

    __slots__ = (
        "controller_id", "is_kraft_controller", "controller_epoch", "broker_epoch", "type",
        "ungrouped_partition_states", "topic_states", "live_leaders", "unknown_tags",
    )

    def __init__(
        self,
        # Controller that sends this.
        controller_id: int = 0,
        # True when that controller runs on KRaft. (v7+)
        is_kraft_controller: bool = False,
        # Epoch of that controller.
        controller_epoch: int = 0,
        # Epoch of that broker's registration; -1 when unknown. (v2+)
        broker_epoch: int = -1,
        # 1 when only changed partitions are told, 2 when all are. (v5+)
        type: int = 0,
        # One row a partition. (v0-1)
        ungrouped_partition_states: Sequence[LeaderAndIsrPartitionState] = (),
        # One row a topic. (v2+)
        topic_states: Sequence[LeaderAndIsrTopicState] = (),
        # Where the leaders can be reached.
        live_leaders: Sequence[LeaderAndIsrLiveLeader] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.controller_id = controller_id
        self.is_kraft_controller = is_kraft_controller
        self.controller_epoch = controller_epoch
        self.broker_epoch = broker_epoch
        self.type = type
        self.ungrouped_partition_states: Sequence[LeaderAndIsrPartitionState] = (
            [] if ungrouped_partition_states == () else ungrouped_partition_states
        )
        self.topic_states: Sequence[LeaderAndIsrTopicState] = (
            [] if topic_states == () else topic_states
        )
        self.live_leaders: Sequence[LeaderAndIsrLiveLeader] = (
            [] if live_leaders == () else live_leaders
        )
        self.unknown_tags = unknown_tags


_read_array_ni = ArrayReads("i", "", 0)
_read_array_ni_2i = ArrayReads("i", "2i", 0)
_read_array_ni_t = ArrayReads("i", "?", 0)
_read_array_ci_tB = ArrayReads("i", "?B", 1)
_read_array_ci_tbB = ArrayReads("i", "?bB", 1)
_read_array_ci_B = ArrayReads("i", "B", 1)
_read_array_ni_i = ArrayReads("i", "i", 0)
_read_array_ci_iB = ArrayReads("i", "iB", 1)
_read_16sB = Struct(">16sB").unpack_from
_read_2iqB = Struct(">2iqB").unpack_from
_read_2iqbB = Struct(">2iqbB").unpack_from
_read_2iqi = Struct(">2iqi").unpack_from
_read_3i = Struct(">3i").unpack_from
_read_4iB = Struct(">4iB").unpack_from
_read_5i = Struct(">5i").unpack_from
_read_h = Struct(">h").unpack_from
_read_i = Struct(">i").unpack_from
_read_itiqbB = Struct(">i?iqbB").unpack_from
_read_iB = Struct(">iB").unpack_from
_read_ih = Struct(">ih").unpack_from
_write_16sB = Struct(">16sB").pack
_write_2iqB = Struct(">2iqB").pack
_write_2iqbB = Struct(">2iqbB").pack
_write_2iqi = Struct(">2iqi").pack
_write_3i = Struct(">3i").pack
_write_h = Struct(">h").pack
_write_i = Struct(">i").pack
_write_itiqbB = Struct(">i?iqbB").pack
_write_iB = Struct(">iB").pack
_write_ih = Struct(">ih").pack
_write_ix = Struct(">ix").pack
_write_4iB_many_i_iB_many_i_B_many_i_B_many_i_tbx = ArrayWrites("iiiiB *i iB *i B *i B *i ?bx")
_write_4iB_many_i_iB_many_i_B_many_i_B_many_i_tx = ArrayWrites("iiiiB *i iB *i B *i B *i ?x")
_write_5i_many_i_2i_many_i = ArrayWrites("iiiii *i ii *i")
_write_5i_many_i_2i_many_i_t = ArrayWrites("iiiii *i ii *i ?")
_write_5i_many_i_2i_many_i_i_many_i_i_many_i_t = ArrayWrites("iiiii *i ii *i i *i i *i ?")


def _get_leader_and_isr_request_v0(buf: bytes, at: int) -> tuple[LeaderAndIsrRequest, int]:
    m = new(LeaderAndIsrRequest)
    (m.controller_id, m.controller_epoch, n) = _read_3i(buf, at)
    at += 12
    if not 0 <= n < 128:
        check_count(buf, at, n, 30)
    ungrouped_partition_states: list[LeaderAndIsrPartitionState] = []
    m.ungrouped_partition_states = ungrouped_partition_states
    left_ungrouped_partition_states = n
    while left_ungrouped_partition_states:
        left_ungrouped_partition_states -= 1
        isr_partition_state = new(LeaderAndIsrPartitionState)
        ungrouped_partition_states.append(isr_partition_state)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        isr_partition_state.topic_name = buf[at:end].decode()
        at = end
        (
            isr_partition_state.partition_index, isr_partition_state.controller_epoch,
            isr_partition_state.leader, isr_partition_state.leader_epoch, n_isr,
        ) = _read_5i(buf, at)
        at += 20
        if not 0 <= n_isr < 128:
            check_count(buf, at, n_isr, 4)
        (
            *isr_partition_state.isr, isr_partition_state.partition_epoch, n_replicas,
        ) = _read_array_ni_2i[n_isr](buf, at)
        at += 4 * n_isr + 8
        if not 0 <= n_replicas < 128:
            check_count(buf, at, n_replicas, 4)
        isr_partition_state.replicas = [*_read_array_ni[n_replicas](buf, at)]
        at += 4 * n_replicas
        isr_partition_state.adding_replicas = []
        isr_partition_state.removing_replicas = []
        isr_partition_state.is_new = False
        isr_partition_state.leader_recovery_state = 0
        isr_partition_state.unknown_tags = ()
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 10)
    live_leaders: list[LeaderAndIsrLiveLeader] = []
    m.live_leaders = live_leaders
    left_live_leaders = n
    while left_live_leaders:
        left_live_leaders -= 1
        and_isr_live_leader = new(LeaderAndIsrLiveLeader)
        live_leaders.append(and_isr_live_leader)
        (and_isr_live_leader.broker_id, n) = _read_ih(buf, at)
        at += 6
        if n < 0:
            refuse_null()
        end = at + n
        and_isr_live_leader.host_name = buf[at:end].decode()
        at = end
        (and_isr_live_leader.port,) = _read_i(buf, at)
        at += 4
        and_isr_live_leader.unknown_tags = ()
    m.is_kraft_controller = False
    m.broker_epoch = -1
    m.type = 0
    m.topic_states = []
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_leader_and_isr_request_v1(buf: bytes, at: int) -> tuple[LeaderAndIsrRequest, int]:
    m = new(LeaderAndIsrRequest)
    (m.controller_id, m.controller_epoch, n) = _read_3i(buf, at)
    at += 12
    if not 0 <= n < 128:
        check_count(buf, at, n, 31)
    ungrouped_partition_states: list[LeaderAndIsrPartitionState] = []
    m.ungrouped_partition_states = ungrouped_partition_states
    left_ungrouped_partition_states = n
    while left_ungrouped_partition_states:
        left_ungrouped_partition_states -= 1
        isr_partition_state = new(LeaderAndIsrPartitionState)
        ungrouped_partition_states.append(isr_partition_state)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        isr_partition_state.topic_name = buf[at:end].decode()
        at = end
        (
            isr_partition_state.partition_index, isr_partition_state.controller_epoch,
            isr_partition_state.leader, isr_partition_state.leader_epoch, n_isr,
        ) = _read_5i(buf, at)
        at += 20
        if not 0 <= n_isr < 128:
            check_count(buf, at, n_isr, 4)
        (
            *isr_partition_state.isr, isr_partition_state.partition_epoch, n_replicas,
        ) = _read_array_ni_2i[n_isr](buf, at)
        at += 4 * n_isr + 8
        if not 0 <= n_replicas < 128:
            check_count(buf, at, n_replicas, 4)
        (
            *isr_partition_state.replicas, isr_partition_state.is_new,
        ) = _read_array_ni_t[n_replicas](buf, at)
        at += 4 * n_replicas + 1
        isr_partition_state.adding_replicas = []
        isr_partition_state.removing_replicas = []
        isr_partition_state.leader_recovery_state = 0
        isr_partition_state.unknown_tags = ()
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 10)
    live_leaders: list[LeaderAndIsrLiveLeader] = []
    m.live_leaders = live_leaders
    left_live_leaders = n
    while left_live_leaders:
        left_live_leaders -= 1
        and_isr_live_leader = new(LeaderAndIsrLiveLeader)
        live_leaders.append(and_isr_live_leader)
        (and_isr_live_leader.broker_id, n) = _read_ih(buf, at)
        at += 6
        if n < 0:
            refuse_null()
        end = at + n
        and_isr_live_leader.host_name = buf[at:end].decode()
        at = end
        (and_isr_live_leader.port,) = _read_i(buf, at)
        at += 4
        and_isr_live_leader.unknown_tags = ()
    m.is_kraft_controller = False
    m.broker_epoch = -1
    m.type = 0
    m.topic_states = []
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_leader_and_isr_request_v2(buf: bytes, at: int) -> tuple[LeaderAndIsrRequest, int]:
    m = new(LeaderAndIsrRequest)
    (m.controller_id, m.controller_epoch, m.broker_epoch, n) = _read_2iqi(buf, at)
    at += 20
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    topic_states: list[LeaderAndIsrTopicState] = []
    m.topic_states = topic_states
    left_topic_states = n
    while left_topic_states:
        left_topic_states -= 1
        and_isr_topic_state = new(LeaderAndIsrTopicState)
        topic_states.append(and_isr_topic_state)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        and_isr_topic_state.topic_name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 29)
        partition_states: list[LeaderAndIsrPartitionState] = []
        and_isr_topic_state.partition_states = partition_states
        left_partition_states = n
        while left_partition_states:
            left_partition_states -= 1
            isr_partition_state = new(LeaderAndIsrPartitionState)
            partition_states.append(isr_partition_state)
            (
                isr_partition_state.partition_index, isr_partition_state.controller_epoch,
                isr_partition_state.leader, isr_partition_state.leader_epoch, n_isr,
            ) = _read_5i(buf, at)
            at += 20
            if not 0 <= n_isr < 128:
                check_count(buf, at, n_isr, 4)
            (
                *isr_partition_state.isr, isr_partition_state.partition_epoch, n_replicas,
            ) = _read_array_ni_2i[n_isr](buf, at)
            at += 4 * n_isr + 8
            if not 0 <= n_replicas < 128:
                check_count(buf, at, n_replicas, 4)
            (
                *isr_partition_state.replicas, isr_partition_state.is_new,
            ) = _read_array_ni_t[n_replicas](buf, at)
            at += 4 * n_replicas + 1
            isr_partition_state.topic_name = ""
            isr_partition_state.adding_replicas = []
            isr_partition_state.removing_replicas = []
            isr_partition_state.leader_recovery_state = 0
            isr_partition_state.unknown_tags = ()
        and_isr_topic_state.topic_id = ZERO_UUID
        and_isr_topic_state.unknown_tags = ()
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 10)
    live_leaders: list[LeaderAndIsrLiveLeader] = []
    m.live_leaders = live_leaders
    left_live_leaders = n
    while left_live_leaders:
        left_live_leaders -= 1
        and_isr_live_leader = new(LeaderAndIsrLiveLeader)
        live_leaders.append(and_isr_live_leader)
        (and_isr_live_leader.broker_id, n) = _read_ih(buf, at)
        at += 6
        if n < 0:
            refuse_null()
        end = at + n
        and_isr_live_leader.host_name = buf[at:end].decode()
        at = end
        (and_isr_live_leader.port,) = _read_i(buf, at)
        at += 4
        and_isr_live_leader.unknown_tags = ()
    m.is_kraft_controller = False
    m.type = 0
    m.ungrouped_partition_states = []
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_leader_and_isr_request_v3(buf: bytes, at: int) -> tuple[LeaderAndIsrRequest, int]:
    m = new(LeaderAndIsrRequest)
    (m.controller_id, m.controller_epoch, m.broker_epoch, n) = _read_2iqi(buf, at)
    at += 20
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    topic_states: list[LeaderAndIsrTopicState] = []
    m.topic_states = topic_states
    left_topic_states = n
    while left_topic_states:
        left_topic_states -= 1
        and_isr_topic_state = new(LeaderAndIsrTopicState)
        topic_states.append(and_isr_topic_state)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        and_isr_topic_state.topic_name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 37)
        partition_states: list[LeaderAndIsrPartitionState] = []
        and_isr_topic_state.partition_states = partition_states
        left_partition_states = n
        while left_partition_states:
            left_partition_states -= 1
            isr_partition_state = new(LeaderAndIsrPartitionState)
            partition_states.append(isr_partition_state)
            (
                isr_partition_state.partition_index, isr_partition_state.controller_epoch,
                isr_partition_state.leader, isr_partition_state.leader_epoch, n_isr,
            ) = _read_5i(buf, at)
            at += 20
            if not 0 <= n_isr < 128:
                check_count(buf, at, n_isr, 4)
            (
                *isr_partition_state.isr, isr_partition_state.partition_epoch, n_replicas,
            ) = _read_array_ni_2i[n_isr](buf, at)
            at += 4 * n_isr + 8
            if not 0 <= n_replicas < 128:
                check_count(buf, at, n_replicas, 4)
            (
                *isr_partition_state.replicas, n_adding_replicas,
            ) = _read_array_ni_i[n_replicas](buf, at)
            at += 4 * n_replicas + 4
            if not 0 <= n_adding_replicas < 128:
                check_count(buf, at, n_adding_replicas, 4)
            (
                *isr_partition_state.adding_replicas, n_removing_replicas,
            ) = _read_array_ni_i[n_adding_replicas](buf, at)
            at += 4 * n_adding_replicas + 4
            if not 0 <= n_removing_replicas < 128:
                check_count(buf, at, n_removing_replicas, 4)
            (
                *isr_partition_state.removing_replicas, isr_partition_state.is_new,
            ) = _read_array_ni_t[n_removing_replicas](buf, at)
            at += 4 * n_removing_replicas + 1
            isr_partition_state.topic_name = ""
            isr_partition_state.leader_recovery_state = 0
            isr_partition_state.unknown_tags = ()
        and_isr_topic_state.topic_id = ZERO_UUID
        and_isr_topic_state.unknown_tags = ()
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 10)
    live_leaders: list[LeaderAndIsrLiveLeader] = []
    m.live_leaders = live_leaders
    left_live_leaders = n
    while left_live_leaders:
        left_live_leaders -= 1
        and_isr_live_leader = new(LeaderAndIsrLiveLeader)
        live_leaders.append(and_isr_live_leader)
        (and_isr_live_leader.broker_id, n) = _read_ih(buf, at)
        at += 6
        if n < 0:
            refuse_null()
        end = at + n
        and_isr_live_leader.host_name = buf[at:end].decode()
        at = end
        (and_isr_live_leader.port,) = _read_i(buf, at)
        at += 4
        and_isr_live_leader.unknown_tags = ()
    m.is_kraft_controller = False
    m.type = 0
    m.ungrouped_partition_states = []
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_leader_and_isr_request_v4(buf: bytes, at: int) -> tuple[LeaderAndIsrRequest, int]:
    m = new(LeaderAndIsrRequest)
    (m.controller_id, m.controller_epoch, m.broker_epoch, n) = _read_2iqB(buf, at)
    at += 17
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    topic_states: list[LeaderAndIsrTopicState] = []
    m.topic_states = topic_states
    left_topic_states = n - 1
    while left_topic_states:
        left_topic_states -= 1
        and_isr_topic_state = new(LeaderAndIsrTopicState)
        topic_states.append(and_isr_topic_state)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        and_isr_topic_state.topic_name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 26)
        partition_states: list[LeaderAndIsrPartitionState] = []
        and_isr_topic_state.partition_states = partition_states
        left_partition_states = n - 1
        while left_partition_states:
            left_partition_states -= 1
            isr_partition_state = new(LeaderAndIsrPartitionState)
            partition_states.append(isr_partition_state)
            (
                isr_partition_state.partition_index, isr_partition_state.controller_epoch,
                isr_partition_state.leader, isr_partition_state.leader_epoch, n_isr,
            ) = _read_4iB(buf, at)
            at += 17
            if n_isr > 127:
                n_isr, at = long_count(buf, at, 4)
            (
                *isr_partition_state.isr, isr_partition_state.partition_epoch, n_replicas,
            ) = _read_array_ci_iB[n_isr](buf, at)
            at += 4 * n_isr + 1
            if n_replicas > 127:
                n_replicas, at = long_count(buf, at, 4)
            (
                *isr_partition_state.replicas, n_adding_replicas,
            ) = _read_array_ci_B[n_replicas](buf, at)
            at += 4 * n_replicas - 3
            if n_adding_replicas > 127:
                n_adding_replicas, at = long_count(buf, at, 4)
            (
                *isr_partition_state.adding_replicas, n_removing_replicas,
            ) = _read_array_ci_B[n_adding_replicas](buf, at)
            at += 4 * n_adding_replicas - 3
            if n_removing_replicas > 127:
                n_removing_replicas, at = long_count(buf, at, 4)
            (
                *isr_partition_state.removing_replicas, isr_partition_state.is_new, tags,
            ) = _read_array_ci_tB[n_removing_replicas](buf, at)
            at += 4 * n_removing_replicas - 2
            isr_partition_state.topic_name = ""
            isr_partition_state.leader_recovery_state = 0
            isr_partition_state.unknown_tags = ()
            if tags:
                isr_partition_state.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        and_isr_topic_state.topic_id = ZERO_UUID
        and_isr_topic_state.unknown_tags = ()
        if tags:
            and_isr_topic_state.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 10)
    live_leaders: list[LeaderAndIsrLiveLeader] = []
    m.live_leaders = live_leaders
    left_live_leaders = n - 1
    while left_live_leaders:
        left_live_leaders -= 1
        and_isr_live_leader = new(LeaderAndIsrLiveLeader)
        live_leaders.append(and_isr_live_leader)
        (and_isr_live_leader.broker_id, n) = _read_iB(buf, at)
        at += 5
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        and_isr_live_leader.host_name = buf[at:end].decode()
        at = end
        (and_isr_live_leader.port, tags) = _read_iB(buf, at)
        at += 5
        and_isr_live_leader.unknown_tags = ()
        if tags:
            and_isr_live_leader.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.is_kraft_controller = False
    m.type = 0
    m.ungrouped_partition_states = []
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_leader_and_isr_request_v5(buf: bytes, at: int) -> tuple[LeaderAndIsrRequest, int]:
    m = new(LeaderAndIsrRequest)
    (m.controller_id, m.controller_epoch, m.broker_epoch, m.type, n) = _read_2iqbB(buf, at)
    at += 18
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 19)
    topic_states: list[LeaderAndIsrTopicState] = []
    m.topic_states = topic_states
    left_topic_states = n - 1
    while left_topic_states:
        left_topic_states -= 1
        and_isr_topic_state = new(LeaderAndIsrTopicState)
        topic_states.append(and_isr_topic_state)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        and_isr_topic_state.topic_name = buf[at:end].decode()
        at = end
        (and_isr_topic_state.topic_id, n) = _read_16sB(buf, at)
        at += 17
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 26)
        partition_states: list[LeaderAndIsrPartitionState] = []
        and_isr_topic_state.partition_states = partition_states
        left_partition_states = n - 1
        while left_partition_states:
            left_partition_states -= 1
            isr_partition_state = new(LeaderAndIsrPartitionState)
            partition_states.append(isr_partition_state)
            (
                isr_partition_state.partition_index, isr_partition_state.controller_epoch,
                isr_partition_state.leader, isr_partition_state.leader_epoch, n_isr,
            ) = _read_4iB(buf, at)
            at += 17
            if n_isr > 127:
                n_isr, at = long_count(buf, at, 4)
            (
                *isr_partition_state.isr, isr_partition_state.partition_epoch, n_replicas,
            ) = _read_array_ci_iB[n_isr](buf, at)
            at += 4 * n_isr + 1
            if n_replicas > 127:
                n_replicas, at = long_count(buf, at, 4)
            (
                *isr_partition_state.replicas, n_adding_replicas,
            ) = _read_array_ci_B[n_replicas](buf, at)
            at += 4 * n_replicas - 3
            if n_adding_replicas > 127:
                n_adding_replicas, at = long_count(buf, at, 4)
            (
                *isr_partition_state.adding_replicas, n_removing_replicas,
            ) = _read_array_ci_B[n_adding_replicas](buf, at)
            at += 4 * n_adding_replicas - 3
            if n_removing_replicas > 127:
                n_removing_replicas, at = long_count(buf, at, 4)
            (
                *isr_partition_state.removing_replicas, isr_partition_state.is_new, tags,
            ) = _read_array_ci_tB[n_removing_replicas](buf, at)
            at += 4 * n_removing_replicas - 2
            isr_partition_state.topic_name = ""
            isr_partition_state.leader_recovery_state = 0
            isr_partition_state.unknown_tags = ()
            if tags:
                isr_partition_state.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        and_isr_topic_state.unknown_tags = ()
        if tags:
            and_isr_topic_state.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 10)
    live_leaders: list[LeaderAndIsrLiveLeader] = []
    m.live_leaders = live_leaders
    left_live_leaders = n - 1
    while left_live_leaders:
        left_live_leaders -= 1
        and_isr_live_leader = new(LeaderAndIsrLiveLeader)
        live_leaders.append(and_isr_live_leader)
        (and_isr_live_leader.broker_id, n) = _read_iB(buf, at)
        at += 5
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        and_isr_live_leader.host_name = buf[at:end].decode()
        at = end
        (and_isr_live_leader.port, tags) = _read_iB(buf, at)
        at += 5
        and_isr_live_leader.unknown_tags = ()
        if tags:
            and_isr_live_leader.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.is_kraft_controller = False
    m.ungrouped_partition_states = []
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_leader_and_isr_request_v6(buf: bytes, at: int) -> tuple[LeaderAndIsrRequest, int]:
    m = new(LeaderAndIsrRequest)
    (m.controller_id, m.controller_epoch, m.broker_epoch, m.type, n) = _read_2iqbB(buf, at)
    at += 18
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 19)
    topic_states: list[LeaderAndIsrTopicState] = []
    m.topic_states = topic_states
    left_topic_states = n - 1
    while left_topic_states:
        left_topic_states -= 1
        and_isr_topic_state = new(LeaderAndIsrTopicState)
        topic_states.append(and_isr_topic_state)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        and_isr_topic_state.topic_name = buf[at:end].decode()
        at = end
        (and_isr_topic_state.topic_id, n) = _read_16sB(buf, at)
        at += 17
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 27)
        partition_states: list[LeaderAndIsrPartitionState] = []
        and_isr_topic_state.partition_states = partition_states
        left_partition_states = n - 1
        while left_partition_states:
            left_partition_states -= 1
            isr_partition_state = new(LeaderAndIsrPartitionState)
            partition_states.append(isr_partition_state)
            (
                isr_partition_state.partition_index, isr_partition_state.controller_epoch,
                isr_partition_state.leader, isr_partition_state.leader_epoch, n_isr,
            ) = _read_4iB(buf, at)
            at += 17
            if n_isr > 127:
                n_isr, at = long_count(buf, at, 4)
            (
                *isr_partition_state.isr, isr_partition_state.partition_epoch, n_replicas,
            ) = _read_array_ci_iB[n_isr](buf, at)
            at += 4 * n_isr + 1
            if n_replicas > 127:
                n_replicas, at = long_count(buf, at, 4)
            (
                *isr_partition_state.replicas, n_adding_replicas,
            ) = _read_array_ci_B[n_replicas](buf, at)
            at += 4 * n_replicas - 3
            if n_adding_replicas > 127:
                n_adding_replicas, at = long_count(buf, at, 4)
            (
                *isr_partition_state.adding_replicas, n_removing_replicas,
            ) = _read_array_ci_B[n_adding_replicas](buf, at)
            at += 4 * n_adding_replicas - 3
            if n_removing_replicas > 127:
                n_removing_replicas, at = long_count(buf, at, 4)
            (
                *isr_partition_state.removing_replicas, isr_partition_state.is_new,
                isr_partition_state.leader_recovery_state, tags,
            ) = _read_array_ci_tbB[n_removing_replicas](buf, at)
            at += 4 * n_removing_replicas - 1
            isr_partition_state.topic_name = ""
            isr_partition_state.unknown_tags = ()
            if tags:
                isr_partition_state.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        and_isr_topic_state.unknown_tags = ()
        if tags:
            and_isr_topic_state.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 10)
    live_leaders: list[LeaderAndIsrLiveLeader] = []
    m.live_leaders = live_leaders
    left_live_leaders = n - 1
    while left_live_leaders:
        left_live_leaders -= 1
        and_isr_live_leader = new(LeaderAndIsrLiveLeader)
        live_leaders.append(and_isr_live_leader)
        (and_isr_live_leader.broker_id, n) = _read_iB(buf, at)
        at += 5
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        and_isr_live_leader.host_name = buf[at:end].decode()
        at = end
        (and_isr_live_leader.port, tags) = _read_iB(buf, at)
        at += 5
        and_isr_live_leader.unknown_tags = ()
        if tags:
            and_isr_live_leader.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.is_kraft_controller = False
    m.ungrouped_partition_states = []
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_leader_and_isr_request_v7(buf: bytes, at: int) -> tuple[LeaderAndIsrRequest, int]:
    m = new(LeaderAndIsrRequest)
    (
        m.controller_id, m.is_kraft_controller, m.controller_epoch, m.broker_epoch, m.type, n,
    ) = _read_itiqbB(buf, at)
    at += 19
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 19)
    topic_states: list[LeaderAndIsrTopicState] = []
    m.topic_states = topic_states
    left_topic_states = n - 1
    while left_topic_states:
        left_topic_states -= 1
        and_isr_topic_state = new(LeaderAndIsrTopicState)
        topic_states.append(and_isr_topic_state)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        and_isr_topic_state.topic_name = buf[at:end].decode()
        at = end
        (and_isr_topic_state.topic_id, n) = _read_16sB(buf, at)
        at += 17
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 27)
        partition_states: list[LeaderAndIsrPartitionState] = []
        and_isr_topic_state.partition_states = partition_states
        left_partition_states = n - 1
        while left_partition_states:
            left_partition_states -= 1
            isr_partition_state = new(LeaderAndIsrPartitionState)
            partition_states.append(isr_partition_state)
            (
                isr_partition_state.partition_index, isr_partition_state.controller_epoch,
                isr_partition_state.leader, isr_partition_state.leader_epoch, n_isr,
            ) = _read_4iB(buf, at)
            at += 17
            if n_isr > 127:
                n_isr, at = long_count(buf, at, 4)
            (
                *isr_partition_state.isr, isr_partition_state.partition_epoch, n_replicas,
            ) = _read_array_ci_iB[n_isr](buf, at)
            at += 4 * n_isr + 1
            if n_replicas > 127:
                n_replicas, at = long_count(buf, at, 4)
            (
                *isr_partition_state.replicas, n_adding_replicas,
            ) = _read_array_ci_B[n_replicas](buf, at)
            at += 4 * n_replicas - 3
            if n_adding_replicas > 127:
                n_adding_replicas, at = long_count(buf, at, 4)
            (
                *isr_partition_state.adding_replicas, n_removing_replicas,
            ) = _read_array_ci_B[n_adding_replicas](buf, at)
            at += 4 * n_adding_replicas - 3
            if n_removing_replicas > 127:
                n_removing_replicas, at = long_count(buf, at, 4)
            (
                *isr_partition_state.removing_replicas, isr_partition_state.is_new,
                isr_partition_state.leader_recovery_state, tags,
            ) = _read_array_ci_tbB[n_removing_replicas](buf, at)
            at += 4 * n_removing_replicas - 1
            isr_partition_state.topic_name = ""
            isr_partition_state.unknown_tags = ()
            if tags:
                isr_partition_state.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        and_isr_topic_state.unknown_tags = ()
        if tags:
            and_isr_topic_state.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 10)
    live_leaders: list[LeaderAndIsrLiveLeader] = []
    m.live_leaders = live_leaders
    left_live_leaders = n - 1
    while left_live_leaders:
        left_live_leaders -= 1
        and_isr_live_leader = new(LeaderAndIsrLiveLeader)
        live_leaders.append(and_isr_live_leader)
        (and_isr_live_leader.broker_id, n) = _read_iB(buf, at)
        at += 5
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        and_isr_live_leader.host_name = buf[at:end].decode()
        at = end
        (and_isr_live_leader.port, tags) = _read_iB(buf, at)
        at += 5
        and_isr_live_leader.unknown_tags = ()
        if tags:
            and_isr_live_leader.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.ungrouped_partition_states = []
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_leader_and_isr_request_v0(out: Parts, m: LeaderAndIsrRequest) -> None:
    if m.is_kraft_controller:
        refuse_field("is_kraft_controller")
    if m.type != 0:
        refuse_field("type")
    if m.topic_states:
        refuse_field("topic_states")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    ungrouped_partition_states = m.ungrouped_partition_states
    n = len(ungrouped_partition_states)
    out.append(_write_3i(m.controller_id, m.controller_epoch, n))
    for isr_partition_state in ungrouped_partition_states:
        if isr_partition_state.leader_recovery_state != 0:
            refuse_field("leader_recovery_state")
        if isr_partition_state.unknown_tags:
            refuse_field("unknown_tags")
        topic_name = isr_partition_state.topic_name.encode()
        n = len(topic_name)
        out.append(_write_h(n))
        out.append(topic_name)
        isr = isr_partition_state.isr
        n_isr = len(isr)
        replicas = isr_partition_state.replicas
        n_replicas = len(replicas)
        write = _write_5i_many_i_2i_many_i[n_isr, n_replicas]
        out.append(write(
            isr_partition_state.partition_index, isr_partition_state.controller_epoch,
            isr_partition_state.leader, isr_partition_state.leader_epoch, n_isr, *isr,
            isr_partition_state.partition_epoch, n_replicas, *replicas,
        ))
    live_leaders = m.live_leaders
    n = len(live_leaders)
    out.append(_write_i(n))
    for and_isr_live_leader in live_leaders:
        if and_isr_live_leader.unknown_tags:
            refuse_field("unknown_tags")
        host_name = and_isr_live_leader.host_name.encode()
        n = len(host_name)
        out.append(_write_ih(and_isr_live_leader.broker_id, n))
        out.append(host_name)
        out.append(_write_i(and_isr_live_leader.port))


def _put_leader_and_isr_request_v1(out: Parts, m: LeaderAndIsrRequest) -> None:
    if m.is_kraft_controller:
        refuse_field("is_kraft_controller")
    if m.type != 0:
        refuse_field("type")
    if m.topic_states:
        refuse_field("topic_states")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    ungrouped_partition_states = m.ungrouped_partition_states
    n = len(ungrouped_partition_states)
    out.append(_write_3i(m.controller_id, m.controller_epoch, n))
    for isr_partition_state in ungrouped_partition_states:
        if isr_partition_state.leader_recovery_state != 0:
            refuse_field("leader_recovery_state")
        if isr_partition_state.unknown_tags:
            refuse_field("unknown_tags")
        topic_name = isr_partition_state.topic_name.encode()
        n = len(topic_name)
        out.append(_write_h(n))
        out.append(topic_name)
        isr = isr_partition_state.isr
        n_isr = len(isr)
        replicas = isr_partition_state.replicas
        n_replicas = len(replicas)
        write = _write_5i_many_i_2i_many_i_t[n_isr, n_replicas]
        out.append(write(
            isr_partition_state.partition_index, isr_partition_state.controller_epoch,
            isr_partition_state.leader, isr_partition_state.leader_epoch, n_isr, *isr,
            isr_partition_state.partition_epoch, n_replicas, *replicas, isr_partition_state.is_new,
        ))
    live_leaders = m.live_leaders
    n = len(live_leaders)
    out.append(_write_i(n))
    for and_isr_live_leader in live_leaders:
        if and_isr_live_leader.unknown_tags:
            refuse_field("unknown_tags")
        host_name = and_isr_live_leader.host_name.encode()
        n = len(host_name)
        out.append(_write_ih(and_isr_live_leader.broker_id, n))
        out.append(host_name)
        out.append(_write_i(and_isr_live_leader.port))


def _put_leader_and_isr_request_v2(out: Parts, m: LeaderAndIsrRequest) -> None:
    if m.is_kraft_controller:
        refuse_field("is_kraft_controller")
    if m.type != 0:
        refuse_field("type")
    if m.ungrouped_partition_states:
        refuse_field("ungrouped_partition_states")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topic_states = m.topic_states
    n = len(topic_states)
    out.append(_write_2iqi(m.controller_id, m.controller_epoch, m.broker_epoch, n))
    for and_isr_topic_state in topic_states:
        if and_isr_topic_state.unknown_tags:
            refuse_field("unknown_tags")
        topic_name = and_isr_topic_state.topic_name.encode()
        n = len(topic_name)
        out.append(_write_h(n))
        out.append(topic_name)
        partition_states = and_isr_topic_state.partition_states
        n = len(partition_states)
        out.append(_write_i(n))
        for isr_partition_state in partition_states:
            if isr_partition_state.leader_recovery_state != 0:
                refuse_field("leader_recovery_state")
            if isr_partition_state.unknown_tags:
                refuse_field("unknown_tags")
            isr = isr_partition_state.isr
            n_isr = len(isr)
            replicas = isr_partition_state.replicas
            n_replicas = len(replicas)
            write = _write_5i_many_i_2i_many_i_t[n_isr, n_replicas]
            out.append(write(
                isr_partition_state.partition_index, isr_partition_state.controller_epoch,
                isr_partition_state.leader, isr_partition_state.leader_epoch, n_isr, *isr,
                isr_partition_state.partition_epoch, n_replicas, *replicas,
                isr_partition_state.is_new,
            ))
    live_leaders = m.live_leaders
    n = len(live_leaders)
    out.append(_write_i(n))
    for and_isr_live_leader in live_leaders:
        if and_isr_live_leader.unknown_tags:
            refuse_field("unknown_tags")
        host_name = and_isr_live_leader.host_name.encode()
        n = len(host_name)
        out.append(_write_ih(and_isr_live_leader.broker_id, n))
        out.append(host_name)
        out.append(_write_i(and_isr_live_leader.port))


def _put_leader_and_isr_request_v3(out: Parts, m: LeaderAndIsrRequest) -> None:
    if m.is_kraft_controller:
        refuse_field("is_kraft_controller")
    if m.type != 0:
        refuse_field("type")
    if m.ungrouped_partition_states:
        refuse_field("ungrouped_partition_states")
    if m.unknown_tags:
        refuse_field("unknown_tags")
    topic_states = m.topic_states
    n = len(topic_states)
    out.append(_write_2iqi(m.controller_id, m.controller_epoch, m.broker_epoch, n))
    for and_isr_topic_state in topic_states:
        if and_isr_topic_state.unknown_tags:
            refuse_field("unknown_tags")
        topic_name = and_isr_topic_state.topic_name.encode()
        n = len(topic_name)
        out.append(_write_h(n))
        out.append(topic_name)
        partition_states = and_isr_topic_state.partition_states
        n = len(partition_states)
        out.append(_write_i(n))
        for isr_partition_state in partition_states:
            if isr_partition_state.leader_recovery_state != 0:
                refuse_field("leader_recovery_state")
            if isr_partition_state.unknown_tags:
                refuse_field("unknown_tags")
            isr = isr_partition_state.isr
            n_isr = len(isr)
            replicas = isr_partition_state.replicas
            n_replicas = len(replicas)
            adding_replicas = isr_partition_state.adding_replicas
            n_adding_replicas = len(adding_replicas)
            removing_replicas = isr_partition_state.removing_replicas
            n_removing_replicas = len(removing_replicas)
            write = (
                _write_5i_many_i_2i_many_i_i_many_i_i_many_i_t[n_isr, n_replicas, n_adding_replicas,
                n_removing_replicas]
            )
            out.append(write(
                isr_partition_state.partition_index, isr_partition_state.controller_epoch,
                isr_partition_state.leader, isr_partition_state.leader_epoch, n_isr, *isr,
                isr_partition_state.partition_epoch, n_replicas, *replicas, n_adding_replicas,
                *adding_replicas, n_removing_replicas, *removing_replicas,
                isr_partition_state.is_new,
            ))
    live_leaders = m.live_leaders
    n = len(live_leaders)
    out.append(_write_i(n))
    for and_isr_live_leader in live_leaders:
        if and_isr_live_leader.unknown_tags:
            refuse_field("unknown_tags")
        host_name = and_isr_live_leader.host_name.encode()
        n = len(host_name)
        out.append(_write_ih(and_isr_live_leader.broker_id, n))
        out.append(host_name)
        out.append(_write_i(and_isr_live_leader.port))


def _put_leader_and_isr_request_v4(out: Parts, m: LeaderAndIsrRequest) -> None:
    if m.is_kraft_controller:
        refuse_field("is_kraft_controller")
    if m.type != 0:
        refuse_field("type")
    if m.ungrouped_partition_states:
        refuse_field("ungrouped_partition_states")
    topic_states = m.topic_states
    n = len(topic_states) + 1
    out.append(_write_2iqB(
        m.controller_id, m.controller_epoch, m.broker_epoch, n if n < 128 else 0,
    ))
    if n > 127:
        lengthen(out, n)
    for and_isr_topic_state in topic_states:
        topic_name = and_isr_topic_state.topic_name.encode()
        n = len(topic_name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(topic_name)
        partition_states = and_isr_topic_state.partition_states
        n = len(partition_states) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for isr_partition_state in partition_states:
            if isr_partition_state.leader_recovery_state != 0:
                refuse_field("leader_recovery_state")
            isr = isr_partition_state.isr
            n_isr = len(isr)
            replicas = isr_partition_state.replicas
            n_replicas = len(replicas)
            adding_replicas = isr_partition_state.adding_replicas
            n_adding_replicas = len(adding_replicas)
            removing_replicas = isr_partition_state.removing_replicas
            n_removing_replicas = len(removing_replicas)
            write = (
                _write_4iB_many_i_iB_many_i_B_many_i_B_many_i_tx[n_isr, n_replicas,
                n_adding_replicas, n_removing_replicas]
            )
            out.append(write(
                isr_partition_state.partition_index, isr_partition_state.controller_epoch,
                isr_partition_state.leader, isr_partition_state.leader_epoch, n_isr + 1, *isr,
                isr_partition_state.partition_epoch, n_replicas + 1, *replicas,
                n_adding_replicas + 1, *adding_replicas, n_removing_replicas + 1,
                *removing_replicas, isr_partition_state.is_new,
            ))
            if isr_partition_state.unknown_tags:
                put_tags(out, [], isr_partition_state.unknown_tags)
        out.append(b"\0")
        if and_isr_topic_state.unknown_tags:
            put_tags(out, [], and_isr_topic_state.unknown_tags)
    live_leaders = m.live_leaders
    n = len(live_leaders) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for and_isr_live_leader in live_leaders:
        host_name = and_isr_live_leader.host_name.encode()
        n = len(host_name) + 1
        out.append(_write_iB(and_isr_live_leader.broker_id, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(host_name)
        out.append(_write_ix(and_isr_live_leader.port))
        if and_isr_live_leader.unknown_tags:
            put_tags(out, [], and_isr_live_leader.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_leader_and_isr_request_v5(out: Parts, m: LeaderAndIsrRequest) -> None:
    if m.is_kraft_controller:
        refuse_field("is_kraft_controller")
    if m.ungrouped_partition_states:
        refuse_field("ungrouped_partition_states")
    topic_states = m.topic_states
    n = len(topic_states) + 1
    out.append(_write_2iqbB(
        m.controller_id, m.controller_epoch, m.broker_epoch, m.type, n if n < 128 else 0,
    ))
    if n > 127:
        lengthen(out, n)
    for and_isr_topic_state in topic_states:
        topic_name = and_isr_topic_state.topic_name.encode()
        n = len(topic_name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(topic_name)
        if len(and_isr_topic_state.topic_id) != 16:
            refuse_uuid("topic_id")
        partition_states = and_isr_topic_state.partition_states
        n = len(partition_states) + 1
        out.append(_write_16sB(and_isr_topic_state.topic_id, n if n < 128 else 0))
        if n > 127:
            lengthen(out, n)
        for isr_partition_state in partition_states:
            if isr_partition_state.leader_recovery_state != 0:
                refuse_field("leader_recovery_state")
            isr = isr_partition_state.isr
            n_isr = len(isr)
            replicas = isr_partition_state.replicas
            n_replicas = len(replicas)
            adding_replicas = isr_partition_state.adding_replicas
            n_adding_replicas = len(adding_replicas)
            removing_replicas = isr_partition_state.removing_replicas
            n_removing_replicas = len(removing_replicas)
            write = (
                _write_4iB_many_i_iB_many_i_B_many_i_B_many_i_tx[n_isr, n_replicas,
                n_adding_replicas, n_removing_replicas]
            )
            out.append(write(
                isr_partition_state.partition_index, isr_partition_state.controller_epoch,
                isr_partition_state.leader, isr_partition_state.leader_epoch, n_isr + 1, *isr,
                isr_partition_state.partition_epoch, n_replicas + 1, *replicas,
                n_adding_replicas + 1, *adding_replicas, n_removing_replicas + 1,
                *removing_replicas, isr_partition_state.is_new,
            ))
            if isr_partition_state.unknown_tags:
                put_tags(out, [], isr_partition_state.unknown_tags)
        out.append(b"\0")
        if and_isr_topic_state.unknown_tags:
            put_tags(out, [], and_isr_topic_state.unknown_tags)
    live_leaders = m.live_leaders
    n = len(live_leaders) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for and_isr_live_leader in live_leaders:
        host_name = and_isr_live_leader.host_name.encode()
        n = len(host_name) + 1
        out.append(_write_iB(and_isr_live_leader.broker_id, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(host_name)
        out.append(_write_ix(and_isr_live_leader.port))
        if and_isr_live_leader.unknown_tags:
            put_tags(out, [], and_isr_live_leader.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_leader_and_isr_request_v6(out: Parts, m: LeaderAndIsrRequest) -> None:
    if m.is_kraft_controller:
        refuse_field("is_kraft_controller")
    if m.ungrouped_partition_states:
        refuse_field("ungrouped_partition_states")
    topic_states = m.topic_states
    n = len(topic_states) + 1
    out.append(_write_2iqbB(
        m.controller_id, m.controller_epoch, m.broker_epoch, m.type, n if n < 128 else 0,
    ))
    if n > 127:
        lengthen(out, n)
    for and_isr_topic_state in topic_states:
        topic_name = and_isr_topic_state.topic_name.encode()
        n = len(topic_name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(topic_name)
        if len(and_isr_topic_state.topic_id) != 16:
            refuse_uuid("topic_id")
        partition_states = and_isr_topic_state.partition_states
        n = len(partition_states) + 1
        out.append(_write_16sB(and_isr_topic_state.topic_id, n if n < 128 else 0))
        if n > 127:
            lengthen(out, n)
        for isr_partition_state in partition_states:
            isr = isr_partition_state.isr
            n_isr = len(isr)
            replicas = isr_partition_state.replicas
            n_replicas = len(replicas)
            adding_replicas = isr_partition_state.adding_replicas
            n_adding_replicas = len(adding_replicas)
            removing_replicas = isr_partition_state.removing_replicas
            n_removing_replicas = len(removing_replicas)
            write = (
                _write_4iB_many_i_iB_many_i_B_many_i_B_many_i_tbx[n_isr, n_replicas,
                n_adding_replicas, n_removing_replicas]
            )
            out.append(write(
                isr_partition_state.partition_index, isr_partition_state.controller_epoch,
                isr_partition_state.leader, isr_partition_state.leader_epoch, n_isr + 1, *isr,
                isr_partition_state.partition_epoch, n_replicas + 1, *replicas,
                n_adding_replicas + 1, *adding_replicas, n_removing_replicas + 1,
                *removing_replicas, isr_partition_state.is_new,
                isr_partition_state.leader_recovery_state,
            ))
            if isr_partition_state.unknown_tags:
                put_tags(out, [], isr_partition_state.unknown_tags)
        out.append(b"\0")
        if and_isr_topic_state.unknown_tags:
            put_tags(out, [], and_isr_topic_state.unknown_tags)
    live_leaders = m.live_leaders
    n = len(live_leaders) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for and_isr_live_leader in live_leaders:
        host_name = and_isr_live_leader.host_name.encode()
        n = len(host_name) + 1
        out.append(_write_iB(and_isr_live_leader.broker_id, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(host_name)
        out.append(_write_ix(and_isr_live_leader.port))
        if and_isr_live_leader.unknown_tags:
            put_tags(out, [], and_isr_live_leader.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_leader_and_isr_request_v7(out: Parts, m: LeaderAndIsrRequest) -> None:
    if m.ungrouped_partition_states:
        refuse_field("ungrouped_partition_states")
    topic_states = m.topic_states
    n = len(topic_states) + 1
    out.append(_write_itiqbB(
        m.controller_id, m.is_kraft_controller, m.controller_epoch, m.broker_epoch, m.type,
        n if n < 128 else 0,
    ))
    if n > 127:
        lengthen(out, n)
    for and_isr_topic_state in topic_states:
        topic_name = and_isr_topic_state.topic_name.encode()
        n = len(topic_name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(topic_name)
        if len(and_isr_topic_state.topic_id) != 16:
            refuse_uuid("topic_id")
        partition_states = and_isr_topic_state.partition_states
        n = len(partition_states) + 1
        out.append(_write_16sB(and_isr_topic_state.topic_id, n if n < 128 else 0))
        if n > 127:
            lengthen(out, n)
        for isr_partition_state in partition_states:
            isr = isr_partition_state.isr
            n_isr = len(isr)
            replicas = isr_partition_state.replicas
            n_replicas = len(replicas)
            adding_replicas = isr_partition_state.adding_replicas
            n_adding_replicas = len(adding_replicas)
            removing_replicas = isr_partition_state.removing_replicas
            n_removing_replicas = len(removing_replicas)
            write = (
                _write_4iB_many_i_iB_many_i_B_many_i_B_many_i_tbx[n_isr, n_replicas,
                n_adding_replicas, n_removing_replicas]
            )
            out.append(write(
                isr_partition_state.partition_index, isr_partition_state.controller_epoch,
                isr_partition_state.leader, isr_partition_state.leader_epoch, n_isr + 1, *isr,
                isr_partition_state.partition_epoch, n_replicas + 1, *replicas,
                n_adding_replicas + 1, *adding_replicas, n_removing_replicas + 1,
                *removing_replicas, isr_partition_state.is_new,
                isr_partition_state.leader_recovery_state,
            ))
            if isr_partition_state.unknown_tags:
                put_tags(out, [], isr_partition_state.unknown_tags)
        out.append(b"\0")
        if and_isr_topic_state.unknown_tags:
            put_tags(out, [], and_isr_topic_state.unknown_tags)
    live_leaders = m.live_leaders
    n = len(live_leaders) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for and_isr_live_leader in live_leaders:
        host_name = and_isr_live_leader.host_name.encode()
        n = len(host_name) + 1
        out.append(_write_iB(and_isr_live_leader.broker_id, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(host_name)
        out.append(_write_ix(and_isr_live_leader.port))
        if and_isr_live_leader.unknown_tags:
            put_tags(out, [], and_isr_live_leader.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_leader_and_isr_request_v0, 1: _get_leader_and_isr_request_v1,
    2: _get_leader_and_isr_request_v2, 3: _get_leader_and_isr_request_v3,
    4: _get_leader_and_isr_request_v4, 5: _get_leader_and_isr_request_v5,
    6: _get_leader_and_isr_request_v6, 7: _get_leader_and_isr_request_v7,
}
_PUT = {
    0: _put_leader_and_isr_request_v0, 1: _put_leader_and_isr_request_v1,
    2: _put_leader_and_isr_request_v2, 3: _put_leader_and_isr_request_v3,
    4: _put_leader_and_isr_request_v4, 5: _put_leader_and_isr_request_v5,
    6: _put_leader_and_isr_request_v6, 7: _put_leader_and_isr_request_v7,
}


def decode(buf: Buffer, version: int, at: int = 0) -> LeaderAndIsrRequest:
    """The LeaderAndIsrRequest that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[LeaderAndIsrRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: LeaderAndIsrRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: LeaderAndIsrRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_LEADER_AND_ISR_PARTITION_STATE_SHAPE: Shape = (
    LeaderAndIsrPartitionState,
    (
        ("topicName", "topic_name", "string", (0, 1), None, None, None, "", True, (4, 7), None),
        (
            "partitionIndex", "partition_index", "int32", (0, 7), None, None, None, 0, False,
            (4, 7), None,
        ),
        (
            "controllerEpoch", "controller_epoch", "int32", (0, 7), None, None, None, 0, False,
            (4, 7), None,
        ),
        ("leader", "leader", "int32", (0, 7), None, None, None, 0, False, (4, 7), None),
        ("leaderEpoch", "leader_epoch", "int32", (0, 7), None, None, None, 0, False, (4, 7), None),
        ("isr", "isr", "[]int32", (0, 7), None, None, None, (), False, (4, 7), None),
        (
            "partitionEpoch", "partition_epoch", "int32", (0, 7), None, None, None, 0, False,
            (4, 7), None,
        ),
        ("replicas", "replicas", "[]int32", (0, 7), None, None, None, (), False, (4, 7), None),
        (
            "addingReplicas", "adding_replicas", "[]int32", (3, 7), None, None, None, (), True,
            (4, 7), None,
        ),
        (
            "removingReplicas", "removing_replicas", "[]int32", (3, 7), None, None, None, (), True,
            (4, 7), None,
        ),
        ("isNew", "is_new", "bool", (1, 7), None, None, None, False, True, (4, 7), None),
        (
            "leaderRecoveryState", "leader_recovery_state", "int8", (6, 7), None, None, None, 0,
            False, (4, 7), None,
        ),
    ),
)
_LEADER_AND_ISR_TOPIC_STATE_SHAPE: Shape = (
    LeaderAndIsrTopicState,
    (
        ("topicName", "topic_name", "string", (2, 7), None, None, None, "", False, (4, 7), None),
        ("topicId", "topic_id", "uuid", (5, 7), None, None, None, ZERO_UUID, True, (4, 7), None),
        (
            "partitionStates", "partition_states", "[]LeaderAndIsrPartitionState", (2, 7), None,
            None, None, (), False, (4, 7), _LEADER_AND_ISR_PARTITION_STATE_SHAPE,
        ),
    ),
)
_LEADER_AND_ISR_LIVE_LEADER_SHAPE: Shape = (
    LeaderAndIsrLiveLeader,
    (
        ("brokerId", "broker_id", "int32", (0, 7), None, None, None, 0, False, (4, 7), None),
        ("hostName", "host_name", "string", (0, 7), None, None, None, "", False, (4, 7), None),
        ("port", "port", "int32", (0, 7), None, None, None, 0, False, (4, 7), None),
    ),
)
_LEADER_AND_ISR_REQUEST_SHAPE: Shape = (
    LeaderAndIsrRequest,
    (
        (
            "controllerId", "controller_id", "int32", (0, 7), None, None, None, 0, False, (4, 7),
            None,
        ),
        (
            "isKRaftController", "is_kraft_controller", "bool", (7, 7), None, None, None, False,
            False, (4, 7), None,
        ),
        (
            "controllerEpoch", "controller_epoch", "int32", (0, 7), None, None, None, 0, False,
            (4, 7), None,
        ),
        ("brokerEpoch", "broker_epoch", "int64", (2, 7), None, None, None, -1, True, (4, 7), None),
        ("type", "type", "int8", (5, 7), None, None, None, 0, False, (4, 7), None),
        (
            "ungroupedPartitionStates", "ungrouped_partition_states",
            "[]LeaderAndIsrPartitionState", (0, 1), None, None, None, (), False, (4, 7),
            _LEADER_AND_ISR_PARTITION_STATE_SHAPE,
        ),
        (
            "topicStates", "topic_states", "[]LeaderAndIsrTopicState", (2, 7), None, None, None, (),
            False, (4, 7), _LEADER_AND_ISR_TOPIC_STATE_SHAPE,
        ),
        (
            "liveLeaders", "live_leaders", "[]LeaderAndIsrLiveLeader", (0, 7), None, None, None, (),
            False, (4, 7), _LEADER_AND_ISR_LIVE_LEADER_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_LEADER_AND_ISR_REQUEST_SHAPE, (0, 7), (4, 7))
