"""All fetch sessions of a node, and who gives way to whom (KIP-227, "Fetch Session Caching").

There are so many slots. When all are taken, a newcomer gets the slot of

1. the session that was used least recently, if that is more than ``FETCH_SESSION_EVICTION_MS`` ago;
2. else the least of those that may be taken from, in the order of privilege, number of partitions
   and id, if it is less than the newcomer in privilege or, with the same, in partitions. A consumer
   may take only from sessions that exist for more than that time, a replica also from any
   consumer's.

Otherwise it gets none and goes on with full requests, which costs it bytes and nothing else.

Sessions also have a budget of bytes, since one of them may have thousands of partitions with long
names. Idle sessions give way to a newcomer that does not fit into it; others do not.

Age is counted from the opening and use from the latest request, both in the milliseconds of the
caller's clock. A failed attempt must be cheap, since a client without a session tries again with
every request: candidates are kept in order, and the least one stands in front.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

from attrs import define, field, frozen

from metaquorum.base.chance import Chance
from metaquorum.base.clock import Millis
from metaquorum.base.errors import InvariantViolated
from metaquorum.base.limits import (
    FETCH_SESSION_BYTES,
    FETCH_SESSION_EVICTION_MS,
    MAX_FETCH_SESSION_BYTES,
    MAX_FETCH_SESSION_PARTITIONS,
)
from metaquorum.fetch.session import LAST_SESSION_ID, CachedPartition, FetchSession

Claim = tuple[bool, int]
"""Privilege and partitions of a request that wants a session."""
Rank = tuple[bool, int, int]
"""The same of a session, and its id: who gives way first."""


@frozen
class SessionEvent:
    """Something worth a line in the log: what happened, to which session, in which epoch."""

    name: str
    session_id: int
    epoch: int
    details: dict[str, object]


def _silent(event: SessionEvent) -> None:
    """Nobody listens."""


@define(eq=False)
class SessionCache:
    """The sessions by id. ``tell`` gets an event for each that is opened, closed or evicted."""

    slots: int
    chance: Chance
    max_bytes: int = MAX_FETCH_SESSION_BYTES
    tell: Callable[[SessionEvent], None] = _silent
    evictions: int = 0
    partition_count: int = 0
    held_bytes: int = 0
    _by_use: OrderedDict[int, FetchSession] = field(factory=OrderedDict)
    _by_age: OrderedDict[int, FetchSession] = field(factory=OrderedDict)
    _aged: list[Rank] = field(factory=list)
    _young_consumers: list[Rank] = field(factory=list)
    _ranks: dict[int, Rank] = field(factory=dict)

    def __len__(self) -> int:
        return len(self._by_use)

    def find(self, session_id: int) -> FetchSession | None:
        """The session of that id, if there is one; any number may be asked for."""
        return self._by_use.get(session_id)

    def open(
        self,
        partitions: Sequence[CachedPartition],
        *,
        is_privileged: bool,
        uses_topic_ids: bool,
        now_ms: Millis,
    ) -> FetchSession | None:
        """A new session of these partitions; None if nobody gives way to it."""
        if len(partitions) > MAX_FETCH_SESSION_PARTITIONS:
            return None
        cost = FETCH_SESSION_BYTES + sum(one.cost_bytes for one in partitions)
        if not self._make_room((is_privileged, len(partitions)), cost, now_ms):
            return None
        session = FetchSession(self._new_id(), is_privileged, uses_topic_ids, now_ms, now_ms)
        for one in partitions:
            session.add(one)
        self._by_use[session.id] = self._by_age[session.id] = session
        self._rank(session)
        self._count(session, 1)
        self.tell(
            SessionEvent(
                "fetch-session-opened",
                session.id,
                session.epoch,
                {"partitions": len(session), "privileged": is_privileged},
            )
        )
        return session

    def use(self, session: FetchSession, now_ms: Millis) -> None:
        """A request came for it."""
        session.used_at_ms = now_ms
        self._by_use.move_to_end(session.id)

    def change(
        self, session: FetchSession, change: Callable[[FetchSession], None], now_ms: Millis
    ) -> bool:
        """Let ``change`` add and drop partitions of a session that is used now.

        False if it has become too large to be kept and was closed.
        """
        before = len(session), session.cost_bytes
        change(session)
        after = len(session), session.cost_bytes
        if after == before:  # another place in a partition, as a rule: nothing that is in the books
            return True
        self.partition_count += after[0] - before[0]
        self.held_bytes += after[1] - before[1]
        self._rank(session)
        newcomer = session.is_privileged, len(session)
        if len(session) <= MAX_FETCH_SESSION_PARTITIONS and self._fits(0, newcomer, now_ms):
            return True
        self.close(session.id, "too large")
        return False

    def close(self, session_id: int, why: str) -> bool:
        """End a session, which is no eviction; False if there is none of that id."""
        session = self.find(session_id)
        if session is None:
            return False
        self._remove(session)
        self.tell(SessionEvent("fetch-session-closed", session.id, session.epoch, {"reason": why}))
        return True

    def statistics(self) -> dict[str, Any]:
        """What is kept, for the metrics."""
        return {
            "sessions": len(self),
            "slots": self.slots,
            "partitions": self.partition_count,
            "held_bytes": self.held_bytes,
            "max_bytes": self.max_bytes,
            "evictions": self.evictions,
        }

    def check(self) -> None:
        """InvariantViolated if the books do not agree with each other. Costs a walk over all
        sessions.
        """
        sessions = list(self._by_use.values())
        ranked = sorted(self._aged + self._young_consumers)
        young = [one for one in sessions if one.id in self._by_age]
        agreed = (
            len(self) <= max(self.slots, 0)
            and self.held_bytes == sum(one.cost_bytes for one in sessions) <= self.max_bytes
            and self.partition_count == sum(len(one) for one in sessions)
            and ranked == sorted(self._ranks.values())
            and len(ranked) == len(self) - sum(one.is_privileged for one in young)
            and self._aged == sorted(self._aged)
        )
        if not agreed:
            raise InvariantViolated("the books of the fetch sessions do not agree")

    def _make_room(self, newcomer: Claim, cost: int, now_ms: Millis) -> bool:
        if self.slots <= 0 or cost > self.max_bytes:
            return False
        if not self._fits(cost, newcomer, now_ms):
            return False
        if len(self) < self.slots or self._evict_idle(newcomer, now_ms):
            return True
        least = self._least(newcomer[0], now_ms)
        # No id is below 1: a newcomer that is equal does not come first.
        if least is None or least >= (*newcomer, 0):
            return False
        self._evict(self._by_use[least[2]], newcomer, now_ms)
        return True

    def _fits(self, more_bytes: int, newcomer: Claim, now_ms: Millis) -> bool:
        """Whether there are so many bytes left, be it because idle sessions gave way."""
        while self.held_bytes + more_bytes > self.max_bytes:
            if not self._evict_idle(newcomer, now_ms):
                return False
        return True

    def _evict_idle(self, newcomer: Claim, now_ms: Millis) -> bool:
        longest = next(iter(self._by_use.values()), None)
        if longest is None or now_ms - longest.used_at_ms <= FETCH_SESSION_EVICTION_MS:
            return False
        self._evict(longest, newcomer, now_ms)
        return True

    def _least(self, for_privileged: bool, now_ms: Millis) -> Rank | None:
        self._come_of_age(now_ms)
        heads = self._aged[:1]
        if for_privileged:
            heads += self._young_consumers[:1]
        return min(heads, default=None)

    def _come_of_age(self, now_ms: Millis) -> None:
        """Sessions that have existed for long enough may be taken from by everybody."""
        while self._by_age:
            session = next(iter(self._by_age.values()))
            if now_ms - session.created_at_ms <= FETCH_SESSION_EVICTION_MS:
                return
            self._unrank(session)
            del self._by_age[session.id]
            self._rank(session)

    def _evict(self, session: FetchSession, newcomer: Claim, now_ms: Millis) -> None:
        self._remove(session)
        self.evictions += 1
        self.tell(
            SessionEvent(
                "fetch-session-evicted",
                session.id,
                session.epoch,
                {
                    "partitions": len(session),
                    "privileged": session.is_privileged,
                    "idle_ms": now_ms - session.used_at_ms,
                    "age_ms": now_ms - session.created_at_ms,
                    "newcomer_partitions": newcomer[1],
                    "newcomer_privileged": newcomer[0],
                },
            )
        )

    def _remove(self, session: FetchSession) -> None:
        self._unrank(session)
        del self._by_use[session.id]
        self._by_age.pop(session.id, None)
        self._count(session, -1)

    def _count(self, session: FetchSession, sign: int) -> None:
        self.partition_count += sign * len(session)
        self.held_bytes += sign * session.cost_bytes

    def _rank(self, session: FetchSession) -> None:
        """Put it where it belongs among those that may have to give way."""
        self._unrank(session)
        is_young = session.id in self._by_age
        if is_young and session.is_privileged:
            return
        rank = self._ranks[session.id] = (session.is_privileged, len(session), session.id)
        insort(self._young_consumers if is_young else self._aged, rank)

    def _unrank(self, session: FetchSession) -> None:
        rank = self._ranks.pop(session.id, None)
        if rank is not None:
            ranks = self._young_consumers if session.id in self._by_age else self._aged
            del ranks[bisect_left(ranks, rank)]

    def _new_id(self) -> int:
        """An id that cannot be guessed and is nobody's."""
        while True:
            drawn = self.chance.jitter(1, LAST_SESSION_ID)
            if drawn not in self._by_use:
                return drawn
