"""What operators can see of groups of KIP-848."""

from __future__ import annotations

from typing import Final

from metaquorum.groups.consumer_group import ConsumerGroup, by_topic
from metaquorum.groups.reconciling import Partitions
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.consumer_group_describe_response import (
    Assignment,
    DescribedGroup,
    Member,
    TopicPartitions,
)
from metaquorum.wire.generated.list_groups_response import ListedGroup

CONSUMER: Final = "consumer"
_SPEAKS_CONSUMER: Final = 1


def row_of(group: ConsumerGroup) -> ListedGroup:
    """A group in a list."""
    return ListedGroup(group.id, CONSUMER, group.phase(), CONSUMER)


def described(group: ConsumerGroup) -> DescribedGroup:
    """A group, its members, what they have and what they are to have."""
    members = group.members()
    return DescribedGroup(
        group_id=group.id,
        group_state=group.phase(),
        group_epoch=group.epoch,
        assignment_epoch=group.assignment_epoch,
        assignor_name=group.assignor(members.values()),
        members=[
            Member(
                member_id=member_id,
                instance_id=member.instance_id,
                rack_id=member.rack_id,
                member_epoch=group.holding(member_id).epoch,
                client_id=member.client_id,
                client_host=member.client_host,
                subscribed_topic_names=member.subscribed_topic_names,
                subscribed_topic_regex=member.subscribed_topic_regex or None,
                assignment=_assignment(group, group.holding(member_id).assigned),
                target_assignment=_assignment(group, group.target(member_id)),
                member_type=_SPEAKS_CONSUMER,
            )
            for member_id, member in members.items()
        ],
    )


def absent(group_id: str) -> DescribedGroup:
    """A group that does not exist, or is a classic one: tools go on to DescribeGroups."""
    why = f"group {group_id} is no consumer group"
    return DescribedGroup(error_codes.GROUP_ID_NOT_FOUND, why, group_id)


def _assignment(group: ConsumerGroup, partitions: Partitions) -> Assignment:
    names = {info.id: name for name, info in group.context.config.topics.items()}
    return Assignment(
        [
            TopicPartitions(topic, names.get(topic, ""), indexes)
            for topic, indexes in by_topic(partitions)
        ]
    )
