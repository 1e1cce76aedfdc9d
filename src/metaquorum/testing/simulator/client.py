"""Clients that write, one write after the other, and believe only what they were told.

A write that was not answered in time is *unknown*: it may be committed now, later or never. A
write that was refused because the node is not the leader was not written.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from attrs import define, field

from metaquorum.base.clock import Millis
from metaquorum.base.errors import RequestError
from metaquorum.runtime.loop.promise import Promise
from metaquorum.testing.simulator.book import Book
from metaquorum.testing.simulator.heap import Act, Agenda
from metaquorum.testing.simulator.node import SimNode
from metaquorum.testing.simulator.quota_writes import command
from metaquorum.wire.generated import error_codes

USERS = 12
RETRY_US = 40_000
CLIENT_LATENCY_US = 300
NOT_WRITTEN = (error_codes.NOT_CONTROLLER,)


@define(eq=False)
class Client:
    """One client; ``numbers`` hands out the values that no two writes share."""

    nodes: dict[int, SimNode]
    random: Random
    book: Book
    ask: Act
    agenda: Agenda
    numbers: Callable[[], int]
    pause_ms: Millis
    timeout_ms: Millis
    leader: int = 1
    acknowledged: int = 0
    unknown: int = 0
    refused: int = 0
    _asking: int = field(default=0)
    _stopped: bool = False

    def begin(self) -> None:
        """Ask for the next write, and after its answer for another, until ``stop``."""
        if self._stopped:
            return
        value = self._asking = self.numbers()
        self.book.write_begins(value)
        node = self.nodes[self.leader]
        user = f"u{self.random.randrange(USERS)}"
        self.agenda.after(self.timeout_ms * 1_000, self._timed_out, value)
        if not node.is_up:
            self._over(value, RETRY_US, elsewhere=True)
            return
        life = node.memory.life
        told = (node, user, value)
        self.agenda.after(CLIENT_LATENCY_US, self.ask, node, life, self._ask, *told)

    def stop(self) -> None:
        """Write nothing more."""
        self._stopped = True

    def _ask(self, node: SimNode, user: str, value: int) -> None:
        deadline_ms = node.clock.now_ms() + self.timeout_ms
        promise = node.running.driver.ask_controller(command(user, value), deadline_ms)
        promise.then(lambda done: self._answered(value, done))

    def _answered(self, value: int, done: Promise[Any]) -> None:
        """The reply leaves the node: what it says must be so, whether it arrives or not."""
        try:
            reply = done.result()
        except RequestError as error:
            if value != self._asking:
                return
            if error.code in NOT_WRITTEN:
                self.refused += 1
                self.book.refused[value] = True
            else:
                self.unknown += 1
            self._over(value, RETRY_US, elsewhere=True)
            return
        if reply.entries[0].error_code == error_codes.NONE:
            self.book.write_acknowledged(value)
            self.acknowledged += 1
        if value == self._asking:
            self._over(value, self.random.randrange(2 * self.pause_ms * 1_000 + 1), False)

    def _timed_out(self, value: int) -> None:
        if value == self._asking:
            self.unknown += 1
            self._over(value, 0, elsewhere=True)

    def _over(self, value: int, pause_us: int, elsewhere: bool) -> None:
        self._asking = 0
        if elsewhere:
            self.leader = self._next()
        self.agenda.after(pause_us, self._begin_again)

    def _begin_again(self) -> None:
        if self._asking == 0:
            self.begin()

    def _next(self) -> int:
        """The leader that some node names, else any node."""
        ids = sorted(self.nodes)
        told = self.nodes[self.random.choice(ids)]
        named = told.running.driver.leader.leader_id if told.is_up else None
        return named if named in self.nodes else self.random.choice(ids)
