"""Kafka's brokers on our controllers while processes of both are killed and paused at random.

Three of each, replication 3, min.insync.replicas=2, an idempotent producer with acks=all, a
transactional one, a group of two. At most one controller and one broker are out at a time. What was
acknowledged must be read, nothing may stand in the log twice, transactions are read whole or not at
all, no broker is fenced that was not itself killed or paused, and none logs an error.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from attrs import define, field

from metaquorum.client.metadata_log import MetadataLogReader
from metaquorum.records.metadata_record import decode_metadata_record
from metaquorum.wire.generated.records.broker_registration_change_record import (
    BrokerRegistrationChangeRecord,
)
from tools.delivery import Clients, Delivery
from tools.kafka import JavaHelper, KafkaNode
from tools.kafka.broker import address_of, broker_on
from tools.kafka.log_errors import kafkas_faults
from tools.kafka.ports import LOOPBACK
from tools.own_cluster import OwnCluster
from tools.own_node import OwnNode
from tools.process import ServerProcess, until
from tools.transactions import Outcome, TransactionalClient

BROKERS = (101, 102, 103)
TOPIC, IN_TRANSACTIONS = "orders", "payments"
PARTITIONS = 6
SESSION_S = 9.0
SHORT_S = 40.0
LONG_S = float(os.environ.get("METAQUORUM_FAULTS_S", "300"))
LONG_RUNS = 10
PAUSES_S = (0.5, 1.0, 3.0, 6.0, 12.0)
OUT_S = (0.5, 1.0, 3.0, 6.0)
MARGIN_S = 2.0  # between what happened to a broker and the record of it
READ_WITHIN_S = 120.0
MORE = {
    "offsets.topic.num.partitions": "3",
    "transaction.state.log.num.partitions": "3",
    "group.initial.rebalance.delay.ms": "0",
    "controller.quorum.request.timeout.ms": "2000",
}


@define
class Faults:
    """Kills and pauses one process of each kind at a time, and remembers when each was out."""

    random: Random
    controllers: dict[int, OwnNode]
    brokers: dict[int, KafkaNode]
    out: list[tuple[int, float, float]] = field(factory=list)
    done: list[str] = field(factory=list)

    def run(self, length_s: float) -> None:
        ends = time.monotonic() + length_s
        while time.monotonic() < ends:
            nodes: dict[int, ServerProcess] = {
                **(self.controllers if self.random.random() < 0.5 else self.brokers)
            }
            node_id = self.random.choice(sorted(nodes))
            self.hurt(node_id, nodes[node_id])
            time.sleep(self.random.uniform(0.5, 3.0))

    def hurt(self, node_id: int, node: ServerProcess) -> None:
        since = time.time()
        if self.random.random() < 0.5:
            out_s = self.random.choice(OUT_S)
            self.done.append(f"{since:.1f} kill -9 {node_id} for {out_s} s")
            node.kill()
            time.sleep(out_s)
            node.start()
        else:
            out_s = self.random.choice(PAUSES_S)
            self.done.append(f"{since:.1f} pause {node_id} for {out_s} s")
            node.pause()
            time.sleep(out_s)
            node.resume()
        if node_id in self.brokers:
            if isinstance(node, KafkaNode):
                node.wait_ready()
            self.out.append((node_id, since, time.time()))
        else:
            until(lambda: is_led(self.controllers), "no controller is active")


def is_led(controllers: dict[int, OwnNode]) -> bool:
    return any(one.leads() for one in controllers.values() if one.pid is not None)


def fenced(controllers: dict[int, OwnNode]) -> Iterator[tuple[int, float]]:
    """Each broker that the log fences, and when."""
    places = [(LOOPBACK, one.controller_port) for one in controllers.values()]
    with contextlib.closing(MetadataLogReader(places)) as reader:
        for one in reader.records():
            if one.control or one.value is None:
                continue
            message = decode_metadata_record(one.value).message
            if isinstance(message, BrokerRegistrationChangeRecord) and message.fenced == 1:
                yield message.broker_id, one.timestamp_ms / 1_000


def under_faults(directory: Path, java: JavaHelper, seed: int, length_s: float) -> None:
    with contextlib.ExitStack() as stack:
        controllers = stack.enter_context(OwnCluster(directory / "controllers"))
        cluster_id = controllers.nodes[1].cluster_id
        brokers = {}
        for one in BROKERS:
            where = directory / f"broker-{one}"
            brokers[one] = broker_on(
                *(where, controllers.bootstrap_controllers, cluster_id, java.tool, one, MORE)
            )
            stack.callback(brokers[one].kill)
            brokers[one].start()
        for broker in brokers.values():
            broker.wait_ready()
        servers = [address_of(one) for one in brokers.values()]
        for topic in (TOPIC, IN_TRANSACTIONS):
            made = java.tool(
                *("topics", "--bootstrap-server", servers[0], "--create", "--topic", topic),
                *("--partitions", str(PARTITIONS), "--replication-factor", "3"),
                *("--config", "min.insync.replicas=2"),
            )
            assert made.exit_code == 0, made.stdout + made.stderr
        transactions = TransactionalClient(servers, IN_TRANSACTIONS, PARTITIONS)
        stack.callback(transactions.stop)
        transactions.start()
        delivery = Delivery()
        clients = Clients(servers, TOPIC, "readers", delivery)
        stack.callback(clients.stop)
        clients.start()
        faults = Faults(Random(seed), controllers.nodes, brokers)
        faults.run(length_s)
        clients.stop_producer()
        transactions.stop()
        until(
            lambda: not delivery.lost(),
            lambda: f"lost {sorted(delivery.lost())}\n" + "\n".join(faults.done),
            READ_WITHIN_S,
        )
        assert len(delivery.acknowledged) > length_s
        assert not delivery.doubled(), faults.done
        assert transactions.read_all(READ_WITHIN_S) == [], faults.done
        assert transactions.book.count(Outcome.COMMITTED) > length_s / 5
        for broker in brokers.values():
            assert kafkas_faults(broker.log_file.read_text().splitlines()) == []
        for broker_id, at_s in fenced(controllers.nodes):
            assert any(
                one == broker_id and since <= at_s <= until_s + MARGIN_S
                for one, since, until_s in faults.out
            ), f"broker {broker_id} fenced at {at_s:.1f}\n" + "\n".join(faults.done)


@pytest.mark.timeout(400)
def test_no_record_is_lost_while_processes_are_killed(tmp_path: Path, java: JavaHelper) -> None:
    under_faults(tmp_path, java, 1, SHORT_S)


@pytest.mark.soak
@pytest.mark.timeout(LONG_S + 600)
@pytest.mark.parametrize("seed", range(LONG_RUNS))
def test_no_record_is_lost_in_minutes_of_faults(
    tmp_path: Path, java: JavaHelper, seed: int
) -> None:
    under_faults(tmp_path, java, seed, LONG_S)
