"""What may be asked of the coordinator: Kafka's requests, with what their connection adds.

Rights were checked before, and what names no topic of this cluster was sorted out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from metaquorum.base.value import value

if TYPE_CHECKING:
    from metaquorum.base.clock import Millis
    from metaquorum.wire.generated.consumer_group_heartbeat_request import (
        ConsumerGroupHeartbeatRequest,
    )
    from metaquorum.wire.generated.heartbeat_request import HeartbeatRequest
    from metaquorum.wire.generated.join_group_request import JoinGroupRequest
    from metaquorum.wire.generated.leave_group_request import MemberIdentity
    from metaquorum.wire.generated.offset_commit_request import OffsetCommitRequest
    from metaquorum.wire.generated.offset_delete_request import OffsetDeleteRequest
    from metaquorum.wire.generated.offset_fetch_request import OffsetFetchRequestGroup
    from metaquorum.wire.generated.sync_group_request import SyncGroupRequest


@value
class CommitOffsets:
    """OffsetCommit; the reply is an OffsetCommitResponse."""

    request: OffsetCommitRequest
    version: int


@value
class FetchOffsets:
    """OffsetFetch, in the form of version 8; the reply is a list of OffsetFetchResponseGroup."""

    groups: Sequence[OffsetFetchRequestGroup]


@value
class DeleteOffsets:
    """OffsetDelete; the reply is an OffsetDeleteResponse."""

    request: OffsetDeleteRequest


@value
class DeleteGroups:
    """DeleteGroups; the reply is a list of DeletableGroupResult."""

    group_ids: tuple[str, ...]


@value
class JoinGroup:
    """JoinGroup; the reply is a JoinGroupResponse."""

    request: JoinGroupRequest
    version: int
    client_id: str
    client_host: str

    @property
    def protocols(self) -> tuple[tuple[str, bytes], ...]:
        """The ways to assign that it knows, best first."""
        return tuple((one.name, bytes(one.metadata)) for one in self.request.protocols)

    @property
    def rebalance_timeout_ms(self) -> Millis:
        """How long it may take to join again; version 0 says nothing of it."""
        asked = self.request.rebalance_timeout_ms
        return asked if asked >= 0 else self.request.session_timeout_ms


@value
class SyncGroup:
    """SyncGroup; the reply is a SyncGroupResponse."""

    request: SyncGroupRequest


@value
class Heartbeat:
    """Heartbeat; the reply is a HeartbeatResponse."""

    request: HeartbeatRequest


@value
class LeaveGroup:
    """LeaveGroup, in the form of version 3; the reply is a LeaveGroupResponse."""

    group_id: str
    members: Sequence[MemberIdentity]
    version: int


@value
class ConsumerHeartbeat:
    """ConsumerGroupHeartbeat; the reply is a ConsumerGroupHeartbeatResponse.

    ``visible_topics`` are those that the client may know of: patterns match no others.
    """

    request: ConsumerGroupHeartbeatRequest
    version: int
    client_id: str
    client_host: str
    visible_topics: tuple[str, ...]


@value
class DescribeConsumerGroups:
    """ConsumerGroupDescribe; the reply is a list of its DescribedGroup."""

    group_ids: Sequence[str]


@value
class ListGroupNames:
    """The names that there may be groups of, sorted; the reply is a list of texts."""


@value
class ListGroups:
    """ListGroups of these names, with the filters of version 5; a list of ListedGroup.

    Names of which there is no group are left out.
    """

    names: Sequence[str]
    states: Sequence[str]
    types: Sequence[str]


@value
class DescribeGroups:
    """DescribeGroups; the reply is a list of its DescribedGroup."""

    group_ids: Sequence[str]
    version: int


Command = (
    CommitOffsets
    | FetchOffsets
    | DeleteOffsets
    | DeleteGroups
    | JoinGroup
    | SyncGroup
    | Heartbeat
    | LeaveGroup
    | ConsumerHeartbeat
    | DescribeConsumerGroups
    | ListGroupNames
    | ListGroups
    | DescribeGroups
)
