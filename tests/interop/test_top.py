"""``metaquorum top`` beside a cluster of Apache Kafka: the screen says what was done to it."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from attrs import define

from metaquorum.cli.top.sight import Sight
from metaquorum.cli.top.sight_json import as_json
from metaquorum.cli.top.terminal.app import TopApp
from metaquorum.cli.top.watch import Watch, watch_of
from metaquorum.client.security import PLAIN
from metaquorum.config.listeners import parse_bootstrap_servers
from tests.unit.cli.top.screens import NEVER_S, text_of
from tools.kafka import JavaHelper, KafkaCluster
from tools.own_node import METAQUORUM

WITHIN_S = 90.0
WINDOW_MS = 600_000


@define
class Screened:
    """A cluster of three controllers and three brokers, and the watch over it."""

    cluster: KafkaCluster
    java: JavaHelper
    watch: Watch

    def seen_when(self, is_so: Callable[[Sight], bool]) -> Sight:
        """The first sight that is so; it fails when there is none in time."""
        seen = self.watch.sight_when(is_so, WITHIN_S)
        assert is_so(seen), (json.dumps(as_json(seen)), list(self.watch.lines))
        return seen

    def screen(self, *keys: str) -> str:
        """What a terminal of 80x24 shows now, after these keys."""

        async def run() -> str:
            app = TopApp(self.watch, WINDOW_MS, frame_s=NEVER_S)
            async with app.run_test(size=(80, 24)) as pilot:
                for key in keys:
                    await pilot.press(key)
                await pilot.pause()
                return text_of(app)

        return asyncio.run(run())


@pytest.fixture(scope="module")
def screened(tmp_path_factory: pytest.TempPathFactory, java: JavaHelper) -> Iterator[Screened]:
    cluster = KafkaCluster(
        tmp_path_factory.mktemp("screened"),
        brokers=3,
        controller_properties={"broker.session.timeout.ms": "6000"},
        format_tool=java.tool,
    )
    with cluster:
        places = parse_bootstrap_servers(cluster.bootstrap_controllers)
        watch = watch_of(places, lambda: PLAIN, 500, 1)
        watch.start()
        try:
            done = java.tool(
                "topics",
                *("--bootstrap-server", cluster.bootstrap_servers),
                *("--create", "--topic", "orders"),
                *("--replica-assignment", "101:102:103,102:103:101"),
            )
            assert done.exit_code == 0, done.stderr
            yield Screened(cluster, java, watch)
        finally:
            watch.stop()


def calm(seen: Sight) -> bool:
    """All is well, and the topic is there."""
    return (
        seen.is_whole
        and seen.topics == 1
        and all(row.is_calm for row in seen.brokers)
        and len(seen.brokers) == 3
        and all(row.answers for row in seen.replicas)
        and not seen.partition_rows
    )


def test_a_calm_cluster_is_shown_whole(screened: Screened) -> None:
    seen = screened.seen_when(calm)
    assert sorted(row.id for row in seen.replicas) == [1, 2, 3, 101, 102, 103]
    assert all(row.end_point for row in (*seen.replicas, *seen.brokers))
    assert [row.replicas for row in seen.brokers] == [2, 2, 2]
    shown = screened.screen()
    assert f"leader {seen.leader_id}, epoch {seen.epoch}, for " in shown
    assert "brokers: 3 active, 0 fenced, 0 in shutdown; 1 topic, 2 partitions" in shown
    assert "PARTITIONS none is in trouble" in shown
    assert "topic orders created" in shown


def test_the_screen_leaves_no_trace(screened: Screened) -> None:
    done = screened.java.tool(
        "metadata-quorum",
        *("--bootstrap-controller", screened.cluster.bootstrap_controllers),
        *("describe", "--replication"),
    )
    assert done.exit_code == 0, done.stderr
    rows = [line.split() for line in done.stdout.splitlines()[1:]]
    assert sorted(int(row[0]) for row in rows) == [1, 2, 3, 101, 102, 103]


def test_one_page_is_printed_by_the_command(screened: Screened) -> None:
    screened.seen_when(calm)
    servers = ("--bootstrap-controller", screened.cluster.bootstrap_controllers)
    done = subprocess.run(
        [METAQUORUM, "top", *servers, "--once", "-o", "json"],
        check=False,
        capture_output=True,
        text=True,
        timeout=WITHIN_S,
    )
    assert done.returncode == 0, done.stderr
    shown: dict[str, Any] = json.loads(done.stdout)
    assert shown["partitions"]["all"] == 2
    assert [row["state"] for row in shown["brokers"]] == ["active"] * 3


def test_a_killed_broker_and_its_partitions_are_on_the_screen(screened: Screened) -> None:
    screened.seen_when(calm)
    screened.cluster.nodes[101].kill()
    screened.seen_when(lambda seen: len(seen.partition_rows) == 2 and not seen.brokers[0].is_calm)
    shown = screened.screen()
    assert "brokers: 2 active, 1 fenced, 0 in shutdown" in shown
    assert "   101  fenced " in shown
    assert "2 under-replicated" in shown
    assert "orders-0  under-replicated" in shown
    assert "broker 101 fenced: fenced false -> true" in screened.screen("tab", "tab", "tab")
    assert "fenced = true" in screened.screen("tab", "enter")
    restarted(screened, 101)
    screened.seen_when(calm_again)


def calm_again(seen: Sight) -> bool:
    """As before, though the first replica may not lead."""
    return (
        all(row.is_calm for row in seen.brokers)
        and not seen.partitions.under_replicated
        and all(row.answers for row in seen.replicas)
        and seen.is_whole
    )


def restarted(screened: Screened, node_id: int) -> None:
    node = screened.cluster.nodes[node_id]
    node.start()
    node.wait_ready()


def test_a_killed_leader_is_replaced_on_the_screen(screened: Screened) -> None:
    before = screened.seen_when(calm_again)
    screened.cluster.nodes[before.leader_id].kill()
    seen = screened.seen_when(
        lambda seen: (
            seen.is_whole
            and seen.epoch > before.epoch
            and seen.since_is_exact
            and any(row.id == before.leader_id and not row.answers for row in seen.replicas)
        )
    )
    assert seen.leader_id != before.leader_id
    shown = screened.screen()
    assert f"leader {seen.leader_id}, epoch {seen.epoch}, for " in shown
    assert f"{before.leader_id:>4}  follower  silent" in shown
    assert re.search(r"last (minute|[\d.]+ m?s): 1 election", shown), shown
    assert [one.leader_id for one in seen.spans if one.leader_id >= 0][-2:] == [
        before.leader_id,
        seen.leader_id,
    ]
    changes = screened.screen("tab", "tab", "tab")
    assert f"node {seen.leader_id} leads epoch {seen.epoch}" in changes
    restarted(screened, before.leader_id)
    screened.seen_when(calm_again)
