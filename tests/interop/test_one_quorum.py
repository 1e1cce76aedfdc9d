"""Two of our nodes and one of Kafka's controllers are one quorum, whichever leads."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.interop.disk_records import data_records, records_until
from tools.kafka import JavaHelper
from tools.kafka.ports import LOOPBACK
from tools.mixed.node import KAFKA, OURS, MixedNode
from tools.mixed.quorum import MixedQuorum
from tools.own_node import metaquorum
from tools.process import until

KAFKAS_ID = 3


@pytest.fixture(scope="module")
def quorum(tmp_path_factory: pytest.TempPathFactory, java: JavaHelper) -> Iterator[MixedQuorum]:
    """Voters 1 and 2 are ours, voter 3 is Kafka's; one of them leads."""
    small = {"metadata.log.max.record.bytes.between.snapshots": "500"}
    mixed = MixedQuorum(
        tmp_path_factory.mktemp("mixed"),
        (OURS, OURS, KAFKA),
        java.tool,
        own_properties={KAFKAS_ID: small},
    )
    try:
        mixed.format()
        for node in mixed.nodes.values():
            node.start()
        mixed.wait_led()
        yield mixed
    finally:
        mixed.kill()


def lead_by_kafka(quorum: MixedQuorum) -> None:
    """Kill the leader while it is one of ours, until Kafka's controller leads."""
    for _ in range(20):
        leader = quorum.wait_led()
        if leader == KAFKAS_ID:
            return
        quorum.nodes[leader].kill()
        quorum.wait_led(quorum.others(leader))
        quorum.nodes[leader].start()
    raise AssertionError("Kafka's controller never led")


def test_a_wiped_node_starts_from_the_snapshot_of_kafkas_leader(quorum: MixedQuorum):
    lead_by_kafka(quorum)
    kafkas = quorum.nodes[KAFKAS_ID].metadata_directory
    until(lambda: len(list(kafkas.glob("*.checkpoint"))) > 1, "Kafka wrote no snapshot")
    wiped = start_wiped(quorum, 1)

    kept = high_watermark(quorum, quorum.wait_led())

    def has_gone_on() -> bool:
        """It has what was committed, and some of what came behind its snapshot."""
        records = data_records(wiped.metadata_directory)
        return len(records) > 1 and records[-1].offset >= kept

    until(has_gone_on, wiped.log_tail)
    ours = data_records(wiped.metadata_directory)
    theirs = {record.offset: record for record in data_records(kafkas)}
    assert ours[0].offset > 0, "its log begins at the snapshot's end"
    assert ours == [theirs[one.offset] for one in ours]


def test_a_wiped_controller_of_kafka_starts_from_our_snapshot(
    quorum: MixedQuorum,
):
    lead_by_kafka(quorum)
    kafka = quorum.nodes[KAFKAS_ID]
    start_wiped(quorum, 2)  # now both of ours have a snapshot, and logs without a beginning
    kafka.kill()
    served = quorum.nodes[quorum.wait_led((1, 2))]
    (ours,) = [one for one in served.metadata_directory.glob("*.checkpoint") if is_of_state(one)]
    empty(quorum, kafka)
    kafka.start()
    theirs = kafka.metadata_directory / ours.name
    until(theirs.exists, kafka.log_tail)
    assert theirs.read_bytes() == ours.read_bytes()

    kept = high_watermark(quorum, quorum.wait_led((1, 2)))
    kafkas = kafka.metadata_directory
    until(lambda: any(one.offset >= kept for one in data_records(kafkas)), kafka.log_tail)
    copied = [one for one in data_records(kafkas) if one.offset < kept]
    served_records = records_until(served.metadata_directory, copied[-1].offset)
    known = {record.offset: record for record in served_records}
    assert copied[0].offset >= int(ours.name[:20])
    assert copied == [known[one.offset] for one in copied]


def is_of_state(checkpoint: Path) -> bool:
    """Whether it is a snapshot, and not the bootstrap checkpoint."""
    return int(checkpoint.name[:20]) > 0


def start_wiped(quorum: MixedQuorum, node_id: int) -> MixedNode:
    """Start a node of ours anew with an empty disk; it fetches a snapshot."""
    node = quorum.nodes[node_id]
    node.kill()
    empty(quorum, node)
    node.start()
    until(lambda: "snapshot-installed" in node.log_text(), node.log_tail)
    return node


def empty(quorum: MixedQuorum, node: MixedNode) -> None:
    """Format a voter that was killed anew, once both others have all that is committed.

    An empty voter votes for either of them, so one that is behind could lead otherwise, and what
    the other had committed with the lost disk would be gone.
    """
    for node_id in quorum.others(node.node_id):
        quorum.caught_up(node_id)
    node.wipe()
    node.format("--initial-controllers", quorum.initial_voters)


def test_every_voter_of_a_mixed_quorum_leads_and_all_logs_are_equal(quorum: MixedQuorum):
    led: list[int] = []
    for _ in range(6):
        leader = quorum.wait_led()
        led.append(leader)
        if KAFKAS_ID in led and len(set(led)) > 1:
            break
        quorum.nodes[leader].kill()
        quorum.wait_led(quorum.others(leader))
        quorum.nodes[leader].start()
        if leader == KAFKAS_ID:
            until(lambda: quorum.nodes[KAFKAS_ID].answers, quorum.log_tails)
    assert len(set(led)) > 1

    committed = high_watermark(quorum, quorum.wait_led())
    for node in quorum.nodes.values():  # one that is still starting would end by the signal
        until(lambda node=node: node.is_registered, node.log_tail)
    for node in quorum.nodes.values():
        node.stop()
    logs = [
        [
            record
            for record in data_records(quorum.nodes[node_id].metadata_directory)
            if record.offset < committed
        ]
        for node_id in (1, 2, 3)
    ]
    known = {record.offset: record for log in logs for record in log}
    assert all(record == known[record.offset] for log in logs for record in log)
    last = max(known)
    assert sum(log[-1].offset == last for log in logs) >= 2, "a majority holds what is committed"


def high_watermark(quorum: MixedQuorum, leader: int) -> int:
    """What the leader says is committed."""
    controller = f"{LOOPBACK}:{quorum.nodes[leader].reached_at}"
    told = metaquorum(
        *("metadata-quorum", "--bootstrap-controller", controller),
        *("describe", "--status", "-o", "json"),
    )
    assert told.exit_code == 0, told.stderr
    return int(json.loads(told.stdout)["highWatermark"])
