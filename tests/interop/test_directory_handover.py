"""One directory, served by our node and by Kafka's controller in turn: each goes on where the
other stopped, was it told to or killed."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from tools.kafka import JavaHelper
from tools.kafka.node import KafkaNode
from tools.own_node import OwnNode

BATCH = re.compile(
    r"^baseOffset: (\d+) lastOffset: (\d+) .*partitionLeaderEpoch: (\d+) .*isvalid: true$", re.M
)


def batches(java: JavaHelper, directory: Path) -> list[tuple[int, int, int]]:
    """First offset, last offset and epoch of every batch, as Kafka's dump-log sees them."""
    segments = sorted(directory.glob("*.log"))
    assert len(segments) == 1
    done = java.tool("dump-log", "--cluster-metadata-decoder", "--files", segments[0])
    assert done.exit_code == 0, done.stderr
    assert "Non-consecutive" not in done.stderr
    return [(int(a), int(b), int(c)) for a, b, c in BATCH.findall(done.stdout)]


@pytest.mark.parametrize("ending", ["stop", "kill"])
def test_a_directory_goes_from_ours_to_kafkas_and_back(
    java: JavaHelper, tmp_path: Path, ending: str
) -> None:
    ours = OwnNode(tmp_path, for_kafka_too=True)
    theirs = KafkaNode(tmp_path, {})  # the same directory and the same properties
    ours.format()
    known: list[tuple[int, int, int]] = []
    for number, server in enumerate((ours, theirs, ours, theirs, ours), 1):
        server.start()
        try:
            server.wait_ready()
        finally:
            server.stop() if ending == "stop" else server.kill()
        found = batches(java, ours.metadata_directory)
        assert found[: len(known)] == known
        assert found[-1][2] == number, "every start begins one epoch"
        assert all(a[1] + 1 == b[0] for a, b in pairwise(found))
        known = found
    assert not list(ours.metadata_directory.glob("*.deleted"))
