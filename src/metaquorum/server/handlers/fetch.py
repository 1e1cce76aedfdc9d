"""Fetch (1): records for consumers, with long polling; the Fetch of replicas goes to the quorum.

Behaviour
- Who asks. A replica id of 0 or more is a voter or an observer: the quorum answers. So it does for
  a reader without an id that speaks as a replica does: version 13 or later, both epochs of every
  partition given, and either a replica id of -2, or a cluster id, or (18+) a high watermark.
  Kafka's raft clients name cluster and watermark, our own ``tail`` the watermark; no consumer does
  (Java, librdkafka, franz-go, kafka-python were watched and read), although kafka-python names a
  last fetched epoch too, which is why that alone decides nothing. The quorum's answer
  may hold a snapshot id, a diverging epoch and records above the high watermark; a consumer's
  never does. Everybody else is a consumer.
- Consumers get whole batches below the high watermark, the first one at any size; see
  ``fetch.plan``. The last stable offset is the high watermark: the log has no transactions of
  producers, so both isolation levels read the same.
- With too little to send, the answer waits for the watermark, up to the wait time asked (at most
  five minutes), and is planned anew each time it moves.
- A partition that is named twice is one, as in Kafka: the first place and the last word count.
  A request of many partitions is answered at once, with what there is: planning them all again at
  every commit would cost the node more than the client gains.
- Errors other than OFFSET_OUT_OF_RANGE leave after 300 ms: Java, aiokafka and kafka-python ask
  again without a pause. OFFSET_OUT_OF_RANGE leaves at once, since every client looks for another
  offset first. Error rows carry -1 for all offsets and no records.
- Followers serve consumers too, below their own high watermark, from the version on in which a
  consumer may choose its replica (11, KIP-392), as long as they know a leader. What they cannot
  tell, since they may be behind, the leader has to: NOT_LEADER_OR_FOLLOWER with the leader, its
  epoch and, where the version can carry it, its endpoint on this listener.
- A consumer needs READ on the topic, TOPIC_AUTHORIZATION_FAILED tells it so; whatever the quorum
  answers needs CLUSTER_ACTION, and is refused as a whole.
- Fetch sessions (KIP-227) are kept by ``fetch.session_cache``; which partitions a request is about
  and which ones its answer lists is settled by ``fetch.context``. A refused session is told so at
  once, however long the request was willing to wait.
- A consumer that exceeds its quota is answered empty, told to pause, and paused for so long; its
  session goes on (``server.client_quotas``).
- A Fetch with a replica id and session fields has a session too, a privileged one: the quorum is
  asked for the session's partitions as if all of them were named, and its answer is listed as a
  session lists. Kafka's replicas and our own never ask for one (id 0, epoch -1), and go straight to
  the quorum. Readers without an id that speak as replicas get no session: every answer of the
  quorum to them has session id 0.

Version notes
- 0-3: UNSUPPORTED_VERSION for each partition. Readers that old know record formats that we do not
  write and would crash or spin; this they turn into a clear word.
- 4: isolation level. 7: sessions and an error code for the whole. 9: leader epoch (KIP-320).
  11: any replica. 12: leader hints. 13+: topics by id, and UNKNOWN_TOPIC_ID instead of
  UNKNOWN_TOPIC_OR_PARTITION. 15: the replica id moves into ReplicaState. 16: endpoints of leaders.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

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
from metaquorum.fetch.context import (
    TOPIC_IDS_FROM,
    FetchContext,
    Told,
    context_of,
    paused,
)
from metaquorum.fetch.plan import FetchPlan, Leadership, Portion, Wish, plan_fetch, refusal_of
from metaquorum.fetch.session import FINAL_EPOCH, NO_SESSION, CachedPartition
from metaquorum.metadata.acl_codes import Operation, ResourceType
from metaquorum.runtime.later import Later
from metaquorum.server import topics
from metaquorum.server.authorise import Right
from metaquorum.server.delays import delayed
from metaquorum.server.house import Follower, House
from metaquorum.server.request import Request
from metaquorum.server.rights import check_right
from metaquorum.server.shared_fetches import SharedFetch, moment_of, question
from metaquorum.server.tailing import NO_WATERMARK_GIVEN, Tailing
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.fetch_request import FetchPartition, FetchRequest, FetchTopic
from metaquorum.wire.generated.fetch_response import (
    FetchableTopicResponse,
    FetchResponse,
    LeaderIdAndEpoch,
    NodeEndpoint,
    PartitionData,
)
from metaquorum.wire.slices import SliceChain

FETCH: Final = 1
_OLDEST_READABLE: Final = 4
_ANY_REPLICA_FROM: Final = 11
_LEADER_HINTS_FROM: Final = 12
_REPLICA_STATE_FROM: Final = 15
_ENDPOINTS_FROM: Final = 16
_DEBUG_READER: Final = -2
_LEADER_HINT_CODES: Final = (
    error_codes.NOT_LEADER_OR_FOLLOWER,
    error_codes.FENCED_LEADER_EPOCH,
)

_Answer = FetchResponse | Later[FetchResponse]
Again = Callable[[Request[FetchRequest]], _Answer | None]


def handle(request: Request[FetchRequest], house: House) -> _Answer:
    """Records for a consumer, or what the quorum says to a replica."""
    asked, version = request.message, request.version
    if version < _OLDEST_READABLE:
        answer = refusal(request, error_codes.UNSUPPORTED_VERSION, None)
        return delayed(house, answer, FETCH_ERROR_DELAY_MS)
    deadline = _deadline(request)
    replica_id = _replica_id(asked, version)
    wants_session = asked.session_id != NO_SESSION or asked.session_epoch != FINAL_EPOCH
    if speaks_as_replica(asked, version) and (replica_id < 0 or not wants_session):
        check_right(request, Right.CLUSTER_ACTION)
        source = request.origin.peer
        return house.ask_quorum(FETCH, version, asked, deadline_ms=deadline, source=source)
    now = request.received_at_ms
    is_replica = replica_id >= 0
    if is_replica:
        check_right(request, Right.CLUSTER_ACTION)
    context = context_of(asked, version, house.sessions, is_privileged=is_replica, now_ms=now)
    if context.error_code:
        return context.answer((), now)
    if is_replica:
        return _for_replica(request, house, context, deadline)
    return _Consumer(request, house, context).answer(now)


def again(request: Request[FetchRequest], house: House) -> Again | None:
    """How a request is answered that is this one again with another place, watermark and epoch of
    its session: as by ``handle``, without what follows from the rest of it.

    None if there is no shorter way; where there is one it answers None, and has done nothing, when
    ``handle`` has to.
    """
    asked, version = request.message, request.version
    if version < _OLDEST_READABLE or request.rights.are_guarded:
        return None
    replica_id = _replica_id(asked, version)
    if replica_id >= 0:
        if asked.session_id != NO_SESSION:
            return None
        follower = house.follower(version, asked, request.origin.peer)
        return None if follower is None else partial(_followed, follower)
    if replica_id == _DEBUG_READER or asked.cluster_id is not None:
        return None
    limits = _limit_bytes(asked, house), asked.min_bytes, version < _ANY_REPLICA_FROM
    return Tailing(request, house, limits, _planned)


def _followed(follower: Follower, request: Request[FetchRequest]) -> Any:
    asked = request.message
    if asked.session_epoch != FINAL_EPOCH:
        return None
    row = asked.topics[0].partitions[0]
    return follower(row.fetch_offset, row.high_watermark, request.received_at_ms)


def _planned(request: Request[FetchRequest], house: House, context: FetchContext) -> _Answer:
    return _Consumer(request, house, context).answer(request.received_at_ms)


def refusal(request: Request[FetchRequest], code: int, reason: str | None) -> FetchResponse:
    """The code for each partition that was named; clients look there and not at the top.

    Within a session none has to be named, and clients do look at the top. So do replicas, and
    there alone for what they may not do.
    """
    if request.message.session_epoch > 0:
        return FetchResponse(error_code=code)
    top = code if code == error_codes.CLUSTER_AUTHORIZATION_FAILED else error_codes.NONE
    return FetchResponse(
        error_code=top,
        responses=[
            FetchableTopicResponse(
                topic.topic,
                topic.topic_id,
                [_row(one, Portion(code)) for one in topic.partitions],
            )
            for topic in request.message.topics
        ],
    )


def speaks_as_replica(asked: FetchRequest, version: int) -> bool:
    """Whether the quorum has to answer; see Behaviour."""
    replica_id = _replica_id(asked, version)
    if replica_id >= 0:
        return True
    if version < TOPIC_IDS_FROM or not asked.topics:
        return False
    named = [one for topic in asked.topics for one in topic.partitions]
    marked = (
        replica_id == _DEBUG_READER
        or asked.cluster_id is not None
        or any(one.high_watermark != NO_WATERMARK_GIVEN for one in named)
    )
    return marked and all(
        one.current_leader_epoch >= 0 and one.last_fetched_epoch >= 0 for one in named
    )


def _limit_bytes(asked: FetchRequest, house: House) -> int:
    return max(min(asked.max_bytes, house.config.fetch_max_bytes, MAX_FETCH_BYTES), 0)


def _deadline(request: Request[FetchRequest]) -> Millis:
    wait_ms = min(max(request.message.max_wait_ms, 0), MAX_FETCH_WAIT_MS)
    return request.received_at_ms + wait_ms


def _replica_id(asked: FetchRequest, version: int) -> int:
    if version >= _REPLICA_STATE_FROM:
        return asked.replica_state.replica_id
    return asked.replica_id


def _for_replica(
    request: Request[FetchRequest], house: House, context: FetchContext, deadline: int
) -> Later[FetchResponse]:
    """What the quorum says about all partitions of a replica's session, told as a session tells."""
    asked = request.message
    whole = FetchRequest(
        cluster_id=asked.cluster_id,
        replica_id=asked.replica_id,
        replica_state=asked.replica_state,
        max_wait_ms=asked.max_wait_ms,
        min_bytes=asked.min_bytes,
        max_bytes=asked.max_bytes,
        isolation_level=asked.isolation_level,
        topics=[FetchTopic(one.topic, one.topic_id, [one.wanted]) for one in context.partitions],
        rack_id=asked.rack_id,
    )

    def tell(answer: FetchResponse) -> FetchResponse:
        if answer.error_code:
            return answer
        listed = {
            (topic.topic, bytes(topic.topic_id), row.partition_index): row
            for topic in answer.responses
            for row in topic.partitions
        }
        rows = [(one, listed[one.key]) for one in context.partitions if one.key in listed]
        told = context.answer(rows, house.clock.now_ms())
        told.node_endpoints = answer.node_endpoints
        return told

    source = request.origin.peer
    later = house.ask_quorum(FETCH, request.version, whole, deadline_ms=deadline, source=source)
    return later.map(tell)


