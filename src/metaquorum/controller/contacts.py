"""What the active controller knows of brokers that no record tells: it begins anew in each epoch.

Kafka keeps the same in its BrokerHeartbeatManager.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import define, evolve, field, frozen

from metaquorum.base.clock import NEVER, Millis
from metaquorum.base.ids import NodeId, Uuid
from metaquorum.base.offsets import NO_OFFSET, Offset


@frozen
class Session:
    """The last contact of a broker in the life that ``epoch`` names.

    ``metadata_offset`` is the last one that it said it had applied, -1 before it said any.
    ``check_at_ms`` is when somebody has to look whether the session has expired.
    ``offline`` are log directories that the broker said it had lost.
    """

    epoch: Offset
    contact_ms: Millis
    metadata_offset: Offset
    check_at_ms: Millis
    offline: frozenset[Uuid] = frozenset()


@define
class BrokerContacts:
    """Soft state of all brokers; a session expires when its last contact is ``timeout_ms`` ago.

    ``_sessions`` stand in the order in which they are to be checked. ``_leaving``: how many changes
    in turns are under way that take a broker out of service or register it anew. Its registration
    says so only after the last turn, and until then nothing may be placed on it. ``_left``: the
    last offset of the latest of these changes, and whether all turns of it were taken.
    """

    timeout_ms: Millis = 9_000
    _sessions: dict[NodeId, Session] = field(factory=dict)
    _leaving: dict[NodeId, int] = field(factory=dict)
    _left: dict[NodeId, tuple[Offset, bool]] = field(factory=dict)

    # Sessions.

    def heard_from(
        self,
        broker_id: NodeId,
        epoch: Offset,
        now: Millis,
        metadata_offset: Offset = NO_OFFSET,
        offline: Iterable[Uuid] = (),
    ) -> None:
        """A registered broker was in contact, in the life that ``epoch`` names."""
        self._sessions.pop(broker_id, None)
        self._sessions[broker_id] = Session(
            epoch, now, metadata_offset, now + self.timeout_ms + 1, frozenset(offline)
        )

    def silences_ms(self, now: Millis) -> dict[NodeId, Millis]:
        """How long ago each broker with a session was in contact."""
        return {one: now - session.contact_ms for one, session in self._sessions.items()}

    def has_session(self, broker_id: NodeId, epoch: Offset, now: Millis) -> bool:
        """Whether that life of the broker was in contact no longer than the timeout ago."""
        session = self._sessions.get(broker_id)
        return (
            session is not None
            and session.epoch == epoch
            and session.contact_ms + self.timeout_ms >= now
        )

    def is_offline(self, broker_id: NodeId, directory: Uuid) -> bool:
        """Whether the broker said last that it lost this log directory.

        Its registration says so only after the last turn of the change that follows from it.
        """
        session = self._sessions.get(broker_id)
        return session is not None and directory in session.offline

    def lowest_offset(self, broker_ids: Iterable[NodeId]) -> Offset | None:
        """What all of these have applied, -1 if one of them did not say yet; None of nobody."""
        found = (self._sessions.get(one) for one in broker_ids)
        return min(
            (NO_OFFSET if one is None else one.metadata_offset for one in found), default=None
        )

    @property
    def next_check_ms(self) -> Millis:
        """When the first session is to be checked."""
        return next((one.check_at_ms for one in self._sessions.values()), NEVER)

    def first_to_check(self, now: Millis) -> tuple[NodeId, Session] | None:
        """The broker whose session is to be checked first, None if none is due.

        It is checked again a timeout later, in case that what was begun for it comes to nothing.
        """
        first = next(iter(self._sessions.items()), None)
        if first is None or first[1].check_at_ms > now:
            return None
        broker_id, session = first
        del self._sessions[broker_id]
        self._sessions[broker_id] = evolve(session, check_at_ms=now + self.timeout_ms + 1)
        return broker_id, session

    def forget(self, broker_id: NodeId) -> None:
        """The broker has no session any more."""
        self._sessions.pop(broker_id, None)
        self._left.pop(broker_id, None)

    # Changes in turns.

    def is_leaving(self, broker_id: NodeId) -> bool:
        """Whether a change is being written that takes the broker out of service."""
        return broker_id in self._leaving

    def began_to_leave(self, broker_id: NodeId) -> None:
        """The first turn of such a change is about to be taken."""
        self._leaving[broker_id] = self._leaving.get(broker_id, 0) + 1

    def has_left(self, broker_id: NodeId, last_offset: Offset, *, is_whole: bool) -> None:
        """The change is over; the log ends at ``last_offset``.

        ``is_whole``: all turns were taken, and it was not given up before.
        """
        count = self._leaving[broker_id] - 1
        if count:
            self._leaving[broker_id] = count
        else:
            del self._leaving[broker_id]
        self._left[broker_id] = last_offset, is_whole

    def left_at(self, broker_id: NodeId) -> Offset | None:
        """The last offset of the broker's last change of that kind; None if none in this epoch."""
        left = self._left.get(broker_id)
        return None if left is None else left[0]

    def left_whole(self, broker_id: NodeId) -> bool:
        """Whether the broker's last change of that kind was in this epoch, and not given up."""
        left = self._left.get(broker_id)
        return left is not None and left[1]
