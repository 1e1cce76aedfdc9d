"""DescribeQuorum (55): leader, epoch, watermark, voters and observers of the metadata quorum.

Behaviour
- Any listener answers; only the leader knows the others' progress, so the quorum of any other node
  says NOT_LEADER_OR_FOLLOWER for the partition, and clients ask the controller that the answer
  names.
- A refusal is the code for the whole request and for each partition that was named; Java's admin
  client wants its topic back in every answer.

Version notes
- 1 adds the time of the last fetch and of the last catch-up, 2 messages, directory ids and the
  voters' endpoints.
"""

from __future__ import annotations

from typing import Final

from metaquorum.base.limits import ADMIN_REQUEST_MS
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated.describe_quorum_request import DescribeQuorumRequest
from metaquorum.wire.generated.describe_quorum_response import (
    DescribeQuorumResponse,
    PartitionData,
    TopicData,
)

KEY: Final = 55


def handle(
    request: Request[DescribeQuorumRequest], services: Services
) -> Promise[DescribeQuorumResponse]:
    """What the quorum answers."""
    deadline = request.received_at_ms + ADMIN_REQUEST_MS
    source = request.origin.peer
    return services.ask_quorum(
        KEY, request.version, request.message, deadline_ms=deadline, source=source
    )


def refusal(
    request: Request[DescribeQuorumRequest], code: int, reason: str | None
) -> DescribeQuorumResponse:
    """The code for the whole and for each partition."""
    return DescribeQuorumResponse(
        error_code=code,
        error_message=reason,
        topics=[
            TopicData(
                topic.topic_name,
                [
                    PartitionData(
                        partition_index=one.partition_index, error_code=code, error_message=reason
                    )
                    for one in topic.partitions
                ],
            )
            for topic in request.message.topics
        ],
    )
