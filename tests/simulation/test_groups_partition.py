"""The partition of groups on whole nodes: one quorum of it, and no offset is ever forgotten."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import trio

from metaquorum.groups.commands import CommitOffsets, FetchOffsets
from metaquorum.runtime.loop.waiting import result_of
from metaquorum.storage.names import GROUPS_DIRECTORY
from metaquorum.testing.linearizability.log_files import batches_of
from metaquorum.testing.nodes.cluster import SimCluster
from metaquorum.testing.nodes.node import SimNode
from metaquorum.testing.nodes.run import Outcome, Script, Stage, play
from metaquorum.testing.nodes.weather import Weather
from metaquorum.wire.generated import offset_commit_request as commit
from metaquorum.wire.generated import offset_fetch_request as fetch

ENABLED = {"metaquorum.groups.enable": "true"}
TOPIC = "__cluster_metadata"
SMALL_SNAPSHOTS = {
    "metadata.log.max.record.bytes.between.snapshots": "2000",
    "metadata.start.offset.lag.time.max.ms": "0",
}
PATIENCE_S = 30.0
# The partition's own lines have its name in front of the node's.
LEADS = re.compile(
    r"role-changed partition=\S+ node=(\d+) before=\w+ after=Leader epoch=(\d+) leader=(\d+)"
)


def coordinator(cluster: SimCluster) -> SimNode | None:
    """The node that takes commands of groups, if one does."""
    for node in cluster.nodes.values():
        keeper = node.running.groups if node.running is not None else None
        if keeper is None or keeper.partition is None or not keeper.is_open_to_clients:
            continue
        if keeper.partition.driver.controller.is_active:
            return node
    return None


async def coordinated(cluster: SimCluster) -> SimNode:
    """Wait for one."""
    with trio.fail_after(PATIENCE_S):
        while (found := coordinator(cluster)) is None:
            await trio.sleep(0.05)
    return found


async def asked(cluster: SimCluster, command: Any) -> Any:
    """The coordinator's reply, asked for until there is one."""
    with trio.fail_after(PATIENCE_S):
        while True:
            node = await coordinated(cluster)
            assert node.running is not None and node.running.groups is not None
            deadline = node.running.services.clock.now_ms() + 2_000
            with_reply = node.running.groups.ask(command, deadline_ms=deadline)
            reply: list[Any] = []
            with trio.move_on_after(3.0):
                try:
                    reply.append(await result_of(with_reply))
                except Exception:  # the node may end meanwhile, or lead no more
                    await trio.sleep(0.05)
            if reply:
                return reply[0]


async def committed(cluster: SimCluster, group: str, offset: int) -> None:
    row = commit.OffsetCommitRequestPartition(partition_index=0, committed_offset=offset)
    request = commit.OffsetCommitRequest(
        group_id=group,
        generation_id_or_member_epoch=-1,
        topics=[commit.OffsetCommitRequestTopic(name=TOPIC, partitions=[row])],
    )
    answer = await asked(cluster, CommitOffsets(request, 8))
    assert answer.topics[0].partitions[0].error_code == 0


async def position(cluster: SimCluster, group: str) -> int:
    topic = fetch.OffsetFetchRequestTopics(name=TOPIC, partition_indexes=[0])
    row = fetch.OffsetFetchRequestGroup(group_id=group, topics=[topic])
    (answer,) = await asked(cluster, FetchOffsets([row]))
    return int(answer.topics[0].partitions[0].committed_offset)


def played(root: Path, script: Script, *, seed: int = 1, count: int = 3, **changes: str) -> Outcome:
    """The outcome; nothing broke, no epoch had two leaders, and all logs say the same."""
    clusters: list[SimCluster] = []

    async def noting(stage: Stage) -> None:
        clusters.append(stage.cluster)
        await script(stage)

    outcome = play(seed, root, noting, count=count, changes={**ENABLED, **changes})
    assert not outcome.faults, "\n".join(outcome.faults)
    leaders: dict[int, set[int]] = {}
    for node in clusters[0].nodes.values():
        for line in node.lines:
            if found := LEADS.search(line):
                leaders.setdefault(int(found[2]), set()).add(int(found[1]))
    assert leaders and all(len(one) == 1 for one in leaders.values()), leaders
    logs = [batches_of(node.root / GROUPS_DIRECTORY) for node in clusters[0].nodes.values()]
    for log in logs[1:]:
        assert all(log[at] == logs[0][at] for at in log.keys() & logs[0].keys())
    return outcome


def test_committed_offsets_survive_the_machine_of_the_coordinator(tmp_path: Path) -> None:
    async def script(stage: Stage) -> None:
        cluster = stage.cluster
        for round in range(3):
            await committed(cluster, "readers", 10 + round)
            died = await coordinated(cluster)
            await cluster.crashed(died, machine=True)
            assert await position(cluster, "readers") == 10 + round
            await cluster.revive()
        await cluster.led()

    played(tmp_path, script)


def test_committed_offsets_survive_a_restart_of_all_nodes(tmp_path: Path) -> None:
    async def script(stage: Stage) -> None:
        cluster = stage.cluster
        await committed(cluster, "readers", 7)
        await cluster.end()
        await cluster.revive()
        await cluster.led()
        assert await position(cluster, "readers") == 7

    played(tmp_path, script)


def test_a_single_node_keeps_groups_by_itself(tmp_path: Path) -> None:
    async def script(stage: Stage) -> None:
        await committed(stage.cluster, "alone", 3)
        assert await position(stage.cluster, "alone") == 3

    played(tmp_path, script, count=1)


@pytest.mark.parametrize("seed", range(2))
def test_under_faults_groups_have_one_quorum_and_lose_no_commit(seed: int, tmp_path: Path) -> None:
    told: dict[str, int] = {}

    async def script(stage: Stage) -> None:
        cluster = stage.cluster
        weather = Weather(cluster, stage.chance)

        async def commits() -> None:
            for at in range(100_000):
                await committed(cluster, f"group-{at % 3}", at)
                told[f"group-{at % 3}"] = at
                await trio.sleep(0.05)

        await coordinated(cluster)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(commits)
            await weather.blow(8.0)
            nursery.cancel_scope.cancel()
        await cluster.revive()
        await cluster.led()
        assert len(told) == 3
        for group, offset in told.items():
            assert await position(cluster, group) >= offset

    played(tmp_path, script, seed=seed, **(SMALL_SNAPSHOTS if seed % 2 else {}))
