"""Does something at the n-th step of chosen tasks: how a cancel is put at every await in turn."""

from __future__ import annotations

from collections.abc import Callable

import trio
from attrs import define

Task = trio.lowlevel.Task


@define(eq=False)
class Interrupter(trio.abc.Instrument):
    """Counts the steps of the tasks that ``wanted`` picks, and acts once, before the n-th.

    A scope that is cancelled there raises Cancelled at the await that follows in this step.
    """

    steps: int = 0
    fired: bool = False
    _wanted: Callable[[Task], bool] | None = None
    _act: Callable[[Task], None] | None = None
    _at: int = 0

    def arm(self, wanted: Callable[[Task], bool], at: int, act: Callable[[Task], None]) -> None:
        """From now on count anew, and act at step ``at``; the first is 1."""
        self.steps, self.fired = 0, False
        self._wanted, self._act, self._at = wanted, act, at

    def disarm(self) -> bool:
        """Count no more; whether it has acted."""
        self._wanted = None
        return self.fired

    def before_task_step(self, task: Task) -> None:
        """Called by trio."""
        if self._wanted is not None and self._wanted(task):
            self.steps += 1
            if self.steps == self._at and self._act is not None:
                self.fired = True
                self._act(task)
