"""An unmodified broker on our controllers: it starts, stops in order, is killed and comes back."""

from __future__ import annotations

from pathlib import Path

from metaquorum.metadata.tables.nodes import Broker
from tests.interop.directory_states import replayed
from tools.kafka import JavaHelper
from tools.kafka.broker import broker_on
from tools.own_cluster import OwnCluster
from tools.own_node import OwnNode
from tools.process import until

BROKER = 100
SESSION_MS = "6000"  # three heartbeats: a busy machine fences nobody, and the test need not wait


def registered(node: OwnNode, broker_id: int = BROKER) -> Broker | None:
    """The broker's registration as the log of a controller says."""
    return replayed(node.metadata_directory).live().brokers.get(broker_id)


def is_fenced(node: OwnNode, broker_id: int = BROKER) -> bool:
    """Whether the broker is registered and fenced."""
    broker = registered(node, broker_id)
    return broker is not None and broker.fenced


def unfenced(node: OwnNode) -> Broker | None:
    """The broker's registration once it is not fenced."""
    broker = registered(node)
    return None if broker is None or broker.fenced else broker


def test_broker_starts_stops_restarts_is_killed_and_comes_back(
    tmp_path: Path, java: JavaHelper
) -> None:
    with OwnNode(tmp_path / "own", {"broker.session.timeout.ms": SESSION_MS}) as node:
        broker = broker_on(
            tmp_path / "broker", node.bootstrap_controller, node.cluster_id, java.tool, BROKER
        )
        with broker:
            first = registered(node)
            assert first is not None and not first.fenced and first.cordoned_log_dirs == ()
            assert broker.stop() == 143
            stopped = registered(node)
            assert stopped is not None and stopped.fenced
            broker.bring_up()
            second = registered(node)
            assert second is not None and not second.fenced and second.epoch > first.epoch
            broker.kill()
            until(lambda: is_fenced(node), "the killed broker is not fenced")
            broker.bring_up()
            third = registered(node)
            assert third is not None and not third.fenced and third.epoch > second.epoch


def test_fail_over_of_the_controllers_fences_no_broker(tmp_path: Path, java: JavaHelper) -> None:
    with OwnCluster(
        tmp_path / "own", properties={"broker.session.timeout.ms": SESSION_MS}
    ) as cluster:
        cluster_id = next(iter(cluster.nodes.values())).cluster_id
        controllers = cluster.bootstrap_controllers
        with broker_on(tmp_path / "broker", controllers, cluster_id, java.tool, BROKER):
            leading = cluster.nodes[cluster.wait_led()]
            before = until(lambda: unfenced(leading))  # the other two may have committed it first
            killed = cluster.wait_led()
            cluster.nodes[killed].kill()
            others = [one for one in cluster.nodes if one != killed]
            leader = cluster.nodes[cluster.wait_led(others)]
            ends = replayed(leader.metadata_directory).end_offset + 20  # NoOps: ten seconds
            until(lambda: replayed(leader.metadata_directory).end_offset >= ends)
            after = registered(leader)
            assert after == before
            assert after.origin == before.origin, "nothing was written about the broker"
