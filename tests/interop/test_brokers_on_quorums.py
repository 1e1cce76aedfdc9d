"""Brokers of every release live on quorums of three: ours alone, and ours with Kafka's beside them.

They serve while the active controller is killed, stop in order, are killed and come back.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from metaquorum.metadata.tables.nodes import Broker
from tests.interop.test_broker_life import BROKER, SESSION_MS
from tests.interop.test_brokers_of_other_releases import ONE_REPLICA, serve
from tools.differential.followed_log import FollowedLog
from tools.kafka import JavaHelper
from tools.kafka.broker import address_of, broker_on
from tools.kafka.log_errors import kafkas_faults
from tools.mixed.node import KAFKA, KAFKA_3, OURS, Kind
from tools.mixed.quorum import MixedQuorum
from tools.process import until

NEWEST = "4.4.0"
OURS_ALONE = (OURS, OURS, OURS)
QUORUMS = [
    pytest.param(OURS_ALONE, NEWEST, id="4.4.0 on ours"),
    pytest.param((OURS, KAFKA, OURS), KAFKA, id="4.3.1 on two of ours"),
    *(
        pytest.param(kinds, version, id=f"{version} on {one}", marks=pytest.mark.soak)
        for one, kinds, version in (
            ("ours", OURS_ALONE, KAFKA),
            ("ours", OURS_ALONE, KAFKA_3),
            ("two of ours", (OURS, KAFKA_3, OURS), KAFKA_3),
            ("two of ours", (OURS, NEWEST, OURS), NEWEST),
            ("one of ours", (OURS, NEWEST, NEWEST), NEWEST),
            ("one of ours", (OURS, KAFKA, KAFKA), KAFKA),
            ("one of ours", (OURS, KAFKA_3, KAFKA_3), KAFKA_3),
        )
    ),
]


def registered(quorum: MixedQuorum) -> Broker | None:
    """The broker's registration as the leader's log says."""
    port = quorum.until(quorum.leader_port, "nobody leads")
    log = FollowedLog(port)
    log.follow()
    return log.state.state.live().brokers.get(BROKER)


def is_fenced(quorum: MixedQuorum) -> bool:
    broker = registered(quorum)
    return broker is not None and broker.fenced


@pytest.mark.parametrize(("kinds", "version"), QUORUMS)
def test_a_broker_lives_on_the_quorum_and_outlives_its_leader(
    tmp_path: Path, java: JavaHelper, kinds: tuple[Kind, ...], version: str
) -> None:
    with MixedQuorum(
        *(tmp_path / "quorum", kinds, java.tool, {"broker.session.timeout.ms": SESSION_MS}),
        release="3.9" if version == KAFKA_3 else None,
    ) as quorum:
        some = quorum.nodes[1]
        broker = broker_on(
            *(tmp_path / "broker", quorum.bootstrap_controllers, some.cluster_id, None, BROKER),
            more=ONE_REPLICA,
            version=version,
        )
        with broker:
            serve(address_of(broker), "before")
            leader = quorum.lead_by(quorum.of(OURS))
            quorum.nodes[leader].kill()
            quorum.wait_led(quorum.others(leader))
            serve(address_of(broker), "after")
            quorum.nodes[leader].start()
            before = registered(quorum)
            assert before is not None and not before.fenced
            assert broker.stop() == 143
            assert is_fenced(quorum)
            broker.bring_up()
            broker.kill()
            until(lambda: is_fenced(quorum), "the killed broker is not fenced")
            broker.bring_up()
            again = registered(quorum)
            assert again is not None and not again.fenced and again.epoch > before.epoch
            assert kafkas_faults(broker.log_file.read_text().splitlines()) == []
        assert quorum.end() == []
