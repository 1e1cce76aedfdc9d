"""Three brokers of Kafka on controllers that are given, with clients at work, and their judges.

Replication 3, min.insync.replicas=2; an idempotent producer with acks=all and a group of two on one
topic, a transactional producer on another.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

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
from tools.process import until
from tools.transactions import TransactionalClient

BROKERS = (101, 102, 103)
TOPIC, IN_TRANSACTIONS = "orders", "payments"
PARTITIONS = 6
READ_WITHIN_S = 120.0
FENCED = 1
MORE = {
    "offsets.topic.num.partitions": "3",
    "transaction.state.log.num.partitions": "3",
    "group.initial.rebalance.delay.ms": "0",
    "controller.quorum.request.timeout.ms": "2000",
}


@define(eq=False)
class BrokersUnderLoad:
    """As a context manager: started, topics made and clients at work inside, killed afterwards.

    ``controllers`` is what the brokers' ``controller.quorum.bootstrap.servers`` says.
    """

    directory: Path
    controllers: str
    cluster_id: str
    java: JavaHelper
    more: Mapping[str, str] = field(factory=dict)
    brokers: dict[int, KafkaNode] = field(factory=dict, init=False)
    delivery: Delivery = field(factory=Delivery, init=False)
    clients: Clients = field(init=False)
    transactions: TransactionalClient = field(init=False)
    _stack: contextlib.ExitStack = field(factory=contextlib.ExitStack, init=False)

    def __enter__(self) -> BrokersUnderLoad:
        with contextlib.ExitStack() as stack:
            self._start_brokers(stack)
            servers = [address_of(one) for one in self.brokers.values()]
            for topic in (TOPIC, IN_TRANSACTIONS):
                self._create(servers[0], topic)
            self.transactions = TransactionalClient(servers, IN_TRANSACTIONS, PARTITIONS)
            stack.callback(self.transactions.stop)
            self.transactions.start()
            self.clients = Clients(servers, TOPIC, "readers", self.delivery)
            stack.callback(self.clients.stop)
            self.clients.start()
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *failure: object) -> None:
        self._stack.close()

    def _start_brokers(self, stack: contextlib.ExitStack) -> None:
        for one in BROKERS:
            where = self.directory / f"broker-{one}"
            self.brokers[one] = broker_on(
                *(where, self.controllers, self.cluster_id, self.java.tool, one),
                {**MORE, **self.more},
            )
            stack.callback(self.brokers[one].kill)
            self.brokers[one].start()
        for broker in self.brokers.values():
            broker.wait_ready()

    def _create(self, server: str, topic: str) -> None:
        made = self.java.tool(
            *("topics", "--bootstrap-server", server, "--create", "--topic", topic),
            *("--partitions", str(PARTITIONS), "--replication-factor", "3"),
            *("--config", "min.insync.replicas=2"),
        )
        assert made.exit_code == 0, made.stdout + made.stderr

    def judge(
        self,
        done: Sequence[str] = (),
        excused: Callable[[int, str], bool] = lambda broker_id, line: False,
    ) -> None:
        """Stop to write and fail where a record is lost, doubled or half of a transaction, or a
        broker logged an error that is not ``excused``; ``done`` says what was done to the cluster.
        """
        told = "\n".join(done)
        self.clients.stop_producer()
        self.transactions.stop()
        until(
            lambda: not self.delivery.lost(),
            lambda: f"lost {sorted(self.delivery.lost())}\n{told}",
            READ_WITHIN_S,
        )
        assert not self.delivery.doubled(), told
        assert self.transactions.read_all(READ_WITHIN_S) == [], told
        for broker_id, broker in self.brokers.items():
            for life in broker.log_files:
                found = kafkas_faults(life.read_text().splitlines())
                assert [one for one in found if not excused(broker_id, one)] == [], told


def fenced(controller_ports: Sequence[int]) -> Iterator[tuple[int, float]]:
    """Each broker that the log fences, and when, in seconds since 1970."""
    with contextlib.closing(MetadataLogReader([(LOOPBACK, p) for p in controller_ports])) as reader:
        for one in reader.records():
            if one.control or one.value is None:
                continue
            message = decode_metadata_record(one.value).message
            if isinstance(message, BrokerRegistrationChangeRecord) and message.fenced == FENCED:
                yield message.broker_id, one.timestamp_ms / 1_000
