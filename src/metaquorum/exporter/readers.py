"""The readers of a quorum that is not its own, and everything that they know.

Each of them blocks, and is run in a thread of its own by who wants to know: the exporter under
trio, `metaquorum top` beside its screen. What they know are values that nobody changes, so it may
be taken by any thread at any time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

from attrs import define, field

from metaquorum.base.clock import Millis
from metaquorum.client.security import Security
from metaquorum.config.listeners import HostPort
from metaquorum.exporter.certificate_watch import INTERVALS, CertificateWatch
from metaquorum.exporter.followed_log import FollowedLog
from metaquorum.exporter.known import LOG, QUORUM, Known
from metaquorum.exporter.log_follower import LogFollower
from metaquorum.exporter.quorum_poller import QuorumPoller
from metaquorum.exporter.source import Source
from metaquorum.observe.events import EventLog


def monotonic_ms() -> Millis:
    """Milliseconds that only grow."""
    return time.monotonic_ns() // 1_000_000


def wall_ms() -> Millis:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


@define(eq=False)
class Readers:
    """Each of ``works`` wants a thread, and ends after ``stop``."""

    follower: LogFollower
    poller: QuorumPoller
    now_ms: Callable[[], Millis]
    wall_ms: Callable[[], Millis]
    stopping: threading.Event = field(factory=threading.Event)
    certificates: CertificateWatch | None = None

    @property
    def works(self) -> Sequence[Callable[[], None]]:
        """What is to be run."""
        watch = () if self.certificates is None else (self.certificates.run,)
        return (self.follower.run, self.poller.run, *watch)

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
            {} if self.certificates is None else self.certificates.found,
        )

    def stop(self) -> None:
        """Have both end soon: at the latest when what they ask for has been answered."""
        self.stopping.set()
        self.follower.stop()


def readers_of(
    bootstrap: Sequence[HostPort],
    security: Callable[[], Security],
    interval_ms: int,
    log: FollowedLog,
    lines: EventLog,
) -> Readers:
    """Readers of the quorum at these places; nothing runs yet."""
    stopping = threading.Event()
    follower = LogFollower(
        [(place.host, place.port) for place in bootstrap],
        security,
        log,
        Source(LOG, lines, monotonic_ms),
        lines,
        monotonic_ms,
        stopping.wait,
    )
    poller = QuorumPoller(
        bootstrap,
        security,
        interval_ms,
        follower,
        Source(QUORUM, lines, monotonic_ms),
        lines,
        monotonic_ms,
        stopping.wait,
    )
    certificates = CertificateWatch(
        bootstrap,
        security,
        INTERVALS * interval_ms,
        lambda: poller.figures,
        lines,
        wall_ms,
        stopping.wait,
    )
    return Readers(follower, poller, monotonic_ms, wall_ms, stopping, certificates)
