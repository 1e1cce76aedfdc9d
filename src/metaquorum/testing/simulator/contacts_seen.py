"""Which heartbeats reached which controller, by its clock: whether a fencing was due.

A controller may fence a broker that asked for nothing only when its session expired: when it heard
nothing of it for longer than the session, nor since it became active. What lies between a batch and
its last record is short, so one late heartbeat may stand between the silence and the fencing.
"""

from __future__ import annotations

from collections import deque
from itertools import pairwise

from attrs import define, field

from metaquorum.base.clock import Millis
from metaquorum.base.ids import NodeId
from metaquorum.base.offsets import Offset
from metaquorum.testing.simulator.invariants import brokers as rules

KEPT = 4
"""So many of the last contacts of a broker are kept at each node."""

Life = tuple[NodeId, Offset]


@define(eq=False)
class ContactsSeen:
    """``applied`` is the highest metadata offset with which a life asked not to be fenced.

    ``leaves`` are lives that asked to be fenced or to stop. Times are of the nodes' clocks.
    """

    applied: dict[Life, Offset] = field(factory=dict)
    leaves: set[Life] = field(factory=set)
    _active_ms: dict[NodeId, Millis] = field(factory=dict)
    _heard_ms: dict[tuple[NodeId, Life], deque[Millis]] = field(factory=dict)
    _written: dict[int, tuple[NodeId, Millis, Millis]] = field(factory=dict)

    def leads(self, node: NodeId, now_ms: Millis) -> None:
        """A node knows that it leads; it becomes active now or later."""
        self._active_ms[node] = now_ms

    def heard(self, node: NodeId, life: Life, now_ms: Millis) -> None:
        """A heartbeat is about to be given to an active controller."""
        self._heard_ms.setdefault((node, life), deque(maxlen=KEPT)).append(now_ms)

    def asked(self, life: Life, applied: Offset, *, leaves: bool, wants_fence: bool) -> None:
        """A broker sends a heartbeat."""
        if leaves or wants_fence:
            self.leaves.add(life)
        if not wants_fence:
            self.applied[life] = max(applied, self.applied.get(life, applied))

    def written(self, entry_print: int, node: NodeId, now_ms: Millis) -> None:
        """A leader has put a batch into its log."""
        self._written[entry_print] = (node, self._active_ms.get(node, now_ms), now_ms)

    def check_fencing(
        self, broker: NodeId, epoch: Offset, entry_print: int, session_ms: Millis
    ) -> None:
        """The batch fences a broker: either it asked for it, or its session had expired."""
        if (broker, epoch) not in self.leaves and entry_print in self._written:
            silent_ms, node = self.silence(broker, epoch, entry_print)
            rules.a_broker_heard_in_time_is_not_fenced(broker, node, silent_ms, session_ms)

    def silence(self, broker: NodeId, epoch: Offset, entry_print: int) -> tuple[Millis, NodeId]:
        """How long who wrote that batch had not heard of a broker, at most, and its id."""
        life = (broker, epoch)
        node, since_ms, now_ms = self._written[entry_print]
        heard = self._heard_ms.get((node, life), ())
        times = [since_ms, *(one for one in heard if since_ms < one < now_ms), now_ms]
        return max(after - before for before, after in pairwise(times)), node
