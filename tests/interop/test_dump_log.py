"""Both dump-log tools are fed the same directories and say the same, to the byte."""

from __future__ import annotations

import itertools
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from metaquorum.records.builder import build_batch
from tools.kafka import JavaHelper, KafkaCluster
from tools.own_node import OwnNode, metaquorum
from tools.quota_writer import QuotaWriter

FLAGS = {
    "decoded": ("--cluster-metadata-decoder",),
    "decoded-without-metadata": ("--cluster-metadata-decoder", "--skip-record-metadata"),
    "batches": (),
    "deep": ("--deep-iteration",),
    "data": ("--print-data-log",),
}


@pytest.fixture(scope="module")
def our_directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory that our server wrote, quotas and all, stopped in order and started again."""
    node = OwnNode(tmp_path_factory.mktemp("ours"))
    node.format()
    for round_number in range(2):
        with node:
            with QuotaWriter.open(node.port) as writer:
                for number in range(10):
                    writer.set(f"user-{round_number}-{number}", "request_percentage", 1.5 + number)
                writer.set(f"user-{round_number}-3", "request_percentage", None)
            node.stop()
    return node.metadata_directory


@pytest.fixture(scope="module")
def their_directory(tmp_path_factory: pytest.TempPathFactory, java: JavaHelper) -> Iterator[Path]:
    """A directory that one Kafka controller wrote, with topics, quotas and a snapshot."""
    directory = tmp_path_factory.mktemp("theirs")
    snapshots = {"metadata.log.max.record.bytes.between.snapshots": "3000"}
    cluster = KafkaCluster(
        directory, controllers=1, controller_properties=snapshots, format_tool=java.tool
    )
    with cluster:
        servers = ("--bootstrap-server", cluster.bootstrap_servers)
        for topic in ("orders", "payments"):
            done = java.tool("topics", *servers, "--create", "--topic", topic, "--partitions", "4")
            assert done.exit_code == 0, done.stderr
        written = cluster.nodes[1].metadata_directory
        for number in itertools.count():  # the snapshot comes when Kafka finds the time for it
            if number >= 30 and len(list(written.glob("*.checkpoint"))) > 1:
                break
            java.alter_quota(
                cluster.bootstrap_servers, {"user": f"user {number}"}, {"request_percentage": 5.0}
            )
        done = java.tool(
            "configs",
            *(*servers, "--alter", "--entity-type", "topics", "--entity-name", "orders"),
            *("--add-config", "retention.ms=86400000"),
        )
        assert done.exit_code == 0, done.stderr
        cluster.stop()
        yield written


def same_output(java: JavaHelper, path: Path, *flags: str) -> str:
    theirs = java.tool("dump-log", *flags, "--files", path)
    ours = metaquorum("dump-log", *flags, "--files", path)
    assert theirs.exit_code == 0, theirs.stderr
    assert ours.exit_code == 0, ours.stderr
    assert ours.stdout == theirs.stdout
    return theirs.stdout


@pytest.mark.parametrize("flags", FLAGS.values(), ids=FLAGS)
def test_our_segments_are_dumped_alike(
    java: JavaHelper, our_directory: Path, flags: tuple[str, ...]
) -> None:
    for segment in sorted(our_directory.glob("*.log")):
        shown = same_output(java, segment, *flags)
        assert "isvalid: true" in shown or "--skip-record-metadata" in flags
        assert "isvalid: false" not in shown


def test_our_checkpoints_and_indexes_are_dumped_alike(
    java: JavaHelper, our_directory: Path
) -> None:
    found = sorted(
        path
        for suffix in ("checkpoint", "index", "timeindex")
        for path in our_directory.glob(f"*.{suffix}")
    )
    assert any(path.suffix == ".checkpoint" for path in found)
    for path in found:
        same_output(java, path, "--cluster-metadata-decoder")


@pytest.mark.parametrize("flags", FLAGS.values(), ids=FLAGS)
def test_kafkas_segments_are_dumped_alike(
    java: JavaHelper, their_directory: Path, flags: tuple[str, ...]
) -> None:
    for segment in sorted(their_directory.glob("*.log")):
        same_output(java, segment, *flags)


def test_bytes_that_are_no_text_are_dumped_alike(java: JavaHelper, tmp_path: Path) -> None:
    """Keys and values of any bytes, most of them those that begin and go on a character."""
    chance = random.Random(5)
    often = bytes.fromhex("41 80 8f 90 9f a0 bf c0 c2 e0 e1 ed ed ed ef f0 f4 f5 f8 ff")

    def value() -> bytes:
        return bytes(
            chance.choice(often) if chance.random() < 0.9 else chance.randrange(256)
            for _ in range(chance.randrange(1, 12))
        )

    records = [(value(), value()) for _ in range(5_000)]
    segment = tmp_path / "00000000000000000000.log"
    segment.write_bytes(build_batch(records, timestamp_ms=1))
    shown = same_output(java, segment, "--print-data-log")
    assert shown.count("| offset: ") == 5_000


def test_kafkas_snapshots_are_dumped_alike(java: JavaHelper, their_directory: Path) -> None:
    checkpoints = sorted(their_directory.glob("*.checkpoint"))
    assert len(checkpoints) > 1, "the cluster should have written a snapshot"
    for path in [*checkpoints, their_directory.parent / "bootstrap.checkpoint"]:
        same_output(java, path, "--cluster-metadata-decoder")


def test_several_files_at_once_are_dumped_alike(java: JavaHelper, our_directory: Path) -> None:
    files = sorted(our_directory.glob("*.log")) + sorted(our_directory.glob("*.checkpoint"))
    theirs = java.tool(
        "dump-log", "--cluster-metadata-decoder", "--files", ",".join(map(str, files))
    )
    ours = metaquorum(
        "dump-log", "--cluster-metadata-decoder", "--files", ",".join(map(str, files))
    )
    assert ours.stdout == theirs.stdout


def test_a_torn_tail_is_dumped_alike(java: JavaHelper, our_directory: Path, tmp_path: Path) -> None:
    segment = sorted(our_directory.glob("*.log"))[-1]
    torn = tmp_path / segment.name
    shutil.copyfile(segment, torn)
    with torn.open("r+b") as file:
        file.truncate(torn.stat().st_size - 7)
    theirs = java.tool("dump-log", "--cluster-metadata-decoder", "--files", torn)
    ours = metaquorum("dump-log", "--cluster-metadata-decoder", "--files", torn)
    assert (ours.stdout, ours.exit_code) == (theirs.stdout, theirs.exit_code)


@pytest.mark.parametrize("place", [17, 21, 30, 43, 53, 56, 58, 66, 70, 200, 300])
def test_rot_is_dumped_alike(
    place: int, java: JavaHelper, our_directory: Path, tmp_path: Path
) -> None:
    spoilt = tmp_path / "00000000000000000000.log"
    content = bytearray((our_directory / spoilt.name).read_bytes())
    content[place] ^= 4
    spoilt.write_bytes(content)
    for flags in ((), ("--deep-iteration",)):
        theirs = java.tool("dump-log", *flags, "--files", spoilt)
        ours = metaquorum("dump-log", *flags, "--files", spoilt)
        assert ours.exit_code == theirs.exit_code
        # Where a record cannot be read both stop; their last line has been begun by then.
        assert ours.stdout.rstrip("\n") in (theirs.stdout.rstrip("\n"), begun(theirs.stdout))


def begun(stdout: str) -> str:
    """What was printed before the line that an exception broke off."""
    return stdout[: stdout.rfind("\n")]


@pytest.mark.parametrize("decoder", ["StringDecoder", "IntegerDecoder", "LongDecoder"])
def test_the_decoders_of_the_tools_decode_alike(
    decoder: str, java: JavaHelper, our_directory: Path
) -> None:
    (segment, *_) = sorted(our_directory.glob("*.log"))
    flags = ("--value-decoder-class", f"org.apache.kafka.tools.api.{decoder}")
    theirs = java.tool("dump-log", *flags, "--max-bytes", "600", "--files", segment)
    ours = metaquorum("dump-log", *flags, "--max-bytes", "600", "--files", segment)
    assert ours.exit_code == theirs.exit_code
    assert ours.stdout.rstrip("\n") in (theirs.stdout.rstrip("\n"), begun(theirs.stdout))


def test_indexes_of_an_empty_log_are_checked_alike(java: JavaHelper, tmp_path: Path) -> None:
    for suffix in ("log", "index", "timeindex"):
        (tmp_path / f"{0:020d}.{suffix}").write_bytes(b"")
    for suffix in ("index", "timeindex"):
        path = tmp_path / f"{0:020d}.{suffix}"
        same_output(java, path, "--index-sanity-check")
        same_output(java, path)


def test_a_damaged_producer_snapshot_stops_neither(java: JavaHelper, tmp_path: Path) -> None:
    path = tmp_path / f"{7:020d}.snapshot"
    path.write_bytes(bytes(10))
    same_output(java, path)
