"""Which partitions a Fetch is about, and which of them its answer lists (KIP-227).

| session id, epoch | context | effect |
|---|---|---|
| 0, -1 | sessionless | |
| 0, 0 | full | a session is opened, if there is room |
| ID, 0 | full | ID is closed first |
| ID, -1 | sessionless | ID is closed |
| ID, the expected epoch | incremental | the session's own partitions, changed as the request says |
| the same, but nothing is left of it | sessionless | ID is closed |
| anything else | error | nothing changes |

Errors stand at the top of an answer without partitions and with session id 0; the fetcher has to
take them for an error of each of its partitions, and starts over with a full request:

- no session of that id: FETCH_SESSION_ID_NOT_FOUND; so it is where a session was evicted, or has
  grown beyond its limits
- not the expected epoch: INVALID_FETCH_SESSION_EPOCH. The same is said, with the session's id, to a
  request whose answer comes when the next one is there already: it would be out of order.
- a request with names (to version 12) in a session with ids (from 13) or the other way round:
  FETCH_SESSION_TOPIC_ID_ERROR.

A session belongs to no connection and no version within its family, as in Kafka. What was answered
for a partition is noted when the answer is built, so a request that is never answered notes
nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Protocol

from attrs import define, frozen

from metaquorum.base.clock import Millis
from metaquorum.fetch.session import (
    FINAL_EPOCH,
    INITIAL_EPOCH,
    NO_SESSION,
    CachedPartition,
    FetchSession,
    PartitionKey,
    next_epoch,
)
from metaquorum.fetch.session_cache import SessionCache, SessionEvent
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.fetch_request import FetchPartition, FetchRequest, FetchTopic
from metaquorum.wire.generated.fetch_response import (
    FetchableTopicResponse,
    FetchResponse,
    PartitionData,
)

TOPIC_IDS_FROM: Final = 13

AnsweredPartition = tuple[CachedPartition, PartitionData]
Topics = Sequence[FetchableTopicResponse]


class FetchContext(Protocol):
    """What one request is about."""

    @property
    def partitions(self) -> Sequence[CachedPartition]:
        """What is to be read, in the order in which it is."""

    @property
    def error_code(self) -> int:
        """Not NONE if there is nothing to be read and the answer is that code."""

    def answer(
        self, rows: Iterable[AnsweredPartition], now_ms: Millis, topics: Topics = ()
    ) -> FetchResponse:
        """The response, of the rows that it has to list; ``topics`` are all, if built before."""


@frozen
class SessionlessContext:
    """Everything that was asked for, and no session."""

    partitions: Sequence[CachedPartition]
    error_code: int = error_codes.NONE

    def answer(
        self, rows: Iterable[AnsweredPartition], now_ms: Millis, topics: Topics = ()
    ) -> FetchResponse:
        """All rows."""
        return FetchResponse(responses=topics or _by_topic(rows))


@define(eq=False)
class FullContext:
    """Everything that was asked for, and a session if the cache has room when it is answered."""

    cache: SessionCache
    partitions: Sequence[CachedPartition]
    is_privileged: bool
    uses_topic_ids: bool
    error_code: int = error_codes.NONE

    def answer(
        self, rows: Iterable[AnsweredPartition], now_ms: Millis, topics: Topics = ()
    ) -> FetchResponse:
        """All rows, and the session's id: 0 if there is none."""
        answered = list(rows)
        session = self.cache.open(
            self.partitions,
            is_privileged=self.is_privileged,
            uses_topic_ids=self.uses_topic_ids,
            now_ms=now_ms,
        )
        if session is None:
            return FetchResponse(responses=topics or _by_topic(answered))
        for partition, row in answered:
            partition.answered(row)
        return FetchResponse(session_id=session.id, responses=topics or _by_topic(answered))


@define(eq=False)
class IncrementalContext:
    """What a session is about; ``epoch`` is the one that the request came with."""

    cache: SessionCache
    session: FetchSession
    epoch: int
    partitions: Sequence[CachedPartition]
    error_code: int = error_codes.NONE

    def answer(
        self, rows: Iterable[AnsweredPartition], now_ms: Millis, topics: Topics = ()
    ) -> FetchResponse:
        """The rows with news; INVALID_FETCH_SESSION_EPOCH if a later request was faster."""
        session = self.session
        if session.epoch != next_epoch(self.epoch):
            code = error_codes.INVALID_FETCH_SESSION_EPOCH
            _tell_refused(self.cache, session.id, self.epoch, code, session.epoch)
            return FetchResponse(error_code=code, session_id=session.id)
        news: list[AnsweredPartition] = []
        is_all = True
        for partition, row in rows:
            if not partition.is_news(row):
                is_all = False
                continue
            news.append((partition, row))
            partition.answered(row)
            if row.records:
                session.brought_records(partition)
        listed = topics if topics and is_all else _by_topic(news)
        return FetchResponse(session_id=session.id, responses=listed)


@frozen
class ErrorContext:
    """Nothing can be read in this session."""

    error_code: int
    partitions: Sequence[CachedPartition] = ()

    def answer(
        self, rows: Iterable[AnsweredPartition], now_ms: Millis, topics: Topics = ()
    ) -> FetchResponse:
        """The code alone."""
        return FetchResponse(error_code=self.error_code)


