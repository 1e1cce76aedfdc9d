"""CreateTopics (19): topics of the brokers' cluster.

Behaviour
- On controller listeners, where brokers and their envelopes come in. The active controller places
  the partitions and writes; any other node says NOT_CONTROLLER.
- Each topic has its own result. A topic named twice and ``__cluster_metadata`` are INVALID_REQUEST,
  without the right to create it a topic is TOPIC_AUTHORIZATION_FAILED; these rows come last.
- From version 5 on the answer has the configuration in force. Who may not describe it gets
  TOPIC_AUTHORIZATION_FAILED in its place, and neither partitions nor replication factor.
- ``validate_only`` answers the same and writes nothing; the topic id is not one that is kept.
- ``controller_mutation_rate`` counts the partitions, validated ones too. A topic beyond it is
  THROTTLING_QUOTA_EXCEEDED, and the answer says for how long to pause (KIP-599).

Version notes
- 2 is the lowest that Kafka 4.x serves. -1 for the default of partitions and replication factor
  comes from clients of version 4 on, and is taken in all.
- Below 6 nothing is refused for the quota; the answer only says for how long to pause.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from metaquorum.base.errors import RequestError
from metaquorum.base.ids import METADATA_TOPIC
from metaquorum.base.limits import ADMIN_REQUEST_MS
from metaquorum.controller.commands import CreateTopics
from metaquorum.metadata.acl_codes import CLUSTER_NAME, Operation, ResourceType
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract.mutation_quotas import mutation_quota, paused_ms
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.create_topics_request import CreateTopicsRequest
from metaquorum.wire.generated.create_topics_response import (
    CreatableTopicResult,
    CreateTopicsResponse,
)

_STRICT_FROM: Final = 6


def handle(
    request: Request[CreateTopicsRequest], services: Services
) -> Promise[CreateTopicsResponse] | CreateTopicsResponse:
    """What the active controller answers."""
    if not services.is_active:
        raise RequestError(error_codes.NOT_CONTROLLER, "this node is not the active controller")
    message = request.message
    counts = Counter(one.name for one in message.topics)
    allowed, refused = [], []
    answered: set[str] = set()
    may_all = request.rights.may(Operation.CREATE, ResourceType.CLUSTER, CLUSTER_NAME, noted=False)
    for topic in message.topics:
        code, reason = error_codes.NONE, None
        if counts[topic.name] > 1:
            code, reason = error_codes.INVALID_REQUEST, "the request names the topic twice"
        elif topic.name == METADATA_TOPIC:
            code, reason = error_codes.INVALID_REQUEST, f"{METADATA_TOPIC} cannot be created"
        elif not may_all and not request.rights.may(
            Operation.CREATE, ResourceType.TOPIC, topic.name
        ):
            code = error_codes.TOPIC_AUTHORIZATION_FAILED
        if code == error_codes.NONE:
            allowed.append(topic)
        elif topic.name not in answered:  # one row for a topic that is named twice
            answered.add(topic.name)
            refused.append(_refused(topic.name, code, reason))
    if not allowed:
        return CreateTopicsResponse(topics=refused)

    quota = mutation_quota(request, services, strict_from=_STRICT_FROM)

    def shown(answer: CreateTopicsResponse) -> CreateTopicsResponse:
        for row in answer.topics:
            if row.error_code == error_codes.NONE:
                _hide(request, row)
        return CreateTopicsResponse(paused_ms(quota, services), [*answer.topics, *refused])

    command = CreateTopics(
        CreateTopicsRequest(allowed, message.timeout_ms, message.validate_only),
        ids=tuple(services.new_uuid() for _ in allowed),
        seed=int.from_bytes(services.new_uuid()[:4], "big"),
        quota=quota,
    )
    deadline = request.received_at_ms + min(max(message.timeout_ms, 0), ADMIN_REQUEST_MS)
    return services.ask_controller(command, deadline_ms=deadline).map(shown)


def _hide(request: Request[CreateTopicsRequest], row: CreatableTopicResult) -> None:
    """Take out of a row what the asker has no right to see."""
    if request.rights.may(Operation.DESCRIBE_CONFIGS, ResourceType.TOPIC, row.name, noted=False):
        return
    row.topic_config_error_code = error_codes.TOPIC_AUTHORIZATION_FAILED
    row.num_partitions = row.replication_factor = -1
    row.configs = []


def _refused(name: str, code: int, reason: str | None) -> CreatableTopicResult:
    return CreatableTopicResult(name=name, error_code=code, error_message=reason)


def refusal(
    request: Request[CreateTopicsRequest], code: int, reason: str | None
) -> CreateTopicsResponse:
    """The code for each topic."""
    names = dict.fromkeys(one.name for one in request.message.topics)
    return CreateTopicsResponse(topics=[_refused(name, code, reason) for name in names])
