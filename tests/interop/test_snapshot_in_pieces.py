"""A snapshot of Kafka's controller is fetched in pieces, over a connection that breaks half way."""

from __future__ import annotations

from pathlib import Path

from metaquorum.cli.metadata_files import from_directory
from metaquorum.cli.metadata_point import Point
from metaquorum.metadata.snapshot_writer import snapshot_values
from tests.interop.cutting_proxy import CuttingProxy
from tests.interop.directory_states import snapshots
from tools.kafka import JavaHelper, jvm
from tools.kafka.cluster import random_id
from tools.kafka.node import KafkaNode
from tools.kafka.ports import LOOPBACK, free_ports
from tools.own_node import OwnNode, metaquorum
from tools.process import until
from tools.quota_writer import QuotaWriter

PIECE_BYTES = 300
CUT_AT = 4
QUOTAS = 40
PATIENCE_S = 60.0


def kafka_behind(directory: Path, port: int, listens_at: int) -> KafkaNode:
    """A controller of the real Kafka whose address for others is the proxy's."""
    return KafkaNode(
        directory,
        {
            "process.roles": "controller",
            "node.id": "1",
            "listeners": f"CONTROLLER://{LOOPBACK}:{listens_at}",
            "advertised.listeners": f"CONTROLLER://{LOOPBACK}:{port}",
            "controller.listener.names": "CONTROLLER",
            "listener.security.protocol.map": "CONTROLLER:PLAINTEXT",
            "controller.quorum.bootstrap.servers": f"{LOOPBACK}:{port}",
            "metadata.log.max.record.bytes.between.snapshots": "2000",
        },
        heap_flags=jvm.SHORT_LIVED_FLAGS,
    )


def format_observer(node: OwnNode) -> None:
    """A controller that is no voter."""
    done = metaquorum(
        *("storage", "format", "-t", node.cluster_id, "-c", node.write_config()),
        "--no-initial-controllers",
    )
    assert done.exit_code == 0, done.stderr


def records_at(directory: Path, offset: int) -> list[bytes]:
    """The state that a directory holds at an offset, as a snapshot's records."""
    state = from_directory(str(directory), Point(str(offset), offset=offset), print)
    return sorted(snapshot_values(state.view))


def test_a_broken_snapshot_fetch_resumes_and_the_state_is_kafkas(
    tmp_path: Path, java: JavaHelper
) -> None:
    port, listens_at = free_ports(2)
    kafka = kafka_behind(tmp_path / "kafka", port, listens_at)
    cluster_id = random_id()
    kafka.format(cluster_id, "--standalone", tool=java.tool)
    ours = OwnNode(
        tmp_path / "ours",
        {
            "controller.quorum.bootstrap.servers": f"{LOOPBACK}:{port}",
            "controller.quorum.fetch.snapshot.max.bytes": str(PIECE_BYTES),
        },
        node_id=2,
        cluster_id=cluster_id,
    )
    with CuttingProxy(port, listens_at, CUT_AT) as proxy:
        kafka.start()
        try:
            kafka.wait_ready()
            with QuotaWriter.open(listens_at) as writer:
                for number in range(QUOTAS):
                    writer.set(f"user-{number}", "producer_byte_rate", 1000.0 + number)
            until(lambda: bool(snapshots(kafka.metadata_directory)), kafka.log_tail)
            format_observer(ours)
            ours.start()
            until(lambda: "snapshot-installed" in ours.log_file.read_text(), ours.log_tail)
            (installed,) = snapshots(ours.metadata_directory)
            until(lambda: caught_up(ours.metadata_directory, installed.offset), ours.log_tail)
        finally:
            ours.stop()
            kafka.stop()

    assert proxy.cuts == 1
    wanted = [one for one in proxy.asked if one.end_offset == installed.offset]
    assert {(one.epoch, one.leader_epoch) for one in wanted} == {(installed.epoch, 1)}
    positions = [one.position for one in wanted]
    # The piece that was cut is asked for once more, on another connection; none before it is.
    broken = positions.index(positions[CUT_AT - 1])
    assert positions[broken] == positions[broken + 1] == (CUT_AT - 1) * PIECE_BYTES
    assert wanted[broken].connection < wanted[broken + 1].connection
    assert positions[:broken] + positions[broken + 1 :] == list(
        range(0, positions[-1] + 1, PIECE_BYTES)
    )
    name = f"{installed.offset:020d}-{installed.epoch:010d}.checkpoint"
    whole = (kafka.metadata_directory / name).read_bytes()
    assert (ours.metadata_directory / name).read_bytes() == whole
    assert len(whole) > positions[-1] > CUT_AT * PIECE_BYTES
    for offset in (installed.offset - 1, installed.offset + 1):
        assert records_at(ours.metadata_directory, offset) == records_at(
            kafka.metadata_directory, offset
        )


def caught_up(directory: Path, installed_end: int) -> bool:
    """Whether some of the log behind the snapshot is there too."""
    return from_directory(str(directory), Point(), lambda text: None).end.offset > installed_end
