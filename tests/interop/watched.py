"""A cluster of Apache Kafka, the exporter beside it, its beans, and a Prometheus with our alerts.

The alerts are those of `deploy/prometheus` with every duration made shorter by one factor, a minute
a second; nothing else of them differs.
"""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from attrs import define, field

from codegen.monitoring.expressions import JOB, Rendering
from codegen.monitoring.rules import rules_text
from metaquorum.base.errors import OperatorError
from metaquorum.testing.proxy import Passage, ProxyThread, Weather
from tests.interop.exporting import WatchedCluster, differences
from tools.kafka import JavaHelper, KafkaCluster
from tools.kafka.beans import BeanReader
from tools.kafka.helper import HelperFailed
from tools.kafka.ports import free_ports
from tools.own_exporter import Exporting, exporting
from tools.process import until
from tools.prometheus import Prometheus, program

WITHIN_S: Final = 90.0
POLL_S: Final = 0.2
SHORT: Final = Rendering(minute_ms=1_000)
CONTROLLERS: Final = (1, 2, 3)
# Offsets of two looks are the same, leaders stay where they are, and snapshots are written.
QUIET: Final = {
    "metadata.max.idle.interval.ms": "0",
    "auto.leader.rebalance.enable": "false",
    "metadata.log.max.record.bytes.between.snapshots": "2000",
}
MIN_TWO: Final = ("--config", "min.insync.replicas=2")
ELECTION: Final = "org.apache.kafka.tools.LeaderElectionCommand"
OF_BROKERS: Final = "kafka_server_replicamanager_"


@define(eq=False)
class Watched:
    """All of it, and the ways to change things; ``fronts`` stand before the controllers."""

    exporter: Exporting
    beans: WatchedCluster
    java: JavaHelper
    prometheus: Prometheus
    fronts: ProxyThread
    directory: Path
    since_s: float = field(factory=time.time)
    """When it was complete, as Unix time."""

    @property
    def cluster(self) -> KafkaCluster:
        return self.beans.cluster

    def tool(self, name: str, *arguments: str) -> str:
        """Run a tool of Kafka's against the brokers; its output."""
        done = self.java.tool(
            name, "--bootstrap-server", self.cluster.bootstrap_servers, *arguments
        )
        assert done.exit_code == 0, done.stdout + done.stderr
        return done.stdout

    def topic(self, name: str, assignment: str, *more: str) -> None:
        self.tool("topics", "--create", "--topic", name, "--replica-assignment", assignment, *more)

    def agrees(self, *, without: tuple[str, ...] = (), **expected: float) -> dict[str, float]:
        """Wait until all figures are Kafka's, and these, by the ends of their names; ours.

        ``without`` are beginnings of names that nobody who can be asked has whole.
        """
        seen: list[object] = []

        def look() -> dict[str, float] | None:
            try:
                theirs = self.beans.figures()
                ours = self.exporter.scrape()
            except (HelperFailed, OperatorError) as error:
                seen[:] = [error]
                return None
            wrong: dict[str, object] = {
                name: pair
                for name, pair in differences(ours, theirs).items()
                if not name.startswith(without)
            }
            for end, value in expected.items():
                found = [one for name, one in ours.items() if name.endswith(end)]
                if found != [value]:
                    wrong[end] = (found, value)
            seen[:] = [wrong]
            return ours if not wrong else None

        lines = self.exporter.lines
        return until(look, lambda: f"{seen}\n{lines.read_text()[-3000:]}", WITHIN_S, POLL_S)

    def mended(self) -> dict[str, float]:
        """Every node runs, nobody is missed, first replicas lead; ours."""
        for node_id, node in self.cluster.nodes.items():
            if node.pid is None:
                self.restart(node_id)
        self.agrees(fencedbrokercount=0, underreplicatedpartitions=0, voters_silent=0)
        self.elect_preferred()
        return self.agrees(preferredreplicaimbalancecount=0)

    def elect_preferred(self) -> None:
        self.tool(ELECTION, "--election-type", "preferred", "--all-topic-partitions")

    def restart(self, node_id: int) -> None:
        node = self.cluster.nodes[node_id]
        node.start()
        node.wait_ready()

    def leader(self) -> int:
        """Who leads, once everything is mended."""
        return int(self.mended()["kafka_server_raft_metrics_current_leader"])

    def other_voter(self, leader: int) -> int:
        return next(one for one in CONTROLLERS if one != leader)

    @contextmanager
    def paused(self, node_id: int) -> Iterator[None]:
        """It stands still inside."""
        self.beans.pause(node_id)
        try:
            yield
        finally:
            self.beans.resume(node_id)

    @contextmanager
    def without_metadata(self, broker_id: int) -> Iterator[None]:
        """A broker's fetches of the metadata log are held up inside; its heartbeats are not."""
        held = Weather(Passage.HELD, Passage.HELD)
        for node_id in CONTROLLERS:
            self.fronts.call(
                self.fronts.proxy.set_weather, f"raft-client-{broker_id}", str(node_id), held
            )
        try:
            yield
        finally:
            self.fronts.call(self.fronts.proxy.clear_weather)

    def fires(self, *alerts: str) -> None:
        """Wait until these fire."""
        until(
            lambda: set(alerts) <= self.prometheus.firing().keys(),
            lambda: f"{alerts} should fire: {self.prometheus.query('ALERTS')}",
            WITHIN_S,
            POLL_S,
        )

    @contextmanager
    def trouble(self, *alerts: str, also_may: tuple[str, ...] = ()) -> Iterator[None]:
        """What is done inside makes these alerts fire, and no other but those that also may."""
        with alerting(self.prometheus, *alerts, also_may=also_may):
            yield


