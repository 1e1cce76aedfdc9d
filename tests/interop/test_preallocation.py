"""The space behind a log that grows fast, for those who read our files: Kafka's own tools and a
controller of Kafka's that starts on what a killed node left (decision 191)."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest

from metaquorum.base.errors import PeerError
from metaquorum.cli.metadata_files import from_file
from metaquorum.client.connection import ConnectionFailed
from metaquorum.storage.partition_log import segments_of, walk_segment
from metaquorum.storage.posix import PosixDisk
from metaquorum.storage.preallocation import MARK
from pyspark_metaquorum.log_bytes import PlacedBatch, batches_between
from tools.kafka import JavaHelper
from tools.kafka.log_errors import kafkas_faults
from tools.kafka.node import KafkaNode
from tools.kafka.shell import KafkaShell
from tools.kafka.tool import ToolResult
from tools.own_node import OwnNode, metaquorum
from tools.process import until
from tools.quota_writer import QuotaWriter

BATCH = re.compile(r"^baseOffset: (\d+) lastOffset: (\d+) .* size: (\d+) .*isvalid: (\w+)$", re.M)
LEFT_OVER = re.compile(r"^Found (\d+) invalid bytes at the end of \d+\.log$", re.M)
PATIENCE_S = 60.0
A_MOMENT_S = 0.02
GONE = "Unexpected EOF"  # space that dump-log had counted on was given back meanwhile
TRIES = 20
LOOKS_BESIDE_A_LOAD = 50


@pytest.fixture
def node(tmp_path: Path) -> Iterator[OwnNode]:
    """One of its own for each test: what it was written before decides whether it preallocates."""
    with OwnNode(tmp_path) as one:
        yield one


@contextmanager
def written_to(node: OwnNode) -> Iterator[list[int]]:
    """A client sets one quota after the other until the end, or until the node goes away."""
    over, done = threading.Event(), list[int]()

    def write() -> None:
        try:
            with QuotaWriter.open(node.controller_port, timeout_ms=5_000) as writer:
                while not over.is_set():
                    writer.set("busy", "producer_byte_rate", float(len(done) + 1))
                    done.append(len(done))
        except (ConnectionFailed, PeerError):
            return

    thread = threading.Thread(target=write)
    thread.start()
    try:
        yield done
    finally:
        over.set()
        thread.join(PATIENCE_S)
        assert not thread.is_alive()


def segment(node: OwnNode) -> Path:
    (found,) = node.metadata_directory.glob("*.log")
    return found


def is_preallocated(node: OwnNode) -> bool:
    content = segment(node).read_bytes()
    return MARK in content and not any(content[content.rindex(MARK) + len(MARK) :])


def wait_for_room(node: OwnNode) -> None:
    until(lambda: is_preallocated(node), "no room behind the log")


def kill_with_room(node: OwnNode) -> None:
    """Kill it while its log has preallocated space; a pause of the disk may have given it back."""
    for _ in range(TRIES):
        wait_for_room(node)
        node.pause()
        if is_preallocated(node):
            node.kill()
            return
        node.resume()
    raise AssertionError(f"its room was gone {TRIES} times")


def dumped(java: JavaHelper, node: OwnNode) -> tuple[int, int]:
    """What Kafka's dump-log finds: the last offset, and bytes that are no batch's."""
    done = dump(java, node)
    assert (done.exit_code, done.stderr) == (0, "")
    return facts(done)


def dump(java: JavaHelper, node: OwnNode) -> ToolResult:
    return java.tool("dump-log", "--cluster-metadata-decoder", "--files", segment(node))


def facts(done: ToolResult) -> tuple[int, int]:
    found = BATCH.findall(done.stdout)
    assert all(valid == "true" for *_, valid in found)
    assert all(int(a[1]) + 1 == int(b[0]) for a, b in pairwise(found))
    left_over = LEFT_OVER.findall(done.stdout)
    return int(found[-1][1]), int(left_over[0]) if left_over else 0


def dumped_with_room(java: JavaHelper, node: OwnNode) -> tuple[int, int]:
    """The same, from a dump that met preallocated space, which was not cut while it read."""
    for _ in range(TRIES):
        wait_for_room(node)
        done = dump(java, node)
        if GONE in done.stderr:
            continue
        assert (done.exit_code, done.stderr) == (0, "")
        last, left_over = facts(done)
        if left_over > 0:
            return last, left_over
    raise AssertionError(f"no room was met in {TRIES} dumps")


def test_our_readers_find_no_fault_in_a_log_that_grows_fast(node: OwnNode) -> None:
    with written_to(node) as done:
        wait_for_room(node)
        before = len(done)
        for _ in range(LOOKS_BESIDE_A_LOAD):
            said: list[str] = []
            assert from_file(str(segment(node)), said.append).end.offset >= before
            assert not said
            file = PosixDisk().open(str(segment(node)), writable=False)
            size = file.size()
            for_spark = list(batches_between(file.read, 0, size, size))
            file.close()
            assert all(isinstance(one, PlacedBatch) for one in for_spark)
            (last,) = segments_of(PosixDisk(), str(node.metadata_directory))
            walked = list(walk_segment(PosixDisk(), last))
            assert len(walked) >= len(for_spark) > before
    assert len(done) > before


def test_kafkas_shell_reads_a_log_up_to_its_room(node: OwnNode) -> None:
    with written_to(node):
        kill_with_room(node)
    assert is_preallocated(node)
    with KafkaShell() as shell:
        (theirs,) = shell.run(segment(node), ["tree", "/image"])
    ours = metaquorum("metadata", "-q", "tree", "/image", "--snapshot", str(segment(node)))
    assert (ours.exit_code, ours.stdout) == (0, theirs)
    assert "busy" in theirs


def test_kafkas_dump_log_reads_a_fast_growing_log_and_one_at_rest(
    java: JavaHelper, node: OwnNode
) -> None:
    assert not is_preallocated(node)
    with written_to(node) as done:
        wait_for_room(node)
        before = len(done)
        last, left_over = dumped_with_room(java, node)
        until(lambda last=last: len(done) > last, "no write after the dump")
    assert last >= before
    assert left_over > len(MARK)
    until(lambda: not is_preallocated(node), "the room stays")
    at_rest, left_over = dumped(java, node)
    assert at_rest > last
    assert left_over == 0


def test_a_controller_of_kafkas_starts_on_what_a_kill_left_of_it(
    java: JavaHelper, tmp_path: Path
) -> None:
    ours = OwnNode(tmp_path, for_kafka_too=True)
    theirs = KafkaNode(tmp_path, {})  # the same directory and the same properties
    ours.format()
    for server in (theirs, ours):
        with ours:
            with written_to(ours) as done:
                kill_with_room(ours)
            acknowledged = len(done)
        assert is_preallocated(ours)
        last, left_over = dumped(java, ours)
        assert last >= acknowledged
        assert left_over > 0
        server.start()
        try:
            server.wait_ready()
        finally:
            server.stop()
        after, left_over = dumped(java, ours)
        assert after > last
        assert left_over == 0
        if server is theirs:
            log = theirs.log_file.read_text(encoding="utf-8")
            assert f"truncating to offset {last + 1}" in log
            assert not kafkas_faults(log.splitlines())
