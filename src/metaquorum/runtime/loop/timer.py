"""What is to be done when a time has come, where that time moves again and again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from attrs import define, field

from metaquorum.base.clock import Millis

_UNKNOWN: Final[Millis] = -1


@define(eq=False)
class Timer:
    """``fire`` is to be called when the clock has reached ``due()``, and may be at any other time.

    Who changes what ``due`` says calls ``reschedule``. The poller reads ``at_ms``
    before it rests; where it rests already, ``on_sooner`` is called with a time before that.
    """

    due: Callable[[], Millis]
    fire: Callable[[], None]
    on_sooner: Callable[[Millis], None] | None = None
    _at_ms: Millis = field(default=_UNKNOWN)

    @property
    def at_ms(self) -> Millis:
        """What ``due`` says; it is asked once for each time that it moved."""
        if self._at_ms == _UNKNOWN:
            self._at_ms = self.due()
        return self._at_ms

    def reschedule(self) -> None:
        """``due`` may say another time than before."""
        before, self._at_ms = self._at_ms, _UNKNOWN
        if self.on_sooner is not None and (before == _UNKNOWN or self.at_ms < before):
            self.on_sooner(self.at_ms)
