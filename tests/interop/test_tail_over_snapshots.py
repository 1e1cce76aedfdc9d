"""A real controller whose log no longer has its beginning is read through its snapshot."""

from __future__ import annotations

import itertools
import json
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.interop.following import Following
from tests.interop.kafka_dump import comparable, dumped
from tools.kafka import JavaHelper, KafkaCluster, ToolResult
from tools.own_node import OwnNode, metaquorum
from tools.process import until
from tools.quota_writer import QuotaWriter

SNAPSHOTS = {
    "metadata.log.max.record.bytes.between.snapshots": "2000",
    "metadata.log.segment.ms": "200",
}
QUOTAS = 60


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory, java: JavaHelper) -> Iterator[KafkaCluster]:
    """A controller and a broker with many snapshots and segments."""
    running = KafkaCluster(
        tmp_path_factory.mktemp("snapshots"),
        controllers=1,
        controller_properties=SNAPSHOTS,
        format_tool=java.tool,
    )
    with running:
        written = running.nodes[1].metadata_directory
        for number in itertools.count():  # snapshots come when Kafka finds the time for them
            if number >= QUOTAS and can_be_cut(written):
                break
            java.alter_quota(
                running.bootstrap_servers, {"user": f"user-{number}"}, {"request_percentage": 7.0}
            )
        yield running


def can_be_cut(directory: Path) -> bool:
    """Whether segments may go that the last snapshot but one covers."""
    covered = [int(path.name[:20]) for path in snapshots(directory)][-2:-1]
    return bool(covered) and any(0 < int(path.stem) <= covered[0] for path in segments(directory))


def tail(cluster: KafkaCluster, *options: str) -> list[dict[str, object]]:
    done = metaquorum(
        "tail", "--bootstrap-controller", cluster.bootstrap_controllers, "-o", "json", *options
    )
    assert done.exit_code == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def segments(directory: Path) -> list[Path]:
    return sorted(directory.glob("*.log"))


def snapshots(directory: Path) -> list[Path]:
    return [path for path in sorted(directory.glob("*.checkpoint")) if int(path.name[:20]) > 0]


def dumped_log(java: JavaHelper, directory: Path) -> dict[int, dict[str, object]]:
    found: dict[int, dict[str, object]] = {}
    for segment in segments(directory):
        found |= dumped(java, segment)
    return found


def test_snapshots_do_not_hide_a_log_that_is_whole(cluster: KafkaCluster, java: JavaHelper) -> None:
    directory = cluster.nodes[1].metadata_directory
    assert snapshots(directory), "the controller should have written snapshots"
    assert len(segments(directory)) > 1
    rows = tail(cluster)
    assert not any("snapshot" in row for row in rows)
    theirs = dumped_log(java, directory)
    ours = comparable(rows)
    assert min(ours) == 0
    assert ours == {offset: row for offset, row in theirs.items() if offset <= max(ours)}


def test_deleted_records_come_from_the_snapshot_and_rest_from_the_log(
    cluster: KafkaCluster, java: JavaHelper
) -> None:
    node = cluster.nodes[1]
    node.stop()
    forget_before(node.metadata_directory, int(snapshots(node.metadata_directory)[-2].name[:20]))
    first = int(segments(node.metadata_directory)[0].stem)
    assert first > 0
    node.start()
    node.wait_ready()

    rows = tail(cluster)
    of_snapshot = [row for row in rows if "snapshot" in row]
    of_log = [row for row in rows if "snapshot" not in row]
    told = {json.dumps(row["snapshot"]) for row in of_snapshot}
    assert len(told) == 1
    snapshot = json.loads(told.pop())
    assert rows[: len(of_snapshot)] == of_snapshot
    path = node.metadata_directory / "{endOffset:020d}-{epoch:010d}.checkpoint".format(**snapshot)
    assert comparable(of_snapshot) == dumped(java, path)
    assert of_log[0]["offset"] == snapshot["endOffset"]
    theirs = dumped_log(java, node.metadata_directory)
    ours = comparable(of_log)
    assert ours == {
        offset: row for offset, row in theirs.items() if min(ours) <= offset <= max(ours)
    }

    # Everything that the log still has can be read from the log, too.
    whole = comparable(tail(cluster, "--from-offset", str(first)))
    theirs = dumped_log(java, node.metadata_directory)
    assert whole == {offset: row for offset, row in theirs.items() if offset <= max(whole)}


def test_the_state_before_the_latest_snapshot_is_read_over_the_oldest(
    cluster: KafkaCluster,
) -> None:
    shown_below_latest(cluster.bootstrap_controllers, cluster.nodes[1].metadata_directory)


