"""What topics there are to see: the metadata log as a topic of one partition, and no other yet.

Facts that several handlers share: names and ids, who leads, which nodes hold it, and how an error
that an old client does not know is sent to it.
"""

from __future__ import annotations

import re
from typing import Final

from attrs import frozen

from metaquorum.base.ids import METADATA_PARTITION, METADATA_TOPIC, METADATA_TOPIC_ID, ZERO_UUID
from metaquorum.fetch.plan import Leadership
from metaquorum.metadata.acl_codes import CLUSTER_NAME, Operation, ResourceType
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated import error_codes
from metaquorum.wire.message import Message

# ACL operations as bits of "authorized operations" (KIP-430): READ 3, DESCRIBE 8,
# DESCRIBE_CONFIGS 10 is all that anybody can do with the metadata topic.
TOPIC_OPERATIONS: Final = 1 << 3 | 1 << 8 | 1 << 10
# CREATE 5, ALTER 7, DESCRIBE 8, CLUSTER_ACTION 9, DESCRIBE_CONFIGS 10, ALTER_CONFIGS 11 and
# IDEMPOTENT_WRITE 12: what Kafka lists for the cluster where there are no ACLs.
CLUSTER_OPERATIONS: Final = 1 << 5 | 1 << 7 | 1 << 8 | 1 << 9 | 1 << 10 | 1 << 11 | 1 << 12

_TOPIC_NAME: Final = re.compile(r"[a-zA-Z0-9._-]{1,249}")


@frozen
class PartitionPlace:
    """Who leads the metadata partition and who holds it, as clients on one listener see it."""

    error_code: int
    leader_id: int
    leader_epoch: int
    replicas: tuple[int, ...]


def leadership(services: Services) -> Leadership:
    """Whether this node leads or follows, and the epoch."""
    leader = services.leader()
    is_leader = leader.leader_id == services.node_id
    return Leadership(leader.epoch, is_leader, leader.leader_id is not None and not is_leader)


def unknown_topic(name: str) -> int:
    """The error code for a name that is no topic's: unknown, or impossible as a name."""
    if _TOPIC_NAME.fullmatch(name) and name not in (".", ".."):
        return error_codes.UNKNOWN_TOPIC_OR_PARTITION
    return error_codes.INVALID_TOPIC_EXCEPTION


def is_metadata(name: str | None, topic_id: bytes = ZERO_UUID) -> bool:
    """Whether a topic named by id, or without one by name, is the metadata topic."""
    if bytes(topic_id) != ZERO_UUID:
        return bytes(topic_id) == METADATA_TOPIC_ID
    return name == METADATA_TOPIC


def is_metadata_partition(name: str | None, index: int, topic_id: bytes = ZERO_UUID) -> bool:
    """Whether it is the one partition that exists."""
    return index == METADATA_PARTITION and is_metadata(name, topic_id)


def metadata_place(services: Services, listener: str) -> PartitionPlace:
    """The metadata partition as a client on ``listener`` may use it; its replicas are the voters.

    A leader that cannot be reached on that listener is none for this client: it gets
    LEADER_NOT_AVAILABLE, which every client answers with another question a little later.
    """
    known = services.endpoints(listener)
    voters = tuple(one for one in services.voter_ids() if one in known) or (services.node_id,)
    leader = services.leader()
    if leader.leader_id is None or leader.leader_id not in known:
        return PartitionPlace(error_codes.LEADER_NOT_AVAILABLE, -1, leader.epoch, voters)
    return PartitionPlace(error_codes.NONE, leader.leader_id, leader.epoch, voters)


def operations(request: Request[Message], kind: ResourceType, name: str, mask: int) -> int:
    """Those bits of ``mask`` that the client may do (KIP-430)."""
    rights = request.rights
    if not rights.are_guarded:
        return mask
    allowed = (
        one for one in Operation if mask >> one & 1 and rights.may(one, kind, name, noted=False)
    )
    return sum(1 << one for one in allowed)


def cluster_operations(request: Request[Message]) -> int:
    """What the client may do with the cluster; nothing unless it may describe it."""
    if not request.rights.may(Operation.DESCRIBE, ResourceType.CLUSTER, CLUSTER_NAME, noted=False):
        return 0
    return operations(request, ResourceType.CLUSTER, CLUSTER_NAME, CLUSTER_OPERATIONS)


def metadata_operations(request: Request[Message]) -> int:
    """What the client may do with the metadata topic."""
    return operations(request, ResourceType.TOPIC, METADATA_TOPIC, TOPIC_OPERATIONS)


def may_describe(request: Request[Message], name: str, *, noted: bool = True) -> bool:
    """Whether the client may know of a topic, which need not exist."""
    return request.rights.may(Operation.DESCRIBE, ResourceType.TOPIC, name, noted=noted)


def controller_id(services: Services, listener: str) -> int:
    """The node that clients should take for the controller: one that they can reach.

    The leader where it is listed, else this node; Kafka's admin client never ends a search for
    controller -1.
    """
    known = services.endpoints(listener)
    leader_id = services.leader().leader_id
    if leader_id is not None and leader_id in known:
        return leader_id
    return services.node_id if services.node_id in known else -1
