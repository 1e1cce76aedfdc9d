"""kill -9 under quota writes, many times: nothing acknowledged is lost, nothing seen changes."""

from __future__ import annotations

import os
import random
import threading
from pathlib import Path

import pytest
from attrs import define, field

from metaquorum.base.errors import PeerError
from metaquorum.client.connection import ConnectionFailed
from metaquorum.client.metadata_log import MetadataLogReader
from tests.interop.disk_records import DiskRecord, data_records
from tests.interop.kafka_dump import assert_no_fault
from tools.kafka import JavaHelper
from tools.kafka.ports import LOOPBACK
from tools.own_node import OwnNode
from tools.quota_writer import QuotaRefused, QuotaWriter

KILLS = int(os.environ.get("INTEROP_KILLS", "40"))
MANY_KILLS = 500
WRITERS = 3
# A kill lands somewhere in the next writes: sometimes before the first, sometimes amid a stream.
WRITES_BEFORE_KILL = (0, 40)
MOMENT_S = 0.01
# Every so often it is killed again while it recovers.
ROUNDS_UNTIL_KILLED_TWICE = 5
START_S = 0.6
SEED = 20
PATIENCE_S = 60.0


@define
class Writers:
    """Several connections that set quotas until the server goes away, and remember the answers."""

    port: int
    round_number: int
    enough: int
    acknowledged: list[tuple[str, float]] = field(factory=list)
    reached: threading.Event = field(factory=threading.Event)
    refused: list[QuotaRefused] = field(factory=list)

    def run(self, number: int) -> None:
        """One writer; ends when its connection does."""
        try:
            with QuotaWriter.open(self.port, timeout_ms=5_000) as writer:
                count = 0
                while True:
                    user = f"round-{self.round_number}-writer-{number}-{count}"
                    value = float(1 + self.round_number * 1000 + count)
                    writer.set(user, "producer_byte_rate", value)
                    self.acknowledged.append((user, value))
                    if len(self.acknowledged) >= self.enough:
                        self.reached.set()
                    count += 1
        except (ConnectionFailed, PeerError):
            self.reached.set()
        except QuotaRefused as refusal:
            self.refused.append(refusal)
            self.reached.set()


def read_committed(node: OwnNode) -> tuple[list[DiskRecord], int]:
    """Everything below the watermark that a client sees now, and that watermark."""
    reader = MetadataLogReader([(LOOPBACK, node.controller_port)])
    found = [
        DiskRecord(one.offset, one.epoch, one.timestamp_ms, one.key, one.value)
        for one in reader.records()
        if not one.control
    ]
    return [one for one in found if one.offset < reader.high_watermark], reader.high_watermark


def kill_under_writes(
    node: OwnNode, round_number: int, chance: random.Random
) -> list[tuple[str, float]]:
    """Kill it a moment after some number of writes was acknowledged; what was acknowledged."""
    enough = chance.randint(*WRITES_BEFORE_KILL)
    writers = Writers(node.port, round_number, enough)
    threads = [threading.Thread(target=writers.run, args=(one,)) for one in range(WRITERS)]
    for thread in threads:
        thread.start()
    if enough:
        assert writers.reached.wait(PATIENCE_S), "too few quotas were acknowledged"
    a_moment(chance, MOMENT_S)
    node.kill()
    for thread in threads:
        thread.join(PATIENCE_S)
        assert not thread.is_alive()
    assert not writers.refused
    return writers.acknowledged


def a_moment(chance: random.Random, most_s: float) -> None:
    """Let the other processes get somewhere, for a length that the seed decides."""
    threading.Event().wait(chance.uniform(0.0, most_s))


@pytest.mark.parametrize(
    "kills", [KILLS, pytest.param(MANY_KILLS, marks=[pytest.mark.soak, pytest.mark.timeout(1800)])]
)
def test_a_node_killed_under_writes_keeps_acknowledged_and_read_data(
    kills: int, java: JavaHelper, tmp_path: Path
) -> None:
    chance = random.Random(SEED + kills)
    node = OwnNode(tmp_path / "node")
    node.format()
    node.start()
    acknowledged: dict[str, float] = {}
    seen: list[DiskRecord] = []
    try:
        node.wait_ready()
        for round_number in range(kills):
            acknowledged.update(kill_under_writes(node, round_number, chance))
            node.start()
            if round_number % ROUNDS_UNTIL_KILLED_TWICE == 0:
                a_moment(chance, START_S)
                node.kill()
                node.start()
            node.wait_ready()
            now, watermark = read_committed(node)
            assert now[: len(seen)] == seen, f"round {round_number}: committed records changed"
            assert watermark >= (seen[-1].offset + 1 if seen else 0)
            seen = now
        kept = java.describe_quotas(node.bootstrap_server)
        node.stop()
    finally:
        node.kill()
    assert len(acknowledged) >= kills
    quotas = {entity["user"]: values["producer_byte_rate"] for entity, values in kept}
    lost = {user for user, value in acknowledged.items() if quotas.get(user) != value}
    assert not lost
    assert data_records(node.metadata_directory)[: len(seen)] == seen
    assert_no_fault(java, node.metadata_directory)
