"""The two controllers: formatted alike, at rest by themselves, with rights in force."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random

from tools.differential.play import VERBS, Play, Verb
from tools.differential.side import TOKEN_SECRET, Side
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
    "delegation.token.secret.key": TOKEN_SECRET,
}
AT_ONCE = {"controller.quorum.append.linger.ms": "0"}


@contextmanager
def two_controllers(
    directory: Path,
    seed: int,
    *,
    release: str | None = None,
    verbs: Mapping[Verb, int] = VERBS,
    flags: Sequence[str] = (),
    more: Mapping[str, str] | None = None,
    properties: Mapping[str, str] | None = None,
) -> Iterator[Play]:
    """A play that has begun, between a controller of Kafka and one of ours.

    They are formatted as ``release`` would be, None for 4.3; ``verbs`` is how often each is asked.
    ``flags`` are of Kafka's JVM, ``properties`` of both nodes, ``more`` of ours alone.
    """
    options = () if release is None else ("--release-version", release)
    of_both = {**PROPERTIES, **(properties or {})}
    kafka = KafkaCluster(
        *(directory / "kafka", 1, 0),
        controller_properties=of_both | AT_ONCE,
        format_options=options,
    )
    for node in kafka.nodes.values():
        node.heap_flags = (*node.heap_flags, *flags)
    own = OwnNode(directory / "own", {**of_both, **(more or {})})
    own.format(*options)
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
            verbs,
        )
        play.begin()
        yield play
