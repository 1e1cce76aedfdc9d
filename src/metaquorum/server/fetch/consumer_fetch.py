"""A consumer's Fetch: what it gets, and until when its answer waits for more.

The rules are those of ``server.handlers.fetch``; what is read is planned by ``fetch.plan``, and
what is listed is settled by ``fetch.context``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from metaquorum.base.clock import Millis
from metaquorum.base.errors import RequestError
from metaquorum.base.ids import METADATA_PARTITION, METADATA_TOPIC
from metaquorum.base.limits import (
    FETCH_ERROR_DELAY_MS,
    MAX_FETCH_BYTES,
    MAX_FETCH_WAIT_MS,
    MAX_PARKED_FETCH_PARTITIONS,
    NEAR_END_OFFSETS,
)
from metaquorum.base.offsets import NO_OFFSET, Offset
from metaquorum.fetch.context import TOPIC_IDS_FROM, AnsweredPartition, FetchContext, paused
from metaquorum.fetch.plan import FetchPlan, Leadership, Portion, Wish, plan_fetch, refusal_of
from metaquorum.fetch.session import CachedPartition
from metaquorum.metadata.acl_codes import Operation, ResourceType
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract import topics
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.server.contract.shared_fetches import SharedFetch, moment_of, question
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.fetch_request import FetchPartition, FetchRequest
from metaquorum.wire.generated.fetch_response import (
    FetchResponse,
    LeaderIdAndEpoch,
    NodeEndpoint,
    PartitionData,
)
from metaquorum.wire.slices import SliceChain

ANY_REPLICA_FROM: Final = 11
_LEADER_HINTS_FROM: Final = 12
_ENDPOINTS_FROM: Final = 16
_LEADER_HINT_CODES: Final = (
    error_codes.NOT_LEADER_OR_FOLLOWER,
    error_codes.FENCED_LEADER_EPOCH,
)

Answer = FetchResponse | Promise[FetchResponse]


def limit_bytes(asked: FetchRequest, services: Services) -> int:
    """How many bytes of records an answer may have, but for a first batch that is longer."""
    return max(min(asked.max_bytes, services.config.fetch_max_bytes, MAX_FETCH_BYTES), 0)


def wait_ms_of(asked: FetchRequest) -> Millis:
    """How long an answer may wait for records."""
    return min(max(asked.max_wait_ms, 0), MAX_FETCH_WAIT_MS)


def deadline_of(request: Request[FetchRequest]) -> Millis:
    """When the answer has to leave, be it empty."""
    return request.received_at_ms + wait_ms_of(request.message)


def error_hold_ms(asked: FetchRequest) -> Millis:
    """How long an answer of errors alone is held, against clients that ask again at once."""
    return min(FETCH_ERROR_DELAY_MS, wait_ms_of(asked) // 2)


class ConsumerFetch:
    """One Fetch of a consumer, planned until it can be answered."""

    __slots__ = (
        "_context",
        "_deadline",
        "_has_only_errors",
        "_has_quota",
        "_later",
        "_request",
        "_services",
        "_threshold",
        "_until",
        "_waiting",
        "_wishes",
    )

    def __init__(
        self,
        request: Request[FetchRequest],
        services: Services,
        context: FetchContext,
    ) -> None:
        self._request = request
        self._services = services
        self._context = context
        self._deadline = deadline_of(request)
        self._wishes = _wishes(request, context, services)
        self._has_quota = False
        self._later: Promise[FetchResponse] | None = None
        self._waiting: Promise[bool] | None = None
        self._threshold = NO_OFFSET
        self._until: Millis = 0
        self._has_only_errors = False

    def answer(self, now: Millis) -> Answer:
        """The response at once if there is reason for one, else a promise of it."""
        leadership = topics.leadership(self._services)
        is_late = self._deadline <= now
        if not is_late and self._is_near_end(leadership) and not self._has_turn(now):
            return self._promise(NO_OFFSET, self._deadline, in_turn=True)
        planned = self._plan(leadership)
        wait_for = planned.plan.wait_for
        if wait_for is None or (until := self._held_until(planned.plan)) <= now:
            return self._response(planned)
        return self._promise(wait_for, until)

    def _held_until(self, plan: FetchPlan) -> Millis:
        """Until when an answer waits that would be better at ``plan.wait_for``."""
        self._has_only_errors = plan.has_only_errors
        if plan.has_only_errors:
            return self._request.received_at_ms + error_hold_ms(self._request.message)
        if len(self._wishes) > MAX_PARKED_FETCH_PARTITIONS:
            return self._request.received_at_ms
        return self._deadline

    def _has_turn(self, now: Millis) -> bool:
        return self._services.watermark.has_turn(now)

    def _promise(
        self, threshold: Offset, until: Millis, *, in_turn: bool = False
    ) -> Promise[FetchResponse]:
        promise: Promise[FetchResponse] = Promise()
        promise.on_cancel(self._stop_waiting)
        self._later = promise
        self._wait(threshold, until, in_turn=in_turn)
        return promise

    def _is_near_end(self, leadership: Leadership) -> bool:
        """Whether there are a few records for it and it stands where it may: it tails the log.

        Among many readers it is woken in its turn then, and its records are looked up only then.
        """
        if len(self._wishes) != 1:
            return False
        wish = self._wishes[0]
        log = wish.log
        if log is None or not 0 < log.high_watermark - wish.fetch_offset <= NEAR_END_OFFSETS:
            return False
        leader_only = self._request.version < ANY_REPLICA_FROM
        return not refusal_of(wish, leadership, leader_only=leader_only)

    def _plan(self, leadership: Leadership) -> SharedFetch:
        """What there is for it now; who asks the same of one partition at one time shares it."""
        services, request = self._services, self._request
        asked = request.message
        limit = limit_bytes(asked, services)
        most = services.client_quotas.most_bytes(*self._client)
        self._has_quota = most is not None
        if most is not None:
            limit = max(min(limit, most), 0)
        leader_only = request.version < ANY_REPLICA_FROM

        def plan() -> FetchPlan:
            return plan_fetch(
                self._wishes,
                leadership,
                min_bytes=asked.min_bytes,
                max_bytes=limit,
                leader_only=leader_only,
            )

        if len(self._wishes) != 1:
            return SharedFetch(plan())
        wish = self._wishes[0]
        log, offset = wish.log, wish.fetch_offset
        if log is None:
            return SharedFetch(plan())
        if not log.start_offset <= offset <= log.high_watermark:
            return SharedFetch(plan())
        key = self._context.partitions[0].key
        epoch, most_bytes, least = wish.current_leader_epoch, wish.max_bytes, asked.min_bytes
        same = question(key, offset, epoch, most_bytes, limit, least, leader_only)
        return services.shared_fetches.find(moment_of(log, leadership), same, plan)

    @property
    def _client(self) -> tuple[str, str]:
        return self._request.origin.principal, self._request.header.client_id or ""

    def _wait(self, threshold: Offset, until: Millis, *, in_turn: bool = False) -> None:
        self._threshold, self._until = threshold, until
        self._waiting = self._services.watermark.wait(threshold, until, in_turn=in_turn)
        self._waiting.then(self._woken)

    def _woken(self, done: Promise[bool]) -> None:
        """The watermark moved or the time is over: plan again, and wait again if it is not."""
        assert self._later is not None
        try:
            response = self._woken_with(done)
        except Exception as error:  # the caller has others to wake
            self._later.fail(error)
        else:
            if response is not None:
                self._later.complete(response)

    def _woken_with(self, done: Promise[bool]) -> FetchResponse | None:
        """The response, or None as it waits again."""
        if self._has_only_errors and self._request.rights.are_guarded:
            # Who was not allowed to read a topic may be by now; the refusal was logged already.
            self._wishes = _wishes(self._request, self._context, self._services, noted=False)
        planned = self._plan(topics.leadership(self._services))
        wait_for = planned.plan.wait_for
        if wait_for is not None and self._may_wait_again(wait_for, done):
            until = self._held_until(planned.plan)
            if until > self._services.clock.now_ms():
                self._wait(wait_for, until)
                return None
        return self._response(planned)

    def _may_wait_again(self, wait_for: Offset, done: Promise[bool]) -> bool:
        try:
            moved = done.result()
        except RequestError:  # too many are parked: what there is leaves now
            return False
        if moved:  # a log that shows less than the watermark we were woken by would do so for ever
            return wait_for > self._threshold
        return self._until <= self._services.clock.now_ms()  # else all are woken, as the node stops

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()

    def _response(self, planned: SharedFetch) -> FetchResponse:
        plan, now = planned.plan, self._services.clock.now_ms()
        if self._has_quota:
            quotas = self._services.client_quotas
            pause_ms = quotas.take_bytes(*self._client, plan.size_bytes, now)
            if pause_ms:
                return paused(self._context, pause_ms)
        if planned.topics:
            (partition,), (topic,) = self._context.partitions, planned.topics
            return self._context.answer([(partition, topic.partitions[0])], now, planned.topics)
        rows: list[AnsweredPartition] = [
            (one, row_of(one.wanted, portion))
            for one, portion in zip(self._context.partitions, plan.portions, strict=True)
        ]
        response = self._context.answer(rows, now)
        if plan.has_error:
            put_leader_hints(response, self._request, self._services)
        elif len(response.responses) == 1:
            planned.topics = response.responses
        return response


def _wishes(
    request: Request[FetchRequest], context: FetchContext, services: Services, *, noted: bool = True
) -> list[Wish]:
    """What each partition of the context means; those whose topic may not be read mean nothing.

    A refusal is a line in the log if it is to be ``noted``.
    """
    is_readable = _may_read(request, noted=noted) if request.rights.are_guarded else _everybody_may
    return [_wish(one, request.version, services, is_readable) for one in context.partitions]


def _may_read(request: Request[FetchRequest], *, noted: bool) -> Callable[[str], bool]:
    """Whether the client may read a topic; its name is asked for once."""
    readable: dict[str, bool] = {}

    def is_readable(name: str) -> bool:
        if name not in readable:
            readable[name] = request.rights.may(
                Operation.READ, ResourceType.TOPIC, name, noted=noted
            )
        return readable[name]

    return is_readable


def _everybody_may(name: str) -> bool:
    """Where access rules mean nothing."""
    return True


def _wish(
    partition: CachedPartition, version: int, services: Services, is_readable: Callable[[str], bool]
) -> Wish:
    by_id = version >= TOPIC_IDS_FROM
    wanted = partition.wanted
    if by_id:
        known = topics.is_metadata(None, partition.topic_id)
    else:
        known = topics.is_metadata(partition.topic)
    here = known and wanted.partition == METADATA_PARTITION
    code = error_codes.UNKNOWN_TOPIC_OR_PARTITION
    if by_id and not known:
        code = error_codes.UNKNOWN_TOPIC_ID
    elif not is_readable(METADATA_TOPIC if known else partition.topic):
        here, code = False, error_codes.TOPIC_AUTHORIZATION_FAILED
    return Wish(
        log=services.log if here else None,
        fetch_offset=wanted.fetch_offset,
        max_bytes=wanted.partition_max_bytes,
        current_leader_epoch=wanted.current_leader_epoch,
        absent_code=code,
    )


def row_of(one: FetchPartition, portion: Portion) -> PartitionData:
    """What an answer says of one partition."""
    records = portion.records
    return PartitionData(
        partition_index=one.partition,
        error_code=portion.code,
        high_watermark=portion.high_watermark,
        last_stable_offset=portion.high_watermark,
        log_start_offset=portion.log_start_offset,
        aborted_transactions=None,
        records=SliceChain(tuple(records.slices)) if records is not None else b"",
    )


def put_leader_hints(
    response: FetchResponse, request: Request[FetchRequest], services: Services
) -> None:
    """Name the leader in every row that sends the asker to it, as far as the version has room."""
    leader = services.leader()
    if leader.leader_id is None or request.version < _LEADER_HINTS_FROM:
        return
    hinted = False
    for topic in response.responses:
        for row in topic.partitions:
            if row.error_code in _LEADER_HINT_CODES:
                row.current_leader = LeaderIdAndEpoch(leader.leader_id, leader.epoch)
                hinted = True
    endpoint = services.endpoints(request.origin.listener.name).get(leader.leader_id)
    if hinted and endpoint is not None and request.version >= _ENDPOINTS_FROM:
        response.node_endpoints = [NodeEndpoint(leader.leader_id, endpoint.host, endpoint.port)]
