"""What the screen, a page of text and JSON have in common: readers, and what they know as a sight.

The readers run in two threads that nobody waits for at the end of the process: a name that cannot
be looked up blocks for as long as the resolver likes.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

from attrs import define, field

from metaquorum.cli.top.history import History
from metaquorum.cli.top.sight import Sight, sight
from metaquorum.cli.top.watched_log import WatchedLog
from metaquorum.client.security import Security
from metaquorum.config.listeners import HostPort
from metaquorum.exporter.readers import Readers, readers_of, wall_ms
from metaquorum.observe.events import EventLog
from metaquorum.runtime.loop import collector, threads

LOOK_WITHIN_S: Final = 0.05
LINES_KEPT: Final = 200


@define(eq=False)
class Watch:
    """``log`` is what the follower of ``readers`` replays into; ``lines`` are what they said.

    ``fault`` is what ended a reader that nothing should end; it is a fault of ours.
    """

    readers: Readers
    log: WatchedLog
    lines: deque[str]
    history: History = field(factory=History)
    fault: BaseException | None = field(default=None, init=False)

    def start(self) -> None:
        """Begin to read."""
        threads.set_switch_interval()
        collector.set_thresholds()
        for work in (self.readers.follower.run, self.readers.poller.run):
            threading.Thread(target=self._read, args=(work,), daemon=True).start()

    def _read(self, work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:
            self.fault = error

    def stop(self) -> None:
        """Have the readers end soon; it does not wait for them."""
        self.readers.stop()

    def sight(self) -> Sight:
        """What there is to see now. Raises what ended a reader."""
        if self.fault is not None:
            raise self.fault
        known = self.readers.known()
        self.history.take(known)
        return sight(known, self.history)

    def first_sight(self, timeout_s: float) -> Sight:
        """What there is to see once the log was read and the leader asked, or the time is over."""
        return self.sight_when(lambda seen: seen.is_whole, timeout_s)

    def sight_when(self, is_enough: Callable[[Sight], bool], timeout_s: float) -> Sight:
        """The first sight that is enough, or the last one of that time."""
        ends_ms = self.readers.now_ms() + int(timeout_s * 1_000)
        while True:
            seen = self.sight()
            if is_enough(seen) or self.readers.now_ms() >= ends_ms:
                return seen
            self.readers.stopping.wait(0.02)


def watch_of(
    bootstrap: Sequence[HostPort],
    security: Callable[[], Security],
    interval_ms: int,
    min_insync_replicas: int,
) -> Watch:
    """A watch over the quorum at these places; nothing runs yet."""
    lines: deque[str] = deque(maxlen=LINES_KEPT)
    log = WatchedLog(min_insync_replicas)
    events = EventLog(lines.append, wall_ms)
    return Watch(readers_of(bootstrap, security, interval_ms, log, events), log, lines)
