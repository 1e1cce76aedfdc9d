"""Directories go between releases of Kafka and us: formatted, written, snapshotted, equal state.

Kafka serves the directory first, then we, then Kafka again. Every snapshot that lies there in the
end, by either implementation, holds just the records that a replay of the whole log gives.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import define

from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.cli.main import run
from metaquorum.client.connection import Connection
from metaquorum.metadata.reading import read_metadata_batch
from metaquorum.metadata.state import ABORT_TRANSACTION
from metaquorum.records.builder import build_batch
from metaquorum.storage.names import snapshot_file
from metaquorum.wire.generated import describe_client_quotas_request
from tests.every_record import config, value
from tests.interop.controller_writes import write_everything
from tests.interop.directory_states import (
    lines_of_snapshot,
    lines_of_state,
    log_batches,
    replayed,
    snapshots,
)
from tools.kafka import JavaHelper, jars, jvm
from tools.kafka.node import KafkaNode
from tools.kafka.ports import LOOPBACK
from tools.kafka.shell import KafkaShell
from tools.kafka.tool import ToolResult, run_tool
from tools.own_node import OwnNode, metaquorum
from tools.process import until
from tools.quota_writer import QuotaWriter

SNAPSHOT_EVERY_BYTES = 2_000
PATIENCE_S = 30.0
DESCRIBE_CLIENT_QUOTAS = 48
USER = "SCRAM-SHA-256=[name=first,salt=N3E=,saltedpassword=YCE=]"
QUOTAS_A_LIFE = 25


@pytest.fixture(scope="module")
def shell() -> Iterator[KafkaShell]:
    """Kafka's metadata shell over the newest release's image, which reads all older ones."""
    with KafkaShell(jars.libs("4.4.0")) as running:
        yield running


@define
class Shared:
    """One directory, its two possible servers, and what was written into it."""

    ours: OwnNode
    theirs: KafkaNode
    quotas: dict[str, float]
    life: int = 0

    @property
    def directory(self) -> Path:
        return self.ours.metadata_directory

    @property
    def legacy_file(self) -> Path:
        return self.ours.data_directory / "bootstrap.checkpoint"

    def served_by_kafka(self) -> None:
        """One life of Kafka's controller, with all kinds of writes, until it wrote a snapshot."""
        self.life += 1
        before = snapshots(self.directory)
        self.theirs.start()
        try:
            self.theirs.wait_ready()
            until(self.ours.leads, "the controller does not lead")
            write_everything(self.ours.controller_port, self.ours.cluster_id, life=self.life)
            self._write_quotas()
            until(lambda: snapshots(self.directory) != before, "Kafka wrote no snapshot")
        finally:
            self.theirs.stop()

    def served_by_us(self) -> None:
        """One life of our node: it knows what was written before, writes more, and a snapshot."""
        self.life += 1
        before = snapshots(self.directory)
        self.ours.start()
        try:
            self.ours.wait_ready()
            assert self._described() == self.quotas
            self._write_quotas()
            assert self._described() == self.quotas
            until(lambda: snapshots(self.directory) != before, "we wrote no snapshot")
        finally:
            self.ours.stop()

    def _write_quotas(self) -> None:
        with QuotaWriter.open(self.ours.controller_port) as writer:
            for number in range(QUOTAS_A_LIFE):
                user = f"user-{self.life}-{number}"
                writer.set(user, "producer_byte_rate", 1000.0 + number)
                self.quotas[user] = 1000.0 + number

    def _described(self) -> dict[str, float]:
        request = describe_client_quotas_request.DescribeClientQuotasRequest([], False)
        with Connection.open(LOOPBACK, self.ours.controller_port) as connection:
            answer = connection.ask(DESCRIBE_CLIENT_QUOTAS, 1, request)
        return {one.entity[0].entity_name: one.values[0].value for one in answer.entries}


def shared(directory: Path, version: str, *, static: bool = False) -> Shared:
    properties = {
        "metadata.log.max.record.bytes.between.snapshots": str(SNAPSHOT_EVERY_BYTES),
        "broker.session.timeout.ms": "60000",  # the broker that was made up stays unfenced
    }
    ours = OwnNode(directory, properties, for_kafka_too=True)
    if static:
        voters = f"1@{LOOPBACK}:{ours.controller_port}"
        ours.properties = {**properties, "controller.quorum.voters": voters}
    return Shared(ours, KafkaNode(directory, {}, version, jvm.SHORT_LIVED_FLAGS), {})


def formatted_by_kafka(node: Shared, *arguments: str) -> None:
    config = node.ours.write_config()
    done: ToolResult = run_tool(
        *("storage", "format", "-t", node.ours.cluster_id, "-c", config, "-S", USER, *arguments),
        version=node.theirs.version,
    )
    assert done.exit_code == 0, done.stderr


def formatted_by_us(node: Shared, *arguments: str) -> None:
    config = node.ours.write_config()
    done = metaquorum(
        *("storage", "format", "-t", node.ours.cluster_id, "-c", config, "-S", USER, *arguments)
    )
    assert done.exit_code == 0, done.stderr


def check_snapshots(directory: Path) -> list[OffsetAndEpoch]:
    """Each says what a replay of the log says; all of them."""
    found = snapshots(directory)
    for snapshot in found:
        replay = replayed(directory, snapshot.offset)
        assert lines_of_snapshot(directory, snapshot) == lines_of_state(replay), snapshot
    return found


