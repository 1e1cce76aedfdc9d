"""Consumer groups, as the handlers of a dozen APIs see them; and one policy where there are none.

With groups (``Services.groups``) a handler checks rights and names, and lets the coordinator
answer. What follows is about nodes that keep none.

Nobody may hang, crash or spin, and who does not need a group must not notice. Two kinds of
clients ask:

*Those that assign partitions themselves* and only carry a ``group.id`` along (every
confluent-kafka consumer does; Java, aiokafka, kafka-python and Spark's executors may). Before
they fetch they look for a coordinator and ask it for committed offsets. A FindCoordinator that
fails for good reaches their application as an error; one that says COORDINATOR_NOT_AVAILABLE
keeps Java without a position for ever. So a coordinator is found (this node, truly reachable) and
no offset was ever committed (true as well): they go on by their reset policy.

*Those that subscribe.* They need an assignment, and nobody here makes one. They get
GROUP_AUTHORIZATION_FAILED from JoinGroup or ConsumerGroupHeartbeat: the one refusal that every
client, old or new, gives to its user as an error instead of trying again (Java throws from poll,
confluent-kafka delivers an error, aiokafka and kafka-python raise, kafkajs stops its consumer). A
retriable code would be a silent hang.

Commits are refused with the same code: nothing that cannot be read back is ever acknowledged.
Whatever names a member or a group that would have to exist is answered that it does not.
"""

from __future__ import annotations

from typing import Final

from metaquorum.base.clock import Millis
from metaquorum.base.ids import METADATA_TOPIC, METADATA_TOPIC_ID, ZERO_UUID
from metaquorum.base.limits import ADMIN_REQUEST_MS
from metaquorum.metadata.acl_codes import Operation, ResourceType
from metaquorum.server.contract import topics
from metaquorum.server.contract.request import Request
from metaquorum.wire.generated import error_codes
from metaquorum.wire.message import Message

REFUSED: Final = error_codes.GROUP_AUTHORIZATION_FAILED
REFUSED_WHY: Final = (
    "this server keeps no consumer groups; assign partition 0 of the topic instead of subscribing"
)
NO_SUCH_GROUP: Final = error_codes.GROUP_ID_NOT_FOUND
NO_SUCH_MEMBER: Final = error_codes.UNKNOWN_MEMBER_ID
NO_OFFSET_COMMITTED: Final = -1
# READ 3, DELETE 6, DESCRIBE 8, DESCRIBE_CONFIGS 10, ALTER_CONFIGS 11.
GROUP_OPERATIONS: Final = 1 << 3 | 1 << 6 | 1 << 8 | 1 << 10 | 1 << 11


def may_topic(request: Request[Message], operation: Operation, topic: str) -> bool:
    """Whether the client has that right to a topic, which need not exist."""
    return request.rights.may(operation, ResourceType.TOPIC, topic)


def topic_name(name: str, topic_id: bytes) -> str | None:
    """The name of a topic that is asked for by id, or without one by name; None: unknown id."""
    if bytes(topic_id) == ZERO_UUID:
        return name or None
    return METADATA_TOPIC if bytes(topic_id) == METADATA_TOPIC_ID else None


def operations(request: Request[Message], group: str) -> int:
    """What the client may do with a group, as bits (KIP-430)."""
    return topics.operations(request, ResourceType.GROUP, group, GROUP_OPERATIONS)


def client_of(request: Request[Message]) -> tuple[str, str]:
    """The id and the address of a member, as Kafka keeps them."""
    return request.header.client_id or "", f"/{request.origin.host}"


def deadline_of(request: Request[Message]) -> Millis:
    """Until when an answer that needs no other member is of use."""
    return request.received_at_ms + ADMIN_REQUEST_MS


def may(request: Request[Message], operation: Operation, group: str) -> bool:
    """Whether the client has that right to a group, which need not exist."""
    return request.rights.may(operation, ResourceType.GROUP, group)
