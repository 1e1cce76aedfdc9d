"""AlterClientQuotas without a pause, by clients that follow the leader and remember the answers."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from attrs import define, field

from metaquorum.base.errors import PeerError
from metaquorum.client.connection import ConnectionFailed, VersionsDoNotMeet
from metaquorum.testing.linearizability.history import Kind, Operation
from metaquorum.testing.linearizability.log_files import QUOTA
from tools.process import ServerFailed, until
from tools.quota_writer import QuotaRefused, QuotaWriter

CLIENTS = 2
USERS_PER_CLIENT = 6
VALUES_PER_CLIENT = 1_000_000
ANSWER_MS = 2_000
PAUSE_S = 0.01
POLL_S = 0.05


@define(eq=False)
class QuotaLoad:
    """``find_leader`` gives the leader's port, None while no leader is known.

    Every value is written once. A write that was refused, or never answered, counts as one that
    may have been made: a leader of Kafka's that is deposed answers NOT_CONTROLLER for writes that
    its successor commits.
    """

    find_leader: Callable[[], int | None]
    clients: int = CLIENTS
    operations: list[Operation] = field(factory=list)
    _over: threading.Event = field(factory=threading.Event)
    _threads: list[threading.Thread] = field(factory=list)

    def start(self) -> None:
        """Begin to write."""
        for number in range(self.clients):
            thread = threading.Thread(target=self._run, args=(number,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def stop(self) -> None:
        """End; all operations are noted then."""
        self._over.set()
        for thread in self._threads:
            thread.join()
        self._threads.clear()

    @property
    def acknowledged(self) -> int:
        """How many writes were answered with success so far."""
        return sum(one.returned_at is not None for one in list(self.operations))

    def wait_for(self, count: int, why: Callable[[], str], patience_s: float = 60.0) -> None:
        """Wait until ``count`` more writes are acknowledged that began from now on.

        Raises ServerFailed with ``why`` when the time is over, and when a client ended by itself.
        """
        begun = time.monotonic_ns()

        def are_written() -> bool:
            if not all(one.is_alive() for one in self._threads):
                raise ServerFailed("a client of the load ended by itself")
            made = (
                one.returned_at is not None and one.invoked_at >= begun
                for one in list(self.operations)
            )
            return sum(made) >= count

        until(are_written, lambda: f"not {count} writes\n{why()}", patience_s, POLL_S)

    def _run(self, number: int) -> None:
        writer: QuotaWriter | None = None
        value = number * VALUES_PER_CLIENT
        while not self._over.is_set():
            value += 1
            try:
                if writer is None:
                    port = self.find_leader()
                    if port is None:
                        self._over.wait(POLL_S)
                        continue
                    writer = QuotaWriter.open(port, timeout_ms=ANSWER_MS)
            except (ConnectionFailed, PeerError, VersionsDoNotMeet):
                self._over.wait(POLL_S)
                continue
            if not self._write(writer, number, float(value)):
                writer.connection.close()
                writer = None
            self._over.wait(PAUSE_S)
        if writer is not None:
            writer.connection.close()

    def _write(self, writer: QuotaWriter, number: int, value: float) -> bool:
        user = f"user-{number}-{int(value) % USERS_PER_CLIENT}"
        began, ended = time.monotonic_ns(), None
        try:
            writer.set(user, QUOTA, value)
            ended = time.monotonic_ns()
        except (ConnectionFailed, PeerError, VersionsDoNotMeet, QuotaRefused):
            pass
        self.operations.append(Operation(f"client-{number}", Kind.WRITE, user, value, began, ended))
        return ended is not None
