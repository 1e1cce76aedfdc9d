"""One real Kafka process: its properties, its directory, its life."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from attrs import define, field

from tools.kafka import jars, jvm
from tools.kafka.tool import ToolResult, run_tool
from tools.server_process import ServerFailed, ServerProcess

READY_TIMEOUT_S = 90.0
READY_WORDS = b"Kafka Server started"
POLL_S = 0.05


class KafkaNodeFailed(ServerFailed):
    """The process ended, or did not get ready; the message ends with its log."""


@define
class KafkaNode(ServerProcess):
    """A Kafka server that lives in ``directory``."""

    properties: Mapping[str, str] = field(factory=dict)
    version: str = jars.KAFKA_VERSION
    heap_flags: tuple[str, ...] = jvm.HEAP_FLAGS

    def write_config(self) -> Path:
        """Write server.properties, with ``log.dirs`` inside the node's own directory."""
        return self.write_rows({"log.dirs": str(self.data_directory), **self.properties})

    def format(
        self, cluster_id: str, *arguments: str, tool: Callable[..., ToolResult] | None = None
    ) -> None:
        """Format the data directory with Kafka's own storage tool.

        ``tool`` runs it: a warm JavaHelper's, say; by default a JVM of its own does.
        """
        self.write_config()
        run = tool or functools.partial(run_tool, version=self.version)
        done = run("storage", "format", "-t", cluster_id, "-c", self.config_file, *arguments)
        if done.exit_code != 0:
            raise KafkaNodeFailed(f"format failed: {done.stdout}{done.stderr}")

    def start(self) -> None:
        """Start the process in the background; ``wait_ready`` tells when it serves."""
        if self.pid is not None:
            raise KafkaNodeFailed("it runs already")
        flags = (*self.heap_flags, "-Dmetaquorum.log.level=INFO")
        self.launch(jvm.command(jars.libs(self.version), "kafka.Kafka", flags=flags))

    def wait_ready(self, timeout_s: float = READY_TIMEOUT_S) -> None:
        """Wait until its log says that the server is up.

        Raises KafkaNodeFailed when the process ends before, or the time is over.
        """
        ends = time.monotonic() + timeout_s
        while READY_WORDS not in self.log_file.read_bytes():
            if self.pid is None:
                raise KafkaNodeFailed(f"it ended while starting:\n{self.log_tail()}")
            if time.monotonic() > ends:
                raise KafkaNodeFailed(f"not ready after {timeout_s} s:\n{self.log_tail()}")
            time.sleep(POLL_S)
