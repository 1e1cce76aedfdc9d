"""Server processes of any program: one with a directory of its own, and how tests wait for it."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import AnyStr, ClassVar, Generic, Protocol, Self, TypeVar

from attrs import define, field

T = TypeVar("T")
POLL_S = 0.02
PATIENCE_S = 60.0


class ServerFailed(Exception):
    """A process ended, or something did not happen in time; the message ends with its log."""


def until(
    look: Callable[[], T | None],
    why: str | Callable[[], str] = "it did not happen",
    within_s: float = PATIENCE_S,
    poll_s: float = POLL_S,
) -> T:
    """Call ``look`` until it returns something true, and return that.

    Raises ServerFailed with ``why`` when the time is over.
    """
    ends = time.monotonic() + within_s
    while not (found := look()):
        if time.monotonic() > ends:
            raise ServerFailed(f"{why if isinstance(why, str) else why()} (in {within_s} s)")
        time.sleep(poll_s)
    return found


def end_by_stdin(process: subprocess.Popen[AnyStr], timeout_s: float) -> None:
    """End a process that ends when its standard input does; kill it if it has not in time."""
    assert process.stdin is not None
    with suppress(BrokenPipeError):
        process.stdin.close()
    try:
        process.wait(timeout_s)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class Started(ABC):
    """Started and ready for the length of a ``with``, and killed at its end."""

    __slots__ = ()

    @abstractmethod
    def bring_up(self) -> None:
        """Format what has to be, start it, and wait until it is of use."""

    @abstractmethod
    def kill(self) -> None:
        """Kill whatever still runs."""

    def __enter__(self) -> Self:
        try:
            self.bring_up()
        except BaseException:
            self.kill()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()


@define
class ServerProcess(Started):
    """Properties, ``log.dirs`` and log file in ``directory``, and the process while it runs.

    A kind of server says how it is started and how it is known to be ready. As a context manager
    it is started and ready inside, and killed afterwards.
    """

    stop_timeout_s: ClassVar[float] = 30.0
    ready_timeout_s: ClassVar[float] = 30.0
    ready_poll_s: ClassVar[float] = 0.01

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
    def log_files(self) -> list[Path]:
        """Of each life, in no order."""
        return list(self.directory.glob(f"{self.log_name}*"))

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
        """Start the process; an interrupt at the terminal is ours to pass on.

        The log of the life before is kept beside, unless this one is to ``append`` to it.
        """
        if self.pid is not None:
            raise ServerFailed("it runs already")
        if self.log_file.exists() and not append:
            self.log_file.rename(self.directory / f"{self.log_name}.life-{len(self.log_files)}")
        with self.log_file.open("ab" if append else "wb") as log:
            self._process = subprocess.Popen(
                [*command, self.config_file],
                cwd=self.directory,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @abstractmethod
    def start(self) -> None:
        """Start the process in the background; ``wait_ready`` tells when it serves."""

    @abstractmethod
    def is_ready(self) -> bool:
        """Whether it is of use by now."""

    def bring_up(self) -> None:
        self.start()
        self.wait_ready()

    def wait_ready(self, timeout_s: float | None = None) -> None:
        """Wait until it is ready; ServerFailed when it ends before, or the time is over."""
        until(
            self._is_ready_or_fails,
            lambda: f"it is not ready:\n{self.log_tail()}",
            timeout_s or self.ready_timeout_s,
            self.ready_poll_s,
        )

    def _is_ready_or_fails(self) -> bool:
        if self.is_ready():
            return True
        if self.pid is None:
            raise ServerFailed(f"it ended while starting:\n{self.log_tail()}")
        return False

    def log_tail(self, lines: int = 30) -> str:
        """The last lines of its log."""
        if not self.log_file.exists():
            return f"{self.directory.name} has not been started"
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
        """SIGKILL: nothing is flushed, no connection is closed in order."""
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


class Node(Protocol):
    """What a cluster does with each of its nodes, whatever program it is."""

    @property
    def pid(self) -> int | None: ...

    def kill(self) -> None: ...

    def log_tail(self, lines: int) -> str: ...


N = TypeVar("N", bound=Node)


@define(eq=False)
class Cluster(Started, Generic[N]):
    """Server processes by node id, as one thing to start and stop."""

    nodes: dict[int, N] = field(factory=dict, init=False, kw_only=True)

    @abstractmethod
    def format(self) -> None:
        """Prepare every node's directory."""

    @abstractmethod
    def start(self) -> None:
        """Start every node, and wait until the cluster is of use."""

    def bring_up(self) -> None:
        self.format()
        self.start()

    def signal(self, node_id: int, number: signal.Signals) -> None:
        """Send a signal to a node's process; nothing is waited for."""
        pid = self.nodes[node_id].pid
        if pid is not None:
            os.kill(pid, number)

    def kill(self) -> None:
        """Kill whatever still runs."""
        for node in self.nodes.values():
            node.kill()

    def log_tails(self, among: Iterable[int] | None = None) -> str:
        """The last lines of the logs of these nodes, of all by default."""
        return "\n".join(self.nodes[one].log_tail(12) for one in among or self.nodes)
