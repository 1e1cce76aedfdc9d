"""sarama's functional tests: five brokers that its clients reach through toxiproxy.

The tests look for brokers at fixed ports, and cut and slow the ways to them by toxiproxy's HTTP
interface. Brokers talk to each other past it, as in sarama's own environment.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from typing import Final

from tools.kafka import KAFKA_VERSION
from tools.kafka.ports import LOOPBACK, free_ports, wait_listening
from tools.kafka_tests.launcher import Outcome
from tools.other_loads.go_suites import (
    GoModule,
    Listening,
    compiled_tests,
    functions_that_name,
    installed,
    run_tests,
)
from tools.other_loads.load import Task
from tools.other_loads.suites import Suite
from tools.process import ServerFailed

MODULE: Final = GoModule("github.com/IBM/sarama", "v1.61.1", tags="functional")
TOXIPROXY: Final = GoModule("github.com/Shopify/toxiproxy/v2", "v2.5.0")
FOR_A_CLUSTER: Final = ("//go:build functional\n",)
# Two functions that stop and start brokers by Docker, past the choice of an environment.
BY_DOCKER: Final = ("DockerTestBroker(",)
FIRST_PORT: Final = 29_091
BROKERS: Final = 5
LISTENS_WITHIN_S: Final = 30.0
ASK_TIMEOUT_S: Final = 10.0


def rows(number: int) -> Mapping[str, str]:
    """The properties of broker ``number``, from 0: those of sarama's own environment."""
    clients, between = free_ports(2)
    return {
        "listeners": f"PLAINTEXT://{LOOPBACK}:{clients},BETWEEN://{LOOPBACK}:{between}",
        "advertised.listeners": (
            f"PLAINTEXT://{LOOPBACK}:{FIRST_PORT + number},BETWEEN://{LOOPBACK}:{between}"
        ),
        "listener.security.protocol.map": (
            "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,BETWEEN:PLAINTEXT"
        ),
        "inter.broker.listener.name": "BETWEEN",
        "default.replication.factor": "2",
        "offsets.topic.replication.factor": "2",
        "transaction.state.log.replication.factor": "2",
        "min.insync.replicas": "1",
        "transaction.state.log.min.isr": "1",
        "replica.selector.class": "org.apache.kafka.common.replica.RackAwareReplicaSelector",
        "broker.rack": str(number + 1),
        "auto.create.topics.enable": "false",
    }


def outcomes(task: Task) -> dict[str, Outcome]:
    """Run them against toxiproxy, in an environment that is there already, as they call it."""
    tests = compiled_tests(MODULE)
    names = task.tests or functions_that_name(
        tests.directory, FOR_A_CLUSTER, whole_files=True, without=BY_DOCKER
    )
    with _toxiproxy(task) as address:
        environment = {"TOXIPROXY_ADDR": address, "KAFKA_VERSION": KAFKA_VERSION}
        how = Listening((), environment, task.seconds)
        return run_tests(SUITE.name, tests, names, how, task.logs / "sarama.log")


@contextlib.contextmanager
def _toxiproxy(task: Task) -> Iterator[str]:
    """A toxiproxy with a way to each broker under the name that sarama's tests know."""
    (port,) = free_ports(1)
    program = installed(TOXIPROXY, "cmd/server")
    with (task.logs / "toxiproxy.log").open("wb") as log:
        process = subprocess.Popen(
            [str(program), "-host", LOOPBACK, "-port", str(port)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    address = f"http://{LOOPBACK}:{port}"
    try:
        wait_listening(port, LISTENS_WITHIN_S)
        for number, upstream in enumerate(task.cluster.servers.split(",")):
            listen = f"{LOOPBACK}:{FIRST_PORT + number}"
            _proxy(address, {"name": f"kafka{number + 1}", "listen": listen, "upstream": upstream})
        yield address
    finally:
        process.kill()
        process.wait()


def _proxy(address: str, row: Mapping[str, str]) -> None:
    request = urllib.request.Request(
        f"{address}/proxies", json.dumps(row).encode(), {"Content-Type": "application/json"}
    )
    try:
        urllib.request.urlopen(request, timeout=ASK_TIMEOUT_S).close()
    except urllib.error.HTTPError as why:
        raise ServerFailed(f"toxiproxy at {row['listen']}: {why.read(2_000)!r}") from None


SUITE: Final = Suite(
    "sarama",
    f"the functional tests of {MODULE.path} {MODULE.version}, through toxiproxy",
    outcomes,
    1_800.0,
    BROKERS,
    rows,
)
