"""The consensus core: a replica's state, and the step that takes it from one event to the next.

``step`` finds the handler of an event and nothing else; the thinking is in ``handlers/`` and
``role_changes.py``. No clock, socket, disk or chance inside: time and chance are arguments, the
rest are effects.
"""

from __future__ import annotations

from attrs import define

from metaquorum.base.clock import Millis
from metaquorum.base.errors import InvariantViolated
from metaquorum.quorum.checks import check
from metaquorum.quorum.effects import Effect
from metaquorum.quorum.events import Event
from metaquorum.quorum.fetch_answers import FetchAnswers
from metaquorum.quorum.handlers import HANDLERS
from metaquorum.quorum.handlers.sends import send_due
from metaquorum.quorum.handlers.time import next_deadline
from metaquorum.quorum.roles.leader import Leader
from metaquorum.quorum.state import ReplicaState


@define(eq=False)
class Replica(ReplicaState):
    """One member of the metadata quorum. Tell it what happened; do what it says, in order.

    The first event is ``Started``. Code that only reads the state, or only changes it from within a
    step, takes a ``ReplicaState``.
    """

    def step(self, event: Event, now: Millis) -> list[Effect]:
        """Take one event; give back everything that has to happen because of it, in order.

        Raises InvariantViolated when an invariant breaks: the process has to stop.
        """
        handler = HANDLERS.get(type(event))
        if handler is None:
            raise InvariantViolated(f"nobody handles {type(event).__name__}")
        if self.halted:
            # Others may have an event for it while the process stops: the cause stays the same.
            raise InvariantViolated(self.halted)
        epoch_before, high_watermark_before = self.election.epoch, self.log.high_watermark
        out: list[Effect] = []
        handler(self, event, now, out)
        send_due(self, now, out)
        check(self, epoch_before, high_watermark_before)
        return out

    @property
    def deadline(self) -> Millis:
        """Send ``TimePassed`` then, if nothing happens sooner; ``NEVER`` if nothing is due."""
        return next_deadline(self)

    def fork(self) -> Replica:
        """A replica in the same state; shallow, because nearly everything inside is frozen."""
        twin = object.__new__(Replica)
        for name in _FIELDS:
            setattr(twin, name, getattr(self, name))
        twin.parked = self.parked.fork()
        twin.fetch_answers = FetchAnswers()
        if isinstance(self.role, Leader):
            twin.role = self.role.fork()
        return twin


_FIELDS = tuple(one.name for one in ReplicaState.__attrs_attrs__)