def shown_below_latest(bootstrap: str, directory: Path) -> None:
    """The live quorum shows what the directory holds, from its oldest snapshot's end on.

    It is asked again if retention took that snapshot meanwhile.
    """

    def look() -> tuple[int, list[tuple[ToolResult, ToolResult]], ToolResult] | None:
        before = snapshots(directory)
        oldest, latest = (int(before[at].name[:20]) for at in (0, -1))
        assert 0 < int(segments(directory)[0].stem) <= oldest < latest
        live, files = ("--bootstrap-controller", bootstrap), ("--log-dir", str(directory))
        command = ("metadata", "-q", "tree", "/image", "--at")
        both = [
            (metaquorum(*command, str(at), *live), metaquorum(*command, str(at), *files))
            for at in (oldest - 1, (oldest + latest) // 2, latest - 2)
        ]
        early = metaquorum(*command, str(oldest - 2), *live)
        return (oldest, both, early) if snapshots(directory)[0] == before[0] else None

    oldest, both, early = until(look, "retention never rests")
    for shown, from_files in both:
        assert shown.exit_code == 0, shown.stderr
        assert shown.stdout == from_files.stdout
    assert early.exit_code == 1
    assert f"the oldest one is that after offset {oldest - 1}" in early.stderr


def test_our_server_on_such_a_directory_bridges_it_alike(
    cluster: KafkaCluster, java: JavaHelper, tmp_path: Path
) -> None:
    kafka = cluster.nodes[1]
    kafka.stop()
    own = OwnNode(tmp_path, for_kafka_too=True)
    own.controller_port = cluster.controller_ports[1]  # where the voter set says it is
    own.write_config()
    shutil.copytree(kafka.data_directory, own.data_directory)
    latest = snapshots(own.metadata_directory)[-1]
    own.start()
    try:
        own.wait_ready()
        rows = tail(cluster)
        shown_below_latest(cluster.bootstrap_controllers, own.metadata_directory)
    finally:
        own.stop()
    of_snapshot = [row for row in rows if "snapshot" in row]
    assert comparable(of_snapshot) == dumped(java, latest)
    of_log = comparable(rows[len(of_snapshot) :])
    assert min(of_log) == int(latest.name[:20])
    theirs = dumped_log(java, own.metadata_directory)
    assert of_log == {offset: theirs[offset] for offset in of_log}


def test_a_tail_overtaken_by_retention_continues_over_the_snapshot(tmp_path: Path) -> None:
    """Of a node of ours that never stopped: its log starts where its oldest snapshot ends."""
    with OwnNode(
        tmp_path,
        {
            **SNAPSHOTS,
            "internal.metadata.log.segment.bytes": "1500",
            "metadata.max.retention.bytes": "12000",
        },
    ) as own:
        source = ("--bootstrap-controller", own.bootstrap_controller)
        with Following.start(*source) as following, QuotaWriter.open(own.port) as writer:
            following.wait_for("RegisterControllerRecord")
            read = int(following.rows()[-1]["offset"])
            following.process.send_signal(signal.SIGSTOP)
            for number in itertools.count():
                writer.set(f"user-{number % 20}", "producer_byte_rate", 1.0 + number)
                starts = int(segments(own.metadata_directory)[0].stem)
                if starts > read + 50 and len(snapshots(own.metadata_directory)) > 1:
                    break
            following.process.send_signal(signal.SIGCONT)
            writer.set("the last one", "producer_byte_rate", 5.0)
            following.wait_for("the last one")
            assert following.interrupt() == 0
        rows = following.rows()
        bridged = [row["snapshot"]["endOffset"] for row in rows if "snapshot" in row]
        assert bridged and bridged[0] > read + 50
        after = rows[rows.index(next(row for row in rows if "snapshot" in row)) + len(bridged) :]
        assert after[0]["offset"] == bridged[0]
        assert [row["offset"] for row in after] == list(range(bridged[0], bridged[0] + len(after)))
        shown_below_latest(own.bootstrap_controller, own.metadata_directory)


def forget_before(directory: Path, end_offset: int) -> None:
    """Delete the segments that a snapshot covers, as retention does a minute later."""
    starts = [int(path.stem) for path in segments(directory)]
    for start, next_start in itertools.pairwise(starts):
        if next_start <= end_offset:
            for suffix in ("log", "index", "timeindex"):
                (directory / f"{start:020d}.{suffix}").unlink(missing_ok=True)
