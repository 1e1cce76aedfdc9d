"""Looks after the connections whose requests wait for a byte budget, for as long as any does."""

from __future__ import annotations

import trio
from attrs import define, field

from metaquorum.base.clock import Clock
from metaquorum.base.limits import LOOKS_AT_WAITING_MS, STALLED_LARGE_FRAME_MS
from metaquorum.server.sockets.accounts import RequestBudgets


@define(eq=False)
class WaitingRequests:
    """Nobody reads from a connection that waits, so it is looked at now and then.

    Every LOOKS_AT_WAITING_MS those read on whose requests came whole meanwhile; every
    STALLED_LARGE_FRAME_MS those make way who did not finish theirs (decision 196).
    """

    budgets: RequestBudgets
    clock: Clock
    _anybody: trio.Event = field(factory=trio.Event)

    def wake(self) -> None:
        """A connection waits."""
        self._anybody.set()

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            await self._anybody.wait()
            self._anybody = trio.Event()
            looked_at = self.clock.now_ms()
            while self.budgets.resume_whole():
                await trio.sleep(LOOKS_AT_WAITING_MS / 1_000)
                if self.clock.now_ms() - looked_at >= STALLED_LARGE_FRAME_MS:
                    await self._make_room()
                    looked_at = self.clock.now_ms()

    async def _make_room(self) -> None:
        for budget in self.budgets.all():
            while budget.make_room_for_waiting(self.clock.now_ms()):
                await trio.lowlevel.checkpoint()