def fired(prometheus: Prometheus, state: str, since_s: float) -> set[str]:
    """Names of the alerts that were in this state at some time since then."""
    window_ms = max(1, int((time.time() - since_s) * 1_000))
    rows = prometheus.query(
        f'max by (alertname) (max_over_time(ALERTS{{alertstate="{state}"}}[{window_ms}ms]))'
    )
    return {row.labels["alertname"] for row in rows}


@contextmanager
def alerting(
    prometheus: Prometheus,
    *alerts: str,
    from_calm: bool = True,
    also_may: tuple[str, ...] = (),
) -> Iterator[None]:
    """These fire after what is done inside, and no other; before it no alert is pending.

    Those that ``also_may`` fire do so where a step takes long on a busy machine.
    """
    expected = set(alerts)

    def calm() -> bool:
        return not prometheus.query("ALERTS")

    if from_calm:
        until(calm, lambda: f"still: {prometheus.query('ALERTS')}", WITHIN_S, POLL_S)
    began_s = time.time()
    yield
    seen: list[object] = []

    def settled() -> bool:
        """All fire, and nothing else may come to fire any more."""
        pending = {
            row.labels["alertname"] for row in prometheus.query('ALERTS{alertstate="pending"}')
        }
        fires = fired(prometheus, "firing", began_s) - set(also_may)
        seen[:] = [fires, pending]
        return fires - expected != set() or (
            expected <= fires and pending <= expected | set(also_may)
        )

    until(settled, lambda: f"{sorted(expected)} should fire: {seen}", WITHIN_S, POLL_S)
    names = fired(prometheus, "firing", began_s) - set(also_may)
    assert names == expected, f"{sorted(names)} fired, not {sorted(expected)}"
    for name, texts in prometheus.firing().items():
        told = " ".join(texts.values())
        assert "<error" not in told and "<no value>" not in told, (name, told)


@contextmanager
def watched_cluster(
    directory: Path,
    java: JavaHelper,
    *,
    properties: Mapping[str, str] | None = None,
    format_options: tuple[str, ...] = (),
) -> Iterator[Watched]:
    """Three controllers and three brokers with a topic, and everything that watches them."""
    with ExitStack() as stack:
        fronts = stack.enter_context(ProxyThread().running())
        advertised = dict(zip(CONTROLLERS, free_ports(len(CONTROLLERS)), strict=True))
        cluster = KafkaCluster(
            directory,
            brokers=3,
            controller_properties={**QUIET, **(properties or {})},
            advertised_controller_ports=advertised,
            format_tool=java.tool,
            format_options=format_options,
        )
        for node_id, port in cluster.controller_ports.items():
            fronts.open_listener(str(node_id), advertised[node_id], port)
        beans = WatchedCluster(cluster, stack.enter_context(BeanReader()))
        stack.enter_context(cluster)
        options = ("--interval-ms", "500", "--per-topic")
        exporter = stack.enter_context(
            exporting(directory, cluster.bootstrap_controllers, *options)
        )
        prometheus = stack.enter_context(watching(directory, exporter.url))
        one = Watched(exporter, beans, java, prometheus, fronts, directory)
        one.topic("three", "101:102:103,102:103:101,103:101:102", *MIN_TWO)
        yield one


@contextmanager
def watching(directory: Path, url: str) -> Iterator[Prometheus]:
    """A Prometheus that scrapes this exporter, with the shortened rules; it has begun inside."""
    place = url.removeprefix("http://").removesuffix("/metrics")
    targets = {JOB: [place]}
    with Prometheus(directory / "prometheus", targets, rules_text(SHORT)) as prometheus:

        def has_begun() -> bool:
            """Before its first scrape no exporter is there, as far as the rules can tell."""
            down = prometheus.query('ALERTS{alertname="MetaquorumExporterDown"}')
            return bool(prometheus.query("up == 1")) and not down

        until(has_begun, lambda: str(prometheus.ask("targets")), WITHIN_S, POLL_S)
        yield prometheus


@contextmanager
def slow_disk(pid: int, sync_ms: int) -> Iterator[None]:
    """Each sync of a process takes so much longer: strace holds up its fsync and fdatasync."""
    calls = "fsync,fdatasync"
    tracer = subprocess.Popen(
        [
            *(program("strace"), "-f", "-q", "-p", str(pid), "-o", "/dev/null"),
            *("-e", f"trace={calls}", "-e", f"inject={calls}:delay_enter={sync_ms * 1_000}"),
        ],
        stdin=subprocess.DEVNULL,
    )
    try:
        yield
    finally:
        tracer.terminate()
        tracer.wait()


@contextmanager
def meanwhile(work: Callable[[], object], every_s: float) -> Iterator[None]:
    """``work`` is done again and again while the block runs."""
    done = threading.Event()

    def run() -> None:
        while not done.wait(every_s):
            work()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
