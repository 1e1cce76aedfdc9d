"""Fetches that wait for data or for the watermark, each with a deadline.

They wait inside the core, so that the explorer sees them too.

What is news depends on who asks. A voter wants every record at once: its fetches are what commits
them. Anybody else can do nothing with a record that is not committed yet, and would have to be
answered a second time when it is; of such readers there may be hundreds. So they are answered once
a commit, with whatever the log holds by then.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush

from attrs import define, field

from metaquorum.base.clock import NEVER, Millis
from metaquorum.base.offsets import NO_OFFSET, Offset
from metaquorum.base.value import value
from metaquorum.quorum.messages import FetchRequest
from metaquorum.quorum.types import ReplicaKey, RequestId

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


@value
class ParkedFetch:
    """One waiting fetch."""

    id: RequestId
    request: FetchRequest
    deadline: Millis


@define(eq=False)
class ParkedFetches:
    """The waiting fetches by id; a heap of deadlines beside them, cleaned up lazily."""

    _waiting: dict[RequestId, ParkedFetch] = field(factory=dict)
    _deadlines: list[tuple[Millis, RequestId]] = field(factory=list)
    _most: int = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def park(self, fetch: ParkedFetch) -> None:
        """Let it wait."""
        self._waiting[fetch.id] = fetch
        heappush(self._deadlines, (fetch.deadline, fetch.id))
        self._most = max(self._most, len(self._waiting))

    def forget(self, request_id: RequestId) -> None:
        """Whoever asked is gone; unknown ids are fine, the answer may have crossed."""
        self._waiting.pop(request_id, None)

    @property
    def deadline(self) -> Millis:
        """When the next of them gets an empty answer."""
        while self._deadlines and self._deadlines[0][1] not in self._waiting:
            heappop(self._deadlines)
        return self._deadlines[0][0] if self._deadlines else NEVER

    def take_all(self) -> list[ParkedFetch]:
        """Everyone, in the order of arrival; nobody waits afterwards."""
        everyone = list(self._waiting.values())
        self._waiting.clear()
        self._deadlines.clear()
        return everyone

    def take_due(self, now: Millis) -> list[ParkedFetch]:
        """Those whose time is up, soonest first."""
        due: list[ParkedFetch] = []
        while self.deadline <= now:
            due.append(self._waiting.pop(heappop(self._deadlines)[1]))
        return due

    def take_news(
        self, log_end: Offset, high_watermark: Offset, is_voter: IsVoter, *, moved: bool
    ) -> list[ParkedFetch]:
        """Those for whom there is news; ``moved``: the watermark did, which wakes everyone who
        cannot say what it knows (before Fetch 18).
        """
        news = [
            fetch
            for fetch in self._waiting.values()
            if has_news(fetch.request, log_end, high_watermark, is_voter)
            or (moved and fetch.request.high_watermark is None)
        ]
        for fetch in news:
            del self._waiting[fetch.id]
        return news

    def fork(self) -> ParkedFetches:
        """A copy for the explorer."""
        return ParkedFetches(dict(self._waiting), list(self._deadlines), self._most)

    def value(self) -> tuple[ParkedFetch, ...]:
        """Who waits, as a hashable value."""
        return tuple(sorted(self._waiting.values(), key=lambda fetch: fetch.id))

    def statistics(self) -> dict[str, int]:
        """How many wait now, and the most that ever did."""
        return {"waiting": len(self._waiting), "most": self._most}
