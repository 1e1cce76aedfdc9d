"""CreatePartitions (37): more partitions for topics (KIP-195).

Behaviour
- On controller listeners, where brokers and their envelopes come in. The active controller places
  the partitions and writes; any other node says NOT_CONTROLLER.
- Each topic has its own result. A topic named twice is INVALID_REQUEST, without the right to alter
  it a topic is TOPIC_AUTHORIZATION_FAILED; these rows come last.
- ``validate_only`` answers the same and writes nothing.
- ``controller_mutation_rate`` counts the partitions that are added, as in CreateTopics.

Version notes
- Below 3 nothing is refused for the quota; the answer only says for how long to pause.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from metaquorum.base.errors import RequestError
from metaquorum.base.limits import ADMIN_REQUEST_MS
from metaquorum.controller.commands import CreatePartitions
from metaquorum.metadata.acl_codes import Operation, ResourceType
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract.mutation_quotas import mutation_quota, paused_ms
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.create_partitions_request import CreatePartitionsRequest
from metaquorum.wire.generated.create_partitions_response import (
    CreatePartitionsResponse,
    CreatePartitionsTopicResult,
)

_STRICT_FROM: Final = 3


def handle(
    request: Request[CreatePartitionsRequest], services: Services
) -> Promise[CreatePartitionsResponse] | CreatePartitionsResponse:
    """What the active controller answers."""
    if not services.is_active:
        raise RequestError(error_codes.NOT_CONTROLLER, "this node is not the active controller")
    message = request.message
    counts = Counter(one.name for one in message.topics)
    allowed, refused = [], []
    answered: set[str] = set()
    for topic in message.topics:
        if counts[topic.name] == 1:
            if request.rights.may(Operation.ALTER, ResourceType.TOPIC, topic.name):
                allowed.append(topic)
            else:
                code = error_codes.TOPIC_AUTHORIZATION_FAILED
                refused.append(CreatePartitionsTopicResult(topic.name, code, None))
        elif topic.name not in answered:
            answered.add(topic.name)
            code, reason = error_codes.INVALID_REQUEST, "the request names the topic twice"
            refused.append(CreatePartitionsTopicResult(topic.name, code, reason))
    if not allowed:
        return CreatePartitionsResponse(results=refused)
    quota = mutation_quota(request, services, strict_from=_STRICT_FROM)
    command = CreatePartitions(
        CreatePartitionsRequest(allowed, message.timeout_ms, message.validate_only),
        seed=int.from_bytes(services.new_uuid()[:4], "big"),
        quota=quota,
    )
    deadline = request.received_at_ms + min(max(message.timeout_ms, 0), ADMIN_REQUEST_MS)
    return services.ask_controller(command, deadline_ms=deadline).map(
        lambda answer: CreatePartitionsResponse(
            paused_ms(quota, services), [*answer.results, *refused]
        )
    )


def refusal(
    request: Request[CreatePartitionsRequest], code: int, reason: str | None
) -> CreatePartitionsResponse:
    """The code for each topic."""
    names = dict.fromkeys(one.name for one in request.message.topics)
    rows = [CreatePartitionsTopicResult(name, code, reason) for name in names]
    return CreatePartitionsResponse(results=rows)
