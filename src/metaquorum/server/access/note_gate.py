"""Lines about closed connections, a few a second: a flood of bad peers must not fill the disk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from attrs import define, field

from metaquorum.base.clock import Clock, Millis
from metaquorum.base.limits import CLOSE_NOTES_PER_SECOND

WINDOW_MS: Final = 1_000


@define(eq=False)
class NoteGate:
    """Passes the first lines of every second on, counts the others and tells their number."""

    note: Callable[[str], None]
    clock: Clock
    _since: Millis = field(init=False)
    _passed: int = 0
    left_out: int = 0

    def __attrs_post_init__(self) -> None:
        self._since = self.clock.now_ms()

    def __call__(self, line: str) -> None:
        """Pass one line on, or count it."""
        self.log_suppressed()
        if self._passed < CLOSE_NOTES_PER_SECOND:
            self._passed += 1
            self.note(line)
        else:
            self.left_out += 1

    def log_suppressed(self) -> None:
        """Once the second is over, say how many lines were left out in it, if any were."""
        now = self.clock.now_ms()
        if now - self._since < WINDOW_MS:
            return
        left_out, self.left_out = self.left_out, 0
        self._since, self._passed = now, 0
        if left_out:
            self.note(f"{left_out} more lines of this kind were left out")
