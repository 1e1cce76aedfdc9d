"""When a leader answers a Fetch: at once, or later, and why.

``decide`` is the table: it holds the rules in the order in which they apply, and gives the first
that does. It is asked when a Fetch arrives, and again for each parked one when there may be news.
``ParkedFetches`` keeps those that wait (Kafka's purgatory), ``ThriftyReplication`` who is needed
for a commit. All of it is part of the core, so that the explorer sees it too.

The consumers' side has a purgatory of its own, since what a consumer waits for is the state that
follows from the log (``runtime.driver.watermark``); both limit their readers by ``base.pace``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from heapq import heappop, heappush

from attrs import define, field

from metaquorum.base.clock import NEVER, Millis
from metaquorum.base.ids import NodeId
from metaquorum.base.limits import (
    SPARE_VOTER_LATEST_MS,
    SPARE_VOTER_MS,
    WAITERS_AT_ONCE,
    WATERMARK_ALONE_MS,
)
from metaquorum.base.offsets import NO_OFFSET, Offset
from metaquorum.base.pace import Pace
from metaquorum.base.value import value
from metaquorum.quorum.messages import FetchRequest
from metaquorum.quorum.types import RequestId
from metaquorum.quorum.voters import VoterSet


class Notify(Enum):
    """Whether a Fetch is answered now, and why; the rules of ``decide`` in their order."""

    NOTHING_NEW = "wait for news"
    PACED = "answer if the pace of readers without a vote allows it"
    WATERMARK = "answer: the voter knows no watermark, or has waited long enough for this one"
    WATERMARK_ALONE = "wait a little: the next records may bring the watermark along"
    NOT_NEEDED = "wait for the next round: a majority commits without this voter"
    BATCH_OPEN = "wait for the rest of the batch"
    RECORDS = "answer: there are records for a voter"


_NOTHING_NEW, _PACED, _WATERMARK = Notify.NOTHING_NEW, Notify.PACED, Notify.WATERMARK
_WATERMARK_ALONE, _NOT_NEEDED = Notify.WATERMARK_ALONE, Notify.NOT_NEEDED
_BATCH_OPEN, _RECORDS = Notify.BATCH_OPEN, Notify.RECORDS


@define(eq=False)
class ThriftyReplication:
    """Which voters a leader needs for a commit, and when the others get records (decision 217).

    Of three voters a majority is two, so one besides the leader is enough. The third, answered at
    the same moment, only takes processors and disks from the two that are waited for. Paxos that
    asks no more than a majority is called thrifty; where followers ask the leader, it is a response
    that waits a little.

    Needed are the first who, with the leader, held what was committed; while nobody is ``needed``,
    nobody waits. The others get records in rounds. One begins with records that come
    ``SPARE_VOTER_MS`` or more after the last began: then all are answered together, and who is
    slower than one that was not needed is needed no more. For the rest of the round such a voter,
    if it holds what there was when the round began, waits for the first records after it, but no
    longer than to ``deferred_until``: a commit waits no longer than that for a voter that fell
    silent. One that lacks more, as one that comes back, is answered at once until it does not.
    """

    needed: tuple[NodeId, ...] = ()
    _began_ms: Millis = -SPARE_VOTER_MS
    _began_offset: Offset = 0

    def note_commit(self, holders: Sequence[NodeId], count: int) -> None:
        """The leader commits with ``count`` others; of all voters these ``holders`` have it now."""
        needed = self.needed
        if len(needed) != count or not all(one in holders for one in needed):
            self.needed = tuple(holders[:count])

    def reset(self) -> None:
        """The leader commits with all others, or with none, or that is not known."""
        self.needed = ()

    def may_defer(self, voter: NodeId, offset: Offset, now: Millis) -> bool:
        """Whether this voter, that asks for the records from ``offset`` on, gets them later."""
        needed = self.needed
        return (
            bool(needed)
            and voter not in needed
            and now < self._began_ms + SPARE_VOTER_MS
            and offset >= self._began_offset
        )

    @property
    def deferred_until(self) -> Millis:
        """When a voter that was deferred is answered, whether there is anything newer or not."""
        return self._began_ms + SPARE_VOTER_LATEST_MS

    def note_records_sent(self, voter: NodeId, log_end: Offset, now: Millis) -> None:
        """This voter is sent records now, which end at ``log_end`` or before."""
        if voter not in self.needed and now >= self._began_ms + SPARE_VOTER_MS:
            self._began_ms, self._began_offset = now, log_end

    def fork(self) -> ThriftyReplication:
        """A copy for the explorer."""
        return ThriftyReplication(self.needed, self._began_ms, self._began_offset)

    def value(self) -> tuple[object, ...]:
        """This as a hashable value; a time has no place in it."""
        return (self.needed, self._began_offset)


@define(eq=False)
class LeaderNow:
    """What the leader knows when it decides.

    ``voters`` are those of now, as who waits may become one. ``batch_open``: more records are
    about to be appended, and voters are to get all of them in one response (decision 217).
    """

    log_end: Offset
    high_watermark: Offset
    voters: VoterSet
    thrift: ThriftyReplication
    now: Millis
    batch_open: bool = False


def decide(
    asked: FetchRequest,
    leader: LeaderNow,
    *,
    missed_commit: bool = False,
    deferral_over: bool = False,
) -> Notify:
    """The first rule that applies to this Fetch.

    ``missed_commit``: the watermark moved while it was parked. A version that cannot say which
    watermark it knows (before 18) hears of one by that. ``deferral_over``: the time to which voters
    were deferred has passed.

    1. Nothing new: no records, and no watermark that the asker does not know. Records above the
       watermark are of use to voters only, and, while the watermark is not known (-1), to all: an
       observer learns of a new leader by the first of its records.
    2. No vote: an observer or a consumer is answered once a commit, with whatever the log holds by
       then (decision 132); where there are hundreds of them, at a pace (decision 134).
    3. A watermark without records: a voter that knows some watermark hears of it a little later, if
       the next records do not bring it before (decision 217).
    4. Records for a voter that no commit waits for: once a round (decision 217).
    5. Records for a voter while a batch is open: all of them when it is closed.
    6. Records for a voter: at once.
    """
    offset, known = asked.offset, asked.high_watermark
    has_records = leader.log_end > offset
    high_watermark = leader.high_watermark
    if not (missed_commit if known is None else known < high_watermark):
        if not has_records:
            return _NOTHING_NEW
        if not leader.voters.is_voter(asked.replica):
            is_news = high_watermark > offset or high_watermark == NO_OFFSET
            return _PACED if is_news else _NOTHING_NEW
    elif not leader.voters.is_voter(asked.replica):
        return _PACED
    if not has_records:
        return _WATERMARK if deferral_over or known == NO_OFFSET else _WATERMARK_ALONE
    if leader.thrift.may_defer(asked.replica.id, offset, leader.now):
        return _NOT_NEEDED
    return _BATCH_OPEN if leader.batch_open else _RECORDS


@value
class ParkedFetch:
    """One waiting fetch; ``commits`` counts those that the purgatory had seen when it came."""

    id: RequestId
    request: FetchRequest
    deadline: Millis
    commits: int = 0


@define(eq=False)
class ParkedFetches:
    """The waiting fetches by id; a heap of deadlines beside them, cleaned up lazily.

    While more than ``WAITERS_AT_ONCE`` wait, those without a vote are answered at a ``Pace``, who
    waits for longest first; ``_backlog`` says that some were left. ``holds_back`` says that some
    wait for the end of a batch.
    """

    _waiting: dict[RequestId, ParkedFetch] = field(factory=dict)
    _deadlines: list[tuple[Millis, RequestId]] = field(factory=list)
    _of_replica: dict[NodeId, dict[RequestId, None]] = field(factory=dict)
    _commits: int = 0
    _pace: Pace = field(factory=Pace)
    _backlog: bool = False
    _deferred_until: Millis = NEVER
    holds_back: bool = False

    def __len__(self) -> int:
        return len(self._waiting)

    def arrived(
        self, request_id: RequestId, asked: FetchRequest, deadline: Millis, leader: LeaderNow
    ) -> bool:
        """Whether a new fetch is parked; False if it is to be answered now."""
        reason = decide(asked, leader)
        if reason is _RECORDS:
            leader.thrift.note_records_sent(asked.replica.id, leader.log_end, leader.now)
            return False
        if reason is _WATERMARK or (reason is _PACED and self._may_answer_reader(leader.now)):
            return False
        if reason is not _NOTHING_NEW:
            self._defer(reason, leader, leader.now + WATERMARK_ALONE_MS)
        self.park(ParkedFetch(request_id, asked, deadline, self._commits))
        return True

    def _may_answer_reader(self, now: Millis) -> bool:
        """Whether one without a vote that comes now is answered at once; else it waits behind the
        others, and gets what comes meanwhile as well.
        """
        if self._backlog or not self._pace.allowed(now):
            self._backlog = True
            return False
        self._pace.woke(1)
        return True

    def _defer(self, reason: Notify, leader: LeaderNow, watermark_due: Millis) -> None:
        """Note until when this one waits at the latest, or for what."""
        if reason is _BATCH_OPEN:
            self.holds_back = True
        elif reason is _WATERMARK_ALONE:
            self._deferred_until = min(self._deferred_until, watermark_due)
        elif reason is _NOT_NEEDED:
            self._deferred_until = min(self._deferred_until, leader.thrift.deferred_until)

    def park(self, fetch: ParkedFetch) -> None:
        """Let it wait."""
        self._waiting[fetch.id] = fetch
        heappush(self._deadlines, (fetch.deadline, fetch.id))
        replica_id = fetch.request.replica.id
        if replica_id >= 0:
            self._of_replica.setdefault(replica_id, {})[fetch.id] = None

    def forget(self, request_id: RequestId) -> ParkedFetch | None:
        """It waits no more; unknown ids are fine, a response and a disconnect may cross."""
        fetch = self._waiting.pop(request_id, None)
        if fetch is None:
            return None
        replica_id = fetch.request.replica.id
        if replica_id >= 0:
            of_replica = self._of_replica[replica_id]
            del of_replica[request_id]
            if not of_replica:
                del self._of_replica[replica_id]
        if not self._waiting:
            self._deferred_until = NEVER
        return fetch

    @property
    def deadline(self) -> Millis:
        """When the next of them gets an empty answer, or what it was deferred from."""
        while self._deadlines and self._deadlines[0][1] not in self._waiting:
            heappop(self._deadlines)
        due = self._deadlines[0][0] if self._deadlines else NEVER
        if self._deferred_until < due:
            due = self._deferred_until
        return min(due, self._pace.next_ms) if self._backlog else due

    @property
    def has_deferred(self) -> bool:
        """Whether there may be news for some that were not answered when it came."""
        return self._backlog or self._deferred_until < NEVER

    def take_all(self) -> list[ParkedFetch]:
        """Everyone, in the order of arrival; nobody waits afterwards."""
        everyone = list(self._waiting.values())
        self._waiting.clear()
        self._deadlines.clear()
        self._of_replica.clear()
        self._backlog = self.holds_back = False
        self._deferred_until = NEVER
        return everyone

    def take_due(self, now: Millis) -> list[ParkedFetch]:
        """Those whose maximum wait is over, soonest first."""
        due: list[ParkedFetch] = []
        while self._deadlines and self._deadlines[0][0] <= now:
            fetch = self.forget(heappop(self._deadlines)[1])
            if fetch is not None:
                due.append(fetch)
        return due

    def take_news(self, leader: LeaderNow, *, committed: bool) -> list[ParkedFetch]:
        """Those that are answered now; ``committed``: the watermark moved just now."""
        now = leader.now
        self._commits += committed
        self.holds_back = self.holds_back and leader.batch_open
        before, self._deferred_until = self._deferred_until, NEVER
        if len(self._waiting) <= WAITERS_AT_ONCE:
            self._backlog = False
            news = self._with_news(self._waiting, leader, before)
            self._pace.woke(min(len(news), self._pace.allowed(now)))
        else:
            of_voters = [
                one for voter in leader.voters for one in self._of_replica.get(voter.id, ())
            ]
            news = self._with_news(of_voters, leader, before)
            # Records alone are news to nobody else, unless the watermark is unknown.
            if committed or leader.high_watermark == NO_OFFSET:
                self._backlog = True
            if self._backlog and (allowed := self._pace.allowed(now)):
                answered = {fetch.id for fetch in news}
                others = (one for one in self._waiting if one not in answered)
                readers = self._with_news(others, leader, before, allowed)
                self._backlog = len(readers) == allowed
                self._pace.woke(len(readers))
                news += readers
        for fetch in news:
            self.forget(fetch.id)
            asked = fetch.request
            if asked.offset < leader.log_end and leader.voters.is_voter(asked.replica):
                leader.thrift.note_records_sent(asked.replica.id, leader.log_end, now)
        return news

    def _with_news(
        self,
        ids: Iterable[RequestId],
        leader: LeaderNow,
        deferred_until: Millis,
        most: int | None = None,
    ) -> list[ParkedFetch]:
        """At most so many that are answered now; of the others it is noted why they wait."""
        found: list[ParkedFetch] = []
        waiting, commits = self._waiting, self._commits
        deferral_over = deferred_until <= leader.now
        watermark_due = min(deferred_until, leader.now + WATERMARK_ALONE_MS)
        for one in ids:
            if len(found) == most:
                break
            fetch = waiting[one]
            reason = decide(
                fetch.request,
                leader,
                missed_commit=fetch.commits < commits,
                deferral_over=deferral_over,
            )
            if reason is _PACED or reason is _RECORDS or reason is _WATERMARK:
                found.append(fetch)
            elif reason is not _NOTHING_NEW:
                self._defer(reason, leader, watermark_due)
        return found

    def fork(self) -> ParkedFetches:
        """A copy for the explorer."""
        return ParkedFetches(
            dict(self._waiting),
            list(self._deadlines),
            {one: dict(ids) for one, ids in self._of_replica.items()},
            self._commits,
            self._pace.fork(),
            self._backlog,
            self._deferred_until,
            self.holds_back,
        )

    def value(self) -> tuple[ParkedFetch, ...]:
        """Who waits, as a hashable value."""
        return tuple(sorted(self._waiting.values(), key=lambda fetch: fetch.id))
