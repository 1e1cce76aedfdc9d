"""Every client reads every record, byte for byte, from the start and while the log grows."""

from __future__ import annotations

import itertools
import shutil
import subprocess
import threading
from collections.abc import Iterator

import pytest

from tests.interop.disk_records import DiskRecord, data_records
from tests.interop.readers import READERS, Seen
from tools.kafka import JavaHelper
from tools.own_node import OwnNode
from tools.quota_writer import QuotaWriter

BEFORE = 40
WHILE = 25
PATIENCE_S = 60.0


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnNode]:
    """A node of ours that begins a new segment every half second."""
    with OwnNode(tmp_path_factory.mktemp("own"), {"metadata.log.segment.ms": "500"}) as one:
        yield one


def _segments(node: OwnNode) -> int:
    """How many segments the log has; time alone begins a new one, so writers go on until it has."""
    return len(list(node.metadata_directory.glob("*.log")))


@pytest.mark.parametrize("client", READERS)
def test_a_client_reads_all_records_from_the_start_and_as_log_grows(
    client: str, node: OwnNode, java: JavaHelper
) -> None:
    began = threading.Event()
    seen: list[Seen] = []
    failures: list[BaseException] = []
    last_user = f"{client}-last"

    def go_on(record: Seen) -> bool:
        seen.append(record)
        began.set()
        return last_user.encode() not in (record.value or b"")

    def read() -> None:
        try:
            READERS[client](java, node.bootstrap_server, go_on)
        except BaseException as failure:
            failures.append(failure)
        finally:
            began.set()

    with QuotaWriter.open(node.port) as writer:
        for number in itertools.count():
            if number >= BEFORE and _segments(node) > 1:
                break
            writer.set(f"{client}-before-{number}", "producer_byte_rate", 1000.0 + number)
        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        assert began.wait(PATIENCE_S), f"{client} delivered nothing"
        for number in range(WHILE):
            writer.set(f"{client}-while-{number}", "consumer_byte_rate", 2000.0 + number)
        writer.set(last_user, "request_percentage", 50.0)
    reader.join(PATIENCE_S)
    assert not failures, failures
    assert not reader.is_alive(), f"{client} never came to the last record"

    last = seen[-1].offset
    expected = [one for one in data_records(node.metadata_directory) if one.offset <= last]
    assert len(expected) > BEFORE + WHILE
    assert _segments(node) > 1
    assert [_as_told(one, like) for one, like in zip(expected, seen, strict=True)] == seen


def test_the_java_consumer_starts_in_the_middle_and_at_the_end(
    node: OwnNode, java: JavaHelper
) -> None:
    with QuotaWriter.open(node.port) as writer:
        writer.set("middle", "producer_byte_rate", 1.0)
    expected = data_records(node.metadata_directory)
    middle = expected[len(expected) // 2]
    found = java.consume(node.bootstrap_server, from_offset=middle.offset, count=1)
    assert [(one.offset, one.value) for one in found] == [(middle.offset, middle.value)]

    tail = java.tail(node.bootstrap_server, from_offset="end")
    arrived = next(tail)
    tail.close()
    assert arrived.offset > expected[-1].offset


def test_kcat_lists_the_topic_and_queries_its_offsets(node: OwnNode) -> None:
    def kcat(*arguments: str) -> str:
        program = shutil.which("kcat")
        assert program is not None, "kcat is not installed: apt-get install kcat"
        done = subprocess.run(
            [program, "-b", node.bootstrap_server, *arguments],
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=True,
        )
        return done.stdout

    assert 'topic "__cluster_metadata" with 1 partitions' in kcat("-L")
    assert kcat("-Q", "-t", "__cluster_metadata:0:0").split()[-1] == "0"
    shown = kcat("-C", "-t", "__cluster_metadata", "-p", "0", "-o", "-3", "-e", "-f", "%o\n")
    offsets = [int(line) for line in shown.split()]
    assert offsets == list(range(offsets[0], offsets[0] + len(offsets)))
    assert len(offsets) >= 3


def _as_told(record: DiskRecord, like: Seen) -> Seen:
    """What a client should have said of ``record``, as far as this client tells."""
    return Seen(
        record.offset,
        None if like.epoch is None else record.epoch,
        None if like.timestamp_ms is None else record.timestamp_ms,
        # kcat cannot tell null from empty, the others must.
        record.key,
        record.value,
    )
