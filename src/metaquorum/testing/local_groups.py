"""A group coordinator over a log in memory, which commits whatever is appended at once.

It is the port that handlers ask (``server.services.GroupPort``). Time passes when a test says so.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from attrs import define, field

from metaquorum.base.clock import Clock, Millis
from metaquorum.base.errors import RequestError
from metaquorum.controller.effects import Effect, Reply
from metaquorum.controller.events import (
    BecameActive,
    CommandArrived,
    HighWatermark,
    TimePassed,
)
from metaquorum.groups.config import GroupConfig
from metaquorum.groups.core import GroupCore
from metaquorum.runtime.loop.promise import Promise
from metaquorum.testing.memory_log import MemoryLog


@define(eq=False)
class LocalGroups:
    """The coordinator is ``node_id``; ``coordinator`` says otherwise where that is tested."""

    clock: Clock
    config: GroupConfig = field(factory=GroupConfig)
    coordinator: int | None = 1
    core: GroupCore = field(init=False)
    asked: list[object] = field(factory=list)
    _drawn: int = 0
    _log: MemoryLog = field(factory=lambda: MemoryLog(1))
    _committed: int = 1
    _replies: dict[Hashable, Promise[Any]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.core = GroupCore(self.config, self._draw)
        self._step(BecameActive(1, self._log.end))

    def coordinator_id(self) -> int | None:
        """As ``coordinator`` says."""
        return self.coordinator

    def ask(self, command: object, *, deadline_ms: Millis) -> Promise[Any]:
        """The core's reply."""
        self.asked.append(command)
        promise: Promise[Any] = Promise()
        number = len(self.asked)
        self._replies[number] = promise
        arrived: Any = command
        self._step(CommandArrived(number, arrived, deadline_ms))
        return promise

    def pass_time(self) -> None:
        """Serve whatever is due on the clock."""
        while self.core.deadline <= self.clock.now_ms():
            self._step(TimePassed())

    def _draw(self) -> bytes:
        self._drawn += 1
        return self._drawn.to_bytes(16, "big")

    def _step(self, event: Any) -> None:
        now, wall_ms = self.clock.now_ms(), self.clock.wall_ms()
        for effect in self.core.step(event, now, wall_ms, self._log):
            self._act(effect)
        if self._committed < self._log.end:
            self._committed = self._log.end
            self._step(HighWatermark(self._committed))

    def _act(self, effect: Effect) -> None:
        if isinstance(effect, Reply):
            promise = self._replies.pop(effect.id)
            if isinstance(effect.response, RequestError):
                promise.fail(effect.response)
            else:
                promise.complete(effect.response)