class _Consumer:
    """One Fetch of a consumer, planned until it can be answered."""

    __slots__ = (
        "_context",
        "_deadline",
        "_has_quota",
        "_house",
        "_later",
        "_request",
        "_threshold",
        "_waiting",
        "_wishes",
    )

    def __init__(
        self,
        request: Request[FetchRequest],
        house: House,
        context: FetchContext,
    ) -> None:
        self._request = request
        self._house = house
        self._context = context
        self._deadline = _deadline(request)
        self._wishes = _wishes(request, context, house)
        self._has_quota = False
        self._later: Later[FetchResponse] | None = None
        self._waiting: Later[bool] | None = None
        self._threshold = NO_OFFSET

    def answer(self, now: Millis) -> _Answer:
        """The response at once if there is reason for one, else a promise of it."""
        leadership = topics.leadership(self._house)
        is_late = self._deadline <= now
        if not is_late and self._is_near_end(leadership) and not self._has_turn(now):
            return self._promise(NO_OFFSET, in_turn=True)
        planned = self._plan(leadership)
        plan = planned.plan
        if plan.has_error and any(_wants_delay(portion) for portion in plan.portions):
            late = delayed(self._house, planned, FETCH_ERROR_DELAY_MS)
            return late.map(self._response)
        if plan.wait_for is None or is_late or len(self._wishes) > MAX_PARKED_FETCH_PARTITIONS:
            return self._response(planned)
        return self._promise(plan.wait_for)

    def _has_turn(self, now: Millis) -> bool:
        return self._house.watermark.has_turn(now)

    def _promise(self, threshold: Offset, *, in_turn: bool = False) -> Later[FetchResponse]:
        later: Later[FetchResponse] = Later()
        later.on_cancel(self._stop_waiting)
        self._later = later
        self._wait(threshold, in_turn=in_turn)
        return later

    def _is_near_end(self, leadership: Leadership) -> bool:
        """Whether there are a few records for it and it stands where it may: it tails the log.

        In a crowd it is told in its turn then, and what it is told is looked up only then.
        """
        if len(self._wishes) != 1:
            return False
        wish = self._wishes[0]
        log = wish.log
        if log is None or not 0 < log.high_watermark - wish.fetch_offset <= NEAR_END_OFFSETS:
            return False
        leader_only = self._request.version < _ANY_REPLICA_FROM
        return not refusal_of(wish, leadership, leader_only=leader_only)

    def _plan(self, leadership: Leadership) -> SharedFetch:
        """What there is for it now; who asks the same of one partition at one time shares it."""
        house, request = self._house, self._request
        asked = request.message
        limit = _limit_bytes(asked, house)
        most = house.client_quotas.most_bytes(*self._client)
        self._has_quota = most is not None
        if most is not None:
            limit = max(min(limit, most), 0)
        leader_only = request.version < _ANY_REPLICA_FROM

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
        return house.shared_fetches.find(moment_of(log, leadership), same, plan)

    @property
    def _client(self) -> tuple[str, str]:
        return self._request.origin.principal, self._request.header.client_id or ""

    def _wait(self, threshold: Offset, *, in_turn: bool = False) -> None:
        self._threshold = threshold
        self._waiting = self._house.watermark.wait(threshold, self._deadline, in_turn=in_turn)
        self._waiting.then(self._woken)

    def _woken(self, done: Later[bool]) -> None:
        """The watermark moved or the time is over: plan again, and wait again if it is not."""
        assert self._later is not None
        planned = self._plan(topics.leadership(self._house))
        wait_for = planned.plan.wait_for
        try:
            moved = done.result()
        except RequestError:  # too many are parked: what there is leaves now
            moved = False
        # A log that shows less than the watermark we were woken by would wake us for ever.
        if moved and wait_for is not None and wait_for > self._threshold:
            self._wait(wait_for)
        else:
            self._later.complete(self._response(planned))

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()

    def _response(self, planned: SharedFetch) -> FetchResponse:
        plan, now = planned.plan, self._house.clock.now_ms()
        if self._has_quota:
            quotas = self._house.client_quotas
            pause_ms = quotas.take_bytes(*self._client, plan.size_bytes, now)
            if pause_ms:
                return paused(self._context, pause_ms)
        if planned.topics:
            (partition,), (topic,) = self._context.partitions, planned.topics
            return self._context.answer([(partition, topic.partitions[0])], now, planned.topics)
        rows: list[Told] = [
            (one, _row(one.wanted, portion))
            for one, portion in zip(self._context.partitions, plan.portions, strict=True)
        ]
        response = self._context.answer(rows, now)
        if plan.has_error:
            put_leader_hints(response, self._request, self._house)
        elif len(response.responses) == 1:
            planned.topics = response.responses
        return response


