"""The exporter as a process: threads that read, and the pages that show what they know.

The readers block, so each has a thread. The pages are served by trio and look at what the threads
left; they never ask them, so a scrape takes the time that it takes to write the text.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final

import trio
from attrs import define, frozen

from metaquorum.client.security import Security
from metaquorum.config.listeners import HostPort
from metaquorum.exporter.followed_log import FollowedLog
from metaquorum.exporter.metrics import families
from metaquorum.exporter.readers import Readers, readers_of, wall_ms
from metaquorum.exporter.source import Source
from metaquorum.observe.events import EventLog
from metaquorum.observe.health import Health
from metaquorum.observe.metrics import Family
from metaquorum.observe.openmetrics import Exposition
from metaquorum.runtime.loop import collector, threads
from metaquorum.runtime.loop.line_writer import standard_error_lines
from metaquorum.server.sockets.metrics_http import metrics_sockets, serve_metrics

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
    """The readers as metrics."""

    readers: Readers
    per_topic: bool

    @classmethod
    def of(cls, options: ExporterOptions, lines: EventLog) -> Exporter:
        """As the options say; nothing runs yet."""
        log = FollowedLog(options.min_insync_replicas, options.per_topic)
        readers = readers_of(options.bootstrap, options.security, options.interval_ms, log, lines)
        return cls(readers, options.per_topic)

    def families(self) -> Iterable[Family]:
        """What a scrape shows."""
        return families(self.readers.known(), per_topic=self.per_topic)

    def health(self) -> Health:
        """Ready: the log was read to its end and both sources work. Alive: it answers."""
        follower, poller = self.readers.follower, self.readers.poller
        made = Health()
        made.ready_when("log-read", lambda: None if follower.log.is_live else "not yet")
        made.ready_when("log", partial(_why_not, follower.source))
        made.ready_when("quorum", partial(_why_not, poller.source))
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
                for work in self.readers.works:
                    nursery.start_soon(partial(_in_thread, work))
                nursery.start_soon(serve_metrics, listeners, exposition, health, None)
                task_status.started()
        finally:
            self.readers.stop()


async def _in_thread(work: Callable[[], None]) -> None:
    await trio.to_thread.run_sync(work, abandon_on_cancel=True)


def _why_not(source: Source) -> str | None:
    return source.failing


def run(options: ExporterOptions) -> None:
    """Until SIGTERM or SIGINT. OperatorError is raised when it cannot listen."""
    threads.set_switch_interval()
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