def check_dumps(java: JavaHelper, directory: Path) -> None:
    """Kafka's dump-log reads every checkpoint, the zero checkpoint among them."""
    for path in sorted(directory.glob("*.checkpoint")):
        done = java.tool("dump-log", "--cluster-metadata-decoder", "--files", path)
        assert done.exit_code == 0, done.stderr
        assert "isvalid: true" in done.stdout and "isvalid: false" not in done.stdout
        assert "SnapshotFooter" in done.stdout and "Error at" not in done.stdout
        assert "skipping" not in done.stdout


def check_trees(shell: KafkaShell, directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Kafka's shell and ours show every checkpoint, of either one, and the log line by line."""
    (segment,) = directory.glob("*.log")
    names = [snapshot_file(one) for one in snapshots(directory)]
    capsys.readouterr()
    for path in [segment, *(directory / name for name in names)]:
        (theirs,) = shell.run(path, ["tree", "/image"])
        assert run(["metadata", "-q", "tree", "/image", "--snapshot", str(path)]) == 0
        assert capsys.readouterr().out == theirs, path.name
        assert "metadataVersion:" in theirs


def go_around(
    java: JavaHelper, shell: KafkaShell, node: Shared, capsys: pytest.CaptureFixture[str]
) -> None:
    """Kafka, we, Kafka again, from a snapshot of ours."""
    node.served_by_kafka()
    (first, *_) = check_snapshots(node.directory)
    state = replayed(node.directory)
    assert [name for (name, _), _ in state.live().scram.items() if name == "first"] == ["first"]
    node.served_by_us()
    assert not node.legacy_file.exists(), "a snapshot with records was loaded"
    ours = check_snapshots(node.directory)[-1]
    node.served_by_kafka()
    found = check_snapshots(node.directory)
    assert first < ours < found[-1]
    check_dumps(java, node.directory)
    check_trees(shell, node.directory, capsys)


@pytest.mark.parametrize("version", ["3.9.1", "4.3.1", "4.4.0"])
def test_a_directory_that_kafka_formatted_is_served_in_turn(
    java: JavaHelper,
    shell: KafkaShell,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    version: str,
) -> None:
    node = shared(tmp_path, version)
    formatted_by_kafka(node, "--standalone")
    assert node.legacy_file.exists() == (version != "4.4.0")
    go_around(java, shell, node, capsys)


@pytest.mark.parametrize(
    ("version", "flags"),
    [("4.4.0", ("-r", "4.4")), ("4.3.1", ("--legacy-bootstrap",))],
    ids=["4.4.0", "4.3.1"],
)
def test_a_directory_that_we_formatted_is_served_in_turn(
    java: JavaHelper,
    shell: KafkaShell,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    version: str,
    flags: tuple[str, ...],
) -> None:
    node = shared(tmp_path, version)
    formatted_by_us(node, "--standalone", *flags)
    go_around(java, shell, node, capsys)


def die_inside_a_transaction(directory: Path, life: int) -> None:
    """What a leader leaves that dies between the batches of a metadata transaction."""
    *_, (header, _) = log_batches(directory)
    begun = [
        value("BeginTransaction", name="never ended"),
        value("Topic", name=f"never-{life}", topic_id=bytes([life]) * 16),
    ]
    went_on = [config(4, "", "never.set", str(life))]
    at = header.next_offset
    *_, segment = sorted(directory.glob("*.log"))
    with segment.open("ab") as file:
        for values in (begun, went_on):
            pairs = [(None, one) for one in values]
            epoch, now = header.leader_epoch, header.max_timestamp_ms
            batch = build_batch(pairs, timestamp_ms=now, base_offset=at, leader_epoch=epoch)
            file.write(batch)
            at += len(values)


def aborted(directory: Path) -> list[str]:
    """The reasons of all aborted transactions of the log."""
    every = (
        one
        for header, batch in log_batches(directory)
        for one in read_metadata_batch(batch, header)
    )
    return [one.message.reason for one in every if one.type == ABORT_TRANSACTION]


def test_a_new_leader_aborts_a_transaction_left_open_by_a_dead_one(
    java: JavaHelper, tmp_path: Path
) -> None:
    """By Kafka's controller and by ours alike, and the state is as if it had never begun."""
    node = shared(tmp_path, "4.3.1")
    node.ours.properties["metadata.log.max.record.bytes.between.snapshots"] = "20971520"
    formatted_by_us(node, "--standalone", "--legacy-bootstrap")
    lives = (node.ours, node.theirs, node.ours)
    states: list[list[str]] = []
    for life, one in enumerate(lives):
        one.start()
        try:
            one.wait_ready()
            until(node.ours.leads, "the controller does not lead")
        finally:
            one.stop()
        state = replayed(node.directory)
        assert state.transaction is None
        states.append([line for line in lines_of_state(state) if "RegisterController" not in line])
        assert aborted(node.directory) == ["Controller failover"] * life
        die_inside_a_transaction(node.directory, life)
    assert states[0] == states[1] == states[2]
    shown = metaquorum("metadata", "tree", "/image", "--log-dir", str(node.directory))
    assert "never" not in shown.stdout
    assert "the metadata transaction that begins there is not finished" in shown.stderr
