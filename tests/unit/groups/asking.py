"""Requests of group members in few words."""

from __future__ import annotations

from typing import Any

from metaquorum.groups.commands import (
    CommitOffsets,
    DescribeGroups,
    Heartbeat,
    JoinGroup,
    LeaveGroup,
    ListGroupNames,
    ListGroups,
    SyncGroup,
)
from metaquorum.wire.generated.heartbeat_request import HeartbeatRequest
from metaquorum.wire.generated.join_group_request import JoinGroupRequest, JoinGroupRequestProtocol
from metaquorum.wire.generated.leave_group_request import MemberIdentity
from metaquorum.wire.generated.offset_commit_request import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
)
from metaquorum.wire.generated.sync_group_request import (
    SyncGroupRequest,
    SyncGroupRequestAssignment,
)

TOPIC = "__cluster_metadata"


def subscription(*topics: str) -> bytes:
    """A consumer's metadata, version 0."""
    parts = [b"\x00\x00", len(topics).to_bytes(4, "big")]
    for topic in topics:
        parts += [len(topic).to_bytes(2, "big"), topic.encode()]
    return b"".join((*parts, b"\xff\xff\xff\xff"))


def join(
    member: str = "",
    *,
    group: str = "g",
    version: int = 9,
    instance: str | None = None,
    protocols: tuple[str, ...] = ("range",),
    metadata: bytes | None = None,
    session_ms: int = 10_000,
    rebalance_ms: int = 60_000,
    kind: str = "consumer",
    client: str = "c",
) -> JoinGroup:
    data = subscription(TOPIC) if metadata is None else metadata
    request = JoinGroupRequest(
        group_id=group,
        session_timeout_ms=session_ms,
        rebalance_timeout_ms=rebalance_ms,
        member_id=member,
        group_instance_id=instance,
        protocol_type=kind,
        protocols=[JoinGroupRequestProtocol(name, data) for name in protocols],
    )
    return JoinGroup(request, version, client, "/127.0.0.1")


def sync(
    member: str, generation: int, given: dict[str, bytes] | None = None, **fields: Any
) -> SyncGroup:
    assignments = [SyncGroupRequestAssignment(*one) for one in (given or {}).items()]
    request = SyncGroupRequest(
        group_id="g",
        generation_id=generation,
        member_id=member,
        assignments=assignments,
        **fields,
    )
    return SyncGroup(request)


def heartbeat(
    member: str, generation: int, instance: str | None = None, group: str = "g"
) -> Heartbeat:
    return Heartbeat(HeartbeatRequest(group, generation, member, instance))


def leave(*members: str | tuple[str, str | None], version: int = 5, group: str = "g") -> LeaveGroup:
    pairs = [one if isinstance(one, tuple) else (one, None) for one in members]
    return LeaveGroup(group, [MemberIdentity(*pair) for pair in pairs], version)


def commit(
    offset: int, member: str = "", generation: int = -1, instance: str | None = None
) -> CommitOffsets:
    topic = OffsetCommitRequestTopic(
        name=TOPIC, partitions=[OffsetCommitRequestPartition(0, offset, committed_metadata="")]
    )
    request = OffsetCommitRequest("g", generation, member, instance, topics=[topic])
    return CommitOffsets(request, 9)


def described(host: Any, group: str = "g") -> Any:
    """DescribeGroups of one."""
    (told,) = host.get(DescribeGroups([group], 6))
    return told


def state_of(host: Any, group: str = "g") -> str:
    return str(described(host, group).group_state)


def listed(host: Any, states: tuple[str, ...] = (), types: tuple[str, ...] = ()) -> list[Any]:
    """ListGroups."""
    return [
        (one.group_id, one.protocol_type, one.group_state, one.group_type)
        for one in host.get(ListGroups(host.get(ListGroupNames()), states, types))
    ]


def new_id(host: Any, **fields: Any) -> str:
    """An id for a new member, which then has to join."""
    return str(host.get(join(**fields)).member_id)


def stable(host: Any, members: int = 1, **fields: Any) -> list[str]:
    """A group of so many members in its first generation, everybody assigned its own name."""
    ids = [new_id(host, **fields) for _ in range(members)]
    asked = [host.ask(join(id, **fields)) for id in ids]
    host.wait(host.core.config.initial_rebalance_delay_ms * 2)
    answers = [host.replies[one] for one in asked]
    leader = answers[0].leader
    generation = answers[0].generation_id
    syncs = [host.ask(sync(id, generation)) for id in ids if id != leader]
    host.get(sync(leader, generation, {id: id.encode() for id in ids}))
    assert all(one in host.replies for one in syncs)
    return ids
