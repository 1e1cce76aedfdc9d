"""What the node tells its service manager: ready, how it does, alive, stopping (decision 227).

All of it is sent by a task of the loop that serves, so a loop that hangs falls silent and the
watchdog sees it. Readiness is what ``/readyz`` says. The watchdog depends on what ``/livez`` says,
which has nothing to do with the quorum: a node without a leader is alive.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import trio
from attrs import define, field

from metaquorum.base.clock import Clock
from metaquorum.observe.events import EventLog
from metaquorum.observe.health import Health, Verdict
from metaquorum.quorum.summary import Summary
from metaquorum.runtime.loop.service_manager import ServiceManager, status_line

STARTING_LOOK_MS: Final = 100
"""Between two looks whether the node is ready yet."""
LOOK_MS: Final = 1_000
"""Between two looks at its role, once it was ready."""
START_EXTENSION_MS: Final = 30_000
"""How long a node that starts may be silent: a voter waits for its quorum as long as it takes."""


@define(eq=False)
class ServiceReports:
    """Reports to ``manager`` from the start of its task until the task is cancelled."""

    manager: ServiceManager
    health: Health
    summary: Callable[[], Summary]
    node_id: int
    clock: Clock
    log: EventLog
    is_ready: bool = field(default=False, init=False)
    _status: str = field(default="", init=False)
    _is_stopping: bool = field(default=False, init=False)
    _extend_at: float = field(default=-math.inf, init=False)
    _ping_at: float = field(default=-math.inf, init=False)
    _has_failed: bool = field(default=False, init=False)

    async def run(self) -> None:
        """Report for as long as the node runs; ends by cancellation."""
        while True:
            self.look()
            pause_ms: float = LOOK_MS if self.is_ready else STARTING_LOOK_MS
            if self.manager.watchdog_ms is not None:
                due_ms = self._ping_at - self.clock.now_ms()
                pause_ms = min(pause_ms, due_ms if due_ms > 0 else self.manager.watchdog_ms / 4)
            await trio.sleep(pause_ms / 1_000)

    def look(self) -> None:
        """Send what is new or due now; what did not leave is tried again at the next look."""
        now = self.clock.now_ms()
        alive, ready = self.health.livez(), self.health.readyz()
        status = self._status_of(alive, ready)
        sent: list[str] = []
        is_new = not self._is_stopping and status != self._status
        if is_new:
            sent.append(status_line(status))
        becomes_ready = not self.is_ready and ready.is_well and not self._is_stopping
        if becomes_ready:
            sent.append("READY=1")
        extends = not self.is_ready and alive.is_well and now >= self._extend_at
        if extends and not self._is_stopping:
            sent.append(f"EXTEND_TIMEOUT_USEC={START_EXTENSION_MS * 1_000}")
        pings = self.manager.watchdog_ms is not None and alive.is_well and now >= self._ping_at
        if pings:
            sent.append("WATCHDOG=1")
        if not sent or not self._sent(*sent):
            return
        if is_new:
            self._status = status
        self.is_ready = self.is_ready or becomes_ready
        if extends:
            self._extend_at = now + LOOK_MS
        if pings and self.manager.watchdog_ms is not None:
            self._ping_at = now + self.manager.watchdog_ms / 2

    def stopping(self, why: str) -> None:
        """The node begins to stop."""
        self._is_stopping = True
        self._sent("STOPPING=1", status_line(f"stopping: {why}"))

    def _sent(self, *assignments: str) -> bool:
        left = self.manager.send(*assignments)
        if not left and not self._has_failed:
            self.log.warn("service-manager-unreachable", why=self.manager.why_not)
        self._has_failed = not left
        return left

    def _status_of(self, alive: Verdict, ready: Verdict) -> str:
        reasons = [
            f"{one.name}: {one.reason}"
            for one in (ready if alive.is_well else alive).findings
            if one.reason is not None
        ]
        if not alive.is_well:
            return f"not alive: {'; '.join(reasons)}"
        if reasons:
            return f"{'not ready' if self.is_ready else 'starting'}: {'; '.join(reasons)}"
        return role_text(self.summary(), self.node_id)


def role_text(summary: Summary, node_id: int) -> str:
    """Role, epoch and leader in one line: ``node 2 is a follower in epoch 3, the leader is 1``."""
    if summary.leader_id == node_id:
        return f"node {node_id} leads epoch {summary.epoch}"
    leader = "no leader is known"
    if summary.leader_id is not None:
        leader = f"the leader is {summary.leader_id}"
    article = "an" if summary.role[:1].lower() in "aeiou" else "a"
    return f"node {node_id} is {article} {summary.role.lower()} in epoch {summary.epoch}, {leader}"


def starting_status(manager: ServiceManager | None, text: str) -> None:
    """Say what happens before there is a loop that reports."""
    if manager is not None:
        manager.send(status_line(f"starting: {text}"))
