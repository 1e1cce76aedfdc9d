"""The two controllers: formatted alike, at rest by themselves, with rights in force."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from tools.differential.play import Play
from tools.differential.side import Side
from tools.kafka.cluster import KafkaCluster
from tools.own_node import OwnNode

LONG_MS = str(24 * 3_600_000)
PROPERTIES = {
    "metadata.max.idle.interval.ms": "0",
    "broker.session.timeout.ms": LONG_MS,
    "auto.leader.rebalance.enable": "false",
    "unclean.leader.election.interval.ms": LONG_MS,
    "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    "super.users": "User:ANONYMOUS",
}
AT_ONCE = {"controller.quorum.append.linger.ms": "0"}


@contextmanager
def two_controllers(directory: Path, seed: int) -> Iterator[Play]:
    """A play that has begun, between a controller of Kafka and one of ours."""
    kafka = KafkaCluster(
        directory / "kafka", controllers=1, brokers=0, controller_properties=PROPERTIES | AT_ONCE
    )
    own = OwnNode(directory / "own", PROPERTIES)
    with kafka, own:

        def restart() -> None:
            kafka.stop()
            own.stop()
            kafka.start()
            own.start()
            own.wait_ready()

        play = Play(
            Side("Kafka", kafka.controller_ports[1], kafka.cluster_id),
            Side("ours", own.controller_port, own.cluster_id),
            Random(seed),
            restart,
        )
        play.begin()
        yield play
