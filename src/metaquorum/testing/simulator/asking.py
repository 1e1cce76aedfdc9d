"""How brokers and operators ask controllers: questions and answers are lost, late, or refused."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from attrs import define

from metaquorum.base.clock import Millis
from metaquorum.base.errors import RequestError
from metaquorum.base.ids import Uuid
from metaquorum.runtime.loop.promise import Promise
from metaquorum.testing.simulator.heap import Act, Agenda
from metaquorum.testing.simulator.node import SimNode
from metaquorum.wire.generated import error_codes

LATENCY_US = 300
PER_MILLE = 1_000

Answer = object | RequestError | None
"""The reply, why there is none, or None where nobody answered in time."""


def fresh_uuid(random: Random) -> Uuid:
    """An id as Kafka draws them: its text never begins with a dash, as those of reserved ids do."""
    return bytes([random.randrange(1, 0xF8)]) + random.randbytes(15)


@define(eq=False)
class Asker:
    """Somebody who asks the node that it takes for the active controller.

    ``lost`` and ``late`` are how many of a thousand questions or answers are; both end with the
    bad weather.
    """

    nodes: dict[int, SimNode]
    random: Random
    ask: Act
    agenda: Agenda
    timeout_ms: Millis
    lost: int = 0
    late: int = 0
    leader: int = 1

    def send(
        self,
        command: Any,
        came: Callable[[Answer], None],
        left: Callable[[Any], None] | None = None,
        arrives: Callable[[SimNode], None] | None = None,
    ) -> None:
        """Ask; ``came`` is called once.

        ``arrives`` is called at the node before it is asked, and ``left`` with its reply, whether
        that gets here or not.
        """
        question = _Question(self, came, left, arrives)
        self.agenda.after(self.timeout_ms * 1_000, question.over, None)
        node = self.nodes[self.leader]
        if not node.is_up:
            self.look_elsewhere()
            self.agenda.after(LATENCY_US, question.over, None)
        elif not self._is(self.lost):
            life = node.memory.life
            self.agenda.after(self._delay_us(), self.ask, node, life, question.ask, node, command)

    def look_elsewhere(self) -> None:
        """Take the leader that some node names, else any node."""
        ids = sorted(self.nodes)
        told = self.nodes[self.random.choice(ids)]
        named = told.running.driver.leader.leader_id if told.is_up else None
        self.leader = named if named in self.nodes else self.random.choice(ids)

    def _is(self, odds: int) -> bool:
        return bool(odds) and self.random.randrange(PER_MILLE) < odds

    def _delay_us(self) -> int:
        if not self._is(self.late):
            return LATENCY_US
        return LATENCY_US + self.random.randrange(2 * self.timeout_ms * 1_000)


@define(eq=False)
class _Question:
    """One question on its way, or its answer."""

    asker: Asker
    came: Callable[[Answer], None]
    left: Callable[[Any], None] | None
    arrives: Callable[[SimNode], None] | None
    is_over: bool = False

    def ask(self, node: SimNode, command: Any) -> None:
        """The question is at the node."""
        if self.arrives is not None:
            self.arrives(node)
        deadline_ms = node.clock.now_ms() + self.asker.timeout_ms
        promise = node.running.driver.ask_controller(command, deadline_ms)
        promise.then(self._answered)

    def _answered(self, done: Promise[Any]) -> None:
        """The reply leaves the node: what it says must be so, whether it arrives or not."""
        asker = self.asker
        answer: Answer
        try:
            answer = done.result()
        except RequestError as error:
            answer = error
        else:
            if self.left is not None:
                self.left(answer)
        if not asker._is(asker.lost):
            asker.agenda.after(asker._delay_us(), self.over, answer)

    def over(self, answer: Answer) -> None:
        """An answer has come, or none in time; what comes later is nobody's."""
        if self.is_over:
            return
        self.is_over = True
        if answer is None or (
            isinstance(answer, RequestError)
            and answer.code in (error_codes.NOT_CONTROLLER, error_codes.REQUEST_TIMED_OUT)
        ):
            self.asker.look_elsewhere()
        self.came(answer)
