"""Kafka's brokers on our controllers while processes of both are killed and paused at random.

Three of each, replication 3, min.insync.replicas=2, an idempotent producer with acks=all, a
transactional one, a group of two. At most one controller and one broker are out at a time. What was
acknowledged must be read, nothing may stand in the log twice, transactions are read whole or not at
all, and no broker logs an error.

No broker may be fenced that was not itself killed or paused. One case is Kafka's own: a broker
asks the leader that it knows, or a bootstrap server drawn at random, and waits for an answer for
two seconds; what sends its heartbeats asks whom it chose before until that fails. Where the old
leader stands still for all of a session but an interval of heartbeats, at once or in two pauses, a
broker may have asked it each time.

A broker that stood still tells clients for a moment that it leads what another leads by now. A
client that believes it sends records whose sequence numbers it cannot know, and is refused.
"""

from __future__ import annotations

import os
import time
from datetime import datetime
from pathlib import Path
from random import Random

import pytest
from attrs import define, field

from tests.interop.brokers_under_load import BrokersUnderLoad, fenced
from tools.kafka import JavaHelper, KafkaNode
from tools.own_cluster import OwnCluster
from tools.own_node import OwnNode
from tools.process import ServerProcess, until
from tools.transactions import Outcome

SHORT_S = 40.0
LONG_S = float(os.environ.get("METAQUORUM_FAULTS_S", "300"))
LONG_RUNS = 10
SESSION_S, HEARTBEAT_S = 9.0, 2.0
LATE_S = 0.5  # a heartbeat of a busy machine
PAUSES_S = (0.5, 1.0, 3.0, 6.0, 12.0)
OUT_S = (0.5, 1.0, 3.0, 6.0)
MARGIN_S = 2.0  # between what happened to a broker and the record of it
STALE = "org.apache.kafka.common.errors.OutOfOrderSequenceException: "


@define
class Faults:
    """Kills and pauses one process of each kind at a time, and remembers when each was out."""

    random: Random
    controllers: dict[int, OwnNode]
    brokers: dict[int, KafkaNode]
    out: list[tuple[int, float, float]] = field(factory=list)
    stood_still: list[tuple[int, float, float]] = field(factory=list)
    """Controllers that led when they were paused, and when; later pauses of theirs in a row too."""
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
            led = isinstance(node, OwnNode) and (node.leads() or self.led_before(node_id, since))
            self.done.append(f"{since:.1f} pause {node_id} for {out_s} s")
            node.pause()
            time.sleep(out_s)
            node.resume()
            if led:
                self.stood_still.append((node_id, since, time.time()))
        if node_id in self.brokers:
            if isinstance(node, KafkaNode):
                node.wait_ready()
            self.out.append((node_id, since, time.time()))
        else:
            until(lambda: is_led(self.controllers), "no controller is active")

    def led_before(self, node_id: int, at_s: float) -> bool:
        """Whether it led when it was paused before, less than a session ago."""
        return any(
            one == node_id and at_s - until_s < SESSION_S for one, _, until_s in self.stood_still
        )

    def explain(self, broker_id: int, at_s: float) -> bool:
        """Whether that broker could be silent for a session before it was fenced then."""
        was_out = any(
            one == broker_id and since <= at_s <= until_s + MARGIN_S
            for one, since, until_s in self.out
        )
        still_s = sum(
            max(0.0, min(at_s, until_s) - max(at_s - SESSION_S, since))
            for _, since, until_s in self.stood_still
        )
        return was_out or still_s >= SESSION_S - HEARTBEAT_S - LATE_S

    def stale(self, broker_id: int, line: str) -> bool:
        """Whether a broker refused a sequence number just after it stood still."""
        told_at = line[1:].partition("]")[0]
        return STALE in line and any(
            one == broker_id and clock(until_s - MARGIN_S) <= told_at <= clock(until_s + MARGIN_S)
            for one, _, until_s in self.out
        )


def clock(at_s: float) -> str:
    """A time as brokers write it in their logs."""
    return datetime.fromtimestamp(at_s).strftime("%H:%M:%S.%f")[:-3]


def is_led(controllers: dict[int, OwnNode]) -> bool:
    return any(one.leads() for one in controllers.values() if one.pid is not None)


def under_faults(directory: Path, java: JavaHelper, seed: int, length_s: float) -> None:
    with (
        OwnCluster(directory / "controllers") as controllers,
        BrokersUnderLoad(
            *(directory, controllers.bootstrap_controllers, controllers.nodes[1].cluster_id, java)
        ) as load,
    ):
        faults = Faults(Random(seed), controllers.nodes, load.brokers)
        faults.run(length_s)
        load.judge(faults.done, faults.stale)
        assert len(load.delivery.acknowledged) > length_s
        assert load.transactions.book.count(Outcome.COMMITTED) > length_s / 5
        for broker_id, at_s in fenced([one.controller_port for one in controllers.nodes.values()]):
            told = f"broker {broker_id} fenced at {at_s:.1f}\n" + "\n".join(faults.done)
            assert faults.explain(broker_id, at_s), told


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
