"""DeleteTopics (20): topics of the brokers' cluster, by name or, from version 6 on, by id.

Behaviour
- On controller listeners, where brokers and their envelopes come in. The active controller writes;
  any other node says NOT_CONTROLLER.
- Each topic has its own result: an unknown name is UNKNOWN_TOPIC_OR_PARTITION, an unknown id
  UNKNOWN_TOPIC_ID. Named twice, by name and id, or by neither is INVALID_REQUEST.
- Without the right to delete it a topic is TOPIC_AUTHORIZATION_FAILED; one that the asker may not
  describe is as unknown as any other.
- With ``delete.topic.enable=false`` every topic is TOPIC_DELETION_DISABLED.

Version notes
- Below 3 clients do not know TOPIC_DELETION_DISABLED and get INVALID_REQUEST.
- Below 6 there are only names. Error texts are there from 5 on.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from metaquorum.base.errors import RequestError
from metaquorum.base.ids import METADATA_TOPIC, METADATA_TOPIC_ID, ZERO_UUID
from metaquorum.base.limits import ADMIN_REQUEST_MS
from metaquorum.controller.commands import DeleteTopics
from metaquorum.metadata.acl_codes import Operation, ResourceType
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.delete_topics_request import DeleteTopicsRequest, DeleteTopicState
from metaquorum.wire.generated.delete_topics_response import (
    DeletableTopicResult,
    DeleteTopicsResponse,
)

_DISABLED_FROM: Final = 3
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
        code = error_codes.INVALID_REQUEST if seen[key] > 1 else _refusal(request, services, topic)
        if code == error_codes.NONE:
            allowed.append(topic)
        elif key not in answered:  # one row for a topic that is named twice
            answered.add(key)
            rows.append(DeletableTopicResult(*key, code))
    if not allowed:
        return DeleteTopicsResponse(responses=rows)
    command = DeleteTopics(tuple(allowed))
    return services.ask_controller(command, deadline_ms=deadline).map(
        lambda answer: DeleteTopicsResponse(responses=[*answer.responses, *rows])
    )


def _named(request: Request[DeleteTopicsRequest]) -> list[DeleteTopicState]:
    message = request.message
    if request.version >= _STATES_FROM:
        return list(message.topics)
    return [DeleteTopicState(name) for name in message.topic_names]


def _refusal(
    request: Request[DeleteTopicsRequest], services: Services, topic: DeleteTopicState
) -> int:
    """The code for a topic that is not to be looked for; NONE if it is."""
    topic_id, name = bytes(topic.topic_id), topic.name
    has_id = topic_id != ZERO_UUID
    if has_id == (name is not None):
        return error_codes.INVALID_REQUEST
    if has_id:
        known = services.committed().topics.get(topic_id)
        if known is None:
            is_log = topic_id == METADATA_TOPIC_ID
            return error_codes.INVALID_REQUEST if is_log else error_codes.UNKNOWN_TOPIC_ID
        name = known.name
    assert name is not None
    if name == METADATA_TOPIC:
        return error_codes.INVALID_REQUEST
    rights = request.rights
    if not rights.may(Operation.DESCRIBE, ResourceType.TOPIC, name, noted=False):
        if has_id:
            return error_codes.UNKNOWN_TOPIC_ID
        return error_codes.UNKNOWN_TOPIC_OR_PARTITION
    if not rights.may(Operation.DELETE, ResourceType.TOPIC, name):
        return error_codes.TOPIC_AUTHORIZATION_FAILED
    return error_codes.NONE


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
