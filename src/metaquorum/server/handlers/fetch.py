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
- Records that are there leave at once, whatever else the request names. An answer of errors alone
  is held for 300 ms, or half of the wait time asked if that is less: Java, aiokafka and
  kafka-python ask again without a pause. Who would not wait, by a wait time or min bytes of 0, is
  answered at once. So is OFFSET_OUT_OF_RANGE, since every client looks for another offset first.
  What is held is made when it leaves: records that come meanwhile end the pause, and what is no
  error any more is none. Error rows carry -1 for all offsets and no records. Decision 202.
- A partition that is named twice is one, as in Kafka: the first place and the last word count.
  A request of many partitions is answered at once, with what there is: planning them all again at
  every commit would cost the node more than the client gains.
- Followers serve consumers too, below their own high watermark, from the version on in which a
  consumer may choose its replica (11, KIP-392), as long as they know a leader. What they cannot
  tell, since they may be behind, the leader has to: NOT_LEADER_OR_FOLLOWER with the leader, its
  epoch and, where the version can carry it, its endpoint on this listener.
- A consumer needs READ on the topic, TOPIC_AUTHORIZATION_FAILED tells it so; whatever the quorum
  answers needs CLUSTER_ACTION, and is refused as a whole.
- Fetch sessions (KIP-227) are kept by ``fetch.session_cache``; which partitions a request is about
  and which ones its answer lists is settled by ``fetch.context``. A refused session is answered so
  at once, however long the request was willing to wait.
- A consumer that exceeds its quota is answered empty, with a throttle time, and paused for so long;
  its session goes on (``server.client_quotas``).
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

from functools import partial
from typing import Final

from metaquorum.fetch.context import (
    TOPIC_IDS_FROM,
    FetchContext,
    context_of,
)
from metaquorum.fetch.plan import Portion
from metaquorum.fetch.session import FINAL_EPOCH, NO_SESSION
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.access.authorise import Right
from metaquorum.server.contract.delays import delayed
from metaquorum.server.contract.last_request import FetchAnswer
from metaquorum.server.contract.request import Again, Request
from metaquorum.server.contract.rights import check_right
from metaquorum.server.contract.services import Follower, Services
from metaquorum.server.fetch.consumer_fetch import (
    ANY_REPLICA_FROM,
    Answer,
    ConsumerFetch,
    deadline_of,
    error_hold_ms,
    limit_bytes,
    row_of,
)
from metaquorum.server.fetch.consumer_fetch import put_leader_hints as put_leader_hints
from metaquorum.server.fetch.tailing import NO_WATERMARK_GIVEN, Tailing
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.fetch_request import FetchRequest, FetchTopic
from metaquorum.wire.generated.fetch_response import (
    FetchableTopicResponse,
    FetchResponse,
)

FETCH: Final = 1
_OLDEST_READABLE: Final = 4
_REPLICA_STATE_FROM: Final = 15
_DEBUG_READER: Final = -2


def handle(request: Request[FetchRequest], services: Services) -> Answer:
    """Records for a consumer, or what the quorum says to a replica."""
    asked, version = request.message, request.version
    if version < _OLDEST_READABLE:
        answer = refusal(request, error_codes.UNSUPPORTED_VERSION, None)
        hold_ms = error_hold_ms(asked)
        return delayed(services, answer, hold_ms) if hold_ms else answer
    deadline = deadline_of(request)
    replica_id = _replica_id(asked, version)
    wants_session = asked.session_id != NO_SESSION or asked.session_epoch != FINAL_EPOCH
    if speaks_as_replica(asked, version) and (replica_id < 0 or not wants_session):
        check_right(request, Right.CLUSTER_ACTION)
        source = request.origin.peer
        return services.ask_quorum(FETCH, version, asked, deadline_ms=deadline, source=source)
    now = request.received_at_ms
    is_replica = replica_id >= 0
    if is_replica:
        check_right(request, Right.CLUSTER_ACTION)
    context = context_of(asked, version, services.sessions, is_privileged=is_replica, now_ms=now)
    if context.error_code:
        return context.answer((), now)
    if is_replica:
        return _for_replica(request, services, context, deadline)
    return ConsumerFetch(request, services, context).answer(now)


def again(request: Request[FetchRequest], services: Services) -> Again | None:
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
        follower = services.follower(version, asked, request.origin.peer)
        return None if follower is None else partial(_followed, follower)
    if replica_id == _DEBUG_READER or asked.cluster_id is not None:
        return None
    limits = limit_bytes(asked, services), asked.min_bytes, version < ANY_REPLICA_FROM
    return Tailing(request, services, limits, _planned)


def _followed(follower: Follower, request: Request[FetchRequest]) -> FetchAnswer | None:
    asked = request.message
    if asked.session_epoch != FINAL_EPOCH:
        return None
    row = asked.topics[0].partitions[0]
    return follower(row.fetch_offset, row.high_watermark, request.received_at_ms)


def _planned(request: Request[FetchRequest], services: Services, context: FetchContext) -> Answer:
    return ConsumerFetch(request, services, context).answer(request.received_at_ms)


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
                [row_of(one, Portion(code)) for one in topic.partitions],
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


def _replica_id(asked: FetchRequest, version: int) -> int:
    if version >= _REPLICA_STATE_FROM:
        return asked.replica_state.replica_id
    return asked.replica_id


def _for_replica(
    request: Request[FetchRequest], services: Services, context: FetchContext, deadline: int
) -> Promise[FetchResponse]:
    """What the quorum says about all partitions of a replica's session (KIP-227)."""
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
        listed_answer = context.answer(rows, services.clock.now_ms())
        listed_answer.node_endpoints = answer.node_endpoints
        return listed_answer

    source = request.origin.peer
    promise = services.ask_quorum(
        FETCH, request.version, whole, deadline_ms=deadline, source=source
    )
    return promise.map(tell)
