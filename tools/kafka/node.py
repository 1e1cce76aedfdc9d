"""One real Kafka process: its properties, its directory, its life."""

from __future__ import annotations

import functools
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from attrs import define, field

from tools.kafka import jars, jvm
from tools.kafka.tool import ToolResult, run_tool

READY_TIMEOUT_S = 90.0
STOP_TIMEOUT_S = 30.0
READY_WORDS = b"Kafka Server started"
POLL_S = 0.05


class KafkaNodeFailed(Exception):
    """The process ended, or did not get ready; the message ends with its log."""


@define
class KafkaNode:
    """A Kafka server that lives in ``directory`` (properties, log.dirs, log file)."""

    directory: Path
    properties: Mapping[str, str]
    version: str = jars.KAFKA_VERSION
    heap_flags: tuple[str, ...] = jvm.HEAP_FLAGS
    log_name: str = "server.log"
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False)

    @property
    def config_file(self) -> Path:
        return self.directory / "server.properties"

    @property
    def log_file(self) -> Path:
        return self.directory / self.log_name

    @property
    def data_directory(self) -> Path:
        return self.directory / "data"

    @property
    def metadata_directory(self) -> Path:
        """Where ``__cluster_metadata-0`` has its segments and snapshots."""
        return self.data_directory / "__cluster_metadata-0"

    @property
    def pid(self) -> int | None:
        """The process id while it runs."""
        if self._process is None or self._process.poll() is not None:
            return None
        return self._process.pid

    def write_config(self) -> Path:
        """Write server.properties, with ``log.dirs`` inside the node's own directory."""
        self.directory.mkdir(parents=True, exist_ok=True)
        rows = {"log.dirs": str(self.data_directory), **self.properties}
        self.config_file.write_text("".join(f"{key}={value}\n" for key, value in rows.items()))
        return self.config_file

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
        command = jvm.command(jars.libs(self.version), "kafka.Kafka", flags=flags)
        with self.log_file.open("wb") as log:
            self._process = subprocess.Popen(
                [*command, str(self.config_file)],
                cwd=self.directory,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # an interrupt at the terminal is ours to pass on
            )

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

    def log_tail(self, lines: int = 30) -> str:
        """The last lines of its log."""
        return "\n".join(self.log_file.read_text(errors="replace").splitlines()[-lines:])

    def stop(self) -> None:
        """SIGTERM, and SIGKILL when it does not end in time."""
        if self._process is None:
            return
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(STOP_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
        self._process.wait()
        self._process = None

    def kill(self) -> None:
        """SIGKILL: nothing is flushed, nobody is told."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def resident_bytes(self) -> int:
        """Resident memory of the process now (Linux)."""
        for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
        raise KafkaNodeFailed("no resident memory in its status")
