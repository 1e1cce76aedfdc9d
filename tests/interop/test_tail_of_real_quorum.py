"""``metaquorum tail`` against three real controllers and a broker: everything, and no trace."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import define, field

from tools.kafka import JavaHelper, KafkaCluster
from tools.own_node import METAQUORUM, metaquorum

PATIENCE_S = 60.0
RECORD = re.compile(r"^\| offset: (\d+) CreateTime: (\d+) .*headerKeys: \[\] (.*)$")
BATCH = re.compile(r"^baseOffset: (\d+) lastOffset: (\d+) .*partitionLeaderEpoch: (\d+)")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory, java: JavaHelper) -> Iterator[KafkaCluster]:
    """Three controllers and a broker of the real Kafka."""
    with KafkaCluster(tmp_path_factory.mktemp("quorum"), format_tool=java.tool) as running:
        yield running


def camel(name: str) -> str:
    """``TOPIC_RECORD`` as the schema spells it: ``TopicRecord``."""
    special = {"NO_OP_RECORD": "NoOpRecord"}
    return special.get(name, "".join(word.capitalize() for word in name.split("_")))


def dumped(java: JavaHelper, path: Path) -> dict[int, dict[str, Any]]:
    """Offset -> epoch, time and, for data, type, version and data: what their dump-log shows."""
    done = java.tool("dump-log", "--cluster-metadata-decoder", "--files", path)
    assert done.exit_code == 0, done.stderr
    found: dict[int, dict[str, Any]] = {}
    epoch = -1
    for line in done.stdout.splitlines():
        if batch := BATCH.match(line):
            epoch = int(batch.group(3))
        elif record := RECORD.match(line):
            row: dict[str, Any] = {"epoch": epoch, "timestamp": int(record.group(2))}
            said = record.group(3)
            if said.startswith("payload: "):
                payload = json.loads(said.removeprefix("payload: "))
                row |= {"type": camel(payload["type"]), "version": payload["version"]}
                row["data"] = payload["data"]
            else:
                row["control"] = True
                row["data"] = json.loads(said[said.index("{") :])
            found[int(record.group(1))] = row
    return found


def tailed(lines: list[str]) -> dict[int, dict[str, Any]]:
    """The same out of our own JSON lines; offsets must rise by one."""
    rows = [json.loads(line) for line in lines]
    offsets = [row["offset"] for row in rows]
    assert offsets == list(range(offsets[0], offsets[0] + len(offsets)))
    found: dict[int, dict[str, Any]] = {}
    for row in rows:
        assert "problem" not in row, row
        told = {"epoch": row["epoch"], "timestamp": row["timestamp"], "data": row["data"]}
        if row["control"]:
            told["control"] = True
        else:
            told |= {"type": row["type"], "version": row["version"]}
        found[row["offset"]] = told
    return found


@define
class Following:
    """A running ``metaquorum tail --follow``, its lines collected as they come."""

    process: subprocess.Popen[str]
    lines: list[str] = field(factory=list)
    arrived: threading.Condition = field(factory=threading.Condition)

    @classmethod
    def start(cls, *arguments: str) -> Following:
        process = subprocess.Popen(
            [METAQUORUM, "tail", *arguments, "--follow", "-o", "json"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
        )
        following = cls(process)
        threading.Thread(target=following._collect, daemon=True).start()
        return following

    def _collect(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self.arrived:
                self.lines.append(line)
                self.arrived.notify_all()

    def wait_for(self, text: str) -> None:
        """Until a line holds ``text``."""
        with self.arrived:
            came = self.arrived.wait_for(
                lambda: any(text in line for line in self.lines), PATIENCE_S
            )
        assert came, f"{text} never arrived; last: {self.lines[-1:]}"

    def interrupt(self) -> int:
        """Ctrl-C, and the exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(PATIENCE_S)


def test_the_log_of_a_real_quorum_is_read_whole(cluster: KafkaCluster, java: JavaHelper) -> None:
    done = java.tool(
        "topics",
        *("--bootstrap-server", cluster.bootstrap_servers),
        *("--create", "--topic", "orders", "--partitions", "5"),
    )
    assert done.exit_code == 0, done.stderr
    shown = metaquorum(
        "tail", "--bootstrap-controller", cluster.bootstrap_controllers, "-o", "json"
    )
    assert shown.exit_code == 0, shown.stderr
    ours = tailed(shown.stdout.splitlines())
    assert any(row.get("data", {}).get("name") == "orders" for row in ours.values())
    log = cluster.nodes[1].metadata_directory / "00000000000000000000.log"
    theirs = dumped(java, log)
    assert min(ours) == min(theirs) == 0
    assert ours == {offset: row for offset, row in theirs.items() if offset in ours}


def test_types_and_offsets_narrow_what_is_shown(cluster: KafkaCluster) -> None:
    base = ("tail", "--bootstrap-controller", cluster.bootstrap_controllers, "-q")
    only = metaquorum(*base, "--types", "RegisterBrokerRecord,leaderchangemessage", "-o", "json")
    kinds = {json.loads(line)["type"] for line in only.stdout.splitlines()}
    assert kinds == {"RegisterBrokerRecord", "LeaderChangeMessage"}
    later = metaquorum(*base, "--from-offset", "5")
    assert later.stdout.splitlines()[0].split()[0] == "5"
    beyond = metaquorum(*base, "--from-offset", "100000000")
    assert beyond.exit_code == 1
    assert "100000000" in beyond.stderr
    assert metaquorum(*base, "--from-offset", "end").stdout == ""


def test_a_follower_survives_the_leaders_death_and_leaves_no_trace(
    cluster: KafkaCluster, java: JavaHelper
) -> None:
    servers = cluster.bootstrap_servers
    following = Following.start("--bootstrap-controller", cluster.bootstrap_controllers)
    try:
        for number in range(10):
            java.alter_quota(servers, {"user": f"before-{number}"}, {"producer_byte_rate": 1.0})
        following.wait_for("before-9")
        rows = replication(java, cluster)
        assert sorted(int(row[0]) for row in rows) == [1, 2, 3, 101]
        leader = next(int(row[0]) for row in rows if row[-1] == "Leader")

        cluster.nodes[leader].kill()
        for number in range(10):
            java.alter_quota(servers, {"user": f"after-{number}"}, {"producer_byte_rate": 2.0})
        following.wait_for("after-9")
        assert {int(row[0]) for row in replication(java, cluster)} == {1, 2, 3, 101}
        assert following.interrupt() == 0
    finally:
        following.process.kill()
    ours = tailed(following.lines)
    assert ours[0]["control"]
    assert len({row["epoch"] for row in ours.values()}) > 1
    survivor = next(one for one in cluster.controller_ports if one != leader)
    theirs = dumped(java, cluster.nodes[survivor].metadata_directory / "00000000000000000000.log")
    assert ours == {offset: row for offset, row in theirs.items() if offset in ours}


def replication(java: JavaHelper, cluster: KafkaCluster) -> list[list[str]]:
    """The rows of ``describe --replication``."""
    done = java.tool(
        "metadata-quorum",
        *("--bootstrap-controller", cluster.bootstrap_controllers, "describe", "--replication"),
    )
    assert done.exit_code == 0, done.stderr
    return [line.split() for line in done.stdout.splitlines()[1:]]
