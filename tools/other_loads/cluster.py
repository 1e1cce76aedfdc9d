"""Three brokers of Kafka's on three controllers, ours or Kafka's own, and what their logs say."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from attrs import define, field

from metaquorum.base.errors import PeerError
from metaquorum.client.connection import ConnectionFailed
from tools.chaos.judge import error_lines
from tools.kafka import JavaHelper, KafkaCluster, KafkaNode
from tools.kafka.broker import address_of, broker_on
from tools.kafka.log_errors import KafkasOwn, kafkas_faults
from tools.kafka.ports import LOOPBACK
from tools.kafka_tests.launcher import KAFKA, OURS
from tools.own_cluster import OwnCluster
from tools.process import ServerFailed, ServerProcess, until
from tools.quorum_state import describe_leader

SIDES: Final = (OURS, KAFKA)
FIRST_BROKER_ID: Final = 1
FIRST_CONTROLLER_ID: Final = 3001  # so that brokers are 1, 2, 3, as some suites want them
PARTITIONS: Final = 6
REPLICAS: Final = 3
LEAD_WITHIN_S: Final = 60.0
BROKER_ROWS: Final = {
    "offsets.topic.num.partitions": "3",
    "transaction.state.log.num.partitions": "3",
    "share.coordinator.state.topic.num.partitions": "3",
    "min.insync.replicas": "2",
    "group.initial.rebalance.delay.ms": "0",
    "controller.quorum.request.timeout.ms": "2000",
}


@define(eq=False)
class LoadCluster:
    """As a context manager: started and ready inside, killed afterwards; logs are kept.

    ``on`` is whose controllers are under the brokers, one of SIDES. ``rows`` are more properties of
    a broker by its number, from 0 on; its first listener is the one for clients.
    """

    directory: Path
    java: JavaHelper
    on: str = OURS
    count: int = 3
    rows: Callable[[int], Mapping[str, str]] = lambda _: {}
    controllers: OwnCluster | KafkaCluster = field(init=False)
    brokers: dict[int, KafkaNode] = field(factory=dict, init=False)
    _stack: contextlib.ExitStack = field(factory=contextlib.ExitStack, init=False)

    @property
    def servers(self) -> str:
        """What ``--bootstrap-server`` takes."""
        return ",".join(address_of(one).partition(",")[0] for one in self.brokers.values())

    @property
    def processes(self) -> dict[str, ServerProcess]:
        """Every process by the name that Trogdor and reports call it."""
        controllers = {f"controller-{i}": node for i, node in self.controllers.nodes.items()}
        return {**controllers, **{f"broker-{i}": node for i, node in self.brokers.items()}}

    def __enter__(self) -> LoadCluster:
        with contextlib.ExitStack() as stack:
            self._start_controllers(stack)
            self._start_brokers(stack)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *failure: object) -> None:
        self._stack.close()

    def _start_controllers(self, stack: contextlib.ExitStack) -> None:
        where = self.directory / "controllers"
        self.controllers = (
            OwnCluster(where, first_id=FIRST_CONTROLLER_ID)
            if self.on == OURS
            else KafkaCluster(
                where, brokers=0, first_id=FIRST_CONTROLLER_ID, format_tool=self.java.tool
            )
        )
        stack.callback(self.controllers.kill)
        self.controllers.bring_up()

    def _start_brokers(self, stack: contextlib.ExitStack) -> None:
        for number in range(self.count):
            one = FIRST_BROKER_ID + number
            self.brokers[one] = broker_on(
                self.directory / f"broker-{one}",
                self.controllers.bootstrap_controllers,
                self._cluster_id(),
                self.java.tool,
                one,
                {**BROKER_ROWS, **self.rows(number)},
            )
            stack.callback(self.brokers[one].kill)
            self.brokers[one].start()
        for broker in self.brokers.values():
            broker.wait_ready()

    def _cluster_id(self) -> str:
        if isinstance(self.controllers, KafkaCluster):
            return self.controllers.cluster_id
        return next(iter(self.controllers.nodes.values())).cluster_id

    def create(self, topic: str, partitions: int = PARTITIONS) -> None:
        """A topic of three replicas. ServerFailed when it cannot be made."""
        words = ("--bootstrap-server", self.servers, "--create", "--topic", topic)
        made = self.java.tool(
            "topics",
            *words,
            *("--partitions", str(partitions), "--replication-factor", str(REPLICAS)),
        )
        if made.exit_code != 0:
            raise ServerFailed(f"kafka-topics.sh: {made.stdout}{made.stderr}")

    def active(self, among: Callable[[int], bool] = lambda _: True) -> int:
        """Who is the active controller; waits for one. ServerFailed when none is in time."""
        return until(lambda: self._active(among), "nobody leads", LEAD_WITHIN_S)

    def _active(self, among: Callable[[int], bool]) -> int | None:
        for one, port in self.controllers.controller_ports.items():
            if self.controllers.nodes[one].pid is not None and among(one):
                with contextlib.suppress(ConnectionFailed, PeerError):
                    if describe_leader(LOOPBACK, port) == one:
                        return one
        return None

    def stop(self) -> None:
        """In order, brokers first, so that the logs tell of an orderly end."""
        with ThreadPoolExecutor() as threads:
            list(threads.map(KafkaNode.stop, self.brokers.values()))
        self.controllers.stop()

    def ended(self) -> Iterator[str]:
        """Processes that ended by themselves."""
        for name, process in self.processes.items():
            if process.pid is None:
                yield f"{name} has ended: {process.log_tail(3)}"

    def logged(
        self, *, of_brokers: bool = True, excused: Sequence[KafkasOwn] = ()
    ) -> Iterator[str]:
        """Errors that our controllers logged, and brokers if they are asked, in all their lives.

        Kafka's own controllers log errors of their own whenever one of them is killed.
        """
        if self.on == OURS:
            for one, node in self.controllers.nodes.items():
                for life in node.log_files:
                    yield from (f"controller-{one} logged: {line}" for line in error_lines(life))
        for one, broker in self.brokers.items() if of_brokers else ():
            for life in broker.log_files:
                lines = life.read_text(errors="replace").splitlines()
                yield from (
                    f"broker-{one} logged: {line}" for line in kafkas_faults(lines, excused)
                )


@define(eq=False)
class FailOvers:
    """Inside ``with``, the active controller is killed every ``each_s`` and started again."""

    cluster: LoadCluster
    each_s: float
    times: int = field(default=0, init=False)
    failure: str = field(default="", init=False)
    _over: threading.Event = field(factory=threading.Event, init=False)
    _thread: threading.Thread = field(init=False)

    def __enter__(self) -> FailOvers:
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *failure: object) -> None:
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._over.wait(self.each_s):
            try:
                fail_over(self.cluster)
            except ServerFailed as why:
                self.failure = str(why)
                return
            self.times += 1


def fail_over(cluster: LoadCluster) -> None:
    """Kill the active controller, wait for another one, and start the first again.

    ServerFailed when no other one leads in time; the first is started all the same.
    """
    old = cluster.active()
    node = cluster.controllers.nodes[old]
    node.kill()
    try:
        cluster.active(lambda one: one != old)
    finally:
        node.start()
