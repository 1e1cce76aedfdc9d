"""A line in the log for what happens to a fetch session, with its id and epoch (KIP-227)."""

from __future__ import annotations

from attrs import define, field

from metaquorum.base.clock import Clock, Millis
from metaquorum.base.limits import SESSION_LINES_PER_SECOND
from metaquorum.fetch.session_cache import SessionEvent
from metaquorum.observe.events import EventLog

_WINDOW_MS = 1_000


@define(eq=False)
class SessionLines:
    """Writes the first lines of every second, counts the others and tells their number.

    Clients come and go by the thousand, and a liar may be refused as often as it likes.
    """

    log: EventLog
    clock: Clock
    _since: Millis = field(init=False)
    _written: int = 0
    _left_out: int = 0

    def __attrs_post_init__(self) -> None:
        self._since = self.clock.now_ms()

    def __call__(self, event: SessionEvent) -> None:
        """Write one, or count it."""
        now = self.clock.now_ms()
        if now - self._since >= _WINDOW_MS:
            left_out, self._left_out = self._left_out, 0
            self._since, self._written = now, 0
            if left_out:
                self.log.info("fetch-session-lines-left-out", count=left_out)
        if self._written >= SESSION_LINES_PER_SECOND:
            self._left_out += 1
            return
        self._written += 1
        self.log.info(
            event.name, session=event.session_id, session_epoch=event.epoch, **event.details
        )
