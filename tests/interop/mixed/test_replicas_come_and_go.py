"""Replicas of either kind join, leave, lose their disks, begin with the other's snapshots."""

from __future__ import annotations

from pathlib import Path

import pytest

from metaquorum.storage.names import snapshot_file
from tests.interop.cutting_proxy import CuttingProxy
from tests.interop.directory_states import snapshots
from tests.interop.mixed.conftest import Form, Tool
from tools.kafka import JavaHelper
from tools.kafka.ports import free_ports
from tools.mixed.node import KAFKA, OURS, Kind
from tools.mixed.quorum import MixedQuorum

SNAPSHOTS = {"metadata_log_max_record_bytes_between_snapshots": "2000"}


def test_wiped_followers_of_both_sides_rejoin_with_new_directory_ids(
    form: Form, tools: dict[str, Tool]
) -> None:
    with form(OURS, OURS, KAFKA) as quorum:
        for kind, tool in ((OURS, tools["kafka's"]), (KAFKA, tools["ours"])):
            leader = quorum.lead_by([one for one in quorum.nodes if one != quorum.of(kind)[-1]])
            wiped = quorum.of(kind)[-1]
            assert wiped != leader
            before = quorum.voters()
            quorum.replace_disk(wiped, tool)
            after = quorum.voters()
            assert sorted(after) == sorted(before) == [1, 2, 3]
            assert [one for one in after if after[one] != before[one]] == [wiped]
            quorum.written()
        assert quorum.end() == []


def test_either_tool_adds_and_removes_a_voter_under_either_leader(
    form: Form, java: JavaHelper, tools: dict[str, Tool]
) -> None:
    with form(OURS, KAFKA, OURS) as quorum:
        for leading, joining in ((OURS, KAFKA), (KAFKA, OURS)):
            leader = quorum.lead_by([one for one in quorum.of(leading) if one <= 3])
            newcomer = quorum.join(joining)
            for tool in tools.values():
                quorum.add_voter(newcomer, tool)
                quorum.written(5)
                assert sorted(quorum.voters()) == [1, 2, 3, newcomer]
                quorum.remove_voter(newcomer, tool)
                assert sorted(quorum.voters()) == [1, 2, 3]
            assert quorum.leader() == leader
            shown = java.tool(
                "cluster", "list-endpoints", "--bootstrap-controller", quorum.bootstrap_controllers
            )
            rows = [line.split()[0] for line in shown.stdout.splitlines()[1:]]
            assert rows == [str(one) for one in quorum.nodes], "all are registered"
            quorum.written()
        assert quorum.end() == []


@pytest.mark.parametrize("leading", [OURS, KAFKA])
def test_static_voters_of_both_sides_become_dynamic_by_either_leader(
    form: Form, java: JavaHelper, tools: dict[str, Tool], leading: Kind
) -> None:
    with form(OURS, KAFKA, OURS, static=True) as quorum:
        leader = quorum.lead_by(quorum.of(leading))
        whom = ("--bootstrap-controller", quorum.bootstrap_controllers)
        upgrade = ("features", *whom, "upgrade", "--feature", "kraft.version=1")
        # Each follower tells the leader of its directory once, a fetch time-out after the election.
        quorum.until(
            lambda: java.tool(*upgrade, "--dry-run").exit_code == 0, "no voter told its directory"
        )
        done = java.tool(*upgrade)
        assert (done.exit_code, done.stdout) == (0, "kraft.version was upgraded to 1.\n")
        directories = {one: node.directory_id for one, node in quorum.nodes.items()}
        assert quorum.voters() == directories
        removed = quorum.others(leader)[0]
        quorum.remove_voter(removed, tools["ours"])
        quorum.written(5)
        quorum.add_voter(removed, tools["kafka's"])
        assert quorum.voters() == directories
        assert quorum.leader() == leader
        quorum.written(5)
        assert quorum.end() == []


def wait_for_snapshot(quorum: MixedQuorum, node_id: int) -> None:
    """Wait until a node has written a snapshot."""
    directory = quorum.nodes[node_id].metadata_directory
    quorum.until(lambda: bool(snapshots(directory)), "no snapshot")


def assert_same_snapshot(installed: Path, written: Path) -> None:
    """The oldest snapshot of the one that was installed is the other's, byte for byte."""
    first = snapshot_file(snapshots(installed)[0])
    assert (installed / first).read_bytes() == (written / first).read_bytes()
    assert not any(int(log.stem) == 0 for log in installed.glob("*.log")), "its log begins there"


def test_a_controller_of_kafkas_begins_with_our_snapshot(
    form: Form, tools: dict[str, Tool]
) -> None:
    with form(OURS, OURS, KAFKA, **SNAPSHOTS) as quorum:
        leader = quorum.lead_by(quorum.of(OURS))
        wait_for_snapshot(quorum, leader)
        (kafkas,) = quorum.of(KAFKA)
        quorum.replace_disk(kafkas, tools["ours"])
        assert quorum.leader() == leader
        assert_same_snapshot(
            quorum.nodes[kafkas].metadata_directory, quorum.nodes[leader].metadata_directory
        )
        quorum.written()
        assert quorum.end() == []


def test_our_node_fetches_kafkas_snapshot_in_pieces_over_broken_links(
    tmp_path: Path, java: JavaHelper, tools: dict[str, Tool]
) -> None:
    ports = dict(zip((2, 3), free_ports(2), strict=True))
    rows = {key.replace("_", "."): value for key, value in SNAPSHOTS.items()}
    rows["controller.quorum.fetch.snapshot.max.bytes"] = "300"
    quorum = MixedQuorum(tmp_path, (OURS, KAFKA, KAFKA), java.tool, rows, ports)
    behind = {one: quorum.nodes[one].controller_port for one in ports}
    with CuttingProxy(ports[2], behind[2], 3) as two, CuttingProxy(ports[3], behind[3], 3) as three:
        with quorum:
            leader = quorum.lead_by(quorum.of(KAFKA))
            wait_for_snapshot(quorum, leader)
            quorum.replace_disk(1, tools["kafka's"])
            assert quorum.leader() == leader
            proxy = {2: two, 3: three}[leader]
            assert proxy.cuts == 1
            assert len({one.connection for one in proxy.asked}) > 1
            assert max(one.position for one in proxy.asked) > 300
            assert_same_snapshot(
                quorum.nodes[1].metadata_directory, quorum.nodes[leader].metadata_directory
            )
            quorum.written()
            assert quorum.end() == []
