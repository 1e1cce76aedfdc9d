"""The figures of an exporter as Kafka's own JMX beans have them."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import define, field

from tools.kafka import KafkaCluster
from tools.kafka.beans import BeanReader, jmx_flags
from tools.kafka.helper import HelperFailed
from tools.kafka.ports import free_ports
from tools.own_exporter import Figures

CONTROLLER = "kafka.controller:type=KafkaController,name="
REPLICAS = "kafka.server:type=ReplicaManager,name="
RAFT = "kafka.server:type=raft-metrics"
OF_CONTROLLER = (
    "ActiveBrokerCount",
    "FencedBrokerCount",
    "ControlledShutdownBrokerCount",
    "GlobalTopicCount",
    "GlobalPartitionCount",
    "OfflinePartitionsCount",
    "PreferredReplicaImbalanceCount",
)
OF_RAFT = (
    "current-leader",
    "current-epoch",
    "high-watermark",
    "log-end-offset",
    "number-of-voters",
    "number-of-observers",
)
OF_BROKERS = (
    "UnderReplicatedPartitions",
    "UnderMinIsrPartitionCount",
    "AtMinIsrPartitionCount",
    "ReassigningPartitions",
)


@define
class WatchedCluster:
    """A cluster of Kafka whose beans can be read; ``jmx_ports`` are by node."""

    cluster: KafkaCluster
    beans: BeanReader
    jmx_ports: dict[int, int] = field(factory=dict)
    paused: set[int] = field(factory=set)

    def __attrs_post_init__(self) -> None:
        ports = free_ports(len(self.cluster.nodes))
        for (node_id, node), port in zip(self.cluster.nodes.items(), ports, strict=True):
            self.jmx_ports[node_id] = port
            node.heap_flags = (*node.heap_flags, *jmx_flags(port))

    def pause(self, node_id: int) -> None:
        """SIGSTOP; who stands still answers no question about beans."""
        self.paused.add(node_id)
        self.cluster.nodes[node_id].pause()

    def resume(self, node_id: int) -> None:
        """SIGCONT."""
        self.cluster.nodes[node_id].resume()
        self.paused.discard(node_id)

    def figures(self) -> Figures:
        """What the beans of the active controller and of the running brokers say, in our names.

        HelperFailed while there is no active controller.
        """
        cluster = self.cluster
        for node_id in cluster.controller_ports:
            found = self._raft(node_id)
            if found.get("current-leader") == node_id and found["current-state"] == "leader":
                return {**self._of_raft(found), **self._of_leader(node_id), **self._of_brokers()}
        raise HelperFailed("no controller is active")

    def _raft(self, node_id: int) -> dict[str, float | str]:
        if self.cluster.nodes[node_id].pid is None or node_id in self.paused:
            return {}
        return self.beans.read(self.jmx_ports[node_id], RAFT).get(RAFT, {})

    def _of_raft(self, found: Mapping[str, float | str]) -> Figures:
        return {
            f"kafka_server_raft_metrics_{name.replace('-', '_')}": float(found[name])
            for name in OF_RAFT
        }

    def _of_leader(self, node_id: int) -> Figures:
        port = self.jmx_ports[node_id]
        rows = self.beans.read(port, f"{CONTROLLER}*")
        figures = {
            f"kafka_controller_kafkacontroller_{name.lower()}": rows[f"{CONTROLLER}{name}"]["Value"]
            for name in OF_CONTROLLER
            if f"{CONTROLLER}{name}" in rows
        }
        states = self.beans.read(port, f"{CONTROLLER}BrokerRegistrationState,*")
        for bean, row in states.items():
            broker = bean.rpartition("broker=")[2]
            name = "kafka_controller_kafkacontroller_brokerregistrationstate"
            figures[f'{name}{{broker="{broker}"}}'] = row["Value"]
        loader = "kafka.server:type=MetadataLoader,name=CurrentMetadataVersion"
        level = self.beans.read(port, loader)[loader]["Value"]
        return {**figures, "kafka_server_metadataloader_currentmetadataversion": level}

    def _of_brokers(self) -> Figures:
        sums = dict.fromkeys(OF_BROKERS, 0.0)
        led: Figures = {}
        for broker_id in self.cluster.broker_ports:
            if self.cluster.nodes[broker_id].pid is None or broker_id in self.paused:
                continue
            rows = self.beans.read(self.jmx_ports[broker_id], f"{REPLICAS}*")
            if not rows.keys() >= {f"{REPLICAS}{name}" for name in (*OF_BROKERS, "LeaderCount")}:
                raise HelperFailed(f"broker {broker_id} starts or ends: its beans are not there")
            for name in OF_BROKERS:
                sums[name] += rows[f"{REPLICAS}{name}"]["Value"]
            if count := rows[f"{REPLICAS}LeaderCount"]["Value"]:
                led[f'kafka_server_replicamanager_leadercount{{broker="{broker_id}"}}'] = count
        names = {f"kafka_server_replicamanager_{k.lower()}": v for k, v in sums.items()}
        return {**names, **led}


def differences(ours: Figures, theirs: Figures) -> dict[str, tuple[float | None, float]]:
    """Figures that differ, as ours and theirs."""
    return {
        name: (ours.get(name), value) for name, value in theirs.items() if ours.get(name) != value
    }