def _wishes(request: Request[FetchRequest], context: FetchContext, house: House) -> list[Wish]:
    """What each partition of the context means; those whose topic may not be read mean nothing."""
    is_readable = _may_read(request) if request.rights.are_guarded else _everybody_may
    return [_wish(one, request.version, house, is_readable) for one in context.partitions]


def _may_read(request: Request[FetchRequest]) -> Callable[[str], bool]:
    """Whether whoever asks may read a topic; its name is asked for once."""
    readable: dict[str, bool] = {}

    def is_readable(name: str) -> bool:
        if name not in readable:
            readable[name] = request.rights.may(Operation.READ, ResourceType.TOPIC, name)
        return readable[name]

    return is_readable


def _everybody_may(name: str) -> bool:
    """Where access rules mean nothing."""
    return True


def _wish(
    partition: CachedPartition, version: int, house: House, is_readable: Callable[[str], bool]
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
        log=house.log if here else None,
        fetch_offset=wanted.fetch_offset,
        max_bytes=wanted.partition_max_bytes,
        current_leader_epoch=wanted.current_leader_epoch,
        absent_code=code,
    )


def _wants_delay(portion: Portion) -> bool:
    return portion.code not in (error_codes.NONE, error_codes.OFFSET_OUT_OF_RANGE)


def _row(one: FetchPartition, portion: Portion) -> PartitionData:
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


def put_leader_hints(response: FetchResponse, request: Request[FetchRequest], house: House) -> None:
    """Name the leader in every row that sends the asker to it, as far as the version has room."""
    leader = house.leader()
    if leader.leader_id is None or request.version < _LEADER_HINTS_FROM:
        return
    hinted = False
    for topic in response.responses:
        for row in topic.partitions:
            if row.error_code in _LEADER_HINT_CODES:
                row.current_leader = LeaderIdAndEpoch(leader.leader_id, leader.epoch)
                hinted = True
    endpoint = house.endpoints(request.origin.listener.name).get(leader.leader_id)
    if hinted and endpoint is not None and request.version >= _ENDPOINTS_FROM:
        response.node_endpoints = [NodeEndpoint(leader.leader_id, endpoint.host, endpoint.port)]
