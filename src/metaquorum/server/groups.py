"""Consumer groups until there are consumer groups: one policy for a dozen APIs.

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
Whatever names a member or a group that would have to exist is told that it does not.
"""

from __future__ import annotations

from typing import Any, Final

from metaquorum.metadata.acl_codes import Operation, ResourceType
from metaquorum.server.request import Request
from metaquorum.wire.generated import error_codes

REFUSED: Final = error_codes.GROUP_AUTHORIZATION_FAILED
REFUSED_WHY: Final = (
    "this server keeps no consumer groups; assign partition 0 of the topic instead of subscribing"
)
NO_SUCH_GROUP: Final = error_codes.GROUP_ID_NOT_FOUND
NO_SUCH_MEMBER: Final = error_codes.UNKNOWN_MEMBER_ID
NO_OFFSET_COMMITTED: Final = -1


def may(request: Request[Any], operation: Operation, group: str) -> bool:
    """Whether whoever asks has that right to a group, which need not exist."""
    return request.rights.may(operation, ResourceType.GROUP, group)
