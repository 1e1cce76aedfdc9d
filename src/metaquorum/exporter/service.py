"""The exporter as a process: two threads that read, and the pages that show what they know.

The readers block, so each has a thread. The pages are served by trio and look at what the threads
left; they never ask them, so a scrape takes the time that it takes to write the text.
"""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final

import trio
from attrs import define, field, frozen

from metaquorum.base.clock import Millis
from metaquorum.client.security import Security
from metaquorum.config.listeners import HostPort
from metaquorum.exporter.followed_log import FollowedLog
from metaquorum.exporter.known import LOG, QUORUM, Known
from metaquorum.exporter.log_follower import LogFollower
from metaquorum.exporter.metrics import families
from metaquorum.exporter.quorum_poller import QuorumPoller
from metaquorum.exporter.source import Source
from metaquorum.observe.events import EventLog
from metaquorum.observe.health import Health
from metaquorum.observe.metrics import Family
from metaquorum.observe.openmetrics import Exposition
from metaquorum.runtime.loop import collector
from metaquorum.runtime.loop.line_writer import standard_error_lines
from metaquorum.server.sockets.metrics_http import metrics_sockets, serve_metrics

SWITCH_INTERVAL_S: Final = 0.001
"""How long one thread may keep the others from Python while it loads a large state."""
STOP_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)


@frozen
class ExporterOptions:
    """What the command line says; ``security`` reads the client's properties anew."""

    bootstrap: tuple[HostPort, ...]
    listen: HostPort
    security: Callable[[], Security]
    interval_ms: int
    min_insync_replicas: int
    per_topic: bool


@define(eq=False)
class Exporter:
    """The two readers, and all that they know."""

    follower: LogFollower
    poller: QuorumPoller
    per_topic: bool
    now_ms: Callable[[], Millis]
    wall_ms: Callable[[], Millis]
    stopping: threading.Event = field(factory=threading.Event)

    @classmethod
    def of(cls, options: ExporterOptions, lines: EventLog) -> Exporter:
        """As the options say; nothing runs yet."""
        stopping = threading.Event()
        follower = LogFollower(
            [(place.host, place.port) for place in options.bootstrap],
            options.security,
            FollowedLog(options.min_insync_replicas, options.per_topic),
            Source(LOG, lines, monotonic_ms),
            lines,
            monotonic_ms,
            stopping.wait,
        )
        poller = QuorumPoller(
            options.bootstrap,
            options.security,
            options.interval_ms,
            follower,
            Source(QUORUM, lines, monotonic_ms),
            lines,
            monotonic_ms,
            stopping.wait,
        )
        return cls(follower, poller, options.per_topic, monotonic_ms, wall_ms, stopping)

    def known(self) -> Known:
        """Everything, as it is now."""
        follower, poller = self.follower, self.poller
        return Known(
            self.now_ms(),
            self.wall_ms(),
            follower.figures,
            poller.figures,
            {LOG: follower.source.figures(), QUORUM: poller.source.figures()},
            follower.begun_anew,
        )

    def families(self) -> Iterable[Family]:
        """What a scrape shows."""
        return families(self.known(), per_topic=self.per_topic)

    def health(self) -> Health:
        """Ready: the log was read to its end and both sources work. Alive: it answers."""
        made = Health()
        made.ready_when("log-read", lambda: None if self.follower.log.is_live else "not yet")
        made.ready_when("log", partial(_why_not, self.follower.source))
        made.ready_when("quorum", partial(_why_not, self.poller.source))
        return made

    async def run(
        self,
        listeners: Sequence[trio.SocketListener],
        task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        """Read and serve until cancelled; threads that wait for the network are left to end."""
        exposition, health = Exposition(self), self.health()
        try:
            async with trio.open_nursery() as nursery:
                for work in (self.follower.run, self.poller.run):
                    nursery.start_soon(partial(_in_thread, work))
                nursery.start_soon(serve_metrics, listeners, exposition, health, None)
                task_status.started()
        finally:
            self.stopping.set()
            self.follower.stop()


async def _in_thread(work: Callable[[], None]) -> None:
    await trio.to_thread.run_sync(work, abandon_on_cancel=True)


def _why_not(source: Source) -> str | None:
    return source.failing


def monotonic_ms() -> Millis:
    """Milliseconds that only grow."""
    return time.monotonic_ns() // 1_000_000


def wall_ms() -> Millis:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def run(options: ExporterOptions) -> None:
    """Until SIGTERM or SIGINT. OperatorError is raised when it cannot listen."""
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    collector.set_thresholds()
    with standard_error_lines(_dropped) as writer:
        lines = EventLog(writer.put, wall_ms, dropped=lambda: writer.dropped)
        trio.run(_serve, options, lines)


def _dropped(count: int) -> str:
    return f"{count} lines were dropped"


async def _serve(options: ExporterOptions, lines: EventLog) -> None:
    listeners = await metrics_sockets(options.listen, "--listen")
    exporter = Exporter.of(options, lines)
    with trio.open_signal_receiver(*STOP_SIGNALS) as signals:
        async with trio.open_nursery() as nursery:
            await nursery.start(exporter.run, listeners)
            lines.info("exporter-started", listen=str(options.listen))
            async for number in signals:
                lines.info("exporter-stops", signal=signal.Signals(number).name)
                nursery.cancel_scope.cancel()
                break
