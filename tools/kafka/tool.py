"""One run of one of Kafka's command line tools, in a JVM of its own."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

from tools.kafka import jars, jvm

TOOL_TIMEOUT_S = 120
TOOL_CLASSES = {
    "acls": "org.apache.kafka.tools.AclCommand",
    "storage": "kafka.tools.StorageTool",
    "configs": "kafka.admin.ConfigCommand",
    "delegation-tokens": "org.apache.kafka.tools.DelegationTokenCommand",
    "dump-log": "org.apache.kafka.tools.DumpLogSegments",
    "metadata-quorum": "org.apache.kafka.tools.MetadataQuorumCommand",
    "topics": "org.apache.kafka.tools.TopicCommand",
    "get-offsets": "org.apache.kafka.tools.GetOffsetShell",
    "cluster": "org.apache.kafka.tools.ClusterTool",
    "features": "org.apache.kafka.tools.FeatureCommand",
    "broker-api-versions": "org.apache.kafka.tools.BrokerApiVersionsCommand",
    "console-consumer": "org.apache.kafka.tools.consumer.ConsoleConsumer",
    "consumer-groups": "org.apache.kafka.tools.consumer.group.ConsumerGroupCommand",
}


@frozen
class ToolResult:
    """What a tool left behind."""

    exit_code: int
    stdout: str
    stderr: str


def tool_class(name: str) -> str:
    """The class behind a short name; a name with a dot is a class already."""
    return name if "." in name else TOOL_CLASSES[name]


def run_tool(name: str, *arguments: str | Path, version: str = jars.KAFKA_VERSION) -> ToolResult:
    """Run ``name`` (a key of TOOL_CLASSES or a class) and wait for its end."""
    return finished(
        [
            *jvm.command(jars.libs(version), tool_class(name), flags=jvm.SHORT_LIVED_FLAGS),
            *arguments,
        ],
        TOOL_TIMEOUT_S,
    )


def finished(command: Sequence[str | Path], timeout_s: float) -> ToolResult:
    """Run a program to its end; its output as it was, carriage returns included."""
    ran = subprocess.run(
        [str(word) for word in command],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=timeout_s,
        check=False,
    )
    return ToolResult(
        ran.returncode, ran.stdout.decode(errors="replace"), ran.stderr.decode(errors="replace")
    )
