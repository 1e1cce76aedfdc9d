"""One real Kafka process: its properties, its directory, its life."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from pathlib import Path

from attrs import define, field

from tools.kafka import jars, jvm
from tools.kafka.tool import ToolResult, run_tool
from tools.process import ServerFailed, ServerProcess

READY_WORDS = b"Kafka Server started"


@define
class KafkaNode(ServerProcess):
    """A Kafka server that lives in ``directory``; it is formatted before it is started."""

    ready_timeout_s = 90.0
    ready_poll_s = 0.05  # stopped at once after it is ready, it asks itself and logs an error

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
            raise ServerFailed(f"format failed: {done.stdout}{done.stderr}")

    def start(self) -> None:
        flags = (*self.heap_flags, "-Dmetaquorum.log.level=INFO")
        self.launch(jvm.command(jars.libs(self.version), "kafka.Kafka", flags=flags))

    def is_ready(self) -> bool:
        """Whether its log says that the server is up."""
        return READY_WORDS in self.log_file.read_bytes()
