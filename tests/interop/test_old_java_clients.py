"""Java consumers of ten years: all that know our batch format read it, older ones say why not."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from tests.interop.disk_records import data_records
from tools.kafka import ToolResult
from tools.kafka.helper import compiled
from tools.kafka.jars import clients_libs
from tools.kafka.jvm import SHORT_LIVED_FLAGS, command
from tools.kafka.tool import finished
from tools.own_node import OwnNode
from tools.quota_writer import QuotaWriter

SOURCE = Path(__file__).parents[2] / "tools/java/OldConsumer.java"
TIMEOUT_S = 60
RECORDS = 15


def consume(version: str, servers: str, count: int) -> ToolResult:
    libs = clients_libs(version)
    classes = compiled(SOURCE, libs)
    run = command(libs, "OldConsumer", flags=SHORT_LIVED_FLAGS, class_path=(classes,))
    return finished([*run, servers, str(count)], TIMEOUT_S)


@pytest.mark.parametrize("version", ["0.11.0.3", "1.1.1", "2.8.2", "3.9.1"])
def test_a_java_consumer_of_an_older_release_reads_every_record(
    version: str, node: OwnNode
) -> None:
    with QuotaWriter.open(node.port) as writer:
        for number in range(RECORDS):
            writer.set(f"{version}-{number}", "producer_byte_rate", 1.0)
    done = consume(version, node.bootstrap_server, RECORDS)
    assert done.exit_code == 0, done.stderr
    told = [line.split() for line in done.stdout.splitlines()]
    seen = [
        (int(offset), int(timestamp_ms), base64.b64decode(value))
        for offset, timestamp_ms, value in told
    ]
    expected = data_records(node.metadata_directory)[:RECORDS]
    assert seen == [(one.offset, one.timestamp_ms, one.value) for one in expected]


def test_a_java_consumer_older_than_this_batch_format_fails_clearly(
    node: OwnNode,
) -> None:
    done = consume("0.10.2.2", node.bootstrap_server, 1)
    assert done.exit_code == 1
    assert done.stdout == ""
    # 35 is UNSUPPORTED_VERSION; this release has no name for it, but says it and stops.
    assert "error code 35 while fetching data" in done.stderr
