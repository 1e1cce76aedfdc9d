"""Fetches that wait for data or for the watermark, each with a deadline.

They wait inside the core, so that the explorer sees them too.

What is news depends on who asks. A voter wants every record at once, if its fetches are what
commits them (``quorum.spares``). A watermark without records it is told a little later, if the next
records do not bring it before (decision 167). Anybody else can do nothing with a record that is not
committed yet, and would have to be answered a second time when it is; of such readers there may be
hundreds. So they are answered once a commit, with whatever the log holds by then; and where there
really are hundreds, once for several commits, at a pace that leaves time for them (``base.pace``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from heapq import heappop, heappush

from attrs import define, field

from metaquorum.base.clock import NEVER, Millis
from metaquorum.base.ids import NodeId
from metaquorum.base.limits import WAITERS_AT_ONCE, WATERMARK_ALONE_MS
from metaquorum.base.offsets import NO_OFFSET, Offset
from metaquorum.base.pace import Pace
from metaquorum.base.value import value
from metaquorum.quorum.messages import FetchRequest
from metaquorum.quorum.spares import Spares
from metaquorum.quorum.types import ReplicaKey, RequestId
from metaquorum.quorum.voters import VoterSet

IsVoter = Callable[[ReplicaKey], bool]
"""Asked when there may be news and not when the fetch came: who waits may become a voter."""


def has_news(
    asked: FetchRequest, log_end: Offset, high_watermark: Offset, is_voter: IsVoter
) -> bool:
    """Whether there is anything to tell: records, or a watermark that the asker does not know.

    Records above the watermark are news to a voter, and to everybody while the watermark is not
    known (-1), since an observer learns of a new leader by the first of its records. A version
    that cannot say which watermark it knows (before 18) hears of one by ``moved`` of ``take_news``.
    """
    known = asked.high_watermark
    if known is not None and known < high_watermark:
        return True
    if log_end <= asked.offset:
        return False
    return high_watermark > asked.offset or high_watermark == NO_OFFSET or is_voter(asked.replica)


def may_be_put_off(asked: FetchRequest, log_end: Offset, is_voter: IsVoter) -> bool:
    """Whether the news there is for it is a watermark alone, and it a voter that knows some."""
    return log_end <= asked.offset and asked.high_watermark != NO_OFFSET and is_voter(asked.replica)


def may_wait(asked: FetchRequest, log_end: Offset, spares: Spares, now: Millis) -> bool:
    """Whether it is a spare's, if it is a voter's, and there are records for it."""
    return asked.offset < log_end and spares.can_wait(asked.replica.id, asked.offset, now)


@value
class ParkedFetch:
    """One waiting fetch."""

    id: RequestId
    request: FetchRequest
    deadline: Millis


@define(eq=False)
class ParkedFetches:
    """The waiting fetches by id; a heap of deadlines beside them, cleaned up lazily.

    While more than ``WAITERS_AT_ONCE`` wait, those without a vote are told of news at a ``Pace``,
    who waits for longest first; ``_late`` says that some were left. A version that cannot say
    which watermark it knows has to hear of a move that came after it, so the arrival of such
    fetches is counted. Voters that were put off are told at ``_put_off_to``. While more records are
    about to follow, voters are told of none: ``holds_back`` says that some wait for that.
    """

    _waiting: dict[RequestId, ParkedFetch] = field(factory=dict)
    _deadlines: list[tuple[Millis, RequestId]] = field(factory=list)
    _most: int = 0
    _of_replica: dict[NodeId, dict[RequestId, None]] = field(factory=dict)
    _unsure: dict[RequestId, int] = field(factory=dict)
    _arrivals: int = 0
    _moved_after: int = 0
    _pace: Pace = field(factory=Pace)
    _late: bool = False
    _put_off_to: Millis = NEVER
    holds_back: bool = False

    def __len__(self) -> int:
        return len(self._waiting)

    def has_turn(self, now: Millis) -> bool:
        """Whether somebody without a vote who comes now, and for whom there is news, is told at
        once; else it waits behind the others, and is told of what comes meanwhile as well.
        """
        if self._late or not self._pace.allowed(now):
            self._late = True
            return False
        self._pace.told(1)
        return True

    def put_off(self, now: Millis) -> None:
        """There is a watermark alone for a voter that is parked now: it waits, but not for long."""
        self.put_off_to(now + WATERMARK_ALONE_MS)

    def put_off_to(self, time: Millis) -> None:
        """There is news for a voter that is parked now, of which it is told then at the latest."""
        self._put_off_to = min(self._put_off_to, time)

    def hold_back(self) -> None:
        """There are records for a voter that is parked now: it is told with what follows."""
        self.holds_back = True

    def park(self, fetch: ParkedFetch) -> None:
        """Let it wait."""
        self._waiting[fetch.id] = fetch
        heappush(self._deadlines, (fetch.deadline, fetch.id))
        self._most = max(self._most, len(self._waiting))
        request = fetch.request
        if request.replica.id >= 0:
            self._of_replica.setdefault(request.replica.id, {})[fetch.id] = None
        if request.high_watermark is None:
            self._arrivals += 1
            self._unsure[fetch.id] = self._arrivals

    def forget(self, request_id: RequestId) -> None:
        """Whoever asked is gone; unknown ids are fine, the answer may have crossed."""
        fetch = self._waiting.pop(request_id, None)
        if fetch is not None:
            self._left(fetch)

    def _left(self, fetch: ParkedFetch) -> None:
        """It waits no more."""
        request = fetch.request
        if request.high_watermark is None:
            del self._unsure[fetch.id]
        if request.replica.id >= 0:
            of_replica = self._of_replica[request.replica.id]
            del of_replica[fetch.id]
            if not of_replica:
                del self._of_replica[request.replica.id]
        if not self._waiting:
            self._put_off_to = NEVER

    @property
    def deadline(self) -> Millis:
        """When the next of them gets an empty answer, or those are told that news passed over."""
        while self._deadlines and self._deadlines[0][1] not in self._waiting:
            heappop(self._deadlines)
        due = self._deadlines[0][0] if self._deadlines else NEVER
        if self._put_off_to < due:
            due = self._put_off_to
        return min(due, self._pace.next_ms) if self._late else due

    @property
    def is_late(self) -> bool:
        """Whether there may be news for some who were passed over, or put off."""
        return self._late or self._put_off_to < NEVER

    def take_all(self) -> list[ParkedFetch]:
        """Everyone, in the order of arrival; nobody waits afterwards."""
        everyone = list(self._waiting.values())
        self._waiting.clear()
        self._deadlines.clear()
        self._of_replica.clear()
        self._unsure.clear()
        self._late = self.holds_back = False
        self._put_off_to = NEVER
        return everyone

    def take_due(self, now: Millis) -> list[ParkedFetch]:
        """Those whose time is up, soonest first."""
        due: list[ParkedFetch] = []
        while self._deadlines and self._deadlines[0][0] <= now:
            fetch = self._waiting.pop(heappop(self._deadlines)[1], None)
            if fetch is not None:
                self._left(fetch)
                due.append(fetch)
        return due

    def take_news(
        self,
        log_end: Offset,
        high_watermark: Offset,
        voters: VoterSet,
        spares: Spares,
        now: Millis,
        *,
        moved: bool,
        more_follow: bool = False,
    ) -> list[ParkedFetch]:
        """Those who are to be told now; ``moved``: the watermark did, which wakes everyone who
        cannot say what it knows (before Fetch 18). ``more_follow``: voters are told of no records.
        """
        if moved:
            self._moved_after = self._arrivals
        self.holds_back = self.holds_back and more_follow
        is_voter = voters.is_voter
        put_off_to, self._put_off_to = self._put_off_to, NEVER
        until = None if put_off_to <= now else min(put_off_to, now + WATERMARK_ALONE_MS)
        if len(self._waiting) <= WAITERS_AT_ONCE:
            self._late = False
            news = self._with_news(
                self._waiting, log_end, high_watermark, is_voter, until, spares, now
            )
            self._pace.told(min(len(news), self._pace.allowed(now)))
        else:
            ids = [id for voter in voters for id in self._of_replica.get(voter.id, ())]
            news = self._with_news(ids, log_end, high_watermark, is_voter, until, spares, now)
            # Records alone are news to nobody else, unless the watermark is unknown.
            self._late = self._late or moved or high_watermark == NO_OFFSET
            allowed = self._pace.allowed(now) if self._late else 0
            if allowed:
                taken = {fetch.id for fetch in news}
                others = (one for one in self._waiting if one not in taken)
                late = self._with_news(
                    others, log_end, high_watermark, is_voter, until, spares, now, allowed
                )
                self._late = len(late) == allowed
                self._pace.told(len(late))
                news += late
        if more_follow:
            news = self._without_records(news, log_end, is_voter)
        for fetch in news:
            del self._waiting[fetch.id]
            self._left(fetch)
            asked = fetch.request
            if asked.offset < log_end and is_voter(asked.replica):
                spares.note_told(asked.replica.id, log_end, now)
        return news

    def _without_records(
        self, news: list[ParkedFetch], log_end: Offset, is_voter: IsVoter
    ) -> list[ParkedFetch]:
        """Those of them who are not voters that would be told of records."""
        told = [
            one
            for one in news
            if one.request.offset >= log_end or not is_voter(one.request.replica)
        ]
        self.holds_back = self.holds_back or len(told) < len(news)
        return told

    def _with_news(
        self,
        ids: Iterable[RequestId],
        log_end: Offset,
        high_watermark: Offset,
        is_voter: IsVoter,
        until: Millis | None,
        spares: Spares,
        now: Millis,
        most: int | None = None,
    ) -> list[ParkedFetch]:
        """Those for whom there is news, but who may be put off is, if there is a time for it."""
        found: list[ParkedFetch] = []
        waiting, unsure, moved_after = self._waiting, self._unsure, self._moved_after
        for one in ids:
            if len(found) == most:
                break
            fetch = waiting[one]
            asked = fetch.request
            if not has_news(asked, log_end, high_watermark, is_voter) and (
                asked.high_watermark is not None or unsure[one] > moved_after
            ):
                continue
            if until is not None and may_be_put_off(asked, log_end, is_voter):
                self.put_off_to(until)
            elif may_wait(asked, log_end, spares, now) and is_voter(asked.replica):
                self.put_off_to(spares.waits_to)
            else:
                found.append(fetch)
        return found

    def fork(self) -> ParkedFetches:
        """A copy for the explorer."""
        return ParkedFetches(
            dict(self._waiting),
            list(self._deadlines),
            self._most,
            {one: dict(ids) for one, ids in self._of_replica.items()},
            dict(self._unsure),
            self._arrivals,
            self._moved_after,
            self._pace.fork(),
            self._late,
            self._put_off_to,
            self.holds_back,
        )

    def value(self) -> tuple[ParkedFetch, ...]:
        """Who waits, as a hashable value."""
        return tuple(sorted(self._waiting.values(), key=lambda fetch: fetch.id))

    def statistics(self) -> dict[str, int]:
        """How many wait now, and the most that ever did."""
        return {"waiting": len(self._waiting), "most": self._most}
