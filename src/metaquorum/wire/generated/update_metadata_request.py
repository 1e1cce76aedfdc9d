# GENERATED from schemas/update_metadata_request.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 11ce802eaf030a0e, generator 1.
"""A controller of the ZooKeeper days tells a broker about the cluster. Api key 6, versions 0-8,
flexible from 6.
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
    encode_failure, get_tag_count, get_tag_head, get_tags, joined, lengthen, lengthen_text,
    long_count, long_head, long_text, long_text_head, put_tags, refuse_field, refuse_null,
    refuse_size, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 6
NAME: Final = "UpdateMetadataRequest"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 8
FLEXIBLE_FROM: Final[int | None] = 6


class UpdateMetadataPartitionState(Message):
    """State of one partition."""

    __slots__ = (
        "topic_name", "partition_index", "controller_epoch", "leader", "leader_epoch", "isr",
        "zk_version", "replicas", "offline_replicas", "unknown_tags",
    )

    def __init__(
        self,
        # Name of the topic. (v0-4)
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
        zk_version: int = 0,
        # Replicas, preferred leader first.
        replicas: Sequence[int] = (),
        # Replicas that are not alive. (v4+)
        offline_replicas: Sequence[int] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_name = topic_name
        self.partition_index = partition_index
        self.controller_epoch = controller_epoch
        self.leader = leader
        self.leader_epoch = leader_epoch
        self.isr: Sequence[int] = [] if isr == () else isr
        self.zk_version = zk_version
        self.replicas: Sequence[int] = [] if replicas == () else replicas
        self.offline_replicas: Sequence[int] = [] if offline_replicas == () else offline_replicas
        self.unknown_tags = unknown_tags


class UpdateMetadataTopicState(Message):
    """One row a topic."""

    __slots__ = ("topic_name", "topic_id", "partition_states", "unknown_tags")

    def __init__(
        self,
        # Name of the topic. (v5+)
        topic_name: str = "",
        # Id of the topic. (v7+)
        topic_id: bytes = ZERO_UUID,
        # One row a partition. (v5+)
        partition_states: Sequence[UpdateMetadataPartitionState] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.topic_name = topic_name
        self.topic_id = topic_id
        self.partition_states: Sequence[UpdateMetadataPartitionState] = (
            [] if partition_states == () else partition_states
        )
        self.unknown_tags = unknown_tags


class UpdateMetadataEndpoint(Message):
    """Where the broker can be reached."""

    __slots__ = ("port", "host", "listener", "security_protocol", "unknown_tags")

    def __init__(
        self,
        # Port to connect to. (v1+)
        port: int = 0,
        # Host to connect to. (v1+)
        host: str = "",
        # Name of the listener. (v3+)
        listener: str = "",
        # Security protocol: 0 PLAINTEXT, 1 SSL, 2 SASL_PLAINTEXT, 3 SASL_SSL. (v1+)
        security_protocol: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.port = port
        self.host = host
        self.listener = listener
        self.security_protocol = security_protocol
        self.unknown_tags = unknown_tags


class UpdateMetadataBroker(Message):
    """One row a broker."""

    __slots__ = ("id", "v0_host", "v0_port", "endpoints", "rack", "unknown_tags")

    def __init__(
        self,
        # Id of the broker.
        id: int = 0,
        # Host to connect to. (v0)
        v0_host: str = "",
        # Port to connect to. (v0)
        v0_port: int = 0,
        # Where the broker can be reached. (v1+)
        endpoints: Sequence[UpdateMetadataEndpoint] = (),
        # Rack of the node; null when it has none. (v2+)
        rack: str | None = "",
        unknown_tags: Tags = (),
    ) -> None:
        self.id = id
        self.v0_host = v0_host
        self.v0_port = v0_port
        self.endpoints: Sequence[UpdateMetadataEndpoint] = [] if endpoints == () else endpoints
        self.rack = rack
        self.unknown_tags = unknown_tags


class UpdateMetadataRequest(Message):
    """A controller of the ZooKeeper days tells a broker about the cluster."""

    __slots__ = (
        "controller_id", "is_kraft_controller", "type", "controller_epoch", "broker_epoch",
        "ungrouped_partition_states", "topic_states", "live_brokers", "unknown_tags",
    )

    def __init__(
        self,
        # Controller that sends this.
        controller_id: int = 0,
        # True when that controller runs on KRaft. (v8+)
        is_kraft_controller: bool = False,
        # 1 when only changed partitions are told, 2 when all are; 0 when not said. (v8+, tag 0)
        type: int = 0,
        # Epoch of that controller.
        controller_epoch: int = 0,
        # Epoch of that broker's registration; -1 when unknown. (v5+)
        broker_epoch: int = -1,
        # One row a partition. (v0-4)
        ungrouped_partition_states: Sequence[UpdateMetadataPartitionState] = (),
        # One row a topic. (v5+)
        topic_states: Sequence[UpdateMetadataTopicState] = (),
        # One row a broker.
        live_brokers: Sequence[UpdateMetadataBroker] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.controller_id = controller_id
        self.is_kraft_controller = is_kraft_controller
        self.type = type
        self.controller_epoch = controller_epoch
        self.broker_epoch = broker_epoch
        self.ungrouped_partition_states: Sequence[UpdateMetadataPartitionState] = (
            [] if ungrouped_partition_states == () else ungrouped_partition_states
        )
        self.topic_states: Sequence[UpdateMetadataTopicState] = (
            [] if topic_states == () else topic_states
        )
        self.live_brokers: Sequence[UpdateMetadataBroker] = (
            [] if live_brokers == () else live_brokers
        )
        self.unknown_tags = unknown_tags


_read_array_ni = ArrayReads("i", "", 0)
_read_array_ni_2i = ArrayReads("i", "2i", 0)
_read_array_ci_B = ArrayReads("i", "B", 1)
_read_array_ni_i = ArrayReads("i", "i", 0)
_read_array_ci_iB = ArrayReads("i", "iB", 1)
_read_16sB = Struct(">16sB").unpack_from
_read_2i = Struct(">2i").unpack_from
_read_2iqB = Struct(">2iqB").unpack_from
_read_2iqi = Struct(">2iqi").unpack_from
_read_3i = Struct(">3i").unpack_from
_read_4iB = Struct(">4iB").unpack_from
_read_5i = Struct(">5i").unpack_from
_read_b = Struct(">b").unpack_from
_read_h = Struct(">h").unpack_from
_read_hB = Struct(">hB").unpack_from
_read_i = Struct(">i").unpack_from
_read_itiqB = Struct(">i?iqB").unpack_from
_read_iB = Struct(">iB").unpack_from
_read_ih = Struct(">ih").unpack_from
_write_16sB = Struct(">16sB").pack
_write_2i = Struct(">2i").pack
_write_2iqB = Struct(">2iqB").pack
_write_2iqi = Struct(">2iqi").pack
_write_3i = Struct(">3i").pack
_write_b = Struct(">b").pack
_write_h = Struct(">h").pack
_write_hx = Struct(">hx").pack
_write_i = Struct(">i").pack
_write_itiqB = Struct(">i?iqB").pack
_write_iB = Struct(">iB").pack
_write_ih = Struct(">ih").pack
_write_4iB_many_i_iB_many_i_B_many_i_x = ArrayWrites("iiiiB *i iB *i B *i x")
_write_5i_many_i_2i_many_i = ArrayWrites("iiiii *i ii *i")
_write_5i_many_i_2i_many_i_i_many_i = ArrayWrites("iiiii *i ii *i i *i")


def _get_update_metadata_request_v0(buf: bytes, at: int) -> tuple[UpdateMetadataRequest, int]:
    m = new(UpdateMetadataRequest)
    (m.controller_id, m.controller_epoch, n) = _read_3i(buf, at)
    at += 12
    if not 0 <= n < 128:
        check_count(buf, at, n, 30)
    ungrouped_partition_states: list[UpdateMetadataPartitionState] = []
    m.ungrouped_partition_states = ungrouped_partition_states
    left_ungrouped_partition_states = n
    while left_ungrouped_partition_states:
        left_ungrouped_partition_states -= 1
        partition_state = new(UpdateMetadataPartitionState)
        ungrouped_partition_states.append(partition_state)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        partition_state.topic_name = buf[at:end].decode()
        at = end
        (
            partition_state.partition_index, partition_state.controller_epoch,
            partition_state.leader, partition_state.leader_epoch, n_isr,
        ) = _read_5i(buf, at)
        at += 20
        if not 0 <= n_isr < 128:
            check_count(buf, at, n_isr, 4)
        (
            *partition_state.isr, partition_state.zk_version, n_replicas,
        ) = _read_array_ni_2i[n_isr](buf, at)
        at += 4 * n_isr + 8
        if not 0 <= n_replicas < 128:
            check_count(buf, at, n_replicas, 4)
        partition_state.replicas = [*_read_array_ni[n_replicas](buf, at)]
        at += 4 * n_replicas
        partition_state.offline_replicas = []
        partition_state.unknown_tags = ()
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 10)
    live_brokers: list[UpdateMetadataBroker] = []
    m.live_brokers = live_brokers
    left_live_brokers = n
    while left_live_brokers:
        left_live_brokers -= 1
        update_metadata_broker = new(UpdateMetadataBroker)
        live_brokers.append(update_metadata_broker)
        (update_metadata_broker.id, n) = _read_ih(buf, at)
        at += 6
        if n < 0:
            refuse_null()
        end = at + n
        update_metadata_broker.v0_host = buf[at:end].decode()
        at = end
        (update_metadata_broker.v0_port,) = _read_i(buf, at)
        at += 4
        update_metadata_broker.endpoints = []
        update_metadata_broker.rack = ""
        update_metadata_broker.unknown_tags = ()
    m.is_kraft_controller = False
    m.type = 0
    m.broker_epoch = -1
    m.topic_states = []
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_update_metadata_request_v1(buf: bytes, at: int) -> tuple[UpdateMetadataRequest, int]:
    m = new(UpdateMetadataRequest)
    (m.controller_id, m.controller_epoch, n) = _read_3i(buf, at)
    at += 12
    if not 0 <= n < 128:
        check_count(buf, at, n, 30)
    ungrouped_partition_states: list[UpdateMetadataPartitionState] = []
    m.ungrouped_partition_states = ungrouped_partition_states
    left_ungrouped_partition_states = n
    while left_ungrouped_partition_states:
        left_ungrouped_partition_states -= 1
        partition_state = new(UpdateMetadataPartitionState)
        ungrouped_partition_states.append(partition_state)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        partition_state.topic_name = buf[at:end].decode()
        at = end
        (
            partition_state.partition_index, partition_state.controller_epoch,
            partition_state.leader, partition_state.leader_epoch, n_isr,
        ) = _read_5i(buf, at)
        at += 20
        if not 0 <= n_isr < 128:
            check_count(buf, at, n_isr, 4)
        (
            *partition_state.isr, partition_state.zk_version, n_replicas,
        ) = _read_array_ni_2i[n_isr](buf, at)
        at += 4 * n_isr + 8
        if not 0 <= n_replicas < 128:
            check_count(buf, at, n_replicas, 4)
        partition_state.replicas = [*_read_array_ni[n_replicas](buf, at)]
        at += 4 * n_replicas
        partition_state.offline_replicas = []
        partition_state.unknown_tags = ()
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 8)
    live_brokers: list[UpdateMetadataBroker] = []
    m.live_brokers = live_brokers
    left_live_brokers = n
    while left_live_brokers:
        left_live_brokers -= 1
        update_metadata_broker = new(UpdateMetadataBroker)
        live_brokers.append(update_metadata_broker)
        (update_metadata_broker.id, n) = _read_2i(buf, at)
        at += 8
        if not 0 <= n < 128:
            check_count(buf, at, n, 8)
        endpoints: list[UpdateMetadataEndpoint] = []
        update_metadata_broker.endpoints = endpoints
        left_endpoints = n
        while left_endpoints:
            left_endpoints -= 1
            metadata_endpoint = new(UpdateMetadataEndpoint)
            endpoints.append(metadata_endpoint)
            (metadata_endpoint.port, n) = _read_ih(buf, at)
            at += 6
            if n < 0:
                refuse_null()
            end = at + n
            metadata_endpoint.host = buf[at:end].decode()
            at = end
            (metadata_endpoint.security_protocol,) = _read_h(buf, at)
            at += 2
            metadata_endpoint.listener = ""
            metadata_endpoint.unknown_tags = ()
        update_metadata_broker.v0_host = ""
        update_metadata_broker.v0_port = 0
        update_metadata_broker.rack = ""
        update_metadata_broker.unknown_tags = ()
    m.is_kraft_controller = False
    m.type = 0
    m.broker_epoch = -1
    m.topic_states = []
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_update_metadata_request_v2(buf: bytes, at: int) -> tuple[UpdateMetadataRequest, int]:
    m = new(UpdateMetadataRequest)
    (m.controller_id, m.controller_epoch, n) = _read_3i(buf, at)
    at += 12
    if not 0 <= n < 128:
        check_count(buf, at, n, 30)
    ungrouped_partition_states: list[UpdateMetadataPartitionState] = []
    m.ungrouped_partition_states = ungrouped_partition_states
    left_ungrouped_partition_states = n
    while left_ungrouped_partition_states:
        left_ungrouped_partition_states -= 1
        partition_state = new(UpdateMetadataPartitionState)
        ungrouped_partition_states.append(partition_state)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        partition_state.topic_name = buf[at:end].decode()
        at = end
        (
            partition_state.partition_index, partition_state.controller_epoch,
            partition_state.leader, partition_state.leader_epoch, n_isr,
        ) = _read_5i(buf, at)
        at += 20
        if not 0 <= n_isr < 128:
            check_count(buf, at, n_isr, 4)
        (
            *partition_state.isr, partition_state.zk_version, n_replicas,
        ) = _read_array_ni_2i[n_isr](buf, at)
        at += 4 * n_isr + 8
        if not 0 <= n_replicas < 128:
            check_count(buf, at, n_replicas, 4)
        partition_state.replicas = [*_read_array_ni[n_replicas](buf, at)]
        at += 4 * n_replicas
        partition_state.offline_replicas = []
        partition_state.unknown_tags = ()
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 10)
    live_brokers: list[UpdateMetadataBroker] = []
    m.live_brokers = live_brokers
    left_live_brokers = n
    while left_live_brokers:
        left_live_brokers -= 1
        update_metadata_broker = new(UpdateMetadataBroker)
        live_brokers.append(update_metadata_broker)
        (update_metadata_broker.id, n) = _read_2i(buf, at)
        at += 8
        if not 0 <= n < 128:
            check_count(buf, at, n, 8)
        endpoints: list[UpdateMetadataEndpoint] = []
        update_metadata_broker.endpoints = endpoints
        left_endpoints = n
        while left_endpoints:
            left_endpoints -= 1
            metadata_endpoint = new(UpdateMetadataEndpoint)
            endpoints.append(metadata_endpoint)
            (metadata_endpoint.port, n) = _read_ih(buf, at)
            at += 6
            if n < 0:
                refuse_null()
            end = at + n
            metadata_endpoint.host = buf[at:end].decode()
            at = end
            (metadata_endpoint.security_protocol,) = _read_h(buf, at)
            at += 2
            metadata_endpoint.listener = ""
            metadata_endpoint.unknown_tags = ()
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            update_metadata_broker.rack = None
        else:
            end = at + n
            update_metadata_broker.rack = buf[at:end].decode()
            at = end
        update_metadata_broker.v0_host = ""
        update_metadata_broker.v0_port = 0
        update_metadata_broker.unknown_tags = ()
    m.is_kraft_controller = False
    m.type = 0
    m.broker_epoch = -1
    m.topic_states = []
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_update_metadata_request_v3(buf: bytes, at: int) -> tuple[UpdateMetadataRequest, int]:
    m = new(UpdateMetadataRequest)
    (m.controller_id, m.controller_epoch, n) = _read_3i(buf, at)
    at += 12
    if not 0 <= n < 128:
        check_count(buf, at, n, 30)
    ungrouped_partition_states: list[UpdateMetadataPartitionState] = []
    m.ungrouped_partition_states = ungrouped_partition_states
    left_ungrouped_partition_states = n
    while left_ungrouped_partition_states:
        left_ungrouped_partition_states -= 1
        partition_state = new(UpdateMetadataPartitionState)
        ungrouped_partition_states.append(partition_state)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        partition_state.topic_name = buf[at:end].decode()
        at = end
        (
            partition_state.partition_index, partition_state.controller_epoch,
            partition_state.leader, partition_state.leader_epoch, n_isr,
        ) = _read_5i(buf, at)
        at += 20
        if not 0 <= n_isr < 128:
            check_count(buf, at, n_isr, 4)
        (
            *partition_state.isr, partition_state.zk_version, n_replicas,
        ) = _read_array_ni_2i[n_isr](buf, at)
        at += 4 * n_isr + 8
        if not 0 <= n_replicas < 128:
            check_count(buf, at, n_replicas, 4)
        partition_state.replicas = [*_read_array_ni[n_replicas](buf, at)]
        at += 4 * n_replicas
        partition_state.offline_replicas = []
        partition_state.unknown_tags = ()
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 10)
    live_brokers: list[UpdateMetadataBroker] = []
    m.live_brokers = live_brokers
    left_live_brokers = n
    while left_live_brokers:
        left_live_brokers -= 1
        update_metadata_broker = new(UpdateMetadataBroker)
        live_brokers.append(update_metadata_broker)
        (update_metadata_broker.id, n) = _read_2i(buf, at)
        at += 8
        if not 0 <= n < 128:
            check_count(buf, at, n, 10)
        endpoints: list[UpdateMetadataEndpoint] = []
        update_metadata_broker.endpoints = endpoints
        left_endpoints = n
        while left_endpoints:
            left_endpoints -= 1
            metadata_endpoint = new(UpdateMetadataEndpoint)
            endpoints.append(metadata_endpoint)
            (metadata_endpoint.port, n) = _read_ih(buf, at)
            at += 6
            if n < 0:
                refuse_null()
            end = at + n
            metadata_endpoint.host = buf[at:end].decode()
            at = end
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            metadata_endpoint.listener = buf[at:end].decode()
            at = end
            (metadata_endpoint.security_protocol,) = _read_h(buf, at)
            at += 2
            metadata_endpoint.unknown_tags = ()
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            update_metadata_broker.rack = None
        else:
            end = at + n
            update_metadata_broker.rack = buf[at:end].decode()
            at = end
        update_metadata_broker.v0_host = ""
        update_metadata_broker.v0_port = 0
        update_metadata_broker.unknown_tags = ()
    m.is_kraft_controller = False
    m.type = 0
    m.broker_epoch = -1
    m.topic_states = []
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_update_metadata_request_v4(buf: bytes, at: int) -> tuple[UpdateMetadataRequest, int]:
    m = new(UpdateMetadataRequest)
    (m.controller_id, m.controller_epoch, n) = _read_3i(buf, at)
    at += 12
    if not 0 <= n < 128:
        check_count(buf, at, n, 34)
    ungrouped_partition_states: list[UpdateMetadataPartitionState] = []
    m.ungrouped_partition_states = ungrouped_partition_states
    left_ungrouped_partition_states = n
    while left_ungrouped_partition_states:
        left_ungrouped_partition_states -= 1
        partition_state = new(UpdateMetadataPartitionState)
        ungrouped_partition_states.append(partition_state)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        partition_state.topic_name = buf[at:end].decode()
        at = end
        (
            partition_state.partition_index, partition_state.controller_epoch,
            partition_state.leader, partition_state.leader_epoch, n_isr,
        ) = _read_5i(buf, at)
        at += 20
        if not 0 <= n_isr < 128:
            check_count(buf, at, n_isr, 4)
        (
            *partition_state.isr, partition_state.zk_version, n_replicas,
        ) = _read_array_ni_2i[n_isr](buf, at)
        at += 4 * n_isr + 8
        if not 0 <= n_replicas < 128:
            check_count(buf, at, n_replicas, 4)
        (*partition_state.replicas, n_offline_replicas) = _read_array_ni_i[n_replicas](buf, at)
        at += 4 * n_replicas + 4
        if not 0 <= n_offline_replicas < 128:
            check_count(buf, at, n_offline_replicas, 4)
        partition_state.offline_replicas = [*_read_array_ni[n_offline_replicas](buf, at)]
        at += 4 * n_offline_replicas
        partition_state.unknown_tags = ()
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 10)
    live_brokers: list[UpdateMetadataBroker] = []
    m.live_brokers = live_brokers
    left_live_brokers = n
    while left_live_brokers:
        left_live_brokers -= 1
        update_metadata_broker = new(UpdateMetadataBroker)
        live_brokers.append(update_metadata_broker)
        (update_metadata_broker.id, n) = _read_2i(buf, at)
        at += 8
        if not 0 <= n < 128:
            check_count(buf, at, n, 10)
        endpoints: list[UpdateMetadataEndpoint] = []
        update_metadata_broker.endpoints = endpoints
        left_endpoints = n
        while left_endpoints:
            left_endpoints -= 1
            metadata_endpoint = new(UpdateMetadataEndpoint)
            endpoints.append(metadata_endpoint)
            (metadata_endpoint.port, n) = _read_ih(buf, at)
            at += 6
            if n < 0:
                refuse_null()
            end = at + n
            metadata_endpoint.host = buf[at:end].decode()
            at = end
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            metadata_endpoint.listener = buf[at:end].decode()
            at = end
            (metadata_endpoint.security_protocol,) = _read_h(buf, at)
            at += 2
            metadata_endpoint.unknown_tags = ()
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            update_metadata_broker.rack = None
        else:
            end = at + n
            update_metadata_broker.rack = buf[at:end].decode()
            at = end
        update_metadata_broker.v0_host = ""
        update_metadata_broker.v0_port = 0
        update_metadata_broker.unknown_tags = ()
    m.is_kraft_controller = False
    m.type = 0
    m.broker_epoch = -1
    m.topic_states = []
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_update_metadata_request_v5(buf: bytes, at: int) -> tuple[UpdateMetadataRequest, int]:
    m = new(UpdateMetadataRequest)
    (m.controller_id, m.controller_epoch, m.broker_epoch, n) = _read_2iqi(buf, at)
    at += 20
    if not 0 <= n < 128:
        check_count(buf, at, n, 6)
    topic_states: list[UpdateMetadataTopicState] = []
    m.topic_states = topic_states
    left_topic_states = n
    while left_topic_states:
        left_topic_states -= 1
        metadata_topic_state = new(UpdateMetadataTopicState)
        topic_states.append(metadata_topic_state)
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            refuse_null()
        end = at + n
        metadata_topic_state.topic_name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 32)
        partition_states: list[UpdateMetadataPartitionState] = []
        metadata_topic_state.partition_states = partition_states
        left_partition_states = n
        while left_partition_states:
            left_partition_states -= 1
            partition_state = new(UpdateMetadataPartitionState)
            partition_states.append(partition_state)
            (
                partition_state.partition_index, partition_state.controller_epoch,
                partition_state.leader, partition_state.leader_epoch, n_isr,
            ) = _read_5i(buf, at)
            at += 20
            if not 0 <= n_isr < 128:
                check_count(buf, at, n_isr, 4)
            (
                *partition_state.isr, partition_state.zk_version, n_replicas,
            ) = _read_array_ni_2i[n_isr](buf, at)
            at += 4 * n_isr + 8
            if not 0 <= n_replicas < 128:
                check_count(buf, at, n_replicas, 4)
            (*partition_state.replicas, n_offline_replicas) = _read_array_ni_i[n_replicas](buf, at)
            at += 4 * n_replicas + 4
            if not 0 <= n_offline_replicas < 128:
                check_count(buf, at, n_offline_replicas, 4)
            partition_state.offline_replicas = [*_read_array_ni[n_offline_replicas](buf, at)]
            at += 4 * n_offline_replicas
            partition_state.topic_name = ""
            partition_state.unknown_tags = ()
        metadata_topic_state.topic_id = ZERO_UUID
        metadata_topic_state.unknown_tags = ()
    (n,) = _read_i(buf, at)
    at += 4
    if not 0 <= n < 128:
        check_count(buf, at, n, 10)
    live_brokers: list[UpdateMetadataBroker] = []
    m.live_brokers = live_brokers
    left_live_brokers = n
    while left_live_brokers:
        left_live_brokers -= 1
        update_metadata_broker = new(UpdateMetadataBroker)
        live_brokers.append(update_metadata_broker)
        (update_metadata_broker.id, n) = _read_2i(buf, at)
        at += 8
        if not 0 <= n < 128:
            check_count(buf, at, n, 10)
        endpoints: list[UpdateMetadataEndpoint] = []
        update_metadata_broker.endpoints = endpoints
        left_endpoints = n
        while left_endpoints:
            left_endpoints -= 1
            metadata_endpoint = new(UpdateMetadataEndpoint)
            endpoints.append(metadata_endpoint)
            (metadata_endpoint.port, n) = _read_ih(buf, at)
            at += 6
            if n < 0:
                refuse_null()
            end = at + n
            metadata_endpoint.host = buf[at:end].decode()
            at = end
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            metadata_endpoint.listener = buf[at:end].decode()
            at = end
            (metadata_endpoint.security_protocol,) = _read_h(buf, at)
            at += 2
            metadata_endpoint.unknown_tags = ()
        (n,) = _read_h(buf, at)
        at += 2
        if n < 0:
            update_metadata_broker.rack = None
        else:
            end = at + n
            update_metadata_broker.rack = buf[at:end].decode()
            at = end
        update_metadata_broker.v0_host = ""
        update_metadata_broker.v0_port = 0
        update_metadata_broker.unknown_tags = ()
    m.is_kraft_controller = False
    m.type = 0
    m.ungrouped_partition_states = []
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_update_metadata_request_v6(buf: bytes, at: int) -> tuple[UpdateMetadataRequest, int]:
    m = new(UpdateMetadataRequest)
    (m.controller_id, m.controller_epoch, m.broker_epoch, n) = _read_2iqB(buf, at)
    at += 17
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 3)
    topic_states: list[UpdateMetadataTopicState] = []
    m.topic_states = topic_states
    left_topic_states = n - 1
    while left_topic_states:
        left_topic_states -= 1
        metadata_topic_state = new(UpdateMetadataTopicState)
        topic_states.append(metadata_topic_state)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        metadata_topic_state.topic_name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 24)
        partition_states: list[UpdateMetadataPartitionState] = []
        metadata_topic_state.partition_states = partition_states
        left_partition_states = n - 1
        while left_partition_states:
            left_partition_states -= 1
            partition_state = new(UpdateMetadataPartitionState)
            partition_states.append(partition_state)
            (
                partition_state.partition_index, partition_state.controller_epoch,
                partition_state.leader, partition_state.leader_epoch, n_isr,
            ) = _read_4iB(buf, at)
            at += 17
            if n_isr > 127:
                n_isr, at = long_count(buf, at, 4)
            (
                *partition_state.isr, partition_state.zk_version, n_replicas,
            ) = _read_array_ci_iB[n_isr](buf, at)
            at += 4 * n_isr + 1
            if n_replicas > 127:
                n_replicas, at = long_count(buf, at, 4)
            (*partition_state.replicas, n_offline_replicas) = _read_array_ci_B[n_replicas](buf, at)
            at += 4 * n_replicas - 3
            if n_offline_replicas > 127:
                n_offline_replicas, at = long_count(buf, at, 4)
            (
                *partition_state.offline_replicas, tags,
            ) = _read_array_ci_B[n_offline_replicas](buf, at)
            at += 4 * n_offline_replicas - 3
            partition_state.topic_name = ""
            partition_state.unknown_tags = ()
            if tags:
                partition_state.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        metadata_topic_state.topic_id = ZERO_UUID
        metadata_topic_state.unknown_tags = ()
        if tags:
            metadata_topic_state.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 7)
    live_brokers: list[UpdateMetadataBroker] = []
    m.live_brokers = live_brokers
    left_live_brokers = n - 1
    while left_live_brokers:
        left_live_brokers -= 1
        update_metadata_broker = new(UpdateMetadataBroker)
        live_brokers.append(update_metadata_broker)
        (update_metadata_broker.id, n) = _read_iB(buf, at)
        at += 5
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 9)
        endpoints: list[UpdateMetadataEndpoint] = []
        update_metadata_broker.endpoints = endpoints
        left_endpoints = n - 1
        while left_endpoints:
            left_endpoints -= 1
            metadata_endpoint = new(UpdateMetadataEndpoint)
            endpoints.append(metadata_endpoint)
            (metadata_endpoint.port, n) = _read_iB(buf, at)
            at += 5
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            metadata_endpoint.host = buf[at:end].decode()
            at = end
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            metadata_endpoint.listener = buf[at:end].decode()
            at = end
            (metadata_endpoint.security_protocol, tags) = _read_hB(buf, at)
            at += 3
            metadata_endpoint.unknown_tags = ()
            if tags:
                metadata_endpoint.unknown_tags, at = get_tags(buf, at - 1)
        n = buf[at]
        at += 1
        if n == 0:
            update_metadata_broker.rack = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            update_metadata_broker.rack = buf[at:end].decode()
            at = end
        tags = buf[at]
        at += 1
        update_metadata_broker.v0_host = ""
        update_metadata_broker.v0_port = 0
        update_metadata_broker.unknown_tags = ()
        if tags:
            update_metadata_broker.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.is_kraft_controller = False
    m.type = 0
    m.ungrouped_partition_states = []
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_update_metadata_request_v7(buf: bytes, at: int) -> tuple[UpdateMetadataRequest, int]:
    m = new(UpdateMetadataRequest)
    (m.controller_id, m.controller_epoch, m.broker_epoch, n) = _read_2iqB(buf, at)
    at += 17
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 19)
    topic_states: list[UpdateMetadataTopicState] = []
    m.topic_states = topic_states
    left_topic_states = n - 1
    while left_topic_states:
        left_topic_states -= 1
        metadata_topic_state = new(UpdateMetadataTopicState)
        topic_states.append(metadata_topic_state)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        metadata_topic_state.topic_name = buf[at:end].decode()
        at = end
        (metadata_topic_state.topic_id, n) = _read_16sB(buf, at)
        at += 17
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 24)
        partition_states: list[UpdateMetadataPartitionState] = []
        metadata_topic_state.partition_states = partition_states
        left_partition_states = n - 1
        while left_partition_states:
            left_partition_states -= 1
            partition_state = new(UpdateMetadataPartitionState)
            partition_states.append(partition_state)
            (
                partition_state.partition_index, partition_state.controller_epoch,
                partition_state.leader, partition_state.leader_epoch, n_isr,
            ) = _read_4iB(buf, at)
            at += 17
            if n_isr > 127:
                n_isr, at = long_count(buf, at, 4)
            (
                *partition_state.isr, partition_state.zk_version, n_replicas,
            ) = _read_array_ci_iB[n_isr](buf, at)
            at += 4 * n_isr + 1
            if n_replicas > 127:
                n_replicas, at = long_count(buf, at, 4)
            (*partition_state.replicas, n_offline_replicas) = _read_array_ci_B[n_replicas](buf, at)
            at += 4 * n_replicas - 3
            if n_offline_replicas > 127:
                n_offline_replicas, at = long_count(buf, at, 4)
            (
                *partition_state.offline_replicas, tags,
            ) = _read_array_ci_B[n_offline_replicas](buf, at)
            at += 4 * n_offline_replicas - 3
            partition_state.topic_name = ""
            partition_state.unknown_tags = ()
            if tags:
                partition_state.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        metadata_topic_state.unknown_tags = ()
        if tags:
            metadata_topic_state.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 7)
    live_brokers: list[UpdateMetadataBroker] = []
    m.live_brokers = live_brokers
    left_live_brokers = n - 1
    while left_live_brokers:
        left_live_brokers -= 1
        update_metadata_broker = new(UpdateMetadataBroker)
        live_brokers.append(update_metadata_broker)
        (update_metadata_broker.id, n) = _read_iB(buf, at)
        at += 5
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 9)
        endpoints: list[UpdateMetadataEndpoint] = []
        update_metadata_broker.endpoints = endpoints
        left_endpoints = n - 1
        while left_endpoints:
            left_endpoints -= 1
            metadata_endpoint = new(UpdateMetadataEndpoint)
            endpoints.append(metadata_endpoint)
            (metadata_endpoint.port, n) = _read_iB(buf, at)
            at += 5
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            metadata_endpoint.host = buf[at:end].decode()
            at = end
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            metadata_endpoint.listener = buf[at:end].decode()
            at = end
            (metadata_endpoint.security_protocol, tags) = _read_hB(buf, at)
            at += 3
            metadata_endpoint.unknown_tags = ()
            if tags:
                metadata_endpoint.unknown_tags, at = get_tags(buf, at - 1)
        n = buf[at]
        at += 1
        if n == 0:
            update_metadata_broker.rack = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            update_metadata_broker.rack = buf[at:end].decode()
            at = end
        tags = buf[at]
        at += 1
        update_metadata_broker.v0_host = ""
        update_metadata_broker.v0_port = 0
        update_metadata_broker.unknown_tags = ()
        if tags:
            update_metadata_broker.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.is_kraft_controller = False
    m.type = 0
    m.ungrouped_partition_states = []
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _get_tags_update_metadata_request_v8(m: UpdateMetadataRequest, buf: bytes, at: int) -> int:
    left, at = get_tag_count(buf, at)
    tag = -1
    unknown: list[tuple[int, bytes]] = []
    while left:
        left -= 1
        tag, tag_end, at = get_tag_head(buf, at, tag)
        if tag == 0:
            (m.type,) = _read_b(buf, at)
            at += 1
        else:
            unknown.append((tag, buf[at:tag_end]))
            at = tag_end
        if at != tag_end:
            refuse_size()
    m.unknown_tags = tuple(unknown)
    return at


def _get_update_metadata_request_v8(buf: bytes, at: int) -> tuple[UpdateMetadataRequest, int]:
    m = new(UpdateMetadataRequest)
    (
        m.controller_id, m.is_kraft_controller, m.controller_epoch, m.broker_epoch, n,
    ) = _read_itiqB(buf, at)
    at += 18
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 19)
    topic_states: list[UpdateMetadataTopicState] = []
    m.topic_states = topic_states
    left_topic_states = n - 1
    while left_topic_states:
        left_topic_states -= 1
        metadata_topic_state = new(UpdateMetadataTopicState)
        topic_states.append(metadata_topic_state)
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        metadata_topic_state.topic_name = buf[at:end].decode()
        at = end
        (metadata_topic_state.topic_id, n) = _read_16sB(buf, at)
        at += 17
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 24)
        partition_states: list[UpdateMetadataPartitionState] = []
        metadata_topic_state.partition_states = partition_states
        left_partition_states = n - 1
        while left_partition_states:
            left_partition_states -= 1
            partition_state = new(UpdateMetadataPartitionState)
            partition_states.append(partition_state)
            (
                partition_state.partition_index, partition_state.controller_epoch,
                partition_state.leader, partition_state.leader_epoch, n_isr,
            ) = _read_4iB(buf, at)
            at += 17
            if n_isr > 127:
                n_isr, at = long_count(buf, at, 4)
            (
                *partition_state.isr, partition_state.zk_version, n_replicas,
            ) = _read_array_ci_iB[n_isr](buf, at)
            at += 4 * n_isr + 1
            if n_replicas > 127:
                n_replicas, at = long_count(buf, at, 4)
            (*partition_state.replicas, n_offline_replicas) = _read_array_ci_B[n_replicas](buf, at)
            at += 4 * n_replicas - 3
            if n_offline_replicas > 127:
                n_offline_replicas, at = long_count(buf, at, 4)
            (
                *partition_state.offline_replicas, tags,
            ) = _read_array_ci_B[n_offline_replicas](buf, at)
            at += 4 * n_offline_replicas - 3
            partition_state.topic_name = ""
            partition_state.unknown_tags = ()
            if tags:
                partition_state.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        metadata_topic_state.unknown_tags = ()
        if tags:
            metadata_topic_state.unknown_tags, at = get_tags(buf, at - 1)
    n = buf[at]
    at += 1
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 7)
    live_brokers: list[UpdateMetadataBroker] = []
    m.live_brokers = live_brokers
    left_live_brokers = n - 1
    while left_live_brokers:
        left_live_brokers -= 1
        update_metadata_broker = new(UpdateMetadataBroker)
        live_brokers.append(update_metadata_broker)
        (update_metadata_broker.id, n) = _read_iB(buf, at)
        at += 5
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 9)
        endpoints: list[UpdateMetadataEndpoint] = []
        update_metadata_broker.endpoints = endpoints
        left_endpoints = n - 1
        while left_endpoints:
            left_endpoints -= 1
            metadata_endpoint = new(UpdateMetadataEndpoint)
            endpoints.append(metadata_endpoint)
            (metadata_endpoint.port, n) = _read_iB(buf, at)
            at += 5
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            metadata_endpoint.host = buf[at:end].decode()
            at = end
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            metadata_endpoint.listener = buf[at:end].decode()
            at = end
            (metadata_endpoint.security_protocol, tags) = _read_hB(buf, at)
            at += 3
            metadata_endpoint.unknown_tags = ()
            if tags:
                metadata_endpoint.unknown_tags, at = get_tags(buf, at - 1)
        n = buf[at]
        at += 1
        if n == 0:
            update_metadata_broker.rack = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            update_metadata_broker.rack = buf[at:end].decode()
            at = end
        tags = buf[at]
        at += 1
        update_metadata_broker.v0_host = ""
        update_metadata_broker.v0_port = 0
        update_metadata_broker.unknown_tags = ()
        if tags:
            update_metadata_broker.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.type = 0
    m.ungrouped_partition_states = []
    m.unknown_tags = ()
    if tags:
        at = _get_tags_update_metadata_request_v8(m, buf, at - 1)
    return m, at


def _put_update_metadata_request_v0(out: Parts, m: UpdateMetadataRequest) -> None:
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
    for partition_state in ungrouped_partition_states:
        if partition_state.unknown_tags:
            refuse_field("unknown_tags")
        topic_name = partition_state.topic_name.encode()
        n = len(topic_name)
        out.append(_write_h(n))
        out.append(topic_name)
        isr = partition_state.isr
        n_isr = len(isr)
        replicas = partition_state.replicas
        n_replicas = len(replicas)
        write = _write_5i_many_i_2i_many_i[n_isr, n_replicas]
        out.append(write(
            partition_state.partition_index, partition_state.controller_epoch,
            partition_state.leader, partition_state.leader_epoch, n_isr, *isr,
            partition_state.zk_version, n_replicas, *replicas,
        ))
    live_brokers = m.live_brokers
    n = len(live_brokers)
    out.append(_write_i(n))
    for update_metadata_broker in live_brokers:
        if update_metadata_broker.unknown_tags:
            refuse_field("unknown_tags")
        v0_host = update_metadata_broker.v0_host.encode()
        n = len(v0_host)
        out.append(_write_ih(update_metadata_broker.id, n))
        out.append(v0_host)
        out.append(_write_i(update_metadata_broker.v0_port))


def _put_update_metadata_request_v1(out: Parts, m: UpdateMetadataRequest) -> None:
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
    for partition_state in ungrouped_partition_states:
        if partition_state.unknown_tags:
            refuse_field("unknown_tags")
        topic_name = partition_state.topic_name.encode()
        n = len(topic_name)
        out.append(_write_h(n))
        out.append(topic_name)
        isr = partition_state.isr
        n_isr = len(isr)
        replicas = partition_state.replicas
        n_replicas = len(replicas)
        write = _write_5i_many_i_2i_many_i[n_isr, n_replicas]
        out.append(write(
            partition_state.partition_index, partition_state.controller_epoch,
            partition_state.leader, partition_state.leader_epoch, n_isr, *isr,
            partition_state.zk_version, n_replicas, *replicas,
        ))
    live_brokers = m.live_brokers
    n = len(live_brokers)
    out.append(_write_i(n))
    for update_metadata_broker in live_brokers:
        if update_metadata_broker.unknown_tags:
            refuse_field("unknown_tags")
        endpoints = update_metadata_broker.endpoints
        n = len(endpoints)
        out.append(_write_2i(update_metadata_broker.id, n))
        for metadata_endpoint in endpoints:
            if metadata_endpoint.unknown_tags:
                refuse_field("unknown_tags")
            host = metadata_endpoint.host.encode()
            n = len(host)
            out.append(_write_ih(metadata_endpoint.port, n))
            out.append(host)
            out.append(_write_h(metadata_endpoint.security_protocol))


def _put_update_metadata_request_v2(out: Parts, m: UpdateMetadataRequest) -> None:
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
    for partition_state in ungrouped_partition_states:
        if partition_state.unknown_tags:
            refuse_field("unknown_tags")
        topic_name = partition_state.topic_name.encode()
        n = len(topic_name)
        out.append(_write_h(n))
        out.append(topic_name)
        isr = partition_state.isr
        n_isr = len(isr)
        replicas = partition_state.replicas
        n_replicas = len(replicas)
        write = _write_5i_many_i_2i_many_i[n_isr, n_replicas]
        out.append(write(
            partition_state.partition_index, partition_state.controller_epoch,
            partition_state.leader, partition_state.leader_epoch, n_isr, *isr,
            partition_state.zk_version, n_replicas, *replicas,
        ))
    live_brokers = m.live_brokers
    n = len(live_brokers)
    out.append(_write_i(n))
    for update_metadata_broker in live_brokers:
        if update_metadata_broker.unknown_tags:
            refuse_field("unknown_tags")
        endpoints = update_metadata_broker.endpoints
        n = len(endpoints)
        out.append(_write_2i(update_metadata_broker.id, n))
        for metadata_endpoint in endpoints:
            if metadata_endpoint.unknown_tags:
                refuse_field("unknown_tags")
            host = metadata_endpoint.host.encode()
            n = len(host)
            out.append(_write_ih(metadata_endpoint.port, n))
            out.append(host)
            out.append(_write_h(metadata_endpoint.security_protocol))
        rack = b"" if update_metadata_broker.rack is None else update_metadata_broker.rack.encode()
        n = -1 if update_metadata_broker.rack is None else len(rack)
        out.append(_write_h(n))
        out.append(rack)


def _put_update_metadata_request_v3(out: Parts, m: UpdateMetadataRequest) -> None:
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
    for partition_state in ungrouped_partition_states:
        if partition_state.unknown_tags:
            refuse_field("unknown_tags")
        topic_name = partition_state.topic_name.encode()
        n = len(topic_name)
        out.append(_write_h(n))
        out.append(topic_name)
        isr = partition_state.isr
        n_isr = len(isr)
        replicas = partition_state.replicas
        n_replicas = len(replicas)
        write = _write_5i_many_i_2i_many_i[n_isr, n_replicas]
        out.append(write(
            partition_state.partition_index, partition_state.controller_epoch,
            partition_state.leader, partition_state.leader_epoch, n_isr, *isr,
            partition_state.zk_version, n_replicas, *replicas,
        ))
    live_brokers = m.live_brokers
    n = len(live_brokers)
    out.append(_write_i(n))
    for update_metadata_broker in live_brokers:
        if update_metadata_broker.unknown_tags:
            refuse_field("unknown_tags")
        endpoints = update_metadata_broker.endpoints
        n = len(endpoints)
        out.append(_write_2i(update_metadata_broker.id, n))
        for metadata_endpoint in endpoints:
            if metadata_endpoint.unknown_tags:
                refuse_field("unknown_tags")
            host = metadata_endpoint.host.encode()
            n = len(host)
            out.append(_write_ih(metadata_endpoint.port, n))
            out.append(host)
            listener = metadata_endpoint.listener.encode()
            n = len(listener)
            out.append(_write_h(n))
            out.append(listener)
            out.append(_write_h(metadata_endpoint.security_protocol))
        rack = b"" if update_metadata_broker.rack is None else update_metadata_broker.rack.encode()
        n = -1 if update_metadata_broker.rack is None else len(rack)
        out.append(_write_h(n))
        out.append(rack)


def _put_update_metadata_request_v4(out: Parts, m: UpdateMetadataRequest) -> None:
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
    for partition_state in ungrouped_partition_states:
        if partition_state.unknown_tags:
            refuse_field("unknown_tags")
        topic_name = partition_state.topic_name.encode()
        n = len(topic_name)
        out.append(_write_h(n))
        out.append(topic_name)
        isr = partition_state.isr
        n_isr = len(isr)
        replicas = partition_state.replicas
        n_replicas = len(replicas)
        offline_replicas = partition_state.offline_replicas
        n_offline_replicas = len(offline_replicas)
        write = _write_5i_many_i_2i_many_i_i_many_i[n_isr, n_replicas, n_offline_replicas]
        out.append(write(
            partition_state.partition_index, partition_state.controller_epoch,
            partition_state.leader, partition_state.leader_epoch, n_isr, *isr,
            partition_state.zk_version, n_replicas, *replicas, n_offline_replicas,
            *offline_replicas,
        ))
    live_brokers = m.live_brokers
    n = len(live_brokers)
    out.append(_write_i(n))
    for update_metadata_broker in live_brokers:
        if update_metadata_broker.unknown_tags:
            refuse_field("unknown_tags")
        endpoints = update_metadata_broker.endpoints
        n = len(endpoints)
        out.append(_write_2i(update_metadata_broker.id, n))
        for metadata_endpoint in endpoints:
            if metadata_endpoint.unknown_tags:
                refuse_field("unknown_tags")
            host = metadata_endpoint.host.encode()
            n = len(host)
            out.append(_write_ih(metadata_endpoint.port, n))
            out.append(host)
            listener = metadata_endpoint.listener.encode()
            n = len(listener)
            out.append(_write_h(n))
            out.append(listener)
            out.append(_write_h(metadata_endpoint.security_protocol))
        rack = b"" if update_metadata_broker.rack is None else update_metadata_broker.rack.encode()
        n = -1 if update_metadata_broker.rack is None else len(rack)
        out.append(_write_h(n))
        out.append(rack)


def _put_update_metadata_request_v5(out: Parts, m: UpdateMetadataRequest) -> None:
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
    for metadata_topic_state in topic_states:
        if metadata_topic_state.unknown_tags:
            refuse_field("unknown_tags")
        topic_name = metadata_topic_state.topic_name.encode()
        n = len(topic_name)
        out.append(_write_h(n))
        out.append(topic_name)
        partition_states = metadata_topic_state.partition_states
        n = len(partition_states)
        out.append(_write_i(n))
        for partition_state in partition_states:
            if partition_state.unknown_tags:
                refuse_field("unknown_tags")
            isr = partition_state.isr
            n_isr = len(isr)
            replicas = partition_state.replicas
            n_replicas = len(replicas)
            offline_replicas = partition_state.offline_replicas
            n_offline_replicas = len(offline_replicas)
            write = _write_5i_many_i_2i_many_i_i_many_i[n_isr, n_replicas, n_offline_replicas]
            out.append(write(
                partition_state.partition_index, partition_state.controller_epoch,
                partition_state.leader, partition_state.leader_epoch, n_isr, *isr,
                partition_state.zk_version, n_replicas, *replicas, n_offline_replicas,
                *offline_replicas,
            ))
    live_brokers = m.live_brokers
    n = len(live_brokers)
    out.append(_write_i(n))
    for update_metadata_broker in live_brokers:
        if update_metadata_broker.unknown_tags:
            refuse_field("unknown_tags")
        endpoints = update_metadata_broker.endpoints
        n = len(endpoints)
        out.append(_write_2i(update_metadata_broker.id, n))
        for metadata_endpoint in endpoints:
            if metadata_endpoint.unknown_tags:
                refuse_field("unknown_tags")
            host = metadata_endpoint.host.encode()
            n = len(host)
            out.append(_write_ih(metadata_endpoint.port, n))
            out.append(host)
            listener = metadata_endpoint.listener.encode()
            n = len(listener)
            out.append(_write_h(n))
            out.append(listener)
            out.append(_write_h(metadata_endpoint.security_protocol))
        rack = b"" if update_metadata_broker.rack is None else update_metadata_broker.rack.encode()
        n = -1 if update_metadata_broker.rack is None else len(rack)
        out.append(_write_h(n))
        out.append(rack)


def _put_update_metadata_request_v6(out: Parts, m: UpdateMetadataRequest) -> None:
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
    for metadata_topic_state in topic_states:
        topic_name = metadata_topic_state.topic_name.encode()
        n = len(topic_name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(topic_name)
        partition_states = metadata_topic_state.partition_states
        n = len(partition_states) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for partition_state in partition_states:
            isr = partition_state.isr
            n_isr = len(isr)
            replicas = partition_state.replicas
            n_replicas = len(replicas)
            offline_replicas = partition_state.offline_replicas
            n_offline_replicas = len(offline_replicas)
            write = _write_4iB_many_i_iB_many_i_B_many_i_x[n_isr, n_replicas, n_offline_replicas]
            out.append(write(
                partition_state.partition_index, partition_state.controller_epoch,
                partition_state.leader, partition_state.leader_epoch, n_isr + 1, *isr,
                partition_state.zk_version, n_replicas + 1, *replicas, n_offline_replicas + 1,
                *offline_replicas,
            ))
            if partition_state.unknown_tags:
                put_tags(out, [], partition_state.unknown_tags)
        out.append(b"\0")
        if metadata_topic_state.unknown_tags:
            put_tags(out, [], metadata_topic_state.unknown_tags)
    live_brokers = m.live_brokers
    n = len(live_brokers) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for update_metadata_broker in live_brokers:
        endpoints = update_metadata_broker.endpoints
        n = len(endpoints) + 1
        out.append(_write_iB(update_metadata_broker.id, n if n < 128 else 0))
        if n > 127:
            lengthen(out, n)
        for metadata_endpoint in endpoints:
            host = metadata_endpoint.host.encode()
            n = len(host) + 1
            out.append(_write_iB(metadata_endpoint.port, n if n < 128 else 0))
            if n > 127:
                lengthen_text(out, n)
            out.append(host)
            listener = metadata_endpoint.listener.encode()
            n = len(listener) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(listener)
            out.append(_write_hx(metadata_endpoint.security_protocol))
            if metadata_endpoint.unknown_tags:
                put_tags(out, [], metadata_endpoint.unknown_tags)
        rack = b"" if update_metadata_broker.rack is None else update_metadata_broker.rack.encode()
        n = 0 if update_metadata_broker.rack is None else len(rack) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(rack)
        out.append(b"\0")
        if update_metadata_broker.unknown_tags:
            put_tags(out, [], update_metadata_broker.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _put_update_metadata_request_v7(out: Parts, m: UpdateMetadataRequest) -> None:
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
    for metadata_topic_state in topic_states:
        topic_name = metadata_topic_state.topic_name.encode()
        n = len(topic_name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(topic_name)
        if len(metadata_topic_state.topic_id) != 16:
            refuse_uuid("topic_id")
        partition_states = metadata_topic_state.partition_states
        n = len(partition_states) + 1
        out.append(_write_16sB(metadata_topic_state.topic_id, n if n < 128 else 0))
        if n > 127:
            lengthen(out, n)
        for partition_state in partition_states:
            isr = partition_state.isr
            n_isr = len(isr)
            replicas = partition_state.replicas
            n_replicas = len(replicas)
            offline_replicas = partition_state.offline_replicas
            n_offline_replicas = len(offline_replicas)
            write = _write_4iB_many_i_iB_many_i_B_many_i_x[n_isr, n_replicas, n_offline_replicas]
            out.append(write(
                partition_state.partition_index, partition_state.controller_epoch,
                partition_state.leader, partition_state.leader_epoch, n_isr + 1, *isr,
                partition_state.zk_version, n_replicas + 1, *replicas, n_offline_replicas + 1,
                *offline_replicas,
            ))
            if partition_state.unknown_tags:
                put_tags(out, [], partition_state.unknown_tags)
        out.append(b"\0")
        if metadata_topic_state.unknown_tags:
            put_tags(out, [], metadata_topic_state.unknown_tags)
    live_brokers = m.live_brokers
    n = len(live_brokers) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for update_metadata_broker in live_brokers:
        endpoints = update_metadata_broker.endpoints
        n = len(endpoints) + 1
        out.append(_write_iB(update_metadata_broker.id, n if n < 128 else 0))
        if n > 127:
            lengthen(out, n)
        for metadata_endpoint in endpoints:
            host = metadata_endpoint.host.encode()
            n = len(host) + 1
            out.append(_write_iB(metadata_endpoint.port, n if n < 128 else 0))
            if n > 127:
                lengthen_text(out, n)
            out.append(host)
            listener = metadata_endpoint.listener.encode()
            n = len(listener) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(listener)
            out.append(_write_hx(metadata_endpoint.security_protocol))
            if metadata_endpoint.unknown_tags:
                put_tags(out, [], metadata_endpoint.unknown_tags)
        rack = b"" if update_metadata_broker.rack is None else update_metadata_broker.rack.encode()
        n = 0 if update_metadata_broker.rack is None else len(rack) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(rack)
        out.append(b"\0")
        if update_metadata_broker.unknown_tags:
            put_tags(out, [], update_metadata_broker.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


def _tags_of_update_metadata_request_v8(m: UpdateMetadataRequest) -> list[tuple[int, bytes]]:
    tags: list[tuple[int, bytes]] = []
    if m.type != 0:
        tags.append((0, _write_b(m.type)))
    return tags


def _put_update_metadata_request_v8(out: Parts, m: UpdateMetadataRequest) -> None:
    if m.ungrouped_partition_states:
        refuse_field("ungrouped_partition_states")
    topic_states = m.topic_states
    n = len(topic_states) + 1
    out.append(_write_itiqB(
        m.controller_id, m.is_kraft_controller, m.controller_epoch, m.broker_epoch,
        n if n < 128 else 0,
    ))
    if n > 127:
        lengthen(out, n)
    for metadata_topic_state in topic_states:
        topic_name = metadata_topic_state.topic_name.encode()
        n = len(topic_name) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(topic_name)
        if len(metadata_topic_state.topic_id) != 16:
            refuse_uuid("topic_id")
        partition_states = metadata_topic_state.partition_states
        n = len(partition_states) + 1
        out.append(_write_16sB(metadata_topic_state.topic_id, n if n < 128 else 0))
        if n > 127:
            lengthen(out, n)
        for partition_state in partition_states:
            isr = partition_state.isr
            n_isr = len(isr)
            replicas = partition_state.replicas
            n_replicas = len(replicas)
            offline_replicas = partition_state.offline_replicas
            n_offline_replicas = len(offline_replicas)
            write = _write_4iB_many_i_iB_many_i_B_many_i_x[n_isr, n_replicas, n_offline_replicas]
            out.append(write(
                partition_state.partition_index, partition_state.controller_epoch,
                partition_state.leader, partition_state.leader_epoch, n_isr + 1, *isr,
                partition_state.zk_version, n_replicas + 1, *replicas, n_offline_replicas + 1,
                *offline_replicas,
            ))
            if partition_state.unknown_tags:
                put_tags(out, [], partition_state.unknown_tags)
        out.append(b"\0")
        if metadata_topic_state.unknown_tags:
            put_tags(out, [], metadata_topic_state.unknown_tags)
    live_brokers = m.live_brokers
    n = len(live_brokers) + 1
    out.append(ONE_BYTE[n] if n < 128 else long_head(n))
    for update_metadata_broker in live_brokers:
        endpoints = update_metadata_broker.endpoints
        n = len(endpoints) + 1
        out.append(_write_iB(update_metadata_broker.id, n if n < 128 else 0))
        if n > 127:
            lengthen(out, n)
        for metadata_endpoint in endpoints:
            host = metadata_endpoint.host.encode()
            n = len(host) + 1
            out.append(_write_iB(metadata_endpoint.port, n if n < 128 else 0))
            if n > 127:
                lengthen_text(out, n)
            out.append(host)
            listener = metadata_endpoint.listener.encode()
            n = len(listener) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(listener)
            out.append(_write_hx(metadata_endpoint.security_protocol))
            if metadata_endpoint.unknown_tags:
                put_tags(out, [], metadata_endpoint.unknown_tags)
        rack = b"" if update_metadata_broker.rack is None else update_metadata_broker.rack.encode()
        n = 0 if update_metadata_broker.rack is None else len(rack) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        out.append(rack)
        out.append(b"\0")
        if update_metadata_broker.unknown_tags:
            put_tags(out, [], update_metadata_broker.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags or m.type != 0:
        put_tags(out, _tags_of_update_metadata_request_v8(m), m.unknown_tags)


_GET = {
    0: _get_update_metadata_request_v0, 1: _get_update_metadata_request_v1,
    2: _get_update_metadata_request_v2, 3: _get_update_metadata_request_v3,
    4: _get_update_metadata_request_v4, 5: _get_update_metadata_request_v5,
    6: _get_update_metadata_request_v6, 7: _get_update_metadata_request_v7,
    8: _get_update_metadata_request_v8,
}
_PUT = {
    0: _put_update_metadata_request_v0, 1: _put_update_metadata_request_v1,
    2: _put_update_metadata_request_v2, 3: _put_update_metadata_request_v3,
    4: _put_update_metadata_request_v4, 5: _put_update_metadata_request_v5,
    6: _put_update_metadata_request_v6, 7: _put_update_metadata_request_v7,
    8: _put_update_metadata_request_v8,
}


def decode(buf: Buffer, version: int, at: int = 0) -> UpdateMetadataRequest:
    """The UpdateMetadataRequest that begins at ``at``, in this version; what follows it is ignored.
    DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[UpdateMetadataRequest, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: UpdateMetadataRequest, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: UpdateMetadataRequest, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_UPDATE_METADATA_PARTITION_STATE_SHAPE: Shape = (
    UpdateMetadataPartitionState,
    (
        ("topicName", "topic_name", "string", (0, 4), None, None, None, "", True, (6, 8), None),
        (
            "partitionIndex", "partition_index", "int32", (0, 8), None, None, None, 0, False,
            (6, 8), None,
        ),
        (
            "controllerEpoch", "controller_epoch", "int32", (0, 8), None, None, None, 0, False,
            (6, 8), None,
        ),
        ("leader", "leader", "int32", (0, 8), None, None, None, 0, False, (6, 8), None),
        ("leaderEpoch", "leader_epoch", "int32", (0, 8), None, None, None, 0, False, (6, 8), None),
        ("isr", "isr", "[]int32", (0, 8), None, None, None, (), False, (6, 8), None),
        ("zkVersion", "zk_version", "int32", (0, 8), None, None, None, 0, False, (6, 8), None),
        ("replicas", "replicas", "[]int32", (0, 8), None, None, None, (), False, (6, 8), None),
        (
            "offlineReplicas", "offline_replicas", "[]int32", (4, 8), None, None, None, (), True,
            (6, 8), None,
        ),
    ),
)
_UPDATE_METADATA_TOPIC_STATE_SHAPE: Shape = (
    UpdateMetadataTopicState,
    (
        ("topicName", "topic_name", "string", (5, 8), None, None, None, "", False, (6, 8), None),
        ("topicId", "topic_id", "uuid", (7, 8), None, None, None, ZERO_UUID, True, (6, 8), None),
        (
            "partitionStates", "partition_states", "[]UpdateMetadataPartitionState", (5, 8), None,
            None, None, (), False, (6, 8), _UPDATE_METADATA_PARTITION_STATE_SHAPE,
        ),
    ),
)
_UPDATE_METADATA_ENDPOINT_SHAPE: Shape = (
    UpdateMetadataEndpoint,
    (
        ("port", "port", "int32", (1, 8), None, None, None, 0, False, (6, 8), None),
        ("host", "host", "string", (1, 8), None, None, None, "", False, (6, 8), None),
        ("listener", "listener", "string", (3, 8), None, None, None, "", True, (6, 8), None),
        (
            "securityProtocol", "security_protocol", "int16", (1, 8), None, None, None, 0, False,
            (6, 8), None,
        ),
    ),
)
_UPDATE_METADATA_BROKER_SHAPE: Shape = (
    UpdateMetadataBroker,
    (
        ("id", "id", "int32", (0, 8), None, None, None, 0, False, (6, 8), None),
        ("v0Host", "v0_host", "string", (0, 0), None, None, None, "", True, (6, 8), None),
        ("v0Port", "v0_port", "int32", (0, 0), None, None, None, 0, True, (6, 8), None),
        (
            "endpoints", "endpoints", "[]UpdateMetadataEndpoint", (1, 8), None, None, None, (),
            True, (6, 8), _UPDATE_METADATA_ENDPOINT_SHAPE,
        ),
        ("rack", "rack", "string", (2, 8), (0, 8), None, None, "", True, (6, 8), None),
    ),
)
_UPDATE_METADATA_REQUEST_SHAPE: Shape = (
    UpdateMetadataRequest,
    (
        (
            "controllerId", "controller_id", "int32", (0, 8), None, None, None, 0, False, (6, 8),
            None,
        ),
        (
            "isKRaftController", "is_kraft_controller", "bool", (8, 8), None, None, None, False,
            False, (6, 8), None,
        ),
        ("type", "type", "int8", (8, 8), None, 0, (8, 8), 0, False, (6, 8), None),
        (
            "controllerEpoch", "controller_epoch", "int32", (0, 8), None, None, None, 0, False,
            (6, 8), None,
        ),
        ("brokerEpoch", "broker_epoch", "int64", (5, 8), None, None, None, -1, True, (6, 8), None),
        (
            "ungroupedPartitionStates", "ungrouped_partition_states",
            "[]UpdateMetadataPartitionState", (0, 4), None, None, None, (), False, (6, 8),
            _UPDATE_METADATA_PARTITION_STATE_SHAPE,
        ),
        (
            "topicStates", "topic_states", "[]UpdateMetadataTopicState", (5, 8), None, None, None,
            (), False, (6, 8), _UPDATE_METADATA_TOPIC_STATE_SHAPE,
        ),
        (
            "liveBrokers", "live_brokers", "[]UpdateMetadataBroker", (0, 8), None, None, None, (),
            False, (6, 8), _UPDATE_METADATA_BROKER_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_UPDATE_METADATA_REQUEST_SHAPE, (0, 8), (6, 8))