def paused(context: FetchContext, pause_ms: Millis) -> FetchResponse:
    """Nothing now, and no sooner than in ``pause_ms`` (KIP-219); a session goes on as it was."""
    session_id = context.session.id if isinstance(context, IncrementalContext) else NO_SESSION
    return FetchResponse(throttle_time_ms=pause_ms, session_id=session_id)


def named_partitions(topics: Iterable[FetchTopic]) -> list[CachedPartition]:
    """The partitions of a request: a partition named twice has its first place and last word."""
    found: dict[PartitionKey, CachedPartition] = {}
    for topic in topics:
        topic_id = bytes(topic.topic_id)
        for one in topic.partitions:
            named = CachedPartition(topic.topic, topic_id, _own_copy(one))
            known = found.setdefault(named.key, named)
            known.wanted = named.wanted
    return list(found.values())


def _own_copy(one: FetchPartition) -> FetchPartition:
    """The fields that are known, none of them a part of the request's frame."""
    return FetchPartition(
        one.partition,
        one.current_leader_epoch,
        one.fetch_offset,
        one.last_fetched_epoch,
        one.log_start_offset,
        one.partition_max_bytes,
        bytes(one.replica_directory_id),
        one.high_watermark,
    )


def moved_on(
    request: FetchRequest, version: int, cache: SessionCache, now_ms: Millis
) -> FetchContext | None:
    """The context of a request in a session that only names another place in one partition of it,
    which stands there now, or of one without a session; None for any other request, and nothing is
    changed by it.

    So do all who tail a log, and nothing that is in the books of the cache changes by it.
    """
    epoch = request.session_epoch
    if epoch == FINAL_EPOCH and request.session_id == NO_SESSION:
        return SessionlessContext(named_partitions(request.topics))
    session = cache.find(request.session_id)
    if epoch <= INITIAL_EPOCH or session is None or _refusal_of(session, epoch, version):
        return None
    if len(request.topics) != 1 or request.forgotten_topics_data:
        return None
    topic = request.topics[0]
    if len(topic.partitions) != 1:
        return None
    one = topic.partitions[0]
    known = session.find(topic.topic, bytes(topic.topic_id), one.partition)
    if known is None:
        return None
    known.wanted = _own_copy(one)
    cache.use(session, now_ms)
    session.epoch = next_epoch(session.epoch)
    return IncrementalContext(cache, session, epoch, session.partitions)


def context_of(
    request: FetchRequest,
    version: int,
    cache: SessionCache,
    *,
    is_privileged: bool,
    now_ms: Millis,
) -> FetchContext:
    """What ``request`` is about; sessions are closed and changed as it says."""
    moved = moved_on(request, version, cache, now_ms)
    if moved is not None:
        return moved
    epoch = request.session_epoch
    if epoch in (INITIAL_EPOCH, FINAL_EPOCH):
        cache.close(request.session_id, "asked for")
        named = named_partitions(request.topics)
        if epoch == FINAL_EPOCH:
            return SessionlessContext(named)
        return FullContext(cache, named, is_privileged, version >= TOPIC_IDS_FROM)
    session = cache.find(request.session_id)
    code = _refusal_of(session, epoch, version)
    if code != error_codes.NONE or session is None:
        expected = None if session is None else session.epoch
        _tell_refused(cache, request.session_id, epoch, code, expected)
        return ErrorContext(code)
    return _incremental(request, session, cache, now_ms)


def _refusal_of(session: FetchSession | None, epoch: int, version: int) -> int:
    if session is None:
        return error_codes.FETCH_SESSION_ID_NOT_FOUND
    if epoch != session.epoch:
        return error_codes.INVALID_FETCH_SESSION_EPOCH
    if session.uses_topic_ids != (version >= TOPIC_IDS_FROM):
        return error_codes.FETCH_SESSION_TOPIC_ID_ERROR
    return error_codes.NONE


def _incremental(
    request: FetchRequest, session: FetchSession, cache: SessionCache, now_ms: Millis
) -> FetchContext:
    cache.use(session, now_ms)
    session.epoch = next_epoch(session.epoch)
    if request.topics or request.forgotten_topics_data:

        def change(changed: FetchSession) -> None:
            for partition in named_partitions(request.topics):
                changed.add(partition)
            changed.forget(request.forgotten_topics_data)

        if not cache.change(session, change, now_ms):
            return ErrorContext(error_codes.FETCH_SESSION_ID_NOT_FOUND)
    if not len(session):
        cache.close(session.id, "nothing is left in it")
        return SessionlessContext(named_partitions(request.topics))
    return IncrementalContext(cache, session, request.session_epoch, session.partitions)


def _tell_refused(
    cache: SessionCache, session_id: int, epoch: int, code: int, expected: int | None
) -> None:
    cache.tell(
        SessionEvent(
            "fetch-session-refused",
            session_id,
            epoch,
            {"error": error_codes.NAMES[code], "expected": expected},
        )
    )


def _by_topic(rows: Iterable[AnsweredPartition]) -> list[FetchableTopicResponse]:
    """The rows as they stand, neighbours of one topic together."""
    topics: list[FetchableTopicResponse] = []
    for partition, row in rows:
        last = topics[-1] if topics else None
        if last is None or last.topic_id != partition.topic_id or last.topic != partition.topic:
            last = FetchableTopicResponse(partition.topic, partition.topic_id, [])
            topics.append(last)
        last.partitions.append(row)  # type: ignore[attr-defined]
    return topics
