"""On which brokers the replicas of new partitions are placed: striped over racks and brokers.

Leaders are spread evenly over brokers, and the replicas of a partition over as many racks as there
are. Where the stripes begin is drawn by the caller, so that the same seed gives the same placement.
Brokers that are fenced are taken when there are not enough others. A broker whose log directories
are all cordoned (KIP-1066) is not taken, nor one in controlled shutdown that is not fenced yet.
"""

from __future__ import annotations

from attrs import define, field

from metaquorum.base.errors import RequestError
from metaquorum.base.ids import NodeId
from metaquorum.base.seeded import Seeded
from metaquorum.controller.context import PlanContext
from metaquorum.metadata.tables.nodes import Broker
from metaquorum.wire.generated import error_codes


@define
class _Ring:
    """Brokers in a circle; each stripe begins one further than the one before."""

    ids: list[NodeId]
    start: int = 0
    _stripe: int = -1
    _given: int = 0

    def next(self, stripe: int) -> NodeId | None:
        """The next broker of this stripe; None when each was given once."""
        if stripe != self._stripe:
            if self._stripe >= 0:
                self.start = (self.start + 1) % max(1, len(self.ids))
            self._stripe, self._given = stripe, 0
        if self._given >= len(self.ids):
            return None
        found = self.ids[(self.start + self._given) % len(self.ids)]
        self._given += 1
        return found

    def shuffled(self, random: Seeded) -> None:
        """Begin anew in another order."""
        random.shuffle(self.ids)
        self.start, self._stripe, self._given = 0, -1, 0


@define
class _Rack:
    unfenced: _Ring = field(factory=lambda: _Ring([]))
    fenced: _Ring = field(factory=lambda: _Ring([]))

    def next(self, stripe: int) -> NodeId | None:
        found = self.unfenced.next(stripe)
        return self.fenced.next(stripe) if found is None else found


class Placer:
    """Places partitions one after the other; ``seed`` says where the stripes begin."""

    def __init__(self, context: PlanContext, seed: int) -> None:
        self._random = Seeded(seed)
        racks: dict[str, _Rack] = {}
        self._usable = 0
        self._unfenced = 0
        for _, broker in sorted(context.view.brokers.items()):
            if not _is_usable(context, broker):
                continue
            rack = racks.setdefault(broker.rack or "", _Rack())
            (rack.fenced if broker.fenced else rack.unfenced).ids.append(broker.broker_id)
            self._usable += 1
            self._unfenced += not broker.fenced
        self._racks = [racks[name] for name in sorted(racks)]
        for rack in self._racks:
            for ring in (rack.unfenced, rack.fenced):
                ring.start = self._random.below(max(1, len(ring.ids)))
        self._offset = self._random.below(max(1, len(self._racks)))
        self._stripe = 0

    def check(self, replication_factor: int) -> None:
        """RequestError INVALID_REPLICATION_FACTOR if no partition of that factor can be placed."""
        if replication_factor <= 0:
            problem = "it must be at least 1"
        elif not self._unfenced:
            problem = "all brokers are fenced, in shutdown, or have cordoned log directories"
        elif replication_factor > self._usable:
            problem = f"only {self._usable} brokers can take replicas"
        else:
            return
        raise RequestError(
            error_codes.INVALID_REPLICATION_FACTOR,
            f"replication factor {replication_factor}: {problem}",
        )

    def place(self, replication_factor: int) -> tuple[NodeId, ...]:
        """The replicas of the next partition, the preferred leader first."""
        self.check(replication_factor)
        stripe, offset = self._stripe, self._offset
        racks = self._racks[offset:] + self._racks[:offset] if offset else self._racks
        for led_by in racks:
            leader = led_by.unfenced.next(stripe)
            if leader is not None:
                break
        assert leader is not None, "somebody is unfenced"
        chosen = [leader]
        is_passing = True  # the leader's rack is passed over once
        while len(chosen) < replication_factor:
            for rack in racks:
                if is_passing and rack is led_by:
                    is_passing = False
                    continue
                if len(chosen) == replication_factor:
                    break
                follower = rack.next(stripe)
                if follower is not None:
                    chosen.append(follower)
            is_passing = False
        self._stripe_is_done()
        return tuple(chosen)

    def _stripe_is_done(self) -> None:
        self._stripe += 1
        self._offset = (self._offset + 1) % len(self._racks)
        if self._unfenced > 1 and self._stripe == self._unfenced:
            self._random.shuffle(self._racks)
            for rack in self._racks:
                rack.unfenced.shuffled(self._random)
                rack.fenced.shuffled(self._random)
            self._stripe = 0


def _is_usable(context: PlanContext, broker: Broker) -> bool:
    cordoned = broker.cordoned_log_dirs
    return (
        (broker.fenced or not broker.in_controlled_shutdown)
        and not context.contacts.is_leaving(broker.broker_id)
        and not (cordoned and broker.log_dirs and set(broker.log_dirs) <= set(cordoned))
    )
