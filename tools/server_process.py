"""One server process with a directory of its own, whoever wrote the server."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from attrs import define, field


class ServerFailed(Exception):
    """The process ended, or did not get ready; the message ends with its log."""


@define
class ServerProcess:
    """Properties, ``log.dirs`` and log file in ``directory``, and the process while it runs."""

    stop_timeout_s: ClassVar[float] = 30.0

    directory: Path
    log_name: str = field(default="server.log", kw_only=True)
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False, kw_only=True)

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

    def write_rows(self, rows: Mapping[str, str]) -> Path:
        """Write these into server.properties."""
        self.directory.mkdir(parents=True, exist_ok=True)
        self.config_file.write_text("".join(f"{key}={value}\n" for key, value in rows.items()))
        return self.config_file

    def launch(self, command: Sequence[str | Path], *, append: bool = False) -> None:
        """Start the process; an interrupt at the terminal is ours to pass on."""
        with self.log_file.open("ab" if append else "wb") as log:
            self._process = subprocess.Popen(
                [*command, self.config_file],
                cwd=self.directory,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def log_tail(self, lines: int = 30) -> str:
        """The last lines of its log."""
        return "\n".join(self.log_file.read_text(errors="replace").splitlines()[-lines:])

    def stop(self) -> int | None:
        """SIGTERM, and SIGKILL when it does not end in time; its exit code."""
        if self._process is None:
            return None
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(self.stop_timeout_s)
            except subprocess.TimeoutExpired:
                self._process.kill()
        code = self._process.wait()
        self._process = None
        return code

    def kill(self) -> None:
        """SIGKILL: nothing is flushed, nobody is told."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def pause(self) -> None:
        """SIGSTOP, and return when it stands still: connections stay, files no longer change."""
        if (pid := self.pid) is not None:
            os.kill(pid, signal.SIGSTOP)
            os.waitid(os.P_PID, pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)

    def resume(self) -> None:
        """SIGCONT."""
        if (pid := self.pid) is not None:
            os.kill(pid, signal.SIGCONT)

    def resident_bytes(self) -> int:
        """Resident memory of the process now (Linux)."""
        for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
        raise ServerFailed("no resident memory in its status")
