"""``metaquorum exporter`` beside one controller of Apache Kafka, and what keeps it from seeing it.

Its alerts fire in the trouble that they are for, and no other does.
"""

from __future__ import annotations

import itertools
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from attrs import define

from metaquorum.cli.target import security_of
from metaquorum.testing.proxy import ProxyThread
from tests.interop.watched import WITHIN_S, alerting, meanwhile, watching
from tools.kafka import JavaHelper, KafkaCluster
from tools.kafka.ports import LOOPBACK, free_ports
from tools.own_exporter import Exporting, exporting
from tools.process import until
from tools.prometheus import Prometheus
from tools.quota_writer import put_rates

PLAIN = "org.apache.kafka.common.security.plain.PlainLoginModule"
USERS = f'{PLAIN} required username="admin" password="s3cret" user_admin="s3cret";'
GUARDED = {
    "listener.security.protocol.map": "CONTROLLER:SASL_PLAINTEXT",
    "sasl.mechanism.controller.protocol": "PLAIN",
    "sasl.enabled.mechanisms": "PLAIN",
    "listener.name.controller.plain.sasl.jaas.config": USERS,
    "metadata.log.max.snapshot.interval.ms": "5000",
}


ANEW = 'metaquorum_exporter_log_begun_anew_total{why="another-cluster"}'


@define(eq=False)
class Alone:
    """A controller whose clients log in, the exporter beside it, and what alerts."""

    cluster: KafkaCluster
    exporter: Exporting
    prometheus: Prometheus
    front: ProxyThread
    shown: int
    login: Path
    java: JavaHelper


def write_login(path: Path, password: str) -> None:
    path.write_text(
        "security.protocol=SASL_PLAINTEXT\nsasl.mechanism=PLAIN\n"
        f'sasl.jaas.config={PLAIN} required username="admin" password="{password}";\n'
    )


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory, java: JavaHelper) -> Iterator[Alone]:
    directory = tmp_path_factory.mktemp("alone")
    login = directory / "login.properties"
    write_login(login, "s3cret")
    with ExitStack() as stack:
        front = stack.enter_context(ProxyThread().running())
        (shown,) = free_ports(1)
        cluster = _cluster(directory, shown, java)
        front.open_listener("1", shown, cluster.controller_ports[1])
        stack.enter_context(cluster)
        options = ("--interval-ms", "500", "--command-config", str(login))
        exporter = stack.enter_context(
            exporting(directory, cluster.bootstrap_controllers, *options)
        )
        prometheus = stack.enter_context(watching(directory, exporter.url))
        yield Alone(cluster, exporter, prometheus, front, shown, login, java)


def _cluster(directory: Path, shown: int, java: JavaHelper) -> KafkaCluster:
    """One controller that clients reach at ``shown``."""
    return KafkaCluster(
        directory,
        controllers=1,
        brokers=0,
        controller_properties=GUARDED,
        advertised_controller_ports={1: shown},
        format_tool=java.tool,
    )


def works_again(alone: Alone) -> None:
    up = 'metaquorum_exporter_source_up{source="quorum"}'
    until(lambda: alone.exporter.scrape()[up] == 1, within_s=WITHIN_S)


def test_an_exporter_out_of_reach_of_all_controllers_is_blind(alone: Alone) -> None:
    with alerting(alone.prometheus, "MetaquorumExporterBlind"):
        alone.front.call(alone.front.proxy.close_listener, "1")
    alone.front.wait_for(alone.front.proxy.reopen_listener, "1")
    works_again(alone)


def test_an_exporter_whose_login_is_not_taken_is_refused(alone: Alone, tmp_path: Path) -> None:
    login = tmp_path / "login.properties"
    write_login(login, "wr0ng")
    options = ("--interval-ms", "500", "--command-config", str(login))
    servers = alone.cluster.bootstrap_controllers
    with (
        exporting(tmp_path, servers, *options, becomes_ready=False) as exporter,
        watching(tmp_path, exporter.url) as prometheus,
    ):
        with alerting(prometheus, "MetaquorumExporterRefused", from_calm=False):
            pass
        write_login(login, "s3cret")
        until(exporter.is_ready, within_s=WITHIN_S)


def test_an_exporter_that_does_not_answer_is_down(alone: Alone) -> None:
    with alerting(alone.prometheus, "MetaquorumExporterDown"):
        alone.exporter.process.send_signal(signal.SIGSTOP)
        until(lambda: "MetaquorumExporterDown" in alone.prometheus.firing(), within_s=WITHIN_S)
        alone.exporter.process.send_signal(signal.SIGCONT)


def test_a_cluster_that_was_formed_anew_is_told(alone: Alone, tmp_path: Path) -> None:
    """Another one answers at the same address, at once: the time of its start is no part of it."""
    proxy = alone.front.proxy
    other = _cluster(tmp_path, alone.shown, alone.java)
    with other:
        with alerting(alone.prometheus, "KafkaClusterFormedAnew"):
            alone.front.call(proxy.close_listener, "1")
            alone.front.open_listener("2", alone.shown, other.controller_ports[1])
            works_again(alone)
            said = alone.exporter.lines
            until(
                lambda: alone.exporter.scrape()[ANEW] == 1,
                lambda: said.read_text()[-3_000:],
                WITHIN_S,
            )
        alone.front.call(proxy.close_listener, "2")
    alone.front.wait_for(proxy.reopen_listener, "1")


@pytest.mark.soak
@pytest.mark.timeout(400)
def test_a_client_that_writes_without_end_makes_the_log_grow(alone: Alone) -> None:
    rates = itertools.count(1)
    users = [f"user-{number:04}-{'x' * 200}" for number in range(100)]
    security = security_of(str(alone.login))
    with security.open(LOOPBACK, alone.cluster.controller_ports[1]) as connection:
        with alerting(alone.prometheus, "KafkaQuorumLogGrows"):
            with meanwhile(lambda: put_rates(connection, users, float(next(rates))), 0.2):
                until(
                    lambda: "KafkaQuorumLogGrows" in alone.prometheus.firing(),
                    within_s=WITHIN_S,
                )


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_a_controller_that_writes_no_snapshots_is_told(alone: Alone) -> None:
    """It restarts with an interval of a day; records without an effect go on being written."""
    node = alone.cluster.nodes[1]
    node.stop()
    node.properties = {**node.properties, "metadata.log.max.snapshot.interval.ms": "86400000"}
    node.write_config()
    node.start()
    node.wait_ready()
    works_again(alone)
    with alerting(alone.prometheus, "KafkaQuorumSnapshotTooOld"):
        until(lambda: "KafkaQuorumSnapshotTooOld" in alone.prometheus.firing(), within_s=400.0)
