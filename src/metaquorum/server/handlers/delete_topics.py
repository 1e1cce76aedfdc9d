"""DeleteTopics (20): topics of the brokers' cluster, by name or, from version 6 on, by id.

Behaviour
- On controller listeners, where brokers and their envelopes come in. The active controller writes;
  any other node says NOT_CONTROLLER.
- Each topic has its own result: an unknown name is UNKNOWN_TOPIC_OR_PARTITION, an unknown id
  UNKNOWN_TOPIC_ID. Named twice, by name and id, or by neither is INVALID_REQUEST.
- Without the right to delete it, or to delete on the cluster, a topic is
  TOPIC_AUTHORIZATION_FAILED. By name one needs the right to describe it as well, as with Kafka.
  Only those who may describe it get to know that it does not exist, or its name where it is asked
  for by id.
- ``controller_mutation_rate`` counts the partitions that go, as in CreateTopics.
- With ``delete.topic.enable=false`` every topic is TOPIC_DELETION_DISABLED.

Version notes
- Below 3 clients do not know TOPIC_DELETION_DISABLED and get INVALID_REQUEST.
- Below 6 there are only names. Error texts are there from 5 on.
- Below 5 nothing is refused for the quota; the answer only says for how long to pause.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from typing import Final

from metaquorum.base.errors import RequestError
from metaquorum.base.ids import ZERO_UUID
from metaquorum.base.limits import ADMIN_REQUEST_MS
from metaquorum.controller.commands import DeleteTopics
from metaquorum.metadata.acl_codes import CLUSTER_NAME, Operation, ResourceType
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract.mutation_quotas import mutation_quota, paused_ms
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.delete_topics_request import DeleteTopicsRequest, DeleteTopicState
from metaquorum.wire.generated.delete_topics_response import (
    DeletableTopicResult,
    DeleteTopicsResponse,
)

_DISABLED_FROM: Final = 3
_STRICT_FROM: Final = 5
_STATES_FROM: Final = 6


def handle(
    request: Request[DeleteTopicsRequest], services: Services
) -> Promise[DeleteTopicsResponse] | DeleteTopicsResponse:
    """What the active controller answers."""
    if not services.is_active:
        raise RequestError(error_codes.NOT_CONTROLLER, "this node is not the active controller")
    wait_ms = min(max(request.message.timeout_ms, 0), ADMIN_REQUEST_MS)
    deadline = request.received_at_ms + wait_ms
    topics = _named(request)
    seen = Counter((one.name, bytes(one.topic_id)) for one in topics)
    allowed, rows = [], []
    answered: set[tuple[str | None, bytes]] = set()
    for topic in topics:
        key = topic.name, bytes(topic.topic_id)
        if (topic.name is None) == (key[1] == ZERO_UUID):  # by both, or by neither
            rows.append(DeletableTopicResult(*key, error_codes.INVALID_REQUEST))
            continue
        if seen[key] == 1:
            row = _refusal(request, services, topic)
        else:
            row = DeletableTopicResult(*key, error_codes.INVALID_REQUEST)
        if row is None:
            allowed.append(topic)
        elif key not in answered:  # one row for a topic that is named twice
            answered.add(key)
            rows.append(row)
    by_id = {bytes(one.topic_id) for one in topics if one.name is None}
    allowed, twice = _once(services, allowed, by_id)
    rows += twice
    if not allowed:
        return DeleteTopicsResponse(responses=rows)
    quota = mutation_quota(request, services, strict_from=_STRICT_FROM)
    command = DeleteTopics(tuple(allowed), quota)
    return services.ask_controller(command, deadline_ms=deadline).map(
        lambda answer: DeleteTopicsResponse(paused_ms(quota, services), [*answer.responses, *rows])
    )


def _once(
    services: Services, topics: Sequence[DeleteTopicState], by_id: Set[bytes]
) -> tuple[list[DeleteTopicState], list[DeletableTopicResult]]:
    """Those that are meant once, and the rows of those that are named by name and by id.

    ``by_id`` are all ids in the request, also one that is there twice and refused for that.
    """
    known = services.committed().topic_ids
    twice: dict[bytes, DeletableTopicResult] = {}
    for one in topics:
        topic_id = None if one.name is None else known.get(one.name)
        if topic_id is not None and topic_id in by_id:
            twice[topic_id] = DeletableTopicResult(
                one.name, topic_id, error_codes.INVALID_REQUEST, "the topic is named by its id too"
            )
    rest = [
        one
        for one in topics
        if (bytes(one.topic_id) if one.name is None else known.get(one.name)) not in twice
    ]
    return rest, [*twice.values()]


def _named(request: Request[DeleteTopicsRequest]) -> list[DeleteTopicState]:
    message = request.message
    if request.version >= _STATES_FROM:
        return list(message.topics)
    return [DeleteTopicState(name) for name in message.topic_names]


def _refusal(
    request: Request[DeleteTopicsRequest], services: Services, topic: DeleteTopicState
) -> DeletableTopicResult | None:
    """The row of a topic that is not to be looked for; None if it is."""
    topic_id, name = bytes(topic.topic_id), topic.name
    has_id = topic_id != ZERO_UUID
    if has_id:
        known = services.committed().topics.get(topic_id)
        if known is None:
            return DeletableTopicResult(None, topic_id, error_codes.UNKNOWN_TOPIC_ID)
        name = known.name
    assert name is not None
    rights = request.rights
    if rights.may(Operation.DELETE, ResourceType.CLUSTER, CLUSTER_NAME, noted=False):
        return None
    denied = error_codes.TOPIC_AUTHORIZATION_FAILED
    if has_id:
        if rights.may(Operation.DELETE, ResourceType.TOPIC, name):
            return None
        may_describe = rights.may(Operation.DESCRIBE, ResourceType.TOPIC, name, noted=False)
        return DeletableTopicResult(name if may_describe else None, topic_id, denied)
    if not rights.may(Operation.DESCRIBE, ResourceType.TOPIC, name):
        return DeletableTopicResult(name, topic_id, denied)
    if name not in services.committed().topic_ids:
        return DeletableTopicResult(name, topic_id, error_codes.UNKNOWN_TOPIC_OR_PARTITION)
    if not rights.may(Operation.DELETE, ResourceType.TOPIC, name):
        return DeletableTopicResult(name, topic_id, denied)
    return None


def refusal(
    request: Request[DeleteTopicsRequest], code: int, reason: str | None
) -> DeleteTopicsResponse:
    """The code for each topic."""
    if code == error_codes.TOPIC_DELETION_DISABLED and request.version < _DISABLED_FROM:
        code = error_codes.INVALID_REQUEST
    rows = [
        DeletableTopicResult(one.name, bytes(one.topic_id), code, reason) for one in _named(request)
    ]
    return DeleteTopicsResponse(responses=rows)
